/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_RUN_H
#define FW_TABLE_RUN_H

#include "base/sort.h"
#include "model/tp_model.h"
#include "table/seq_rows.h"
#include "table/table.h"

/*
 * What the tables share: one run reads the recording through the model and collects rows. A
 * listener cannot fail, so a run keeps the first error and ends with it.
 */
struct fw_table_run {
	const struct fw_table_def *def;
	struct fw_input *in;
	struct fw_health *health;
	bool tp_compat;
	struct fw_sink *sink;
	struct fw_tp_model *model;
	struct fw_seq_rows *rows;
	void *own; /* the table's own state */
	struct fw_states *states; /* states.c */
	struct fw_interest *interest;
	int64_t last_ts; /* of the events read: what is open is cut there when it is summed */
	uint64_t wants; /* bits of events beyond those of the table */
	int err;
};

/**
 * struct fw_table_def - one table
 * @run: reads and emits; NULL: what @to adds while the recording is read is the table
 * @also: bits (1 << enum fw_event_type) of events beyond those of fw_table_read()
 * @to: whose ctx is the run
 */
struct fw_table_def {
	const struct fw_table *table;
	int (*run)(struct fw_table_run *r);
	uint64_t also;
	struct fw_tp_listeners to;
};

#define FW_WANT(type) (UINT64_C(1) << (type))
/* What makes slices on threads besides marks. */
#define FW_WANT_THREAD_SLICES                                                                      \
	(FW_WANT(FW_EV_BINDER) | FW_WANT(FW_EV_KERNEL_SLICE) | FW_WANT(FW_EV_DMA_FENCE) |          \
	 FW_WANT(FW_EV_DRM_SCHED))
/* All events there are. */
#define FW_WANT_ALL UINT64_MAX

/* Make r->model before the reading, for who needs its names or tasks earlier. */
void fw_table_model(struct fw_table_run *r, const struct fw_tp_listeners *to);

/*
 * fw_table_read() - the whole recording through the model
 * @to: whose ctx is @r
 *
 * r->model stays until the run ends, for its names and tasks.
 * Return: 0, r->err, or the input's error.
 */
int fw_table_read(struct fw_table_run *r, const struct fw_tp_listeners *to);

/* Add a row; its error stays in r->err. @seq orders rows that the table's order leaves equal. */
void fw_table_add(struct fw_table_run *r, const struct fw_cell *cells, uint64_t seq);
/* The rows that were added, in order, to the sink. */
int fw_table_emit(struct fw_table_run *r);

/* A tid or pid as the kernel has it; absurd ones of broken recordings stay positive. */
static inline struct fw_cell fw_id_cell(int32_t id)
{
	return fw_int((uint32_t)id);
}

static inline struct fw_cell fw_tid_cell(const struct fw_table_run *r, uint32_t utid)
{
	return utid == FW_NO_TASK ? fw_null() : fw_id_cell(r->model->tasks->threads[utid].tid);
}

static inline struct fw_cell fw_pid_cell(const struct fw_table_run *r, uint32_t upid)
{
	return upid == FW_NO_TASK ? fw_null() : fw_id_cell(r->model->tasks->processes[upid].pid);
}

static inline struct fw_cell fw_name_cell(const struct fw_table_run *r, uint32_t name)
{
	return name ? fw_text(fw_names_str(r->model->names, name)) : fw_null();
}

/* A text, NULL where it is empty. */
static inline struct fw_cell fw_word_cell(const char *s)
{
	return *s ? fw_text(fw_str(s)) : fw_null();
}

/* 0 or 1; -1 is not known. */
static inline struct fw_cell fw_flag_cell(int v)
{
	return fw_int_if(v >= 0, v);
}

/* Of struct fw_table: its columns, and how many they are. */
#define FW_COLUMNS(c) .columns = (c), .n_columns = (int)ARRAY_SIZE(c)

extern const struct fw_table_def fw_def_frame_events, fw_def_phases;
extern const struct fw_table_def fw_def_expected_actual, fw_def_jank_summary, fw_def_app_display,
	fw_def_display_frames;
extern const struct fw_table_def fw_def_runnable_latency, fw_def_d_state, fw_def_thread_state,
	fw_def_sched_slice;
extern const struct fw_table_def fw_def_state_in_window, fw_def_frame_states;
extern const struct fw_table_def fw_def_thread_marks, fw_def_async_marks, fw_def_counters,
	fw_def_irq, fw_def_frequency;
extern const struct fw_table_def fw_def_states;
extern const struct fw_table_def fw_def_threads, fw_def_health;

#endif
