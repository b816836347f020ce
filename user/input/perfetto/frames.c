// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames - GraphicsFrameEvent (FrameTracer), FrameTimelineEvent, GenericKernelTaskStateEvent
 *
 * Field numbers: facts/perfetto.md sections 1 and 2, with those of Android 16 and 17.
 */
#include "input/perfetto/decode.h"

#include "base/mem.h"
#include "base/wire.h"

#define G(id, kind, member, has)                                                                   \
	{                                                                                          \
		id, FW_FILL_##kind, offsetof(struct fw_ev_frame_tracer, member), has               \
	}
#define T(id, kind, member, has)                                                                   \
	{                                                                                          \
		id, FW_FILL_##kind, offsetof(struct fw_ev_frame_timeline, member), FW_FT_##has     \
	}
#define END                                                                                        \
	{                                                                                          \
		0, 0, 0, 0                                                                         \
	}

static const struct fw_fill f_buffer[] = {
	G(1, U32, frame_number, FW_GFX_HAS_FRAME_NUMBER),
	G(2, I32, type, FW_GFX_HAS_TYPE),
	G(3, STR, layer, 0),
	G(4, U64, duration_ns, 0),
	G(5, U32, buffer_id, FW_GFX_HAS_BUFFER_ID),
	END,
};

#define LAYER                                                                                      \
	{                                                                                          \
		5, FW_FILL_STR, offsetof(struct fw_ev_frame_timeline, layer), 0                    \
	}

static const struct fw_fill f_expected_display[] = {
	T(1, I64, cookie, COOKIE),
	T(2, I64, token, TOKEN),
	T(3, I32, pid, PID),
	END,
};
static const struct fw_fill f_actual_display[] = {
	T(1, I64, cookie, COOKIE),
	T(2, I64, token, TOKEN),
	T(3, I32, pid, PID),
	T(4, I32, present_type, PRESENT_TYPE),
	T(5, BOOL, on_time, ON_TIME),
	T(6, BOOL, gpu_composition, GPU_COMPOSITION),
	T(7, I32, jank_type, JANK_TYPE),
	T(8, I32, prediction, PREDICTION),
	T(9, I32, severity, SEVERITY),
	T(10, F32, present_delay_ms, PRESENT_DELAY),
	T(11, F32, score, SCORE),
	T(12, I32, jank_type_exp, JANK_EXP),
	T(13, I32, present_type_exp, PRESENT_EXP),
	T(14, F32, debug_meta, DEBUG_META),
	T(15, I32, unsignaled_count, UNSIGNALED_COUNT),
	T(16, I32, addressable_count, ADDRESSABLE_COUNT),
	END,
};
static const struct fw_fill f_expected_surface[] = {
	T(1, I64, cookie, COOKIE),
	T(2, I64, token, TOKEN),
	T(3, I64, display_token, DISPLAY_TOKEN),
	T(4, I32, pid, PID),
	LAYER,
	END,
};
static const struct fw_fill f_actual_surface[] = {
	T(1, I64, cookie, COOKIE),
	T(2, I64, token, TOKEN),
	T(3, I64, display_token, DISPLAY_TOKEN),
	T(4, I32, pid, PID),
	LAYER,
	T(6, I32, present_type, PRESENT_TYPE),
	T(7, BOOL, on_time, ON_TIME),
	T(8, BOOL, gpu_composition, GPU_COMPOSITION),
	T(9, I32, jank_type, JANK_TYPE),
	T(10, I32, prediction, PREDICTION),
	T(11, BOOL, is_buffer, IS_BUFFER),
	T(12, I32, severity, SEVERITY),
	T(13, F32, present_delay_ms, PRESENT_DELAY),
	T(14, F32, jitter_ms, JITTER),
	T(15, F32, score, SCORE),
	T(16, I32, jank_type_exp, JANK_EXP),
	T(17, I32, present_type_exp, PRESENT_EXP),
	T(18, F32, debug_meta, DEBUG_META),
	T(19, I32, latched_state, LATCHED_STATE),
	T(20, F32, animation_ms, ANIMATION_TIME),
	END,
};
static const struct fw_fill f_end[] = { T(1, I64, cookie, COOKIE), END };

/* The oneof of FrameTimelineEvent, in the order in which the importer looks. */
static const struct {
	uint32_t id;
	enum fw_event_type type;
	const struct fw_fill *fields;
} timeline[] = {
	{ 1, FW_EV_EXPECTED_DISPLAY, f_expected_display },
	{ 2, FW_EV_ACTUAL_DISPLAY, f_actual_display },
	{ 3, FW_EV_EXPECTED_SURFACE, f_expected_surface },
	{ 4, FW_EV_ACTUAL_SURFACE, f_actual_surface },
	{ 5, FW_EV_FRAME_END, f_end },
};

bool fw_decode_frame_timeline(struct fw_str payload, struct fw_event *ev)
{
	struct fw_str parts[ARRAY_SIZE(timeline)] = { { NULL, 0 } };
	struct fw_pb pb = fw_pb_of(payload);
	struct fw_pb_field f;
	size_t i;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire == FW_WIRE_LEN && f.id >= 1 && f.id <= ARRAY_SIZE(timeline))
			parts[f.id - 1] = f.s;
	}
	if (ret < 0)
		return false;
	for (i = 0; i < ARRAY_SIZE(timeline); i++) {
		if (!parts[i].p)
			continue;
		ev->type = timeline[i].type;
		return fw_fill(parts[i], timeline[i].fields, &ev->ft,
			       offsetof(struct fw_ev_frame_timeline, has));
	}
	ev->type = FW_EV_FRAME_END;
	ev->ft.has = FW_FT_EMPTY;
	return true;
}

bool fw_decode_graphics_frame(struct fw_str payload, struct fw_event *ev)
{
	struct fw_pb pb = fw_pb_of(payload);
	struct fw_pb_field f;
	int ret;

	ev->type = FW_EV_FRAME_TRACER;
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id != 1 || f.wire != FW_WIRE_LEN)
			continue;
		ev->gfx.has |= FW_GFX_HAS_BUFFER;
		if (!fw_fill(f.s, f_buffer, &ev->gfx, offsetof(struct fw_ev_frame_tracer, has)))
			return false;
	}
	return ret == 0;
}

bool fw_decode_generic_task(struct fw_str payload, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, offsetof(struct fw_event, cpu), 0 },
		{ 2, FW_FILL_STR, offsetof(struct fw_event, generic.comm), 0 },
		{ 3, FW_FILL_I32, offsetof(struct fw_event, generic.tid), 0 },
		{ 4, FW_FILL_I32, offsetof(struct fw_event, generic.state), 0 },
		{ 5, FW_FILL_I32, offsetof(struct fw_event, generic.prio), 0 },
		END,
	};

	ev->type = FW_EV_GENERIC_TASK;
	ev->cpu = 0;
	return fw_fill(payload, fields, ev, FW_FILL_NO_HAS);
}
