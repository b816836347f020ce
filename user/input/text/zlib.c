// SPDX-License-Identifier: GPL-2.0-or-later
/* zlib - what atrace -z writes behind the line "TRACE:": one zlib stream */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/text/text.h"

#define CHUNK (64u << 10)
/*
 * The text of events shrinks to a tenth, to a fortieth at most. What grows a thousandfold was made
 * to fill a disk.
 */
#define GROWTH_MAX 256u
#define GROWTH_FREE (32u << 20)

/* RFC 1950: method 8, a window of at most 32 KiB, no dictionary, and the check bits. */
static bool is_zlib(const uint8_t *p)
{
	return (p[0] & 0x0f) == 8 && p[0] >> 4 <= 7 && !(p[1] & 0x20) &&
	       (p[0] << 8 | p[1]) % 31 == 0;
}

/* A terminal between made CR LF of each LF, in compressed bytes too. Return: bytes that are left. */
static size_t without_cr(uint8_t *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		if (p[i] != '\r' || i + 1 == len || p[i + 1] != '\n')
			p[n++] = p[i];
	return n;
}

struct inflater {
	struct fw_source *src;
	uint64_t pos;
	bool crlf;
	z_stream z;
	uint8_t *in, *out;
	uint64_t made;
};

/* Return: bytes read, 0 at the end, or a negative errno. */
static ssize_t refill(struct inflater *f)
{
	ssize_t n = fw_source_read(f->src, f->pos, f->in, CHUNK);

	if (n <= 0)
		return n;
	/* What follows a CR decides about it. */
	if (f->crlf && n > 1 && f->in[n - 1] == '\r')
		n--;
	f->pos += (uint64_t)n;
	f->z.next_in = f->in;
	f->z.avail_in = (uInt)(f->crlf ? without_cr(f->in, (size_t)n) : (size_t)n);
	return n;
}

/* Return: 1 when all is there, 0 when the stream is damaged, or a negative errno. */
static int run(struct inflater *f)
{
	int ret = Z_OK, err;

	while (ret == Z_OK || ret == Z_BUF_ERROR) {
		if (!f->z.avail_in) {
			ssize_t n = refill(f);

			if (n <= 0)
				return (int)n;
		}
		f->z.next_out = f->out;
		f->z.avail_out = CHUNK;
		ret = inflate(&f->z, Z_NO_FLUSH);
		f->made += CHUNK - f->z.avail_out;
		err = fw_source_add(f->src, f->out, CHUNK - f->z.avail_out);
		if (err)
			return err;
		if (f->made > GROWTH_FREE && f->made / GROWTH_MAX > fw_source_size(f->src))
			return 0;
	}
	/* What follows in a file of atrace is an old content of its buffer. */
	return ret == Z_STREAM_END;
}

int tx_inflate(struct tx *t, struct fw_lines *l, bool crlf)
{
	struct inflater f = { .src = t->src, .pos = l->pos, .crlf = crlf };
	uint64_t start = fw_source_inflated_end(t->src);
	uint8_t first[2];
	ssize_t n = l->code || t->zlib ? 0 : fw_source_read(t->src, l->pos, first, sizeof(first));
	int ret;

	if (n < 2 || !is_zlib(first))
		return (int)FW_MIN(n, 0);
	if (inflateInit(&f.z) != Z_OK)
		return fw_fail(ENOMEM, "%s: zlib cannot start", fw_source_path(t->src));
	f.in = fw_zalloc(CHUNK);
	f.out = fw_zalloc(CHUNK);
	ret = run(&f);
	inflateEnd(&f.z);
	free(f.in);
	free(f.out);
	if (ret < 0)
		return ret;
	if (!ret)
		fw_health_add(t->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	t->zlib = true;
	l->pos = start;
	return 0;
}
