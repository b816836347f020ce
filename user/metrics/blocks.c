// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void fw_blocks_init(struct fw_blocks *b, int max)
{
	*b = (struct fw_blocks){ .max = max, .per_block = 1 };
	b->sums = fw_calloc((size_t)max, sizeof(*b->sums));
}

void fw_blocks_free(struct fw_blocks *b)
{
	free(b->sums);
	b->sums = NULL;
}

/* Two and two become one; with one block there is nothing to join. */
static void halve(struct fw_blocks *b)
{
	int half = b->max / 2;

	for (int i = 0; i < half; i++)
		for (int s = 0; s < FW_SUMS; s++)
			b->sums[i][s] = b->sums[2 * i][s] + b->sums[2 * i + 1][s];
	if (half)
		memset(b->sums + half, 0, (size_t)(b->max - half) * sizeof(*b->sums));
	b->per_block *= 2;
}

double *fw_blocks_item(struct fw_blocks *b)
{
	if (b->items / b->per_block == (uint64_t)b->max)
		halve(b);
	return b->sums[b->items++ / b->per_block];
}

int fw_blocks_count(const struct fw_blocks *b)
{
	return (int)((b->items + b->per_block - 1) / b->per_block);
}
