/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_H
#define FW_FRAMESIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "inject.h"
#include "track.h"

/*
 * framesim plays the graphics of a device with real processes and threads: an app (UI thread and
 * RenderThread), SurfaceFlinger, a composer, a GPU and a display that signal fences. It writes what
 * SurfaceFlinger would write, and what it itself measured of each frame.
 *
 * All processes share struct sim. Times are CLOCK_MONOTONIC ns.
 */
#define FRAMES                                                                                     \
	1024u /* records kept; what is told of a frame is told long before it is overwritten */
#define LAYERS 2
#define SLOTS 4 /* buffers of a layer */
#define LAYER_NAME 96

struct options {
	int rate, work, frames, seconds, flush_ms;
	const char *pftrace, *truth, *io_file, *app, *logcat;
	bool half_packets, no_marks, timers, fifo_ui;
};

/* A counter in shared memory that threads of any process wait for. */
struct bell {
	_Atomic uint32_t rung;
};

/**
 * struct frame - one buffer of a frame, written by the app, then by SurfaceFlinger
 * @index: which frame of the app, from 1; both layers of a frame have the same
 * @n: the vsync that it began with
 * @queued: its RenderThread has queued it; 0 not yet
 * @mark_slack: the times of its marks are not known better than this
 * @measured: of each injection, ns as measured around it; -1 not injected
 */
struct frame {
	uint64_t record;
	int64_t index, n, period, token, display_token;
	int64_t expected_start, expected_end, expected_present;
	int64_t start, ui_end, draw_start, draw_end, dequeued, queued, acquired, latched, dropped;
	int64_t present;
	_Atomic int64_t mark_slack;
	pid_t pid;
	int layer, slot;
	uint32_t number, buffer_id;
	int present_type, jank;
	bool on_time, gpu_composition, latched_unsignaled, expired;
	float late_ms;
	char layer_name[LAYER_NAME];
	int64_t measured[INJECT_COUNT];
};

/* One order for the thread that takes a CPU away. */
struct order {
	struct bell given;
	_Atomic pid_t tid; /* of that thread; 0 there is none */
	int64_t ns;
	struct bell *first; /* rung before it spins, or NULL */
};

struct sim {
	_Atomic int64_t period; /* of the display, from the next vsync on */
	_Atomic bool stop;
	_Atomic pid_t app_pid;
	_Atomic int64_t frames_begun, frames_drawn;
	int64_t restarted_at; /* frame before which the app's process died last */
	_Atomic uint64_t records;
	int generation; /* of the app's process, from 1 */
	struct bell to_render, taken;
	_Atomic uint64_t handed; /* record + 1; 0 none */
	_Atomic int marks_refused;
	_Atomic int in_flight; /* frames queued and not latched */
	struct order order;
	struct track tracks[TRACKS];
	struct frame frames[FRAMES];
};

extern struct sim *sim;
extern struct options opt;

/* A vsync, as TimerDispatch sends it. */
struct vsync {
	int64_t n, time, period, token;
};

/* Sockets between the processes, made before them. [0] is the first named one's. */
struct wires {
	int vsync[2]; /* SurfaceFlinger, app */
	int buffers[2]; /* app, SurfaceFlinger */
	int released[2]; /* SurfaceFlinger, app */
	int compose[2]; /* SurfaceFlinger, composer */
};

#define SF_OFFSET(period) ((period) / 8) /* from a vsync to SurfaceFlinger's wake */

int64_t now_ns(void);
/* CLOCK_BOOTTIME - CLOCK_MONOTONIC */
int64_t boot_offset(void);
void die(const char *what);
void sleep_until(int64_t mono);
/* Use the CPU for @ns of its time. */
void spin_cpu(int64_t ns);
/* That part of a period, in thousandths, scaled by --work. */
int64_t work(int64_t period, int per_mille);

/* As Android has its compositors; where it is not allowed, not. */
void be_realtime(int priority);
enum { APP_PRIORITY = 1, FLINGER_PRIORITY, COMPETITOR_PRIORITY };
/* The app is in front: its threads go before others, or are realtime ones with --fifo-ui. */
void be_in_front(void);

void bell_ring(struct bell *b);
/* Wait until it was rung since it read @seen, which it then updates. */
void bell_wait(struct bell *b, uint32_t *seen);

/* What /proc/PID/cmdline and comm say, as Android's zygote sets them. */
void name_init(int argc, char **argv);
void name_process(const char *name);
void name_thread(const char *name);

/* Trace marks; nothing where trace_marker cannot be written. */
void marks_open(void);
__attribute__((format(printf, 1, 2))) void mark(const char *fmt, ...);

/* What goes wrong in the app's threads; see inject.h. */
void trouble_open(void);
void trouble_ui(struct frame *f);
/* Start @ns of a realtime thread on this thread's CPU, which first rings @first. */
void trouble_take_cpu(int64_t ns, struct bell *first);
/* That thread; it never returns. */
void *trouble_thread(void *unused);
void pin_thread(pid_t tid, int cpu);
void unpin_thread(pid_t tid);

/* --animations: what the app animates, called by its UI thread within each frame. */
void animations_open(void);
void animations_step(int64_t frame);

/* The processes. They end with exit(). */
#define EXIT_RESTART 17 /* of the app: start it again */
void app_main(const struct wires *w);
void flinger_main(const struct wires *w);
void composer_main(const struct wires *w);

#endif
