// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/planes.h"
#include "input/fwc/fwc.h"

static void count(struct fwc_chunks *c, enum fw_health_id id, int64_t n)
{
	if (c->health)
		fw_health_add(c->health, id, FW_HEALTH_NO_IDX, n);
}

static uint8_t *reserve(struct fwc_bytes *b, size_t len)
{
	if (!b->p || b->cap < len) {
		b->p = fw_realloc(b->p, len ? len : 1, 1);
		b->cap = len;
	}
	return b->p;
}

/* Return: false when it does not unpack to exactly what its head says. */
static bool decompress(const uint8_t *p, size_t len, uint8_t *out, size_t raw_len)
{
	uLongf n = raw_len;
	uint32_t magic = 0;

	memcpy(&magic, p, FW_MIN(len, sizeof(magic)));
	if (magic == FW_CHUNK_ZSTD)
		return raw_len <= FW_CHUNK_ZSTD_MAX &&
		       ZSTD_decompress(out, raw_len, p, len) == raw_len;
	return uncompress(out, &n, p, len) == Z_OK && n == raw_len;
}

/* Make the payload of a chunk what its type says. Return: false, counted, for what it is not. */
static bool take_payload(struct fwc_chunks *c, const struct fw_chunk *h, const uint8_t *p)
{
	bool planes = h->type == FW_CHUNK_PLANES;
	struct fwc_bytes *b = planes ? &c->planes : &c->raw;
	size_t len = h->raw_len ? h->raw_len : h->len;

	reserve(b, len);
	if (!h->raw_len) {
		memcpy(b->p, p, len);
	} else if (!decompress(p, h->len, b->p, len)) {
		count(c, FW_H_fw_bad_compressed, 1);
		return false;
	}
	c->type = h->type;
	if (planes) {
		if (!fw_planes_unpack(b->p, len, reserve(&c->raw, len))) {
			count(c, FW_H_fw_bad_packets, 1);
			return false;
		}
		c->type = FW_CHUNK_RECS;
		len -= sizeof(struct fw_planes);
	}
	c->payload = c->raw.p;
	c->len = len;
	return true;
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
		if (take_payload(c, &h, p))
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
	free(c->raw.p);
	free(c->planes.p);
}
