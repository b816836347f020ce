/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_FRAME_TRACER_H
#define FW_MODEL_FRAME_TRACER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "base/row.h"
#include "input/event.h"
#include "model/slices.h"

/*
 * FrameTracer: the life of each buffer of a layer, and the phases between its events
 * (graphics_frame_event_parser.cc, v57.2).
 */
enum fw_phase {
	FW_PHASE_NONE, /* the event itself */
	FW_PHASE_APP, /* dequeue to queue: the app holds the buffer */
	FW_PHASE_GPU, /* queue to acquire fence: its producer still writes */
	FW_PHASE_SF, /* latch to present */
	FW_PHASE_DISPLAY, /* present to the layer's next present */
};

/**
 * struct fw_buffer_slice - one event of a buffer, or one phase
 * @dur: ns; a phase that never ended: FW_SLICE_OPEN
 * @type: FW_PHASE_NONE: enum fw_gfx_type, -1 not known
 * @layer: in names, 0 not recorded
 * @name: a phase's name: its frame number, or where that was not known yet, its time
 */
struct fw_buffer_slice {
	int64_t ts, dur;
	uint64_t seq;
	enum fw_phase phase;
	int32_t type;
	uint32_t buffer_id, layer, frame_number;
	int64_t name;
};

/**
 * struct fw_frame_tracer - the tracker
 * @tp_keys: tell buffers apart as trace_processor does, by the digits of the buffer's id directly
 *	followed by the layer's name, so that 1 of "2x" and 12 of "x" are one
 * @done: gets each slice once, when its end is known
 */
struct fw_frame_tracer {
	struct fw_names *names;
	struct fw_health *health;
	bool tp_keys;
	void (*done)(void *ctx, const struct fw_buffer_slice *s);
	void *ctx;

	uint64_t seq;
	struct fw_slices slices;
	struct fw_map buffers; /* buffer id and layer -> struct gfx_buffer */
	struct fw_map states; /* key -> struct gfx_state */
	struct fw_map displays; /* layer -> struct fw_track */
	struct fw_rowbuf key;
};

void fw_frame_tracer_init(struct fw_frame_tracer *g, struct fw_names *names,
			  struct fw_health *health);
void fw_frame_tracer_feed(struct fw_frame_tracer *g, const struct fw_event *ev);
void fw_frame_tracer_finish(struct fw_frame_tracer *g);

/* "Dequeue", "AcquireFenceSignaled", ...; "unknown_event" for other numbers. */
struct fw_str fw_gfx_type_text(int32_t type);

#endif
