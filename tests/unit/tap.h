/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TESTS_TAP_H
#define FW_TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Test Anything Protocol for the unit tests: one program, one header. Every check returns whether
 * it held, so that a test can stop where going on makes no sense.
 */
static int tap_done, tap_failed, tap_planned;

/* Say the number of checks before the first one; done_testing() serves where it is not known. */
static inline void plan(int n)
{
	tap_planned = n;
	printf("1..%d\n", n);
}

static inline void plan_skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
}

__attribute__((format(printf, 1, 2))) static inline void diag(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("# ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

__attribute__((format(printf, 2, 3))) static inline bool tap_ok(bool held, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", held ? "" : "not ", ++tap_done);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (!held)
		tap_failed++;
	return held;
}

#define ok(cond, ...)                                                                              \
	({                                                                                         \
		bool tap_held = (cond);                                                            \
		tap_ok(tap_held, __VA_ARGS__);                                                     \
		if (!tap_held)                                                                     \
			diag("%s:%d: %s", __FILE__, __LINE__, #cond);                              \
		tap_held;                                                                          \
	})

#define is_int(got, want, ...)                                                                     \
	({                                                                                         \
		intmax_t tap_got = (got), tap_want = (want);                                       \
		bool tap_held = tap_got == tap_want;                                               \
		tap_ok(tap_held, __VA_ARGS__);                                                     \
		if (!tap_held)                                                                     \
			diag("%s:%d: got %jd, want %jd", __FILE__, __LINE__, tap_got, tap_want);   \
		tap_held;                                                                          \
	})

static inline bool tap_str_eq(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

#define is_str(got, want, ...)                                                                     \
	({                                                                                         \
		const char *tap_got = (got), *tap_want = (want);                                   \
		bool tap_held = tap_str_eq(tap_got, tap_want);                                     \
		tap_ok(tap_held, __VA_ARGS__);                                                     \
		if (!tap_held)                                                                     \
			diag("%s:%d: got \"%s\", want \"%s\"", __FILE__, __LINE__,                 \
			     tap_got ? tap_got : "(null)", tap_want ? tap_want : "(null)");        \
		tap_held;                                                                          \
	})

/* Count @n checks as passed that cannot run here; the reason stands in the output. */
static inline void skip(int n, const char *why)
{
	while (n-- > 0)
		printf("ok %d # SKIP %s\n", ++tap_done, why);
}

/* The last line of main(): return done_testing(); */
static inline int done_testing(void)
{
	if (!tap_planned)
		printf("1..%d\n", tap_done);
	else if (tap_planned != tap_done)
		diag("planned %d checks but ran %d", tap_planned, tap_done);
	return tap_failed || (tap_planned && tap_planned != tap_done) ? 1 : 0;
}

#endif
