/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_FENCE_WAIT_H
#define FW_MODEL_FENCE_WAIT_H

#include "model/fence.h"

/*
 * Threads that wait for a fence by poll() on its sync_file, which no event of the kernel shows; the
 * events are framewait.ko's. poll() looks at each file once before it sleeps and once after:
 * what lies between for the same thread is a wait for that fence.
 */
#define FW_FENCE_WAITS_MAX 4096u /* threads at once; the oldest are forgotten */
#define FW_POLLED_AT_ONCE 8

struct fw_fence_waits {
	struct fw_fences *fences;
	bool seen; /* such an event, so far */

	struct fw_fence_wait *pool;
	struct fw_map by_tid; /* -> index + 1 */
	uint32_t n, next;
};

void fw_fence_waits_init(struct fw_fence_waits *w, struct fw_fences *fences);
void fw_fence_waits_free(struct fw_fence_waits *w);
/* FW_EV_FENCE_POLL; other types are ignored. */
void fw_fence_waits_feed(struct fw_fence_waits *w, const struct fw_event *ev);
/**
 * fw_fence_waits_sleep() - which fence did a thread sleep for?
 * @start, @end: an interruptible sleep that has just ended
 * @function: where it slept, absent when not known
 *
 * Of several that were polled together, the one that signaled last before @end; of a merged one, the
 * member that did.
 * Return: the fence, valid until the next event is fed, or NULL.
 */
const struct fw_fence *fw_fence_waits_sleep(struct fw_fence_waits *w, int32_t tid, int64_t start,
					    int64_t end, struct fw_str function);

#endif
