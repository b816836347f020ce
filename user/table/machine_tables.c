// SPDX-License-Identifier: GPL-2.0-or-later
/* machine_tables - states: what framewait's own state machine makes of every thread */

#include <stdlib.h>

#include "base/mem.h"
#include "model/thread_state.h"
#include "table/run.h"

#define SCHED "sched_switch, sched_waking, or a capture"
#define REASON "sched_blocked_reason, or a capture"

static const struct fw_column columns[] = {
	{ "start_ns", "ns", FW_INT, "when the thread entered the state", SCHED, NULL },
	{ "end_ns", "ns", FW_INT, "when it left it", SCHED, "it was still in it at the end" },
	{ "seen_until_ns", "ns", FW_INT, "up to when it is known to have been in it", SCHED, NULL },
	{ "tid", "id", FW_INT, "the thread", SCHED, NULL },
	{ "pid", "id", FW_INT, "its process", "process tree, fork", "not known" },
	{ "thread", "text", FW_TEXT, "its name", "process tree, fork, rename", "not known" },
	{ "state", "text", FW_TEXT,
	  "running, runnable (woken), preempted, sleeping, blocked, stopped, idle, parked, dead",
	  SCHED, NULL },
	{ "cpu", "id", FW_INT, "where it ran", SCHED, "it did not run" },
	{ "io_wait", "bool", FW_INT, "it waited for I/O", REASON, "not blocked, or not known" },
	{ "function", "text", FW_TEXT, "kernel function in which it slept", REASON,
	  "not known; captures leave out short interruptible sleeps" },
	{ "waker_tid", "id", FW_INT, "who woke it", SCHED, "not woken, or not known" },
	{ "irq_ns", "ns", FW_INT, "hard interrupts within running", "irq_handler_*, or a capture",
	  "not running, or not measured" },
	{ "softirq_ns", "ns", FW_INT, "soft interrupts within running", "softirq_*, or a capture",
	  "not running, or not measured" },
	{ "kernel_preempt", "bool", FW_INT, "preempted inside the kernel (R+)", SCHED,
	  "not preempted" },
	{ "wake_race", "bool", FW_INT, "1: the wake stood before the switch-out", SCHED,
	  "not a woken one" },
	{ "no_wake", "bool", FW_INT,
	  "1: a sleep whose wake was not seen: its runnable time is in it", SCHED, "not a sleep" },
};

static const struct fw_table table = {
	.name = "states",
	.what = "a thread in a state, by framewait's own state machine",
	FW_COLUMNS(columns),
	.order = (const int[]){ 0, 3, 2, -1 },
};

struct machine {
	struct fw_table_run *r;
	struct fw_thread_states states;
	struct fw_cpus cpus;
	struct fw_names *names;
	struct fw_tasks *tasks;
	struct fw_thread_state **threads;
	size_t n, cap;
	uint64_t seq;
};

static bool asleep(const struct fw_interval *iv)
{
	return iv->state > FW_STATE_PREEMPTED;
}

static void add_row(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct machine *m = ctx;
	bool running = iv->state == FW_STATE_RUNNING;
	bool irqs = running &&
		    (iv->flags & FW_IVF_CAPTURED ? !!(iv->flags & FW_IVF_IRQ) : m->cpus.irq_seen);
	uint32_t utid = fw_tasks_find_thread(m->tasks, t->tid);
	const struct fw_thread *th = utid == FW_NO_TASK ? NULL : &m->tasks->threads[utid];
	struct fw_str name = th ? fw_tasks_thread_name(m->tasks, utid) : FW_STR_NONE;

	if (iv->start == INT64_MIN)
		return;
	fw_table_add(
		m->r,
		(struct fw_cell[]){
			fw_int(iv->start),
			fw_int_if(!(iv->flags & FW_IVF_CUT), iv->end),
			fw_int(iv->end),
			fw_id_cell(t->tid),
			th && th->upid != FW_NO_TASK ? fw_id_cell(m->tasks->processes[th->upid].pid)
						     : fw_null(),
			fw_text(name),
			fw_word_cell(fw_state_name(iv->state)),
			fw_int_if(iv->cpu >= 0, iv->cpu),
			fw_flag_cell(iv->io_wait),
			iv->function ? fw_text(fw_names_str(m->names, iv->function)) : fw_null(),
			fw_int_if(iv->waker_tid >= 0, iv->waker_tid),
			fw_int_if(irqs, (int64_t)iv->irq.irq),
			fw_int_if(irqs, (int64_t)iv->irq.softirq),
			fw_int_if(iv->state == FW_STATE_PREEMPTED,
				  !!(iv->flags & FW_IVF_KERNEL_PREEMPT)),
			fw_int_if(iv->state == FW_STATE_RUNNABLE, !!(iv->flags & FW_IVF_RACE)),
			fw_int_if(asleep(iv), !!(iv->flags & FW_IVF_NO_WAKE)),
		},
		m->seq++);
}

static void follow(struct machine *m, int32_t tid)
{
	struct fw_thread_state *t;

	if (tid <= 0 || fw_thread_states_find(&m->states, tid))
		return;
	t = fw_zalloc(sizeof(*t));
	fw_grow(m->threads, m->n, m->cap);
	m->threads[m->n++] = t;
	fw_thread_states_follow(&m->states, t, tid);
}

static void feed(struct machine *m, const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		follow(m, ev->sw.prev_tid);
		follow(m, ev->sw.next_tid);
		break;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		follow(m, ev->waking.tid);
		break;
	case FW_EV_TASK_NEWTASK:
		follow(m, ev->task.tid);
		break;
	case FW_EV_INTERVAL:
		follow(m, ev->interval.tid);
		break;
	case FW_EV_LOST:
		fw_cpus_lost(&m->cpus, ev->cpu, ev->ts);
		fw_thread_states_lost(&m->states, ev->cpu, ev->lost.since);
		break;
	}
	fw_cpus_feed(&m->cpus, ev);
	fw_tasks_feed(m->tasks, ev);
	fw_thread_states_feed(&m->states, ev);
}

static int read_all(struct machine *m)
{
	struct fw_input_opts opts = {
		.wants = FW_WANT(FW_EV_INTERVAL) | FW_WANT(FW_EV_SCHED_SWITCH) |
			 FW_WANT(FW_EV_SCHED_WAKING) | FW_WANT(FW_EV_SCHED_WAKEUP) |
			 FW_WANT(FW_EV_SCHED_WAKEUP_NEW) | FW_WANT(FW_EV_BLOCKED_REASON) |
			 FW_WANT(FW_EV_TASK_NEWTASK) | FW_WANT(FW_EV_TASK_RENAME) |
			 FW_WANT(FW_EV_PROCESS_FREE) | FW_WANT(FW_EV_TREE_PROCESS) |
			 FW_WANT(FW_EV_TREE_THREAD) | FW_WANT(FW_EV_IRQ_ENTRY) |
			 FW_WANT(FW_EV_IRQ_EXIT) | FW_WANT(FW_EV_SOFTIRQ_ENTRY) |
			 FW_WANT(FW_EV_SOFTIRQ_EXIT) | FW_WANT(FW_EV_LOST),
	};
	const struct fw_recording *rec = fw_input_recording(m->r->in);
	struct fw_interest *all = fw_interest_all();
	const struct fw_event *ev;
	int64_t last = 0;
	int err;

	opts.interest = all;
	m->states.layout = fw_task_state_layout(rec->sysname, rec->kernel);
	err = fw_input_start(m->r->in, &opts);
	while (!err && !m->r->err && (err = fw_input_next(m->r->in, &ev)) > 0) {
		last = FW_MAX(last, ev->ts);
		feed(m, ev);
		err = 0;
	}
	fw_interest_free(all);
	if (err || m->r->err)
		return err ? err : m->r->err;
	last = FW_MAX(last, rec->last_ts);
	for (size_t i = 0; i < m->n; i++)
		fw_thread_state_cut(&m->states, m->threads[i], last, add_row, m);
	return fw_table_emit(m->r);
}

static int run_states(struct fw_table_run *r)
{
	struct machine m = { .r = r, .names = fw_names_new() };
	int err;

	m.tasks = fw_tasks_new(m.names);
	fw_thread_states_init(&m.states, &m.cpus, m.names, r->health);
	m.states.emit = add_row;
	m.states.ctx = &m;
	err = read_all(&m);
	fw_thread_states_free(&m.states);
	fw_cpus_free(&m.cpus);
	fw_tasks_free(m.tasks);
	fw_names_free(m.names);
	for (size_t i = 0; i < m.n; i++)
		free(m.threads[i]);
	free(m.threads);
	return err;
}

const struct fw_table_def fw_def_states = { &table, .run = run_states };
