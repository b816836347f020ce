// SPDX-License-Identifier: GPL-2.0-or-later
/* error - the sentence for the user */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/progress.h"
#include "base/utf8.h"

bool fw_verbose;

static char text[2048];

int fw_fail(int err, const char *fmt, ...)
{
	va_list ap;

	if (!text[0]) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
	}
	return -abs(err);
}

const char *fw_fail_text(void)
{
	return text;
}

void fw_fail_clear(void)
{
	text[0] = '\0';
}

/* A name out of a file must not reach the terminal as a command to it. */
static void print_plainly(struct fw_str s)
{
	while (s.len) {
		size_t n;

		if (fw_utf8_prints(s, &n) || *s.p == '\n' || *s.p == '\t')
			fwrite(s.p, 1, n, stderr);
		else
			fputc('?', stderr);
		s.p += n;
		s.len -= n;
	}
}

/* "framewait: ...", where a line of progress may stand. */
static void print_line(const char *fmt, va_list ap)
{
	char line[4096];

	fw_progress_clear();
	fflush(stdout);
	fputs("framewait: ", stderr);
	vsnprintf(line, sizeof(line), fmt, ap);
	print_plainly(fw_str(line));
	fputc('\n', stderr);
}

void fw_log(const char *fmt, ...)
{
	va_list ap;

	if (!fw_verbose)
		return;
	va_start(ap, fmt);
	print_line(fmt, ap);
	va_end(ap);
}

void fw_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line(fmt, ap);
	va_end(ap);
}
