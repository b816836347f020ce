// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/directory.h"

#include <stdlib.h>

#include "base/mem.h"

#define CLONE_THREAD 0x10000
/* No device has as many; a broken recording may name any number. */
#define FOLLOWED_MAX 16384u
/* Live: so many threads are met before the names of older ones go, but of those asked for. */
#define NAMES_MAX 16384u
/* A thread bears its parent's name until it has run a little. */
#define NAMING_NS INT64_C(1000000000)

void fw_directory_init(struct fw_directory *d, const struct fw_roles *roles, struct fw_names *names,
		       struct fw_thread_states *machine, struct fw_windows *windows)
{
	*d = (struct fw_directory){
		.roles = roles, .names = names, .machine = machine, .windows = windows
	};
	d->tasks = fw_tasks_new(names);
}

static void free_tracks(struct fw_track *t)
{
	while (t) {
		struct fw_track *next = t->next_in_proc;

		free(t);
		t = next;
	}
}

static void free_procs(struct fw_proc *p)
{
	while (p) {
		struct fw_proc *next = p->next;

		free_tracks(p->tracks);
		free(p);
		p = next;
	}
}

void fw_directory_free(struct fw_directory *d)
{
	free_procs(d->procs);
	free_procs(d->gone);
	free_tracks(d->orphans);
	fw_map_free(&d->by_pid);
	fw_map_free(&d->listed);
	fw_tasks_free(d->tasks);
	fw_tasks_free(d->older);
}

struct fw_proc *fw_directory_proc(const struct fw_directory *d, int32_t pid)
{
	uint64_t *v = fw_map_get(&d->by_pid, (uint32_t)pid);

	return v ? (struct fw_proc *)(uintptr_t)*v : NULL;
}

static struct fw_proc *make_proc(struct fw_directory *d, int32_t pid)
{
	struct fw_proc *p = fw_directory_proc(d, pid);

	if (p)
		return p;
	p = fw_zalloc(sizeof(*p));
	p->pid = pid;
	p->apps = p->sf = d->keep_ns;
	p->next = d->procs;
	d->procs = p;
	fw_map_set(&d->by_pid, (uint32_t)pid, (uint64_t)(uintptr_t)p);
	return p;
}

/* Live: who is asked for in the older names goes on among the newer ones. */
static void carry_on(const struct fw_directory *d, int32_t tid, bool process)
{
	uint32_t utid = d->older ? fw_tasks_find_thread(d->older, tid) : FW_NO_TASK;
	uint32_t upid = d->older ? fw_tasks_find_process(d->older, tid) : FW_NO_TASK;
	struct fw_event ev = { .type = FW_EV_TREE_THREAD };

	if (process && upid != FW_NO_TASK && d->older->processes[upid].name &&
	    fw_tasks_find_process(d->tasks, tid) == FW_NO_TASK)
		d->tasks->processes[fw_tasks_process(d->tasks, tid)].name =
			d->older->processes[upid].name;
	if (utid == FW_NO_TASK || d->older->threads[utid].upid == FW_NO_TASK ||
	    fw_tasks_find_thread(d->tasks, tid) != FW_NO_TASK)
		return;
	ev.thread = (struct fw_ev_tree_thread){
		.tid = tid,
		.tgid = d->older->processes[d->older->threads[utid].upid].pid,
		.name = fw_names_str(d->names, d->older->threads[utid].name),
	};
	fw_tasks_feed(d->tasks, &ev);
}

static uint32_t find_thread(const struct fw_directory *d, int32_t tid)
{
	uint32_t utid = fw_tasks_find_thread(d->tasks, tid);

	if (utid != FW_NO_TASK || !d->older)
		return utid;
	carry_on(d, tid, false);
	return fw_tasks_find_thread(d->tasks, tid);
}

uint32_t fw_directory_thread_name(const struct fw_directory *d, int32_t tid)
{
	struct fw_thread_state *st = fw_thread_states_find(d->machine, tid);
	uint32_t utid;

	if (st && ((struct fw_track *)st)->name)
		return ((struct fw_track *)st)->name;
	utid = find_thread(d, tid);
	return utid == FW_NO_TASK ? 0 : d->tasks->threads[utid].name;
}

uint32_t fw_directory_process_name(const struct fw_directory *d, int32_t pid)
{
	uint32_t upid = fw_tasks_find_process(d->tasks, pid), name;

	if (upid == FW_NO_TASK && d->older) {
		carry_on(d, pid, true);
		upid = fw_tasks_find_process(d->tasks, pid);
	}
	name = upid == FW_NO_TASK ? 0 : d->tasks->processes[upid].name;
	return name ? name : fw_directory_thread_name(d, pid);
}

int fw_directory_role(const struct fw_directory *d, const struct fw_track *t, bool display,
		      int32_t pid, bool *maybe)
{
	const struct fw_proc *p = t->proc;
	bool is_main = p && t->state.tid == p->pid;
	struct fw_str name = fw_names_str(d->names, t->name);
	int first = display ? FW_ROLE_SF : FW_ROLE_UI, last = display ? FW_ROLE_RE : FW_ROLE_RENDER;

	if (maybe)
		*maybe = false;
	if (!p)
		return -1;
	if (p->pid == pid)
		for (int r = first; r <= last; r++) {
			int plays = fw_roles_thread(d->roles, r, is_main, name);

			if (plays > 0)
				return r;
			if (plays < 0 && maybe)
				*maybe = true;
		}
	return display && p->hwc ? FW_ROLE_HWC : -1;
}

/* Does any frame of its process want it? 1 yes, 0 no, -1 its name will tell. */
static int matters(const struct fw_directory *d, const struct fw_track *t)
{
	const struct fw_proc *p = t->proc;
	bool maybe = false, any = false;

	if (!p)
		return 1;
	if (p->hwc || (p->apps && fw_directory_role(d, t, false, p->pid, &maybe) >= 0))
		return 1;
	any = p->apps && maybe;
	maybe = false;
	if (p->sf && fw_directory_role(d, t, true, p->pid, &maybe) >= 0)
		return 1;
	return any || (p->sf && maybe) ? -1 : 0;
}

static void interest_del(struct fw_interest *i, int32_t tid)
{
	if ((uint32_t)tid < FW_INTEREST_TIDS)
		i->bits[(uint32_t)tid >> 6] &= ~(UINT64_C(1) << ((uint32_t)tid & 63));
}

static struct fw_track **list_of(struct fw_directory *d, struct fw_proc *p)
{
	return p ? &p->tracks : &d->orphans;
}

static void forget(struct fw_directory *d, struct fw_track *t, int64_t now, bool dead)
{
	struct fw_track **pp = list_of(d, t->proc);

	for (struct fw_window *w = t->windows; w && !dead; w = w->next)
		if (!w->role_final)
			w->role = -1;
	fw_windows_gone(d->windows, t, now, dead);
	while (*pp != t)
		pp = &(*pp)->next_in_proc;
	*pp = t->next_in_proc;
	interest_del(d->interest, t->state.tid);
	fw_thread_states_drop(d->machine, &t->state);
	/* Windows that are done still ask for its name and process. */
	t->forgotten = true;
	if (!t->refs)
		free(t);
}

static struct fw_track *follow(struct fw_directory *d, struct fw_proc *p, int32_t tid,
			       uint32_t name, int64_t now)
{
	struct fw_track *t;
	int yes;

	if (tid <= 0 || d->machine->n >= FOLLOWED_MAX || fw_thread_states_find(d->machine, tid))
		return NULL;
	t = fw_zalloc(sizeof(*t));
	t->state.tid = tid;
	t->proc = p;
	t->name = name;
	t->born = INT64_MIN;
	yes = matters(d, t);
	if (!yes) {
		free(t);
		return NULL;
	}
	fw_thread_states_follow(d->machine, &t->state, tid);
	t->candidate = yes < 0;
	t->next_in_proc = *list_of(d, p);
	*list_of(d, p) = t;
	fw_interest_add(d->interest, tid);
	if (d->followed && now != INT64_MIN)
		d->followed(d->ctx, t, now);
	return t;
}

/* Before the second reading. A thread that is born in it was not there before; these may have been. */
static void follow_listed(struct fw_directory *d, struct fw_proc *p, int32_t tid, uint32_t name)
{
	struct fw_track *t = follow(d, p, tid, name, INT64_MIN);
	uint64_t *ts = fw_map_get(&d->listed, (uint32_t)tid);

	if (t && ts)
		t->state.listed_ts = (int64_t)*ts;
}

static void list(struct fw_directory *d, int32_t tid, int64_t ts)
{
	uint64_t *v = fw_map_get(&d->listed, (uint32_t)tid);

	if (!v || ts < (int64_t)*v)
		fw_map_set(&d->listed, (uint32_t)tid, (uint64_t)ts);
}

void fw_directory_peek(struct fw_directory *d, const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_ACTUAL_SURFACE:
		if (ev->ft.has & FW_FT_PID)
			make_proc(d, ev->ft.pid)->apps = true;
		return;
	case FW_EV_ACTUAL_DISPLAY:
		if (ev->ft.has & FW_FT_PID)
			make_proc(d, ev->ft.pid)->sf = true;
		return;
	case FW_EV_TREE_PROCESS:
		list(d, ev->proc.pid, ev->ts);
		fw_tasks_feed(d->tasks, ev);
		return;
	case FW_EV_TREE_THREAD:
		list(d, ev->thread.tid, ev->ts);
		fw_tasks_feed(d->tasks, ev);
		return;
	case FW_EV_TASK_RENAME:
		fw_tasks_feed(d->tasks, ev);
		return;
	}
}

/* Is a thread of this name wanted whatever its process? */
static bool comm_wanted(void *ctx, struct fw_str comm)
{
	const struct fw_directory *d = ctx;

	for (int r = 0; comm.len && r < FW_ROLE_HWC; r++)
		if (fw_roles_thread(d->roles, r, false, comm) > 0)
			return true;
	return false;
}

static void set_interest(struct fw_directory *d, struct fw_interest *interest)
{
	d->interest = interest;
	interest->comm_wanted = comm_wanted;
	interest->ctx = d;
}

void fw_directory_begin(struct fw_directory *d, struct fw_interest *interest,
			bool (*wanted)(void *ctx, const struct fw_proc *p), void *ctx)
{
	const struct fw_tasks *ts = d->tasks;

	set_interest(d, interest);
	for (uint32_t i = 0; i < ts->n_processes; i++) {
		const struct fw_process *p = &ts->processes[i];

		if (fw_roles_composer(d->roles, fw_names_str(d->names, p->name)))
			make_proc(d, p->pid)->hwc = true;
	}
	for (struct fw_proc *p = d->procs; p; p = p->next) {
		p->name = fw_directory_process_name(d, p->pid);
		if (p->apps && !wanted(ctx, p))
			p->apps = false;
		if (p->hwc) {
			p->next_hwc = d->hwc;
			d->hwc = p;
		}
		follow_listed(d, p, p->pid, fw_directory_thread_name(d, p->pid));
	}
	for (uint32_t i = 0; i < ts->n_threads; i++) {
		const struct fw_thread *t = &ts->threads[i];
		struct fw_proc *p;

		if (t->ended || t->upid == FW_NO_TASK)
			continue;
		p = fw_directory_proc(d, ts->processes[t->upid].pid);
		if (p)
			follow_listed(d, p, t->tid, t->name);
	}
}

/* The process of a thread that is not followed, as far as the recording says. */
static struct fw_proc *proc_of(const struct fw_directory *d, int32_t tid, bool *known)
{
	struct fw_thread_state *st = fw_thread_states_find(d->machine, tid);
	uint32_t utid, upid;

	*known = true;
	if (st && ((struct fw_track *)st)->proc)
		return ((struct fw_track *)st)->proc;
	utid = find_thread(d, tid);
	upid = utid == FW_NO_TASK ? FW_NO_TASK : d->tasks->threads[utid].upid;
	*known = upid != FW_NO_TASK;
	return *known ? fw_directory_proc(d, d->tasks->processes[upid].pid) : NULL;
}

static void named(struct fw_directory *d, struct fw_track *t, struct fw_str comm, int64_t now)
{
	struct fw_str old = fw_names_str(d->names, t->name);

	if (!comm.p || !comm.len || fw_str_eq(old, comm))
		return;
	t->name = fw_names_id(d->names, comm);
	if (matters(d, t) > 0) {
		t->candidate = false;
		return;
	}
	if (t->born == INT64_MIN || now - t->born > NAMING_NS)
		forget(d, t, now, false);
	else
		t->candidate = true;
}

/* A thread that nobody follows has this name. */
static void met(struct fw_directory *d, int32_t tid, struct fw_str comm, int64_t now)
{
	struct fw_proc *p;
	bool known;

	if (!fw_interest_comm(d->interest, comm))
		return;
	p = proc_of(d, tid, &known);
	if (p || !known)
		follow(d, p, tid, fw_names_id(d->names, comm), now);
}

static void seen(struct fw_directory *d, int32_t tid, struct fw_str comm, int64_t now)
{
	struct fw_thread_state *st;

	if (tid <= 0)
		return;
	st = fw_thread_states_find(d->machine, tid);
	if (st)
		named(d, (struct fw_track *)st, comm, now);
	else
		met(d, tid, comm, now);
}

/* Its threads' windows still ask who it was, until their frames are settled. */
static void process_gone(struct fw_directory *d, struct fw_proc *p, int64_t now)
{
	struct fw_proc **pp = &d->procs;

	while (p->tracks)
		forget(d, p->tracks, now, true);
	while (*pp != p)
		pp = &(*pp)->next;
	*pp = p->next;
	for (pp = &d->hwc; *pp; pp = &(*pp)->next_hwc) {
		if (*pp == p) {
			*pp = p->next_hwc;
			break;
		}
	}
	fw_map_del(&d->by_pid, (uint32_t)p->pid);
	p->next = NULL;
	p->gone_ts = now;
	*(d->gone ? &d->last_gone->next : &d->gone) = p;
	d->last_gone = p;
	while (now - d->gone->gone_ts > d->keep_ns) {
		struct fw_proc *next = d->gone->next;

		free(d->gone);
		d->gone = next;
	}
}

/* Live: a process begins that may have the number of one that is over. */
static struct fw_proc *begin_proc(struct fw_directory *d, int32_t pid, int64_t now)
{
	struct fw_proc *p = fw_directory_proc(d, pid);

	if (p && p->dying)
		process_gone(d, p, now);
	return make_proc(d, pid);
}

static void newborn(struct fw_directory *d, const struct fw_event *ev)
{
	struct fw_thread_state *st = fw_thread_states_find(d->machine, ev->task.tid);
	struct fw_proc *p = NULL;
	struct fw_track *t;
	bool known = false;

	if (ev->task.clone_flags & CLONE_THREAD)
		p = proc_of(d, ev->tid, &known);
	else
		p = d->keep_ns ? begin_proc(d, ev->task.tid, ev->ts)
			       : fw_directory_proc(d, ev->task.tid);
	if (d->keep_ns && p)
		fw_tasks_thread_in(d->tasks, ev->task.tid, p->pid);
	/* Its process was known before it was born, so the process tree means this one. */
	if (st && ((struct fw_track *)st)->proc == p && p && !d->keep_ns) {
		((struct fw_track *)st)->born = ev->ts;
		return;
	}
	if (st)
		forget(d, (struct fw_track *)st, ev->ts, true);
	if (!p)
		return;
	t = follow(d, p, ev->task.tid, 0, INT64_MIN);
	if (!t)
		return;
	t->born = ev->ts;
	if (d->followed)
		d->followed(d->ctx, t, ev->ts);
}

/* A thread of no known process says with each mark whose it is. */
static void adopt(struct fw_directory *d, struct fw_track *t, int32_t pid, int64_t now)
{
	struct fw_track **pp = &d->orphans;
	struct fw_proc *p = fw_directory_proc(d, pid);

	if (!p) {
		forget(d, t, now, false);
		return;
	}
	while (*pp != t)
		pp = &(*pp)->next_in_proc;
	*pp = t->next_in_proc;
	t->proc = p;
	t->next_in_proc = p->tracks;
	p->tracks = t;
	if (!matters(d, t))
		forget(d, t, now, false);
	else if (d->followed)
		d->followed(d->ctx, t, now);
}

static void feed_mark(struct fw_directory *d, const struct fw_event *ev)
{
	struct fw_thread_state *st;
	struct fw_mark m;

	if (!d->orphans || ev->tid <= 0)
		return;
	st = fw_thread_states_find(d->machine, ev->tid);
	if (!st || ((struct fw_track *)st)->proc)
		return;
	if (fw_mark_parse(ev->mark.text, &m) == FW_MARK_OK && m.phase == 'B' && m.tgid &&
	    m.tgid <= INT32_MAX)
		adopt(d, (struct fw_track *)st, (int32_t)m.tgid, ev->ts);
}

void fw_directory_live(struct fw_directory *d, struct fw_interest *interest, int64_t keep_ns)
{
	set_interest(d, interest);
	d->keep_ns = keep_ns;
}

static void live_process(struct fw_directory *d, const struct fw_event *ev)
{
	struct fw_proc *p = make_proc(d, ev->proc.pid);

	fw_tasks_feed(d->tasks, ev);
	p->name = fw_directory_process_name(d, p->pid);
	if (!p->hwc && fw_roles_composer(d->roles, fw_names_str(d->names, p->name))) {
		p->hwc = true;
		p->next_hwc = d->hwc;
		d->hwc = p;
	}
	if (!fw_thread_states_find(d->machine, p->pid))
		follow(d, p, p->pid, fw_directory_thread_name(d, p->pid), ev->ts);
}

static void live_thread(struct fw_directory *d, const struct fw_event *ev)
{
	struct fw_proc *p = make_proc(d, ev->thread.tgid);

	if (d->tasks->n_threads >= NAMES_MAX) {
		fw_tasks_free(d->older);
		d->older = d->tasks;
		d->tasks = fw_tasks_new(d->names);
	}
	fw_tasks_feed(d->tasks, ev);
	if (fw_thread_states_find(d->machine, ev->thread.tid))
		seen(d, ev->thread.tid, ev->thread.name, ev->ts);
	else
		follow(d, p, ev->thread.tid, fw_names_id(d->names, ev->thread.name), ev->ts);
}

static void live_death(struct fw_directory *d, const struct fw_event *ev)
{
	struct fw_thread_state *st = fw_thread_states_find(d->machine, ev->task.tid);
	struct fw_proc *p = fw_directory_proc(d, ev->task.tid);

	/* Its other threads end soon after. */
	if (p)
		p->dying = true;
	if (st) {
		p = ((struct fw_track *)st)->proc;
		forget(d, (struct fw_track *)st, ev->ts, true);
	}
	if (p && p->dying && !p->tracks)
		process_gone(d, p, ev->ts);
}

static void feed_live(struct fw_directory *d, const struct fw_event *ev)
{
	if (ev->type == FW_EV_TREE_PROCESS)
		live_process(d, ev);
	else if (ev->type == FW_EV_TREE_THREAD)
		live_thread(d, ev);
	else if (ev->type == FW_EV_PROCESS_FREE)
		live_death(d, ev);
}

void fw_directory_feed(struct fw_directory *d, const struct fw_event *ev)
{
	if (d->keep_ns)
		feed_live(d, ev);
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		if (ev->sw.prev_comm.p)
			seen(d, ev->sw.prev_tid, ev->sw.prev_comm, ev->ts);
		if (ev->sw.next_comm.p)
			seen(d, ev->sw.next_tid, ev->sw.next_comm, ev->ts);
		return;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		if (ev->waking.comm.p)
			seen(d, ev->waking.tid, ev->waking.comm, ev->ts);
		return;
	case FW_EV_TASK_RENAME:
		if (d->keep_ns)
			fw_tasks_feed(d->tasks, ev);
		seen(d, ev->task.tid, ev->task.comm, ev->ts);
		return;
	case FW_EV_TASK_NEWTASK:
		newborn(d, ev);
		return;
	case FW_EV_MARK:
		feed_mark(d, ev);
		return;
	}
}

static int32_t pid_of(const struct fw_directory *d, int32_t tid)
{
	const struct fw_thread_state *st = fw_thread_states_find(d->machine, tid);
	const struct fw_track *t = (const struct fw_track *)st;
	uint32_t utid;

	if (t && t->proc)
		return t->proc->pid;
	utid = fw_tasks_find_thread(d->tasks, tid);
	if (utid == FW_NO_TASK || d->tasks->threads[utid].upid == FW_NO_TASK)
		return -1;
	return d->tasks->processes[d->tasks->threads[utid].upid].pid;
}

int fw_directory_same_process(const struct fw_directory *d, int32_t a, int32_t b)
{
	int32_t x = pid_of(d, a), y = pid_of(d, b);

	return x < 0 || y < 0 ? -1 : x == y;
}
