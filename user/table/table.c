// SPDX-License-Identifier: GPL-2.0-or-later
/* table - the canned tables by name, and what their runs share */
#include "table/table.h"

#include <string.h>

#include "base/mem.h"
#include "table/run.h"

static const struct fw_table_def *const tables[] = {
	&fw_def_frame_events,	  &fw_def_phases,	&fw_def_expected_actual,
	&fw_def_jank_summary,	  &fw_def_app_display,	&fw_def_display_frames,
	&fw_def_runnable_latency, &fw_def_d_state,	&fw_def_irq,
	&fw_def_state_in_window,  &fw_def_thread_state, &fw_def_sched_slice,
	&fw_def_threads,	  &fw_def_thread_marks, &fw_def_async_marks,
	&fw_def_counters,	  &fw_def_frequency,	&fw_def_frame_states,
	&fw_def_states,		  &fw_def_health,
};

/*
 * What tells threads and processes apart, names them or schedules them, and what SurfaceFlinger
 * says. Everything else comes only to the tables that ask for it.
 */
#define WANT_ALWAYS                                                                                \
	(FW_WANT(FW_EV_SCHED_SWITCH) | FW_WANT(FW_EV_SCHED_WAKING) |                               \
	 FW_WANT(FW_EV_BLOCKED_REASON) | FW_WANT(FW_EV_GENERIC_TASK) |                             \
	 FW_WANT(FW_EV_TASK_NEWTASK) | FW_WANT(FW_EV_TASK_RENAME) | FW_WANT(FW_EV_PROCESS_FREE) |  \
	 FW_WANT(FW_EV_TREE_PROCESS) | FW_WANT(FW_EV_TREE_THREAD) | FW_WANT(FW_EV_PROCESS_STATS) | \
	 FW_WANT(FW_EV_THREAD_SEEN) | FW_WANT(FW_EV_GPU_MEM_TOTAL) | FW_WANT(FW_EV_MARK) |         \
	 FW_WANT(FW_EV_VENDOR_MARK) | FW_WANT(FW_EV_FRAME_TRACER) |                                \
	 FW_WANT(FW_EV_EXPECTED_SURFACE) | FW_WANT(FW_EV_EXPECTED_DISPLAY) |                       \
	 FW_WANT(FW_EV_ACTUAL_SURFACE) | FW_WANT(FW_EV_ACTUAL_DISPLAY) | FW_WANT(FW_EV_FRAME_END))

const struct fw_table_def *fw_table_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		if (!strcmp(tables[i]->table->name, name))
			return tables[i];
	}
	return NULL;
}

const struct fw_table *fw_table_at(size_t i)
{
	return i < ARRAY_SIZE(tables) ? tables[i]->table : NULL;
}

void fw_table_model(struct fw_table_run *r, const struct fw_tp_listeners *to)
{
	r->model = fw_tp_model_new(to, r->health, fw_input_recording(r->in), r->tp_compat);
}

int fw_table_read(struct fw_table_run *r, const struct fw_tp_listeners *to)
{
	struct fw_input_opts opts = {
		.tp_order = true,
		.tp_compat = r->tp_compat,
		.interest = r->interest,
	};
	const struct fw_event *ev;
	int err;

	if (r->def->also != FW_WANT_ALL)
		opts.wants = WANT_ALWAYS | r->def->also | r->wants;
	if (!r->model)
		fw_table_model(r, to);
	err = fw_input_start(r->in, &opts);
	if (err)
		return err;
	while (!r->err && (err = fw_input_next(r->in, &ev)) > 0) {
		r->last_ts = FW_MAX(r->last_ts, ev->ts);
		fw_tp_model_feed(r->model, ev);
	}
	if (!r->err && !err)
		fw_tp_model_finish(r->model);
	return r->err ? r->err : err;
}

void fw_table_add(struct fw_table_run *r, const struct fw_cell *cells, uint64_t seq)
{
	if (!r->err)
		r->err = fw_seq_rows_add(r->rows, cells, seq);
}

int fw_table_emit(struct fw_table_run *r)
{
	return r->err ? r->err : fw_seq_rows_emit(r->rows, r->sink);
}

static int run_listeners(struct fw_table_run *r)
{
	struct fw_tp_listeners to = r->def->to;
	int err;

	to.ctx = r;
	err = fw_table_read(r, &to);
	return err ? err : fw_table_emit(r);
}

int fw_table_run(const struct fw_table_def *t, struct fw_input *in, struct fw_health *health,
		 bool tp_compat, struct fw_sink *sink)
{
	struct fw_table_run r = {
		.def = t,
		.in = in,
		.health = health,
		.tp_compat = tp_compat,
		.sink = sink,
		.last_ts = INT64_MIN,
	};
	int err;

	r.rows = fw_seq_rows_new(t->table);
	err = t->run ? t->run(&r) : run_listeners(&r);
	fw_seq_rows_free(r.rows);
	fw_tp_model_free(r.model);
	return err;
}
