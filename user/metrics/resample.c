// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/resample.h"

#include <stdlib.h>

#include "base/mem.h"

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

void fw_random_seed(struct fw_random *r, uint64_t seed)
{
	/* splitmix64, so that near seeds give unlike states. */
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		r->s[i] = z ^ z >> 31;
	}
}

static uint64_t next(struct fw_random *r)
{
	uint64_t *s = r->s, out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

uint32_t fw_random_below(struct fw_random *r, uint32_t n)
{
	return (uint32_t)((next(r) >> 32) * n >> 32);
}

void fw_resample_init(struct fw_resample *rs, const struct fw_blocks *b, int draws,
		      struct fw_random *r)
{
	int n = fw_blocks_count(b);

	*rs = (struct fw_resample){ .draws = draws, .blocks = n };
	rs->weight = fw_calloc((size_t)(n ? n : 1) * (size_t)draws, sizeof(*rs->weight));
	for (int i = 0; i < n; i++)
		rs->weight[i * draws] = 1;
	for (int d = 1; d < draws; d++)
		for (int i = 0; i < n; i++)
			rs->weight[(int)fw_random_below(r, (uint32_t)n) * draws + d]++;
}

void fw_resample_free(struct fw_resample *rs)
{
	free(rs->weight);
	rs->weight = NULL;
}
