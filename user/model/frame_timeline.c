// SPDX-License-Identifier: GPL-2.0-or-later
/* frame_timeline - expected and actual frames, from their start and end events */
#include "model/frame_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/lanes.h"

/* The last of FrameTimeline's numbers for them; 0 says nothing. */
#define PRESENT_LAST 5
#define PREDICTION_LAST 3

/* Times closer to the end of the axis than this are refused. */
#define LATEST_TS (INT64_MAX - INT64_C(10000000000))

/*
 * The tokens of which an expectation was seen. Only the first counts; the others come with the
 * other layers of the frame, within seconds. So two generations of this many are enough, and the
 * memory stays bounded.
 */
#define TOKENS_KEPT (64u << 10)

struct token_set {
	struct fw_map now, before;
};

static void frame_done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	struct fw_frame_timeline *ft = ctx;
	struct fw_timeline_frame *f = s->data;

	f->ts = s->ts;
	f->dur = s->dur;
	f->seq = s->seq;
	if (ft->done)
		ft->done(ft->ctx, f);
	free(f);
}

void fw_frame_timeline_init(struct fw_frame_timeline *ft, struct fw_tasks *tasks,
			    struct fw_names *names, struct fw_health *health)
{
	memset(ft, 0, sizeof(*ft));
	ft->tasks = tasks;
	ft->names = names;
	ft->health = health;
	ft->slices = (struct fw_slices){
		.health = health,
		.done = frame_done,
		.ctx = ft,
		.seq = &ft->seq,
	};
}

static void count_error(struct fw_frame_timeline *ft)
{
	fw_health_add(ft->health, FW_H_frame_timeline_event_parser_errors, FW_HEALTH_NO_IDX, 1);
}

static struct fw_lanes *lanes_of(struct fw_frame_timeline *ft, uint64_t key)
{
	uint64_t *slot = fw_map_slot(&ft->processes, key);

	if (!*slot)
		*slot = (uint64_t)(uintptr_t)fw_zalloc(sizeof(struct fw_lanes));
	return (struct fw_lanes *)(uintptr_t)*slot;
}

static bool first_of_token(struct fw_frame_timeline *ft, uint32_t upid, int64_t token)
{
	uint64_t *slot = fw_map_slot(&ft->tokens, upid);
	struct token_set *set;

	if (!*slot)
		*slot = (uint64_t)(uintptr_t)fw_zalloc(sizeof(*set));
	set = (struct token_set *)(uintptr_t)*slot;
	if (fw_map_get(&set->now, (uint64_t)token) || fw_map_get(&set->before, (uint64_t)token))
		return false;
	if (set->now.n >= TOKENS_KEPT) {
		fw_map_free(&set->before);
		set->before = set->now;
		memset(&set->now, 0, sizeof(set->now));
	}
	fw_map_set(&set->now, (uint64_t)token, 1);
	return true;
}

/* A number from 1 to @last, or 0 and one more error. */
static int32_t in_range(struct fw_frame_timeline *ft, bool recorded, int32_t v, int32_t last)
{
	if (recorded && v >= 1 && v <= last)
		return v;
	if (recorded)
		count_error(ft);
	return 0;
}

static void fill_actual(struct fw_frame_timeline *ft, struct fw_timeline_frame *f,
			const struct fw_ev_frame_timeline *e)
{
	f->present_type = in_range(ft, e->has & FW_FT_PRESENT_TYPE, e->present_type, PRESENT_LAST);
	in_range(ft, e->has & FW_FT_PRESENT_EXP, e->present_type_exp, PRESENT_LAST);
	f->prediction = in_range(ft, e->has & FW_FT_PREDICTION, e->prediction, PREDICTION_LAST);
	f->jank_type = e->jank_type;
	f->jank_type_exp = e->jank_type_exp;
	f->severity = e->severity;
	f->on_time = e->on_time;
	f->gpu_composition = e->gpu_composition;
	f->is_buffer = e->has & FW_FT_IS_BUFFER ? e->is_buffer : -1;
	f->present_delay_ms = e->present_delay_ms;
	f->jitter_ms = e->jitter_ms;
	f->animation_ms = e->animation_ms;
}

static void begin(struct fw_frame_timeline *ft, int64_t ts, const struct fw_ev_frame_timeline *e,
		  const struct fw_timeline_frame *kind)
{
	struct fw_timeline_frame *f;
	uint64_t key = (uint64_t)kind->upid << 1 | kind->actual;
	struct fw_slice_start start = { .ts = ts, .dur = FW_SLICE_OPEN };

	fw_map_set(&ft->cookies, (uint64_t)e->cookie, key);
	if (!kind->actual && kind->surface && !first_of_token(ft, kind->upid, e->token))
		return;
	f = fw_memdup(kind, sizeof(*kind));
	f->token = e->token;
	f->display_token = kind->surface ? e->display_token : e->token;
	f->layer = fw_names_id(ft->names, e->layer);
	f->has = e->has;
	f->is_buffer = -1;
	if (f->actual)
		fill_actual(ft, f, e);
	start.data = f;
	if (!fw_slice_begin(&ft->slices, fw_lanes_begin(lanes_of(ft, key), e->cookie), &start))
		free(f);
}

static void end(struct fw_frame_timeline *ft, int64_t ts, const struct fw_ev_frame_timeline *e)
{
	uint64_t *key = fw_map_get(&ft->cookies, (uint64_t)e->cookie);
	struct fw_track *track;

	if (!(e->has & FW_FT_COOKIE)) {
		count_error(ft);
		return;
	}
	if (!key) {
		fw_health_add(ft->health, FW_H_frame_timeline_unpaired_end_event, FW_HEALTH_NO_IDX,
			      1);
		return;
	}
	track = fw_lanes_end(lanes_of(ft, *key), e->cookie);
	fw_slice_end(&ft->slices, track, ts, FW_STR_NONE, 0);
	fw_map_del(&ft->cookies, (uint64_t)e->cookie);
}

void fw_frame_timeline_feed(struct fw_frame_timeline *ft, const struct fw_event *ev)
{
	uint32_t need = FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_PID;
	struct fw_timeline_frame kind = { 0 };

	if (ev->type < FW_EV_EXPECTED_SURFACE || ev->type > FW_EV_FRAME_END)
		return;
	if (ev->ts >= LATEST_TS || ev->ts <= -LATEST_TS || ev->ft.has & FW_FT_EMPTY) {
		count_error(ft);
		return;
	}
	if (ev->type == FW_EV_FRAME_END) {
		end(ft, ev->ts, &ev->ft);
		return;
	}
	kind.actual = ev->type == FW_EV_ACTUAL_SURFACE || ev->type == FW_EV_ACTUAL_DISPLAY;
	kind.surface = ev->type == FW_EV_ACTUAL_SURFACE || ev->type == FW_EV_EXPECTED_SURFACE;
	if (kind.surface)
		need |= FW_FT_DISPLAY_TOKEN;
	if ((ev->ft.has & need) != need) {
		count_error(ft);
		return;
	}
	kind.upid = fw_tasks_process(ft->tasks, ev->ft.pid);
	begin(ft, ev->ts, &ev->ft, &kind);
}

void fw_frame_timeline_finish(struct fw_frame_timeline *ft)
{
	uint64_t key, val;
	size_t pos = 0;

	while (fw_map_next(&ft->processes, &pos, &key, &val)) {
		fw_lanes_finish((struct fw_lanes *)(uintptr_t)val, &ft->slices);
		free((void *)(uintptr_t)val);
	}
	pos = 0;
	while (fw_map_next(&ft->tokens, &pos, &key, &val)) {
		struct token_set *set = (struct token_set *)(uintptr_t)val;

		fw_map_free(&set->now);
		fw_map_free(&set->before);
		free(set);
	}
	fw_map_free(&ft->processes);
	fw_map_free(&ft->tokens);
	fw_map_free(&ft->cookies);
}
