/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SIDE_FRAMESTATS_H
#define FW_INPUT_SIDE_FRAMESTATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/str.h"
#include "input/source.h"

/*
 * What "dumpsys gfxinfo PKG framestats" prints: for each process and window the last frames
 * between two lines "---PROFILEDATA---", a header and a row a frame, in ns of CLOCK_MONOTONIC.
 * The order of the columns differs by release, so they are read by name (FrameInfo.cpp of
 * Android 6 to 16).
 */
enum fw_framestats_kind {
	FW_FS_PLAIN, /* any number */
	FW_FS_ID, /* 0 and -1: none */
	FW_FS_TIME, /* 0: never came */
	FW_FS_SPAN, /* duration; 0: nothing was measured */
};

/* X(field, name in the dump, kind, column of ours, what it is) */
#define FW_FRAMESTATS_LIST(X)                                                                      \
	X(FLAGS, "Flags", PLAIN, flags, "not 0: a frame that is no measure of the app's speed")    \
	X(VSYNC_ID, "FrameTimelineVsyncId", ID, frame_timeline_vsync_id,                           \
	  "the frame's vsync id, the surface_token of frames")                                     \
	X(INTENDED_VSYNC, "IntendedVsync", TIME, intended_vsync_ns, "when the frame should start") \
	X(VSYNC, "Vsync", TIME, vsync_ns, "the vsync that the frame used")                         \
	X(OLDEST_INPUT, "OldestInputEvent", TIME, oldest_input_event_ns,                           \
	  "oldest input event of the frame")                                                       \
	X(NEWEST_INPUT, "NewestInputEvent", TIME, newest_input_event_ns,                           \
	  "newest input event of the frame")                                                       \
	X(INPUT_ID, "InputEventId", ID, input_event_id, "input event of the frame")                \
	X(INPUT_START, "HandleInputStart", TIME, handle_input_start_ns, "input is handled")        \
	X(ANIMATION_START, "AnimationStart", TIME, animation_start_ns, "animations run")           \
	X(TRAVERSALS_START, "PerformTraversalsStart", TIME, perform_traversals_start_ns,           \
	  "layout and measure")                                                                    \
	X(DRAW_START, "DrawStart", TIME, draw_start_ns, "views are drawn")                         \
	X(DEADLINE, "FrameDeadline", TIME, frame_deadline_ns, "when it had to be done")            \
	X(START_TIME, "FrameStartTime", TIME, frame_start_time_ns, "when work on it began")        \
	X(INTERVAL, "FrameInterval", SPAN, frame_interval_ns, "refresh interval")                  \
	X(WORKLOAD, "WorkloadTarget", SPAN, workload_target_ns, "time that its work may take")     \
	X(SYNC_QUEUED, "SyncQueued", TIME, sync_queued_ns, "given to RenderThread")                \
	X(SYNC_START, "SyncStart", TIME, sync_start_ns, "RenderThread takes it over")              \
	X(ISSUE_DRAW, "IssueDrawCommandsStart", TIME, issue_draw_commands_start_ns,                \
	  "drawing commands are issued")                                                           \
	X(SWAP, "SwapBuffers", TIME, swap_buffers_ns, "buffers are swapped")                       \
	X(COMPLETED, "FrameCompleted", TIME, frame_completed_ns, "all of it is done")              \
	X(DEQUEUE, "DequeueBufferDuration", SPAN, dequeue_buffer_duration_ns,                      \
	  "time in dequeueBuffer")                                                                 \
	X(QUEUE, "QueueBufferDuration", SPAN, queue_buffer_duration_ns, "time in queueBuffer")     \
	X(GPU_COMPLETED, "GpuCompleted", TIME, gpu_completed_ns, "the GPU is done")                \
	X(SWAP_COMPLETED, "SwapBuffersCompleted", TIME, swap_buffers_completed_ns,                 \
	  "swapping is done")                                                                      \
	X(PRESENT, "DisplayPresentTime", TIME, display_present_time_ns, "on the screen")           \
	X(SUBMISSION, "CommandSubmissionCompleted", TIME, command_submission_completed_ns,         \
	  "commands are with the GPU")

enum fw_framestats_field {
#define X(field, name, kind, column, what) FW_FS_##field,
	FW_FRAMESTATS_LIST(X)
#undef X
		FW_FS_FIELDS
};

#define FW_FS_UNKNOWN INT64_MIN

/**
 * struct fw_framestats_row - one frame; texts live until the next call
 * @pid: -1: the dump does not say
 * @block: number of its "---PROFILEDATA---" block in the file, from 1
 * @value: FW_FS_UNKNOWN: no such column, or pending
 * @other: columns of no known name as "Name=value ...", absent: none
 * @stale_present: DisplayPresentTime was that of an earlier frame and is not taken: HWUI uses its
 *	records again and fills that field last
 */
struct fw_framestats_row {
	int32_t pid;
	struct fw_str process, window, other;
	uint64_t line, block;
	int64_t value[FW_FS_FIELDS];
	bool stale_present;
};

struct fw_framestats;

/* Is this line one that only such a dump has? */
bool fw_framestats_probe(struct fw_str line);

/* Takes @src over, also where it fails. Return: 0, or a negative errno with fw_fail() set. */
int fw_framestats_open(struct fw_source *src, struct fw_health *health, struct fw_framestats **out);
void fw_framestats_close(struct fw_framestats *f);
/* Return: 1 and *@row, 0 at the end, or a negative errno with fw_fail() set. */
int fw_framestats_next(struct fw_framestats *f, const struct fw_framestats_row **row);

#endif
