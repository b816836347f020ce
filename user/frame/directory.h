/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_DIRECTORY_H
#define FW_FRAME_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "frame/roles.h"
#include "frame/window.h"
#include "input/input.h"
#include "model/tasks.h"

/*
 * Who is who: the processes that matter to frames, and the threads of theirs that are followed.
 * It is filled from what the recording says up front (frames, process tree) and learns names and
 * new threads while events are read. A thread without a name is followed until it has one, since
 * it may turn out to be a RenderThread.
 */
struct fw_proc {
	int32_t pid;
	uint32_t name; /* 0: not known */
	bool apps; /* it has surface frames that are wanted */
	bool sf; /* it has display frames */
	bool hwc; /* composer */
	struct fw_track *tracks;
	struct fw_proc *next; /* all of them, or those that are gone */
	struct fw_proc *next_hwc;
	bool dying; /* its first thread has ended */
	int64_t gone_ts;
};

struct fw_directory {
	const struct fw_roles *roles;
	struct fw_names *names;
	struct fw_windows *windows;
	struct fw_thread_states *machine;
	struct fw_interest *interest;
	/* A new thread is followed: frames under way may want it. May be NULL. */
	void (*followed)(void *ctx, struct fw_track *t, int64_t now);
	void *ctx;

	struct fw_tasks *tasks; /* as the recording says up front; live: said last */
	struct fw_tasks *older; /* live: said before; see fw_directory_live() */
	int64_t keep_ns; /* live: how long a process that is over is remembered; 0: not live */
	struct fw_proc *gone, *last_gone; /* live: those, by time */
	struct fw_map by_pid;
	struct fw_map listed; /* by tid: the earliest time that a process tree has it */
	struct fw_proc *procs, *hwc;
	struct fw_track *orphans; /* of no known process */
};

void fw_directory_init(struct fw_directory *d, const struct fw_roles *roles, struct fw_names *names,
		       struct fw_thread_states *machine, struct fw_windows *windows);
void fw_directory_free(struct fw_directory *d);

/* First reading: what the recording says up front, frames and process tree. */
void fw_directory_peek(struct fw_directory *d, const struct fw_event *ev);
/**
 * fw_directory_begin() - after the first reading: follow the threads that matter
 * @wanted: does a process's frames interest the caller?
 */
void fw_directory_begin(struct fw_directory *d, struct fw_interest *interest,
			bool (*wanted)(void *ctx, const struct fw_proc *p), void *ctx);
/**
 * fw_directory_live() - instead of the first reading: processes and threads come as they are met
 * @keep_ns: a frame is settled so long after any of its threads has ended
 *
 * Who could play a part in a frame is followed. What is over is forgotten: processes after @keep_ns,
 * names of threads when many others came since.
 */
void fw_directory_live(struct fw_directory *d, struct fw_interest *interest, int64_t keep_ns);
/* Second reading: names, births and processes; before the state machine gets the event. */
void fw_directory_feed(struct fw_directory *d, const struct fw_event *ev);

struct fw_proc *fw_directory_proc(const struct fw_directory *d, int32_t pid);
/* Name of any thread or process, as far as anyone said it; 0 none. */
uint32_t fw_directory_thread_name(const struct fw_directory *d, int32_t tid);
/* Are two threads of one process? -1: the recording does not say. */
int fw_directory_same_process(const struct fw_directory *d, int32_t a, int32_t b);
uint32_t fw_directory_process_name(const struct fw_directory *d, int32_t pid);

/**
 * fw_directory_role() - the role that a thread plays in a frame, or -1
 * @display: a display frame of process @pid; else a surface frame
 * @maybe: set when only the missing name speaks against it; may be NULL
 */
int fw_directory_role(const struct fw_directory *d, const struct fw_track *t, bool display,
		      int32_t pid, bool *maybe);

#endif
