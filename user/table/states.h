/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_STATES_H
#define FW_TABLE_STATES_H

#include "table/run.h"

/*
 * States of threads for the tables: trace_processor's when its rows are asked for, else those of
 * framewait's own machine.
 */

/**
 * struct fw_state_row - a thread in a state
 * @dur: ns, or FW_TP_OPEN
 * @who: which thread, for joins: its utid, or its tid where the states are framewait's
 * @word: the state; absent: not known
 * @waker: tid, -1 none
 * @cpu: -1 none; @io_wait, @irq_context: -1 not known
 * @function: in the model's names
 * @closed_by: the event that ended it; NULL at the end of the recording
 */
struct fw_state_row {
	int64_t ts, dur;
	uint64_t seq;
	uint32_t who;
	int32_t tid;
	struct fw_str word;
	int64_t waker;
	int32_t cpu;
	int8_t io_wait, irq_context;
	uint32_t function;
	const struct fw_event *closed_by;
};

typedef void (*fw_state_fn)(struct fw_table_run *r, const struct fw_state_row *s);

/* fw_table_read() that hands each state to @row too. */
int fw_states_read(struct fw_table_run *r, struct fw_tp_listeners to, fw_state_fn row);

/* The number by which states know a thread. */
static inline uint32_t fw_states_who(const struct fw_table_run *r, uint32_t utid)
{
	return r->tp_compat ? utid : (uint32_t)r->model->tasks->threads[utid].tid;
}

/* A duration: -1 for an open one where trace_processor's rows are asked for, else empty. */
static inline struct fw_cell fw_state_dur(const struct fw_table_run *r, int64_t dur)
{
	return r->tp_compat ? fw_int(dur) : fw_int_if(dur >= 0, dur);
}

static inline struct fw_cell fw_waker_cell(const struct fw_state_row *s)
{
	return fw_int_if(s->waker >= 0, s->waker);
}

#endif
