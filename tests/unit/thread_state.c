// SPDX-License-Identifier: GPL-2.0-or-later
/* The state machine of threads, fed by hand. Times are small numbers: ns. */
#include "model/thread_state.h"

#include <stdlib.h>

#include "base/str.h"
#include "tap.h"

#define MAX 64

struct seen {
	int32_t tid;
	struct fw_interval iv;
	char waker[17];
};

struct fixture {
	struct fw_names *names;
	struct fw_health *health;
	struct fw_cpus cpus;
	struct fw_thread_states m;
	struct fw_thread_state t[3]; /* tids 10, 11, 12 */
	struct seen seen[MAX];
	int n;
};

static void emit(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct fixture *f = ctx;
	struct seen *s = &f->seen[f->n];

	if (f->n == MAX)
		abort();
	*s = (struct seen){ .tid = t->tid, .iv = *iv };
	snprintf(s->waker, sizeof(s->waker), "%.*s", FW_STR_ARG(iv->waker));
	f->n++;
}

static struct fixture *make(void)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->names = fw_names_new();
	f->health = fw_health_new();
	fw_thread_states_init(&f->m, &f->cpus, f->names, f->health);
	f->m.emit = emit;
	f->m.ctx = f;
	for (int i = 0; i < 3; i++)
		fw_thread_states_follow(&f->m, &f->t[i], 10 + i);
	return f;
}

static void unmake(struct fixture *f)
{
	fw_thread_states_free(&f->m);
	fw_cpus_free(&f->cpus);
	fw_health_free(f->health);
	fw_names_free(f->names);
	free(f);
}

static void sw(struct fixture *f, int64_t ts, int32_t cpu, int32_t prev, int64_t state,
	       int32_t next)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_SCHED_SWITCH, .cpu = cpu, .tid = prev };

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_state = state;
	fw_thread_states_feed(&f->m, &ev);
}

static void waking_as(struct fixture *f, int type, int64_t ts, int32_t tid, int32_t waker,
		      const char *comm)
{
	struct fw_event ev = { .ts = ts, .type = type, .cpu = 0, .tid = waker };

	ev.waking.tid = tid;
	ev.waking.common_flags = -1;
	ev.waking.waker_comm = fw_str(comm);
	fw_thread_states_feed(&f->m, &ev);
}

static void waking(struct fixture *f, int64_t ts, int32_t tid, int32_t waker)
{
	waking_as(f, FW_EV_SCHED_WAKING, ts, tid, waker, "waker");
}

static void blocked(struct fixture *f, int64_t ts, int32_t tid, int io_wait, const char *function)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_BLOCKED_REASON, .cpu = 0, .tid = 1 };

	ev.blocked.tid = tid;
	ev.blocked.has_io_wait = io_wait >= 0;
	ev.blocked.io_wait = io_wait > 0;
	ev.blocked.function = fw_str(function);
	fw_thread_states_feed(&f->m, &ev);
}

static void irq(struct fixture *f, int type, int64_t ts, int32_t cpu)
{
	struct fw_event ev = { .ts = ts, .type = type, .cpu = cpu };

	fw_cpus_feed(&f->cpus, &ev);
}

/* The i-th interval that was seen. */
static bool is(const struct fixture *f, int i, int32_t tid, enum fw_state state, int64_t start,
	       int64_t end, const char *what)
{
	const struct seen *s = &f->seen[i];
	bool held = i < f->n && s->tid == tid && s->iv.state == state && s->iv.start == start &&
		    s->iv.end == end;

	tap_ok(held, "%s", what);
	if (!held && i < f->n)
		diag("got tid %d %s [%" PRId64 ", %" PRId64 ")", s->tid, fw_state_name(s->iv.state),
		     s->iv.start, s->iv.end);
	else if (!held)
		diag("only %d intervals", f->n);
	return held;
}

static void plain_sleep(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	is_int(f->n, 0, "time before a thread's first event is nobody's");
	sw(f, 200, 0, 10, 1, 0);
	waking(f, 300, 10, 77);
	sw(f, 350, 1, 0, 0, 10);
	is(f, 0, 10, FW_STATE_RUNNING, 100, 200, "running between its switches");
	is_int(f->seen[0].iv.cpu, 0, "on its cpu");
	is(f, 1, 10, FW_STATE_SLEEPING, 200, 300, "sleeping until the wake");
	is_int(f->seen[1].iv.waker_tid, 77, "a sleep knows who ended it");
	is(f, 2, 10, FW_STATE_RUNNABLE, 300, 350, "runnable until it runs");
	is_int(f->seen[2].iv.waker_tid, 77, "woken by");
	is_str(f->seen[2].waker, "waker", "the waker's name");
	is_int(f->n, 3, "nothing else");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_race), 0, "no race");
	unmake(f);
}

static void wake_race(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	waking(f, 190, 10, 77); /* another cpu's waker sees it on its way out */
	sw(f, 200, 0, 10, 2, 0);
	sw(f, 250, 0, 0, 0, 10);
	is(f, 1, 10, FW_STATE_RUNNABLE, 200, 250, "race: runnable from the switch-out");
	ok(f->seen[1].iv.flags & FW_IVF_RACE, "and says so");
	is_int(f->seen[1].iv.wake_ts, 190, "the wake keeps its time");
	is_int(f->n, 2, "no sleep is left");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_race), 1, "the race is counted");
	unmake(f);

	f = make();
	sw(f, 100, 0, 0, 0, 10);
	waking(f, 190, 10, 77);
	sw(f, 200, 0, 10, 2, 0);
	waking(f, 230, 10, 78);
	sw(f, 250, 0, 0, 0, 10);
	is(f, 1, 10, FW_STATE_BLOCKED, 200, 230, "a spurious wake before is overwritten");
	is(f, 2, 10, FW_STATE_RUNNABLE, 230, 250, "the later wake counts");
	is_int(f->seen[2].iv.waker_tid, 78, "with its waker");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_spurious), 1, "the first was spurious");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_race), 0, "and no race");
	unmake(f);

	f = make();
	waking(f, 50, 10, 77);
	sw(f, 100, 0, 0, 0, 10);
	sw(f, 200, 0, 10, 1, 0);
	sw(f, 300, 0, 0, 0, 10);
	is(f, 2, 10, FW_STATE_SLEEPING, 200, 300,
	   "a wake older than the last switch-in is used up");
	ok(f->seen[2].iv.flags & FW_IVF_NO_WAKE, "the sleep says that its wake is missing");
	unmake(f);
}

static void preempted(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	sw(f, 200, 0, 10, 0, 11);
	waking(f, 220, 10, 77);
	sw(f, 300, 0, 11, 0x100, 10);
	sw(f, 400, 0, 10, 1, 11);
	is(f, 1, 11, FW_STATE_RUNNING, 200, 300, "the other one ran");
	is(f, 2, 10, FW_STATE_PREEMPTED, 200, 300,
	   "state 0 is preempted, a wake does not split it");
	ok(!(f->seen[2].iv.flags & FW_IVF_KERNEL_PREEMPT), "not inside the kernel");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_spurious), 1, "that wake is spurious");
	is(f, 4, 11, FW_STATE_PREEMPTED, 300, 400, "R+ is preempted");
	ok(f->seen[4].iv.flags & FW_IVF_KERNEL_PREEMPT, "inside the kernel");
	unmake(f);
}

static void blocked_reasons(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	sw(f, 200, 0, 10, 2, 0);
	waking(f, 300, 10, 77);
	blocked(f, 301, 10, 1, "submit_bio_wait");
	sw(f, 350, 0, 0, 0, 10);
	is(f, 1, 10, FW_STATE_BLOCKED, 200, 300, "blocked");
	is_int(f->seen[1].iv.io_wait, 1, "io_wait from the reason");
	ok(fw_str_eq(fw_names_str(f->names, f->seen[1].iv.function), FW_STR("submit_bio_wait")),
	   "and the function");
	sw(f, 400, 0, 10, 2, 0);
	waking(f, 500, 10, 77);
	sw(f, 550, 0, 0, 0, 10);
	is(f, 4, 10, FW_STATE_BLOCKED, 400, 500, "blocked again");
	is_int(f->seen[4].iv.io_wait, -1, "a reason belongs to one sleep only");
	is_int(f->seen[4].iv.function, 0, "without a name");
	waking(f, 590, 10, 77);
	blocked(f, 591, 10, 0, "rwsem_down_read_slowpath");
	sw(f, 600, 0, 10, 2, 0);
	fw_thread_state_cut(&f->m, &f->t[0], 640, emit, f);
	is(f, 7, 10, FW_STATE_RUNNABLE, 600, 640, "cut in a race: runnable");
	ok(f->seen[7].iv.flags & FW_IVF_CUT, "marked as cut");
	waking(f, 650, 10, 78);
	sw(f, 660, 0, 0, 0, 10);
	is(f, 8, 10, FW_STATE_BLOCKED, 600, 650, "blocked, its first wake was spurious");
	is_int(f->seen[8].iv.io_wait, -1, "the spurious wake's reason is not its");
	blocked(f, 700, 10, -1, NULL);
	sw(f, 710, 0, 10, 2, 0);
	blocked(f, 720, 10, -1, "folio_wait_bit_common");
	waking(f, 721, 10, 78);
	sw(f, 730, 0, 0, 0, 10);
	is_int(f->seen[11].iv.io_wait, -1, "io_wait that was not recorded is unknown");
	ok(f->seen[11].iv.function, "while the function is");
	unmake(f);
}

static void first_seen(void)
{
	struct fixture *f = make();

	waking(f, 100, 10, 77);
	sw(f, 150, 0, 0, 0, 10);
	is(f, 0, 10, FW_STATE_RUNNABLE, 100, 150, "first seen by its wake: runnable from there");
	sw(f, 160, 1, 11, 1, 0);
	is_int(f->n, 1, "first seen switched out: since when it ran is not known");
	waking(f, 170, 11, 77);
	sw(f, 180, 1, 0, 0, 11);
	is(f, 1, 11, FW_STATE_SLEEPING, 160, 170, "its sleep is known");
	unmake(f);
}

static void new_task(void)
{
	struct fixture *f = make();
	struct fw_event ev = { .ts = 100, .type = FW_EV_TASK_NEWTASK, .cpu = 0, .tid = 77 };

	ev.task.tid = 10;
	fw_thread_states_feed(&f->m, &ev);
	is(f, 0, 10, FW_STATE_DEAD, INT64_MIN, 100, "before it was made there was no thread");
	waking_as(f, FW_EV_SCHED_WAKEUP_NEW, 103, 10, 77, "maker");
	sw(f, 150, 0, 0, 0, 10);
	is(f, 1, 10, FW_STATE_RUNNABLE, 100, 150, "runnable since it was made");
	ok(f->seen[1].iv.flags & FW_IVF_NEW, "as a new task");
	sw(f, 200, 0, 10, 0x10, 0);
	ev.ts = 300;
	fw_thread_states_feed(&f->m, &ev);
	is(f, 3, 10, FW_STATE_DEAD, 200, 300, "dead until another gets its number");
	sw(f, 310, 0, 0, 0, 10);
	is(f, 4, 10, FW_STATE_RUNNABLE, 300, 310, "which begins anew");
	unmake(f);
}

static void wakeups(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	sw(f, 200, 0, 10, 1, 0);
	waking_as(f, FW_EV_SCHED_WAKEUP, 300, 10, 77, NULL);
	sw(f, 350, 0, 0, 0, 10);
	is(f, 2, 10, FW_STATE_RUNNABLE, 300, 350, "sched_wakeup serves where there is no waking");
	sw(f, 400, 0, 10, 1, 0);
	waking(f, 500, 10, 77);
	waking_as(f, FW_EV_SCHED_WAKEUP, 505, 10, 77, NULL);
	sw(f, 550, 0, 0, 0, 10);
	is(f, 5, 10, FW_STATE_RUNNABLE, 500, 550, "and says nothing new where there is");
	is_int(fw_health_sum(f->health, FW_H_fw_wake_spurious), 0, "not even a spurious wake");
	unmake(f);
}

static void gaps(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	sw(f, 200, 1, 0, 0, 10);
	is_int(f->n, 0, "running on two cpus: the time between is nobody's");
	is_int(fw_health_sum(f->health, FW_H_fw_state_gap), 1, "and counted");
	sw(f, 300, 1, 11, 1, 0);
	is_int(f->n, 0, "another one leaves its cpu: it left unseen");
	sw(f, 400, 2, 0, 0, 10);
	sw(f, 450, 2, 10, 1, 0);
	sw(f, 500, 2, 10, 1, 0);
	is(f, 0, 10, FW_STATE_RUNNING, 400, 450, "running");
	is_int(f->n, 1, "switched out twice: the time between is nobody's");
	waking(f, 550, 10, 77);
	sw(f, 560, 2, 0, 0, 10);
	is(f, 1, 10, FW_STATE_SLEEPING, 500, 550, "known again from its next event");
	unmake(f);

	f = make();
	sw(f, 100, 0, 0, 0, 10);
	sw(f, 100, 1, 0, 0, 11);
	sw(f, 120, 2, 12, 1, 0);
	fw_thread_states_lost(&f->m, 0, 150);
	is(f, 0, 10, FW_STATE_RUNNING, 100, 150, "lost events: known until they begin");
	is(f, 1, 12, FW_STATE_SLEEPING, 120, 150, "also of one that slept and may have run there");
	sw(f, 300, 1, 11, 1, 0);
	is(f, 2, 11, FW_STATE_RUNNING, 100, 300, "one that ran elsewhere was not there");
	waking(f, 310, 12, 77);
	sw(f, 320, 2, 0, 0, 12);
	is(f, 3, 12, FW_STATE_RUNNABLE, 310, 320, "unobserved until its next event");
	sw(f, 330, 0, 10, 1, 0);
	is_int(f->n, 4, "and so is the one that ran there");
	unmake(f);

	f = make();
	{
		struct fw_event ev = { .ts = 50,
				       .type = FW_EV_SCHED_SWITCH,
				       .flags = FW_EVF_EARLY };

		ev.sw.next_tid = 10;
		fw_thread_states_feed(&f->m, &ev);
	}
	sw(f, 100, 0, 10, 1, 0);
	is_int(f->n, 0, "an early event is no state");
	unmake(f);
}

static void states(void)
{
	static const struct {
		int64_t prev_state;
		enum fw_state want;
	} table[] = {
		{ 0, FW_STATE_PREEMPTED },     { 1, FW_STATE_SLEEPING },    { 2, FW_STATE_BLOCKED },
		{ 4, FW_STATE_STOPPED },       { 8, FW_STATE_STOPPED },	    { 0x10, FW_STATE_DEAD },
		{ 0x20, FW_STATE_DEAD },       { 0x40, FW_STATE_PARKED },   { 0x80, FW_STATE_IDLE },
		{ 0x100, FW_STATE_PREEMPTED }, { 0x800, FW_STATE_UNKNOWN },
	};
	struct fixture *f = make();

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int64_t ts = 1000 * (int64_t)i;

		f->n = 0;
		sw(f, ts, 0, 0, 0, 10);
		sw(f, ts + 100, 0, 10, table[i].prev_state, 0);
		f->n = 0;
		fw_thread_state_cut(&f->m, &f->t[0], ts + 200, emit, f);
		is_int(f->seen[0].iv.state, table[i].want, "prev_state 0x%x is %s",
		       (unsigned)table[i].prev_state, fw_state_name(table[i].want));
	}
	is_int(fw_health_sum(f->health, FW_H_task_state_invalid), 1,
	       "bits of no kernel are counted");
	unmake(f);
}

static void interrupts(void)
{
	struct fixture *f = make();

	irq(f, FW_EV_SOFTIRQ_ENTRY, 50, 0);
	sw(f, 100, 0, 0, 0, 10);
	irq(f, FW_EV_IRQ_ENTRY, 120, 0);
	irq(f, FW_EV_IRQ_ENTRY, 130, 0);
	irq(f, FW_EV_IRQ_EXIT, 140, 0);
	irq(f, FW_EV_IRQ_EXIT, 150, 0);
	irq(f, FW_EV_SOFTIRQ_EXIT, 160, 0);
	irq(f, FW_EV_IRQ_EXIT, 165, 0);
	irq(f, FW_EV_IRQ_ENTRY, 170, 1);
	sw(f, 200, 0, 10, 1, 0);
	is_int(f->seen[0].iv.irq.irq, 30, "nested interrupts count once");
	is_int(f->seen[0].iv.irq.softirq, 30, "soft ones without the hard ones in them");
	unmake(f);
}

static void captured(void)
{
	struct fixture *f = make();
	struct fw_event ev = { .ts = 200, .type = FW_EV_INTERVAL };

	ev.interval = (struct fw_ev_interval){ .tid = 10,
					       .state = FW_STATE_BLOCKED,
					       .start = 100,
					       .end = 200,
					       .cpu = -1,
					       .waker_tid = 5,
					       .io_wait = 1,
					       .irq_ns = -1,
					       .softirq_ns = -1,
					       .function = FW_STR("do_wait") };
	fw_thread_states_feed(&f->m, &ev);
	is(f, 0, 10, FW_STATE_BLOCKED, 100, 200, "a captured interval enters at the same place");
	is_int(f->seen[0].iv.io_wait, 1, "with what the recorder knew");
	ev.interval.start = 300;
	fw_thread_states_feed(&f->m, &ev);
	is_int(f->n, 1, "one that ends before it starts is none");
	unmake(f);
}

static void drop(void)
{
	struct fixture *f = make();

	sw(f, 100, 0, 0, 0, 10);
	fw_thread_states_drop(&f->m, &f->t[0]);
	sw(f, 200, 0, 10, 1, 11);
	sw(f, 300, 0, 11, 1, 0);
	is_int(f->n, 1, "a thread that is no longer followed emits nothing");
	is(f, 0, 11, FW_STATE_RUNNING, 200, 300, "the others go on");
	fw_thread_states_follow(&f->m, &f->t[0], INT32_MAX);
	sw(f, 400, 0, 0, 0, INT32_MAX);
	sw(f, 500, 0, INT32_MAX, 1, 0);
	is(f, 1, INT32_MAX, FW_STATE_RUNNING, 400, 500, "tids beyond the kernel's are found too");
	unmake(f);
}

int main(void)
{
	plain_sleep();
	wake_race();
	preempted();
	blocked_reasons();
	first_seen();
	new_task();
	wakeups();
	gaps();
	states();
	interrupts();
	captured();
	drop();
	return done_testing();
}
