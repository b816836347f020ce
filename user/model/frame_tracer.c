// SPDX-License-Identifier: GPL-2.0-or-later
/* frame_tracer - buffers of layers and their phases */
#include "model/frame_tracer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* trace_processor cuts its keys at this length. */
#define TP_KEY_MAX 1023

/* A buffer of a layer: a track for its events, and one for each phase of its own. */
struct gfx_buffer {
	uint64_t key;
	uint32_t buffer_id;
	struct fw_track events, app, gpu, sf;
};

/**
 * struct gfx_state - which phase a buffer is in
 * @phase: FW_PHASE_APP, _GPU, _SF, or NONE
 * @track: of the phase
 * @slice: APP: the slice that its dequeue began
 */
struct gfx_state {
	enum fw_phase phase;
	struct fw_track *track;
	uint64_t slice;
	int64_t dequeue_ts, acquire_ts;
	bool acquired;
	uint64_t key;
};

static const char *const type_names[] = {
	"unspecified_event",
	"Dequeue",
	"Queue",
	"Post",
	"AcquireFenceSignaled",
	"Latch",
	"HWCCompositionQueued",
	"FallbackComposition",
	"PresentFenceSignaled",
	"ReleaseFenceSignaled",
	"Modify",
	"Detach",
	"Attach",
	"Cancel",
};

struct fw_str fw_gfx_type_text(int32_t type)
{
	if (type < 0 || type >= (int32_t)ARRAY_SIZE(type_names))
		return FW_STR("unknown_event");
	return fw_str(type_names[type]);
}

/* What a slice carries besides its name: the frame number below, the layer above. */
static int64_t pack(uint32_t frame_number, uint32_t layer)
{
	return (int64_t)((uint64_t)layer << 32 | frame_number);
}

static void set_frame_number(struct fw_slice *s, uint32_t frame_number)
{
	s->arg = pack(frame_number, (uint32_t)((uint64_t)s->arg >> 32));
}

static void hand_on(struct fw_frame_tracer *g, const struct fw_slice *s, enum fw_phase phase,
		    uint32_t buffer_id)
{
	struct fw_buffer_slice out = {
		.ts = s->ts,
		.dur = s->dur,
		.seq = s->seq,
		.phase = phase,
		.type = phase == FW_PHASE_NONE ? (int32_t)s->num : -1,
		.buffer_id = buffer_id,
		.layer = (uint32_t)((uint64_t)s->arg >> 32),
		.frame_number = (uint32_t)s->arg,
		.name = s->num,
	};

	if (g->done)
		g->done(g->ctx, &out);
}

static void slice_done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	hand_on(ctx, s, t->kind, (uint32_t)t->owner);
}

void fw_frame_tracer_init(struct fw_frame_tracer *g, struct fw_names *names,
			  struct fw_health *health)
{
	memset(g, 0, sizeof(*g));
	g->names = names;
	g->health = health;
	g->slices = (struct fw_slices){
		.health = health,
		.done = slice_done,
		.ctx = g,
		.seq = &g->seq,
	};
}

static struct gfx_buffer *buffer_of(struct fw_frame_tracer *g, const struct fw_ev_frame_tracer *e)
{
	/* A layer without a name and one with an empty name have the same tracks. */
	uint32_t layer = fw_names_id(g->names, e->layer.p ? e->layer : FW_STR(""));
	uint64_t key = (uint64_t)e->buffer_id << 32 | layer;
	uint64_t *slot = fw_map_slot(&g->buffers, key);
	struct gfx_buffer *b;

	if (*slot)
		return (struct gfx_buffer *)(uintptr_t)*slot;
	b = fw_zalloc(sizeof(*b));
	b->key = key;
	b->buffer_id = e->buffer_id;
	b->events.owner = b->app.owner = b->gpu.owner = b->sf.owner = e->buffer_id;
	b->app.kind = FW_PHASE_APP;
	b->gpu.kind = FW_PHASE_GPU;
	b->sf.kind = FW_PHASE_SF;
	*slot = (uint64_t)(uintptr_t)b;
	return b;
}

static uint64_t tp_key(struct fw_frame_tracer *g, const struct fw_ev_frame_tracer *e)
{
	char digits[16];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%" PRIu32, e->buffer_id), len;

	len = FW_MIN(e->layer.len, TP_KEY_MAX - n);
	if (g->key.cap < TP_KEY_MAX + 1) {
		g->key.cap = TP_KEY_MAX + 1;
		g->key.p = fw_realloc(g->key.p, g->key.cap, 1);
	}
	memcpy(g->key.p, digits, n);
	if (len)
		memcpy(g->key.p + n, e->layer.p, len);
	return fw_names_id(g->names, (struct fw_str){ g->key.p, n + len });
}

static struct gfx_state *state_of(struct fw_frame_tracer *g, const struct gfx_buffer *b,
				  const struct fw_ev_frame_tracer *e)
{
	uint64_t key = g->tp_keys ? tp_key(g, e) : b->key;
	uint64_t *slot = fw_map_slot(&g->states, key);

	if (!*slot) {
		*slot = (uint64_t)(uintptr_t)fw_zalloc(sizeof(struct gfx_state));
		((struct gfx_state *)(uintptr_t)*slot)->key = key;
	}
	return (struct gfx_state *)(uintptr_t)*slot;
}

static void put_event(struct fw_frame_tracer *g, struct gfx_buffer *b, const struct fw_event *ev)
{
	const struct fw_ev_frame_tracer *e = &ev->gfx;
	struct fw_slice_start start = {
		.ts = ev->ts,
		.dur = (int64_t)e->duration_ns,
		.num = e->has & FW_GFX_HAS_TYPE ? e->type : -1,
		.arg = pack(e->frame_number, fw_names_id(g->names, e->layer)),
	};
	struct fw_slice s = { .ts = start.ts, .num = start.num, .arg = start.arg };

	if (start.dur < 0) {
		fw_health_add(g->health, FW_H_slice_negative_duration, FW_HEALTH_NO_IDX, 1);
	} else if (start.dur > 0) {
		fw_slice_begin(&g->slices, &b->events, &start);
	} else {
		/* What takes no time overlaps nothing: it need not wait on the stack. */
		s.seq = g->seq++;
		hand_on(g, &s, FW_PHASE_NONE, b->buffer_id);
	}
}

static uint64_t begin_phase(struct fw_frame_tracer *g, struct fw_track *t,
			    const struct fw_event *ev)
{
	const struct fw_ev_frame_tracer *e = &ev->gfx;
	struct fw_slice_start start = {
		.ts = ev->ts,
		.dur = FW_SLICE_OPEN,
		.num = e->frame_number ? e->frame_number : ev->ts,
		.arg = pack(e->frame_number, fw_names_id(g->names, e->layer)),
	};

	fw_slice_begin(&g->slices, t, &start);
	return g->seq - 1;
}

static void end_phase(struct fw_frame_tracer *g, struct fw_track *t, int64_t ts)
{
	fw_slice_end(&g->slices, t, ts, FW_STR_NONE, 0);
}

/*
 * The frame that a dequeue began is this one: the slice of the dequeue takes the name, the open one
 * of the buffer at hand the number. They are the same but where trace_processor mixes two buffers
 * up (tp_keys).
 */
static void name_frame(struct gfx_buffer *b, struct gfx_state *st, uint32_t frame_number)
{
	struct fw_slice *open = fw_slice_open(&b->app, FW_STR_NONE, 0);
	uint32_t i;

	if (open)
		set_frame_number(open, frame_number);
	for (i = st->track->n; i-- > 0;) {
		if (st->track->stack[i].seq == st->slice)
			st->track->stack[i].num = frame_number;
	}
}

static void on_dequeue(struct fw_frame_tracer *g, struct gfx_buffer *b, struct gfx_state *st,
		       const struct fw_event *ev)
{
	if (st->phase == FW_PHASE_APP)
		name_frame(b, st, 0);
	st->phase = FW_PHASE_APP;
	st->track = &b->app;
	st->slice = begin_phase(g, &b->app, ev);
	st->dequeue_ts = ev->ts;
}

static void on_queue(struct fw_frame_tracer *g, struct gfx_buffer *b, struct gfx_state *st,
		     const struct fw_event *ev)
{
	if (st->phase == FW_PHASE_APP) {
		name_frame(b, st, ev->gfx.frame_number);
		end_phase(g, &b->app, ev->ts);
		if (st->acquired && st->acquire_ts > st->dequeue_ts) {
			/* The fence was there before the buffer was queued: nobody waits. */
			st->phase = FW_PHASE_NONE;
			return;
		}
	}
	st->phase = FW_PHASE_GPU;
	st->track = &b->gpu;
	begin_phase(g, &b->gpu, ev);
}

static void on_latch(struct fw_frame_tracer *g, struct gfx_buffer *b, struct gfx_state *st,
		     const struct fw_event *ev)
{
	if (st->phase == FW_PHASE_APP)
		name_frame(b, st, 0);
	st->phase = FW_PHASE_SF;
	st->track = &b->sf;
	begin_phase(g, &b->sf, ev);
}

static void on_present(struct fw_frame_tracer *g, struct gfx_state *st, const struct fw_event *ev)
{
	uint64_t *slot = fw_map_slot(&g->displays, fw_names_id(g->names, ev->gfx.layer));
	struct fw_track *t = (struct fw_track *)(uintptr_t)*slot;

	if (st->phase == FW_PHASE_SF) {
		end_phase(g, st->track, ev->ts);
		st->phase = FW_PHASE_NONE;
	}
	if (!t) {
		t = fw_zalloc(sizeof(*t));
		t->kind = FW_PHASE_DISPLAY;
		*slot = (uint64_t)(uintptr_t)t;
	}
	end_phase(g, t, ev->ts);
	begin_phase(g, t, ev);
}

/* Nothing of it is open: its next event finds the same as the first one of a buffer. */
static void forget(struct fw_frame_tracer *g, struct gfx_buffer *b, struct gfx_state *st)
{
	if (st->phase != FW_PHASE_NONE)
		return;
	fw_map_del(&g->states, st->key);
	free(st);
	if (b->events.n || b->app.n || b->gpu.n || b->sf.n)
		return;
	fw_track_finish(&g->slices, &b->events);
	fw_track_finish(&g->slices, &b->app);
	fw_track_finish(&g->slices, &b->gpu);
	fw_track_finish(&g->slices, &b->sf);
	fw_map_del(&g->buffers, b->key);
	free(b);
}

void fw_frame_tracer_feed(struct fw_frame_tracer *g, const struct fw_event *ev)
{
	const struct fw_ev_frame_tracer *e = &ev->gfx;
	struct gfx_buffer *b;
	struct gfx_state *st;

	if (ev->type != FW_EV_FRAME_TRACER || !(e->has & FW_GFX_HAS_BUFFER))
		return;
	if (!(e->has & FW_GFX_HAS_BUFFER_ID)) {
		fw_health_add(g->health, FW_H_graphics_frame_event_parser_errors, FW_HEALTH_NO_IDX,
			      1);
		return;
	}
	b = buffer_of(g, e);
	st = state_of(g, b, e);
	put_event(g, b, ev);
	switch (e->has & FW_GFX_HAS_TYPE ? e->type : -1) {
	case FW_GFX_DEQUEUE:
		on_dequeue(g, b, st, ev);
		return;
	case FW_GFX_QUEUE:
		on_queue(g, b, st, ev);
		break;
	case FW_GFX_ACQUIRE_FENCE:
		if (st->phase == FW_PHASE_GPU) {
			end_phase(g, st->track, ev->ts);
			st->phase = FW_PHASE_NONE;
		}
		st->acquire_ts = ev->ts;
		st->acquired = true;
		break;
	case FW_GFX_LATCH:
		on_latch(g, b, st, ev);
		return;
	case FW_GFX_PRESENT_FENCE:
		on_present(g, st, ev);
		/* fall through */
	default:
		fw_health_add(g->health, FW_H_graphics_frame_event_parser_errors, FW_HEALTH_NO_IDX,
			      1);
		break;
	}
	forget(g, b, st);
}

static void finish_buffers(struct fw_frame_tracer *g)
{
	uint64_t key, val;
	size_t pos = 0;

	while (fw_map_next(&g->buffers, &pos, &key, &val)) {
		struct gfx_buffer *b = (struct gfx_buffer *)(uintptr_t)val;

		fw_track_finish(&g->slices, &b->events);
		fw_track_finish(&g->slices, &b->app);
		fw_track_finish(&g->slices, &b->gpu);
		fw_track_finish(&g->slices, &b->sf);
		free(b);
	}
	fw_map_free(&g->buffers);
}

void fw_frame_tracer_finish(struct fw_frame_tracer *g)
{
	uint64_t key, val;
	size_t pos = 0;

	finish_buffers(g);
	while (fw_map_next(&g->displays, &pos, &key, &val)) {
		fw_track_finish(&g->slices, (struct fw_track *)(uintptr_t)val);
		free((void *)(uintptr_t)val);
	}
	pos = 0;
	while (fw_map_next(&g->states, &pos, &key, &val))
		free((void *)(uintptr_t)val);
	fw_map_free(&g->displays);
	fw_map_free(&g->states);
	free(g->key.p);
	memset(&g->key, 0, sizeof(g->key));
}
