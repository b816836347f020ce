/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_WRITER_H
#define FW_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/**
 * struct fw_writer - buffered bytes to a file descriptor, where no failure gets lost
 *
 * The first failed write is kept and every later call does nothing; fw_writer_flush() and
 * fw_writer_close() return it.
 */
struct fw_writer {
	int fd;
	bool owned; /* close() it at the end */
	int err; /* negative errno of the first failure */
	char *name; /* for messages */
	char *buf;
	size_t len;
};

#define FW_WRITER_BUF (64 * 1024)

/* Write to an open descriptor that stays the caller's; @name as the user knows it. */
void fw_writer_init(struct fw_writer *w, int fd, const char *name);

/**
 * fw_writer_open() - create a file that is not there yet
 *
 * Nothing that stands under the name is written to or followed, no link either.
 *
 * Return: 0, or a negative errno (-EEXIST) with fw_fail() set; @w then needs no close.
 */
int fw_writer_open(struct fw_writer *w, const char *path);

void fw_writer_put(struct fw_writer *w, const void *p, size_t len);
void fw_writer_printf(struct fw_writer *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static inline void fw_writer_puts(struct fw_writer *w, struct fw_str s)
{
	fw_writer_put(w, s.p, s.len);
}

static inline void fw_writer_char(struct fw_writer *w, char c)
{
	if (w->len == FW_WRITER_BUF)
		fw_writer_put(w, &c, 1);
	else
		w->buf[w->len++] = c;
}

void fw_writer_int(struct fw_writer *w, int64_t v);
void fw_writer_uint(struct fw_writer *w, uint64_t v);
/* Nanoseconds as milliseconds with six decimals, exactly. */
void fw_writer_ms(struct fw_writer *w, int64_t ns);
/* The shortest decimal that reads back as the same double; no locale. */
void fw_writer_real(struct fw_writer *w, double v);

/* Return: 0, or the negative errno of the first failure with fw_fail() set. */
int fw_writer_flush(struct fw_writer *w);
/* Flush, close an owned descriptor, free. Return: as fw_writer_flush(). */
int fw_writer_close(struct fw_writer *w);

#endif
