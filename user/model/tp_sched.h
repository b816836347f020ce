/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TP_SCHED_H
#define FW_MODEL_TP_SCHED_H

#include "base/health.h"
#include "input/input.h"
#include "model/task_state.h"
#include "model/tasks.h"
#include "model/tp_thread_state.h"

/*
 * Scheduling as trace_processor reads it (ftrace_sched_event_tracker.cc,
 * generic_kernel_parser.cc, v57.2): who ran on each CPU, and the states of threads that follow.
 */

/**
 * struct fw_sched_slice - a thread on a CPU
 * @dur: FW_TP_OPEN when its end was not seen
 * @end_state: as it was switched out; "" not known
 */
struct fw_sched_slice {
	int64_t ts, dur;
	uint64_t seq;
	uint32_t utid;
	int32_t cpu, prio;
	char end_state[4];
};

/**
 * struct fw_tp_sched - the tracker; fill the callbacks after fw_tp_sched_init()
 * @slice: gets each slice once, when its end is known; may be NULL
 * @states: its done may be NULL
 */
struct fw_tp_sched {
	struct fw_tasks *tasks;
	struct fw_health *health;
	struct fw_names *names;
	const struct fw_recording *rec;
	void (*slice)(void *ctx, const struct fw_sched_slice *s);
	void (*state)(void *ctx, const struct fw_tp_state *row);
	void *ctx;

	struct fw_tp_states states;
	enum fw_task_state_layout layout;
	struct fw_tp_cpu *cpus;
	uint32_t n_cpus;
	uint64_t seq;
	struct fw_sched_slice *held; /* ended slices whose end state may still come */
	uint32_t n_held, held_cap;
};

void fw_tp_sched_init(struct fw_tp_sched *s, struct fw_tasks *tasks, struct fw_names *names,
		      struct fw_health *health, const struct fw_recording *rec);

/* Takes sched_switch, sched_waking, task_newtask (fed to the tasks already), blocked reasons and
 * generic task states; ignores all else. */
void fw_tp_sched_feed(struct fw_tp_sched *s, const struct fw_event *ev);
void fw_tp_sched_finish(struct fw_tp_sched *s);

#endif
