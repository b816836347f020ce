// SPDX-License-Identifier: GPL-2.0-or-later
/* Time, bells, names and marks. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "framesim.h"

extern char **environ;

static int marker = -1;
static char *args;
static size_t args_len, args_room;

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t boot_offset(void)
{
	int64_t best = INT64_MAX, offset = 0;

	for (int i = 0; i < 5; i++) {
		int64_t a = now_ns(), boot = clock_ns(CLOCK_BOOTTIME), b = now_ns();

		if (b - a < best) {
			best = b - a;
			offset = boot - a - (b - a) / 2;
		}
	}
	return offset;
}

void die(const char *what)
{
	fprintf(stderr, "framesim: %s: %s\n", what, strerror(errno));
	exit(1);
}

void sleep_until(int64_t mono)
{
	struct timespec ts = { .tv_sec = mono / 1000000000, .tv_nsec = mono % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

void spin_cpu(int64_t ns)
{
	int64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

int64_t work(int64_t period, int per_mille)
{
	return period * per_mille / 1000 * opt.work / 100;
}

void be_realtime(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	sched_setscheduler(0, SCHED_FIFO, &param);
}

void be_in_front(void)
{
	if (opt.fifo_ui)
		be_realtime(APP_PRIORITY);
	else
		setpriority(PRIO_PROCESS, 0, -10);
}

void bell_ring(struct bell *b)
{
	b->rung++;
	syscall(SYS_futex, &b->rung, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void bell_wait(struct bell *b, uint32_t *seen)
{
	while (b->rung == *seen)
		syscall(SYS_futex, &b->rung, FUTEX_WAIT, *seen, NULL, NULL, 0);
	*seen = b->rung;
}

/* The arguments and the environment lie in one piece, which /proc/PID/cmdline shows. */
void name_init(int argc, char **argv)
{
	char *end = argv[0];

	args = argv[0];
	for (int i = 0; i < argc && argv[i] == end; i++)
		end += strlen(end) + 1;
	args_len = (size_t)(end - args);
	for (int i = 0; environ[i] && environ[i] == end; i++)
		end += strlen(end) + 1;
	args_room = (size_t)(end - args);
}

void name_process(const char *name)
{
	size_t len = strlen(name);

	if (len >= args_room)
		len = args_room - 1;
	memset(args, 0, len < args_len ? args_len : args_room);
	memcpy(args, name, len);
	/* As Android does: of a long name the end, where the difference is. */
	name_thread(len > 15 ? name + len - 15 : name);
}

void name_thread(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
}

void marks_open(void)
{
	static const char *const paths[] = { "/sys/kernel/tracing/trace_marker",
					     "/sys/kernel/debug/tracing/trace_marker" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]) && marker < 0; i++)
		marker = open(paths[i], O_WRONLY | O_CLOEXEC);
	if (marker < 0)
		fprintf(stderr, "framesim: trace_marker: %s; no marks are written\n",
			strerror(errno));
}

void mark(const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	if (marker < 0)
		return;
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* The kernel refuses while a recording that begins or ends has its buffer locked. */
	if (n > 0 &&
	    write(marker, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1) < 0)
		sim->marks_refused++;
}
