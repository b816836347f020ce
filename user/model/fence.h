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
 * @error: negative errno that it signaled with, else 0
 * @signaler: current thread when it signaled; @signaled_in: what that means; -1 not recorded
 * @kernel_waits, @kernel_wait_ns: waits inside the kernel that have ended
 * @polls, @poll_ns, @poller: waits by poll() that have ended; the thread of the longest
 * @array_context, @array_seqno: the merged fence that it became part of last; context 0: none
 * @last_context, @last_seqno: a merged one: its member that signaled last; context 0: none yet
 * @owner: the caller's, for what it keeps about the fence
 */
struct fw_fence {
	uint64_t context, seqno;
	int64_t init, emit, enable, signaled, destroyed, stamp;
	uint32_t driver, timeline;
	int32_t error, signaler, poller;
	enum fw_context signaled_in;
	uint32_t kernel_waits, polls, poller_name;
	int64_t kernel_wait_ns, poll_ns, longest_poll;
	uint64_t array_context, array_seqno, last_context, last_seqno;
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
	struct fw_map waits; /* kernel waits under way: thread and fence -> start */
	uint32_t n, free, oldest, newest; /* index + 1 */
	uint32_t unbound, detached, signaled_timeline; /* names that say nothing */
};

void fw_fences_init(struct fw_fences *f, struct fw_names *names, struct fw_health *health);
/* The fence of that identity, or NULL. */
struct fw_fence *fw_fences_find(struct fw_fences *f, uint64_t context, uint64_t seqno);
/* @tid, called @name, has waited for it by poll() from @start to @end. */
void fw_fences_polled(struct fw_fences *f, uint64_t context, uint64_t seqno, int32_t tid,
		      struct fw_str name, int64_t start, int64_t end);
/* One event on fences; other types are ignored. */
void fw_fences_feed(struct fw_fences *f, const struct fw_event *ev);
/* Retire all, oldest first, and free the memory. */
void fw_fences_finish(struct fw_fences *f);

#endif
