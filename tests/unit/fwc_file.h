/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TESTS_FWC_FILE_H
#define FW_TESTS_FWC_FILE_H

#include <zlib.h>

#include "bytes.h"
#include "framewait/capture.h"
#include "framewait/record.h"

/* Captures by hand, chunk by chunk, with packets of SurfaceFlinger in them. */
static inline void fwc_chunk(struct bytes *b, uint32_t type, const void *p, size_t n)
{
	struct fw_chunk h = { .type = type, .len = (uint32_t)n };

	h.crc = (uint32_t)crc32(0, p, (uInt)n);
	bytes_put(b, &h, sizeof(h));
	bytes_put(b, p, n);
}

static inline void fwc_begin(struct bytes *b, const char *meta)
{
	bytes_put(b, FW_CAPTURE_MAGIC, FW_CAPTURE_MAGIC_LEN);
	fwc_chunk(b, FW_CHUNK_META, meta, strlen(meta));
}

/* Put what was collected in @records as one chunk, and empty it. */
static inline void fwc_records(struct bytes *b, struct bytes *records)
{
	fwc_chunk(b, FW_CHUNK_RECS, records->p, records->n);
	records->n = 0;
}

static inline void fwc_packets(struct bytes *b, uint64_t arrival, uint32_t flags,
			       struct bytes *packets)
{
	struct fw_sf_packets head = { .arrival = arrival, .flags = flags };
	struct bytes all = { 0 };

	bytes_put(&all, &head, sizeof(head));
	bytes_put(&all, packets->p, packets->n);
	fwc_chunk(b, FW_CHUNK_SF, all.p, all.n);
	packets->n = 0;
	free(all.p);
}

static inline void rec_check(struct bytes *b, uint64_t ts)
{
	struct fw_rec r = { .size = sizeof(r), .type = FW_REC_CHECK, .ts = ts };

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_clock(struct bytes *b, uint64_t boot, uint64_t mono)
{
	struct fw_rec_clock r = { .rec = { .size = sizeof(r), .type = FW_REC_CLOCK, .ts = boot },
				  .monotonic = mono };

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_task(struct bytes *b, uint64_t ts, uint32_t tid, uint32_t pid,
			    const char *comm)
{
	struct fw_rec_task r = { .rec = { .size = sizeof(r), .type = FW_REC_TASK, .ts = ts },
				 .op = FW_TASK_SEEN,
				 .tid = tid,
				 .tgid = pid };

	strncpy(r.comm, comm, sizeof(r.comm) - 1);
	bytes_put(b, &r, sizeof(r));
}

static inline void rec_fence(struct bytes *b, uint64_t ts, uint64_t context, uint64_t seqno,
			     uint64_t stamp)
{
	struct fw_rec_fence r = { .rec = { .size = sizeof(r), .type = FW_REC_FENCE, .ts = ts },
				  .context = context,
				  .seqno = seqno,
				  .stamp = stamp,
				  .op = FW_FENCE_SIGNALED };

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_ran(struct bytes *b, uint64_t start, uint64_t end, uint32_t tid,
			   uint32_t state)
{
	struct fw_rec_ran r = { .rec = { .size = sizeof(r), .type = FW_REC_RAN, .ts = end },
				.ran = { .tid = tid, .state = state, .start = start } };

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_waited(struct bytes *b, uint64_t start, uint64_t wake, uint64_t end,
			      uint32_t tid, uint32_t state)
{
	struct fw_rec_waited r = {
		.rec = { .size = sizeof(r), .type = FW_REC_WAITED, .ts = end },
		.waited = { .tid = tid, .state = state, .start = start, .wake = wake }
	};

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_open(struct bytes *b, uint64_t ts, uint64_t start, uint32_t tid,
			    uint32_t state)
{
	struct fw_rec_open r = { .rec = { .size = sizeof(r), .type = FW_REC_OPEN, .ts = ts },
				 .waited = { .tid = tid, .state = state, .start = start } };

	bytes_put(b, &r, sizeof(r));
}

static inline void rec_text(struct bytes *b, unsigned int type, uint64_t ts, uint32_t tid,
			    const char *text)
{
	uint32_t len = (uint32_t)strlen(text);
	uint16_t size = (uint16_t)((sizeof(struct fw_rec_text) + len + 7) & ~7u);
	struct fw_rec_text r = { .rec = { .size = size, .type = (uint8_t)type, .ts = ts },
				 .tid = tid,
				 .len = len };
	static const char zeros[8];

	bytes_put(b, &r, sizeof(r));
	bytes_put(b, text, len);
	bytes_put(b, zeros, size - sizeof(r) - len);
}

/* clock 0: none is named */
static inline void sf_packet(struct bytes *b, uint32_t clock, uint64_t ts, uint32_t field,
			     struct bytes *payload)
{
	struct bytes p = { 0 };

	bytes_int(&p, 8, ts);
	if (clock)
		bytes_int(&p, 58, clock);
	bytes_int(&p, 10, 1);
	bytes_message(&p, field, payload);
	bytes_message(b, 1, &p);
	free(p.p);
}

#define SF_MONOTONIC 3
#define SF_BOOTTIME 6

/* FrameTracer's event of a buffer; @mono on CLOCK_MONOTONIC. */
static inline void sf_buffer(struct bytes *b, uint64_t mono, int type, const char *layer,
			     uint32_t buffer, uint32_t frame)
{
	struct bytes ev = { 0 }, msg = { 0 };

	bytes_int(&ev, 1, frame);
	bytes_int(&ev, 2, (uint64_t)type);
	bytes_len(&ev, 3, layer, strlen(layer));
	bytes_int(&ev, 5, buffer);
	bytes_message(&msg, 1, &ev);
	sf_packet(b, SF_MONOTONIC, mono, 57, &msg);
	free(ev.p);
	free(msg.p);
}

/* FrameTimeline's actual surface frame and its end. */
static inline void sf_surface(struct bytes *b, uint64_t start, uint64_t end, uint64_t cookie,
			      uint64_t token, uint64_t display, uint32_t pid, const char *layer)
{
	struct bytes ev = { 0 }, msg = { 0 };

	bytes_int(&ev, 1, cookie);
	bytes_int(&ev, 2, token);
	bytes_int(&ev, 3, display);
	bytes_int(&ev, 4, pid);
	bytes_len(&ev, 5, layer, strlen(layer));
	bytes_int(&ev, 6, 1);
	bytes_message(&msg, 4, &ev);
	sf_packet(b, SF_BOOTTIME, start, 76, &msg);
	bytes_int(&ev, 1, cookie);
	bytes_message(&msg, 5, &ev);
	sf_packet(b, SF_BOOTTIME, end, 76, &msg);
	free(ev.p);
	free(msg.p);
}

static inline void sf_display(struct bytes *b, uint64_t start, uint64_t end, uint64_t cookie,
			      uint64_t token, uint32_t pid)
{
	struct bytes ev = { 0 }, msg = { 0 };

	bytes_int(&ev, 1, cookie);
	bytes_int(&ev, 2, token);
	bytes_int(&ev, 3, pid);
	bytes_int(&ev, 4, 1);
	bytes_message(&msg, 2, &ev);
	sf_packet(b, SF_BOOTTIME, start, 76, &msg);
	bytes_int(&ev, 1, cookie);
	bytes_message(&msg, 5, &ev);
	sf_packet(b, SF_BOOTTIME, end, 76, &msg);
	free(ev.p);
	free(msg.p);
}

#endif
