// SPDX-License-Identifier: GPL-2.0-or-later
/* sf_packets - the bytes of a growing Perfetto file, cut into whole packets */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/proto.h"
#include "base/wire.h"
#include "live/sf_packets.h"

void fw_sf_cut_add(struct fw_sf_cut *c, const void *bytes, size_t len)
{
	size_t skip = c->skip < len ? (size_t)c->skip : len;

	c->skip -= skip;
	c->lost += c->skip_lost ? skip : 0;
	bytes = (const uint8_t *)bytes + skip;
	len -= skip;
	if (c->broken) {
		c->lost += len;
		return;
	}
	if (c->pos) {
		memmove(c->buf, c->buf + c->pos, c->len - c->pos);
		c->len -= c->pos;
		c->pos = 0;
	}
	if (c->cap < c->len + len) {
		c->cap = (c->len + len) * 2;
		c->buf = fw_realloc(c->buf, c->cap, 1);
	}
	if (len)
		memcpy(c->buf + c->len, bytes, len);
	c->len += len;
}

static uint32_t kind_of(const struct fw_pb_field *f)
{
	switch (f->id) {
	case TP_FRAME_TIMELINE:
		return FW_SFK_FRAME_TIMELINE;
	case TP_GRAPHICS_FRAME:
		return FW_SFK_FRAME_TRACER;
	case TP_COMPRESSED:
	case TP_ZSTD_COMPRESSED:
		return FW_SFK_PACKED;
	case TP_SEQUENCE_FLAGS:
		return f->v & SEQ_CLEARED ? FW_SFK_STATE : 0;
	case TP_PROCESS_TREE:
	case TP_CLOCK_SNAPSHOT:
	case TP_TRACE_CONFIG:
	case TP_TRACE_STATS:
	case TP_STATE_CLEARED:
	case TP_PREVIOUS_DROPPED:
	case TP_SYSTEM_INFO:
	case TP_DEFAULTS:
	case TP_SERVICE_EVENT:
		return FW_SFK_STATE;
	}
	return 0;
}

/* Of a packet that does not decode the reader shall say so: it is kept. */
static uint32_t kinds_of(struct fw_str packet)
{
	struct fw_pb pb = fw_pb_of(packet);
	struct fw_pb_field f;
	uint32_t kinds = 0;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0)
		kinds |= kind_of(&f);
	return ret < 0 ? kinds | FW_SFK_STATE : kinds;
}

static void broken(struct fw_sf_cut *c)
{
	c->broken = true;
	c->lost += c->len - c->pos;
	c->pos = c->len;
}

/* Pass over @n bytes from here, of which not all may have come; @lost: they are a packet's. */
static void pass(struct fw_sf_cut *c, uint64_t n, bool lost)
{
	size_t here = c->len - c->pos;

	if (n > here) {
		c->skip = n - here;
		c->skip_lost = lost;
		n = here;
	}
	c->pos += n;
	c->lost += lost ? n : 0;
}

/* A field of Trace at the front; *@size: with its tag. Return: 1, 0 not whole yet, -1 no field. */
static int front_field(const struct fw_sf_cut *c, uint32_t *id, uint64_t *size, bool *is_len)
{
	const uint8_t *start = c->buf + c->pos, *end = c->buf + c->len, *p;
	uint64_t tag, v;

	p = fw_varint(start, end, &tag);
	if (!p)
		return end - start >= 10 ? -1 : 0;
	*id = tag >> 3;
	*is_len = (tag & 7) == FW_WIRE_LEN;
	if (tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
		return -1;
	switch (tag & 7) {
	case FW_WIRE_LEN:
	case FW_WIRE_VARINT: {
		const uint8_t *q = fw_varint(p, end, &v);

		if (!q)
			return end - p >= 10 ? -1 : 0;
		if (*is_len && v > FW_SF_PACKET_ABSURD)
			return -1;
		*size = (uint64_t)(q - start) + (*is_len ? v : 0);
		return 1;
	}
	case FW_WIRE_FIXED64:
	case FW_WIRE_FIXED32:
		*size = (uint64_t)(p - start) + ((tag & 7) == FW_WIRE_FIXED64 ? 8 : 4);
		return 1;
	}
	return -1;
}

bool fw_sf_cut_next(struct fw_sf_cut *c, struct fw_str *packet, uint32_t *kinds)
{
	while (c->pos < c->len) {
		size_t here = c->len - c->pos;
		struct fw_pb_field f;
		struct fw_pb pb;
		uint64_t size;
		uint32_t id;
		bool is_len;
		int ret = front_field(c, &id, &size, &is_len);

		if (ret < 0 || (ret && id == TRACE_PACKET && !is_len)) {
			broken(c);
			return false;
		}
		if (!ret)
			return false;
		if (id != TRACE_PACKET) {
			pass(c, size, false);
			continue;
		}
		if (size > FW_SF_PACKET_MAX) {
			pass(c, size, true);
			continue;
		}
		if (size > here)
			return false;
		*packet = (struct fw_str){ (const char *)c->buf + c->pos, size };
		pb = fw_pb_of(*packet);
		*kinds = fw_pb_next(&pb, &f) > 0 ? kinds_of(f.s) : 0;
		c->pos += size;
		return true;
	}
	return false;
}

void fw_sf_cut_reset(struct fw_sf_cut *c)
{
	c->lost += c->len - c->pos;
	c->pos = c->len = 0;
	c->skip = 0;
	c->broken = false;
}

void fw_sf_cut_free(struct fw_sf_cut *c)
{
	free(c->buf);
	*c = (struct fw_sf_cut){ 0 };
}
