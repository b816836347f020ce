/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_BUFFERS_H
#define FW_FRAME_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "frame/match.h"
#include "input/event.h"

/*
 * Each buffer's way from dequeue to present, as FrameTracer saw it. Events are put together by
 * layer and frame number; where an event has no number, by layer and buffer.
 */
#define FW_BUFFERS_MAX 16384u
#define FW_NOT_SEEN INT64_MIN

enum fw_buffer_event {
	FW_BUF_DEQUEUE,
	FW_BUF_QUEUE,
	FW_BUF_ACQUIRE,
	FW_BUF_LATCH,
	FW_BUF_HWC_QUEUED,
	FW_BUF_FALLBACK,
	FW_BUF_PRESENT,
	FW_BUF_EVENTS
};

/**
 * struct fw_buffer - one buffer from dequeue to present
 * @ts: ns of its events; FW_NOT_SEEN
 * @next_present: of the layer, after this one's
 */
struct fw_buffer {
	uint64_t seq; /* its number, from 1 */
	uint64_t older; /* of the same layer; 0 none */
	uint32_t layer, buffer_id, frame_number; /* frame_number 0: not known */
	int64_t ts[FW_BUF_EVENTS];
	int64_t next_present;
	struct fw_fence_match acquire, present;
};

/**
 * struct fw_buffers - the last FW_BUFFERS_MAX of them; zero-initialise
 */
struct fw_buffers {
	struct fw_buffer *ring;
	uint64_t next; /* sequence number of the next one, less 1 */
	struct fw_map newest; /* layer -> seq */
	struct fw_map presented; /* layer -> seq of the last one presented */
};

void fw_buffers_free(struct fw_buffers *b);

/**
 * fw_buffers_feed() - one FrameTracer event
 * @layer: its layer in names
 * Return: the buffer that it belongs to, or NULL for types that are no part of its way.
 */
struct fw_buffer *fw_buffers_feed(struct fw_buffers *b, const struct fw_event *ev, uint32_t layer);

/* By number; NULL when it is forgotten. */
struct fw_buffer *fw_buffers_get(struct fw_buffers *b, uint64_t seq);
/* The newest of a layer; go on with fw_buffers_get(b, p->older). */
struct fw_buffer *fw_buffers_newest(struct fw_buffers *b, uint32_t layer);

/* max(queue, acquire): when the producer was done; FW_NOT_SEEN unless both were seen. */
int64_t fw_buffer_ready(const struct fw_buffer *p);

enum fw_phase_status {
	FW_PHASE_ABSENT,
	FW_PHASE_OPEN,
	FW_PHASE_CLOSED,
	FW_PHASE_ZERO,
	FW_PHASE_EARLY_ACQUIRE,
	FW_PHASE_EARLY_LATCH,
};

/**
 * struct fw_buffer_phase - the time between two events of a buffer
 * @ns: set for every status but ABSENT and OPEN
 */
struct fw_buffer_phase {
	enum fw_phase_status status;
	int64_t ns;
};

enum fw_buffer_phase_id {
	FW_APP_HOLD,
	FW_PRODUCER_FENCE_WAIT,
	FW_ACQUIRE_TO_LATCH,
	FW_LATCH_TO_PRESENT,
	FW_PRESENT_INTERVAL,
	FW_BUFFER_PHASES
};

struct fw_buffer_phase fw_buffer_phase(const struct fw_buffer *p, enum fw_buffer_phase_id id);
const char *fw_phase_status_name(enum fw_phase_status s);

#endif
