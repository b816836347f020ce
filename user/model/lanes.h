/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_LANES_H
#define FW_MODEL_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "model/slices.h"

/*
 * Slices that overlap, told apart by a cookie, laid out on as few tracks as it takes
 * (track_compressor.cc, v57.2): a cookie gets the track that it had last, else the first one
 * where nothing is open, else a new one.
 */
struct fw_lane {
	struct fw_track track;
	int64_t cookie;
	uint32_t nest; /* slices begun and not ended */
	bool queued; /* stands in the heap of free lanes */
};

/**
 * struct fw_lanes - the tracks of one thing; zero-initialise
 * @unnestable: a cookie that begins again before it ended begins nothing
 * @owner, @kind: given to each track
 */
struct fw_lanes {
	uint64_t owner;
	uint32_t kind;
	bool unnestable;
	struct fw_lane **lanes;
	uint32_t n, cap;
	struct fw_map by_cookie;
	uint32_t *free_heap; /* lanes that may be free, the lowest number first */
	uint32_t n_free, free_cap;
	uint32_t n_open; /* lanes with nest > 0 */
};

/* The track on which a slice of this cookie begins, or ends. */
struct fw_track *fw_lanes_begin(struct fw_lanes *l, int64_t cookie);
struct fw_track *fw_lanes_end(struct fw_lanes *l, int64_t cookie);

/* Nothing is open and nothing is on a stack: forgetting the lanes changes no answer. */
bool fw_lanes_idle(const struct fw_lanes *l);

/* Hand on all that is left, and free the memory. */
void fw_lanes_finish(struct fw_lanes *l, struct fw_slices *sl);

#endif
