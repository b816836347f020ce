/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_FENCE_H
#define FW_MODEL_FENCE_H

#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "base/str.h"
#include "input/event.h"

/*
 * The life of kernel fences (dma_fence), by (context, seqno) in 64 bits.
 */
#define FW_FENCES_MAX 16384u
#define FW_FENCE_NEVER INT64_MIN

/**
 * struct fw_fence - one fence
 * @init, @emit, @enable, @signaled, @destroyed: ns of the events; FW_FENCE_NEVER: not seen
 * @stamp: the fence's own signal time where the input has it, else FW_FENCE_NEVER
 * @driver, @timeline: in names; 0 not known
 * @owner: the caller's, for what it keeps about the fence
 */
struct fw_fence {
	uint64_t context, seqno;
	int64_t init, emit, enable, signaled, destroyed, stamp;
	uint32_t driver, timeline;
	void *owner;
	uint32_t same_hash; /* next in the chain, by index + 1 */
	uint32_t older, newer; /* list by age, by index + 1 */
};

/**
 * struct fw_fences - the fences that are remembered, at most FW_FENCES_MAX
 * @signaled: called when a fence signals, its names already known
 * @retired: called before a fence is forgotten: destroyed, made again, or the oldest of too many
 */
struct fw_fences {
	struct fw_names *names;
	struct fw_health *health;
	void (*signaled)(void *ctx, struct fw_fence *f);
	void (*retired)(void *ctx, struct fw_fence *f);
	void *ctx;

	struct fw_fence *pool;
	struct fw_map by_key;
	uint32_t n, free, oldest, newest; /* index + 1 */
	uint32_t unbound, detached, signaled_timeline; /* names that say nothing */
};

void fw_fences_init(struct fw_fences *f, struct fw_names *names, struct fw_health *health);
/* One dma_fence event; other types are ignored. */
void fw_fences_feed(struct fw_fences *f, const struct fw_event *ev);
/* Retire all, oldest first, and free the memory. */
void fw_fences_finish(struct fw_fences *f);

#endif
