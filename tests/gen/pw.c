// SPDX-License-Identifier: GPL-2.0-or-later
#include "pw.h"

#include <stdio.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

#define LENGTH_BYTES 4

void pw_reserve(struct pw *w, size_t more)
{
	if (w->cap - w->len >= more)
		return;
	w->cap = w->cap * 2 + more + 256;
	w->p = realloc(w->p, w->cap);
	if (!w->p) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
}

void pw_free(struct pw *w)
{
	free(w->p);
	*w = (struct pw){ 0 };
}

static void tag(struct pw *w, uint32_t field, int wire)
{
	pw_varint(w, (uint64_t)field << 3 | (unsigned int)wire);
}

void pw_int(struct pw *w, uint32_t field, int64_t v)
{
	tag(w, field, WIRE_VARINT);
	pw_varint(w, (uint64_t)v);
}

static void fixed(struct pw *w, const void *p, size_t len)
{
	pw_reserve(w, len);
	memcpy(w->p + w->len, p, len);
	w->len += len;
}

void pw_float(struct pw *w, uint32_t field, float v)
{
	tag(w, field, WIRE_FIXED32);
	fixed(w, &v, sizeof(v));
}

void pw_double(struct pw *w, uint32_t field, double v)
{
	tag(w, field, WIRE_FIXED64);
	fixed(w, &v, sizeof(v));
}

void pw_bytes(struct pw *w, uint32_t field, const void *p, size_t len)
{
	tag(w, field, WIRE_BYTES);
	pw_varint(w, len);
	if (len)
		fixed(w, p, len);
}

void pw_str(struct pw *w, uint32_t field, const char *s)
{
	pw_bytes(w, field, s, strlen(s));
}

size_t pw_begin(struct pw *w, uint32_t field)
{
	tag(w, field, WIRE_BYTES);
	pw_reserve(w, LENGTH_BYTES);
	w->len += LENGTH_BYTES;
	return w->len;
}

void pw_end(struct pw *w, size_t at)
{
	size_t len = w->len - at;
	uint8_t *size = w->p + at - LENGTH_BYTES;

	if (len < 0x80) {
		*size = (uint8_t)len;
		memmove(size + 1, w->p + at, len);
		w->len -= LENGTH_BYTES - 1;
		return;
	}
	for (int i = 0; i < LENGTH_BYTES; i++, len >>= 7)
		size[i] = (uint8_t)(len & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0);
}
