// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fence_wait.h"

#include <stdlib.h>

#include "base/mem.h"

/* poll() looks at all its files in one go; later first looks are of another call. */
#define ONE_CALL_NS 1000000

/**
 * struct fw_fence_wait - a thread between its two looks
 * @slept: it has slept since its first looks
 */
struct fw_fence_wait {
	int32_t tid;
	bool slept;
	uint32_t n;
	struct polled {
		uint64_t context, seqno;
		int64_t start;
	} f[FW_POLLED_AT_ONCE];
};

void fw_fence_waits_init(struct fw_fence_waits *w, struct fw_fences *fences)
{
	*w = (struct fw_fence_waits){ .fences = fences };
}

void fw_fence_waits_free(struct fw_fence_waits *w)
{
	fw_map_free(&w->by_tid);
	free(w->pool);
	w->pool = NULL;
}

static struct fw_fence_wait *find(const struct fw_fence_waits *w, int32_t tid)
{
	const uint64_t *i = fw_map_get(&w->by_tid, (uint32_t)tid);

	return i ? &w->pool[*i - 1] : NULL;
}

static struct fw_fence_wait *make(struct fw_fence_waits *w, int32_t tid)
{
	struct fw_fence_wait *t;

	if (!w->pool)
		w->pool = fw_calloc(FW_FENCE_WAITS_MAX, sizeof(*w->pool));
	t = &w->pool[w->next];
	if (w->n == FW_FENCE_WAITS_MAX)
		fw_map_del(&w->by_tid, (uint32_t)t->tid);
	else
		w->n++;
	*t = (struct fw_fence_wait){ .tid = tid };
	fw_map_set(&w->by_tid, (uint32_t)tid, w->next + 1);
	w->next = (w->next + 1) % FW_FENCE_WAITS_MAX;
	return t;
}

static bool another_call(const struct fw_fence_wait *t, int64_t ts)
{
	return t->slept || (t->n && (uint64_t)ts - (uint64_t)t->f[0].start > ONE_CALL_NS);
}

static void first_look(struct fw_fence_waits *w, const struct fw_event *ev)
{
	struct fw_fence_wait *t = find(w, ev->tid);

	if (!t)
		t = make(w, ev->tid);
	if (another_call(t, ev->ts)) {
		t->n = 0;
		t->slept = false;
	}
	/* With one that has signaled poll() does not sleep. */
	if (ev->poll.signaled)
		t->n = 0;
	else if (t->n < FW_POLLED_AT_ONCE)
		t->f[t->n++] = (struct polled){ ev->poll.context, ev->poll.seqno, ev->ts };
}

static void second_look(struct fw_fence_waits *w, const struct fw_event *ev)
{
	struct fw_fence_wait *t = find(w, ev->tid);

	for (uint32_t i = 0; t && i < t->n; i++) {
		struct polled *p = &t->f[i];

		if (p->context != ev->poll.context || p->seqno != ev->poll.seqno)
			continue;
		fw_fences_polled(w->fences, p->context, p->seqno, ev->tid, ev->poll.comm, p->start,
				 ev->ts);
		*p = t->f[--t->n];
		return;
	}
}

void fw_fence_waits_feed(struct fw_fence_waits *w, const struct fw_event *ev)
{
	if (ev->type != FW_EV_FENCE_POLL)
		return;
	w->seen = true;
	if (ev->poll.waits)
		first_look(w, ev);
	else
		second_look(w, ev);
}

/* The function that poll() and select() sleep in, and those that compilers put it into. */
static bool sleeps_in_poll(struct fw_str function)
{
	static const char *const names[] = { "poll_schedule_timeout", "do_poll", "do_sys_poll",
					     "do_select", "core_sys_select" };

	if (!function.len)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i]);

		if (function.len >= len && !memcmp(function.p, names[i], len))
			return true;
	}
	return false;
}

/* Members are better known than the array, which signals late and by nobody. */
static const struct fw_fence *resolve(struct fw_fence_waits *w, const struct fw_fence *f)
{
	const struct fw_fence *member = NULL;

	if (f->last_context)
		member = fw_fences_find(w->fences, f->last_context, f->last_seqno);
	return member ? member : f;
}

const struct fw_fence *fw_fence_waits_sleep(struct fw_fence_waits *w, int32_t tid, int64_t start,
					    int64_t end, struct fw_str function)
{
	struct fw_fence_wait *t = find(w, tid);
	const struct fw_fence *hit = NULL;

	if (!t || !t->n || start < t->f[0].start || t->slept || !sleeps_in_poll(function))
		return NULL;
	t->slept = true;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct fw_fence *f =
			fw_fences_find(w->fences, t->f[i].context, t->f[i].seqno);

		if (!f)
			continue;
		f = resolve(w, f);
		if (!hit || (f->signaled != FW_FENCE_NEVER && f->signaled <= end &&
			     (hit->signaled == FW_FENCE_NEVER || hit->signaled < f->signaled)))
			hit = f;
	}
	return hit;
}
