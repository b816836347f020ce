/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_LATENCY_H
#define FW_FRAME_LATENCY_H

#include "frame/join.h"
#include "frame/side.h"

/*
 * Rows of SurfaceFlinger --latency beside the frames of a recording. Both are told by the same
 * fences: the actual present is the end of the display frame that showed the frame, and the ready
 * time the end of the frame itself. A row of the frame's layer that is right on one of the two
 * within the clocks' bound is the frame's (exact); failing that the one within 1 ms (near). A
 * table without a layer's name goes by the ready time alone, since one present shows many layers.
 * A row that several dumps hold counts once.
 */
struct fw_latency_join;

/* Return: 0 and *@out, or a negative errno with fw_fail() set. */
int fw_latency_join_load(const char *path, struct fw_input *in, struct fw_health *health,
			 struct fw_latency_join **out);
void fw_latency_join_free(struct fw_latency_join *j);

/**
 * struct fw_latency_match - the row of a frame; the rest is set for EXACT and NEAR
 * @distance: of the time that matched, from the frame's
 * @desired, @actual, @ready: on the recording's axis; FW_SIDE_UNKNOWN
 */
struct fw_latency_match {
	enum fw_side_match match;
	uint32_t n;
	int64_t distance, desired, actual, ready;
};

/* @layer: the frame's, without "TX - ". Return: 0, or a negative errno with fw_fail() set. */
int fw_latency_join_find(struct fw_latency_join *l, const struct fw_frame *f,
			 const struct fw_join *join, struct fw_str layer,
			 struct fw_latency_match *m);

#endif
