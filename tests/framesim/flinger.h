/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_FLINGER_H
#define FW_FRAMESIM_FLINGER_H

#include "../gen/sf.h"
#include "fence.h"
#include "framesim.h"

/* SurfaceFlinger's own parts: what it shows, and what it writes of it. */
#define SHOWN_MAX 8

/**
 * struct display - what SurfaceFlinger makes at one vsync
 * @committed: its part of the work was done
 * @present: the present fence signaled; 0 not yet
 * @slow, @hwc_slow: ns injected, as measured; -1 not
 */
struct display {
	int64_t token, period, expected_start, expected_present, start, committed, present;
	struct fence present_fence;
	bool client_composition, shown_late, on_time;
	int present_type, jank;
	float late_ms;
	int64_t slow, hwc_slow;
	struct frame frames[SHOWN_MAX]; /* latched or dropped */
	int n;
};

/* timeline.c: who was late, by FrameTimeline's rules */
void classify_display(struct display *d, int64_t present_before);
/* @latched_before: when the layer's frame before was latched */
void classify_frame(struct frame *f, const struct display *d, int64_t latched_before);
/* What FrameTimeline says of when the app's work began and ended. */
int64_t actual_start(const struct frame *f);
int64_t actual_end(const struct frame *f);

/* stream.c: what goes to Perfetto, from any of SurfaceFlinger's threads */
void stream_open(void);
/* Something of a buffer happened at @ts. Writes first what is pending of the same buffer. */
void stream_buffer(const struct frame *f, enum sf_buffer_event type, int64_t ts);
/* The same when @fence signals: now, or with the buffer's next event. */
void stream_fence(const struct frame *f, enum sf_buffer_event type, const struct fence *fence);
/* A display frame and its surface frames are presented; also tells the truth of them. */
void stream_presented(const struct display *d);
/* All is presented: write the rest. */
void stream_close(void);

/* truth.c */
void truth_open(void);
void truth_tell(const struct display *d);
void truth_close(void);

#endif
