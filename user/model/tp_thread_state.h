/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TP_THREAD_STATE_H
#define FW_MODEL_TP_THREAD_STATE_H

#include <stdint.h>

#include "base/str.h"

/*
 * States of threads as trace_processor has them (thread_state_tracker.cc, v57.2), to compare with
 * it. framewait's own machine is thread_state.h.
 */
#define FW_TP_OPEN (-1)

/**
 * struct fw_tp_state - a row of trace_processor's thread_state
 * @seq: its row number
 * @dur: FW_TP_OPEN when it never ended, also where an event was missing
 * @waker: utid; FW_NO_TASK: none
 * @cpu: where it ran, else -1
 * @io_wait, @irq_context: 0, 1, -1 unknown
 * @state: "Running", "R", "R+", "S", ...; "" for bits that mean nothing
 * @function: where it blocked, in names; 0 unknown
 */
struct fw_tp_state {
	int64_t ts, dur;
	uint64_t seq;
	uint32_t utid, waker;
	uint32_t function;
	int32_t cpu;
	int8_t io_wait, irq_context;
	char state[8];
};

/**
 * struct fw_tp_states - the tracker
 * @done: gets each row once, when nothing can change it any more; not in the order of @seq
 */
struct fw_tp_states {
	void (*done)(void *ctx, const struct fw_tp_state *row);
	void *ctx;
	struct fw_tp_thread *threads; /* by utid */
	uint32_t n_threads;
	uint64_t seq;
};

/* @state: absent for bits that mean nothing */
void fw_tp_states_switch(struct fw_tp_states *s, int64_t ts, int32_t cpu, uint32_t prev,
			 struct fw_str state, uint32_t next);
/* @common_flags: -1 not recorded */
void fw_tp_states_waking(struct fw_tp_states *s, int64_t ts, uint32_t wakee, uint32_t waker,
			 int32_t common_flags);
void fw_tp_states_newtask(struct fw_tp_states *s, int64_t ts, uint32_t utid, uint32_t source);
/* @io_wait: -1 not recorded; @function: 0 not named */
void fw_tp_states_blocked(struct fw_tp_states *s, uint32_t utid, int io_wait, uint32_t function);

/* A thread enters a state, whatever it was in (recordings that say each state by itself). */
void fw_tp_states_enter(struct fw_tp_states *s, int64_t ts, uint32_t utid, struct fw_str state,
			int32_t cpu);
/* The thread's newest row is of another state. */
void fw_tp_states_amend(struct fw_tp_states *s, uint32_t utid, struct fw_str state);
/* The newest state of a thread, "" when there is none. */
const char *fw_tp_states_last(const struct fw_tp_states *s, uint32_t utid);

/* Hand on all rows that are left, and free the memory. */
void fw_tp_states_finish(struct fw_tp_states *s);

#endif
