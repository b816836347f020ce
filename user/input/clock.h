/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_CLOCK_H
#define FW_INPUT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Times of one clock on the axis of another, through recorded pairs.
 *
 * A clock is named by a key: its id, or for sequence-scoped ids the id and the sequence. A snapshot
 * gives the values of several clocks at one moment; snapshots with the same clocks in the same
 * order form a series. A conversion takes the shortest way through the series (four hops at most)
 * and on each hop the last snapshot not after the time; the offset is constant between snapshots.
 * Rules: clock_synchronizer.h, perfetto v57.2.
 */
struct fw_clock;

struct fw_clock_value {
	uint64_t key;
	int64_t value; /* in units */
	uint64_t unit_ns; /* 0 means 1 */
	bool incremental;
};

enum fw_clock_result {
	FW_CLOCK_OK,
	FW_CLOCK_UNKNOWN_SOURCE,
	FW_CLOCK_UNKNOWN_TARGET,
	FW_CLOCK_NO_PATH,
};

/* Takes in snapshots of any number. */
#define FW_CLOCK_ALL UINT32_MAX

struct fw_clock *fw_clock_new(void);
void fw_clock_free(struct fw_clock *c);

static inline uint64_t fw_clock_key(uint32_t id, uint32_t sequence)
{
	return id >= 64 && id < 128 ? (uint64_t)sequence << 32 | id : id;
}

/**
 * fw_clock_snapshot() - one moment of several clocks
 * Return: 0, or -EINVAL where it contradicts earlier ones; nothing of it is used then.
 */
int fw_clock_snapshot(struct fw_clock *c, const struct fw_clock_value *values, size_t n);

/* The number of snapshots so far: a conversion can be held to those. */
uint32_t fw_clock_count(const struct fw_clock *c);

/**
 * fw_clock_set_trace() - choose the clock that is the time axis
 * Has no effect after the first conversion.
 */
void fw_clock_set_trace(struct fw_clock *c, uint64_t key);
/* The time axis; BOOTTIME unless a snapshot said otherwise. */
uint64_t fw_clock_trace(const struct fw_clock *c);

/* A recorded value as ns of its clock: units, and deltas of incremental clocks. */
int64_t fw_clock_ns(struct fw_clock *c, uint64_t key, uint64_t value);

/**
 * fw_clock_to_trace() - ns of a clock to ns of the time axis
 * @limit: use only the first so many snapshots (FW_CLOCK_ALL: all so far)
 */
enum fw_clock_result fw_clock_to_trace(struct fw_clock *c, uint64_t key, int64_t ns, uint32_t limit,
				       int64_t *out);

#endif
