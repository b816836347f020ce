// SPDX-License-Identifier: GPL-2.0-or-later
/* irq_slices - interrupt handlers and softirqs of each CPU */
#include "model/irq_slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_CPUS 65536
#define IRQ_NAME_MAX 254

static const char *const softirqs[] = {
	"HI",		"TIMER",   "NET_TX", "NET_RX",	"BLOCK",
	"BLOCK_IOPOLL", "TASKLET", "SCHED",  "HRTIMER", "RCU",
};

/* Absent for a vector that Linux does not have. */
static struct fw_str softirq_name(int32_t vec)
{
	if (vec < 0 || vec >= (int32_t)ARRAY_SIZE(softirqs))
		return FW_STR_NONE;
	return fw_str(softirqs[vec]);
}

static void slice_done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	struct fw_irq_slices *irq = ctx;

	if (irq->done)
		irq->done(irq->ctx, (int32_t)t->owner, t->kind, s);
}

void fw_irq_slices_init(struct fw_irq_slices *irq, struct fw_health *health)
{
	memset(irq, 0, sizeof(*irq));
	irq->slices = (struct fw_slices){
		.health = health,
		.done = slice_done,
		.ctx = irq,
		.seq = &irq->seq,
	};
}

static struct fw_track *track_of(struct fw_irq_slices *irq, int32_t cpu, bool softirq)
{
	uint32_t n = irq->n_tracks, want;

	want = (cpu < 0 || cpu >= MAX_CPUS ? 0 : (uint32_t)cpu) * 2 + softirq;
	if (want >= n) {
		while (n <= want)
			n = n ? n * 2 : 32;
		irq->tracks = fw_realloc(irq->tracks, n, sizeof(*irq->tracks));
		for (; irq->n_tracks < n; irq->n_tracks++)
			irq->tracks[irq->n_tracks] = (struct fw_track){
				.owner = irq->n_tracks / 2,
				.kind = irq->n_tracks & 1,
			};
	}
	return &irq->tracks[want];
}

static struct fw_str handler_name(struct fw_str irq, char buf[IRQ_NAME_MAX])
{
	static const char head[] = "IRQ (";
	size_t n = sizeof(head) - 1, len = FW_MIN(irq.len, IRQ_NAME_MAX - n);

	memcpy(buf, head, n);
	if (len)
		memcpy(buf + n, irq.p, len);
	n += len;
	if (n < IRQ_NAME_MAX)
		buf[n++] = ')';
	return (struct fw_str){ buf, n };
}

void fw_irq_slices_feed(struct fw_irq_slices *irq, const struct fw_event *ev)
{
	bool softirq = ev->type == FW_EV_SOFTIRQ_ENTRY || ev->type == FW_EV_SOFTIRQ_EXIT;
	struct fw_slice_start start = { .ts = ev->ts, .dur = FW_SLICE_OPEN };
	char name[IRQ_NAME_MAX];

	if (ev->type < FW_EV_IRQ_ENTRY || ev->type > FW_EV_SOFTIRQ_EXIT || ev->flags & FW_EVF_EARLY)
		return;
	if (ev->type == FW_EV_IRQ_EXIT || ev->type == FW_EV_SOFTIRQ_EXIT) {
		fw_slice_end(&irq->slices, track_of(irq, ev->cpu, softirq), ev->ts, FW_STR_NONE, 0);
		return;
	}
	start.name = softirq ? softirq_name(ev->irq.vec) : handler_name(ev->irq.name, name);
	if (start.name.p)
		fw_slice_begin(&irq->slices, track_of(irq, ev->cpu, softirq), &start);
}

void fw_irq_slices_finish(struct fw_irq_slices *irq)
{
	uint32_t i;

	for (i = 0; i < irq->n_tracks; i++)
		fw_track_finish(&irq->slices, &irq->tracks[i]);
	free(irq->tracks);
	irq->tracks = NULL;
	irq->n_tracks = 0;
}
