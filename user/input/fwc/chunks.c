// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/fwc/fwc.h"

static void count(struct fwc_chunks *c, enum fw_health_id id, int64_t n)
{
	if (c->health)
		fw_health_add(c->health, id, FW_HEALTH_NO_IDX, n);
}

static void reserve(struct fwc_chunks *c, size_t len)
{
	if (!c->payload || c->cap < len) {
		c->payload = fw_realloc(c->payload, len ? len : 1, 1);
		c->cap = len;
	}
	c->len = len;
}

/* Return: false when the stream does not inflate to exactly what its head says. */
static bool inflate_payload(struct fwc_chunks *c, const uint8_t *p, size_t len, size_t raw_len)
{
	uLongf out = raw_len;

	reserve(c, raw_len);
	return uncompress(c->payload, &out, p, len) == Z_OK && out == raw_len;
}

/* The rest of the file makes no whole chunk. */
static int cut(struct fwc_chunks *c, size_t left)
{
	count(c, FW_H_fw_truncated_bytes, left);
	c->pos += left;
	return 0;
}

int fwc_chunks_next(struct fwc_chunks *c)
{
	struct fw_chunk h;
	const uint8_t *p;
	size_t have;

	for (;;) {
		p = fw_reader_at(&c->reader, c->pos, sizeof(h), &have);
		if (!p)
			return -EIO;
		if (have < sizeof(h))
			return cut(c, have);
		memcpy(&h, p, sizeof(h));
		if (h.len > FW_CHUNK_MAX || h.raw_len > FW_CHUNK_MAX)
			return cut(c, fw_source_size(c->src) - c->pos);
		p = fw_reader_at(&c->reader, c->pos + sizeof(h), h.len, &have);
		if (!p)
			return -EIO;
		if (have < h.len)
			return cut(c, fw_source_size(c->src) - c->pos);
		c->pos += sizeof(h) + h.len;
		if (crc32(0, p, h.len) != h.crc) {
			count(c, FW_H_fw_bad_packets, 1);
			continue;
		}
		c->type = h.type;
		if (h.raw_len) {
			if (inflate_payload(c, p, h.len, h.raw_len))
				return 1;
			count(c, FW_H_fw_bad_compressed, 1);
			continue;
		}
		reserve(c, h.len);
		memcpy(c->payload, p, h.len);
		return 1;
	}
}

void fwc_chunks_free(struct fwc_chunks *c)
{
	fw_reader_free(&c->reader);
	free(c->payload);
}
