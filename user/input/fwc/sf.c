// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SurfaceFlinger's packets in a capture, decoded by the reader of Perfetto traces. MONOTONIC and
 * BOOTTIME go through the capture's own pairs, whatever snapshots the packets bring: a frame's
 * fence is known by its stamp, which the kernel side converts in the same way.
 */
#include <string.h>

#include "base/mem.h"
#include "input/fwc/fwc.h"

static bool kept(uint32_t field)
{
	return field == TP_GRAPHICS_FRAME || field == TP_FRAME_TIMELINE || field == TP_PROCESS_TREE;
}

static int on_small(void *ctx, const struct pf_small *rec)
{
	struct fwc *f = ctx;
	struct fwc_item it = { .ts = (uint64_t)rec->ts, .type = FWC_PACKET, .cpu = -1, .tid = -1 };

	if (!f->keep_packets || !kept(rec->field))
		return 0;
	/* Names are as good late. */
	if (rec->field != TP_PROCESS_TREE && fwc_stream_late(f, it.ts, FW_H_fw_sf_late))
		return 0;
	return fwc_put(f, it, rec, sizeof(*rec) + rec->len);
}

static bool place(void *ctx, uint64_t clock, int64_t *ns)
{
	uint64_t boot;

	if (clock == CLK_BOOTTIME)
		return true;
	if (clock != CLK_MONOTONIC || *ns < 0 || !fwc_to_boot(ctx, (uint64_t)*ns, &boot))
		return false;
	*ns = (int64_t)boot;
	return true;
}

/* What a second reading meets was counted by the first. */
static struct fw_health *health_of(struct fwc *f, bool again)
{
	if (!f->unheard)
		f->unheard = fw_health_new();
	return again ? f->unheard : f->health;
}

static void begin(struct fwc *f)
{
	f->sf = pf_new(NULL, health_of(f, f->counted));
	f->sf->on_small = on_small;
	f->sf->place = place;
	f->sf->ctx = f;
}

int fwc_packets(struct fwc *f, const uint8_t *payload, size_t len, bool keep)
{
	struct fw_health *h = health_of(f, f->counted);
	struct fw_sf_packets head;
	int err;

	if (f->trace)
		return 0;
	if (!f->sf)
		begin(f);
	f->sf->health = h;
	if (len < sizeof(head)) {
		fw_health_add(h, FW_H_fw_sf_bytes_lost, FW_HEALTH_NO_IDX, (int64_t)len);
		return 0;
	}
	memcpy(&head, payload, sizeof(head));
	if (head.flags & FW_SFF_NEW)
		pf_restart(f->sf);
	if (head.flags & FW_SFF_GAP)
		fw_health_add(h, FW_H_fw_sf_gaps, FW_HEALTH_NO_IDX, 1);
	f->keep_packets = keep;
	err = pf_feed(f->sf,
		      (struct fw_str){ (const char *)payload + sizeof(head), len - sizeof(head) });
	fw_health_set(h, FW_H_fw_sf_packets, FW_HEALTH_NO_IDX, (int64_t)f->sf->n_packets);
	return err;
}

int fwc_trace_packets(struct fwc *f, bool keep)
{
	struct fw_health *h = health_of(f, f->counted);
	int err;

	fwc_packets_free(f);
	begin(f);
	f->keep_packets = keep;
	err = pf_read(f->sf, f->trace);
	fw_health_set(h, FW_H_fw_sf_packets, FW_HEALTH_NO_IDX, (int64_t)f->sf->n_packets);
	return err;
}

void fwc_packets_free(struct fwc *f)
{
	pf_free(f->sf);
	f->sf = NULL;
}

bool fwc_packet_next(struct fwc *f)
{
	if (f->in_small)
		f->sf->health = health_of(f, f->peeking);
	while (f->in_small && pf_small_next(f->sf, &f->small, &f->ev))
		if (f->wants >> f->ev.type & 1)
			return true;
	f->in_small = false;
	return false;
}
