// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

void fw_writer_init(struct fw_writer *w, int fd, const char *name)
{
	*w = (struct fw_writer){ .fd = fd, .name = fw_strdup(name) };
	w->buf = fw_zalloc(FW_WRITER_BUF);
}

int fw_writer_open(struct fw_writer *w, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (fd < 0)
		return fw_fail(errno, "%s: cannot create: %s", path, strerror(errno));
	fw_writer_init(w, fd, path);
	w->owned = true;
	return 0;
}

static void drain(struct fw_writer *w, const char *p, size_t len)
{
	while (len && !w->err) {
		ssize_t n = write(w->fd, p, len);

		if (n < 0) {
			if (errno != EINTR)
				w->err = -errno;
			continue;
		}
		p += n;
		len -= (size_t)n;
	}
}

void fw_writer_put(struct fw_writer *w, const void *p, size_t len)
{
	if (len > FW_WRITER_BUF - w->len) {
		drain(w, w->buf, w->len);
		w->len = 0;
		if (len >= FW_WRITER_BUF) {
			drain(w, p, len);
			return;
		}
	}
	if (len)
		memcpy(w->buf + w->len, p, len);
	w->len += len;
}

void fw_writer_printf(struct fw_writer *w, const char *fmt, ...)
{
	char small[256];
	char *big = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(small)) {
		big = fw_zalloc((size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(big, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	fw_writer_put(w, big ? big : small, (size_t)n);
	free(big);
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* Decimal digits of @v, at least @min of them; returns where they begin in @end's buffer. */
static char *digits(char *end, uint64_t v, int min)
{
	for (; v >= 100 || min > 2; v /= 100, min -= 2) {
		end -= 2;
		memcpy(end, pairs + v % 100 * 2, 2);
	}
	if (v >= 10 || min == 2) {
		end -= 2;
		memcpy(end, pairs + v * 2, 2);
	} else if (v || min == 1) {
		*--end = (char)('0' + v);
	}
	return end;
}

void fw_writer_int(struct fw_writer *w, int64_t v)
{
	char b[24], *end = b + sizeof(b);
	char *p = digits(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 1);

	if (v < 0)
		*--p = '-';
	fw_writer_put(w, p, (size_t)(end - p));
}

void fw_writer_uint(struct fw_writer *w, uint64_t v)
{
	char b[24], *end = b + sizeof(b);
	char *p = digits(end, v, 1);

	fw_writer_put(w, p, (size_t)(end - p));
}

void fw_writer_ms(struct fw_writer *w, int64_t ns)
{
	char b[32], *end = b + sizeof(b);
	uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	char *p = digits(end, v % 1000000, 6);

	*--p = '.';
	p = digits(p, v / 1000000, 1);
	if (ns < 0)
		*--p = '-';
	fw_writer_put(w, p, (size_t)(end - p));
}

void fw_writer_real(struct fw_writer *w, double v)
{
	char b[40];
	int prec;

	for (prec = 6; prec < 17; prec++) {
		snprintf(b, sizeof(b), "%.*g", prec, v);
		if (strtod(b, NULL) == v)
			break;
	}
	if (prec == 17)
		snprintf(b, sizeof(b), "%.17g", v);
	fw_writer_puts(w, fw_str(b));
}

int fw_writer_flush(struct fw_writer *w)
{
	drain(w, w->buf, w->len);
	w->len = 0;
	if (w->err)
		return fw_fail(w->err, "%s: cannot write: %s", w->name, strerror(-w->err));
	return 0;
}

int fw_writer_close(struct fw_writer *w)
{
	int err = fw_writer_flush(w);

	/* Some filesystems report a full disk only here. */
	if (w->owned && close(w->fd) && !err)
		err = fw_fail(errno, "%s: cannot write: %s", w->name, strerror(errno));
	free(w->buf);
	free(w->name);
	*w = (struct fw_writer){ .fd = -1 };
	return err;
}
