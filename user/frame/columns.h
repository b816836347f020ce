/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_COLUMNS_H
#define FW_FRAME_COLUMNS_H

#include "base/row.h"

/*
 * Each column of the frame tables is defined once, in columns.def: the header of every output,
 * "framewait columns" and the documentation come from there, and rows are filled by the names
 * below. A column never changes its meaning; adding one raises the version.
 */
#define FW_SCHEMA_VERSION 4

enum fw_frame_table {
	FW_FRAMES,
	FW_THREADS,
	FW_FENCES,
	FW_INTERVALS,
	FW_GPU,
	FW_ANIMATIONS,
	FW_HEALTH,
	FW_RECORDING,
	FW_FRAME_TABLES
};

#define COLUMN(name, unit, type, meaning, source, empty) FW_C_FRAMES_##name,
#define FRAMES_TABLE
enum fw_frames_column {
#include "frame/columns.def"
	FW_C_FRAMES_COUNT
};
#undef FRAMES_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_THREADS_##name,
#define THREADS_TABLE
enum fw_threads_column {
#include "frame/columns.def"
	FW_C_THREADS_COUNT
};
#undef THREADS_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_FENCES_##name,
#define FENCES_TABLE
enum fw_fences_column {
#include "frame/columns.def"
	FW_C_FENCES_COUNT
};
#undef FENCES_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_INTERVALS_##name,
#define INTERVALS_TABLE
enum fw_intervals_column {
#include "frame/columns.def"
	FW_C_INTERVALS_COUNT
};
#undef INTERVALS_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_GPU_##name,
#define GPU_TABLE
enum fw_gpu_column {
#include "frame/columns.def"
	FW_C_GPU_COUNT
};
#undef GPU_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_ANIMATIONS_##name,
#define ANIMATIONS_TABLE
enum fw_animations_column {
#include "frame/columns.def"
	FW_C_ANIMATIONS_COUNT
};
#undef ANIMATIONS_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_HEALTH_##name,
#define HEALTH_TABLE
enum fw_health_column {
#include "frame/columns.def"
	FW_C_HEALTH_COUNT
};
#undef HEALTH_TABLE

#undef COLUMN
#define COLUMN(name, unit, type, meaning, source, empty) FW_C_RECORDING_##name,
#define RECORDING_TABLE
enum fw_recording_column {
#include "frame/columns.def"
	FW_C_RECORDING_COUNT
};
#undef RECORDING_TABLE
#undef COLUMN

/* The figures of one thread in one window, in the order in which columns.def has them. */
enum fw_figure {
	FW_FIG_RUNNING,
	FW_FIG_RUNNABLE,
	FW_FIG_PREEMPTED,
	FW_FIG_SLEEPING,
	FW_FIG_BLOCKED_IO,
	FW_FIG_BLOCKED_NONIO,
	FW_FIG_BLOCKED_UNKNOWN,
	FW_FIG_OTHER,
	FW_FIG_UNOBSERVED,
	FW_FIG_IRQ,
	FW_FIG_SOFTIRQ,
	FW_FIG_LONGEST_WAIT,
	FW_FIG_SWITCHES,
	FW_FIG_WAKES,
	FW_FIG_TOP_FUNCTION,
	FW_FIG_TOP_FUNCTION_MS,
	FW_FIG_TOP_WAKER_TID,
	FW_FIG_TOP_WAKER,
	FW_FIG_FENCE_WAIT,
	FW_FIG_TOP_FENCE_DRIVER,
	FW_FIG_TOP_FENCE_TIMELINE,
	FW_FIG_TOP_FENCE_CONTEXT,
	FW_FIG_TOP_FENCE_SEQNO,
	FW_FIG_TOP_FENCE_MS,
	FW_FIG_TOP_SLEEP_FUNCTION,
	FW_FIG_TOP_SLEEP_FUNCTION_MS,
	FW_FIG_TOP_WAKER_OWN,
	FW_FIGURES
};

/* The frames table has tid, threads and then the figures for each role, in the order of enum fw_role. */
#define FW_C_FRAMES_ROLE_TID(role)                                                                 \
	((int)FW_C_FRAMES_ui_tid + (int)(role) * (FW_C_FRAMES_render_tid - FW_C_FRAMES_ui_tid))
#define FW_C_FRAMES_FIGURE(role, figure) (FW_C_FRAMES_ROLE_TID(role) + 2 + (int)(figure))

const struct fw_table *fw_frame_table(enum fw_frame_table t);
/* By name; NULL when there is none. */
const struct fw_table *fw_frame_table_find(const char *name);

#endif
