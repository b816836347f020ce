/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_RESAMPLE_H
#define FW_METRICS_RESAMPLE_H

#include <stdint.h>

#include "metrics/blocks.h"

/* xoshiro256**, D. Blackman and S. Vigna, 2018: the same numbers everywhere from the same seed. */
struct fw_random {
	uint64_t s[4];
};

void fw_random_seed(struct fw_random *r, uint64_t seed);
/* A number in [0, n), n > 0. */
uint32_t fw_random_below(struct fw_random *r, uint32_t n);

/**
 * struct fw_resample - how often each block stands in each of several draws of a run
 * @draws: draw 0 is the run itself, each block once
 * @weight: [block][draw]
 */
struct fw_resample {
	int draws, blocks;
	uint16_t *weight;
};

/* As many blocks as there are, drawn with replacement, @draws - 1 times; @r may be NULL for one. */
void fw_resample_init(struct fw_resample *rs, const struct fw_blocks *b, int draws,
		      struct fw_random *r);
void fw_resample_free(struct fw_resample *rs);

static inline const uint16_t *fw_resample_of(const struct fw_resample *rs, int block)
{
	return rs->weight + (uint64_t)block * (uint64_t)rs->draws;
}

#endif
