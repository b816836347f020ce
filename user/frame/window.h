/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_WINDOW_H
#define FW_FRAME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "frame/columns.h"
#include "model/cpu.h"
#include "model/fence.h"
#include "model/thread_state.h"

/*
 * The time of one thread in one window, summed as its intervals close. A window opens when its
 * frame starts, while events are read in time order; its end is known later. What no interval
 * covers is unobserved, so that states and unobserved add up to the window.
 */
#define FW_WINDOW_OPEN INT64_MAX
/* More fences than this in one window are beyond "top". */
#define FW_WINDOW_FENCES 8
/* The figures from running to unobserved: they add up to the window. */
#define FW_WINDOW_TIMES (FW_FIG_UNOBSERVED + 1)

/**
 * struct fw_frequency - time-weighted frequency
 */
struct fw_frequency {
	unsigned __int128 khz_ns;
	uint64_t ns; /* of which the frequency is known */
	int64_t min, max; /* kHz, over parts longer than 0 */
};

void fw_frequency_add(struct fw_frequency *f, int64_t khz, int64_t start, int64_t end);
void fw_frequency_merge(struct fw_frequency *to, const struct fw_frequency *from);

/**
 * struct fw_tally - time by key, to find the largest
 */
struct fw_tally {
	struct fw_tally_entry {
		int64_t key;
		uint32_t name;
		int64_t ns;
	} * e;
	uint32_t n, cap;
};

/* Among wakers, all interrupts: who was interrupted does not matter. */
#define FW_WAKER_INTERRUPT (-2)

/* The entry with most time, the lowest key of equals; NULL when there is none. */
const struct fw_tally_entry *fw_tally_top(const struct fw_tally *t);

struct fw_held;
struct fw_track;

/**
 * struct fw_window - one thread in one window
 * @frontier: up to here its time is accounted
 * @ns: by figure, FW_FIG_RUNNING to FW_FIG_UNOBSERVED
 * @gone: the thread was replaced by a new one of its tid then; FW_WINDOW_OPEN: it was not
 */
struct fw_window {
	struct fw_window *next, **link; /* among those of the thread that are not done */
	struct fw_window *next_in_frame;
	struct fw_track *track; /* NULL: no longer followed */
	void *frame;
	int32_t tid;
	uint32_t name; /* of the thread, when it was no longer followed */
	int8_t role; /* for whoever opened it */
	bool role_final; /* rows were made with it */
	struct fw_held *held; /* the same; drop() frees it */
	bool parts_lost; /* the same */
	int64_t start, end, frontier, gone;
	int64_t ns[FW_WINDOW_TIMES];
	struct fw_irq_time irq, irq_at_start, irq_at_end;
	bool runs_at_start, runs_at_end; /* irq_at_start, irq_at_end are set */
	bool done, broken;
	bool settled, no_wake, irq_share, irq_known;
	uint32_t switches, wakes;
	int64_t longest_wait, wait; /* @wait: the last one, which may go on */
	int64_t frequency_from; /* up to here frequency is summed */
	struct fw_frequency frequency;
	struct fw_tally functions, sleep_functions, wakers;
	int64_t fence_wait;
	struct fw_fence_share {
		uint64_t context, seqno;
		uint32_t driver, timeline;
		int64_t ns;
	} fences[FW_WINDOW_FENCES]; /* that it waited for; ns 0: free */
};

/**
 * struct fw_track - a followed thread and its windows
 */
struct fw_track {
	struct fw_thread_state state; /* first: the machine gives it back */
	struct fw_window *windows; /* not done yet */
	uint32_t name; /* 0: not known */
	struct fw_proc *proc; /* NULL: process not known */
	struct fw_track *next_in_proc;
	int64_t born; /* ns; INT64_MIN: before the recording */
	uint32_t refs; /* windows that point here, done or not */
	bool candidate; /* followed only because its name is not known */
	bool forgotten; /* no longer followed: goes with its last window */
};

/**
 * struct fw_part - an interval as far as it lies in a window
 * @iv: NULL for unobserved time
 * @irq: running: interrupt time in it, where @irq_known
 */
struct fw_part {
	int64_t start, end;
	const struct fw_interval *iv;
	struct fw_irq_time irq;
	bool irq_known;
};

/**
 * struct fw_windows - what accounting needs
 * @interval: gets each part as it is accounted; may be NULL
 * @drop: the window goes; may be NULL
 */
struct fw_windows {
	struct fw_thread_states *machine;
	const struct fw_cpus *cpus;
	struct fw_names *names;
	void (*interval)(void *ctx, struct fw_window *w, const struct fw_part *part);
	void (*drop)(void *ctx, struct fw_window *w);
	uint32_t n; /* windows there are */
	void *ctx;
};

/* Open a window for a thread at @start; @now is where the reading is, at or after it. */
struct fw_window *fw_window_open(struct fw_windows *ws, struct fw_track *t, void *frame,
				 int64_t start, int64_t now);
/* Its end is known; called when the reading is there. */
void fw_window_end(struct fw_windows *ws, struct fw_window *w, int64_t end);
/* The fence with most time, NULL when there is none. */
const struct fw_fence_share *fw_window_top_fence(const struct fw_window *w);
/* The interval that fw_windows_account() gets next was a wait for @f. */
void fw_windows_fence(struct fw_track *t, const struct fw_interval *iv, const struct fw_fence *f);
/* The machine closed an interval of a followed thread. */
void fw_windows_account(struct fw_windows *ws, struct fw_track *t, const struct fw_interval *iv);
/* The frequency of the CPU that @t runs on changes from @khz at @ts. */
void fw_windows_frequency(struct fw_track *t, int64_t khz, int64_t ts);
/**
 * fw_window_settle() - account the rest with what is known
 * @until: nothing is known after it (end of the recording)
 * Return: 0, or -EPROTO with fw_fail() set when the times do not add up to the window.
 */
int fw_window_settle(struct fw_windows *ws, struct fw_window *w, int64_t until);
/* The thread is no longer followed; @dead: since a new one has its tid. */
void fw_windows_gone(struct fw_windows *ws, struct fw_track *t, int64_t ts, bool dead);
/* Take a window out of its thread and free it. */
void fw_window_drop(struct fw_windows *ws, struct fw_window *w);

#endif
