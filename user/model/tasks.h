/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TASKS_H
#define FW_MODEL_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "input/event.h"
#include "model/mark.h"

/*
 * Threads and processes over time: one tid can be several threads one after the other. Numbers
 * (utid, upid) are dense and never reused. The rules of creation, reuse and naming are
 * trace_processor's (process_tracker.cc, v57.2).
 */
#define FW_NO_TASK UINT32_MAX
#define FW_SWAPPER 0 /* utid and upid of the idle task, which is there from the start */

struct fw_thread {
	int32_t tid;
	uint32_t upid; /* FW_NO_TASK: not known to which process it belongs */
	uint32_t name; /* in names; 0: unknown */
	uint8_t name_priority;
	bool is_main; /* meaningful when upid is known */
	bool ended;
	uint32_t older; /* the thread that had this tid before, while it may still be alive */
	uint32_t sibling; /* a ring of threads of one process that is not known yet */
};

struct fw_process {
	int32_t pid, ppid, uid; /* ppid, uid: -1 unknown */
	uint32_t name;
	uint32_t main_utid; /* FW_NO_TASK: none seen */
	bool ended;
	uint32_t parent; /* upid; FW_NO_TASK: unknown */
	uint32_t parent_utid; /* the thread that forked it, while its process is unknown */
};

struct fw_tasks {
	struct fw_thread *threads;
	uint32_t n_threads, threads_cap;
	struct fw_process *processes;
	uint32_t n_processes, processes_cap;
	struct fw_names *names; /* borrowed */
	struct fw_tasks_priv *priv; /* tid -> utid and pid -> upid, as of now */
};

struct fw_tasks *fw_tasks_new(struct fw_names *names);
void fw_tasks_free(struct fw_tasks *t);

/**
 * fw_tasks_feed() - let one event change the tables
 *
 * Understands newtask, rename, free, the process tree, process stats, comms of plain and compact
 * sched events and tgids of trace marks; ignores every other type.
 */
void fw_tasks_feed(struct fw_tasks *t, const struct fw_event *ev);

/* The live thread of a tid, made when there is none; utid 0 is swapper (tid 0, pid 0). */
uint32_t fw_tasks_thread(struct fw_tasks *t, int32_t tid);
/* The same without making one: FW_NO_TASK when there is none. */
uint32_t fw_tasks_find_thread(const struct fw_tasks *t, int32_t tid);
/* The live thread of a tid in the live process of a pid, both made when there are none. */
uint32_t fw_tasks_thread_in(struct fw_tasks *t, int32_t tid, int32_t pid);
/* The live process of a pid, made (with its main thread) when there is none. */
uint32_t fw_tasks_process(struct fw_tasks *t, int32_t pid);
uint32_t fw_tasks_find_process(const struct fw_tasks *t, int32_t pid);

/* The live thread of a tid, which a sched event calls @comm; an absent comm names nothing. */
uint32_t fw_tasks_comm(struct fw_tasks *t, int32_t tid, struct fw_str comm);

/* What a line of text says of the thread that emitted the event (FW_EVF_LINE). */
void fw_tasks_line(struct fw_tasks *t, const struct fw_event *ev);

/* A tid begins anew, or its thread ends: for recordings that say so in their own way. */
uint32_t fw_tasks_start(struct fw_tasks *t, int32_t tid);
void fw_tasks_end(struct fw_tasks *t, int32_t tid);

/**
 * struct fw_mark_owner - whose mark it is
 * @utid: B, E, I, N, G, H: the thread; FW_NO_TASK for an E of a thread never seen
 * @upid: S, F, N, G, H, C: the process; FW_NO_TASK for what is said of the whole device
 */
struct fw_mark_owner {
	uint32_t utid, upid;
};

/* What a mark that @tid wrote says of threads and processes. */
struct fw_mark_owner fw_tasks_mark(struct fw_tasks *t, int32_t tid, const struct fw_mark *m);

static inline struct fw_str fw_tasks_thread_name(const struct fw_tasks *t, uint32_t utid)
{
	return fw_names_str(t->names, t->threads[utid].name);
}

static inline struct fw_str fw_tasks_process_name(const struct fw_tasks *t, uint32_t upid)
{
	return fw_names_str(t->names, t->processes[upid].name);
}

#endif
