// SPDX-License-Identifier: GPL-2.0-or-later
#include "track.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "framesim.h"

static __thread struct track *mine;
static __thread int schedstat = -1;
static __thread int64_t last, delay_before; /* what other threads of the track have waited */

int64_t track_delay(void)
{
	unsigned long long ran, delay = 0;
	char text[96];
	ssize_t n;

	n = schedstat < 0 ? 0 : pread(schedstat, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	return sscanf(text, "%llu %llu", &ran, &delay) == 2 ? (int64_t)delay + delay_before : 0;
}

static int64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* The clocks at one moment: a wait for a CPU between two of them would count for the wrong part. */
static void take(struct point *p)
{
	for (int i = 0; i < 100; i++) {
		p->delay = track_delay();
		p->ts = now_ns();
		p->cpu = cpu_ns();
		if (track_delay() == p->delay)
			return;
	}
}

static void put(const struct point *p)
{
	uint64_t n = mine->n;

	mine->points[n % POINTS] = *p;
	mine->n = n + 1;
}

void track_begin(struct track *t)
{
	char path[64];
	struct point p = { .mode = MODE_ACTIVE };

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", (int)syscall(SYS_gettid));
	schedstat = open(path, O_RDONLY | O_CLOEXEC);
	mine = t;
	/* Another thread had it before: its account goes on here. */
	if (t->n) {
		const struct point *was = &t->points[(t->n - 1) % POINTS];

		delay_before = was->delay - track_delay();
		p.sleeping = was->sleeping;
		p.io = was->io;
		p.blocked = was->blocked;
		p.doubt = was->doubt;
	}
	take(&p);
	put(&p);
	t->tid = (pid_t)syscall(SYS_gettid);
}

int64_t track_mode(enum mode mode)
{
	struct point p = mine->points[(mine->n - 1) % POINTS], was = p;
	int64_t rest;

	take(&p);
	p.mode = mode;
	rest = (p.ts - was.ts) - (p.delay - was.delay) - (p.cpu - was.cpu);
	if (rest < 0)
		rest = 0;
	if (was.mode == MODE_ACTIVE) {
		p.doubt += rest;
	} else {
		last = rest;
		p.doubt += p.cpu - was.cpu;
		*(was.mode == MODE_SLEEP ? &p.sleeping
		  : was.mode == MODE_IO	 ? &p.io
					 : &p.blocked) += last;
	}
	put(&p);
	return p.ts;
}

int64_t track_last(void)
{
	return last;
}

int64_t compute(int64_t ns)
{
	struct point from, to;

	take(&from);
	spin_cpu(ns);
	take(&to);
	return to.ts - from.ts - (to.delay - from.delay);
}

/* The last point at or before @ts; its number to @at. False: it is no longer there. */
static bool find(const struct track *t, int64_t ts, uint64_t *at)
{
	uint64_t last_point = t->n, first = last_point > POINTS - 8 ? last_point - (POINTS - 8) : 0;

	for (uint64_t i = last_point; i-- > first;) {
		if (t->points[i % POINTS].ts <= ts) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* All that the thread has spent up to @ts. */
static bool up_to(const struct track *t, int64_t ts, struct spent *s)
{
	const struct point *p, *next;
	int64_t in, delay, slept;
	uint64_t at;

	if (!find(t, ts, &at))
		return false;
	p = &t->points[at % POINTS];
	*s = (struct spent){ .delay = p->delay,
			     .sleeping = p->sleeping,
			     .io = p->io,
			     .blocked = p->blocked,
			     .doubt = p->doubt };
	in = ts - p->ts;
	next = at + 1 < t->n ? &t->points[(at + 1) % POINTS] : NULL;
	if (next)
		s->doubt = next->doubt;
	delay = next ? next->delay - p->delay : 0;
	/* Where in it the waits stood is not known. */
	s->slack = p->mode == MODE_IO ? in : delay < in ? delay : in;
	if (p->mode == MODE_SLEEP || p->mode == MODE_BLOCKED) {
		/* Mostly at its end: woken, it waits for a CPU. */
		slept = next ? next->ts - p->ts - delay : in;
		if (in > slept)
			s->delay += in - slept;
		*(p->mode == MODE_SLEEP ? &s->sleeping : &s->blocked) += in < slept ? in : slept;
	}
	s->running = ts - s->delay - s->sleeping - s->io - s->blocked;
	return true;
}

bool track_window(const struct track *t, int64_t start, int64_t end, struct spent *s)
{
	struct spent a, b;

	if (!up_to(t, start, &a) || !up_to(t, end, &b))
		return false;
	*s = (struct spent){
		.running = b.running - a.running,
		.delay = b.delay - a.delay,
		.sleeping = b.sleeping - a.sleeping,
		.io = b.io - a.io,
		.blocked = b.blocked - a.blocked,
		.slack = a.slack + b.slack,
		.doubt = b.doubt - a.doubt,
	};
	return true;
}
