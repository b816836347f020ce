// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sort - stable external merge sort of variable-length records
 *
 * Records collect in an arena; a full arena is sorted and appended to an unlinked file as a run.
 * FAN runs of one level are merged into one of the next, so that neither the number of open runs
 * nor the times a record is copied grows with more than the logarithm of the data.
 */
#include "base/sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/spool.h"

#define FAN 32
#define CURSOR_BUF (32u << 10)

struct rec {
	uint64_t len;
	char bytes[];
};

struct run {
	uint64_t start, end; /* in the file */
	unsigned int level;
};

/* Reads a run, or the sorted arena when @run is NULL. */
struct cursor {
	const struct run *run;
	uint64_t pos; /* next unread byte of the file */
	char *buf;
	size_t len, at, cap;
	size_t index; /* arena: next record */
	const struct rec *rec; /* current one, NULL at the end */
};

struct fw_sort {
	size_t budget;
	fw_sort_cmp cmp;
	const void *ctx;

	char *arena;
	size_t used, cap;
	size_t *recs; /* offsets into the arena */
	size_t n, recs_cap;
	bool sorted; /* the arena came in order */
	size_t total;

	struct fw_spool *spool;
	struct run *runs; /* oldest first */
	size_t n_runs, runs_cap;

	bool reading;
	struct cursor *cursors;
	size_t n_cursors;
	size_t *heap; /* indices of cursors */
	size_t n_heap;
};

static size_t rec_size(uint64_t len)
{
	return sizeof(struct rec) + ((len + 7) & ~(uint64_t)7);
}

static const struct rec *arena_rec(const struct fw_sort *s, size_t i)
{
	return (const struct rec *)(s->arena + s->recs[i]);
}

struct fw_sort *fw_sort_new(size_t budget, fw_sort_cmp cmp, const void *ctx)
{
	struct fw_sort *s = fw_zalloc(sizeof(*s));

	s->budget = budget;
	s->cmp = cmp;
	s->ctx = ctx;
	s->sorted = true;
	return s;
}

static void free_cursors(struct fw_sort *s)
{
	size_t i;

	for (i = 0; i < s->n_cursors; i++)
		free(s->cursors[i].buf);
	free(s->cursors);
	free(s->heap);
	s->cursors = NULL;
	s->heap = NULL;
	s->n_cursors = s->n_heap = 0;
}

void fw_sort_free(struct fw_sort *s)
{
	if (!s)
		return;
	free_cursors(s);
	fw_spool_free(s->spool);
	free(s->runs);
	free(s->arena);
	free(s->recs);
	free(s);
}

static int cmp_offsets(const void *a, const void *b, void *arg)
{
	const struct fw_sort *s = arg;
	size_t oa = *(const size_t *)a, ob = *(const size_t *)b;
	const struct rec *ra = (const struct rec *)(s->arena + oa);
	const struct rec *rb = (const struct rec *)(s->arena + ob);
	int c = s->cmp(ra->bytes, rb->bytes, s->ctx);

	return c ? c : (oa > ob) - (oa < ob);
}

static void sort_arena(struct fw_sort *s)
{
	if (!s->sorted)
		qsort_r(s->recs, s->n, sizeof(*s->recs), cmp_offsets, s);
	s->sorted = true;
}

static int cursor_fill(struct fw_sort *s, struct cursor *c, size_t want)
{
	size_t left = c->len - c->at, n;
	int err;

	if (left >= want)
		return 0;
	memmove(c->buf, c->buf + c->at, left);
	if (want > c->cap) {
		c->cap = want;
		c->buf = fw_realloc(c->buf, c->cap, 1);
	}
	n = FW_MIN(c->cap - left, c->run->end - c->pos);
	err = fw_spool_read(s->spool, c->pos, c->buf + left, n);
	if (err)
		return err;
	c->pos += n;
	c->at = 0;
	c->len = left + n;
	return c->len >= want ? 0 : fw_fail(EIO, "the temporary sort file is damaged");
}

/* Return: 1 when the cursor stands on a record, 0 at its end, negative errno. */
static int cursor_next(struct fw_sort *s, struct cursor *c)
{
	const struct rec *r;
	int err;

	c->rec = NULL;
	if (!c->run) {
		if (c->index == s->n)
			return 0;
		c->rec = arena_rec(s, c->index++);
		return 1;
	}
	if (c->at == c->len && c->pos == c->run->end)
		return 0;
	err = cursor_fill(s, c, sizeof(*r));
	if (err)
		return err;
	r = (const struct rec *)(c->buf + c->at);
	err = cursor_fill(s, c, rec_size(r->len));
	if (err)
		return err;
	c->rec = (const struct rec *)(c->buf + c->at);
	c->at += rec_size(c->rec->len);
	return 1;
}

static bool heap_less(const struct fw_sort *s, size_t a, size_t b)
{
	int c = s->cmp(s->cursors[a].rec->bytes, s->cursors[b].rec->bytes, s->ctx);

	return c ? c < 0 : a < b;
}

static void heap_down(struct fw_sort *s, size_t i)
{
	size_t *h = s->heap, best, t;

	for (;;) {
		best = i;
		if (2 * i + 1 < s->n_heap && heap_less(s, h[2 * i + 1], h[best]))
			best = 2 * i + 1;
		if (2 * i + 2 < s->n_heap && heap_less(s, h[2 * i + 2], h[best]))
			best = 2 * i + 2;
		if (best == i)
			return;
		t = h[i];
		h[i] = h[best];
		h[best] = t;
		i = best;
	}
}

/* Open runs [first, n_runs) and, with @arena, the records in memory as the newest run. */
static int open_cursors(struct fw_sort *s, size_t first, bool arena)
{
	size_t n = s->n_runs - first + arena, i;
	int ret;

	s->cursors = fw_calloc(n, sizeof(*s->cursors));
	s->heap = fw_calloc(n, sizeof(*s->heap));
	s->n_cursors = n;
	for (i = 0; i < n; i++) {
		struct cursor *c = &s->cursors[i];

		if (first + i < s->n_runs) {
			c->run = &s->runs[first + i];
			c->pos = c->run->start;
			c->cap = CURSOR_BUF;
			c->buf = fw_zalloc(c->cap);
		}
		ret = cursor_next(s, c);
		if (ret < 0)
			return ret;
		if (ret)
			s->heap[s->n_heap++] = i;
	}
	for (i = s->n_heap; i-- > 0;)
		heap_down(s, i);
	return 0;
}

/* Step the cursor on top of the heap. */
static int heap_advance(struct fw_sort *s)
{
	int ret = cursor_next(s, &s->cursors[s->heap[0]]);

	if (ret < 0)
		return ret;
	if (!ret)
		s->heap[0] = s->heap[--s->n_heap];
	heap_down(s, 0);
	return 0;
}

static int append_rec(struct fw_sort *s, const struct rec *r)
{
	return fw_spool_append(s->spool, r, rec_size(r->len));
}

static int merge_runs(struct fw_sort *s, size_t first)
{
	struct run out = { .start = fw_spool_size(s->spool), .level = s->runs[first].level + 1 };
	int err;

	err = open_cursors(s, first, false);
	while (!err && s->n_heap) {
		err = append_rec(s, s->cursors[s->heap[0]].rec);
		if (!err)
			err = heap_advance(s);
	}
	free_cursors(s);
	out.end = fw_spool_size(s->spool);
	if (!err)
		fw_spool_drop(s->spool, s->runs[first].start, out.start);
	s->n_runs = first;
	s->runs[s->n_runs++] = out;
	return err;
}

static int spill(struct fw_sort *s)
{
	struct run run = { 0 };
	size_t i, same;
	int err = 0;

	if (!s->spool)
		err = fw_spool_new(&s->spool);
	if (err)
		return err;
	sort_arena(s);
	run.start = fw_spool_size(s->spool);
	for (i = 0; !err && i < s->n; i++)
		err = append_rec(s, arena_rec(s, i));
	run.end = fw_spool_size(s->spool);
	fw_grow(s->runs, s->n_runs, s->runs_cap);
	s->runs[s->n_runs++] = run;
	s->n = 0;
	s->used = 0;
	for (;;) {
		for (same = 0; same < s->n_runs; same++) {
			if (s->runs[s->n_runs - 1 - same].level != s->runs[s->n_runs - 1].level)
				break;
		}
		if (err || same < FAN)
			return err;
		err = merge_runs(s, s->n_runs - FAN);
	}
}

int fw_sort_add(struct fw_sort *s, const void *rec, size_t len)
{
	size_t size = rec_size(len);
	struct rec *r;
	int err;

	if (s->n && s->used + size > s->budget) {
		err = spill(s);
		if (err)
			return err;
	}
	if (s->used + size > s->cap) {
		s->cap = FW_MAX(s->cap * 2, s->used + size + 4096);
		s->arena = fw_realloc(s->arena, s->cap, 1);
	}
	fw_grow(s->recs, s->n, s->recs_cap);
	r = (struct rec *)(s->arena + s->used);
	r->len = len;
	memcpy(r->bytes, rec, len);
	memset(r->bytes + len, 0, size - sizeof(*r) - len);
	if (s->sorted && s->n)
		s->sorted = s->cmp(arena_rec(s, s->n - 1)->bytes, r->bytes, s->ctx) <= 0;
	s->recs[s->n++] = s->used;
	s->used += size;
	s->total++;
	return 0;
}

int fw_sort_next(struct fw_sort *s, const void **rec, size_t *len)
{
	const struct rec *r;
	int err;

	if (!s->reading) {
		s->reading = true;
		sort_arena(s);
		err = open_cursors(s, 0, true);
	} else {
		err = s->n_heap ? heap_advance(s) : 0;
	}
	if (err)
		return err;
	if (!s->n_heap)
		return 0;
	r = s->cursors[s->heap[0]].rec;
	*rec = r->bytes;
	*len = r->len;
	return 1;
}

void fw_sort_rewind(struct fw_sort *s)
{
	free_cursors(s);
	s->reading = false;
}

size_t fw_sort_count(const struct fw_sort *s)
{
	return s->total;
}
