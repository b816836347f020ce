/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_ASYNC_SLICES_H
#define FW_MODEL_ASYNC_SLICES_H

#include <stdint.h>

#include "base/health.h"
#include "base/map.h"
#include "model/mark.h"
#include "model/slices.h"

/*
 * Slices of a process that begin on one thread and end on another: trace marks of phase S and F
 * (by name), N, G and H (on a named track), told apart by a cookie (systrace_parser.cc, v57.2).
 */

/**
 * struct fw_async_slices - the tracker
 * @done: gets each slice once, when its end is known
 */
struct fw_async_slices {
	void (*done)(void *ctx, uint32_t upid, const struct fw_slice *s);
	void *ctx;

	uint64_t seq;
	struct fw_slices slices;
	struct fw_map sets; /* hash -> struct async_set, a list where hashes meet */
};

void fw_async_slices_init(struct fw_async_slices *as, struct fw_health *health);
/* A mark of phase S, F, N, G or H of the process @upid (fw_tasks_mark()). */
void fw_async_slices_mark(struct fw_async_slices *as, int64_t when, uint32_t upid,
			  const struct fw_mark *m);
void fw_async_slices_finish(struct fw_async_slices *as);

#endif
