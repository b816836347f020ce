/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_FRAMESTATS_H
#define FW_FRAME_FRAMESTATS_H

#include "frame/frames.h"
#include "frame/side.h"

/*
 * Rows of gfxinfo framestats beside the frames of a recording. FrameTimelineVsyncId is the
 * surface token, so that a row of the same process with that id is the frame's (exact); where rows
 * have no id (before Android 12), the one that began when the frame did (near): FrameStartTime is
 * what the app gave SurfaceFlinger as the actual start. A row that several dumps hold counts once,
 * as the last one has it.
 */
struct fw_framestats_join;

/* A row of the same id that began further away is one of another boot. */
#define FW_FRAMESTATS_SAME_NS INT64_C(1000000000)

/* Return: 0 and *@out, or a negative errno with fw_fail() set. */
int fw_framestats_join_load(const char *path, struct fw_input *in, struct fw_health *health,
			    struct fw_framestats_join **out);
void fw_framestats_join_free(struct fw_framestats_join *j);

/**
 * struct fw_framestats_match - the row of a frame; the rest is set for EXACT and NEAR
 * @distance: from the frame's start to the row's; FW_SIDE_UNKNOWN
 * @present: on the recording's axis; FW_SIDE_UNKNOWN, as each of the others may be
 */
struct fw_framestats_match {
	enum fw_side_match match;
	uint32_t n;
	int64_t distance, flags, total, deadline_delta, dequeue, queue, present;
};

/* @layer: the frame's, without "TX - ". Return: 0, or a negative errno with fw_fail() set. */
int fw_framestats_join_find(struct fw_framestats_join *j, const struct fw_frame *f,
			    struct fw_str layer, struct fw_framestats_match *m);

#endif
