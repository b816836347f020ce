// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads and processes: reuse of tids and pids, who belongs to whom, names. */
#include "model/tasks.h"

#include "tap.h"

#define CLONE_THREAD 0x10000

static struct fw_names *names;
static struct fw_tasks *t;

static void newtask(int32_t from, int32_t tid, uint64_t flags, const char *comm)
{
	struct fw_event ev = { .type = FW_EV_TASK_NEWTASK, .tid = from };

	ev.task = (struct fw_ev_task){ .tid = tid, .clone_flags = flags, .comm = fw_str(comm) };
	fw_tasks_feed(t, &ev);
}

static void one(enum fw_event_type type, int32_t tid, const char *comm)
{
	struct fw_event ev = { .type = type, .tid = -1 };

	ev.task = (struct fw_ev_task){ .tid = tid, .comm = fw_str(comm) };
	fw_tasks_feed(t, &ev);
}

static void tree(int32_t pid, int32_t ppid, const char *argv0)
{
	struct fw_event ev = { .type = FW_EV_TREE_PROCESS, .tid = -1 };

	ev.proc = (struct fw_ev_tree_process){
		.pid = pid, .ppid = ppid, .uid = -1, .argv0 = fw_str(argv0), .n_cmdline = 1
	};
	fw_tasks_feed(t, &ev);
}

static void tree_thread(int32_t tid, int32_t tgid, const char *name)
{
	struct fw_event ev = { .type = FW_EV_TREE_THREAD, .tid = -1 };

	ev.thread = (struct fw_ev_tree_thread){ .tid = tid, .tgid = tgid, .name = fw_str(name) };
	fw_tasks_feed(t, &ev);
}

static const char *name_of(struct fw_str s)
{
	static char buf[64];

	if (!s.p)
		return NULL;
	snprintf(buf, sizeof(buf), "%.*s", FW_STR_ARG(s));
	return buf;
}

static const char *thread_name(int32_t tid)
{
	return name_of(fw_tasks_thread_name(t, fw_tasks_find_thread(t, tid)));
}

static void begin(void)
{
	names = fw_names_new();
	t = fw_tasks_new(names);
}

static void finish(void)
{
	fw_tasks_free(t);
	fw_names_free(names);
}

static void swapper(void)
{
	begin();
	is_int(fw_tasks_find_thread(t, 0), FW_SWAPPER, "tid 0 is there");
	fw_tasks_comm(t, 0, FW_STR("swapper/3"));
	is_str(thread_name(0), "swapper", "and keeps its name");
	finish();
}

static void reuse(void)
{
	uint32_t first, second;

	begin();
	first = fw_tasks_thread(t, 10);
	newtask(5, 10, 0, "child");
	second = fw_tasks_find_thread(t, 10);
	ok(first != second, "a fork makes a new thread of a used tid");
	ok(t->threads[second].is_main, "which is its process's main thread");
	one(FW_EV_PROCESS_FREE, 10, NULL);
	is_int(fw_tasks_find_thread(t, 10), FW_NO_TASK, "free ends it");
	is_int(fw_tasks_find_process(t, 10), FW_NO_TASK, "and its process");
	ok(fw_tasks_thread(t, 10) != second, "the tid comes again as another thread");
	newtask(1, 0, 0, "swapper/1");
	is_int(fw_tasks_find_thread(t, 0), FW_SWAPPER, "the idle tasks of boot are no children");
	finish();
}

static void siblings(void)
{
	uint32_t a, b, c;

	begin();
	newtask(20, 21, CLONE_THREAD, "b");
	newtask(21, 22, CLONE_THREAD, "c");
	a = fw_tasks_find_thread(t, 20);
	b = fw_tasks_find_thread(t, 21);
	c = fw_tasks_find_thread(t, 22);
	is_int(t->threads[c].upid, FW_NO_TASK, "nobody knows their process yet");
	tree_thread(22, 20, "named");
	ok(t->threads[a].upid != FW_NO_TASK && t->threads[a].upid == t->threads[b].upid &&
		   t->threads[b].upid == t->threads[c].upid,
	   "one that is known makes all of them known");
	ok(t->threads[a].is_main && !t->threads[b].is_main, "with one main thread");
	newtask(21, 23, CLONE_THREAD, "d");
	is_int(t->threads[fw_tasks_find_thread(t, 23)].upid, t->threads[a].upid,
	       "a new one joins at once");
	finish();
}

static void name_priority(void)
{
	begin();
	tree(30, 1, "/system/bin/app --flag");
	is_str(name_of(fw_tasks_process_name(t, fw_tasks_find_process(t, 30))), "/system/bin/app",
	       "the program is the first word");
	tree(31, 2, "kworker/1:2-events");
	is_str(name_of(fw_tasks_process_name(t, fw_tasks_find_process(t, 31))), "kworker/1:2",
	       "a worker without its last queue");
	fw_tasks_comm(t, 30, FW_STR("comm"));
	is_str(thread_name(30), "comm", "a comm names a thread");
	tree_thread(32, 30, "RenderThread");
	fw_tasks_comm(t, 32, FW_STR("comm"));
	is_str(thread_name(32), "RenderThread", "but not one that the process tree named");
	one(FW_EV_TASK_RENAME, 30, "renamed");
	is_str(name_of(fw_tasks_process_name(t, fw_tasks_find_process(t, 30))), "renamed",
	       "the main thread's new name is its process's");
	finish();
}

static void parents(void)
{
	uint32_t first;

	begin();
	tree(40, 1, "app");
	first = fw_tasks_find_process(t, 40);
	tree(40, 1, "app");
	is_int(fw_tasks_find_process(t, 40), first, "the same parent: the same process");
	tree(40, 7, "other");
	ok(fw_tasks_find_process(t, 40) != first, "another parent: the pid was reused");
	finish();
}

static void marks(void)
{
	struct fw_mark m = { .phase = 'B', .tgid = 50, .name = FW_STR("x") };
	uint32_t first;

	begin();
	first = fw_tasks_mark(t, 51, &m).utid;
	is_int(t->processes[t->threads[first].upid].pid, 50, "a mark tells a thread's process");
	m.tgid = 60;
	ok(fw_tasks_mark(t, 51, &m).utid != first, "in another process it is another thread");
	m = (struct fw_mark){ .phase = 'E' };
	is_int(fw_tasks_mark(t, 99, &m).utid, FW_NO_TASK, "an end makes no thread");
	m = (struct fw_mark){ .phase = 'C', .tgid = 70, .name = FW_STR("ScreenState") };
	is_int(fw_tasks_mark(t, 51, &m).upid, FW_NO_TASK, "the screen is of no process");
	finish();
}

int main(void)
{
	swapper();
	reuse();
	siblings();
	name_priority();
	parents();
	marks();
	return done_testing();
}
