/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_SF_H
#define FW_GEN_SF_H

#include "rec.h"

/* What SurfaceFlinger writes: FrameTracer on CLOCK_MONOTONIC, FrameTimeline on CLOCK_BOOTTIME. */

enum sf_buffer_event {
	SF_DEQUEUE = 1,
	SF_QUEUE = 2,
	SF_ACQUIRE_FENCE = 4,
	SF_LATCH = 5,
	SF_HWC_QUEUED = 6,
	SF_FALLBACK = 7,
	SF_PRESENT_FENCE = 8,
};

/* jank_type bits */
#define JANK_NONE 1
#define JANK_SF_SCHEDULING 2
#define JANK_DISPLAY_HAL 8
#define JANK_SF_CPU 16
#define JANK_SF_GPU 32
#define JANK_APP 64
#define JANK_STUFFING 128
#define JANK_SF_STUFFING 512
#define JANK_DROPPED 1024

/* present_type */
enum { PRESENT_ON_TIME = 1, PRESENT_LATE = 2, PRESENT_DROPPED = 4, PRESENT_UNKNOWN = 5 };

/* latched_fence_state */
enum { LATCHED_SIGNALED = 1, LATCHED_UNSIGNALED = 2 };

struct sf_layer {
	const char *name; /* as FrameTracer has it; FrameTimeline puts "TX - " before it */
	int pid;
	uint32_t buffer_id; /* of the first of its buffers */
};

/**
 * struct sf_frame - one frame of a layer, all times on CLOCK_BOOTTIME
 * @expired: its prediction is not known any more, and not written
 */
struct sf_frame {
	const struct sf_layer *layer;
	int64_t token, display_token;
	int64_t expected_start, expected_end, start, end;
	int present_type, jank;
	bool on_time, gpu_composition, expired;
	float late_ms;
	int latched_fence; /* LATCHED_*, 0 is not written */
};

struct sf_display {
	int64_t token;
	int64_t expected_start, expected_end, start, end;
	int present_type, jank;
	bool on_time, gpu_composition;
	float late_ms;
};

/* @ts is on CLOCK_BOOTTIME here too. */
void sf_buffer(struct rec *r, int64_t ts, enum sf_buffer_event type, const struct sf_layer *layer,
	       uint32_t buffer_id, uint32_t frame_number);
/* Four packets each: expected and actual, start and end. */
void sf_trace_display(struct rec *r, const struct sf_display *d, int64_t *cookie);
void sf_trace_frame(struct rec *r, const struct sf_frame *f, int64_t *cookie);

#endif
