// SPDX-License-Identifier: GPL-2.0-or-later
/* thread_state and sched_slice as trace_processor has them: the rules that a table cannot show. */
#include "model/tp_sched.h"

#include "tap.h"

static struct fw_health *health;
static struct fw_names *names;
static struct fw_tasks *tasks;
static struct fw_tp_sched s;
static char states[2048], slices[1024];

static void on_state(void *ctx, const struct fw_tp_state *r)
{
	size_t n = strlen(states);

	snprintf(states + n, sizeof(states) - n, "%s#%ju %d:%jd+%jd %s%s%.*s", n ? ", " : "",
		 (uintmax_t)r->seq, tasks->threads[r->utid].tid, (intmax_t)r->ts, (intmax_t)r->dur,
		 r->state[0] ? r->state : "?", r->function ? "/" : "",
		 FW_STR_ARG(fw_names_str(names, r->function)));
}

static void on_slice(void *ctx, const struct fw_sched_slice *r)
{
	size_t n = strlen(slices);

	snprintf(slices + n, sizeof(slices) - n, "%s%d@%d:%jd+%jd %s", n ? ", " : "",
		 tasks->threads[r->utid].tid, r->cpu, (intmax_t)r->ts, (intmax_t)r->dur,
		 r->end_state[0] ? r->end_state : "?");
}

static void begin(void)
{
	static const struct fw_recording rec = { .sysname = { "Linux", 5 },
						 .kernel = { "6.1", 3 } };

	health = fw_health_new();
	names = fw_names_new();
	tasks = fw_tasks_new(names);
	fw_tp_sched_init(&s, tasks, names, health, &rec);
	s.state = on_state;
	s.slice = on_slice;
	states[0] = slices[0] = '\0';
}

static void finish(void)
{
	fw_tp_sched_finish(&s);
	fw_tasks_free(tasks);
	fw_names_free(names);
}

static void sw(int64_t ts, int32_t cpu, int32_t prev, int64_t state, int32_t next)
{
	struct fw_event ev = { .type = FW_EV_SCHED_SWITCH, .ts = ts, .cpu = cpu, .tid = prev };

	ev.sw = (struct fw_ev_switch){ .prev_tid = prev, .next_tid = next, .prev_state = state };
	if (prev == -1)
		ev.flags = FW_EVF_COMPACT;
	fw_tp_sched_feed(&s, &ev);
}

static void waking(int64_t ts, int32_t cpu, int32_t waker, int32_t tid)
{
	struct fw_event ev = { .type = FW_EV_SCHED_WAKING, .ts = ts, .cpu = cpu, .tid = waker };

	ev.waking = (struct fw_ev_waking){ .tid = tid, .common_flags = -1 };
	if (waker == -1)
		ev.flags = FW_EVF_COMPACT;
	fw_tp_sched_feed(&s, &ev);
}

static void reason(int64_t ts, int32_t tid, const char *function)
{
	struct fw_event ev = { .type = FW_EV_BLOCKED_REASON, .ts = ts, .tid = 1 };

	ev.blocked = (struct fw_ev_blocked){ .tid = tid, .function = fw_str(function) };
	fw_tp_sched_feed(&s, &ev);
}

static void a_sleep(void)
{
	begin();
	sw(10, 0, 1, 2, 2);
	reason(12, 1, "first");
	waking(20, 0, 2, 1);
	reason(21, 1, "late");
	waking(22, 0, 2, 1);
	sw(30, 0, 2, 1, 1);
	reason(31, 1, "never");
	finish();
	is_str(states,
	       "#1 2:10+20 Running, #2 1:20+10 R, #0 1:10+10 D/late, #3 2:30+-1 S, "
	       "#4 1:30+-1 Running",
	       "a reason reaches the sleep until its thread runs; a second wake changes nothing");
	is_str(slices, "2@0:10+20 S, 1@0:30+-1 ?", "slices from switch to switch");
	fw_health_free(health);
}

static void losses(void)
{
	begin();
	sw(10, 0, 1, 1, 2);
	sw(20, 1, 3, 1, 2);
	sw(30, 0, 4, 1, 5);
	finish();
	is_int(fw_health_sum(health, FW_H_mismatched_sched_switch_tids), 1,
	       "another thread leaves the CPU than entered it");
	is_str(slices, "2@0:10+-1 ?, 5@0:30+-1 ?, 2@1:20+-1 ?",
	       "the slice of the one that was lost stays open");
	fw_health_free(health);

	begin();
	sw(10, 0, 1, 1, 2);
	sw(20, 0, 1, 1, 3);
	finish();
	ok(strstr(states, "1:10+-1 S") && strstr(states, "1:20+-1 S"),
	   "who leaves without having entered keeps an open state behind");
	fw_health_free(health);
}

static void compact(void)
{
	begin();
	waking(5, 0, -1, 9);
	sw(10, 0, -1, 0, 2);
	sw(20, 0, -1, 0x100, 3);
	waking(25, 0, -1, 2);
	finish();
	is_int(fw_health_sum(health, FW_H_compact_sched_waking_skipped), 1,
	       "a compact waking before the first switch has no waker");
	is_int(fw_health_sum(health, FW_H_compact_sched_switch_skipped), 1,
	       "the first compact switch only tells who runs");
	is_str(states, "#0 2:20+5 R+, #2 2:25+-1 R, #1 3:20+-1 Running",
	       "the second one has states; a waking splits R+");
	fw_health_free(health);
}

static void invalid(void)
{
	begin();
	sw(10, 0, 1, 0x4000, 2);
	finish();
	is_int(fw_health_sum(health, FW_H_task_state_invalid), 1, "bits of no kernel are counted");
	ok(strstr(states, "1:10+-1 ?") != NULL, "and are no state");
	fw_health_free(health);
}

static void generic(int64_t ts, int32_t cpu, int32_t tid, int32_t state)
{
	struct fw_event ev = { .type = FW_EV_GENERIC_TASK, .ts = ts, .cpu = cpu, .tid = -1 };

	ev.generic = (struct fw_ev_generic_task){ .tid = tid, .state = state };
	fw_tp_sched_feed(&s, &ev);
}

static void generic_states(void)
{
	begin();
	generic(10, 0, 1, 3);
	generic(20, 0, 2, 3);
	generic(20, 0, 1, 4);
	generic(30, 0, 2, 7);
	finish();
	is_str(slices, "1@0:10+10 S, 2@0:20+10 Z", "an end state may come after the next start");
	ok(strstr(states, "1:20+-1 S") && strstr(states, "2:30+-1 Z"), "and names the state then");
	fw_health_free(health);
}

int main(void)
{
	a_sleep();
	losses();
	compact();
	invalid();
	generic_states();
	return done_testing();
}
