// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* Return: 1 for a chunk, 0 where no whole one stands (yet), with *@left bytes of it; or negative. */
static int read_chunk(struct fwc_chunks *c, size_t *left, bool *damaged)
{
	struct fw_chunk h;
	const uint8_t *p;
	size_t have;

	for (;;) {
		p = fw_reader_at(&c->reader, c->pos, sizeof(h), &have);
		if (!p)
			return -EIO;
		*left = have;
		if (have < sizeof(h))
			return 0;
		memcpy(&h, p, sizeof(h));
		*damaged = h.len > FW_CHUNK_MAX || h.raw_len > FW_CHUNK_MAX;
		if (*damaged) {
			*left = FW_MAX(fw_source_size(c->src), c->pos + have) - c->pos;
			return 0;
		}
		p = fw_reader_at(&c->reader, c->pos + sizeof(h), h.len, &have);
		if (!p)
			return -EIO;
		*left = sizeof(h) + have;
		if (have < h.len)
			return 0;
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

int fwc_chunks_next(struct fwc_chunks *c)
{
	bool damaged = false;
	size_t left;
	int n;

	while (!(n = read_chunk(c, &left, &damaged))) {
		n = c->more && !damaged ? c->more(c->ctx) : 0;
		if (n < 0)
			return n;
		if (!n)
			return cut(c, left);
	}
	return n;
}

void fwc_chunks_free(struct fwc_chunks *c)
{
	fw_reader_free(&c->reader);
	free(c->payload);
}
