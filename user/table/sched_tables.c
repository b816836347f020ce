// SPDX-License-Identifier: GPL-2.0-or-later
/* sched_tables - scheduling: thread-state, sched-slice, d-state, runnable-latency */

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "table/states.h"

#define SORT_BUDGET (4u << 20)

#define SWITCH "sched_switch"
#define WAKING "sched_waking"
#define REASON "sched_blocked_reason"

/*
 * thread-state
 */
static const struct fw_column state_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when the thread entered the state, trace time", SWITCH, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it was in it", SWITCH,
	  "no end was seen (-1 with --trace-processor-compat)" },
	{ "tid", "id", FW_INT, "the thread", SWITCH, NULL },
	{ "state", "text", FW_TEXT,
	  "running, runnable, preempted, sleeping, blocked, ...; with "
	  "--trace-processor-compat Running, R, R+, S, D, ...",
	  SWITCH, "not known" },
	{ "cpu", "id", FW_INT, "where it ran", SWITCH, "it did not run" },
	{ "io_wait", "bool", FW_INT, "it waited for I/O", REASON, "not recorded" },
	{ "blocked_function", "text", FW_TEXT, "kernel function in which it slept", REASON,
	  "not recorded, or not named" },
	{ "waker_tid", "id", FW_INT, "who woke it", WAKING, "not a woken one, or not recorded" },
	{ "irq_context", "bool", FW_INT, "woken from an interrupt", WAKING, "not recorded" },
};

static const struct fw_table state_table = {
	.name = "thread-state",
	.what = "a thread in a state",
	FW_COLUMNS(state_columns),
	.order = (const int[]){ 0, 2, 1, 3, 4, 7, -1 },
};

static void add_state(struct fw_table_run *r, const struct fw_state_row *s)
{
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_state_dur(r, s->dur),
			     fw_id_cell(s->tid),
			     fw_text(s->word),
			     fw_int_if(s->cpu >= 0, s->cpu),
			     fw_flag_cell(s->io_wait),
			     fw_name_cell(r, s->function),
			     fw_waker_cell(s),
			     fw_flag_cell(s->irq_context),
		     },
		     s->seq);
}

static int run_thread_state(struct fw_table_run *r)
{
	int err = fw_states_read(r, (struct fw_tp_listeners){ 0 }, add_state);

	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_thread_state = { &state_table, .run = run_thread_state };

/*
 * d-state
 */
static const struct fw_column d_columns[] = {
	{ "tid", "id", FW_INT, "the thread", SWITCH, NULL },
	{ "ts_ns", "ns", FW_INT, "when it blocked, trace time", SWITCH, NULL },
	{ "dur_ns", "ns", FW_INT, "until it was woken", WAKING,
	  "no end was seen; never with --trace-processor-compat, which leaves those out" },
	{ "io_wait", "bool", FW_INT, "it waited for I/O", REASON, "not recorded" },
	{ "blocked_function", "text", FW_TEXT, "kernel function in which it slept", REASON,
	  "not recorded, or not named" },
};

static const struct fw_table d_table = {
	.name = "d-state",
	.what = "an uninterruptible sleep (D) of a thread",
	FW_COLUMNS(d_columns),
	.order = (const int[]){ 1, 0, 2, -1 },
};

static void add_d_state(struct fw_table_run *r, const struct fw_state_row *s)
{
	if (r->tp_compat ? !fw_str_eq(s->word, FW_STR("D")) || s->dur <= 0
			 : !fw_str_eq(s->word, FW_STR("blocked")))
		return;
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_id_cell(s->tid),
			     fw_int(s->ts),
			     fw_state_dur(r, s->dur),
			     fw_flag_cell(s->io_wait),
			     fw_name_cell(r, s->function),
		     },
		     s->seq);
}

static int run_d_state(struct fw_table_run *r)
{
	int err = fw_states_read(r, (struct fw_tp_listeners){ 0 }, add_d_state);

	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_d_state = { &d_table, .run = run_d_state };

/*
 * sched-slice
 */
static const struct fw_column slice_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when the thread began to run, trace time", SWITCH, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it ran; -1: no end was seen", SWITCH, NULL },
	{ "cpu", "id", FW_INT, "where", SWITCH, NULL },
	{ "tid", "id", FW_INT, "who; 0: nobody, the CPU idled", SWITCH, NULL },
	{ "end_state", "text", FW_TEXT, "state in which it left: R, R+, S, D, ...", SWITCH,
	  "no end was seen, or its bits mean nothing" },
	{ "priority", "id", FW_INT, "the kernel's prio", SWITCH, NULL },
};

static const struct fw_table slice_table = {
	.name = "sched-slice",
	.what = "a thread on a CPU, from one sched_switch to the next",
	FW_COLUMNS(slice_columns),
	.order = (const int[]){ 0, 2, 3, 1, -1 },
};

static void add_slice(void *ctx, const struct fw_sched_slice *s)
{
	struct fw_table_run *r = ctx;

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_int(s->dur),
			     fw_int(s->cpu),
			     fw_tid_cell(r, s->utid),
			     fw_word_cell(s->end_state),
			     fw_int(s->prio),
		     },
		     s->seq);
}

const struct fw_table_def fw_def_sched_slice = { &slice_table, .to = { .sched_slice = add_slice } };

/*
 * runnable-latency: for each time a thread ran, how long it had been runnable, and the slice of
 * the CPU that is the same time. thread_state and sched_slice are joined by thread, start and
 * length.
 */
static const struct fw_column latency_columns[] = {
	{ "tid", "id", FW_INT, "the thread", SWITCH, NULL },
	{ "running_ts_ns", "ns", FW_INT, "when it began to run, trace time", SWITCH, NULL },
	{ "runnable_state", "text", FW_TEXT,
	  "runnable (R) after a wake, preempted (R+) or R "
	  "after it was switched out runnable",
	  SWITCH, NULL },
	{ "latency_ns", "ns", FW_INT, "how long it waited for the CPU", WAKING, NULL },
	{ "cpu", "id", FW_INT, "where it ran then", SWITCH, NULL },
	{ "priority", "id", FW_INT, "the kernel's prio", SWITCH, "not recorded" },
	{ "waker_tid", "id", FW_INT, "who woke it", WAKING, "not woken, or not recorded" },
	{ "irq_context", "bool", FW_INT, "woken from an interrupt", WAKING, "not recorded" },
};

static const struct fw_table latency_table = {
	.name = "runnable-latency",
	.what = "a thread that was runnable and then ran",
	FW_COLUMNS(latency_columns),
	.order = (const int[]){ 1, 0, 3, -1 },
};

enum { LATENCY_SLICE, LATENCY_RUNNING };

struct latency_rec {
	uint32_t utid;
	uint32_t kind;
	int64_t ts, dur;
	uint64_t seq;
	int32_t cpu, prio; /* slice */
	int64_t waker; /* running: of the runnable state before; -1 none */
	int8_t irq_context;
	char state[3];
	int64_t latency;
};

/* The last runnable state of each thread that ended. */
struct runnable {
	bool any;
	int8_t irq_context;
	char state[3];
	int64_t waker;
	uint64_t seq;
	int64_t ts, dur;
};

struct latency {
	struct fw_sort *recs;
	struct runnable *runnable; /* by utid */
	uint32_t n;
	struct latency_rec *slices; /* those of the key at hand */
	size_t n_slices, slices_cap;
};

static struct runnable *runnable_of(struct latency *l, uint32_t utid)
{
	uint32_t n = l->n;

	if (utid >= n) {
		while (n <= utid)
			n = n ? n * 2 : 64;
		l->runnable = fw_realloc(l->runnable, n, sizeof(*l->runnable));
		memset(l->runnable + l->n, 0, (n - l->n) * sizeof(*l->runnable));
		l->n = n;
	}
	return &l->runnable[utid];
}

static int cmp_latency(const void *a, const void *b, const void *any_kind)
{
	const struct latency_rec *ra = a, *rb = b;

	if (ra->utid != rb->utid)
		return ra->utid < rb->utid ? -1 : 1;
	if (ra->ts != rb->ts)
		return ra->ts < rb->ts ? -1 : 1;
	if (ra->dur != rb->dur)
		return ra->dur < rb->dur ? -1 : 1;
	return any_kind ? 0 : (int)ra->kind - (int)rb->kind;
}

static void add_rec(struct fw_table_run *r, const struct latency_rec *rec)
{
	struct latency *l = r->own;

	if (!r->err)
		r->err = fw_sort_add(l->recs, rec, sizeof(*rec));
}

static void note_runnable(struct latency *l, const struct fw_state_row *s)
{
	struct runnable *w = runnable_of(l, s->who);

	if (w->any && s->seq < w->seq)
		return;
	*w = (struct runnable){
		.any = true,
		.irq_context = s->irq_context,
		.waker = s->waker,
		.seq = s->seq,
		.ts = s->ts,
		.dur = s->dur,
	};
	memcpy(w->state, s->word.p, s->word.len);
}

static void latency_state(struct fw_table_run *r, const struct fw_state_row *s)
{
	struct runnable *w;
	struct latency_rec rec;

	if (s->dur < 0 || !s->word.p)
		return;
	if (fw_str_eq(s->word, FW_STR("R")) || fw_str_eq(s->word, FW_STR("R+"))) {
		note_runnable(r->own, s);
		return;
	}
	w = runnable_of(r->own, s->who);
	if (!fw_str_eq(s->word, FW_STR("Running")) || !w->any || w->ts + w->dur != s->ts)
		return;
	memset(&rec, 0, sizeof(rec));
	rec.utid = s->who;
	rec.kind = LATENCY_RUNNING;
	rec.ts = s->ts;
	rec.dur = s->dur;
	rec.seq = s->seq;
	rec.waker = w->waker;
	rec.irq_context = w->irq_context;
	memcpy(rec.state, w->state, sizeof(rec.state));
	rec.latency = w->dur;
	add_rec(r, &rec);
}

static void latency_slice(void *ctx, const struct fw_sched_slice *s)
{
	struct latency_rec rec;

	if (s->dur < 0 || s->utid == FW_SWAPPER)
		return;
	memset(&rec, 0, sizeof(rec));
	rec.utid = s->utid;
	rec.kind = LATENCY_SLICE;
	rec.ts = s->ts;
	rec.dur = s->dur;
	rec.cpu = s->cpu;
	rec.prio = s->prio;
	add_rec(ctx, &rec);
}

static void latency_row(struct fw_table_run *r, const struct latency_rec *running,
			const struct latency_rec *slice)
{
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_tid_cell(r, running->utid),
			     fw_int(running->ts),
			     fw_word_cell(running->state),
			     fw_int(running->latency),
			     fw_int(slice->cpu),
			     fw_int(slice->prio),
			     fw_int_if(running->waker >= 0, running->waker),
			     fw_flag_cell(running->irq_context),
		     },
		     running->seq);
}

static int join_latency(struct fw_table_run *r, struct latency *l)
{
	const void *rec;
	size_t len, i;
	int err = 0;

	while (!err && (err = fw_sort_next(l->recs, &rec, &len)) > 0) {
		const struct latency_rec *at = rec;

		if (l->n_slices && cmp_latency(&l->slices[0], at, r))
			l->n_slices = 0;
		if (at->kind == LATENCY_SLICE) {
			fw_grow(l->slices, l->n_slices, l->slices_cap);
			l->slices[l->n_slices++] = *at;
		}
		for (i = 0; at->kind == LATENCY_RUNNING && i < l->n_slices; i++)
			latency_row(r, at, &l->slices[i]);
		err = r->err;
	}
	return err;
}

static int run_tp_latency(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .sched_slice = latency_slice };
	struct latency l = { .recs = fw_sort_new(SORT_BUDGET, cmp_latency, NULL) };
	int err;

	r->own = &l;
	err = fw_states_read(r, to, latency_state);
	if (!err)
		err = join_latency(r, &l);
	fw_sort_free(l.recs);
	free(l.runnable);
	free(l.slices);
	return err ? err : fw_table_emit(r);
}

/* A wait that ended because the thread was switched in: that event says where it ran. */
static void add_wait(struct fw_table_run *r, const struct fw_state_row *s)
{
	const struct fw_event *ev = s->closed_by;

	if (!fw_str_eq(s->word, FW_STR("runnable")) && !fw_str_eq(s->word, FW_STR("preempted")))
		return;
	if (!ev || ev->type != FW_EV_SCHED_SWITCH || ev->sw.next_tid != s->tid ||
	    ev->ts != s->ts + s->dur)
		return;
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_id_cell(s->tid),
			     fw_int(ev->ts),
			     fw_text(s->word),
			     fw_int(s->dur),
			     fw_int(ev->cpu),
			     fw_int(ev->sw.next_prio),
			     fw_waker_cell(s),
			     fw_flag_cell(s->irq_context),
		     },
		     s->seq);
}

static int run_runnable_latency(struct fw_table_run *r)
{
	int err;

	if (r->tp_compat)
		return run_tp_latency(r);
	err = fw_states_read(r, (struct fw_tp_listeners){ 0 }, add_wait);
	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_runnable_latency = { &latency_table, .run = run_runnable_latency };
