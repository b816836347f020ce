// SPDX-License-Identifier: GPL-2.0-or-later
/* thread_slices - what threads say that they do */
#include "model/thread_slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BINDER_ONE_WAY 0x1
/* Transactions that nobody ever received are forgotten when there are this many. */
#define TRANSACTIONS_KEPT (256u << 10)

enum transaction_kind { TRANSACTION_CALL, TRANSACTION_REPLY, TRANSACTION_ONE_WAY };
enum lock_state { LOCK_WANTED, LOCK_HELD };

static void slice_done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	struct fw_thread_slices *ts = ctx;

	if (ts->done)
		ts->done(ts->ctx, (uint32_t)t->owner, s);
}

void fw_thread_slices_init(struct fw_thread_slices *ts, struct fw_tasks *tasks,
			   struct fw_names *names, struct fw_health *health)
{
	memset(ts, 0, sizeof(*ts));
	ts->tasks = tasks;
	ts->names = names;
	ts->slices = (struct fw_slices){
		.health = health,
		.done = slice_done,
		.ctx = ts,
		.seq = &ts->seq,
	};
}

static struct fw_track *track_of(struct fw_thread_slices *ts, uint32_t utid)
{
	uint32_t n = ts->n_tracks;

	if (utid >= n) {
		while (n <= utid)
			n = n ? n * 2 : 64;
		ts->tracks = fw_realloc(ts->tracks, n, sizeof(*ts->tracks));
		memset(ts->tracks + ts->n_tracks, 0, (n - ts->n_tracks) * sizeof(*ts->tracks));
		ts->n_tracks = n;
	}
	if (!ts->tracks[utid]) {
		ts->tracks[utid] = fw_zalloc(sizeof(**ts->tracks));
		ts->tracks[utid]->owner = utid;
	}
	return ts->tracks[utid];
}

static void begin(struct fw_thread_slices *ts, int64_t when, uint32_t utid, struct fw_str name,
		  uint32_t category)
{
	struct fw_slice_start start = {
		.ts = when,
		.dur = FW_SLICE_OPEN,
		.name = name,
		.category = category,
	};

	fw_slice_begin(&ts->slices, track_of(ts, utid), &start);
}

static void instant(struct fw_thread_slices *ts, int64_t when, uint32_t utid, struct fw_str name,
		    uint32_t category)
{
	struct fw_slice_start start = { .ts = when, .name = name, .category = category };

	fw_slice_begin(&ts->slices, track_of(ts, utid), &start);
}

static void end(struct fw_thread_slices *ts, int64_t when, uint32_t utid, struct fw_str name,
		uint32_t category)
{
	fw_slice_end(&ts->slices, track_of(ts, utid), when, name, category);
}

void fw_thread_slices_mark(struct fw_thread_slices *ts, int64_t when, uint32_t utid,
			   const struct fw_mark *m)
{
	if (utid == FW_NO_TASK)
		return;
	if (m->phase == 'B')
		begin(ts, when, utid, m->name, 0);
	else if (m->phase == 'E')
		end(ts, when, utid, FW_STR_NONE, 0);
	else if (m->phase == 'I')
		instant(ts, when, utid, m->name, 0);
}

static uint32_t binder_category(struct fw_thread_slices *ts)
{
	return fw_names_id(ts->names, FW_STR("binder"));
}

static void on_transaction(struct fw_thread_slices *ts, const struct fw_event *ev, uint32_t utid)
{
	const struct fw_ev_binder *b = &ev->binder;
	enum transaction_kind kind = TRANSACTION_CALL;

	if (b->reply == 1) {
		kind = TRANSACTION_REPLY;
		fw_tasks_thread(ts->tasks, b->to_thread);
		end(ts, ev->ts, utid, FW_STR_NONE, 0);
	} else if (b->flags & BINDER_ONE_WAY) {
		kind = TRANSACTION_ONE_WAY;
		instant(ts, ev->ts, utid, FW_STR("binder transaction async"), binder_category(ts));
	} else {
		begin(ts, ev->ts, utid, FW_STR("binder transaction"), binder_category(ts));
	}
	if (ts->transactions.n >= TRANSACTIONS_KEPT)
		fw_map_free(&ts->transactions);
	fw_map_set(&ts->transactions, (uint32_t)b->transaction, kind);
}

static void on_received(struct fw_thread_slices *ts, const struct fw_event *ev, uint32_t utid)
{
	uint64_t *slot = fw_map_get(&ts->transactions, (uint32_t)ev->binder.transaction);
	uint64_t kind;

	if (!slot)
		return;
	kind = *slot;
	fw_map_del(&ts->transactions, (uint32_t)ev->binder.transaction);
	if (kind == TRANSACTION_REPLY)
		end(ts, ev->ts, utid, FW_STR_NONE, 0);
	else if (kind == TRANSACTION_ONE_WAY)
		instant(ts, ev->ts, utid, FW_STR("binder async rcv"), binder_category(ts));
	else
		begin(ts, ev->ts, utid, FW_STR("binder reply"), binder_category(ts));
}

/* The lock that binder had before Linux 4.14. */
static void on_lock(struct fw_thread_slices *ts, const struct fw_event *ev, uint32_t utid)
{
	uint64_t *state = fw_map_get(&ts->locks, (uint32_t)ev->tid);
	uint32_t category = binder_category(ts);

	if (ev->binder.kind == FW_BINDER_LOCK) {
		fw_map_set(&ts->locks, (uint32_t)ev->tid, LOCK_WANTED);
		begin(ts, ev->ts, utid, FW_STR("binder lock waiting"), category);
	} else if (ev->binder.kind == FW_BINDER_LOCKED && state && *state == LOCK_WANTED) {
		end(ts, ev->ts, utid, FW_STR_NONE, 0);
		begin(ts, ev->ts, utid, FW_STR("binder lock held"), category);
		*state = LOCK_HELD;
	} else if (ev->binder.kind == FW_BINDER_UNLOCK && state && *state == LOCK_HELD) {
		end(ts, ev->ts, utid, FW_STR("binder lock held"), category);
		fw_map_del(&ts->locks, (uint32_t)ev->tid);
	}
}

static void on_binder(struct fw_thread_slices *ts, const struct fw_event *ev, uint32_t utid)
{
	switch (ev->binder.kind) {
	case FW_BINDER_TRANSACTION:
		on_transaction(ts, ev, utid);
		break;
	case FW_BINDER_RECEIVED:
		on_received(ts, ev, utid);
		break;
	default:
		on_lock(ts, ev, utid);
		break;
	}
}

static void on_kernel_slice(struct fw_thread_slices *ts, const struct fw_event *ev, uint32_t utid)
{
	const struct fw_ev_kernel_slice *k = &ev->kslice;
	uint32_t category = fw_names_id(ts->names, k->category);

	if (k->tid != -1)
		utid = fw_tasks_thread(ts->tasks, k->tid);
	if (k->op == 'B')
		begin(ts, ev->ts, utid, k->name, category);
	else if (k->op == 'E')
		end(ts, ev->ts, utid, k->name, category);
	else if (k->op == 'I')
		instant(ts, ev->ts, utid, k->name, category);
}

void fw_thread_slices_feed(struct fw_thread_slices *ts, const struct fw_event *ev)
{
	uint32_t utid;

	switch (ev->type) {
	case FW_EV_BINDER:
	case FW_EV_KERNEL_SLICE:
	case FW_EV_DMA_FENCE:
	case FW_EV_DRM_SCHED:
		break;
	default:
		return;
	}
	if (ev->flags & FW_EVF_EARLY || ev->tid == -1)
		return;
	utid = fw_tasks_thread(ts->tasks, ev->tid);
	if (ev->type == FW_EV_BINDER)
		on_binder(ts, ev, utid);
	else if (ev->type == FW_EV_KERNEL_SLICE)
		on_kernel_slice(ts, ev, utid);
	else if (ev->type == FW_EV_DMA_FENCE && ev->fence.kind == FW_DMA_FENCE_WAIT_START)
		begin(ts, ev->ts, utid, FW_STR("dma_fence_wait"), 0);
	else if (ev->type == FW_EV_DMA_FENCE && ev->fence.kind == FW_DMA_FENCE_WAIT_END)
		end(ts, ev->ts, utid, FW_STR_NONE, 0);
	else if (ev->type == FW_EV_DRM_SCHED && ev->drm.kind == FW_DRM_SCHED_JOB)
		instant(ts, ev->ts, utid, FW_STR("drm_sched_job_queue"), 0);
}

void fw_thread_slices_finish(struct fw_thread_slices *ts)
{
	uint32_t i;

	for (i = 0; i < ts->n_tracks; i++) {
		if (ts->tracks[i])
			fw_track_finish(&ts->slices, ts->tracks[i]);
		free(ts->tracks[i]);
	}
	free(ts->tracks);
	ts->tracks = NULL;
	ts->n_tracks = 0;
	fw_map_free(&ts->transactions);
	fw_map_free(&ts->locks);
}
