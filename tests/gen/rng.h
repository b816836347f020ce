/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_RNG_H
#define FW_GEN_RNG_H

#include <stdint.h>

/* xorshift64*: the same numbers everywhere from the same seed. */
struct rng {
	uint64_t s;
};

static inline uint64_t rng_next(struct rng *r)
{
	r->s ^= r->s >> 12;
	r->s ^= r->s << 25;
	r->s ^= r->s >> 27;
	return r->s * 0x2545f4914f6cdd1dULL;
}

/* A number in [0, n), n > 0. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

static inline int64_t rng_range(struct rng *r, int64_t from, int64_t to)
{
	return from + rng_below(r, (uint32_t)(to - from));
}

#endif
