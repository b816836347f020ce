/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_ORDER_H
#define FW_METRICS_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "metrics/resample.h"
#include "metrics/totals.h"

/**
 * struct fw_walk - one set of values that go by, from the largest down
 * @n: how many there will be
 */
struct fw_walk {
	uint64_t n, seen;
	uint64_t target; /* where the next rank is met */
	int rank; /* the next one */
	double sum; /* of those seen */
};

/* @n: known before the first; @ranks: FW_RANKS of them become NAN */
void fw_walk_begin(struct fw_walk *w, uint64_t n, double *ranks);
/* The next value, @times > 0 times; sets the ranks that it is. */
void fw_walk_value(struct fw_walk *w, double value, unsigned int times, double *ranks);

/**
 * struct fw_order - values by rank, of a run and of draws from it, in bounded memory
 *
 * Values are sorted once (base/sort.h, which spills); one walk over them serves all draws: a
 * value counts in each as often as its block does.
 */
struct fw_order;

struct fw_order *fw_order_new(void);
void fw_order_free(struct fw_order *o);
/* @item: its number in the blocks that will be drawn. Return: 0, or as fw_sort_add(). */
int fw_order_add(struct fw_order *o, double value, uint64_t item);

/**
 * fw_order_ranks() - the values by rank, in each draw
 * @ranks: of draw d at (double *)((char *)@ranks + d * @stride), FW_RANKS of them; NAN where a draw
 *	has no values
 * Return: 0, or a negative errno of reading back.
 */
int fw_order_ranks(struct fw_order *o, const struct fw_blocks *b, const struct fw_resample *rs,
		   double *ranks, size_t stride);

/* How many values lie within @bounds[d], in each draw d; NAN where the bounds are. */
int fw_order_within(struct fw_order *o, const struct fw_blocks *b, const struct fw_resample *rs,
		    double (*bounds)[2], double *count, size_t stride);

#endif
