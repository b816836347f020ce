// SPDX-License-Identifier: GPL-2.0-or-later
/* mem - allocation that cannot fail */
#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void *check(void *p, size_t size)
{
	if (p)
		return p;
	fw_warn("out of memory (%zu bytes wanted)", size);
	exit(FW_EXIT_INPUT);
}

void *fw_zalloc(size_t size)
{
	return check(calloc(1, size ? size : 1), size);
}

void *fw_calloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1), n * size);
}

void *fw_realloc(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		check(NULL, SIZE_MAX);
	return check(realloc(p, bytes ? bytes : 1), bytes);
}

void *fw_memdup(const void *p, size_t len)
{
	void *q = fw_zalloc(len);

	if (len)
		memcpy(q, p, len);
	return q;
}

char *fw_strdup(const char *s)
{
	return s ? fw_memdup(s, strlen(s) + 1) : NULL;
}

char *fw_asprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return check(n < 0 ? NULL : s, 0);
}
