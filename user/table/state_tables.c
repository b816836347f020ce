// SPDX-License-Identifier: GPL-2.0-or-later
/* state_tables - states of threads inside windows: state-in-window, frame-states */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "table/intersect.h"
#include "table/states.h"

#define SORT_BUDGET (4u << 20)

#define SCHED "sched_switch, sched_waking, sched_blocked_reason"
#define MARKS "trace marks"
#define TIMELINE "FrameTimeline"

/*
 * States are told apart by their word, io_wait and function, in one number: names are few.
 */
static uint64_t pack_key(uint32_t word, int io_wait, uint32_t function)
{
	return (uint64_t)(word & 0x3fffffff) << 34 | (uint64_t)(io_wait + 1) << 32 | function;
}

static struct fw_cell key_state(const struct fw_table_run *r, uint64_t key)
{
	return fw_name_cell(r, (uint32_t)(key >> 34));
}

static struct fw_cell key_io_wait(uint64_t key)
{
	return fw_flag_cell((int)(key >> 32 & 3) - 1);
}

static struct fw_cell key_function(const struct fw_table_run *r, uint64_t key)
{
	return fw_name_cell(r, (uint32_t)key);
}

/* What both tables collect. */
struct windows {
	struct fw_intersect *x;
	struct fw_sort
		*frames; /* frame-states: frames, until it is known whose threads are whose */
	struct fw_rowbuf buf;
};

static void collect_state(struct fw_table_run *r, const struct fw_state_row *s)
{
	struct windows *w = r->own;
	int64_t end = s->dur > 0 ? s->ts + s->dur : s->ts;
	uint32_t word;

	/* An open state lasts as long as the recording; trace_processor leaves it out. */
	if (s->dur < 0 && !r->tp_compat)
		end = r->last_ts;
	if (r->err || end <= s->ts)
		return;
	word = fw_names_id(r->model->names, s->word);
	r->err = fw_intersect_state(w->x, s->who, s->ts, end,
				    pack_key(word, s->io_wait, s->function));
}

/* Time of a window in which nothing is known of the thread. */
static void note_unobserved(struct fw_table_run *r)
{
	struct windows *w = r->own;
	uint32_t word;

	if (r->tp_compat || !r->model)
		return;
	word = fw_names_id(r->model->names, FW_STR("unobserved"));
	fw_intersect_rest(w->x, pack_key(word, -1, 0));
}

/*
 * state-in-window
 */
static const struct fw_column window_columns[] = {
	{ "tid", "id", FW_INT, "the thread", MARKS, NULL },
	{ "slice", "text", FW_TEXT, "the mark: Choreographer#doFrame... or DrawFrame...", MARKS,
	  NULL },
	{ "ts_ns", "ns", FW_INT, "when it began, trace time", MARKS, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it took", MARKS, NULL },
	{ "state", "text", FW_TEXT, "the state, as in thread-state", SCHED, "not known" },
	{ "io_wait", "bool", FW_INT, "it waited for I/O", SCHED, "not recorded" },
	{ "blocked_function", "text", FW_TEXT, "kernel function in which it slept", SCHED,
	  "not recorded, or not named" },
	{ "state_ns", "ns", FW_INT, "time in that state inside the mark", SCHED, NULL },
};

static const struct fw_table window_table = {
	.name = "state-in-window",
	.what = "a state of a thread inside one of its frame marks",
	FW_COLUMNS(window_columns),
	.order = (const int[]){ 2, 0, 1, 3, 4, 5, 6, -1 },
};

/* The window's cells, as its payload. */
enum { WINDOW_TID, WINDOW_NAME, WINDOW_TS, WINDOW_DUR, WINDOW_SEQ, WINDOW_CELLS };

static void collect_mark(void *ctx, uint32_t utid, const struct fw_slice *s)
{
	struct fw_table_run *r = ctx;
	struct windows *w = r->own;

	if (r->err || s->dur <= 0 || utid == FW_SWAPPER || !s->name.p)
		return;
	if (!fw_str_starts(s->name, FW_STR("Choreographer#doFrame")) &&
	    !fw_str_starts(s->name, FW_STR("DrawFrame")))
		return;
	fw_row_encode(&w->buf,
		      (struct fw_cell[]){
			      fw_tid_cell(r, utid),
			      fw_text(s->name),
			      fw_int(s->ts),
			      fw_int(s->dur),
			      fw_int((int64_t)s->seq),
		      },
		      WINDOW_CELLS);
	r->err = fw_intersect_window(w->x, fw_states_who(r, utid), s->ts, s->ts + s->dur, w->buf.p,
				     w->buf.len);
}

static int window_sum(void *ctx, const void *payload, size_t len, uint64_t key, int64_t ns)
{
	struct fw_table_run *r = ctx;
	struct fw_cell cells[WINDOW_CELLS];
	int err = fw_row_decode(payload, len, cells, WINDOW_CELLS);

	if (err)
		return err;
	fw_table_add(r,
		     (struct fw_cell[]){
			     cells[WINDOW_TID],
			     cells[WINDOW_NAME],
			     cells[WINDOW_TS],
			     cells[WINDOW_DUR],
			     key_state(r, key),
			     key_io_wait(key),
			     key_function(r, key),
			     fw_int(ns),
		     },
		     (uint64_t)cells[WINDOW_SEQ].i);
	return r->err;
}

static int run_state_in_window(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .thread_slice = collect_mark };
	struct windows w = { .x = fw_intersect_new() };
	int err;

	r->own = &w;
	err = fw_states_read(r, to, collect_state);
	note_unobserved(r);
	if (!err)
		err = fw_intersect_run(w.x, window_sum, r);
	fw_intersect_free(w.x);
	free(w.buf.p);
	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_state_in_window = { &window_table, .run = run_state_in_window,
						     .also = FW_WANT_THREAD_SLICES };

/*
 * frame-states
 */
static const struct fw_column frame_columns[] = {
	{ "pid", "id", FW_INT, "the frame's process", TIMELINE, NULL },
	{ "surface_frame_token", "id", FW_INT, "token of the app's frame", TIMELINE,
	  "a display frame" },
	{ "display_frame_token", "id", FW_INT, "token of the display frame", TIMELINE, NULL },
	{ "layer_name", "text", FW_TEXT, "layer", TIMELINE, "a display frame, or not recorded" },
	{ "actual_ts_ns", "ns", FW_INT, "when the frame began, trace time", TIMELINE, NULL },
	{ "actual_dur_ns", "ns", FW_INT, "how long it took", TIMELINE, NULL },
	{ "tid", "id", FW_INT,
	  "a thread of the process: its main thread, RenderThread or RenderEngine",
	  "process tree, task_newtask, trace marks", NULL },
	{ "state", "text", FW_TEXT, "the state, as in thread-state", SCHED, "not known" },
	{ "io_wait", "bool", FW_INT, "it waited for I/O", SCHED, "not recorded" },
	{ "blocked_function", "text", FW_TEXT, "kernel function in which it slept", SCHED,
	  "not recorded, or not named" },
	{ "state_ns", "ns", FW_INT, "time in that state inside the frame", SCHED, NULL },
};

static const struct fw_table frame_table = {
	.name = "frame-states",
	.what = "a state of a thread of a frame's process inside the frame",
	FW_COLUMNS(frame_columns),
	.order = (const int[]){ 4, 0, 1, 2, 3, 6, 7, 8, 9, -1 },
};

/* A frame and one thread of its process. */
struct frame_window {
	struct fw_timeline_frame frame;
	uint32_t utid;
};

static int cmp_frame(const void *a, const void *b, const void *ctx)
{
	const struct fw_timeline_frame *fa = a, *fb = b;

	return (fa->seq > fb->seq) - (fa->seq < fb->seq);
}

static void collect_frame(void *ctx, const struct fw_timeline_frame *f)
{
	struct fw_table_run *r = ctx;
	struct windows *w = r->own;

	if (!r->err && f->actual && f->dur > 0)
		r->err = fw_sort_add(w->frames, f, sizeof(*f));
}

static bool is_frame_thread(const struct fw_table_run *r, uint32_t utid)
{
	struct fw_str name = fw_tasks_thread_name(r->model->tasks, utid);

	return r->model->tasks->threads[utid].is_main ||
	       (name.p && (fw_str_starts(name, FW_STR("RenderThread")) ||
			   fw_str_starts(name, FW_STR("RenderEngine"))));
}

/* For each process its first frame thread, and for each of those the next one. */
struct frame_threads {
	uint32_t *first, *next;
};

/* Where a tid stands for all threads that had it, one of them is enough. */
static bool is_listed(const struct fw_table_run *r, const struct frame_threads *ft, uint32_t utid)
{
	const struct fw_tasks *t = r->model->tasks;
	uint32_t at = ft->first[t->threads[utid].upid];

	if (r->tp_compat)
		return false;
	while (at != FW_NO_TASK && t->threads[at].tid != t->threads[utid].tid)
		at = ft->next[at];
	return at != FW_NO_TASK;
}

static struct frame_threads index_threads(const struct fw_table_run *r)
{
	const struct fw_tasks *t = r->model->tasks;
	struct frame_threads ft;
	uint32_t i;

	ft.first = fw_calloc(t->n_processes, sizeof(*ft.first));
	ft.next = fw_calloc(t->n_threads, sizeof(*ft.next));
	memset(ft.first, 0xff, t->n_processes * sizeof(*ft.first));
	for (i = t->n_threads; i-- > 0;) {
		if (t->threads[i].upid == FW_NO_TASK || !is_frame_thread(r, i) ||
		    is_listed(r, &ft, i))
			continue;
		ft.next[i] = ft.first[t->threads[i].upid];
		ft.first[t->threads[i].upid] = i;
	}
	return ft;
}

static int add_frame_window(struct fw_table_run *r, const struct frame_window *fw)
{
	struct windows *w = r->own;

	return fw_intersect_window(w->x, fw_states_who(r, fw->utid), fw->frame.ts,
				   fw->frame.ts + fw->frame.dur, fw, sizeof(*fw));
}

/* Only at the end is it known which threads a process had, and what they are called. */
static int add_frame_windows(struct fw_table_run *r, struct windows *w)
{
	struct frame_threads ft = index_threads(r);
	struct frame_window fw;
	const void *rec;
	size_t len;
	int err = 0;

	memset(&fw, 0, sizeof(fw));
	while (!err && (err = fw_sort_next(w->frames, &rec, &len)) > 0) {
		memcpy(&fw.frame, rec, sizeof(fw.frame));
		err = 0;
		for (fw.utid = ft.first[fw.frame.upid]; !err && fw.utid != FW_NO_TASK;
		     fw.utid = ft.next[fw.utid])
			err = add_frame_window(r, &fw);
	}
	free(ft.first);
	free(ft.next);
	return err;
}

static int frame_sum(void *ctx, const void *payload, size_t len, uint64_t key, int64_t ns)
{
	struct fw_table_run *r = ctx;
	struct frame_window fw;
	const struct fw_timeline_frame *f = &fw.frame;

	memcpy(&fw, payload, sizeof(fw));
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_pid_cell(r, f->upid),
			     fw_int_if(f->surface, f->token),
			     fw_int(f->display_token),
			     fw_name_cell(r, f->layer),
			     fw_int(f->ts),
			     fw_int(f->dur),
			     fw_tid_cell(r, fw.utid),
			     key_state(r, key),
			     key_io_wait(key),
			     key_function(r, key),
			     fw_int(ns),
		     },
		     f->seq);
	return r->err;
}

static int run_frame_states(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .frame = collect_frame };
	struct windows w = {
		.x = fw_intersect_new(),
		.frames = fw_sort_new(SORT_BUDGET, cmp_frame, NULL),
	};
	int err;

	r->own = &w;
	err = fw_states_read(r, to, collect_state);
	note_unobserved(r);
	if (!err)
		err = add_frame_windows(r, &w);
	if (!err)
		err = fw_intersect_run(w.x, frame_sum, r);
	fw_sort_free(w.frames);
	fw_intersect_free(w.x);
	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_frame_states = { &frame_table, .run = run_frame_states };
