/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_PW_H
#define FW_GEN_PW_H

#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * A protobuf writer. Nested messages get their length as protozero writes it: four bytes are
 * reserved, and given back when one is enough (perfetto src/protozero/message.cc).
 */
struct pw {
	uint8_t *p;
	size_t len, cap;
};

void pw_reserve(struct pw *w, size_t more);
void pw_free(struct pw *w);
static inline void pw_reset(struct pw *w)
{
	w->len = 0;
}

/* Append a varint; room for ten bytes must have been reserved. */
static inline void pw_put(struct pw *w, uint64_t v)
{
	uint8_t *p = w->p + w->len;

	while (v >= 0x80) {
		*p++ = (uint8_t)v | 0x80;
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	w->len = (size_t)(p - w->p);
}

static inline void pw_varint(struct pw *w, uint64_t v)
{
	if (w->cap - w->len < 10)
		pw_reserve(w, 10);
	pw_put(w, v);
}

/* A varint field; negative values take ten bytes, as int32 and int64 fields do. */
void pw_int(struct pw *w, uint32_t field, int64_t v);
void pw_float(struct pw *w, uint32_t field, float v);
void pw_double(struct pw *w, uint32_t field, double v);
void pw_bytes(struct pw *w, uint32_t field, const void *p, size_t len);
void pw_str(struct pw *w, uint32_t field, const char *s);

/* A nested message: everything written between the two calls is inside. */
size_t pw_begin(struct pw *w, uint32_t field);
void pw_end(struct pw *w, size_t at);

#endif
