/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_BLOCKS_H
#define FW_METRICS_BLOCKS_H

#include <stdint.h>

#include "metrics/totals.h"

/*
 * Sums over runs of adjacent items, in bounded memory: when there are too many blocks, two and two
 * become one. Drawing whole blocks keeps what neighbours have in common.
 */
#define FW_BLOCKS_MAX 128

/**
 * struct fw_blocks
 * @max: how many blocks there may be; 1 for totals only
 * @per_block: items in each but the last
 */
struct fw_blocks {
	int max;
	uint64_t items, per_block;
	double (*sums)[FW_SUMS]; /* [max] */
};

void fw_blocks_init(struct fw_blocks *b, int max);
void fw_blocks_free(struct fw_blocks *b);
/* The next item: the sums to add it to, valid until the next call. */
double *fw_blocks_item(struct fw_blocks *b);
int fw_blocks_count(const struct fw_blocks *b);

static inline int fw_blocks_of(const struct fw_blocks *b, uint64_t item)
{
	return (int)(item / b->per_block);
}

#endif
