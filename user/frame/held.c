// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/held.h"

#include <stdlib.h>

#include "base/mem.h"

struct fw_held {
	struct fw_window *w;
	struct fw_held *prev, *next;
	uint32_t n, cap;
	struct held_part {
		struct fw_part part;
		struct fw_interval iv;
		uint32_t waker;
	} part[];
};

static void take_out(struct fw_held_parts *hs, struct fw_held *h)
{
	*(h->prev ? &h->prev->next : &hs->first) = h->next;
	*(h->next ? &h->next->prev : &hs->last) = h->prev;
	hs->n -= h->cap;
}

void fw_held_drop(struct fw_held_parts *hs, struct fw_window *w)
{
	if (!w->held)
		return;
	take_out(hs, w->held);
	free(w->held);
	w->held = NULL;
}

static void lose(struct fw_held_parts *hs, struct fw_window *w)
{
	w->parts_lost = true;
	fw_held_drop(hs, w);
}

/* Room for one more part of @w, at the cost of older windows. */
static struct fw_held *make_room(struct fw_held_parts *hs, struct fw_window *w)
{
	struct fw_held *h = w->held;
	uint32_t more = h ? h->cap : 1;

	if (h && h->n < h->cap)
		return h;
	while (hs->first && hs->n + more > FW_HELD_MAX) {
		lose(hs, hs->first->w);
		if (w->parts_lost)
			return NULL;
	}
	h = fw_realloc(h, 1, sizeof(*h) + (w->held ? 2 * more : 1) * sizeof(h->part[0]));
	if (!w->held) {
		*h = (struct fw_held){ .w = w, .prev = hs->last };
		hs->last = h;
	}
	h->cap += more;
	hs->n += more;
	/* It may have moved. */
	*(h->prev ? &h->prev->next : &hs->first) = h;
	*(h->next ? &h->next->prev : &hs->last) = h;
	w->held = h;
	return h;
}

void fw_held_add(struct fw_held_parts *hs, struct fw_window *w, const struct fw_part *part)
{
	struct fw_held *h = w->parts_lost ? NULL : make_room(hs, w);
	const struct fw_interval *iv = part->iv;
	struct held_part *p;

	if (!h)
		return;
	p = &h->part[h->n++];
	*p = (struct held_part){ .part = *part };
	if (!iv)
		return;
	p->iv = *iv;
	p->waker = fw_names_id(hs->names, iv->waker);
	/* The name that it has now. */
	if (!iv->waker.len && iv->state == FW_STATE_RUNNABLE && iv->waker_tid >= 0)
		p->waker = fw_directory_thread_name(hs->directory, iv->waker_tid);
}

void fw_held_release(struct fw_held_parts *hs, struct fw_window *w)
{
	struct fw_held *h = w->held;

	for (uint32_t i = 0; h && i < h->n; i++) {
		struct held_part *p = &h->part[i];

		p->iv.waker = fw_names_str(hs->names, p->waker);
		if (p->part.iv)
			p->part.iv = &p->iv;
		hs->row(hs->ctx, w, &p->part);
	}
	fw_held_drop(hs, w);
}
