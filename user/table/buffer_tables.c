// SPDX-License-Identifier: GPL-2.0-or-later
/* buffer_tables - FrameTracer: frame-events, phases */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "table/run.h"

#define TRACER "FrameTracer"

/* trace_processor cuts names of tracks at these lengths. */
#define EVENT_TRACK_MAX 4095
#define PHASE_TRACK_MAX 1023

static struct fw_str layer_of(const struct fw_table_run *r, const struct fw_buffer_slice *s)
{
	return s->layer ? fw_names_str(r->model->names, s->layer) : FW_STR("");
}

static struct fw_str track_name(const struct fw_table_run *r, const struct fw_buffer_slice *s,
				char buf[EVENT_TRACK_MAX])
{
	static const char *const heads[] = {
		[FW_PHASE_NONE] = "Buffer: ",	 [FW_PHASE_APP] = "APP_",
		[FW_PHASE_GPU] = "GPU_",	 [FW_PHASE_SF] = "SF_",
		[FW_PHASE_DISPLAY] = "Display_",
	};
	size_t max = s->phase == FW_PHASE_NONE ? EVENT_TRACK_MAX : PHASE_TRACK_MAX, n, len;
	struct fw_str layer = layer_of(r, s);

	if (s->phase == FW_PHASE_DISPLAY)
		n = (size_t)snprintf(buf, max, "%s", heads[s->phase]);
	else
		n = (size_t)snprintf(buf, max, "%s%" PRIu32 " ", heads[s->phase], s->buffer_id);
	len = FW_MIN(layer.len, max - n);
	if (len)
		memcpy(buf + n, layer.p, len);
	return (struct fw_str){ buf, n + len };
}

static struct fw_cell layer_cell(const struct fw_table_run *r, const struct fw_buffer_slice *s)
{
	return s->layer ? fw_name_cell(r, s->layer) : fw_text(FW_STR("no_layer_name"));
}

/*
 * frame-events
 */
static const struct fw_column event_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when it happened, or the phase began; trace time", TRACER, NULL },
	{ "dur_ns", "ns", FW_INT, "of a phase; -1: no end was seen", TRACER, NULL },
	{ "track", "text", FW_TEXT, "\"Buffer: ID LAYER\", or the phase's track", TRACER, NULL },
	{ "event", "text", FW_TEXT,
	  "what happened to the buffer; of a phase the frame number, or its start where the number "
	  "was not known",
	  TRACER, NULL },
	{ "frame_number", "id", FW_INT, "the layer's frame number; 0: not known", TRACER, NULL },
	{ "layer_name", "text", FW_TEXT, "layer; \"no_layer_name\" where it has none", TRACER,
	  NULL },
};

static const struct fw_table event_table = {
	.name = "frame-events",
	.what = "an event of a buffer, or a phase between two",
	FW_COLUMNS(event_columns),
	.order = (const int[]){ 0, 2, 1, 3, 4, -1 },
};

static void add_event(void *ctx, const struct fw_buffer_slice *s)
{
	struct fw_table_run *r = ctx;
	char track[EVENT_TRACK_MAX], name[24];
	struct fw_str event;

	if (s->phase == FW_PHASE_NONE) {
		event = fw_gfx_type_text(s->type);
	} else {
		event.p = name;
		event.len = (size_t)snprintf(name, sizeof(name), "%" PRId64, s->name);
	}
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_int(s->dur),
			     fw_text(track_name(r, s, track)),
			     fw_text(event),
			     fw_int(s->frame_number),
			     layer_cell(r, s),
		     },
		     s->seq);
}

const struct fw_table_def fw_def_frame_events = { &event_table, .to = { .buffer = add_event } };

/*
 * phases
 */
static const struct fw_column phase_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when the phase began, trace time", TRACER, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", TRACER, NULL },
	{ "layer_name", "text", FW_TEXT, "layer; \"no_layer_name\" where it has none", TRACER,
	  NULL },
	{ "frame_number", "id", FW_INT, "the layer's frame number; 0: not known", TRACER, NULL },
	{ "track", "text", FW_TEXT, "phase, buffer and layer in one", TRACER, NULL },
	{ "phase", "text", FW_TEXT,
	  "app_hold (dequeue to queue), producer_fence_wait (queue to acquire fence), "
	  "latch_to_present, present_interval (to the layer's next present)",
	  TRACER, NULL },
	{ "status", "text", FW_TEXT, "closed, zero (no length) or open", TRACER, NULL },
};

static const struct fw_table phase_table = {
	.name = "phases",
	.what = "a phase of a frame between two events of its buffer",
	FW_COLUMNS(phase_columns),
	.order = (const int[]){ 0, 4, 1, 3, -1 },
};

static void add_phase(void *ctx, const struct fw_buffer_slice *s)
{
	static const char *const names[] = {
		[FW_PHASE_APP] = "app_hold",
		[FW_PHASE_GPU] = "producer_fence_wait",
		[FW_PHASE_SF] = "latch_to_present",
		[FW_PHASE_DISPLAY] = "present_interval",
	};
	struct fw_table_run *r = ctx;
	char track[EVENT_TRACK_MAX];

	if (s->phase == FW_PHASE_NONE)
		return;
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_int(s->dur),
			     layer_cell(r, s),
			     fw_int(s->frame_number),
			     fw_text(track_name(r, s, track)),
			     fw_text(fw_str(names[s->phase])),
			     fw_text(s->dur < 0	   ? FW_STR("open")
				     : s->dur == 0 ? FW_STR("zero")
						   : FW_STR("closed")),
		     },
		     s->seq);
}

const struct fw_table_def fw_def_phases = { &phase_table, .to = { .buffer = add_phase } };
