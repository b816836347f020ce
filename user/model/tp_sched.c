// SPDX-License-Identifier: GPL-2.0-or-later
/* tp_sched - scheduling as trace_processor reads it */
#include "model/tp_sched.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_CPUS 65536
/* More than this many threads do not wait for their end state. */
#define HELD_MAX 1024

/**
 * struct fw_tp_cpu - what runs on a CPU
 * @last_utid, @last_tid: of the last switch; FW_NO_TASK before the first one
 * @running: the slice of it, while @has_slice
 */
struct fw_tp_cpu {
	bool has_slice;
	uint32_t last_utid;
	int32_t last_tid;
	struct fw_sched_slice running;
};

static struct fw_tp_cpu *cpu_of(struct fw_tp_sched *s, int32_t cpu)
{
	uint32_t n = s->n_cpus, want = cpu < 0 || cpu >= MAX_CPUS ? 0 : (uint32_t)cpu;

	if (want >= n) {
		while (n <= want)
			n = n ? n * 2 : 16;
		s->cpus = fw_realloc(s->cpus, n, sizeof(*s->cpus));
		for (; s->n_cpus < n; s->n_cpus++)
			s->cpus[s->n_cpus] = (struct fw_tp_cpu){ .last_utid = FW_NO_TASK };
	}
	return &s->cpus[want];
}

static void pass_state(void *ctx, const struct fw_tp_state *row)
{
	const struct fw_tp_sched *s = ctx;

	if (s->state)
		s->state(s->ctx, row);
}

void fw_tp_sched_init(struct fw_tp_sched *s, struct fw_tasks *tasks, struct fw_names *names,
		      struct fw_health *health, const struct fw_recording *rec)
{
	memset(s, 0, sizeof(*s));
	s->tasks = tasks;
	s->names = names;
	s->health = health;
	s->rec = rec;
	s->layout = fw_task_state_layout(rec->sysname, rec->kernel);
	s->states.done = pass_state;
	s->states.ctx = s;
}

static void hand_on(struct fw_tp_sched *s, const struct fw_sched_slice *slice)
{
	if (s->slice)
		s->slice(s->ctx, slice);
}

static void set_end_state(struct fw_sched_slice *slice, struct fw_str state)
{
	size_t len = FW_MIN(state.len, sizeof(slice->end_state) - 1);

	memset(slice->end_state, 0, sizeof(slice->end_state));
	if (len)
		memcpy(slice->end_state, state.p, len);
}

static int64_t since(int64_t ts, int64_t start)
{
	int64_t dur;

	return __builtin_sub_overflow(ts, start, &dur) ? INT64_MAX : dur;
}

static void start_slice(struct fw_tp_sched *s, struct fw_tp_cpu *c, const struct fw_event *ev,
			uint32_t utid, int32_t tid, int32_t prio)
{
	c->running = (struct fw_sched_slice){
		.ts = ev->ts,
		.dur = FW_TP_OPEN,
		.seq = s->seq++,
		.utid = utid,
		.cpu = ev->cpu,
		.prio = prio,
	};
	c->has_slice = true;
	c->last_utid = utid;
	c->last_tid = tid;
}

static struct fw_str prev_state(struct fw_tp_sched *s, const struct fw_event *ev, char buf[4])
{
	struct fw_str state = fw_task_state_text(s->layout, ev->sw.prev_state, buf);

	if (!state.p)
		fw_health_add(s->health, FW_H_task_state_invalid, FW_HEALTH_NO_IDX, 1);
	return state;
}

static void end_slice(struct fw_tp_sched *s, struct fw_tp_cpu *c, int64_t ts, struct fw_str state)
{
	c->running.dur = since(ts, c->running.ts);
	set_end_state(&c->running, state);
	hand_on(s, &c->running);
	c->has_slice = false;
}

static void feed_switch(struct fw_tp_sched *s, const struct fw_event *ev)
{
	struct fw_tp_cpu *c = cpu_of(s, ev->cpu);
	const struct fw_ev_switch *sw = &ev->sw;
	uint32_t prev, next;
	struct fw_str state;
	char buf[4];

	if (ev->flags & FW_EVF_EARLY)
		return;
	next = fw_tasks_comm(s->tasks, sw->next_tid, sw->next_comm);
	state = prev_state(s, ev, buf);
	if (c->has_slice && sw->prev_tid == c->last_tid) {
		end_slice(s, c, ev->ts, state);
	} else if (c->has_slice) {
		fw_health_add(s->health, FW_H_mismatched_sched_switch_tids, FW_HEALTH_NO_IDX, 1);
		hand_on(s, &c->running);
	}
	prev = fw_tasks_comm(s->tasks, sw->prev_tid, sw->prev_comm);
	start_slice(s, c, ev, next, sw->next_tid, sw->next_prio);
	fw_tp_states_switch(&s->states, ev->ts, ev->cpu, prev, state, next);
}

/* A compact switch does not say who ran before: that is who the last one of this CPU let run. */
static void feed_compact_switch(struct fw_tp_sched *s, const struct fw_event *ev)
{
	struct fw_tp_cpu *c = cpu_of(s, ev->cpu);
	const struct fw_ev_switch *sw = &ev->sw;
	uint32_t prev = c->last_utid, next;
	struct fw_str state;
	char buf[4];

	next = fw_tasks_comm(s->tasks, sw->next_tid, sw->next_comm);
	if (prev == FW_NO_TASK) {
		fw_health_add(s->health, FW_H_compact_sched_switch_skipped, FW_HEALTH_NO_IDX, 1);
		c->last_utid = next;
		c->last_tid = sw->next_tid;
		return;
	}
	state = prev_state(s, ev, buf);
	if (c->has_slice)
		end_slice(s, c, ev->ts, state);
	if (ev->flags & FW_EVF_EARLY) {
		c->last_utid = next;
		c->last_tid = sw->next_tid;
		return;
	}
	start_slice(s, c, ev, next, sw->next_tid, sw->next_prio);
	fw_tp_states_switch(&s->states, ev->ts, ev->cpu, prev, state, next);
}

static void feed_waking(struct fw_tp_sched *s, const struct fw_event *ev)
{
	uint32_t wakee, waker;

	if (ev->flags & FW_EVF_COMPACT) {
		waker = cpu_of(s, ev->cpu)->last_utid;
		if (waker == FW_NO_TASK)
			fw_health_add(s->health, FW_H_compact_sched_waking_skipped,
				      FW_HEALTH_NO_IDX, 1);
		if (waker == FW_NO_TASK || ev->flags & FW_EVF_EARLY)
			return;
		wakee = fw_tasks_thread(s->tasks, ev->waking.tid);
		fw_tp_states_waking(&s->states, ev->ts, wakee, waker,
				    FW_MAX(ev->waking.common_flags, 0));
		return;
	}
	waker = ev->tid != -1 ? fw_tasks_thread(s->tasks, ev->tid) : FW_NO_TASK;
	if (ev->flags & FW_EVF_EARLY)
		return;
	wakee = fw_tasks_comm(s->tasks, ev->waking.tid, ev->waking.comm);
	fw_tp_states_waking(&s->states, ev->ts, wakee, waker, -1);
}

static void feed_newtask(struct fw_tp_sched *s, const struct fw_event *ev)
{
	uint32_t source, utid;

	if (ev->flags & FW_EVF_EARLY || ev->task.tid == 0)
		return;
	utid = fw_tasks_find_thread(s->tasks, ev->task.tid);
	source = ev->tid != -1 ? fw_tasks_find_thread(s->tasks, ev->tid) : FW_NO_TASK;
	fw_tp_states_newtask(&s->states, ev->ts, utid, source);
}

static void feed_blocked(struct fw_tp_sched *s, const struct fw_event *ev)
{
	uint32_t utid;

	if (ev->flags & FW_EVF_EARLY)
		return;
	utid = fw_tasks_thread(s->tasks, ev->blocked.tid);
	fw_tp_states_blocked(&s->states, utid, ev->blocked.has_io_wait ? ev->blocked.io_wait : -1,
			     fw_names_id(s->names, ev->blocked.function));
}

/* States of GenericKernelTaskStateEvent. */
enum {
	GENERIC_CREATED = 1,
	GENERIC_RUNNING = 3,
	GENERIC_DESTROYED = 8,
};

static const char *const generic_states[] = {
	"Unknown", "Created", "R", "Running", "S", "D", "T", "Z", "X",
};

/* The thread that a generic event is about; FW_NO_TASK where the order makes no sense. */
static uint32_t generic_thread(struct fw_tp_sched *s, const struct fw_ev_generic_task *g)
{
	uint32_t utid = fw_tasks_find_thread(s->tasks, g->tid);
	const char *last;

	if (g->state == GENERIC_CREATED)
		return utid == FW_NO_TASK ? fw_tasks_start(s->tasks, g->tid) : FW_NO_TASK;
	if (utid == FW_NO_TASK)
		return fw_tasks_thread(s->tasks, g->tid);
	if (g->state == GENERIC_DESTROYED)
		return utid;
	last = fw_tp_states_last(&s->states, utid);
	if (!strcmp(last, "Z") || (g->state == GENERIC_RUNNING && !strcmp(last, "Running")))
		return FW_NO_TASK;
	return utid;
}

static struct fw_sched_slice *find_held(struct fw_tp_sched *s, uint32_t utid)
{
	uint32_t i;

	for (i = 0; i < s->n_held; i++) {
		if (s->held[i].utid == utid)
			return &s->held[i];
	}
	return NULL;
}

/* The slice ended because another thread began: its end state comes in an event of its own. */
static void hold(struct fw_tp_sched *s, const struct fw_sched_slice *slice)
{
	struct fw_sched_slice *old = find_held(s, slice->utid);

	if (old) {
		hand_on(s, old);
		*old = *slice;
		return;
	}
	if (s->n_held >= HELD_MAX)
		hand_on(s, &s->held[--s->n_held]);
	fw_grow(s->held, s->n_held, s->held_cap);
	s->held[s->n_held++] = *slice;
}

static bool end_held(struct fw_tp_sched *s, uint32_t utid, int64_t ts, struct fw_str state)
{
	struct fw_sched_slice *slice = find_held(s, utid);

	if (!slice || slice->ts + slice->dur != ts)
		return false;
	set_end_state(slice, state);
	hand_on(s, slice);
	*slice = s->held[--s->n_held];
	return true;
}

static void generic_running(struct fw_tp_sched *s, const struct fw_event *ev, uint32_t utid)
{
	struct fw_tp_cpu *c = cpu_of(s, ev->cpu);

	if (c->has_slice) {
		c->running.dur = since(ev->ts, c->running.ts);
		hold(s, &c->running);
		fw_tp_states_enter(&s->states, ev->ts, c->last_utid, FW_STR_NONE, -1);
	}
	start_slice(s, c, ev, utid, ev->generic.tid, ev->generic.prio);
	fw_tp_states_enter(&s->states, ev->ts, utid, FW_STR("Running"), ev->cpu);
}

static void feed_generic(struct fw_tp_sched *s, const struct fw_event *ev)
{
	const struct fw_ev_generic_task *g = &ev->generic;
	struct fw_tp_cpu *c = cpu_of(s, ev->cpu);
	struct fw_str state;
	uint32_t utid;

	if (g->state <= 0 || g->state >= (int32_t)ARRAY_SIZE(generic_states)) {
		fw_health_add(s->health, FW_H_task_state_invalid, FW_HEALTH_NO_IDX, 1);
		return;
	}
	utid = generic_thread(s, g);
	if (utid == FW_NO_TASK)
		return;
	fw_tasks_feed(s->tasks, ev);
	if (g->state == GENERIC_DESTROYED)
		fw_tasks_end(s->tasks, g->tid);
	if (g->state == GENERIC_RUNNING) {
		generic_running(s, ev, utid);
		return;
	}
	state = fw_str(generic_states[g->state]);
	if (c->has_slice && g->tid == c->last_tid) {
		end_slice(s, c, ev->ts, state);
		c->last_utid = FW_NO_TASK;
	} else if (end_held(s, utid, ev->ts, state)) {
		fw_tp_states_amend(&s->states, utid, state);
		return;
	}
	fw_tp_states_enter(&s->states, ev->ts, utid, state, -1);
}

void fw_tp_sched_feed(struct fw_tp_sched *s, const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		if (ev->flags & FW_EVF_COMPACT)
			feed_compact_switch(s, ev);
		else
			feed_switch(s, ev);
		break;
	case FW_EV_SCHED_WAKING:
		feed_waking(s, ev);
		break;
	case FW_EV_TASK_NEWTASK:
		feed_newtask(s, ev);
		break;
	case FW_EV_BLOCKED_REASON:
		feed_blocked(s, ev);
		break;
	case FW_EV_GENERIC_TASK:
		feed_generic(s, ev);
		break;
	default:
		break;
	}
}

void fw_tp_sched_finish(struct fw_tp_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->n_cpus; i++) {
		if (s->cpus[i].has_slice)
			hand_on(s, &s->cpus[i].running);
	}
	for (i = 0; i < s->n_held; i++)
		hand_on(s, &s->held[i]);
	fw_tp_states_finish(&s->states);
	free(s->cpus);
	free(s->held);
	s->cpus = NULL;
	s->held = NULL;
	s->n_cpus = s->n_held = s->held_cap = 0;
}
