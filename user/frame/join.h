/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_JOIN_H
#define FW_FRAME_JOIN_H

#include "frame/buffers.h"
#include "frame/frames.h"
#include "frame/vsync_marks.h"

/*
 * What belongs to a frame: its prediction by process and token, its display frame by display
 * token, its buffer by layer and time, its marks by process and vsync id. A token is never
 * compared with a frame number: they count different things.
 */

/*
 * SurfaceFlinger writes FrameTimeline on BOOTTIME by its own offset, FrameTracer on MONOTONIC,
 * which the recording converts. The two agree within 1 us on a real Android 15 device.
 */
#define FW_JOIN_BOUND_NS 10000

enum fw_buffer_match {
	FW_BUFFER_NONE,
	FW_BUFFER_EXACT, /* ready when the frame ended */
	FW_BUFFER_WINDOW, /* the only one of the layer in the window */
	FW_BUFFER_AMBIGUOUS,
};

const char *fw_buffer_match_name(enum fw_buffer_match m);

/**
 * struct fw_buffer_wanted - what is known of the frame whose buffer is wanted
 * @newest: the newest buffer of the layer when the frame ended
 * @dropped: SurfaceFlinger dropped the frame: it latched no buffer of it
 */
struct fw_buffer_wanted {
	uint64_t newest;
	int64_t start, end;
	bool dropped;
};

/**
 * fw_join_buffer() - the buffer of a frame
 * @n: set to how many fit by the rule that decided
 * @buffer: set for EXACT and WINDOW, else NULL
 */
enum fw_buffer_match fw_join_buffer(struct fw_buffers *b, const struct fw_buffer_wanted *wanted,
				    uint32_t *n, struct fw_buffer **buffer);

/**
 * struct fw_join - what was found; pointers are NULL where there is not exactly one
 * @asked_buffer: the frame has a buffer to look for
 */
struct fw_join {
	uint32_t n_expected, n_displays, n_buffers;
	const struct fw_expected *expected;
	struct fw_frame *displayed;
	bool asked_buffer;
	enum fw_buffer_match buffer_match;
	struct fw_buffer *buffer;
	const struct fw_expected *display_expected;
	int queue_depth; /* -1: not known */
	const struct fw_vsync_mark *marks[2];
};

/**
 * fw_join_frame() - look everything up for a settled frame
 * @tracer_seen: the recording has FrameTracer events
 * Return: 0, or -EPROTO when the display frame's times do not add up.
 */
int fw_join_frame(struct fw_frames *fs, struct fw_buffers *b, const struct fw_vsync_marks *marks,
		  bool tracer_seen, const struct fw_frame *f, struct fw_join *j);

#endif
