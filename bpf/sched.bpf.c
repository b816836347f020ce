// SPDX-License-Identifier: GPL-2.0
/* Running, runnable, preempted, sleeping, blocked: sched_switch and the wakes. */
#include "framewait.bpf.h"
#include "context.bpf.h"
#include "hist.bpf.h"
#include "wchan.bpf.h"

/* sched_switch's prev_state, as __task_state_index() of include/linux/sched.h reads it. */
static __always_inline u32 state_after(bool preempt, u32 prev_state)
{
	if (preempt)
		return FW_RS_PREEMPTED | FW_RSF_KERNEL_PREEMPT;
	if (!prev_state)
		return FW_RS_PREEMPTED;
	if (prev_state & (TASK_DEAD | EXIT_ZOMBIE | EXIT_DEAD))
		return FW_RS_DEAD;
	if (prev_state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		return FW_RS_BLOCKED;
	if ((prev_state & TASK_IDLE) == TASK_IDLE)
		return FW_RS_IDLE;
	if (prev_state & TASK_PARKED)
		return FW_RS_PARKED;
	if (prev_state & __TASK_TRACED)
		return FW_RS_STOPPED | FW_RSF_TRACED;
	if (prev_state & __TASK_STOPPED)
		return FW_RS_STOPPED;
	if (prev_state & TASK_UNINTERRUPTIBLE)
		return FW_RS_BLOCKED;
	return prev_state & TASK_INTERRUPTIBLE ? FW_RS_SLEEPING : FW_RS_UNKNOWN;
}

static __always_inline u32 cut32(u64 ns)
{
	return ns > 0xffffffff ? 0xffffffff : ns;
}

/* Which sleep does the last wake end? See "The wake may stand before" in semantics.rst. */
static __always_inline u32 find_wake(struct fw_task *s, u64 start, u64 ts, struct fw_waited *w)
{
	u64 wake = s->wake_ts, waker = s->waker;
	u32 flags = 0;

	if (!wake || wake < s->in_ts)
		return FW_RSF_NO_WAKE;
	if (wake < start) {
		flags = FW_RSF_WAKE_RACE;
		wake = start;
		s->totals.wake_race++;
	}
	if (wake > ts)
		wake = ts;
	if (waker & FW_WAKER_IRQ)
		flags |= FW_RSF_WAKER_IRQ;
	w->wake = wake;
	w->waker = waker;
	w->waker_cpu = (waker >> 32) & 0xffff;
	return flags;
}

static __always_inline void count_wait(struct fw_totals *t, const struct fw_waited *w, u64 ts)
{
	u64 slept = (w->wake ? w->wake : ts) - w->start, runnable = ts - w->start - slept;

	t->switches++;
	switch (w->state & FW_RS_MASK) {
	case FW_RS_RUNNABLE:
		runnable = slept;
		break;
	case FW_RS_PREEMPTED:
		t->preempted_ns += slept;
		return;
	case FW_RS_SLEEPING:
		t->sleeping_ns += slept;
		break;
	case FW_RS_BLOCKED:
		t->blocked_ns += slept;
		if (w->state & FW_RSF_IO_WAIT)
			t->blocked_io_ns += slept;
		count_us(t->blocked_us, slept);
		break;
	default:
		t->other_ns += slept;
	}
	t->runnable_ns += runnable;
	if (runnable > t->runnable_max_ns)
		t->runnable_max_ns = runnable;
	count_us(t->runnable_us, runnable);
}

/*
 * Some kernels make switches that no tracer sees (idle and host threads of a paravirtual guest,
 * for one). When a thread leaves the CPU that was not seen coming, its scheduler's own account
 * tells for how long it ran.
 */
static __noinline void missed_switch_in(struct fw_task *s, struct task_struct *p, u64 ts,
					struct fw_cpu_health *h)
{
	struct fw_rec_waited r = {};
	u64 ran = p->se.sum_exec_runtime - s->exec, in = ts - ran;
	u32 what = s->state & FW_RS_MASK;

	__sync_fetch_and_add(&h->switch_missed, 1);
	if (in < s->out_ts || in > ts)
		in = s->out_ts;
	r.rec.ts = in;
	r.waited.tid = p->pid;
	r.waited.state = s->state | FW_RSF_ESTIMATED;
	r.waited.start = s->out_ts;
	if (what != FW_RS_PREEMPTED && what != FW_RS_RUNNABLE)
		r.waited.state |= find_wake(s, s->out_ts, in, &r.waited);
	count_wait(&s->totals, &r.waited, in);
	s->in_ts = in;
	s->irq_mark = h->irq_ns;
	s->softirq_mark = h->softirq_ns;
	emit(h, FW_REC_WAITED, &r, sizeof(r));
}

/* The same for one that comes without having been seen to leave. */
static __noinline void missed_switch_out(struct fw_task *s, struct task_struct *p, u64 ts,
					 struct fw_cpu_health *h)
{
	struct fw_rec_ran r = {};
	u64 ran = p->se.sum_exec_runtime - s->exec, out = s->in_ts + ran;

	__sync_fetch_and_add(&h->switch_missed, 1);
	if (out < s->in_ts || out > ts)
		out = ts;
	r.rec.ts = out;
	r.ran.tid = p->pid;
	r.ran.state = FW_RS_UNKNOWN | FW_RSF_ESTIMATED;
	r.ran.start = s->in_ts;
	s->totals.running_ns += out - s->in_ts;
	s->out_ts = out;
	s->state = FW_RS_UNKNOWN | FW_RSF_ESTIMATED;
	emit(h, FW_REC_RAN, &r, sizeof(r));
}

/* @s leaves the CPU. Return: false when nothing is known of the time before. */
static __always_inline bool switch_out(struct fw_task *s, struct task_struct *p, u32 state, u64 ts,
				       struct fw_cpu_health *h, struct fw_ran *r)
{
	u64 start, irq = h->irq_ns, softirq = h->softirq_ns;
	bool known = true;

	if (s->in_ts < s->out_ts)
		missed_switch_in(s, p, ts, h);
	start = s->in_ts;
	if (!start) {
		known = s->snap_ts && s->snap_state == FW_RS_RUNNING;
		start = s->snap_ts;
		s->irq_mark = irq;
		s->softirq_mark = softirq;
		state |= FW_RSF_SNAPSHOT;
	}
	s->out_ts = ts;
	s->state = state;
	s->exec = p->se.sum_exec_runtime;
	if (!known)
		return false;
	if (ts < start) {
		__sync_fetch_and_add(&h->clock_back, 1);
		start = ts;
	}
	irq -= s->irq_mark;
	softirq -= s->softirq_mark;
	r->tid = p->pid;
	r->state = state;
	r->start = start;
	r->irq_ns = cut32(irq);
	r->softirq_ns = cut32(softirq);
	s->totals.running_ns += ts - start;
	if (irq | softirq) {
		s->totals.irq_ns += irq;
		s->totals.softirq_ns += softirq;
	}
	return true;
}

/*
 * @s comes to the CPU. It has not run yet: its stack is still the sleeping one without any frame
 * of tracing, in_iowait is still set, and nobody else looks at it. Return: false when nothing is
 * known of the time before.
 */
static __always_inline bool switch_in(struct fw_task *s, struct task_struct *p, u64 ts,
				      struct fw_cpu_health *h, struct fw_waited *w)
{
	u64 start;
	u32 state, what;
	bool known = true;

	if (s->in_ts > s->out_ts)
		missed_switch_out(s, p, ts, h);
	start = s->out_ts;
	state = s->state;
	if (!start) {
		start = s->snap_ts;
		state = s->snap_state | FW_RSF_SNAPSHOT;
		known = start && s->snap_state != FW_RS_RUNNING;
	}
	if (known) {
		if (ts < start) {
			__sync_fetch_and_add(&h->clock_back, 1);
			start = ts;
		}
		what = state & FW_RS_MASK;
		w->tid = p->pid;
		w->start = start;
		w->wake = 0;
		w->waker = 0;
		w->waker_cpu = 0;
		w->wchan = 0;
		if (what != FW_RS_PREEMPTED && what != FW_RS_RUNNABLE)
			state |= find_wake(s, start, ts, w);
		state |= sleep_reason(p, what, ts - start, h, w);
		w->state = state;
		count_wait(&s->totals, w, ts);
	}
	s->in_ts = ts;
	s->exec = p->se.sum_exec_runtime;
	s->cpu = bpf_get_smp_processor_id();
	s->irq_mark = h->irq_ns;
	s->softirq_mark = h->softirq_ns;
	return known;
}

/* The batch of @cpu goes into its ring as one sample of several records. */
static __noinline void flush(struct fw_cpu *c, u32 cpu)
{
	u32 len = c->len;
	void *ring = bpf_map_lookup_elem(&rings, &cpu);
	bool lost;

	if (!len || len > FW_BATCH)
		return;
	lost = !ring || bpf_ringbuf_output(ring, c->batch, len, BPF_RB_NO_WAKEUP);
	for (int type = FW_REC_RAN; type <= FW_REC_SWITCH; type++) {
		__sync_fetch_and_add(&c->h.produced[type], c->n[type]);
		if (lost)
			__sync_fetch_and_add(&c->h.lost[type], c->n[type]);
		c->n[type] = 0;
	}
	c->len = 0;
}

/* The collector runs this on each CPU, by an interrupt there, when it wants all there is. */
SEC("raw_tp")
int fw_flush(void *ctx)
{
	struct fw_cpu *c = this_cpu();

	if (c)
		flush(c, bpf_get_smp_processor_id());
	return 0;
}

/*
 * And this for a CPU that is off, which touches its batch no more. What it did before it went would else
 * wait until it comes back: before Linux 5.19, which has no such lookup, it does.
 */
SEC("raw_tp")
int fw_flush_off(u64 *ctx)
{
	u32 zero = 0, cpu = ctx[0];
	struct fw_cpu *c;

	if (!bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_map_lookup_percpu_elem))
		return 0;
	c = bpf_map_lookup_percpu_elem(&cpus, &zero, cpu);
	if (c)
		flush(c, cpu);
	return 0;
}

#define SWITCH_SIZE sizeof(struct fw_rec_switch)

static __always_inline int on_switch(struct task_struct *prev, struct task_struct *next, u32 state)
{
	struct fw_task *out = target(prev), *in = target(next);
	bool ran = false, waited = false;
	struct fw_rec *r;
	struct fw_cpu *c;
	u32 at, type;
	void *part;
	u64 ts;

	/* Apart, or the compiler tests "out | in", which the verifier refuses on pointers. */
	if (!out) {
		barrier_var(in);
		if (!in)
			return 0;
	}
	c = this_cpu();
	if (!c)
		return 0;
	ts = bpf_ktime_get_boot_ns();
	if (c->len > FW_BATCH - SWITCH_SIZE)
		flush(c, bpf_get_smp_processor_id());
	at = c->len;
	if (at > FW_BATCH - SWITCH_SIZE)
		return 0;
	/* Written where it stays: head, who came to the CPU, who left it. */
	r = (void *)c->batch + at;
	part = r + 1;
	if (in)
		waited = switch_in(in, next, ts, &c->h, part);
	if (waited)
		part += sizeof(struct fw_waited);
	if (out)
		ran = switch_out(out, prev, state, ts, &c->h, part);
	if (ran)
		part += sizeof(struct fw_ran);
	if (!waited && !ran)
		return 0;
	type = waited ? ran ? FW_REC_SWITCH : FW_REC_WAITED : FW_REC_RAN;
	r->size = part - (void *)r;
	r->type = type;
	r->flags = 0;
	r->cpu = bpf_get_smp_processor_id();
	r->ts = ts;
	c->n[type]++;
	c->len = at + r->size;
	return 0;
}

/* 5.18 and later: the state is an argument, read once by the scheduler. */
SEC("tp_btf/sched_switch")
int BPF_PROG(fw_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	return on_switch(prev, next, state_after(preempt, prev_state));
}

/* Before: it must be read here, where a waker may already have changed it. */
SEC("tp_btf/sched_switch")
int BPF_PROG(fw_switch3, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(prev, next, state_after(preempt, prev->__state | prev->exit_state));
}

static __always_inline void note_wake(struct fw_task *s)
{
	u64 waker = (u32)bpf_get_current_pid_tgid();

	waker |= (u64)bpf_get_smp_processor_id() << 32;
	if (in_interrupt())
		waker |= FW_WAKER_IRQ;
	s->waker = waker;
	s->wakes++;
	s->wake_ts = bpf_ktime_get_boot_ns();
}

/* Always overwrites: a spurious wake is followed by the real one. */
SEC("tp_btf/sched_waking")
int BPF_PROG(fw_waking, struct task_struct *p)
{
	struct fw_task *s = target(p);

	if (s)
		note_wake(s);
	return 0;
}

/* The new thread cannot run before this returns, so both parts may be written here. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(fw_wakeup_new, struct task_struct *p)
{
	struct fw_task *s = target(p);

	if (!s)
		return 0;
	note_wake(s);
	s->out_ts = s->wake_ts;
	s->state = FW_RS_NEW;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
