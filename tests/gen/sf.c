// SPDX-License-Identifier: GPL-2.0-or-later
#include "sf.h"

#include <stdio.h>

void sf_buffer(struct rec *r, int64_t ts, enum sf_buffer_event type, const struct sf_layer *layer,
	       uint32_t buffer_id, uint32_t frame_number)
{
	struct pw *w = rec_begin_at(r, SEQ_FRAME_TRACER, ts - r->mono_behind, CLOCK_ID_MONOTONIC);
	size_t frame = pw_begin(w, PKT_GRAPHICS_FRAME), event = pw_begin(w, 1);

	pw_int(w, 5, buffer_id);
	pw_int(w, 1, frame_number);
	pw_int(w, 2, type);
	pw_str(w, 3, layer->name);
	pw_end(w, event);
	pw_end(w, frame);
	rec_end(r);
}

/* FrameTimelineEvent's members */
enum { EXPECTED_DISPLAY = 1, ACTUAL_DISPLAY, EXPECTED_SURFACE, ACTUAL_SURFACE, FRAME_END };

enum { PREDICTION_VALID = 1, PREDICTION_EXPIRED };

/* Field numbers differ between surface and display frames after the tokens. */
struct timeline {
	struct pw *w;
	size_t outer, inner;
};

static struct timeline begin(struct rec *r, int64_t ts, uint32_t member)
{
	struct timeline t = { .w = rec_begin_at(r, SEQ_FRAME_TIMELINE, ts, CLOCK_ID_BOOTTIME) };

	t.outer = pw_begin(t.w, PKT_FRAME_TIMELINE);
	t.inner = pw_begin(t.w, member);
	return t;
}

static void end(struct rec *r, struct timeline t)
{
	pw_end(t.w, t.inner);
	pw_end(t.w, t.outer);
	rec_end(r);
}

static void frame_end(struct rec *r, int64_t ts, int64_t cookie)
{
	struct timeline t = begin(r, ts, FRAME_END);

	pw_int(t.w, 1, cookie);
	end(r, t);
}

static int severity(int jank, float late_ms)
{
	if (jank == JANK_NONE)
		return 1;
	return late_ms < 12 ? 2 : 3;
}

void sf_trace_display(struct rec *r, const struct sf_display *d, int64_t *cookie)
{
	struct timeline t = begin(r, d->expected_start, EXPECTED_DISPLAY);

	pw_int(t.w, 1, ++*cookie);
	pw_int(t.w, 2, d->token);
	pw_int(t.w, 3, r->sf_pid);
	end(r, t);
	frame_end(r, d->expected_end, *cookie);

	t = begin(r, d->start, ACTUAL_DISPLAY);
	pw_int(t.w, 1, ++*cookie);
	pw_int(t.w, 2, d->token);
	pw_int(t.w, 3, r->sf_pid);
	pw_int(t.w, 4, d->present_type);
	pw_int(t.w, 5, d->on_time);
	pw_int(t.w, 6, d->gpu_composition);
	pw_int(t.w, 7, d->jank);
	pw_int(t.w, 8, PREDICTION_VALID);
	pw_int(t.w, 9, severity(d->jank, d->late_ms));
	pw_float(t.w, 10, d->late_ms);
	end(r, t);
	frame_end(r, d->end, *cookie);
}

static void surface_identity(struct pw *w, const struct sf_frame *f, int64_t cookie)
{
	char layer[256];

	snprintf(layer, sizeof(layer), "TX - %s", f->layer->name);
	pw_int(w, 1, cookie);
	pw_int(w, 2, f->token);
	pw_int(w, 3, f->display_token);
	pw_int(w, 4, f->layer->pid);
	pw_str(w, 5, layer);
}

static void expected_frame(struct rec *r, const struct sf_frame *f, int64_t *cookie)
{
	struct timeline t = begin(r, f->expected_start, EXPECTED_SURFACE);

	surface_identity(t.w, f, ++*cookie);
	end(r, t);
	frame_end(r, f->expected_end, *cookie);
}

void sf_trace_frame(struct rec *r, const struct sf_frame *f, int64_t *cookie)
{
	struct timeline t;

	if (!f->expired)
		expected_frame(r, f, cookie);
	t = begin(r, f->start, ACTUAL_SURFACE);
	surface_identity(t.w, f, ++*cookie);
	pw_int(t.w, 6, f->present_type);
	pw_int(t.w, 7, f->on_time);
	pw_int(t.w, 8, f->gpu_composition);
	pw_int(t.w, 9, f->jank);
	pw_int(t.w, 10, f->expired ? PREDICTION_EXPIRED : PREDICTION_VALID);
	pw_int(t.w, 11, 1); /* is_buffer */
	pw_int(t.w, 12, severity(f->jank, f->late_ms));
	pw_float(t.w, 13, f->late_ms);
	pw_float(t.w, 14, 0);
	if (f->latched_fence)
		pw_int(t.w, 19, f->latched_fence);
	end(r, t);
	frame_end(r, f->end, *cookie);
}
