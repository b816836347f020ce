/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_MARK_FRAMES_H
#define FW_FRAME_MARK_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "input/event.h"

/*
 * Frames of recordings without FrameTimeline, from trace marks: a frame begins with
 * "Choreographer#doFrame <id>" (or the mark that the user names) and ends when that mark and the
 * "DrawFrames <id>" of the same process have ended; fw_frame_mark() says which marks belong to it.
 * The marks are read once before the rest, so that each frame's end is known; then the frames come
 * as the events that SurfaceFlinger would have written, flagged FW_FT_FROM_MARKS.
 */
struct fw_mark_frames;

/* @name: absent, or a mark's name, alone or followed by a number; borrowed */
struct fw_mark_frames *fw_mark_frames_new(struct fw_str name);
/*
 * The marks come while frames are taken, ahead of them: an end is told when its time comes, and a
 * mark that begins after that belongs to no frame any more.
 */
void fw_mark_frames_live(struct fw_mark_frames *m);
void fw_mark_frames_free(struct fw_mark_frames *m);
/* First reading: FW_EV_MARK events in time order. Return: 0, or a negative errno. */
int fw_mark_frames_peek(struct fw_mark_frames *m, const struct fw_event *ev);
/* The first reading is over. */
int fw_mark_frames_finish(struct fw_mark_frames *m);
/* Processes that have frames: start with *@pos = 0. Return: false at the end. */
bool fw_mark_frames_next_pid(const struct fw_mark_frames *m, uint64_t *pos, int32_t *pid);
/**
 * fw_mark_frames_next() - starts and ends of frames up to @until, in time order
 * Return: 1 and *@ev, 0 when there is none yet, or a negative errno.
 */
int fw_mark_frames_next(struct fw_mark_frames *m, int64_t until, struct fw_event *ev);

#endif
