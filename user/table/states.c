// SPDX-License-Identifier: GPL-2.0-or-later
/* states - states of threads for the tables, trace_processor's or framewait's */
#include "table/states.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/thread_state.h"

/**
 * struct fw_states - what a run that reads states keeps
 * @at: the event at hand; NULL at the end
 * @flagged: the recording says where wakings come from
 * @last: at the end: the newest part of a thread's open time, which is not known to end
 */
struct fw_states {
	fw_state_fn row;
	struct fw_cpus cpus;
	struct fw_thread_states machine;
	struct fw_interest *interest;
	const struct fw_event *at;
	bool flagged;
	uint64_t seq;
	bool has_last;
	struct fw_state_row last;
};

static void pass_tp_state(void *ctx, const struct fw_tp_state *s)
{
	struct fw_table_run *r = ctx;
	const struct fw_thread *threads = r->model->tasks->threads;
	struct fw_state_row row = {
		.ts = s->ts,
		.dur = s->dur,
		.seq = s->seq,
		.who = s->utid,
		.tid = threads[s->utid].tid,
		.word = s->state[0] ? fw_str(s->state) : FW_STR_NONE,
		.waker = s->waker == FW_NO_TASK ? -1 : (int64_t)(uint32_t)threads[s->waker].tid,
		.cpu = s->cpu,
		.io_wait = s->io_wait,
		.irq_context = s->irq_context,
		.function = s->function,
	};

	r->states->row(r, &row);
}

static struct fw_state_row of_interval(struct fw_states *st, const struct fw_thread_state *t,
				       const struct fw_interval *iv)
{
	struct fw_state_row row = {
		.ts = iv->start,
		.dur = iv->end - iv->start,
		.seq = st->seq++,
		.who = (uint32_t)t->tid,
		.tid = t->tid,
		.waker = -1,
		.cpu = iv->cpu,
		.io_wait = iv->io_wait,
		.irq_context = -1,
		.function = iv->function,
		.closed_by = st->at,
	};

	if (iv->state != FW_STATE_UNKNOWN)
		row.word = fw_str(fw_state_name(iv->state));
	if (iv->state != FW_STATE_RUNNABLE)
		return row;
	row.waker = iv->waker_tid == -1 ? -1 : (int64_t)(uint32_t)iv->waker_tid;
	if (iv->flags & FW_IVF_IRQ_WAKE)
		row.irq_context = 1;
	else if (st->flagged && !(iv->flags & FW_IVF_NEW))
		row.irq_context = 0;
	return row;
}

static void pass_interval(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct fw_table_run *r = ctx;
	struct fw_state_row row;

	/* Before a thread was made there was none. */
	if (iv->start == INT64_MIN)
		return;
	row = of_interval(r->states, t, iv);
	r->states->row(r, &row);
}

/* Of the parts of a thread's open time only the last one is still open. */
static void pass_open(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct fw_table_run *r = ctx;
	struct fw_states *st = r->states;

	if (st->has_last)
		r->states->row(r, &st->last);
	st->last = of_interval(st, t, iv);
	st->has_last = true;
}

static void follow(struct fw_states *st, int32_t tid)
{
	struct fw_thread_state *t;

	if (tid == 0 || tid == -1 || fw_thread_states_find(&st->machine, tid))
		return;
	t = fw_zalloc(sizeof(*t));
	fw_thread_states_follow(&st->machine, t, tid);
}

static void feed(void *ctx, const struct fw_event *ev)
{
	struct fw_table_run *r = ctx;
	struct fw_states *st = r->states;

	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		follow(st, ev->sw.prev_tid);
		follow(st, ev->sw.next_tid);
		break;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		follow(st, ev->waking.tid);
		st->flagged |= ev->waking.common_flags >= 0;
		break;
	case FW_EV_TASK_NEWTASK:
		follow(st, ev->task.tid);
		break;
	case FW_EV_INTERVAL:
		follow(st, ev->interval.tid);
		break;
	case FW_EV_LOST:
		fw_thread_states_lost(&st->machine, ev->cpu, ev->lost.since);
		return;
	default:
		break;
	}
	st->at = ev;
	fw_thread_states_feed(&st->machine, ev);
}

static void finish(struct fw_table_run *r)
{
	struct fw_states *st = r->states;
	uint32_t i;

	st->at = NULL;
	for (i = 0; i < st->machine.n; i++) {
		st->has_last = false;
		fw_thread_state_cut(&st->machine, st->machine.threads[i], INT64_MAX, pass_open, r);
		if (!st->has_last)
			continue;
		st->last.dur = FW_TP_OPEN;
		st->row(r, &st->last);
	}
}

static void drop_machine(struct fw_states *st)
{
	uint32_t i;

	for (i = 0; i < st->machine.n; i++)
		free(st->machine.threads[i]);
	fw_thread_states_free(&st->machine);
	fw_cpus_free(&st->cpus);
	fw_interest_free(st->interest);
}

static int read_own(struct fw_table_run *r, struct fw_tp_listeners *to)
{
	const struct fw_recording *rec = fw_input_recording(r->in);
	struct fw_states *st = r->states;
	int err;

	to->event = feed;
	r->wants = FW_WANT(FW_EV_SCHED_WAKEUP) | FW_WANT(FW_EV_SCHED_WAKEUP_NEW) |
		   FW_WANT(FW_EV_INTERVAL) | FW_WANT(FW_EV_LOST);
	fw_table_model(r, to);
	fw_thread_states_init(&st->machine, &st->cpus, r->model->names, r->health);
	st->machine.layout = fw_task_state_layout(rec->sysname, rec->kernel);
	st->machine.emit = pass_interval;
	st->machine.ctx = r;
	st->interest = fw_interest_all();
	r->interest = st->interest;
	err = fw_table_read(r, to);
	if (!err)
		finish(r);
	drop_machine(st);
	r->interest = NULL;
	return err ? err : r->err;
}

int fw_states_read(struct fw_table_run *r, struct fw_tp_listeners to, fw_state_fn row)
{
	struct fw_states st = { .row = row };
	int err;

	r->states = &st;
	to.ctx = r;
	if (r->tp_compat) {
		to.state = pass_tp_state;
		err = fw_table_read(r, &to);
	} else {
		err = read_own(r, &to);
	}
	r->states = NULL;
	return err;
}
