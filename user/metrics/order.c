// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

#define BUDGET (2u << 20)

struct record {
	double value;
	uint64_t item;
};

struct fw_order {
	struct fw_sort *sort;
};

static int largest_first(const void *a, const void *b, const void *ctx)
{
	double x = ((const struct record *)a)->value, y = ((const struct record *)b)->value;

	return (x < y) - (x > y);
}

struct fw_order *fw_order_new(void)
{
	struct fw_order *o = fw_zalloc(sizeof(*o));

	o->sort = fw_sort_new(BUDGET, largest_first, NULL);
	return o;
}

void fw_order_free(struct fw_order *o)
{
	if (!o)
		return;
	fw_sort_free(o->sort);
	free(o);
}

int fw_order_add(struct fw_order *o, double value, uint64_t item)
{
	struct record r = { value, item };

	return fw_sort_add(o->sort, &r, sizeof(r));
}

/* How many of the largest @rank takes: for a percentile, counted from above, its place. */
static uint64_t place(enum fw_rank rank, uint64_t n)
{
	static const unsigned int permille[FW_RANKS] = {
		[FW_RANK_P99] = 990, [FW_RANK_P95] = 950, [FW_RANK_P90] = 900,
		[FW_RANK_P50] = 500, [FW_RANK_P10] = 100,
	};

	switch (rank) {
	case FW_RANK_MAX:
		return 1;
	case FW_RANK_LOW_01:
		return (n + 999) / 1000;
	case FW_RANK_LOW_1:
		return (n + 99) / 100;
	default:
		/* The ceil(n x p)-th smallest. */
		return n - (n * permille[rank] + 999) / 1000 + 1;
	}
}

static void *at(const void *base, size_t stride, int draw)
{
	return (char *)base + (size_t)draw * stride;
}

static int count_values(struct fw_order *o, const struct fw_blocks *b, const struct fw_resample *rs,
			struct fw_walk *walks)
{
	const void *rec;
	size_t len;
	int more;

	fw_sort_rewind(o->sort);
	while ((more = fw_sort_next(o->sort, &rec, &len)) > 0) {
		const uint16_t *w =
			fw_resample_of(rs, fw_blocks_of(b, ((const struct record *)rec)->item));

		for (int d = 0; d < rs->draws; d++)
			walks[d].n += w[d];
	}
	fw_sort_rewind(o->sort);
	return more;
}

void fw_walk_begin(struct fw_walk *w, uint64_t n, double *ranks)
{
	*w = (struct fw_walk){ .n = n, .target = 1 };
	for (int i = 0; i < FW_RANKS; i++)
		ranks[i] = NAN;
}

/* One or more ranks are reached with @value. */
static void reached(struct fw_walk *w, double value, double *ranks)
{
	for (; w->seen >= w->target; w->rank++) {
		bool mean = w->rank == FW_RANK_LOW_01 || w->rank == FW_RANK_LOW_1;
		double sum = w->sum - (double)(w->seen - w->target) * value;

		ranks[w->rank] = mean ? sum / (double)w->target : value;
		w->target = w->rank + 1 < FW_RANKS ? place(w->rank + 1, w->n) : UINT64_MAX;
	}
}

void fw_walk_value(struct fw_walk *w, double value, unsigned int times, double *ranks)
{
	w->seen += times;
	w->sum += times * value;
	if (w->seen >= w->target)
		reached(w, value, ranks);
}

int fw_order_ranks(struct fw_order *o, const struct fw_blocks *b, const struct fw_resample *rs,
		   double *ranks, size_t stride)
{
	struct fw_walk *walks = fw_calloc((size_t)rs->draws, sizeof(*walks));
	const void *rec;
	size_t len;
	int more = count_values(o, b, rs, walks);

	if (more)
		goto out;
	for (int d = 0; d < rs->draws; d++)
		fw_walk_begin(&walks[d], walks[d].n, at(ranks, stride, d));
	while ((more = fw_sort_next(o->sort, &rec, &len)) > 0) {
		const struct record *r = rec;
		const uint16_t *weight = fw_resample_of(rs, fw_blocks_of(b, r->item));

		for (int d = 0; d < rs->draws; d++)
			fw_walk_value(&walks[d], r->value, weight[d], at(ranks, stride, d));
	}
out:
	free(walks);
	return more;
}

int fw_order_within(struct fw_order *o, const struct fw_blocks *b, const struct fw_resample *rs,
		    double (*bounds)[2], double *count, size_t stride)
{
	uint64_t *n = fw_calloc((size_t)rs->draws, sizeof(*n));
	const void *rec;
	size_t len;
	int more;

	fw_sort_rewind(o->sort);
	while ((more = fw_sort_next(o->sort, &rec, &len)) > 0) {
		const struct record *r = rec;
		const uint16_t *weight = fw_resample_of(rs, fw_blocks_of(b, r->item));

		for (int d = 0; d < rs->draws; d++)
			n[d] += r->value >= bounds[d][0] && r->value <= bounds[d][1] ? weight[d]
										     : 0;
	}
	for (int d = 0; d < rs->draws; d++)
		*(double *)at(count, stride, d) = isnan(bounds[d][0]) ? NAN : (double)n[d];
	free(n);
	return more;
}
