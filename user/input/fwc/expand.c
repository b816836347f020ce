// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of a capture as events. A record tells of several moments (a sleep, its wake, its end),
 * so each becomes one or more items that a sorter puts in order of time.
 *
 * Scheduling comes in one of two forms. For the state machine: closed intervals, which stand at
 * their end. For tables in trace_processor's terms: the sched_switch, sched_waking and
 * sched_blocked_reason events that the intervals came from; who is no target is thread 0 there.
 */
#include <string.h>

#include "base/mem.h"
#include "input/fwc/fwc.h"

/* Of one capture; a damaged one could ask for any number. */
#define MAX_PIECES 2000000u

/* In the state of a tail: it was not over yet. No bit that a recorder writes. */
#define TAIL 0x80000000u

static bool wanted(const struct fwc *f, unsigned int type)
{
	return f->wants >> type & 1;
}

static int add(struct fwc *f, struct fwc_item it, const void *payload, size_t len)
{
	return it.ts > INT64_MAX ? 0 : fwc_put(f, it, payload, len);
}

static int add_piece(struct fwc *f, const struct fwc_interval *iv, int32_t cpu)
{
	struct fwc_item it = { .ts = iv->end, .type = FW_EV_INTERVAL, .cpu = cpu, .tid = iv->tid };

	return add(f, it, iv, sizeof(*iv));
}

/* Only what nobody was told of it yet; false when that is nothing. */
static bool go_on(struct fwc *f, struct fwc_interval *iv)
{
	struct fwc_tail *t = fwc_tail(f, (uint32_t)iv->tid);

	if (iv->start < t->frontier) {
		iv->start = t->frontier;
		iv->iv_flags |= FW_IVF_CONTINUED;
		/* Interrupt time is known of the whole only. */
		iv->irq_ns = iv->softirq_ns = -1;
	}
	return iv->end > iv->start;
}

/* Whoever cannot wait for the end of a long sleep gets it in pieces; the last one has the wake. */
static int add_interval(struct fwc *f, const struct fwc_interval *whole, int32_t cpu)
{
	struct fwc_interval iv = *whole;
	int err = 0;

	if (iv.end <= iv.start || iv.end > INT64_MAX)
		return 0;
	if (f->interest && !fw_interest_has(f->interest, iv.tid))
		return 0;
	if (f->stream && !go_on(f, &iv))
		return 0;
	/* Interrupt time is known of the whole only, so that what runs stays whole. */
	while (!err && f->piece_ns && iv.state != FW_RS_RUNNING &&
	       iv.end - iv.start > f->piece_ns && f->pieces < MAX_PIECES) {
		struct fwc_interval piece = iv;

		f->pieces++;
		piece.end = iv.start + f->piece_ns;
		piece.waker = -1;
		piece.iv_flags = 0;
		err = add_piece(f, &piece, cpu);
		iv.start = piece.end;
	}
	return err ? err : add_piece(f, &iv, cpu);
}

static int add_switch(struct fwc *f, uint64_t ts, uint32_t cpu, uint32_t prev, uint32_t state,
		      uint32_t next)
{
	struct fwc_item it = {
		.ts = ts, .type = FW_EV_SCHED_SWITCH, .cpu = (int32_t)cpu, .tid = (int32_t)prev
	};
	struct fwc_switch sw = { .prev_tid = (int32_t)prev,
				 .next_tid = (int32_t)next,
				 .prev_state = state };

	if (!wanted(f, FW_EV_SCHED_SWITCH))
		return 0;
	return add(f, it, &sw, sizeof(sw));
}

static int ran_interval(struct fwc *f, const struct fw_ran *r, uint64_t ts, uint32_t cpu)
{
	struct fwc_interval iv = {
		.tid = (int32_t)r->tid,
		.state = FW_RS_RUNNING,
		.start = r->start,
		.end = ts,
		.waker = -1,
		.io_wait = -1,
		.irq_ns = f->have_irq ? (int64_t)r->irq_ns : -1,
		.softirq_ns = f->have_irq ? (int64_t)r->softirq_ns : -1,
	};

	return add_interval(f, &iv, (int32_t)cpu);
}

/* The part until the wake, or all of it. */
static int off_interval(struct fwc *f, const struct fw_waited *w, uint64_t end)
{
	uint32_t state = w->state & FW_RS_MASK;
	struct fwc_interval iv = {
		.tid = (int32_t)w->tid,
		.state = (int32_t)state,
		.start = w->start,
		.end = end,
		.waker = -1,
		.io_wait = state == FW_RS_BLOCKED ? fwc_io_wait(w->state) : -1,
		.irq_ns = -1,
		.softirq_ns = -1,
		.wchan = w->wchan,
	};

	if (w->state & FW_RSF_KERNEL_PREEMPT)
		iv.iv_flags |= FW_IVF_KERNEL_PREEMPT;
	if (w->state & FW_RSF_NO_WAKE)
		iv.iv_flags |= FW_IVF_NO_WAKE;
	if (w->state & TAIL && !w->wake)
		iv.iv_flags |= FW_IVF_CUT;
	if (w->wake) {
		iv.waker = (int32_t)w->waker;
		iv.iv_flags |= w->state & FW_RSF_WAKER_IRQ ? FW_IVF_IRQ_WAKE : 0;
	}
	return add_interval(f, &iv, -1);
}

static int runnable_interval(struct fwc *f, const struct fw_waited *w, uint64_t end)
{
	struct fwc_interval iv = {
		.tid = (int32_t)w->tid,
		.state = FW_RS_RUNNABLE,
		.start = w->wake,
		.end = end,
		.waker = (int32_t)w->waker,
		.io_wait = -1,
		.irq_ns = -1,
		.softirq_ns = -1,
	};

	if (w->state & FW_RSF_WAKE_RACE)
		iv.iv_flags |= FW_IVF_RACE;
	if (w->state & FW_RSF_WAKER_IRQ)
		iv.iv_flags |= FW_IVF_IRQ_WAKE;
	if ((w->state & FW_RS_MASK) == FW_RS_NEW)
		iv.iv_flags |= FW_IVF_NEW;
	if (w->state & TAIL)
		iv.iv_flags |= FW_IVF_CUT;
	return add_interval(f, &iv, -1);
}

static int waited_intervals(struct fwc *f, const struct fw_waited *w, uint64_t ts)
{
	int err = 0;

	if (!w->wake)
		return off_interval(f, w, ts);
	if ((w->state & FW_RS_MASK) != FW_RS_NEW)
		err = off_interval(f, w, w->wake);
	return err ? err : runnable_interval(f, w, ts);
}

/* The wake of a sleep, and right after it why it slept. */
static int add_wake(struct fwc *f, const struct fw_waited *w)
{
	uint32_t state = w->state & FW_RS_MASK;
	struct fwc_item it = {
		.ts = w->wake,
		.type = state == FW_RS_NEW ? FW_EV_SCHED_WAKEUP_NEW : FW_EV_SCHED_WAKING,
		.cpu = (int32_t)w->waker_cpu,
		.tid = (int32_t)w->waker,
	};
	int err = 0;

	if (!w->wake)
		return 0;
	if (wanted(f, it.type))
		err = add(f, it, w, sizeof(*w));
	if (err || state != FW_RS_BLOCKED || !wanted(f, FW_EV_BLOCKED_REASON))
		return err;
	it.type = FW_EV_BLOCKED_REASON;
	return add(f, it, w, sizeof(*w));
}

static int expand_sched(struct fwc *f, const struct fw_rec *r, const struct fw_waited *w,
			const struct fw_ran *ran)
{
	int err = 0;

	if (f->sched == FWC_SCHED_INTERVALS) {
		if (w)
			err = waited_intervals(f, w, r->ts);
		if (!err && ran)
			err = ran_interval(f, ran, r->ts, r->cpu);
	} else if (f->sched == FWC_SCHED_EVENTS) {
		if (w)
			err = add_wake(f, w);
		if (!err)
			err = add_switch(f, r->ts, r->cpu, ran ? ran->tid : 0,
					 ran ? ran->state : FW_RS_PREEMPTED, w ? w->tid : 0);
	}
	return err;
}

static int expand_task(struct fwc *f, const struct fw_rec_task *t)
{
	struct fwc_item it = { .ts = t->rec.ts,
			       .cpu = (int32_t)t->rec.cpu,
			       .tid = (int32_t)t->tid };
	int err = 0;

	switch (t->op) {
	case FW_TASK_SEEN:
	case FW_TASK_EXEC:
	case FW_TASK_RENAME:
		/* As the tree tells it: a capture's renames are newer than the names before. */
		it.type = FW_EV_TREE_PROCESS;
		if (wanted(f, it.type) && (t->op != FW_TASK_RENAME || t->tid == t->tgid))
			err = add(f, it, t, sizeof(*t));
		it.type = FW_EV_TREE_THREAD;
		break;
	case FW_TASK_FORK:
		it.type = FW_EV_TASK_NEWTASK;
		it.tid = (int32_t)t->parent_tid;
		break;
	case FW_TASK_EXIT:
		it.type = FW_EV_PROCESS_EXIT;
		break;
	default:
		return 0;
	}
	return !err && wanted(f, it.type) ? add(f, it, t, sizeof(*t)) : err;
}

static int expand_irq(struct fwc *f, const struct fw_rec_irq *r)
{
	bool hard = r->kind == FW_IRQ_HARD;
	struct fwc_item it = {
		.ts = r->start,
		.type = hard ? FW_EV_IRQ_ENTRY : FW_EV_SOFTIRQ_ENTRY,
		.cpu = (int32_t)r->rec.cpu,
		.tid = (int32_t)r->tid,
	};
	int err = 0;

	if (wanted(f, it.type))
		err = add(f, it, r, sizeof(*r));
	it.ts = r->rec.ts;
	it.type = hard ? FW_EV_IRQ_EXIT : FW_EV_SOFTIRQ_EXIT;
	return !err && wanted(f, it.type) ? add(f, it, r, sizeof(*r)) : err;
}

/* A dead thread's number may be used again from here on. */
static int expand_death(struct fwc *f, const struct fw_rec *r, const struct fw_ran *ran)
{
	struct fwc_item it = { .ts = r->ts, .type = FW_EV_PROCESS_FREE, .cpu = (int32_t)r->cpu };
	struct fw_rec_task t = { .tid = ran->tid };

	it.tid = (int32_t)ran->tid;
	if ((ran->state & FW_RS_MASK) != FW_RS_DEAD || !wanted(f, it.type))
		return 0;
	return add(f, it, &t, sizeof(t));
}

static int expand_plain(struct fwc *f, const struct fw_rec *r, unsigned int type, uint32_t tid)
{
	struct fwc_item it = {
		.ts = r->ts, .type = type, .cpu = (int32_t)r->cpu, .tid = (int32_t)tid
	};

	return wanted(f, type) ? add(f, it, r, r->size) : 0;
}

int fwc_expand(struct fwc *f, const struct fw_rec *r)
{
	const struct fw_rec_switch *sw = (const void *)r;
	const struct fw_ran *ran = &((const struct fw_rec_ran *)r)->ran;
	int err;

	switch (r->type) {
	case FW_REC_RAN:
		err = expand_sched(f, r, NULL, ran);
		return err ? err : expand_death(f, r, ran);
	case FW_REC_WAITED:
		return expand_sched(f, r, &sw->waited, NULL);
	case FW_REC_SWITCH:
		err = expand_sched(f, r, &sw->waited, &sw->ran);
		return err ? err : expand_death(f, r, &sw->ran);
	case FW_REC_TASK:
		return expand_task(f, (const struct fw_rec_task *)r);
	case FW_REC_IRQ:
		return expand_irq(f, (const struct fw_rec_irq *)r);
	case FW_REC_FREQ:
		return expand_plain(f, r,
				    ((const struct fw_rec_freq *)r)->kind == FW_FREQ_GPU
					    ? FW_EV_GPU_FREQUENCY
					    : FW_EV_CPU_FREQUENCY,
				    -1);
	case FW_REC_FENCE:
		return expand_plain(f, r, FW_EV_DMA_FENCE, ((const struct fw_rec_fence *)r)->tid);
	case FW_REC_FENCE_POLL:
		return expand_plain(f, r, FW_EV_FENCE_POLL,
				    ((const struct fw_rec_fence_poll *)r)->tid);
	case FW_REC_FENCE_MEMBER:
		return expand_plain(f, r, FW_EV_FENCE_MEMBER, -1);
	case FW_REC_GPU_MEM:
		return expand_plain(f, r, FW_EV_GPU_MEM_TOTAL, -1);
	case FW_REC_MARK:
		return expand_plain(f, r, FW_EV_MARK, ((const struct fw_rec_text *)r)->tid);
	case FW_REC_COMM:
		return expand_plain(f, r, FW_EV_TASK_RENAME, ((const struct fw_rec_text *)r)->tid);
	case FW_REC_LOSS:
		return expand_plain(f, r, FW_EV_LOST, -1);
	}
	return 0;
}

static int expand_tail(struct fwc *f, const struct fwc_tail *t)
{
	struct fw_waited w = t->open.waited;
	uint64_t end = FW_MAX(t->open.rec.ts, f->last_check);
	struct fwc_interval running = {
		.tid = (int32_t)w.tid,
		.state = FW_RS_RUNNING,
		.start = w.start,
		.end = end,
		.waker = -1,
		.io_wait = -1,
		.iv_flags = FW_IVF_CUT,
		.irq_ns = -1,
		.softirq_ns = -1,
	};

	/* What a later record closed is no tail. */
	if (!t->have || w.start < t->closed)
		return 0;
	if (f->sched == FWC_SCHED_EVENTS)
		return w.wake ? add_wake(f, &w) : 0;
	if ((w.state & FW_RS_MASK) == FW_RS_RUNNING)
		return add_interval(f, &running, (int32_t)w.waker_cpu);
	w.state |= TAIL;
	return waited_intervals(f, &w, end);
}

int fwc_expand_open(struct fwc *f, struct fwc_tail *t, uint64_t check)
{
	struct fw_waited w = t->open.waited;
	struct fwc_interval running = {
		.tid = (int32_t)w.tid,
		.state = FW_RS_RUNNING,
		.start = w.start,
		.end = check,
		.waker = -1,
		.io_wait = -1,
		.irq_ns = -1,
		.softirq_ns = -1,
	};
	int err;

	if (w.wake >= check)
		w.wake = 0;
	w.state &= ~FW_RSF_NO_WAKE;
	err = (w.state & FW_RS_MASK) == FW_RS_RUNNING
		      ? add_interval(f, &running, (int32_t)w.waker_cpu)
		      : waited_intervals(f, &w, check);
	t->frontier = FW_MAX(t->frontier, check);
	return err;
}

int fwc_expand_tails(struct fwc *f)
{
	int err = 0;

	if (f->sched == FWC_SCHED_NONE)
		return 0;
	for (size_t i = 0; i < f->n_tails && !err; i++)
		err = expand_tail(f, &f->tails[i]);
	return err;
}
