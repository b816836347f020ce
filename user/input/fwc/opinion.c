// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a thread was blocked, said twice: by the stack that sched_switch found when it came back, and by
 * an event of the kernel or of framewait.ko. How often the two agree stands in the health. The file
 * has each CPU's records for itself, so either may come first; what waits for its other half is kept
 * for the last few sleeps of a thread, and what finds none is not counted.
 */

#include "base/mem.h"
#include "input/fwc/fwc.h"

/* An event at the switch comes just before or just after ours. */
#define TOGETHER_NS 1000000
#define KEPT 64

struct fwc_opinions {
	uint32_t next;
	struct half {
		uint64_t start, end; /* of the sleep; the event alone: its time twice */
		uint64_t function;
		bool event, io_wait, used;
	} h[KEPT];
};

static bool together(const struct half *sleep, uint64_t event)
{
	return event >= sleep->start && (event <= sleep->end || event - sleep->end < TOGETHER_NS);
}

static void add(struct fwc *f, struct fwc_opinions *o, const struct half *h)
{
	for (int i = 0; i < KEPT; i++) {
		struct half *k = &o->h[i];
		bool same = k->function == h->function && k->io_wait == h->io_wait;

		if (!k->used || k->event == h->event ||
		    !together(h->event ? k : h, h->event ? h->end : k->end))
			continue;
		k->used = false;
		fw_health_add(f->health, same ? FW_H_fw_blocked_agree : FW_H_fw_blocked_differ,
			      FW_HEALTH_NO_IDX, 1);
		return;
	}
	o->h[o->next] = *h;
	o->next = (o->next + 1) % KEPT;
}

void fwc_opinion_waited(struct fwc *f, struct fwc_tail *t, const struct fw_waited *w, uint64_t ts)
{
	struct half h = { .start = w->start,
			  .end = ts,
			  .function = w->wchan,
			  .io_wait = w->state & FW_RSF_IO_WAIT,
			  .used = true };

	if (!f->n_records[FW_REC_BLOCKED] || (w->state & FW_RS_MASK) != FW_RS_BLOCKED ||
	    !w->wchan || !(w->state & FW_RSF_IO_KNOWN))
		return;
	if (!t->opinions)
		t->opinions = fw_zalloc(sizeof(*t->opinions));
	add(f, t->opinions, &h);
}

void fwc_opinion_blocked(struct fwc *f, struct fwc_tail *t, const struct fw_rec_blocked *b)
{
	struct half h = { .start = b->rec.ts,
			  .end = b->rec.ts,
			  .function = b->caller,
			  .event = true,
			  .io_wait = b->io_wait,
			  .used = true };

	if (!t->opinions)
		t->opinions = fw_zalloc(sizeof(*t->opinions));
	add(f, t->opinions, &h);
}
