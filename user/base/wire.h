/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_WIRE_H
#define FW_BASE_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

/*
 * The protobuf wire format, read in place: https://protobuf.dev/programming-guides/encoding.
 * Nothing is copied and nothing allocated; every read is bounded by the message.
 */
enum fw_wire { FW_WIRE_VARINT = 0, FW_WIRE_FIXED64 = 1, FW_WIRE_LEN = 2, FW_WIRE_FIXED32 = 5 };

struct fw_pb {
	const uint8_t *p, *end;
};

/**
 * struct fw_pb_field - one field of a message
 * @v: value of a varint or fixed field; the length of a length-delimited one
 * @s: bytes of a length-delimited field
 */
struct fw_pb_field {
	uint32_t id;
	uint32_t wire;
	uint64_t v;
	struct fw_str s;
};

/* The byte after the last one; an absent string has no address to add to. */
static inline const uint8_t *fw_bytes_end(struct fw_str s)
{
	return s.p ? (const uint8_t *)s.p + s.len : NULL;
}

static inline struct fw_pb fw_pb_of(struct fw_str s)
{
	return (struct fw_pb){ (const uint8_t *)s.p, fw_bytes_end(s) };
}

/**
 * fw_varint() - read one varint
 * Return: the byte after it, or NULL when it is cut short or longer than ten bytes.
 */
static inline const uint8_t *fw_varint(const uint8_t *p, const uint8_t *end, uint64_t *out)
{
	uint64_t v = 0;
	unsigned int shift;

	if (p < end && *p < 0x80) {
		*out = *p;
		return p + 1;
	}
	for (shift = 0; p < end && shift < 70; shift += 7) {
		uint64_t b = *p++;

		v |= (b & 0x7f) << shift;
		if (b < 0x80) {
			*out = v;
			return p;
		}
	}
	return NULL;
}

/**
 * fw_pb_next() - the next field of a message
 * Return: 1 for a field, 0 at the end, -1 where the bytes are no message; @pb then stays there.
 */
static inline int fw_pb_next(struct fw_pb *pb, struct fw_pb_field *f)
{
	const uint8_t *p = pb->p;
	uint64_t tag;

	if (p == pb->end)
		return 0;
	p = fw_varint(p, pb->end, &tag);
	if (!p || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
		return -1;
	f->id = (uint32_t)(tag >> 3);
	f->wire = tag & 7;
	f->s = FW_STR_NONE;
	switch (f->wire) {
	case FW_WIRE_VARINT:
		p = fw_varint(p, pb->end, &f->v);
		if (!p)
			return -1;
		break;
	case FW_WIRE_LEN:
		p = fw_varint(p, pb->end, &f->v);
		if (!p || f->v > (uint64_t)(pb->end - p))
			return -1;
		f->s = (struct fw_str){ (const char *)p, f->v };
		p += f->v;
		break;
	case FW_WIRE_FIXED64:
		if (pb->end - p < 8)
			return -1;
		memcpy(&f->v, p, 8);
		p += 8;
		break;
	case FW_WIRE_FIXED32: {
		uint32_t v;

		if (pb->end - p < 4)
			return -1;
		memcpy(&v, p, 4);
		f->v = v;
		p += 4;
		break;
	}
	default:
		return -1;
	}
	pb->p = p;
	return 1;
}

/* The top bit of a varint's byte says that another one follows. */
#define FW_CONTINUE_BITS 0x8080808080808080ULL

/* How many of eight bytes end a varint. */
static inline size_t fw_count_varints_of_8(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, 8);
	return ((~w & FW_CONTINUE_BITS) >> 7) * 0x0101010101010101ULL >> 56;
}

/* Number of varints in a packed array, counted by their last bytes, eight at a time. */
static inline size_t fw_count_varints(const uint8_t *p, size_t len)
{
	uint64_t w, sum;
	size_t n = 0, k;

	while (len >= 8) {
		/* A byte of the sum holds at most 255. */
		for (sum = 0, k = len / 8 < 255 ? len / 8 : 255, len -= k * 8; k; k--, p += 8) {
			memcpy(&w, p, 8);
			sum += (~w & FW_CONTINUE_BITS) >> 7;
		}
		sum = (sum & 0x00ff00ff00ff00ffULL) + (sum >> 8 & 0x00ff00ff00ff00ffULL);
		n += (sum * 0x0001000100010001ULL) >> 48;
	}
	for (; len; len--)
		n += !(*p++ & 0x80);
	return n;
}

#endif
