/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TP_MODEL_H
#define FW_MODEL_TP_MODEL_H

#include "base/health.h"
#include "input/input.h"
#include "model/async_slices.h"
#include "model/frame_timeline.h"
#include "model/frame_tracer.h"
#include "model/irq_slices.h"
#include "model/tasks.h"
#include "model/thread_slices.h"
#include "model/tp_sched.h"

/*
 * A whole recording as trace_processor models it: the events go through the tasks and those
 * trackers that somebody listens to.
 */

/**
 * struct fw_tp_listeners - who wants what; NULL: nobody
 * @all: run every tracker, for what they count
 * @counter: a value of a counter that a process writes to trace_marker
 * @event: every event, after the tasks have seen it
 */
struct fw_tp_listeners {
	void *ctx;
	bool all;
	void (*state)(void *ctx, const struct fw_tp_state *row);
	void (*sched_slice)(void *ctx, const struct fw_sched_slice *s);
	void (*thread_slice)(void *ctx, uint32_t utid, const struct fw_slice *s);
	void (*async_slice)(void *ctx, uint32_t upid, const struct fw_slice *s);
	void (*counter)(void *ctx, uint32_t upid, int64_t ts, const struct fw_mark *m);
	void (*irq)(void *ctx, int32_t cpu, bool softirq, const struct fw_slice *s);
	void (*frame)(void *ctx, const struct fw_timeline_frame *f);
	void (*buffer)(void *ctx, const struct fw_buffer_slice *s);
	void (*event)(void *ctx, const struct fw_event *ev);
};

struct fw_tp_model {
	struct fw_names *names;
	struct fw_tasks *tasks;
	struct fw_health *health;
	struct fw_tp_listeners to;
	struct fw_tp_sched sched;
	struct fw_thread_slices thread_slices;
	struct fw_async_slices async_slices;
	struct fw_irq_slices irq;
	struct fw_frame_timeline timeline;
	struct fw_frame_tracer tracer;
	struct fw_mark_reader marks;
};

struct fw_tp_model *fw_tp_model_new(const struct fw_tp_listeners *to, struct fw_health *health,
				    const struct fw_recording *rec, bool tp_compat);
void fw_tp_model_free(struct fw_tp_model *m);

void fw_tp_model_feed(struct fw_tp_model *m, const struct fw_event *ev);
/* The recording ends: hand on what is still open. */
void fw_tp_model_finish(struct fw_tp_model *m);

#endif
