// SPDX-License-Identifier: GPL-2.0-or-later
/* progress - how far long work is, on a terminal */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define QUIET_MS 1000 /* short work shows nothing */
#define STEP_MS 200
#define CALLS 64 /* between two looks at the clock */

bool fw_quiet;

static enum { UNKNOWN, NO_TERMINAL, TERMINAL } where;
static unsigned int calls;
static int64_t first_ms, next_ms;
static bool shown;

static bool on_terminal(void)
{
	if (where == UNKNOWN)
		where = isatty(STDERR_FILENO) && !fw_quiet ? TERMINAL : NO_TERMINAL;
	return where == TERMINAL;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void fw_progress(const char *what, uint64_t done, uint64_t total)
{
	int64_t now;

	if (where == NO_TERMINAL || !total || calls++ % CALLS)
		return;
	now = now_ms();
	if (!first_ms) {
		first_ms = now;
		next_ms = now + QUIET_MS;
	}
	if (!on_terminal() || now < next_ms)
		return;
	next_ms = now + STEP_MS;
	shown = true;
	fprintf(stderr, "\r%s %3u %%, %lld s\033[K", what, (unsigned int)(100.0 * done / total),
		(long long)(now - first_ms) / 1000);
	fflush(stderr);
}

void fw_progress_line(const char *fmt, ...)
{
	va_list ap;

	if (!on_terminal())
		return;
	shown = true;
	fputs("\r\033[K", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fflush(stderr);
}

void fw_progress_clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}
