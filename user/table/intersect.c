// SPDX-License-Identifier: GPL-2.0-or-later
/* intersect - how long each state of a thread lasted inside each window of it */
#include "table/intersect.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define SORT_BUDGET (4u << 20)

/* The head of a record of either kind; a window's payload follows. */
struct span {
	uint32_t utid;
	uint32_t len;
	int64_t start, end;
	uint64_t key;
};

struct total {
	uint64_t key;
	int64_t ns;
};

/* A window that the sweep has reached and not passed. */
struct window {
	int64_t start, end;
	struct total *totals;
	size_t n, cap;
	size_t len;
	void *payload;
};

struct fw_intersect {
	struct fw_sort *windows, *states;
	struct window *active;
	size_t n_active, active_cap;
	const struct span *next; /* the next window, NULL at the end */
	bool rest; /* what is left of a window is summed, by rest_key */
	uint64_t rest_key;
	char *buf; /* a window's record while it is added */
	size_t buf_cap;
	int (*sum)(void *ctx, const void *payload, size_t len, uint64_t key, int64_t ns);
	void *ctx;
};

static int cmp_span(const void *a, const void *b, const void *ctx)
{
	const struct span *sa = a, *sb = b;

	if (sa->utid != sb->utid)
		return sa->utid < sb->utid ? -1 : 1;
	return (sa->start > sb->start) - (sa->start < sb->start);
}

struct fw_intersect *fw_intersect_new(void)
{
	struct fw_intersect *x = fw_zalloc(sizeof(*x));

	x->windows = fw_sort_new(SORT_BUDGET, cmp_span, NULL);
	x->states = fw_sort_new(SORT_BUDGET, cmp_span, NULL);
	return x;
}

static void free_window(struct window *w)
{
	free(w->totals);
	free(w->payload);
}

void fw_intersect_free(struct fw_intersect *x)
{
	size_t i;

	if (!x)
		return;
	for (i = 0; i < x->n_active; i++)
		free_window(&x->active[i]);
	free(x->active);
	free(x->buf);
	fw_sort_free(x->windows);
	fw_sort_free(x->states);
	free(x);
}

int fw_intersect_window(struct fw_intersect *x, uint32_t utid, int64_t start, int64_t end,
			const void *payload, size_t len)
{
	struct span head = { .utid = utid, .len = (uint32_t)len, .start = start, .end = end };

	if (x->buf_cap < sizeof(head) + len) {
		x->buf_cap = (sizeof(head) + len) * 2;
		x->buf = fw_realloc(x->buf, x->buf_cap, 1);
	}
	memcpy(x->buf, &head, sizeof(head));
	if (len)
		memcpy(x->buf + sizeof(head), payload, len);
	return fw_sort_add(x->windows, x->buf, sizeof(head) + len);
}

int fw_intersect_state(struct fw_intersect *x, uint32_t utid, int64_t start, int64_t end,
		       uint64_t key)
{
	struct span s = { .utid = utid, .start = start, .end = end, .key = key };

	return fw_sort_add(x->states, &s, sizeof(s));
}

void fw_intersect_rest(struct fw_intersect *x, uint64_t key)
{
	x->rest = true;
	x->rest_key = key;
}

static int next_window(struct fw_intersect *x)
{
	const void *rec;
	size_t len;
	int ret = fw_sort_next(x->windows, &rec, &len);

	x->next = ret > 0 ? rec : NULL;
	return ret < 0 ? ret : 0;
}

/* The sums of the window are complete. */
static int retire(struct fw_intersect *x, size_t i)
{
	struct window w = x->active[i];
	int64_t rest = w.end - w.start;
	int err = 0;
	size_t k;

	x->active[i] = x->active[--x->n_active];
	for (k = 0; !err && k < w.n; k++) {
		err = x->sum(x->ctx, w.payload, w.len, w.totals[k].key, w.totals[k].ns);
		rest -= w.totals[k].ns;
	}
	if (!err && x->rest && rest > 0)
		err = x->sum(x->ctx, w.payload, w.len, x->rest_key, rest);
	free_window(&w);
	return err;
}

static void activate(struct fw_intersect *x)
{
	const struct span *s = x->next;

	fw_grow(x->active, x->n_active, x->active_cap);
	x->active[x->n_active++] = (struct window){
		.start = s->start,
		.end = s->end,
		.len = s->len,
		.payload = fw_memdup(s + 1, s->len),
	};
}

static void add_overlap(struct window *w, const struct span *state)
{
	int64_t start = FW_MAX(w->start, state->start), end = FW_MIN(w->end, state->end);
	size_t i;

	if (start >= end)
		return;
	for (i = 0; i < w->n && w->totals[i].key != state->key; i++)
		;
	if (i == w->n) {
		fw_grow(w->totals, w->n, w->cap);
		w->totals[w->n++] = (struct total){ .key = state->key };
	}
	if (__builtin_add_overflow(w->totals[i].ns, end - start, &w->totals[i].ns))
		w->totals[i].ns = INT64_MAX;
}

/* Windows of threads before this state's, and those that end before it, are done. */
static int pass(struct fw_intersect *x, uint32_t utid, bool new_thread, int64_t until, bool at_end)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < x->n_active;) {
		if (new_thread || x->active[i].end <= until)
			err = retire(x, i);
		else
			i++;
	}
	while (!err && x->next && (x->next->utid < utid || at_end)) {
		/* No state of this thread is known. */
		if (x->rest)
			err = x->sum(x->ctx, x->next + 1, x->next->len, x->rest_key,
				     x->next->end - x->next->start);
		if (!err)
			err = next_window(x);
	}
	return err;
}

int fw_intersect_run(struct fw_intersect *x,
		     int (*sum)(void *ctx, const void *payload, size_t len, uint64_t key,
				int64_t ns),
		     void *ctx)
{
	const struct span *state;
	const void *rec;
	uint32_t utid = UINT32_MAX;
	size_t len, i;
	int err;

	x->sum = sum;
	x->ctx = ctx;
	err = next_window(x);
	while (!err && (err = fw_sort_next(x->states, &rec, &len)) > 0) {
		state = rec;
		err = pass(x, state->utid, state->utid != utid, state->start, false);
		utid = state->utid;
		while (!err && x->next && x->next->utid == utid && x->next->start < state->end) {
			activate(x);
			err = next_window(x);
		}
		for (i = 0; !err && i < x->n_active; i++)
			add_overlap(&x->active[i], state);
	}
	return err ? err : pass(x, UINT32_MAX, true, 0, true);
}
