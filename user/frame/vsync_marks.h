/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_VSYNC_MARKS_H
#define FW_FRAME_VSYNC_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "frame/mark_stack.h"
#include "input/event.h"

/*
 * The app's own work on a frame, by the marks that carry its vsync id, which is the surface
 * frame's token: "Choreographer#doFrame <id>" of the main thread, "DrawFrames <id>" (before
 * Android 13 "DrawFrame <id>") of the RenderThread.
 */
#define FW_VSYNC_MARKS_MAX 8192u

enum fw_vsync_mark_kind { FW_MARK_DO_FRAME, FW_MARK_DRAW_FRAMES };

/**
 * struct fw_vsync_mark - the marks of one kind of one frame
 * @start: of the first one
 * @ns: sum of those that have an end
 * @open: number of those that have none
 */
struct fw_vsync_mark {
	int32_t pid;
	enum fw_vsync_mark_kind kind;
	int64_t token, start, ns;
	uint32_t count, open;
};

/**
 * struct fw_frame_ids - which frame a mark is of; zero-initialise, release the map
 *
 * Before Android 11 the marks carry no id. A "Choreographer#doFrame" alone is then a frame of its
 * own, and a "DrawFrame" alone is of the frame that its process began last. Their tokens are
 * negative: they are nobody's vsync id.
 */
struct fw_frame_ids {
	struct fw_map last; /* pid to the token of its last frame without an id */
};

/**
 * fw_frame_mark() - the frame that a mark begins or goes on with
 * @ts: when the mark begins
 * Return: the kind, or -1 for a mark of no frame.
 */
int fw_frame_mark(struct fw_frame_ids *ids, struct fw_str name, int32_t pid, int64_t ts,
		  int64_t *token);

/* Zero-initialise; release with fw_vsync_marks_free(). */
struct fw_vsync_marks {
	struct fw_frame_ids ids;
	struct fw_vsync_mark *ring;
	uint64_t n;
	struct fw_map by_key; /* to number in the ring */
	struct fw_mark_stacks stacks;
	bool seen[2]; /* any mark of the kind */
};

/* Is @name @prefix and a number, perhaps followed by a blank and something of the vendor's? */
bool fw_vsync_id(struct fw_str name, struct fw_str prefix, int64_t *id);

void fw_vsync_marks_free(struct fw_vsync_marks *m);
/* One FW_EV_MARK event. */
void fw_vsync_marks_feed(struct fw_vsync_marks *m, const struct fw_event *ev);
/* NULL: none seen, or forgotten. */
const struct fw_vsync_mark *fw_vsync_marks_find(const struct fw_vsync_marks *m,
						enum fw_vsync_mark_kind kind, int32_t pid,
						int64_t token);

#endif
