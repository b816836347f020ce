// SPDX-License-Identifier: GPL-2.0
/* What threads are doing without an event that would say so: iterators over all of them. */
#include "task.bpf.h"
#include "wchan.bpf.h"

static __always_inline u32 state_now(struct task_struct *p)
{
	u32 state = p->__state;

	if (p->exit_state)
		return FW_RS_DEAD;
	if (!state)
		return p->on_cpu ? FW_RS_RUNNING : FW_RS_PREEMPTED;
	if (state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		return FW_RS_BLOCKED;
	if ((state & TASK_IDLE) == TASK_IDLE)
		return FW_RS_IDLE;
	if (state & TASK_PARKED)
		return FW_RS_PARKED;
	if (state & __TASK_TRACED)
		return FW_RS_STOPPED | FW_RSF_TRACED;
	if (state & __TASK_STOPPED)
		return FW_RS_STOPPED;
	if (state & TASK_UNINTERRUPTIBLE)
		return FW_RS_BLOCKED;
	return state & TASK_INTERRUPTIBLE ? FW_RS_SLEEPING : FW_RS_UNKNOWN;
}

/*
 * Make all wanted threads targets that are none yet. The programs are attached already: from the
 * moment that the storage is there sched_switch may use it, so only the snap_* fields are written
 * here, and it looks at them only as long as it has nothing of its own.
 */
SEC("iter/task")
int fw_snapshot(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	char comm[FW_COMM_LEN] = {};
	struct fw_task *s;
	u64 ts;

	if (!p || target(p))
		return 0;
	bpf_probe_read_kernel_str(comm, sizeof(comm), p->comm);
	if (!is_wanted(p, comm))
		return 0;
	ts = bpf_ktime_get_boot_ns();
	s = make_target(p, ts);
	if (!s)
		return 0;
	s->snap_state = state_now(p);
	barrier();
	s->snap_ts = ts;
	emit_task(p, FW_TASK_SEEN, comm, 0, ts);
	return 0;
}

/* What @s is in at @ts; the writers may be at it: false when it changed meanwhile. */
static __always_inline bool open_interval(struct fw_task *s, u64 ts, struct fw_waited *w)
{
	u64 in = s->in_ts, out = s->out_ts, wake;

	barrier();
	if (in > out || (!out && !in && s->snap_state == FW_RS_RUNNING)) {
		w->state = FW_RS_RUNNING | (in ? 0 : FW_RSF_SNAPSHOT);
		w->start = in ? in : s->snap_ts;
		w->waker_cpu = s->cpu;
	} else {
		w->start = out ? out : s->snap_ts;
		w->state = out ? s->state : s->snap_state | FW_RSF_SNAPSHOT;
		wake = s->wake_ts;
		if (wake && wake >= in && wake < ts && (w->state & FW_RS_MASK) != FW_RS_PREEMPTED) {
			w->wake = wake > w->start ? wake : w->start;
			w->waker = s->waker;
			w->waker_cpu = (s->waker >> 32) & 0xffff;
		}
	}
	barrier();
	return w->start && w->start <= ts && in == s->in_ts && out == s->out_ts;
}

/* A record for each target that changed since the last time, and its totals for people. */
SEC("iter/task")
int fw_checkpoint(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_open r = {};
	struct fw_task *s;
	u32 what;

	if (!p || !h)
		return 0;
	s = target(p);
	if (!s)
		return 0;
	r.rec.ts = bpf_ktime_get_boot_ns();
	publish(p, s, r.rec.ts);
	if (!open_interval(s, r.rec.ts, &r.waited))
		return 0;
	if (s->open_start == r.waited.start && s->open_wake == r.waited.wake)
		return 0;
	s->open_start = r.waited.start;
	s->open_wake = r.waited.wake;
	r.waited.tid = p->pid;
	what = r.waited.state & FW_RS_MASK;
	if (!r.waited.wake && (what == FW_RS_BLOCKED || what == FW_RS_SLEEPING)) {
		r.waited.wchan = wchan_of(p);
		if (what == FW_RS_BLOCKED)
			r.waited.state |= io_wait_of(p);
	}
	emit(h, FW_REC_OPEN, &r, sizeof(r));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
