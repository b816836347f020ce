// SPDX-License-Identifier: GPL-2.0-or-later
/* Slices on threads that are no marks: binder, its old lock, fence waits, kernel operations. */
#include "model/async_slices.h"
#include "model/thread_slices.h"

#include "tap.h"

static struct fw_names *names;
static struct fw_tasks *tasks;
static struct fw_health *health;
static struct fw_thread_slices ts;
static char got[1024];

static void done(void *ctx, uint32_t utid, const struct fw_slice *s)
{
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%d %.*s:%jd+%jd", n ? ", " : "",
		 tasks->threads[utid].tid, FW_STR_ARG(s->name), (intmax_t)s->ts, (intmax_t)s->dur);
}

static void begin(void)
{
	health = fw_health_new();
	names = fw_names_new();
	tasks = fw_tasks_new(names);
	fw_thread_slices_init(&ts, tasks, names, health);
	ts.done = done;
	got[0] = '\0';
}

static void finish(void)
{
	fw_thread_slices_finish(&ts);
	fw_tasks_free(tasks);
	fw_names_free(names);
	fw_health_free(health);
}

static void binder(int64_t when, int32_t tid, enum fw_binder_kind kind, int32_t id, int reply,
		   uint32_t flags)
{
	struct fw_event ev = { .type = FW_EV_BINDER, .ts = when, .tid = tid };

	ev.binder = (struct fw_ev_binder){
		.kind = kind, .transaction = id, .reply = reply, .flags = flags
	};
	fw_thread_slices_feed(&ts, &ev);
}

static void transactions(void)
{
	begin();
	binder(10, 1, FW_BINDER_TRANSACTION, 100, 0, 0);
	binder(12, 2, FW_BINDER_RECEIVED, 100, 0, 0);
	binder(20, 2, FW_BINDER_TRANSACTION, 101, 1, 0);
	binder(22, 1, FW_BINDER_RECEIVED, 101, 0, 0);
	is_str(got, "2 binder reply:12+8, 1 binder transaction:10+12", "a call and its answer");
	got[0] = '\0';
	binder(30, 1, FW_BINDER_TRANSACTION, 102, 0, 1);
	binder(31, 2, FW_BINDER_RECEIVED, 102, 0, 0);
	binder(32, 2, FW_BINDER_RECEIVED, 999, 0, 0);
	fw_thread_slices_finish(&ts);
	is_str(got, "1 binder transaction async:30+0, 2 binder async rcv:31+0",
	       "a one-way call; one never sent is not received");
	finish();
}

static void old_lock(void)
{
	begin();
	binder(10, 1, FW_BINDER_LOCKED, 0, 0, 0);
	binder(11, 1, FW_BINDER_LOCK, 0, 0, 0);
	binder(15, 1, FW_BINDER_LOCKED, 0, 0, 0);
	binder(19, 1, FW_BINDER_UNLOCK, 0, 0, 0);
	binder(20, 1, FW_BINDER_UNLOCK, 0, 0, 0);
	is_str(got, "1 binder lock waiting:11+4, 1 binder lock held:15+4",
	       "the lock that binder had");
	finish();
}

static void kernel(char op, int64_t when, int32_t tid, const char *name, const char *category)
{
	struct fw_event ev = { .type = FW_EV_KERNEL_SLICE, .ts = when, .tid = 3 };

	ev.kslice.op = op;
	ev.kslice.tid = tid;
	ev.kslice.name = fw_str(name);
	ev.kslice.category = fw_str(category);
	fw_thread_slices_feed(&ts, &ev);
}

static void kernel_slices(void)
{
	struct fw_mark m = { .phase = 'B', .name = FW_STR("mark") };

	begin();
	kernel('B', 10, -1, "work_fn", "workqueue");
	fw_thread_slices_mark(&ts, 12, fw_tasks_thread(tasks, 3), &m);
	kernel('E', 20, -1, NULL, "workqueue");
	kernel('I', 21, 4, "signal_generate", NULL);
	fw_thread_slices_finish(&ts);
	is_str(got, "3 mark:12+-1, 3 work_fn:10+10, 4 signal_generate:21+0",
	       "an end of a category passes over a mark; an instant on another's track");
	finish();
}

static void async_done(void *ctx, uint32_t upid, const struct fw_slice *s)
{
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%.*s:%jd+%jd", n ? ", " : "", FW_STR_ARG(s->name),
		 (intmax_t)s->ts, (intmax_t)s->dur);
}

static void async(struct fw_async_slices *as, int64_t when, char phase, const char *track,
		  const char *name, int64_t cookie)
{
	struct fw_mark m = {
		.phase = phase, .track = fw_str(track), .name = fw_str(name), .value = cookie
	};

	fw_async_slices_mark(as, when, 1, &m);
}

static void async_slices(void)
{
	struct fw_async_slices as;

	health = fw_health_new();
	fw_async_slices_init(&as, health);
	as.done = async_done;
	got[0] = '\0';
	async(&as, 10, 'S', NULL, "load", 1);
	async(&as, 11, 'S', NULL, "load", 2);
	async(&as, 12, 'S', NULL, "load", 1);
	async(&as, 20, 'F', NULL, "load", 1);
	async(&as, 21, 'F', NULL, "load", 2);
	async(&as, 22, 'F', NULL, "load", 3);
	async(&as, 30, 'G', "t", "a", 1);
	async(&as, 31, 'G', "t", "b", 1);
	async(&as, 32, 'H', "t", NULL, 1);
	async(&as, 33, 'H', "t", NULL, 1);
	async(&as, 40, 'N', "t", "now", 0);
	is_str(got, "load:10+10, load:11+10, b:31+1, a:30+3, now:40+0",
	       "slices of a process: by name they do not nest, on a track they do");
	is_int(as.sets.n, 0, "and nothing is kept of what ended");
	fw_async_slices_finish(&as);
	fw_health_free(health);
}

int main(void)
{
	transactions();
	old_lock();
	kernel_slices();
	async_slices();
	return done_testing();
}
