// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/pb.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

/* A length that is known only later has room for this many bytes of varint. */
#define LEN_BYTES 4

static char *room(struct fw_pb *b, size_t n)
{
	if (b->cap - b->len < n) {
		b->cap = FW_MAX(2 * b->cap, b->len + n + 256);
		b->p = fw_realloc(b->p, b->cap, 1);
	}
	b->len += n;
	return b->p + b->len - n;
}

static void put_varint(struct fw_pb *b, uint64_t v)
{
	char bytes[10];
	size_t n = 0;

	do {
		bytes[n++] = (char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
	memcpy(room(b, n), bytes, n);
}

static void put_tag(struct fw_pb *b, uint32_t field, int type)
{
	put_varint(b, (uint64_t)field << 3 | (uint32_t)type);
}

static void put_little(struct fw_pb *b, uint64_t v, size_t n)
{
	char *p = room(b, n);

	for (size_t i = 0; i < n; i++, v >>= 8)
		p[i] = (char)(v & 0xff);
}

void fw_pb_uint(struct fw_pb *b, uint32_t field, uint64_t v)
{
	put_tag(b, field, VARINT);
	put_varint(b, v);
}

void fw_pb_int(struct fw_pb *b, uint32_t field, int64_t v)
{
	fw_pb_uint(b, field, (uint64_t)v);
}

void fw_pb_fixed64(struct fw_pb *b, uint32_t field, uint64_t v)
{
	put_tag(b, field, FIXED64);
	put_little(b, v, 8);
}

void fw_pb_double(struct fw_pb *b, uint32_t field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	fw_pb_fixed64(b, field, bits);
}

void fw_pb_float(struct fw_pb *b, uint32_t field, float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put_tag(b, field, FIXED32);
	put_little(b, bits, 4);
}

void fw_pb_text(struct fw_pb *b, uint32_t field, struct fw_str s)
{
	char *buf;
	struct fw_str clean;

	if (!s.p)
		return;
	clean = fw_utf8_clean(s, &buf);
	put_tag(b, field, BYTES);
	put_varint(b, clean.len);
	if (clean.len)
		memcpy(room(b, clean.len), clean.p, clean.len);
	free(buf);
}

size_t fw_pb_open(struct fw_pb *b, uint32_t field)
{
	put_tag(b, field, BYTES);
	room(b, LEN_BYTES);
	return b->len;
}

void fw_pb_close(struct fw_pb *b, size_t opened)
{
	size_t len = b->len - opened;

	for (int i = 0; i < LEN_BYTES; i++, len >>= 7)
		b->p[opened - LEN_BYTES + (size_t)i] =
			(char)((len & 0x7f) | (i < LEN_BYTES - 1 ? 0x80 : 0));
}
