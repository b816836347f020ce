// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/buffers.h"

#include <stdlib.h>

#include "base/mem.h"

/* A buffer queue has at most 64 slots; older buffers are done. */
#define LOOK_BACK 64

void fw_buffers_free(struct fw_buffers *b)
{
	free(b->ring);
	fw_map_free(&b->newest);
	fw_map_free(&b->presented);
}

struct fw_buffer *fw_buffers_get(struct fw_buffers *b, uint64_t seq)
{
	if (!seq || seq > b->next || seq + FW_BUFFERS_MAX <= b->next)
		return NULL;
	return &b->ring[seq % FW_BUFFERS_MAX];
}

struct fw_buffer *fw_buffers_newest(struct fw_buffers *b, uint32_t layer)
{
	uint64_t *seq = fw_map_get(&b->newest, layer);

	return seq ? fw_buffers_get(b, *seq) : NULL;
}

static struct fw_buffer *make(struct fw_buffers *b, uint32_t layer, const struct fw_event *ev)
{
	uint64_t seq = ++b->next, *newest = fw_map_slot(&b->newest, layer);
	struct fw_buffer *p;

	if (!b->ring)
		b->ring = fw_calloc(FW_BUFFERS_MAX, sizeof(*b->ring));
	p = &b->ring[seq % FW_BUFFERS_MAX];
	*p = (struct fw_buffer){
		.seq = seq,
		.older = *newest,
		.layer = layer,
		.buffer_id = ev->gfx.buffer_id,
		.next_present = FW_NOT_SEEN,
	};
	for (int i = 0; i < FW_BUF_EVENTS; i++)
		p->ts[i] = FW_NOT_SEEN;
	*newest = seq;
	return p;
}

/* The buffer of the layer that an event other than dequeue goes on with. */
static struct fw_buffer *find(struct fw_buffers *b, uint32_t layer, const struct fw_event *ev,
			      enum fw_buffer_event what)
{
	struct fw_buffer *p = fw_buffers_newest(b, layer);
	uint32_t number = ev->gfx.frame_number;

	for (int i = 0; p && i < LOOK_BACK; i++, p = fw_buffers_get(b, p->older)) {
		if (p->buffer_id != ev->gfx.buffer_id)
			continue;
		if (number && p->frame_number) {
			if (p->frame_number == number)
				return p;
			continue;
		}
		/* Without a number on both sides: the same buffer, unless it came past here. */
		return p->ts[what] == FW_NOT_SEEN ? p : NULL;
	}
	return NULL;
}

static int event_of(int32_t type)
{
	switch (type) {
	case FW_GFX_DEQUEUE:
		return FW_BUF_DEQUEUE;
	case FW_GFX_QUEUE:
		return FW_BUF_QUEUE;
	case FW_GFX_ACQUIRE_FENCE:
		return FW_BUF_ACQUIRE;
	case FW_GFX_LATCH:
		return FW_BUF_LATCH;
	case FW_GFX_HWC_QUEUED:
		return FW_BUF_HWC_QUEUED;
	case FW_GFX_FALLBACK:
		return FW_BUF_FALLBACK;
	case FW_GFX_PRESENT_FENCE:
		return FW_BUF_PRESENT;
	default:
		return -1;
	}
}

static void presented(struct fw_buffers *b, struct fw_buffer *p, int64_t ts)
{
	uint64_t *last = fw_map_slot(&b->presented, p->layer);
	struct fw_buffer *before = fw_buffers_get(b, *last);

	if (before && before->next_present == FW_NOT_SEEN)
		before->next_present = ts;
	*last = p->seq;
}

struct fw_buffer *fw_buffers_feed(struct fw_buffers *b, const struct fw_event *ev, uint32_t layer)
{
	int what = (ev->gfx.has & FW_GFX_HAS_TYPE) ? event_of(ev->gfx.type) : -1;
	struct fw_buffer *p = NULL;

	if (what < 0)
		return NULL;
	/* The app's dequeue and queue are written together, later events as they happen. */
	if (what != FW_BUF_DEQUEUE)
		p = find(b, layer, ev, what);
	if (!p)
		p = make(b, layer, ev);
	if (ev->gfx.frame_number)
		p->frame_number = ev->gfx.frame_number;
	if (p->ts[what] == FW_NOT_SEEN) {
		p->ts[what] = ev->ts;
		if (what == FW_BUF_PRESENT)
			presented(b, p, ev->ts);
	}
	return p;
}

int64_t fw_buffer_ready(const struct fw_buffer *p)
{
	if (p->ts[FW_BUF_QUEUE] == FW_NOT_SEEN || p->ts[FW_BUF_ACQUIRE] == FW_NOT_SEEN)
		return FW_NOT_SEEN;
	return FW_MAX(p->ts[FW_BUF_QUEUE], p->ts[FW_BUF_ACQUIRE]);
}

static struct fw_buffer_phase between(int64_t start, int64_t end, enum fw_phase_status early)
{
	if (start == FW_NOT_SEEN)
		return (struct fw_buffer_phase){ FW_PHASE_ABSENT, 0 };
	if (end == FW_NOT_SEEN)
		return (struct fw_buffer_phase){ FW_PHASE_OPEN, 0 };
	if (end == start)
		return (struct fw_buffer_phase){ FW_PHASE_ZERO, 0 };
	if (end < start)
		return (struct fw_buffer_phase){ early, 0 };
	return (struct fw_buffer_phase){ FW_PHASE_CLOSED,
					 (int64_t)((uint64_t)end - (uint64_t)start) };
}

struct fw_buffer_phase fw_buffer_phase(const struct fw_buffer *p, enum fw_buffer_phase_id id)
{
	const int64_t *ts = p->ts;

	switch (id) {
	case FW_APP_HOLD:
		return between(ts[FW_BUF_DEQUEUE], ts[FW_BUF_QUEUE], FW_PHASE_ABSENT);
	case FW_PRODUCER_FENCE_WAIT:
		return between(ts[FW_BUF_QUEUE], ts[FW_BUF_ACQUIRE], FW_PHASE_EARLY_ACQUIRE);
	case FW_ACQUIRE_TO_LATCH:
		return between(fw_buffer_ready(p), ts[FW_BUF_LATCH], FW_PHASE_EARLY_LATCH);
	case FW_LATCH_TO_PRESENT:
		return between(ts[FW_BUF_LATCH], ts[FW_BUF_PRESENT], FW_PHASE_ABSENT);
	default:
		return between(ts[FW_BUF_PRESENT], p->next_present, FW_PHASE_ABSENT);
	}
}

const char *fw_phase_status_name(enum fw_phase_status s)
{
	static const char *const names[] = { "absent", "open",		"closed",
					     "zero",   "early-acquire", "early-latch" };

	return names[s];
}
