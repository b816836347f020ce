/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_SIDE_ROWS_H
#define FW_FRAME_SIDE_ROWS_H

#include "frame/framestats.h"
#include "frame/latency.h"
#include "frame/plans.h"
#include "frame/rows.h"

/**
 * struct fw_side_files - the names of the files beside a recording; NULL: not given
 */
struct fw_side_files {
	const char *framestats, *latency, *plans, *logcat;
};

/* What was read of them. Zero-initialise; release with fw_side_joins_free(). */
struct fw_side_joins {
	struct fw_framestats_join *framestats;
	struct fw_latency_join *latency;
	struct fw_plans_join *plans;
};

/**
 * fw_side_joins_load() - read the files
 * @in: opened; its clocks place their times
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_side_joins_load(struct fw_side_joins *s, const struct fw_side_files *files,
		       struct fw_input *in, struct fw_health *health);
void fw_side_joins_free(struct fw_side_joins *s);

/**
 * fw_side_cells() - fill the cells of a frame's row that come from side files
 * @fs: has the display frame's prediction
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_side_cells(struct fw_side_joins *s, const struct fw_row_context *rc,
		  const struct fw_frames *fs, const struct fw_frame *f, const struct fw_join *j,
		  struct fw_cell *cells);

#endif
