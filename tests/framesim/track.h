/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_TRACK_H
#define FW_FRAMESIM_TRACK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A thread's own account of its time. It says when it goes to sleep, and of which kind, and when it is
 * back; the time it waited for a CPU is the kernel's, from /proc/thread-self/schedstat.
 */
#define POINTS 4096u

enum mode { MODE_ACTIVE, MODE_SLEEP, MODE_IO, MODE_BLOCKED };
enum track_id { TRACK_UI, TRACK_RENDER, TRACK_SF, TRACK_RE, TRACK_HWC, TRACKS };

/**
 * struct spent - a thread's time, in ns, up to some moment or within a window
 * @delay: runnable or preempted
 * @slack: how far they may be off: a wait that the window cuts
 * @doubt: so much of @running may be @delay. The kernel's account of a thread that wakes an idle CPU
 *	begins with the wake, before it runs; and a virtual CPU that does not run looks like neither
 */
struct spent {
	int64_t running, delay, sleeping, io, blocked, slack, doubt;
};

struct point {
	int64_t ts, cpu, delay, sleeping, io, blocked, doubt;
	enum mode mode; /* from here on */
};

struct track {
	_Atomic pid_t tid;
	_Atomic uint64_t n;
	struct point points[POINTS];
};

/* The calling thread writes to this track from now on. */
void track_begin(struct track *t);
/* The calling thread is in @mode from now on. Return: now. */
int64_t track_mode(enum mode mode);
/* What the calling thread has waited for a CPU so far. */
int64_t track_delay(void);
/* ns that the calling thread's last finished part in another mode than active took, in that mode. */
int64_t track_last(void);
/* Use the CPU for @ns. Return: how long that took, less the waits for a CPU. */
int64_t compute(int64_t ns);
/* The time of a thread within [start, end), from another thread. False: it was not yet there. */
bool track_window(const struct track *t, int64_t start, int64_t end, struct spent *s);

#endif
