/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_SIDE_H
#define FW_FRAME_SIDE_H

#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "base/str.h"
#include "input/input.h"

/* What the side files beside a recording share. */
#define FW_SIDE_UNKNOWN INT64_MIN

/* Rows that are looked up by time belong to a frame when they are nearer than this. */
#define FW_SIDE_NEAR_NS INT64_C(1000000)

enum fw_side_match {
	FW_SIDE_NOT_ASKED, /* no such file, or no kind of frame that it tells of */
	FW_SIDE_NO_MATCH,
	FW_SIDE_EXACT,
	FW_SIDE_NEAR,
	FW_SIDE_AMBIGUOUS,
};

/* Absent for FW_SIDE_NOT_ASKED. */
struct fw_str fw_side_match_name(enum fw_side_match m);

/**
 * fw_side_place() - a time of CLOCK_MONOTONIC on the recording's axis
 * Return: FW_SIDE_UNKNOWN for that itself, and where the recording has no pair of the two clocks,
 *	which is counted.
 */
int64_t fw_side_place(struct fw_input *in, struct fw_health *health, int64_t monotonic);

/* A name as rows keep it; 0: it is not named. */
static inline uint64_t fw_side_hash(struct fw_str name)
{
	return name.len ? fw_hash_bytes(name.p, name.len) | 1 : 0;
}

/* How far two times lie apart, whatever they are. */
static inline uint64_t fw_side_apart(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* @a - @b; FW_SIDE_UNKNOWN where one of them is. */
static inline int64_t fw_side_minus(int64_t a, int64_t b)
{
	if (a == FW_SIDE_UNKNOWN || b == FW_SIDE_UNKNOWN)
		return FW_SIDE_UNKNOWN;
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* @a + @b, at most as far as there is time. */
static inline int64_t fw_side_plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

#endif
