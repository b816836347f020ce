/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_THREAD_SLICES_H
#define FW_MODEL_THREAD_SLICES_H

#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "input/event.h"
#include "model/mark.h"
#include "model/slices.h"
#include "model/tasks.h"

/*
 * What threads say that they do: a stack of slices for each, from trace marks, binder, fence
 * waits, jobs handed to the GPU and other kernel operations (systrace_parser.cc,
 * binder_tracker.cc, drm_tracker.cc, ftrace_parser.cc, v57.2).
 */

/**
 * struct fw_thread_slices - the tracker
 * @done: gets each slice once, when its end is known; its depth is that of the thread's stack
 */
struct fw_thread_slices {
	struct fw_tasks *tasks;
	struct fw_names *names;
	void (*done)(void *ctx, uint32_t utid, const struct fw_slice *s);
	void *ctx;

	uint64_t seq;
	struct fw_slices slices;
	struct fw_track **tracks; /* by utid */
	uint32_t n_tracks;
	struct fw_map transactions; /* binder debug_id -> enum transaction_kind */
	struct fw_map locks; /* tid -> enum lock_state */
};

void fw_thread_slices_init(struct fw_thread_slices *ts, struct fw_tasks *tasks,
			   struct fw_names *names, struct fw_health *health);

/* A mark of phase B, E or I on @utid (fw_tasks_mark()). */
void fw_thread_slices_mark(struct fw_thread_slices *ts, int64_t when, uint32_t utid,
			   const struct fw_mark *m);
/* All else that makes slices on threads. */
void fw_thread_slices_feed(struct fw_thread_slices *ts, const struct fw_event *ev);
void fw_thread_slices_finish(struct fw_thread_slices *ts);

#endif
