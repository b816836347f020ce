// SPDX-License-Identifier: GPL-2.0-or-later
/* tasks - threads and processes over time */
#include "model/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

/* A name replaces another of the same or a lower priority. */
enum {
	NAME_NONE,
	NAME_FTRACE,
	NAME_GENERIC,
	NAME_TREE,
	NAME_DESCRIPTOR,
	NAME_CONSTANT,
};

#define CLONE_THREAD_FLAG 0x10000
#define KTHREADD_PID 2

struct fw_tasks_priv {
	struct fw_map tids; /* tid -> newest utid */
	struct fw_map pids; /* pid -> upid of the live process */
	struct fw_mark_reader marks;
};

static uint64_t key(int32_t id)
{
	return (uint32_t)id;
}

uint32_t fw_tasks_start(struct fw_tasks *t, int32_t tid)
{
	uint64_t *newest = fw_map_get(&t->priv->tids, key(tid));
	uint32_t utid = t->n_threads;

	fw_grow(t->threads, t->n_threads, t->threads_cap);
	t->threads[utid] = (struct fw_thread){
		.tid = tid,
		.upid = FW_NO_TASK,
		.older = newest ? (uint32_t)*newest : FW_NO_TASK,
		.sibling = utid,
	};
	t->n_threads++;
	fw_map_set(&t->priv->tids, key(tid), utid);
	return utid;
}

static void name_thread(struct fw_tasks *t, uint32_t utid, struct fw_str name, uint8_t priority)
{
	struct fw_thread *th = &t->threads[utid];

	if (!name.p || priority < th->name_priority)
		return;
	th->name = fw_names_id(t->names, name);
	th->name_priority = priority;
}

static void join(struct fw_tasks *t, uint32_t utid, uint32_t upid)
{
	struct fw_thread *th = &t->threads[utid];
	struct fw_process *p = &t->processes[upid];

	th->upid = upid;
	th->is_main = th->tid == p->pid;
	if (th->is_main)
		p->main_utid = utid;
}

/* The process of a thread has become known: so has that of its siblings. */
static void settle(struct fw_tasks *t, uint32_t utid)
{
	uint32_t at = t->threads[utid].sibling, next;

	while (at != utid) {
		next = t->threads[at].sibling;
		t->threads[at].sibling = at;
		join(t, at, t->threads[utid].upid);
		at = next;
	}
	t->threads[utid].sibling = utid;
}

static void make_siblings(struct fw_tasks *t, uint32_t a, uint32_t b)
{
	struct fw_thread *ta = &t->threads[a], *tb = &t->threads[b];
	uint32_t next;

	if (a == b)
		return;
	if (ta->upid != FW_NO_TASK && tb->upid == FW_NO_TASK) {
		join(t, b, ta->upid);
		settle(t, b);
	} else if (ta->upid == FW_NO_TASK && tb->upid != FW_NO_TASK) {
		join(t, a, tb->upid);
		settle(t, a);
	} else if (ta->upid == FW_NO_TASK && tb->sibling == b) {
		next = ta->sibling;
		ta->sibling = b;
		tb->sibling = next;
	}
}

static bool is_alive(const struct fw_tasks *t, const struct fw_thread *th)
{
	uint64_t *upid;

	if (th->ended)
		return false;
	if (th->upid == FW_NO_TASK)
		return true;
	if (t->processes[th->upid].ended)
		return false;
	upid = fw_map_get(&t->priv->pids, key(t->processes[th->upid].pid));
	return !upid || *upid == th->upid;
}

/* The newest live thread of a tid, in the process @pid or in any (-1). */
static uint32_t find(const struct fw_tasks *t, int32_t tid, int64_t pid)
{
	uint64_t *newest = fw_map_get(&t->priv->tids, key(tid));
	uint32_t utid = newest ? (uint32_t)*newest : FW_NO_TASK;

	for (; utid != FW_NO_TASK; utid = t->threads[utid].older) {
		const struct fw_thread *th = &t->threads[utid];

		if (!is_alive(t, th))
			continue;
		if (th->upid == FW_NO_TASK || pid < 0 ||
		    key(t->processes[th->upid].pid) == (uint64_t)pid)
			return utid;
	}
	return FW_NO_TASK;
}

uint32_t fw_tasks_find_thread(const struct fw_tasks *t, int32_t tid)
{
	return find(t, tid, -1);
}

uint32_t fw_tasks_thread(struct fw_tasks *t, int32_t tid)
{
	uint32_t utid = find(t, tid, -1);

	return utid == FW_NO_TASK ? fw_tasks_start(t, tid) : utid;
}

uint32_t fw_tasks_comm(struct fw_tasks *t, int32_t tid, struct fw_str comm)
{
	uint32_t utid = fw_tasks_thread(t, tid);

	name_thread(t, utid, comm, NAME_FTRACE);
	return utid;
}

void fw_tasks_line(struct fw_tasks *t, const struct fw_event *ev)
{
	fw_tasks_comm(t, ev->tid, ev->comm);
	if (ev->tgid != -1)
		fw_tasks_thread_in(t, ev->tid, ev->tgid);
}

uint32_t fw_tasks_find_process(const struct fw_tasks *t, int32_t pid)
{
	uint64_t *upid = fw_map_get(&t->priv->pids, key(pid));

	return upid ? (uint32_t)*upid : FW_NO_TASK;
}

uint32_t fw_tasks_process(struct fw_tasks *t, int32_t pid)
{
	uint32_t upid = fw_tasks_find_process(t, pid);

	if (upid != FW_NO_TASK)
		return upid;
	upid = t->n_processes;
	fw_grow(t->processes, t->n_processes, t->processes_cap);
	t->processes[upid] = (struct fw_process){
		.pid = pid,
		.ppid = -1,
		.uid = -1,
		.main_utid = FW_NO_TASK,
		.parent = FW_NO_TASK,
		.parent_utid = FW_NO_TASK,
	};
	t->n_processes++;
	fw_map_set(&t->priv->pids, key(pid), upid);
	fw_tasks_thread_in(t, pid, pid);
	return upid;
}

uint32_t fw_tasks_thread_in(struct fw_tasks *t, int32_t tid, int32_t pid)
{
	uint32_t upid = fw_tasks_process(t, pid);
	uint32_t utid = find(t, tid, (int64_t)key(pid));

	if (utid == FW_NO_TASK)
		utid = fw_tasks_start(t, tid);
	if (t->threads[utid].upid == FW_NO_TASK)
		join(t, utid, upid);
	settle(t, utid);
	return utid;
}

void fw_tasks_end(struct fw_tasks *t, int32_t tid)
{
	uint32_t utid = find(t, tid, -1), at;
	uint64_t *newest;
	struct fw_thread *th;

	if (utid == FW_NO_TASK)
		return;
	th = &t->threads[utid];
	th->ended = true;
	newest = fw_map_get(&t->priv->tids, key(tid));
	if (*newest == utid && th->older == FW_NO_TASK) {
		fw_map_del(&t->priv->tids, key(tid));
	} else if (*newest == utid) {
		*newest = th->older;
	} else {
		for (at = (uint32_t)*newest; t->threads[at].older != utid;)
			at = t->threads[at].older;
		t->threads[at].older = th->older;
	}
	if (th->upid == FW_NO_TASK || t->processes[th->upid].pid != tid)
		return;
	t->processes[th->upid].ended = true;
	fw_map_del(&t->priv->pids, key(tid));
}

/* A pid begins anew: whatever had it, as a thread or as a process, is gone. */
static uint32_t start_process(struct fw_tasks *t, int32_t pid, struct fw_str name, uint8_t priority)
{
	uint32_t utid, upid;

	fw_map_del(&t->priv->pids, key(pid));
	fw_map_del(&t->priv->tids, key(pid));
	utid = fw_tasks_start(t, pid);
	name_thread(t, utid, name, priority);
	upid = fw_tasks_process(t, pid);
	t->processes[upid].name = fw_names_id(t->names, name);
	return upid;
}

static void feed_newtask(struct fw_tasks *t, int32_t source_tid, const struct fw_ev_task *task)
{
	uint32_t source, upid, utid;

	/* At boot init makes the idle tasks of the other CPUs. */
	if (task->tid == 0)
		return;
	source = source_tid != -1 ? fw_tasks_thread(t, source_tid) : FW_NO_TASK;
	if (task->clone_flags & CLONE_THREAD_FLAG) {
		utid = fw_tasks_start(t, task->tid);
		name_thread(t, utid, task->comm, NAME_FTRACE);
		if (source != FW_NO_TASK)
			make_siblings(t, source, utid);
		return;
	}
	upid = start_process(t, task->tid, task->comm, NAME_FTRACE);
	if (source == FW_NO_TASK)
		return;
	t->processes[upid].parent = t->threads[source].upid;
	t->processes[upid].parent_utid = source;
	if (t->threads[source].upid != FW_NO_TASK)
		t->processes[upid].ppid = t->processes[t->threads[source].upid].pid;
}

static void feed_rename(struct fw_tasks *t, const struct fw_ev_task *task)
{
	uint32_t utid = fw_tasks_comm(t, task->tid, task->comm);
	const struct fw_thread *th = &t->threads[utid];

	if (th->upid != FW_NO_TASK && t->processes[th->upid].pid == th->tid)
		t->processes[th->upid].name = fw_names_id(t->names, task->comm);
}

/*
 * The name of a worker thread, as /proc gives it, ends in the last queue that it served
 * ("kworker/1:2-events"): only the part before is its own.
 */
static struct fw_str kworker_name(struct fw_str name)
{
	size_t i;

	if (!fw_str_starts(name, FW_STR("kworker/")))
		return name;
	for (i = 8; i < name.len; i++) {
		if (name.p[i] == '+' || name.p[i] == '-')
			return (struct fw_str){ name.p, i };
	}
	return name;
}

/* A program that writes over its arguments separates them by blanks. */
static struct fw_str program_name(struct fw_str argv0)
{
	const char *blank = argv0.len ? memchr(argv0.p, ' ', argv0.len) : NULL;

	return blank ? (struct fw_str){ argv0.p, (size_t)(blank - argv0.p) } : argv0;
}

static uint32_t with_parent(struct fw_tasks *t, uint32_t upid, uint32_t parent)
{
	struct fw_process *p = &t->processes[upid];
	uint32_t was = p->parent;

	if (was == FW_NO_TASK && p->parent_utid != FW_NO_TASK)
		was = t->threads[p->parent_utid].upid;
	/* Another parent: the pid was reused unseen. */
	if (was != FW_NO_TASK && was != parent)
		upid = start_process(t, p->pid, FW_STR_NONE, NAME_NONE);
	t->processes[upid].parent = parent;
	t->processes[upid].ppid = t->processes[parent].pid;
	return upid;
}

static void feed_tree_process(struct fw_tasks *t, const struct fw_ev_tree_process *proc)
{
	struct fw_str name = proc->argv0, comm = proc->argv0;
	uint32_t parent, upid;

	if (!proc->argv0.p)
		return;
	if (proc->ppid == KTHREADD_PID)
		name = comm = kworker_name(proc->argv0);
	if (proc->n_cmdline <= 1)
		name = program_name(name);
	parent = fw_tasks_process(t, proc->ppid);
	upid = with_parent(t, fw_tasks_process(t, proc->pid), parent);
	t->processes[upid].name = fw_names_id(t->names, name);
	if (proc->cmdline_is_comm)
		name_thread(t, fw_tasks_thread(t, proc->pid), comm, NAME_TREE);
	if (proc->uid >= 0)
		t->processes[upid].uid = proc->uid;
}

static void feed_tree_thread(struct fw_tasks *t, const struct fw_ev_tree_thread *th,
			     uint8_t priority)
{
	if (th->tgid != -1)
		fw_tasks_thread_in(t, th->tid, th->tgid);
	if (th->weak)
		priority = NAME_NONE;
	if (th->name.p)
		name_thread(t, fw_tasks_thread(t, th->tid), th->name, priority);
}

/* In "lmk,PID,REASON,ADJ,..." the pid is that of the process that was killed. */
static void feed_lmk(struct fw_tasks *t, struct fw_str name)
{
	struct fw_str parts[4] = { { NULL, 0 } };
	int64_t pid, adj;
	size_t i, n = 0, start = 0;

	for (i = 0; i <= name.len && n < ARRAY_SIZE(parts); i++) {
		if (i < name.len && name.p[i] != ',')
			continue;
		/* Empty parts do not count. */
		if (i > start)
			parts[n++] = (struct fw_str){ name.p + start, i - start };
		start = i + 1;
	}
	if (n == ARRAY_SIZE(parts) && fw_str_int(parts[1], &pid) && fw_str_int(parts[3], &adj))
		fw_tasks_process(t, (int32_t)(uint32_t)pid);
}

/* Marks that speak of the whole device, whoever wrote them. */
static bool is_of_device(const struct fw_mark *m)
{
	if (m->phase == 'N')
		return fw_str_eq(m->track, FW_STR("DeviceStateChanged"));
	return m->phase == 'C' && (fw_str_eq(m->name, FW_STR("ScreenState")) ||
				   fw_str_starts(m->name, FW_STR("battery_stats.")));
}

struct fw_mark_owner fw_tasks_mark(struct fw_tasks *t, int32_t tid, const struct fw_mark *m)
{
	struct fw_mark_owner o = { FW_NO_TASK, FW_NO_TASK };

	if (is_of_device(m))
		return o;
	switch (m->phase) {
	case 'B':
	case 'I':
	case 'E':
		if (m->tgid != 0)
			o.utid = fw_tasks_thread_in(t, tid, (int32_t)m->tgid);
		else
			o.utid = m->phase == 'E' ? fw_tasks_find_thread(t, tid)
						 : fw_tasks_thread(t, tid);
		if (m->phase == 'B' && fw_str_starts(m->name, FW_STR("lmk,")))
			feed_lmk(t, m->name);
		return o;
	case 'C':
		if (fw_str_eq(m->name, FW_STR("kill_one_process")) && (uint32_t)m->value != 0)
			fw_tasks_process(t, (int32_t)(uint32_t)m->value);
		break;
	case 'N':
	case 'G':
	case 'H':
		o.utid = fw_tasks_thread(t, tid);
		break;
	default:
		break;
	}
	o.upid = fw_tasks_process(t, (int32_t)m->tgid);
	return o;
}

static void feed_mark(struct fw_tasks *t, const struct fw_event *ev)
{
	struct fw_mark m;

	if (fw_mark_read(&t->priv->marks, ev, &m) == FW_MARK_OK)
		fw_tasks_mark(t, ev->tid, &m);
}

static void feed_frame(struct fw_tasks *t, const struct fw_event *ev)
{
	uint32_t need = FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_PID;

	if (ev->type == FW_EV_EXPECTED_SURFACE || ev->type == FW_EV_ACTUAL_SURFACE)
		need |= FW_FT_DISPLAY_TOKEN;
	if ((ev->ft.has & need) == need)
		fw_tasks_process(t, ev->ft.pid);
}

static void feed_sched(struct fw_tasks *t, const struct fw_event *ev)
{
	bool compact = ev->flags & FW_EVF_COMPACT;

	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		fw_tasks_comm(t, ev->sw.next_tid, ev->sw.next_comm);
		if (!compact)
			fw_tasks_comm(t, ev->sw.prev_tid, ev->sw.prev_comm);
		break;
	case FW_EV_SCHED_WAKING:
		fw_tasks_comm(t, ev->waking.tid, compact ? FW_STR_NONE : ev->waking.comm);
		break;
	case FW_EV_GENERIC_TASK:
		name_thread(t, fw_tasks_thread(t, ev->generic.tid), ev->generic.comm, NAME_GENERIC);
		break;
	default:
		break;
	}
}

void fw_tasks_feed(struct fw_tasks *t, const struct fw_event *ev)
{
	if (ev->tid != -1 && ev->type != FW_EV_SCHED_SWITCH)
		fw_tasks_thread(t, ev->tid);
	if (ev->flags & FW_EVF_EARLY && !(ev->flags & FW_EVF_COMPACT))
		return;
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
	case FW_EV_SCHED_WAKING:
	case FW_EV_GENERIC_TASK:
		feed_sched(t, ev);
		break;
	case FW_EV_BLOCKED_REASON:
		fw_tasks_thread(t, ev->blocked.tid);
		break;
	case FW_EV_TASK_NEWTASK:
		feed_newtask(t, ev->tid, &ev->task);
		break;
	case FW_EV_TASK_RENAME:
		feed_rename(t, &ev->task);
		break;
	case FW_EV_PROCESS_FREE:
		fw_tasks_end(t, ev->task.tid);
		break;
	case FW_EV_TREE_PROCESS:
		feed_tree_process(t, &ev->proc);
		break;
	case FW_EV_TREE_THREAD:
		feed_tree_thread(t, &ev->thread, NAME_TREE);
		break;
	case FW_EV_PROCESS_STATS:
		fw_tasks_process(t, ev->proc.pid);
		break;
	case FW_EV_THREAD_SEEN:
		feed_tree_thread(t, &ev->thread, NAME_DESCRIPTOR);
		break;
	case FW_EV_GPU_MEM_TOTAL:
		if (ev->gpu_mem.pid != 0 && fw_tasks_find_thread(t, ev->gpu_mem.pid) != FW_NO_TASK)
			fw_tasks_thread_in(t, ev->gpu_mem.pid, ev->gpu_mem.pid);
		break;
	case FW_EV_MARK:
	case FW_EV_VENDOR_MARK:
		feed_mark(t, ev);
		break;
	case FW_EV_EXPECTED_SURFACE:
	case FW_EV_EXPECTED_DISPLAY:
	case FW_EV_ACTUAL_SURFACE:
	case FW_EV_ACTUAL_DISPLAY:
		feed_frame(t, ev);
		break;
	default:
		break;
	}
}

struct fw_tasks *fw_tasks_new(struct fw_names *names)
{
	struct fw_tasks *t = fw_zalloc(sizeof(*t));

	t->names = names;
	t->priv = fw_zalloc(sizeof(*t->priv));
	fw_tasks_process(t, 0);
	name_thread(t, FW_SWAPPER, FW_STR("swapper"), NAME_CONSTANT);
	return t;
}

void fw_tasks_free(struct fw_tasks *t)
{
	if (!t)
		return;
	fw_map_free(&t->priv->tids);
	fw_map_free(&t->priv->pids);
	fw_mark_reader_free(&t->priv->marks);
	free(t->priv);
	free(t->threads);
	free(t->processes);
	free(t);
}
