// SPDX-License-Identifier: GPL-2.0-or-later
/* error - the sentence for the user */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/progress.h"

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
static void print_plainly(const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			fputc('?', stderr);
		/* C1 controls, in UTF-8 */
		else if (c == 0xc2 && ((unsigned char)s[1] & 0xe0) == 0x80)
			s++, fputc('?', stderr);
		else
			fputc(c, stderr);
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
	print_plainly(line);
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
