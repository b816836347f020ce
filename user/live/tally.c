// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "live/tally.h"

#define WCHANS 8

struct thread {
	struct fw_tally_row row;
	/* what it is in now */
	uint32_t state;
	uint64_t since, wake, wchan;
	bool gone;
	uint32_t *waits; /* ns, cut at 4 s */
	size_t n_waits, waits_cap;
	struct {
		uint64_t addr, ns;
	} wchans[WCHANS];
};

struct fw_tally {
	struct fw_map tids; /* -> index + 1 */
	struct thread *threads;
	size_t n, cap;
	uint64_t from, to; /* the span; UINT64_MAX as long as it goes on */
	uint8_t *later; /* records of the next span */
	size_t n_later, later_cap;
};

struct fw_tally *fw_tally_new(void)
{
	struct fw_tally *t = fw_zalloc(sizeof(*t));

	t->to = UINT64_MAX;
	return t;
}

void fw_tally_free(struct fw_tally *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		free(t->threads[i].waits);
	free(t->threads);
	free(t->later);
	fw_map_free(&t->tids);
	free(t);
}

void fw_tally_begin(struct fw_tally *t, uint64_t from)
{
	t->from = from;
}

void fw_tally_end(struct fw_tally *t, uint64_t to)
{
	t->to = to;
}

static struct thread *thread_of(struct fw_tally *t, uint32_t tid)
{
	uint64_t *slot = fw_map_slot(&t->tids, tid);

	if (!*slot) {
		fw_grow(t->threads, t->n, t->cap);
		t->threads[t->n++] = (struct thread){ .row.tid = tid };
		*slot = t->n;
	}
	return &t->threads[*slot - 1];
}

/* Where the longest sleeps are; the shortest of a full table makes room. */
static void add_wchan(struct thread *th, uint64_t addr, uint64_t ns)
{
	int least = 0;

	if (!addr)
		return;
	for (int i = 0; i < WCHANS; i++) {
		if (th->wchans[i].addr == addr) {
			th->wchans[i].ns += ns;
			return;
		}
		if (th->wchans[i].ns < th->wchans[least].ns)
			least = i;
	}
	if (th->wchans[least].ns < ns) {
		th->wchans[least].addr = addr;
		th->wchans[least].ns = ns;
	}
}

static void add_state(struct thread *th, uint32_t state, uint64_t ns, uint64_t wchan)
{
	struct fw_tally_row *r = &th->row;

	switch (state & FW_RS_MASK) {
	case FW_RS_RUNNING:
		r->running += ns;
		return;
	case FW_RS_RUNNABLE:
		r->runnable += ns;
		return;
	case FW_RS_PREEMPTED:
		r->preempted += ns;
		return;
	case FW_RS_SLEEPING:
		r->sleeping += ns;
		add_wchan(th, wchan, ns);
		return;
	case FW_RS_BLOCKED:
		r->blocked += ns;
		if (state & FW_RSF_IO_WAIT)
			r->blocked_io += ns;
		add_wchan(th, wchan, ns);
		return;
	}
	r->other += ns;
}

/* [start, end) as far as it lies in the span at hand. */
static void add_span(const struct fw_tally *t, struct thread *th, uint32_t state, uint64_t start,
		     uint64_t end, uint64_t wchan)
{
	if (start < t->from)
		start = t->from;
	if (end > start)
		add_state(th, state, end - start, wchan);
}

static void add_off(const struct fw_tally *t, struct thread *th, const struct fw_waited *w,
		    uint64_t end)
{
	if ((w->state & FW_RS_MASK) != FW_RS_NEW)
		add_span(t, th, w->state, w->start, w->wake ? w->wake : end, w->wchan);
	if (w->wake)
		add_span(t, th, FW_RS_RUNNABLE, w->wake, end, 0);
}

/* What it is in from @ts on, unless something later is known: each CPU's records come by themselves. */
static void enter(struct thread *th, uint32_t state, uint64_t ts)
{
	if (ts <= th->since)
		return;
	th->state = state;
	th->since = ts;
	th->wake = th->wchan = 0;
}

static void on_waited(struct fw_tally *t, const struct fw_waited *w, uint64_t ts)
{
	struct thread *th = thread_of(t, w->tid);

	add_off(t, th, w, ts);
	th->row.switches++;
	if (w->wake) {
		uint64_t ns = ts - w->wake;

		fw_grow(th->waits, th->n_waits, th->waits_cap);
		th->waits[th->n_waits++] = ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
		if (ns > th->row.runnable_max)
			th->row.runnable_max = ns;
	}
	enter(th, FW_RS_RUNNING, ts);
}

static void on_ran(struct fw_tally *t, const struct fw_ran *r, uint64_t ts)
{
	struct thread *th = thread_of(t, r->tid);

	add_span(t, th, FW_RS_RUNNING, r->start, ts, 0);
	th->row.irq += r->irq_ns + r->softirq_ns;
	enter(th, r->state, ts);
	if ((r->state & FW_RS_MASK) == FW_RS_DEAD && ts >= th->since)
		th->gone = true;
}

static void on_task(struct fw_tally *t, const struct fw_rec_task *r)
{
	struct thread *th = thread_of(t, r->tid);

	th->row.tgid = r->tgid;
	memcpy(th->row.comm, r->comm, sizeof(th->row.comm));
	if (r->op == FW_TASK_FORK && r->rec.ts > th->since) {
		th->gone = false;
		th->since = 0;
	}
}

/* @w began in this span or before and goes on: its wake is known. */
static void on_open(struct fw_tally *t, const struct fw_waited *w)
{
	struct thread *th = thread_of(t, w->tid);

	if (w->start < th->since)
		return;
	th->state = w->state;
	th->since = w->start;
	th->wake = w->wake;
	th->wchan = w->wchan;
}

static void keep(struct fw_tally *t, const struct fw_rec *r)
{
	if (t->n_later + r->size > t->later_cap) {
		t->later_cap = (t->n_later + r->size) * 2;
		t->later = fw_realloc(t->later, t->later_cap, 1);
	}
	memcpy(t->later + t->n_later, r, r->size);
	t->n_later += r->size;
}

void fw_tally_add(struct fw_tally *t, const struct fw_rec *r)
{
	const struct fw_rec_switch *sw = (const void *)r;
	const struct fw_rec_open *open = (const void *)r;

	if (r->ts > t->to && (r->type != FW_REC_OPEN || open->waited.start > t->to)) {
		keep(t, r);
		return;
	}
	switch (r->type) {
	case FW_REC_RAN:
		on_ran(t, &((const struct fw_rec_ran *)r)->ran, r->ts);
		break;
	case FW_REC_WAITED:
		on_waited(t, &sw->waited, r->ts);
		break;
	case FW_REC_SWITCH:
		on_waited(t, &sw->waited, r->ts);
		on_ran(t, &sw->ran, r->ts);
		break;
	case FW_REC_TASK:
		on_task(t, (const struct fw_rec_task *)r);
		break;
	case FW_REC_OPEN:
		on_open(t, &open->waited);
		break;
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Nearest rank. */
static uint64_t percentile(const uint32_t *sorted, size_t n, unsigned int p)
{
	size_t rank = (n * p + 99) / 100;

	return n ? sorted[rank ? rank - 1 : 0] : 0;
}

static void finish(const struct fw_tally *t, struct thread *th)
{
	struct fw_waited w = {
		.state = th->state,
		.start = th->since,
		.wake = th->wake < t->to ? th->wake : 0,
		.wchan = th->wchan,
	};
	int top = 0;

	if (th->since && !th->gone)
		add_off(t, th, &w, t->to);
	if (th->n_waits)
		qsort(th->waits, th->n_waits, sizeof(*th->waits), by_value);
	th->row.waits = th->n_waits;
	th->row.runnable_p50 = percentile(th->waits, th->n_waits, 50);
	th->row.runnable_p99 = percentile(th->waits, th->n_waits, 99);
	for (int i = 1; i < WCHANS; i++) {
		if (th->wchans[i].ns > th->wchans[top].ns)
			top = i;
	}
	th->row.wchan = th->wchans[top].addr;
	th->row.wchan_ns = th->wchans[top].ns;
}

static void begin_anew(struct thread *th)
{
	struct fw_tally_row keep = { .tid = th->row.tid, .tgid = th->row.tgid };

	memcpy(keep.comm, th->row.comm, sizeof(keep.comm));
	th->row = keep;
	th->n_waits = 0;
	memset(th->wchans, 0, sizeof(th->wchans));
}

/* Threads that died make room, so that thousands of short ones do not pile up. */
static void forget_dead(struct fw_tally *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct thread *th = &t->threads[i];

		if (th->gone) {
			free(th->waits);
			fw_map_del(&t->tids, th->row.tid);
			continue;
		}
		t->threads[kept] = *th;
		fw_map_set(&t->tids, th->row.tid, ++kept);
	}
	t->n = kept;
}

static void add_later(struct fw_tally *t)
{
	const struct fw_rec *r;

	for (size_t at = 0; at < t->n_later; at += r->size) {
		r = (const void *)(t->later + at);
		fw_tally_add(t, r);
	}
	t->n_later = 0;
}

size_t fw_tally_take(struct fw_tally *t, struct fw_tally_row **out)
{
	struct fw_tally_row *rows = fw_calloc(t->n + 1, sizeof(*rows));
	size_t n = t->n;

	for (size_t i = 0; i < n; i++) {
		finish(t, &t->threads[i]);
		rows[i] = t->threads[i].row;
		begin_anew(&t->threads[i]);
	}
	forget_dead(t);
	t->from = t->to;
	t->to = UINT64_MAX;
	add_later(t);
	*out = rows;
	return n;
}
