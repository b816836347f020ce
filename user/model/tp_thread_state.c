// SPDX-License-Identifier: GPL-2.0-or-later
/* tp_thread_state - states of threads as trace_processor has them */
#include "model/tp_thread_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "input/event.h"
#include "model/tasks.h"

/*
 * The newest row, and the row that a blocked reason would change: the last one that blocked since
 * the thread ran, which is the newest itself or one before it.
 */
struct fw_tp_thread {
	bool has_last, last_blocked, has_blocked;
	struct fw_tp_state last, blocked;
};

static const char running[] = "Running";

static bool is_running(const struct fw_tp_state *r)
{
	return !strcmp(r->state, running);
}

/* "R+" counts as blocked, and so does a state that nobody knows. */
static bool is_blocked(const struct fw_tp_state *r)
{
	return strcmp(r->state, "R") && !is_running(r);
}

static struct fw_tp_thread *thread(struct fw_tp_states *s, uint32_t utid)
{
	uint32_t n = s->n_threads;

	if (utid >= n) {
		while (n <= utid)
			n = n ? n * 2 : 64;
		s->threads = fw_realloc(s->threads, n, sizeof(*s->threads));
		memset(s->threads + s->n_threads, 0, (n - s->n_threads) * sizeof(*s->threads));
		s->n_threads = n;
	}
	return &s->threads[utid];
}

static struct fw_tp_thread *known(const struct fw_tp_states *s, uint32_t utid)
{
	return utid < s->n_threads && s->threads[utid].has_last ? &s->threads[utid] : NULL;
}

static void flush_blocked(struct fw_tp_states *s, struct fw_tp_thread *t)
{
	if (t->has_blocked)
		s->done(s->ctx, &t->blocked);
	t->has_blocked = false;
}

static void retire_last(struct fw_tp_states *s, struct fw_tp_thread *t)
{
	if (!t->has_last)
		return;
	if (t->last_blocked) {
		flush_blocked(s, t);
		t->blocked = t->last;
		t->has_blocked = true;
	} else {
		s->done(s->ctx, &t->last);
	}
	t->has_last = false;
}

static void close_last(struct fw_tp_states *s, int64_t ts, uint32_t utid)
{
	struct fw_tp_thread *t = known(s, utid);

	if (t && __builtin_sub_overflow(ts, t->last.ts, &t->last.dur))
		t->last.dur = INT64_MAX;
}

static void set_state(struct fw_tp_state *r, struct fw_str state)
{
	size_t len = FW_MIN(state.len, sizeof(r->state) - 1);

	memset(r->state, 0, sizeof(r->state));
	if (len)
		memcpy(r->state, state.p, len);
}

static struct fw_tp_state *open_row(struct fw_tp_states *s, int64_t ts, uint32_t utid,
				    struct fw_str state)
{
	struct fw_tp_thread *t;

	if (utid == FW_SWAPPER || utid == FW_NO_TASK)
		return NULL;
	t = thread(s, utid);
	retire_last(s, t);
	t->last = (struct fw_tp_state){
		.ts = ts,
		.dur = FW_TP_OPEN,
		.seq = s->seq++,
		.utid = utid,
		.waker = FW_NO_TASK,
		.cpu = -1,
		.io_wait = -1,
		.irq_context = -1,
	};
	set_state(&t->last, state);
	t->has_last = true;
	t->last_blocked = is_blocked(&t->last);
	if (t->last_blocked || is_running(&t->last))
		flush_blocked(s, t);
	return &t->last;
}

void fw_tp_states_switch(struct fw_tp_states *s, int64_t ts, int32_t cpu, uint32_t prev,
			 struct fw_str state, uint32_t next)
{
	struct fw_tp_thread *t = known(s, prev);
	struct fw_tp_state *row;

	/* It was not seen to run: what it did until now is not known, and its row stays open. */
	if (!t || is_running(&t->last))
		close_last(s, ts, prev);
	open_row(s, ts, prev, state);
	close_last(s, ts, next);
	row = open_row(s, ts, next, FW_STR("Running"));
	if (row)
		row->cpu = cpu;
}

void fw_tp_states_waking(struct fw_tp_states *s, int64_t ts, uint32_t wakee, uint32_t waker,
			 int32_t common_flags)
{
	struct fw_tp_thread *t = known(s, wakee);
	struct fw_tp_state *row;

	if (t && !is_blocked(&t->last))
		return;
	close_last(s, ts, wakee);
	row = open_row(s, ts, wakee, FW_STR("R"));
	if (!row)
		return;
	row->waker = waker;
	if (common_flags >= 0)
		row->irq_context = (common_flags & FW_COMMON_FLAGS_IRQ) != 0;
}

void fw_tp_states_newtask(struct fw_tp_states *s, int64_t ts, uint32_t utid, uint32_t source)
{
	struct fw_tp_state *row = open_row(s, ts, utid, FW_STR("R"));

	if (!row)
		return;
	row->waker = source;
	row->irq_context = 0;
}

void fw_tp_states_blocked(struct fw_tp_states *s, uint32_t utid, int io_wait, uint32_t function)
{
	struct fw_tp_thread *t = known(s, utid);
	struct fw_tp_state *row;

	if (!t || (!t->last_blocked && !t->has_blocked))
		return;
	row = t->last_blocked ? &t->last : &t->blocked;
	if (io_wait >= 0)
		row->io_wait = (int8_t)io_wait;
	if (function)
		row->function = function;
}

void fw_tp_states_enter(struct fw_tp_states *s, int64_t ts, uint32_t utid, struct fw_str state,
			int32_t cpu)
{
	struct fw_tp_state *row;

	close_last(s, ts, utid);
	row = open_row(s, ts, utid, state);
	if (row)
		row->cpu = cpu;
}

void fw_tp_states_amend(struct fw_tp_states *s, uint32_t utid, struct fw_str state)
{
	struct fw_tp_thread *t = known(s, utid);

	if (t)
		set_state(&t->last, state);
}

const char *fw_tp_states_last(const struct fw_tp_states *s, uint32_t utid)
{
	const struct fw_tp_thread *t = known(s, utid);

	return t ? t->last.state : "";
}

void fw_tp_states_finish(struct fw_tp_states *s)
{
	uint32_t i;

	for (i = 0; i < s->n_threads; i++) {
		flush_blocked(s, &s->threads[i]);
		if (s->threads[i].has_last)
			s->done(s->ctx, &s->threads[i].last);
	}
	free(s->threads);
	s->threads = NULL;
	s->n_threads = 0;
}
