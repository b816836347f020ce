// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/thread_state.h"

#include <stdlib.h>

#include "base/mem.h"
#include "framewait/record.h"

#define SAME(name) ((int)FW_STATE_##name == (int)FW_RS_##name)
_Static_assert(SAME(UNKNOWN) && SAME(RUNNING) && SAME(RUNNABLE) && SAME(PREEMPTED) &&
		       SAME(SLEEPING) && SAME(BLOCKED) && SAME(STOPPED) && SAME(IDLE) &&
		       SAME(PARKED) && SAME(DEAD),
	       "a capture's intervals carry the recorder's numbers");

enum phase {
	UNSEEN, /* nothing is known up to the next event */
	RUNNING,
	OFF, /* switched out */
	WOKEN, /* first seen by its wake, or new */
	CAPTURED, /* its intervals come closed */
};

static const char *const state_names[FW_STATES] = {
	"unknown", "running", "runnable", "preempted", "sleeping",
	"blocked", "stopped", "idle",	  "parked",    "dead",
};

const char *fw_state_name(enum fw_state s)
{
	return (unsigned)s < FW_STATES ? state_names[s] : "unknown";
}

void fw_thread_states_init(struct fw_thread_states *m, const struct fw_cpus *cpus,
			   struct fw_names *names, struct fw_health *health)
{
	*m = (struct fw_thread_states){
		.cpus = cpus, .names = names, .health = health, .layout = FW_TASK_STATE_4_14
	};
}

void fw_thread_states_free(struct fw_thread_states *m)
{
	fw_tid_table_free(&m->tids);
	free(m->threads);
	free(m->on_cpu);
}

void fw_thread_states_follow(struct fw_thread_states *m, struct fw_thread_state *t, int32_t tid)
{
	*t = (struct fw_thread_state){
		.tid = tid,
		.cpu = -1,
		.in_ts = INT64_MIN,
		.out_ts = INT64_MIN,
		.wake_ts = INT64_MIN,
		.reason_ts = INT64_MIN,
		.listed_ts = INT64_MAX,
		.waker_tid = -1,
		.index = m->n,
	};
	fw_grow(m->threads, m->n, m->cap);
	m->threads[m->n++] = t;
	fw_tid_table_set(&m->tids, tid, t);
}

static void leave_cpu(struct fw_thread_states *m, const struct fw_thread_state *t)
{
	if ((uint32_t)t->cpu < (uint32_t)m->n_cpus && m->on_cpu[t->cpu] == t)
		m->on_cpu[t->cpu] = NULL;
}

void fw_thread_states_drop(struct fw_thread_states *m, struct fw_thread_state *t)
{
	leave_cpu(m, t);
	if (fw_tid_table_get(&m->tids, t->tid) == t)
		fw_tid_table_set(&m->tids, t->tid, NULL);
	m->threads[t->index] = m->threads[--m->n];
	m->threads[t->index]->index = t->index;
}

int32_t fw_thread_state_cpu(const struct fw_thread_state *t)
{
	return t->phase == RUNNING ? t->cpu : -1;
}

struct out {
	void (*emit)(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv);
	void *ctx;
	uint8_t flags;
};

static void put(const struct out *o, struct fw_thread_state *t, struct fw_interval *iv)
{
	iv->flags |= o->flags;
	o->emit(o->ctx, t, iv);
}

static bool sleeps(const struct fw_thread_state *t)
{
	return t->out_state != FW_STATE_PREEMPTED;
}

/* Did the last wake end the sleep that began at out_ts? */
static bool wake_fits(const struct fw_thread_state *t)
{
	return t->wake_open && t->wake_ts >= t->in_ts;
}

static void put_running(const struct fw_thread_states *m, const struct out *o,
			struct fw_thread_state *t, int64_t end)
{
	struct fw_irq_time now = fw_cpus_irq(m->cpus, t->cpu, end);
	struct fw_interval iv = {
		.start = t->in_ts,
		.end = end,
		.state = FW_STATE_RUNNING,
		.io_wait = -1,
		.cpu = t->cpu,
		.waker_tid = -1,
		.irq_start = t->irq_in,
		.irq = { now.irq - t->irq_in.irq, now.softirq - t->irq_in.softirq },
	};

	put(o, t, &iv);
}

static void put_runnable(const struct out *o, struct fw_thread_state *t, int64_t start, int64_t end)
{
	struct fw_interval iv = {
		.start = start,
		.end = end,
		.state = FW_STATE_RUNNABLE,
		.flags = (t->wake_ts < start ? FW_IVF_RACE : 0) | (t->born ? FW_IVF_NEW : 0) |
			 (t->irq_wake ? FW_IVF_IRQ_WAKE : 0),
		.io_wait = -1,
		.cpu = -1,
		.waker_tid = t->waker_tid,
		.wake_ts = t->wake_ts,
		.waker = t->waker_len ? (struct fw_str){ t->waker, t->waker_len } : FW_STR_NONE,
	};

	put(o, t, &iv);
}

static void put_off(const struct out *o, struct fw_thread_state *t, int64_t end, bool woken)
{
	/* In a race the reason stands before the switch-out too, right after its wake. */
	bool race = wake_fits(t) && t->wake_ts < t->out_ts;
	bool reason =
		t->out_state == FW_STATE_BLOCKED && t->reason_ts >= (race ? t->wake_ts : t->out_ts);
	struct fw_interval iv = {
		.start = t->out_ts,
		.end = end,
		.state = t->out_state,
		.io_wait = reason ? t->io_wait : -1,
		.cpu = -1,
		.function = reason ? t->function : 0,
		.waker_tid = -1,
	};

	if (t->out_state == FW_STATE_PREEMPTED && t->kernel_preempt)
		iv.flags |= FW_IVF_KERNEL_PREEMPT;
	if (woken) {
		iv.flags |= t->irq_wake ? FW_IVF_IRQ_WAKE : 0;
		iv.waker_tid = t->waker_tid;
		iv.wake_ts = t->wake_ts;
		if (t->waker_len)
			iv.waker = (struct fw_str){ t->waker, t->waker_len };
	}
	put(o, t, &iv);
}

/* The time since the last closed interval, as far as it is known, up to @end. */
static void put_open(const struct fw_thread_states *m, const struct out *o,
		     struct fw_thread_state *t, int64_t end)
{
	int64_t woken;

	switch (t->phase) {
	case RUNNING:
		if (end > t->in_ts)
			put_running(m, o, t, end);
		return;
	case WOKEN:
		if (end >= t->wake_ts)
			put_runnable(o, t, t->wake_ts, end);
		return;
	case OFF:
		if (end <= t->out_ts)
			return;
		woken = FW_MAX(t->wake_ts, t->out_ts);
		if (!sleeps(t) || !wake_fits(t) || woken > end) {
			put_off(o, t, end, false);
			return;
		}
		if (woken > t->out_ts)
			put_off(o, t, woken, true);
		put_runnable(o, t, woken, end);
		return;
	}
}

void fw_thread_state_cut(const struct fw_thread_states *m, struct fw_thread_state *t, int64_t until,
			 void (*emit)(void *ctx, struct fw_thread_state *t,
				      const struct fw_interval *iv),
			 void *ctx)
{
	struct out o = { emit, ctx, FW_IVF_CUT };

	put_open(m, &o, t, until);
}

/* Switched in at @ts: what was off the CPU is closed. */
static void close_off(struct fw_thread_states *m, struct fw_thread_state *t, int64_t ts)
{
	struct out o = { m->emit, m->ctx, 0 };

	if (t->phase == OFF && sleeps(t) && wake_fits(t)) {
		if (t->wake_ts < t->out_ts)
			fw_health_add(m->health, FW_H_fw_wake_race, FW_HEALTH_NO_IDX, 1);
	} else if (t->phase == OFF) {
		if (t->wake_open)
			fw_health_add(m->health, FW_H_fw_wake_spurious, FW_HEALTH_NO_IDX, 1);
		if (sleeps(t) && t->out_state != FW_STATE_DEAD)
			o.flags = FW_IVF_NO_WAKE;
	}
	put_open(m, &o, t, ts);
}

/* It is not where it was thought to be: what was open is nobody's time. */
static void gap(struct fw_thread_states *m, struct fw_thread_state *t)
{
	fw_health_add(m->health, FW_H_fw_state_gap, FW_HEALTH_NO_IDX, 1);
	leave_cpu(m, t);
	t->phase = UNSEEN;
	t->wake_open = false;
}

static enum fw_state decode(struct fw_thread_states *m, int64_t prev_state, bool *kernel_preempt)
{
	struct fw_task_state s;

	*kernel_preempt = false;
	if (prev_state == 0)
		return FW_STATE_PREEMPTED;
	if (prev_state == 1)
		return FW_STATE_SLEEPING;
	if (prev_state == 2)
		return FW_STATE_BLOCKED;
	fw_task_state_decode(m->layout, prev_state, &s);
	if (!s.valid) {
		fw_health_add(m->health, FW_H_task_state_invalid, FW_HEALTH_NO_IDX, 1);
		return FW_STATE_UNKNOWN;
	}
	*kernel_preempt = s.preempted;
	if (s.preempted)
		return FW_STATE_PREEMPTED;
	switch (s.letters[0]) {
	case 'R':
		return FW_STATE_PREEMPTED;
	case 'S':
		return FW_STATE_SLEEPING;
	case 'D':
		return FW_STATE_BLOCKED;
	case 'T':
	case 't':
		return FW_STATE_STOPPED;
	case 'X':
	case 'Z':
	case 'x':
		return FW_STATE_DEAD;
	case 'P':
		return FW_STATE_PARKED;
	case 'I':
		return FW_STATE_IDLE;
	default:
		return FW_STATE_UNKNOWN;
	}
}

static void switch_out(struct fw_thread_states *m, struct fw_thread_state *t,
		       const struct fw_event *ev)
{
	struct out o = { m->emit, m->ctx, 0 };

	if (t->phase == RUNNING && t->cpu == ev->cpu)
		put_running(m, &o, t, ev->ts);
	else if (t->phase == RUNNING || t->phase == OFF)
		gap(m, t);
	leave_cpu(m, t);
	t->out_state = decode(m, ev->sw.prev_state, &t->kernel_preempt);
	t->out_ts = ev->ts;
	t->phase = OFF;
	t->cpu = -1;
}

static void switch_in(struct fw_thread_states *m, struct fw_thread_state *t,
		      const struct fw_event *ev)
{
	if (t->phase == RUNNING)
		gap(m, t);
	else
		close_off(m, t, ev->ts);
	t->phase = RUNNING;
	t->cpu = ev->cpu;
	t->in_ts = ev->ts;
	t->wake_open = false;
	t->born = false;
	t->irq_in = fw_cpus_irq(m->cpus, ev->cpu, ev->ts);
	if ((uint32_t)ev->cpu < (uint32_t)m->n_cpus)
		m->on_cpu[ev->cpu] = t;
}

static void see_cpu(struct fw_thread_states *m, int32_t cpu)
{
	if (cpu < 0 || cpu >= FW_CPUS_MAX || cpu < m->n_cpus)
		return;
	m->on_cpu = fw_realloc(m->on_cpu, (size_t)cpu + 1, sizeof(*m->on_cpu));
	for (int32_t i = m->n_cpus; i <= cpu; i++)
		m->on_cpu[i] = NULL;
	m->n_cpus = cpu + 1;
}

static void feed_switch(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *prev = fw_thread_states_find(m, ev->sw.prev_tid);
	struct fw_thread_state *next = fw_thread_states_find(m, ev->sw.next_tid);
	struct fw_thread_state *was;

	if (ev->cpu >= m->n_cpus)
		see_cpu(m, ev->cpu);
	was = (uint32_t)ev->cpu < (uint32_t)m->n_cpus ? m->on_cpu[ev->cpu] : NULL;
	/* Someone else leaves the CPU: the switch-out of the one we knew was lost. */
	if (was && was != prev)
		gap(m, was);
	if (prev)
		switch_out(m, prev, ev);
	if (next)
		switch_in(m, next, ev);
}

static void set_wake(struct fw_thread_state *t, int64_t ts, int32_t waker, struct fw_str comm)
{
	t->wake_ts = ts;
	t->waker_tid = waker;
	t->waker_len = (uint8_t)FW_MIN(comm.len, sizeof(t->waker));
	if (t->waker_len)
		memcpy(t->waker, comm.p, t->waker_len);
	t->wake_open = true;
	t->irq_wake = false;
}

static void feed_waking(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *t = fw_thread_states_find(m, ev->waking.tid);

	if (!t)
		return;
	if (t->wake_open)
		fw_health_add(m->health, FW_H_fw_wake_spurious, FW_HEALTH_NO_IDX, 1);
	/* A new thread waits since it was made. */
	if (t->phase == WOKEN && t->born)
		return;
	set_wake(t, ev->ts, ev->tid, ev->waking.waker_comm);
	t->irq_wake =
		ev->waking.common_flags > 0 && (ev->waking.common_flags & FW_COMMON_FLAGS_IRQ);
	if (t->phase == UNSEEN)
		t->phase = WOKEN;
}

static void feed_wakeup_new(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *t = fw_thread_states_find(m, ev->waking.tid);

	if (!t || t->phase != UNSEEN)
		return;
	set_wake(t, ev->ts, ev->tid, ev->waking.waker_comm);
	t->born = true;
	t->phase = WOKEN;
}

static void feed_newtask(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *t = fw_thread_states_find(m, ev->task.tid);
	struct fw_interval before = { .start = INT64_MIN,
				      .end = ev->ts,
				      .state = FW_STATE_DEAD,
				      .io_wait = -1,
				      .cpu = -1,
				      .waker_tid = -1 };

	if (!t)
		return;
	if (t->phase == OFF && t->out_state == FW_STATE_DEAD)
		close_off(m, t, ev->ts);
	else if (t->phase == RUNNING || t->phase == OFF)
		gap(m, t);
	else if (t->phase == UNSEEN && t->out_ts == INT64_MIN && t->listed_ts >= ev->ts)
		m->emit(m->ctx, t, &before);
	leave_cpu(m, t);
	t->in_ts = t->out_ts = t->reason_ts = INT64_MIN;
	set_wake(t, ev->ts, ev->tid, FW_STR_NONE);
	t->born = true;
	t->phase = WOKEN;
}

/* The kernel frees a thread that has ended; only the next thread of its number runs again. */
static void feed_free(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *t = fw_thread_states_find(m, ev->task.tid);

	if (!t || t->phase == CAPTURED || (t->phase == OFF && t->out_state == FW_STATE_DEAD))
		return;
	/* The memory may be freed when the number is another's already. */
	if (t->phase == WOKEN && t->born)
		return;
	if (t->phase != UNSEEN)
		gap(m, t);
	t->out_state = FW_STATE_DEAD;
	t->out_ts = ev->ts;
	t->phase = OFF;
	t->cpu = -1;
}

static void feed_blocked(struct fw_thread_states *m, const struct fw_event *ev)
{
	struct fw_thread_state *t = fw_thread_states_find(m, ev->blocked.tid);

	if (!t)
		return;
	t->reason_ts = ev->ts;
	t->io_wait = ev->blocked.has_io_wait ? ev->blocked.io_wait : -1;
	t->function = fw_names_id(m->names, ev->blocked.function);
}

static void feed_interval(struct fw_thread_states *m, const struct fw_event *ev)
{
	const struct fw_ev_interval *e = &ev->interval;
	struct fw_thread_state *t = fw_thread_states_find(m, e->tid);
	struct fw_interval iv = {
		.start = e->start,
		.end = e->end,
		.state = (uint32_t)e->state < FW_STATES ? (uint8_t)e->state : FW_STATE_UNKNOWN,
		.flags = (uint16_t)(e->flags | FW_IVF_CAPTURED | (e->irq_ns >= 0 ? FW_IVF_IRQ : 0)),
		.io_wait = (int8_t)e->io_wait,
		.cpu = e->cpu,
		.waker_tid = e->waker_tid,
		.wake_ts = e->start,
	};

	if (!t || e->end < e->start)
		return;
	iv.function = fw_names_id(m->names, e->function);
	iv.irq.irq = e->irq_ns > 0 ? (uint64_t)e->irq_ns : 0;
	iv.irq.softirq = e->softirq_ns > 0 ? (uint64_t)e->softirq_ns : 0;
	t->phase = CAPTURED;
	m->emit(m->ctx, t, &iv);
}

void fw_thread_states_feed(struct fw_thread_states *m, const struct fw_event *ev)
{
	/* Before every CPU's stream has begun, a state would be a guess. */
	if (ev->flags & FW_EVF_EARLY)
		return;
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		feed_switch(m, ev);
		return;
	case FW_EV_SCHED_WAKING:
		m->have_waking = true;
		feed_waking(m, ev);
		return;
	case FW_EV_SCHED_WAKEUP:
		if (!m->have_waking)
			feed_waking(m, ev);
		return;
	case FW_EV_SCHED_WAKEUP_NEW:
		feed_wakeup_new(m, ev);
		return;
	case FW_EV_TASK_NEWTASK:
		feed_newtask(m, ev);
		return;
	case FW_EV_PROCESS_FREE:
		feed_free(m, ev);
		return;
	case FW_EV_BLOCKED_REASON:
		feed_blocked(m, ev);
		return;
	case FW_EV_INTERVAL:
		feed_interval(m, ev);
		return;
	}
}

void fw_thread_states_lost(struct fw_thread_states *m, int32_t cpu, int64_t start)
{
	struct out o = { m->emit, m->ctx, 0 };

	for (uint32_t i = 0; i < m->n; i++) {
		struct fw_thread_state *t = m->threads[i];

		/* Who ran elsewhere all the time was not on this CPU. */
		if ((t->phase == RUNNING && cpu >= 0 && t->cpu != cpu && t->in_ts <= start) ||
		    t->phase == CAPTURED)
			continue;
		put_open(m, &o, t, start);
		leave_cpu(m, t);
		t->phase = UNSEEN;
		t->wake_open = false;
	}
}
