/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TESTS_BYTES_H
#define FW_TESTS_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Just enough of protobuf's wire format to write small traces by hand. */
struct bytes {
	char *p;
	size_t n, cap;
};

static inline void bytes_put(struct bytes *b, const void *p, size_t n)
{
	if (b->n + n > b->cap) {
		b->cap = (b->n + n) * 2;
		b->p = fw_realloc(b->p, b->cap, 1);
	}
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

static inline void bytes_varint(struct bytes *b, uint64_t v)
{
	unsigned char c;

	for (; v >= 0x80; v >>= 7) {
		c = (unsigned char)v | 0x80;
		bytes_put(b, &c, 1);
	}
	c = (unsigned char)v;
	bytes_put(b, &c, 1);
}

static inline void bytes_int(struct bytes *b, uint32_t field, uint64_t v)
{
	bytes_varint(b, (uint64_t)field << 3);
	bytes_varint(b, v);
}

static inline void bytes_len(struct bytes *b, uint32_t field, const void *p, size_t n)
{
	bytes_varint(b, (uint64_t)field << 3 | 2);
	bytes_varint(b, n);
	bytes_put(b, p, n);
}

/* Put @m as a field of @b and empty it. */
static inline void bytes_message(struct bytes *b, uint32_t field, struct bytes *m)
{
	bytes_len(b, field, m->p, m->n);
	m->n = 0;
}

/* The bytes in a temporary file, whose name is left in @path. */
static inline int bytes_file(const struct bytes *b, char path[32])
{
	int fd;

	strcpy(path, "/tmp/framewait-test-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, b->p, b->n) != (ssize_t)b->n)
		return -1;
	return close(fd);
}

#endif
