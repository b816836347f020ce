/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_MATCH_H
#define FW_FRAME_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "model/fence.h"

/*
 * Which kernel fence a frame waited for, by time: SurfaceFlinger reports a fence's signal time as
 * the largest timestamp_ns of the sync_file, the kernel's own stamp. A recording made by ftrace
 * knows only when dma_fence_signaled was written, a few microseconds after that stamp.
 */
#define FW_MATCH_NEAR_NS 20000 /* event after stamp: 1.3 to 4.6 us on a real Android 15 device */

enum fw_match_quality {
	FW_MATCH_NONE,
	FW_MATCH_EXACT, /* the fence's own stamp is the signal time */
	FW_MATCH_NEAR, /* one fence signaled within the bound after it */
	FW_MATCH_CONTEXT, /* several did; one is of the context of this layer's last match */
	FW_MATCH_AMBIGUOUS, /* several did */
};

const char *fw_match_quality_name(enum fw_match_quality q);

/**
 * struct fw_fence_match - the answer; identity is set for EXACT, NEAR and CONTEXT
 * @candidates: fences that could be it
 * @distance: ns from the signal time to the kernel's event
 * @init_to_signal: ns; -1 where the init was not seen
 */
struct fw_fence_match {
	uint8_t quality; /* enum fw_match_quality */
	bool found;
	uint32_t candidates;
	int64_t distance;
	uint64_t context, seqno;
	uint32_t driver, timeline;
	int64_t init_to_signal;
};

enum fw_fence_use { FW_FENCE_ACQUIRE, FW_FENCE_PRESENT };

/**
 * struct fw_fence_event - a fence of a buffer signaled, as SurfaceFlinger says
 * @buffer: the caller's number of the buffer's life
 */
struct fw_fence_event {
	int64_t ts;
	enum fw_fence_use use;
	uint32_t layer, buffer_id, frame_number;
	uint64_t buffer;
	struct fw_fence_match match;
	struct fw_fence_event *next; /* of the same fence */
};

/**
 * struct fw_matcher - waits for the kernel's event of each signal time
 * @resolved: gets each event once its match is decided
 * @row: gets each fence that is forgotten, once for each event that it matched (@f and @e), or
 *	alone (@e NULL), and each event without a fence (@f NULL)
 */
struct fw_matcher {
	void (*resolved)(void *ctx, const struct fw_fence_event *e);
	void (*row)(void *ctx, const struct fw_fence *f, const struct fw_fence_event *e);
	void *ctx;
	bool fences_seen;

	struct fw_match_pending *pending; /* by time */
	uint32_t n, cap;
	struct fw_map contexts; /* layer and use -> context of the last sure match */
};

void fw_matcher_free(struct fw_matcher *m);
void fw_matcher_expect(struct fw_matcher *m, const struct fw_fence_event *e);
/* To be called from struct fw_fences. */
void fw_matcher_signaled(struct fw_matcher *m, struct fw_fence *f);
void fw_matcher_retired(struct fw_matcher *m, struct fw_fence *f);
/* Decide what no event at or after @now can change; INT64_MAX decides everything. */
void fw_matcher_advance(struct fw_matcher *m, int64_t now);

#endif
