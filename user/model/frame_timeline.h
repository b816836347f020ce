/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_FRAME_TIMELINE_H
#define FW_MODEL_FRAME_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "input/event.h"
#include "model/slices.h"
#include "model/tasks.h"

/*
 * FrameTimeline: what SurfaceFlinger expected of each frame and what became of it, from its start
 * and end events (frame_timeline_event_parser.cc, v57.2).
 */

/**
 * struct fw_timeline_frame - one row of a timeline
 * @seq: order of the starts
 * @ts, @dur: ns; dur FW_SLICE_OPEN when no end was seen
 * @actual: what happened; else what was expected
 * @surface: of a layer of an app; else of the display
 * @token: the surface token, or the display's own
 * @display_token: of the display frame that showed it
 * @layer: in names, 0 not recorded
 * @has: bits FW_FT_* of what the start event held
 * @present_type, @prediction: 0 where not recorded or out of range
 * @is_buffer: -1 not recorded
 */
struct fw_timeline_frame {
	uint64_t seq;
	int64_t ts, dur;
	bool actual, surface;
	bool on_time, gpu_composition;
	int8_t is_buffer;
	uint32_t upid, layer, has;
	int64_t token, display_token;
	int32_t present_type, prediction, jank_type, severity, jank_type_exp;
	float present_delay_ms, jitter_ms, animation_ms;
};

/**
 * struct fw_frame_timeline - the tracker
 * @done: gets each frame once, when its end is known
 */
struct fw_frame_timeline {
	struct fw_tasks *tasks;
	struct fw_names *names;
	struct fw_health *health;
	void (*done)(void *ctx, const struct fw_timeline_frame *f);
	void *ctx;

	uint64_t seq;
	struct fw_slices slices;
	struct fw_map processes; /* upid << 1 | actual -> struct fw_lanes */
	struct fw_map cookies; /* cookie -> upid << 1 | actual */
	struct fw_map tokens; /* upid -> struct token_set */
};

void fw_frame_timeline_init(struct fw_frame_timeline *ft, struct fw_tasks *tasks,
			    struct fw_names *names, struct fw_health *health);
void fw_frame_timeline_feed(struct fw_frame_timeline *ft, const struct fw_event *ev);
/* Hand on what never ended, and free the memory. */
void fw_frame_timeline_finish(struct fw_frame_timeline *ft);

#endif
