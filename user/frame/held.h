/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_HELD_H
#define FW_FRAME_HELD_H

#include "frame/directory.h"
#include "frame/window.h"

/*
 * Parts of windows that may get no rows: of a frame whose end has not come, which may never come,
 * or of a thread whose role its name has not told yet. The whole store has a bound. Past it the
 * window that has held parts longest loses them, and has no more: a frame that never ends is older
 * than those that do.
 */
#define FW_HELD_MAX 65536u /* parts of all windows, as allocated */

struct fw_held;

/**
 * struct fw_held_parts - the store; zero-initialise with the first four fields set
 * @row: gets each part that is released
 */
struct fw_held_parts {
	const struct fw_directory *directory;
	struct fw_names *names;
	void (*row)(void *ctx, const struct fw_window *w, const struct fw_part *part);
	void *ctx;
	struct fw_held *first, *last; /* by their first part's coming */
	uint32_t n;
};

/* Keep a copy of @part; @w->parts_lost is set when the store has no room for its window. */
void fw_held_add(struct fw_held_parts *hs, struct fw_window *w, const struct fw_part *part);
/* Give the parts of @w to row(), in order. */
void fw_held_release(struct fw_held_parts *hs, struct fw_window *w);
/* Forget them. */
void fw_held_drop(struct fw_held_parts *hs, struct fw_window *w);

#endif
