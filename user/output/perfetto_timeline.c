// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/perfetto_timeline.h"

#include "base/mem.h"
#include "frame/columns.h"
#include "model/jank.h"

/* Field numbers: protos/perfetto/trace/android/frame_timeline_event.proto (v57.2). */
enum { EXPECTED_DISPLAY = 1, ACTUAL_DISPLAY, EXPECTED_SURFACE, ACTUAL_SURFACE, FRAME_END };

#define CELL(name) (&frame[FW_C_FRAMES_##name])

static int64_t number(const struct fw_cell *c)
{
	return c->type == FW_INT || c->type == FW_MS ? c->i : 0;
}

/* The number whose name the cell has, 1 to @max; 0: none. */
static int named(const struct fw_cell *c, struct fw_str (*name)(int32_t), int max)
{
	for (int i = 1; i <= max && c->type == FW_TEXT; i++)
		if (fw_str_eq(c->s, name(i)))
			return i;
	return 0;
}

static void put_int(struct fw_pb *b, uint32_t field, const struct fw_cell *c)
{
	if (c->type == FW_INT)
		fw_pb_int(b, field, c->i);
}

static void put_float(struct fw_pb *b, uint32_t field, const struct fw_cell *c)
{
	if (c->type == FW_REAL)
		fw_pb_float(b, field, (float)c->d);
}

static void put_named(struct fw_pb *b, uint32_t field, const struct fw_cell *c,
		      struct fw_str (*name)(int32_t), int max)
{
	int value = named(c, name, max);

	if (value)
		fw_pb_int(b, field, value);
}

static void put_actual_surface(struct fw_pb *b, const struct fw_cell *frame)
{
	put_named(b, 6, CELL(present_type), fw_present_type_name, 5);
	put_int(b, 7, CELL(on_time_finish));
	put_int(b, 8, CELL(gpu_composition));
	put_int(b, 9, CELL(jank_mask));
	put_named(b, 10, CELL(prediction_type), fw_prediction_name, 3);
	put_int(b, 11, CELL(is_buffer));
	put_named(b, 12, CELL(jank_severity), fw_severity_name, 3);
	put_float(b, 13, CELL(present_delay_ms));
	put_float(b, 14, CELL(vsync_jitter_ms));
	put_float(b, 15, CELL(jank_score));
	put_int(b, 16, CELL(experimental_jank_mask));
	put_named(b, 17, CELL(experimental_present_type), fw_present_type_name, 5);
	put_float(b, 18, CELL(jank_debug_metadata));
	put_named(b, 19, CELL(latched_fence_state), fw_latched_state_name, 3);
	put_float(b, 20, CELL(animation_time_ms));
}

static void put_actual_display(struct fw_pb *b, const struct fw_cell *frame)
{
	put_named(b, 4, CELL(present_type), fw_present_type_name, 5);
	put_int(b, 5, CELL(on_time_finish));
	put_int(b, 6, CELL(gpu_composition));
	put_int(b, 7, CELL(jank_mask));
	put_named(b, 8, CELL(prediction_type), fw_prediction_name, 3);
	put_named(b, 9, CELL(jank_severity), fw_severity_name, 3);
	put_float(b, 10, CELL(present_delay_ms));
	put_float(b, 11, CELL(jank_score));
	put_int(b, 12, CELL(experimental_jank_mask));
	put_named(b, 13, CELL(experimental_present_type), fw_present_type_name, 5);
	put_float(b, 14, CELL(jank_debug_metadata));
	put_int(b, 15, CELL(latched_unsignaled_count));
	put_int(b, 16, CELL(addressable_unsignaled_count));
}

static void put_start(struct fw_tracks *t, const struct fw_cell *frame, int kind, int64_t ts,
		      uint64_t cookie)
{
	struct fw_pb *b = fw_tracks_packet(t, ts);
	size_t event = fw_pb_open(b, FW_PB_FRAME_TIMELINE);
	size_t frame_start = fw_pb_open(b, (uint32_t)kind);

	fw_pb_uint(b, 1, cookie);
	if (kind == EXPECTED_DISPLAY || kind == ACTUAL_DISPLAY) {
		put_int(b, 2, CELL(display_token));
		put_int(b, 3, CELL(pid));
	} else {
		put_int(b, 2, CELL(surface_token));
		put_int(b, 3, CELL(display_token));
		put_int(b, 4, CELL(pid));
		if (CELL(layer)->type == FW_TEXT)
			fw_pb_text(b, 5, CELL(layer)->s);
	}
	if (kind == ACTUAL_SURFACE)
		put_actual_surface(b, frame);
	else if (kind == ACTUAL_DISPLAY)
		put_actual_display(b, frame);
	fw_pb_close(b, frame_start);
	fw_pb_close(b, event);
	fw_tracks_packet_end(t);
}

static void put_slice(struct fw_tracks *t, const struct fw_cell *frame, int kind, int64_t start,
		      const struct fw_cell *end, int64_t offset, uint64_t *cookie)
{
	struct fw_pb *b;
	size_t event, frame_end;

	if (start < 0)
		return;
	put_start(t, frame, kind, start, ++*cookie);
	if (end->type == FW_NULL || number(end) + offset < start)
		return;
	b = fw_tracks_packet(t, number(end) + offset);
	event = fw_pb_open(b, FW_PB_FRAME_TIMELINE);
	frame_end = fw_pb_open(b, FRAME_END);
	fw_pb_uint(b, 1, *cookie);
	fw_pb_close(b, frame_end);
	fw_pb_close(b, event);
	fw_tracks_packet_end(t);
}

void fw_perfetto_timeline(struct fw_tracks *t, const struct fw_cell *frame, uint64_t *cookie)
{
	bool display = fw_str_eq(CELL(kind)->s, FW_STR("display"));
	int64_t offset = number(CELL(actual_start_ns)) - number(CELL(actual_start_ms));

	if (fw_str_eq(CELL(kind)->s, FW_STR("mark")))
		return;
	if (CELL(expected_start_ms)->type == FW_MS)
		put_slice(t, frame, display ? EXPECTED_DISPLAY : EXPECTED_SURFACE,
			  number(CELL(expected_start_ms)) + offset, CELL(expected_end_ms), offset,
			  cookie);
	put_slice(t, frame, display ? ACTUAL_DISPLAY : ACTUAL_SURFACE,
		  number(CELL(actual_start_ns)), CELL(actual_end_ns), 0, cookie);
}
