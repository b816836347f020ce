// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fence.h"

#include <stdlib.h>

#include "base/mem.h"

void fw_fences_init(struct fw_fences *f, struct fw_names *names, struct fw_health *health)
{
	*f = (struct fw_fences){ .names = names, .health = health };
	f->unbound = fw_names_id(names, FW_STR("unbound"));
	f->detached = fw_names_id(names, FW_STR("detached-driver"));
	f->signaled_timeline = fw_names_id(names, FW_STR("signaled-timeline"));
}

static uint64_t key_of(uint64_t context, uint64_t seqno)
{
	return fw_hash_u64(context + fw_hash_u64(seqno));
}

struct fw_fence *fw_fences_find(struct fw_fences *f, uint64_t context, uint64_t seqno)
{
	uint64_t *slot = fw_map_get(&f->by_key, key_of(context, seqno));

	for (uint32_t i = slot ? (uint32_t)*slot : 0; i; i = f->pool[i - 1].same_hash) {
		struct fw_fence *e = &f->pool[i - 1];

		if (e->context == context && e->seqno == seqno)
			return e;
	}
	return NULL;
}

static void unlink_age(struct fw_fences *f, struct fw_fence *e)
{
	if (e->older)
		f->pool[e->older - 1].newer = e->newer;
	else
		f->oldest = e->newer;
	if (e->newer)
		f->pool[e->newer - 1].older = e->older;
	else
		f->newest = e->older;
}

static void unlink_key(struct fw_fences *f, struct fw_fence *e)
{
	uint64_t key = key_of(e->context, e->seqno), *slot = fw_map_get(&f->by_key, key);
	uint32_t self = (uint32_t)(e - f->pool) + 1;

	if (slot && *slot == self) {
		if (e->same_hash)
			*slot = e->same_hash;
		else
			fw_map_del(&f->by_key, key);
		return;
	}
	for (uint32_t i = slot ? (uint32_t)*slot : 0; i; i = f->pool[i - 1].same_hash)
		if (f->pool[i - 1].same_hash == self)
			f->pool[i - 1].same_hash = e->same_hash;
}

static void retire(struct fw_fences *f, struct fw_fence *e)
{
	if (f->retired)
		f->retired(f->ctx, e);
	unlink_age(f, e);
	unlink_key(f, e);
	e->same_hash = f->free;
	f->free = (uint32_t)(e - f->pool) + 1;
	f->n--;
}

static struct fw_fence *make(struct fw_fences *f, uint64_t context, uint64_t seqno)
{
	uint64_t *slot;
	struct fw_fence *e;
	uint32_t self;

	if (!f->pool) {
		f->pool = fw_calloc(FW_FENCES_MAX, sizeof(*f->pool));
		for (self = FW_FENCES_MAX; self; self--) {
			f->pool[self - 1].same_hash = f->free;
			f->free = self;
		}
	}
	if (!f->free) {
		e = &f->pool[f->oldest - 1];
		if (e->signaled == FW_FENCE_NEVER)
			fw_health_add(f->health, FW_H_fw_fence_evicted, FW_HEALTH_NO_IDX, 1);
		retire(f, e);
	}
	self = f->free;
	e = &f->pool[self - 1];
	f->free = e->same_hash;
	f->n++;
	slot = fw_map_slot(&f->by_key, key_of(context, seqno));
	*e = (struct fw_fence){
		.context = context,
		.seqno = seqno,
		.init = FW_FENCE_NEVER,
		.emit = FW_FENCE_NEVER,
		.enable = FW_FENCE_NEVER,
		.signaled = FW_FENCE_NEVER,
		.destroyed = FW_FENCE_NEVER,
		.stamp = FW_FENCE_NEVER,
		.signaler = -1,
		.poller = -1,
		.same_hash = (uint32_t)*slot,
		.older = f->newest,
	};
	*slot = self;
	if (f->newest)
		f->pool[f->newest - 1].newer = self;
	else
		f->oldest = self;
	f->newest = self;
	return e;
}

/*
 * Names are best early: after the signal Linux 6.17 and later say "detached-driver"; but some
 * drivers are "unbound" until their first fence is submitted.
 */
static void take_name(const struct fw_fences *f, uint32_t *name, struct fw_str s)
{
	uint32_t id;

	if ((*name && *name != f->unbound) || !s.len)
		return;
	id = fw_names_id(f->names, s);
	if (id != f->detached && id != f->signaled_timeline)
		*name = id;
}

/* Times come from the file: what would not fit stays at the limit. */
static int64_t add(int64_t sum, int64_t end, int64_t start)
{
	int64_t ns;

	if (__builtin_sub_overflow(end, start, &ns) || __builtin_add_overflow(sum, ns, &ns))
		return INT64_MAX;
	return ns;
}

static void stamp(int64_t *at, int64_t ts)
{
	if (*at == FW_FENCE_NEVER)
		*at = ts;
}

/* Of a thread that waits for it inside the kernel. */
static void feed_wait(struct fw_fences *f, const struct fw_event *ev)
{
	const struct fw_ev_dma_fence *d = &ev->fence;
	uint64_t key = fw_hash_u64(key_of(d->context, d->seqno) + (uint32_t)ev->tid);
	uint64_t *start = fw_map_get(&f->waits, key);
	struct fw_fence *e = fw_fences_find(f, d->context, d->seqno);

	if (d->kind == FW_DMA_FENCE_WAIT_START) {
		if (start || f->waits.n < FW_FENCES_MAX)
			fw_map_set(&f->waits, key, (uint64_t)ev->ts);
		return;
	}
	if (!start)
		return;
	if (e && ev->ts >= (int64_t)*start) {
		e->kernel_waits++;
		e->kernel_wait_ns = add(e->kernel_wait_ns, ev->ts, (int64_t)*start);
	}
	fw_map_del(&f->waits, key);
}

void fw_fences_polled(struct fw_fences *f, uint64_t context, uint64_t seqno, int32_t tid,
		      struct fw_str name, int64_t start, int64_t end)
{
	struct fw_fence *e = fw_fences_find(f, context, seqno);
	int64_t ns = add(0, end, start);

	if (!e || end < start)
		return;
	if (!e->polls++ || ns > e->longest_poll) {
		e->poller = tid;
		e->poller_name = name.len ? fw_names_id(f->names, name) : 0;
		e->longest_poll = ns;
	}
	e->poll_ns = add(e->poll_ns, end, start);
}

static void feed_member(struct fw_fences *f, const struct fw_ev_fence_member *m)
{
	struct fw_fence *e;

	if (!fw_fences_find(f, m->context, m->seqno))
		make(f, m->context, m->seqno);
	e = fw_fences_find(f, m->member_context, m->member_seqno);
	if (!e)
		e = make(f, m->member_context, m->member_seqno);
	e->array_context = m->context;
	e->array_seqno = m->seqno;
}

static void signal_fence(struct fw_fences *f, struct fw_fence *e, const struct fw_event *ev)
{
	struct fw_fence *array;

	if (e->signaled != FW_FENCE_NEVER)
		return;
	e->signaled = ev->ts;
	e->error = ev->fence.error;
	e->signaler = ev->tid;
	e->signaled_in = ev->fence.in;
	if (ev->fence.signal_ts >= 0)
		e->stamp = ev->fence.signal_ts;
	array = e->array_context ? fw_fences_find(f, e->array_context, e->array_seqno) : NULL;
	if (array) {
		array->last_context = e->context;
		array->last_seqno = e->seqno;
	}
	if (f->signaled)
		f->signaled(f->ctx, e);
}

void fw_fences_feed(struct fw_fences *f, const struct fw_event *ev)
{
	const struct fw_ev_dma_fence *d = &ev->fence;
	struct fw_fence *e;

	if (ev->type == FW_EV_FENCE_MEMBER)
		feed_member(f, &ev->member);
	if (ev->type != FW_EV_DMA_FENCE)
		return;
	if (d->kind == FW_DMA_FENCE_WAIT_START || d->kind == FW_DMA_FENCE_WAIT_END) {
		feed_wait(f, ev);
		return;
	}
	e = fw_fences_find(f, d->context, d->seqno);
	if (e && d->kind == FW_DMA_FENCE_INIT &&
	    (e->init != FW_FENCE_NEVER || e->signaled != FW_FENCE_NEVER)) {
		/* Numbers come again when a context begins anew. */
		retire(f, e);
		e = NULL;
	}
	if (!e)
		e = make(f, d->context, d->seqno);
	take_name(f, &e->driver, d->driver);
	take_name(f, &e->timeline, d->timeline);
	switch (d->kind) {
	case FW_DMA_FENCE_INIT:
		stamp(&e->init, ev->ts);
		return;
	case FW_DMA_FENCE_EMIT:
		stamp(&e->emit, ev->ts);
		return;
	case FW_DMA_FENCE_ENABLE_SIGNAL:
		stamp(&e->enable, ev->ts);
		return;
	case FW_DMA_FENCE_SIGNALED:
		signal_fence(f, e, ev);
		return;
	case FW_DMA_FENCE_DESTROY:
		e->destroyed = ev->ts;
		retire(f, e);
		return;
	default:
		return;
	}
}

void fw_fences_finish(struct fw_fences *f)
{
	while (f->oldest)
		retire(f, &f->pool[f->oldest - 1]);
	fw_map_free(&f->by_key);
	fw_map_free(&f->waits);
	free(f->pool);
	f->pool = NULL;
}
