// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the app animates: async sections in the trace, as AnimatorTracer and FolmeTracer name them, and
 * their lines in a log.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "framesim.h"

struct animation {
	const char *tracer, *section, *name; /* section: Anim or Folme */
	const char *stack;
	int every, length; /* frames */
};

static const struct animation animations[] = {
	{ "AnimatorTracer", "Anim", "Obj|ImageView{1f}|alpha:0.0->1.0,+1|LinearInterpolator|300ms",
	  "com.example.app.Card.show(Card.java:12)", 40, 18 },
	{ "FolmeTracer", "Folme", "open|card|x:0->9|spring(0.9,0.3)",
	  "com.example.app.Sheet.open(Sheet.java:40)", 60, 30 },
};
#define N ((int)(sizeof(animations) / sizeof(animations[0])))

static const char *const reasons[] = { "complete", "cancel", "replaced" };
static int log_fd = -1;

__attribute__((format(printf, 2, 3))) static void log_line(const char *tag, const char *fmt, ...)
{
	char text[512], when[32];
	struct timespec now;
	struct tm tm;
	va_list ap;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(when, sizeof(when), "%m-%d %H:%M:%S", &tm);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dprintf(log_fd, "%s.%03d %5d %5d I %s: %s\n", when, (int)(now.tv_nsec / 1000000), getpid(),
		(int)syscall(SYS_gettid), tag, text);
}

static void section(char phase, const struct animation *a, int64_t id)
{
	mark("%c|%d|%s|%" PRId64 "|%s|%" PRId64, phase, getpid(), a->section, id, a->name, id);
}

static void begin(const struct animation *a, int64_t id)
{
	section('S', a, id);
	log_line(a->tracer, "begin %s|%" PRId64 "|%s", a->section, id, a->name);
	log_line(a->tracer, "\tat com.tracer.%s.begin(%s.java:9)", a->tracer, a->tracer);
	log_line(a->tracer, "\tat %s", a->stack);
}

static void end(const struct animation *a, int64_t id, int64_t first, int64_t frame)
{
	const char *reason = reasons[id % 3];

	section('F', a, id);
	log_line(a->tracer, "end %s|%" PRId64 " reason=%s", a->section, id, reason);
	printf("animation %s %" PRId64 ": frames %" PRId64 " to %" PRId64 ", %s\n", a->section, id,
	       first, frame, reason);
	fflush(stdout);
}

void animations_open(void)
{
	if (!opt.logcat)
		return;
	log_fd = open(opt.logcat, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (log_fd < 0)
		die(opt.logcat);
}

/* Every so many frames one begins, and ends some frames later; the last may not end. */
void animations_step(int64_t frame)
{
	for (int i = 0; log_fd >= 0 && i < N; i++) {
		const struct animation *a = &animations[i];
		int64_t into = frame % a->every, id = frame / a->every * N + i + 1;

		if (into == a->every / 4)
			begin(a, id);
		else if (into == a->every / 4 + a->length)
			end(a, id, frame - a->length, frame);
	}
}
