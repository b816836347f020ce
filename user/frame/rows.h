/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_ROWS_H
#define FW_FRAME_ROWS_H

#include "base/health.h"
#include "base/row.h"
#include "frame/columns.h"
#include "frame/gpu.h"
#include "frame/join.h"
#include "frame/match.h"

/**
 * struct fw_row_context - what every row is made with
 * @first_ts: the recording's first event: times in ms count from it
 * @irq_seen, @fences_seen, @marks_seen: the recording has such events at all
 */
struct fw_row_context {
	struct fw_names *names;
	const struct fw_directory *directory;
	int64_t first_ts;
	bool irq_seen, fences_seen, polls_seen; /* so far */
	bool marks_seen[2];
};

/* Fill all cells of a row of the frames table. */
void fw_frames_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		     const struct fw_join *j, struct fw_cell cells[FW_C_FRAMES_COUNT]);
void fw_threads_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		      const struct fw_window *w, struct fw_cell cells[FW_C_THREADS_COUNT]);
void fw_intervals_cells(const struct fw_row_context *rc, const struct fw_frame *f,
			const struct fw_window *w, const struct fw_part *part,
			struct fw_cell cells[FW_C_INTERVALS_COUNT]);
void fw_gpu_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		  const struct fw_gpu_name *n, const struct fw_gpu_sum *s,
		  struct fw_cell cells[FW_C_GPU_COUNT]);
/* One of @f and @e may be NULL. */
void fw_fences_cells(const struct fw_row_context *rc, const struct fw_fence *f,
		     const struct fw_fence_event *e, struct fw_cell cells[FW_C_FENCES_COUNT]);
/* All counters that are not zero. */
int fw_health_emit(const struct fw_health *h, struct fw_sink *sink);

#endif
