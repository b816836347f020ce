// SPDX-License-Identifier: GPL-2.0-or-later
/* unpack - compressed parts of a version 7 file, into the source's own room for inflated bytes */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/tracedat/tracedat.h"

/* The length of a chunk is rounded up to whole pages: what it lacks stays 0. */
static bool inflate_to(const struct td *t, const uint8_t *p, size_t len, uint8_t *out, size_t room)
{
	uLongf n = room;

	if (t->compression == TD_ZSTD)
		return !ZSTD_isError(ZSTD_decompress(out, room, p, len));
	return uncompress(out, &n, p, len) == Z_OK;
}

/* Two lengths, then so many bytes that unpack to so many. Return: 1, 0 for a damaged one, or errno. */
static int unpack_one(struct td *t, struct td_cursor *c, size_t max)
{
	uint32_t packed = (uint32_t)td_u(c, 4), size = (uint32_t)td_u(c, 4);
	const uint8_t *p;
	uint8_t *out;
	int err = 0;

	if (c->bad || size > max || packed > max)
		return 0;
	p = td_bytes(c, packed);
	if (!p || !size)
		return 0;
	out = fw_zalloc(size);
	if (inflate_to(t, p, packed, out, size))
		err = fw_source_add(t->src, out, size);
	else
		size = 0;
	free(out);
	return err ? err : size > 0;
}

static void count_bad(struct td *t)
{
	fw_health_add(t->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
}

static int check_known(const struct td *t, const struct td_span *s)
{
	if (t->compression == TD_ZLIB || t->compression == TD_ZSTD)
		return 0;
	return fw_fail(ENOTSUP,
		       "%s: trace.dat: at offset %" PRIu64 " compressed by '%s'; framewait knows "
		       "zlib and zstd",
		       fw_source_path(t->src), s->pos, t->compressor);
}

int td_unpack_section(struct td *t, struct td_span *s)
{
	uint64_t from = fw_source_inflated_end(t->src);
	struct td_cursor c = td_cursor(t, *s);
	int n = check_known(t, s);

	if (n)
		return n;
	n = unpack_one(t, &c, TD_SECTION_MAX);
	if (n < 0)
		return n;
	if (!n)
		count_bad(t);
	*s = (struct td_span){ from, fw_source_inflated_end(t->src) - from };
	return 0;
}

int td_unpack_chunks(struct td *t, struct td_span *s)
{
	uint64_t from = fw_source_inflated_end(t->src);
	/* The number of chunks is not part of the length that the file gives. */
	struct td_cursor c = { .t = t, .pos = s->pos, .end = s->pos + s->len + 4 };
	uint32_t n = (uint32_t)td_u(&c, 4);
	int err = check_known(t, s);

	if (err)
		return err;
	for (; n; n--) {
		err = unpack_one(t, &c, TD_CHUNK_MAX);
		if (err < 0)
			return err;
		/* What follows a damaged chunk cannot be found. */
		if (!err) {
			count_bad(t);
			break;
		}
	}
	*s = (struct td_span){ from, fw_source_inflated_end(t->src) - from };
	return 0;
}
