// SPDX-License-Identifier: GPL-2.0-or-later
/* task_tables - threads, health */
#include "base/mem.h"
#include "table/run.h"

/*
 * threads
 */
#define TASKS "process tree, task_newtask, sched events, trace marks"

static const struct fw_column thread_columns[] = {
	{ "tid", "id", FW_INT, "the thread", TASKS, NULL },
	{ "thread", "text", FW_TEXT, "its name, the last one that counts", TASKS, "not recorded" },
	{ "pid", "id", FW_INT, "its process", TASKS, "not recorded" },
	{ "process", "text", FW_TEXT, "the process's name, the last one that counts", TASKS,
	  "not recorded" },
	{ "is_main_thread", "bool", FW_INT, "its tid is its process's pid", TASKS,
	  "the process is not recorded" },
};

static const struct fw_table thread_table = {
	.name = "threads",
	.what = "a thread that the recording names, and its process; a reused tid is several",
	FW_COLUMNS(thread_columns),
	.order = (const int[]){ 0, 1, 2, 3, 4, -1 },
};

static int run_threads(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .ctx = r, .all = true };
	struct fw_rows *rows;
	uint32_t utid;
	int err = fw_table_read(r, &to);

	if (err)
		return err;
	rows = fw_rows_new(&thread_table);
	for (utid = 0; !err && utid < r->model->tasks->n_threads; utid++) {
		const struct fw_thread *t = &r->model->tasks->threads[utid];
		const struct fw_process *p =
			t->upid == FW_NO_TASK ? NULL : &r->model->tasks->processes[t->upid];

		err = fw_rows_add(rows, (struct fw_cell[]){
						fw_id_cell(t->tid),
						fw_name_cell(r, t->name),
						p ? fw_id_cell(p->pid) : fw_null(),
						p ? fw_name_cell(r, p->name) : fw_null(),
						fw_int_if(p, t->is_main),
					});
	}
	if (!err)
		err = fw_rows_emit(rows, r->sink, true);
	fw_rows_free(rows);
	return err;
}

const struct fw_table_def fw_def_threads = { &thread_table, .run = run_threads,
					     .also = FW_WANT_ALL };

/*
 * health
 */
static const struct fw_column health_columns[] = {
	{ "name", "text", FW_TEXT,
	  "what was counted; trace_processor's name where it has one, ours start with fw_",
	  "the recording and its reading", NULL },
	{ "idx", "id", FW_INT, "of which cpu or buffer", "the recording and its reading",
	  "of the whole recording" },
	{ "value", "count", FW_INT, "how many", "the recording and its reading", NULL },
};

static const struct fw_table health_table = {
	.name = "health",
	.what = "what was lost, refused or not understood",
	FW_COLUMNS(health_columns),
	.order = (const int[]){ 0, 1, -1 },
};

/* Those that stand in the table that is compared with trace_processor. */
static bool is_compared(enum fw_health_id id)
{
	static const enum fw_health_id compared[] = {
		FW_H_frame_timeline_event_parser_errors,
		FW_H_frame_timeline_unpaired_end_event,
		FW_H_mismatched_sched_switch_tids,
		FW_H_task_state_invalid,
		FW_H_compact_sched_has_parse_errors,
		FW_H_compact_sched_switch_skipped,
		FW_H_compact_sched_waking_skipped,
		FW_H_systrace_parse_failure,
		FW_H_ftrace_cpu_has_data_loss,
		FW_H_ftrace_setup_errors,
		FW_H_ftrace_bundle_tokenizer_errors,
		FW_H_ftrace_packet_before_tracing_start,
		FW_H_invalid_clock_snapshots,
		FW_H_packet_skipped_seq_needs_incremental_state_invalid,
		FW_H_interned_data_skipped_incremental_state_invalid,
		FW_H_ftrace_cpu_overrun_delta,
		FW_H_ftrace_cpu_dropped_events_delta,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(compared); i++) {
		if (id == compared[i])
			return true;
	}
	return fw_str_starts(fw_str(fw_health_name(id)), FW_STR("clock_sync_failure"));
}

static int run_health(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .ctx = r, .all = true };
	enum fw_health_id id;
	int64_t value;
	size_t pos = 0;
	int idx, err = fw_table_read(r, &to);

	while (!err && fw_health_next(r->health, &pos, &id, &idx, &value)) {
		if (r->tp_compat && !is_compared(id))
			continue;
		fw_table_add(r,
			     (struct fw_cell[]){
				     fw_text(fw_str(fw_health_name(id))),
				     fw_int_if(idx != FW_HEALTH_NO_IDX, idx),
				     fw_int(value),
			     },
			     0);
	}
	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_health = { &health_table, .run = run_health, .also = FW_WANT_ALL };
