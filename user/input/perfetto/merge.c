// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * merge - pass two: the events of all bundles and packets in time order
 *
 * Every open bundle has a cursor for each kind of event; a heap holds the cursors by (time, rank,
 * arrival). A bundle is read and decoded when the merge reaches its first event.
 *
 * With a filter, the compact events of a bundle that concern nobody of interest are left out when
 * it is opened, by one pass over two arrays: they never see the heap. That needs to know who ran
 * on the cpu before each event, which is certain as long as the bundles of a cpu follow each other
 * in time. Where they do not (no recorder writes such, but a damaged file may hold it), the bundles
 * concerned are merged whole and filtered when their events come out ("late").
 */
#include "input/perfetto/run.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"

static bool before(const struct pf_cursor *a, const struct pf_cursor *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->arrival < b->arrival;
}

static void sift_down(struct pf_merge *m, size_t i)
{
	struct pf_cursor *h = m->heap, moving = h[i];
	size_t n = m->n_heap, child;

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(&h[child + 1], &h[child]))
			child++;
		if (!before(&h[child], &moving))
			break;
		h[i] = h[child];
	}
	h[i] = moving;
}

static void push(struct pf_merge *m, struct pf_cursor c)
{
	size_t i;

	fw_grow(m->heap, m->n_heap, m->heap_cap);
	for (i = m->n_heap++; i > 0 && before(&c, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
		m->heap[i] = m->heap[(i - 1) / 2];
	m->heap[i] = c;
}

static void drop(struct pf_merge *m, size_t i)
{
	struct pf_cursor *h = m->heap, moved = h[--m->n_heap];

	if (i == m->n_heap)
		return;
	for (; i > 0 && before(&moved, &h[(i - 1) / 2]); i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = moved;
	sift_down(m, i);
}

/*
 * Which cursor is next. trace_sorter.cc takes from a queue as long as no other one has an earlier
 * event: at equal times the queue goes on that came last, and only then the one of lowest rank.
 */
static size_t pick(const struct pf_merge *m)
{
	const struct pf_cursor *top = &m->heap[0], *c;
	size_t i, best = 0;

	if (!m->tp_order || top->rank == m->last_rank ||
	    (m->last_next != top->ts && m->last_next != INT64_MIN))
		return 0;
	for (i = 1; i < m->n_heap; i++) {
		c = &m->heap[i];
		if (c->ts == top->ts && c->rank == m->last_rank && c->kind != PF_CURSOR_LOST &&
		    (!best || c->arrival < m->heap[best].arrival))
			best = i;
	}
	return best;
}

/* Stand on the next packet that is not ftrace, if there is one. */
static int next_small(struct pf *p)
{
	struct pf_merge *m = p->merge;
	const void *rec;
	size_t len;
	int ret;

	ret = fw_sort_next(p->small, &rec, &len);
	if (ret <= 0)
		return ret;
	m->small_rec = rec;
	push(m, (struct pf_cursor){ .ts = m->small_rec->ts,
				    .arrival = m->small_rec->arrival,
				    .kind = PF_CURSOR_SMALL });
	return 0;
}

static int fetch_run(struct pf *p)
{
	struct pf_merge *m = p->merge;
	struct pf_run *run = &m->next_run;
	const void *rec;
	size_t len;
	int ret;

	do {
		ret = fw_sort_next(p->runs, &rec, &len);
		if (ret > 0)
			memcpy(run, rec, sizeof(*run));
	} while (ret > 0 && m->marks_only && !run->marks);
	m->has_next_run = ret > 0;
	m->n_runs++;
	if (m->marks_only)
		run->compact_len = 0;
	else
		fw_progress("reading", fw_sort_count(p->runs) + m->n_runs,
			    2 * fw_sort_count(p->runs));
	return FW_MIN(ret, 0);
}

static void push_run(struct pf_merge *m, struct pf_open *r)
{
	struct pf_cursor c = { .run = r, .arrival = r->rec.arrival };
	int kind;

	for (kind = 0; kind < PF_KINDS; kind++) {
		if (!pf_run_peek(r, kind, &c.ts))
			continue;
		c.kind = kind;
		c.rank = r->rec.rank[kind];
		r->n_cursors++;
		push(m, c);
	}
}

static void release(struct pf_merge *m, struct pf_open *r)
{
	r->next_free = m->free_runs;
	m->free_runs = r;
}

/* Read and decode the next bundle. */
static int open_next(struct pf *p)
{
	struct pf_merge *m = p->merge;
	struct pf_open *r = m->free_runs;
	int err;

	if (r)
		m->free_runs = r->next_free;
	else
		r = fw_zalloc(sizeof(*r));
	r->rec = m->next_run;
	r->n_cursors = 0;
	err = pf_run_open(p, r);
	if (err) {
		release(m, r);
		return err;
	}
	if (r->rec.lost)
		push(m, (struct pf_cursor){ .ts = FW_MAX(r->rec.ts, m->now),
					    .arrival = r->rec.arrival,
					    .kind = PF_CURSOR_LOST,
					    .cpu = r->rec.cpu_number,
					    .since = r->since });
	push_run(m, r);
	if (!r->n_cursors)
		release(m, r);
	return fetch_run(p);
}

/* What the open bundles have to deliver changed: order the heap anew. */
static void rekey(struct pf_merge *m)
{
	struct pf_cursor *c;
	size_t i;

	for (i = 0; i < m->n_heap; i++) {
		c = &m->heap[i];
		if (c->run && c->kind != PF_PLAIN)
			pf_run_peek(c->run, c->kind, &c->ts);
	}
	for (i = m->n_heap / 2; i-- > 0;)
		sift_down(m, i);
}

/* The set of interesting threads grew: what open bundles left out may count now. */
static void select_again(struct pf *p)
{
	struct pf_merge *m = p->merge;
	size_t i;

	m->generation = m->interest->generation;
	for (i = 0; i < m->n_heap; i++) {
		struct pf_open *r = m->heap[i].run;

		if (r && m->heap[i].kind != PF_PLAIN && r->generation != m->generation)
			pf_run_select(p, r, m->now);
	}
	rekey(m);
}

void pf_merge_overlap(struct pf *p, int cpu)
{
	struct pf_merge *m = p->merge;
	size_t i;

	for (i = 0; i < m->n_heap; i++) {
		struct pf_open *r = m->heap[i].run;

		if (r && r->rec.compact_len && r->rec.cpu == cpu)
			pf_run_make_late(p, r);
	}
	rekey(m);
}

static struct pf_merge *begin(struct pf *p, const struct fw_input_opts *opts)
{
	struct pf_merge *m;
	uint32_t id;
	int i;

	pf_merge_free(p);
	m = fw_zalloc(sizeof(*m));
	p->merge = m;
	m->wants = opts->wants ? opts->wants : ~0ULL;
	m->interest = opts->interest;
	m->generation = m->interest ? m->interest->generation : 0;
	m->now = INT64_MIN;
	m->tp_order = opts->tp_order;
	m->drop_before = p->preserve_ftrace ? INT64_MIN : p->tracing_started;
	m->cpus = fw_calloc(PF_MAX_CPUS, sizeof(*m->cpus));
	for (i = 0; i < PF_MAX_CPUS; i++)
		m->cpus[i] = (struct pf_cpu){ .cur = -1, .last_ts = INT64_MIN, .until = INT64_MIN };
	for (id = 0; id < PF_FTRACE_IDS; id++)
		m->ftrace_types[id] = fw_ftrace_type(id);
	fw_sort_rewind(p->runs);
	return m;
}

int pf_merge_start(struct pf *p, const struct fw_input_opts *opts)
{
	int err;

	begin(p, opts);
	fw_sort_rewind(p->small);
	err = next_small(p);
	return err ? err : fetch_run(p);
}

int pf_marks(struct pf *p, int (*fn)(void *ctx, const struct fw_event *ev), void *ctx)
{
	const struct fw_input_opts opts = { .wants = UINT64_C(1) << FW_EV_MARK };
	struct fw_health *health = p->health;
	const struct fw_event *ev;
	int ret;

	begin(p, &opts)->marks_only = true;
	/* What is wrong with an event is counted when it is read in its turn. */
	p->health = fw_health_new();
	ret = fetch_run(p);
	while (!ret && (ret = pf_merge_next(p, &ev)) > 0)
		ret = fn(ctx, ev);
	fw_health_free(p->health);
	p->health = health;
	pf_merge_free(p);
	return ret;
}

void pf_merge_free(struct pf *p)
{
	struct pf_merge *m = p->merge;
	struct pf_open *r, *next;
	size_t i;

	if (!m)
		return;
	for (i = 0; i < m->n_heap; i++) {
		r = m->heap[i].run;
		if (r && !--r->n_cursors)
			release(m, r);
	}
	for (r = m->free_runs; r; r = next) {
		next = r->next_free;
		pf_run_free(r);
	}
	pf_gpu_free(&m->gpu);
	pf_wanted_free(&m->wanted);
	free(m->cpus);
	free(m->heap);
	free(m);
	p->merge = NULL;
}

/* Return: 1 for an event, 0 when the packet has no more, negative errno. */
static int from_small(struct pf *p)
{
	struct pf_merge *m = p->merge;

	while (m->in_small) {
		if (!pf_small_next(p, &m->small_iter, &m->ev)) {
			m->in_small = false;
			return next_small(p);
		}
		if (m->wants >> m->ev.type & 1)
			return 1;
	}
	return 0;
}

/* Take the next event of the heap; Return: whether it is to be delivered. */
static int take_next(struct pf *p)
{
	struct pf_merge *m = p->merge;
	size_t i = pick(m);
	struct pf_cursor *top = &m->heap[i];
	struct pf_open *r = top->run;
	bool deliver;

	m->now = top->ts;
	if (top->kind == PF_CURSOR_LOST) {
		m->ev = (struct fw_event){ .type = FW_EV_LOST,
					   .ts = top->ts,
					   .cpu = top->cpu,
					   .tid = -1,
					   .lost.since = top->since };
		drop(m, i);
		return m->wants >> FW_EV_LOST & 1;
	}
	if (top->kind == PF_CURSOR_SMALL) {
		pf_small_begin(&m->small_iter, m->small_rec, &m->gpu);
		m->in_small = true;
		m->last_rank = top->rank;
		m->last_next = INT64_MIN;
		drop(m, i);
		return from_small(p);
	}
	m->last_rank = top->rank;
	deliver = pf_run_take(p, r, top->kind);
	if (pf_run_peek(r, top->kind, &top->ts)) {
		m->last_next = top->ts;
		sift_down(m, i);
	} else {
		m->last_next = INT64_MIN;
		drop(m, i);
		if (!--r->n_cursors)
			release(m, r);
	}
	return deliver;
}

int pf_merge_next(struct pf *p, const struct fw_event **ev)
{
	struct pf_merge *m = p->merge;
	int ret;

	*ev = &m->ev;
	if (m->in_small) {
		ret = from_small(p);
		if (ret)
			return ret;
	}
	if (m->interest && m->generation != m->interest->generation)
		select_again(p);
	for (;;) {
		while (m->has_next_run && (!m->n_heap || m->next_run.ts <= m->heap[0].ts)) {
			ret = open_next(p);
			if (ret < 0)
				return ret;
		}
		if (!m->n_heap) {
			fw_progress_clear();
			return 0;
		}
		ret = take_next(p);
		if (ret)
			return ret;
	}
}
