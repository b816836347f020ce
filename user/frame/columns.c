// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/columns.h"

#include "base/mem.h"

#define COLUMN(name, unit, type, meaning, source, empty)                                           \
	{ #name, unit, type, meaning, source, empty },

#define FRAMES_TABLE
static const struct fw_column frames_columns[] = {
#include "frame/columns.def"
};
#undef FRAMES_TABLE

#define THREADS_TABLE
static const struct fw_column threads_columns[] = {
#include "frame/columns.def"
};
#undef THREADS_TABLE

#define FENCES_TABLE
static const struct fw_column fences_columns[] = {
#include "frame/columns.def"
};
#undef FENCES_TABLE

#define INTERVALS_TABLE
static const struct fw_column intervals_columns[] = {
#include "frame/columns.def"
};
#undef INTERVALS_TABLE

#define GPU_TABLE
static const struct fw_column gpu_columns[] = {
#include "frame/columns.def"
};
#undef GPU_TABLE

#define ANIMATIONS_TABLE
static const struct fw_column animations_columns[] = {
#include "frame/columns.def"
};
#undef ANIMATIONS_TABLE

#define HEALTH_TABLE
static const struct fw_column health_columns[] = {
#include "frame/columns.def"
};
#undef HEALTH_TABLE

#define RECORDING_TABLE
static const struct fw_column recording_columns[] = {
#include "frame/columns.def"
};
#undef RECORDING_TABLE
#undef COLUMN

static const int frames_order[] = {
	FW_C_FRAMES_actual_start_ns,
	FW_C_FRAMES_kind,
	FW_C_FRAMES_pid,
	FW_C_FRAMES_layer,
	FW_C_FRAMES_surface_token,
	FW_C_FRAMES_display_token,
	FW_C_FRAMES_actual_end_ns,
	-1,
};

static const int threads_order[] = {
	FW_C_THREADS_actual_start_ns,
	FW_C_THREADS_kind,
	FW_C_THREADS_pid,
	FW_C_THREADS_layer,
	FW_C_THREADS_surface_token,
	FW_C_THREADS_display_token,
	FW_C_THREADS_role,
	FW_C_THREADS_tid,
	-1,
};

static const int intervals_order[] = {
	FW_C_INTERVALS_actual_start_ns,
	FW_C_INTERVALS_kind,
	FW_C_INTERVALS_pid,
	FW_C_INTERVALS_layer,
	FW_C_INTERVALS_surface_token,
	FW_C_INTERVALS_display_token,
	FW_C_INTERVALS_role,
	FW_C_INTERVALS_tid,
	FW_C_INTERVALS_start_ns,
	-1,
};

static const int gpu_order[] = {
	FW_C_GPU_actual_start_ns,
	FW_C_GPU_kind,
	FW_C_GPU_pid,
	FW_C_GPU_layer,
	FW_C_GPU_surface_token,
	FW_C_GPU_display_token,
	FW_C_GPU_source,
	FW_C_GPU_gpu,
	FW_C_GPU_name,
	FW_C_GPU_id,
	FW_C_GPU_owner_pid,
	-1,
};

static const int fences_order[] = {
	FW_C_FENCES_event_ns, FW_C_FENCES_event,   FW_C_FENCES_layer, FW_C_FENCES_signaled_ms,
	FW_C_FENCES_init_ms,  FW_C_FENCES_context, FW_C_FENCES_seqno, -1,
};

static const int animations_order[] = {
	FW_C_ANIMATIONS_start_ns, FW_C_ANIMATIONS_end_ns,
	FW_C_ANIMATIONS_source,	  FW_C_ANIMATIONS_pid,
	FW_C_ANIMATIONS_id,	  FW_C_ANIMATIONS_log_begin,
	FW_C_ANIMATIONS_log_end,  -1,
};

static const struct fw_table tables[FW_FRAME_TABLES] = {
	[FW_FRAMES] = { "frames", "one frame of a layer or of the screen", frames_columns,
			ARRAY_SIZE(frames_columns), frames_order },
	[FW_THREADS] = { "threads", "one thread in the window of one frame", threads_columns,
			 ARRAY_SIZE(threads_columns), threads_order },
	[FW_FENCES] = { "fences", "one fence event of a frame, or one kernel fence without one",
			fences_columns, ARRAY_SIZE(fences_columns), fences_order },
	[FW_INTERVALS] = { "intervals", "one state of one thread in the window of one frame",
			   intervals_columns, ARRAY_SIZE(intervals_columns), intervals_order },
	[FW_GPU] = { "gpu", "one GPU counter, stage, queue or context in the window of one frame",
		     gpu_columns, ARRAY_SIZE(gpu_columns), gpu_order },
	[FW_ANIMATIONS] = { "animations", "one animation, by its section or the log",
			    animations_columns, ARRAY_SIZE(animations_columns), animations_order },
	[FW_HEALTH] = { "health", "one counter of what was lost, refused or not understood",
			health_columns, ARRAY_SIZE(health_columns), NULL },
	[FW_RECORDING] = { "recording", "one fact about the recording", recording_columns,
			   ARRAY_SIZE(recording_columns), NULL },
};

const struct fw_table *fw_frame_table(enum fw_frame_table t)
{
	return &tables[t];
}

const struct fw_table *fw_frame_table_find(const char *name)
{
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		if (!strcmp(name, tables[t].name))
			return &tables[t];
	return NULL;
}
