// SPDX-License-Identifier: GPL-2.0
/*
 * Why a thread was in an uninterruptible sleep, when it comes back to the CPU: its stack is still the
 * sleeping one then, and in_iowait still set. For kernels without Android's sched_blocked_reason, which
 * moreover misses up to half of the I/O sleeps under contention (delayed dequeue, 6.12 and later).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/tracepoint.h>

#include "compat.h"
#include "framewait.h"
#include "trace.h"

static int blocked_reason = -1;
module_param(blocked_reason, int, 0444);
MODULE_PARM_DESC(blocked_reason,
		 "event framewait_blocked: 1 on, 0 off, -1 only where the kernel has "
		 "no sched_blocked_reason (default)");

/*
 * Who sleeps in D: a set of task pointers, which are only compared, never followed. A thread is put in
 * by the switch that takes it from the CPU and taken out by the one that brings it back.
 */
#define SET_BITS 10
#define SET_WAYS 8
static struct task_struct *sleepers[1 << SET_BITS][SET_WAYS];
static atomic64_t missed;

static struct tracepoint *sched_switch;

#ifdef FW_COMPAT_FIND_STACK_TRACE
static unsigned int (*save_stack)(struct task_struct *task, unsigned long *store, unsigned int size,
				  unsigned int skip);

static int find_save_stack(void)
{
	struct kprobe probe = { .symbol_name = "stack_trace_save_tsk" };
	int err = register_kprobe(&probe);
	unsigned long addr = (unsigned long)probe.addr;

	if (err)
		return err;
	unregister_kprobe(&probe);
#ifdef CONFIG_X86_KERNEL_IBT
	/* A probe at the start of a function stands behind its landing pad. */
	addr -= 4;
#endif
	save_stack = (void *)addr;
	return 0;
}
#else
#define save_stack stack_trace_save_tsk

static int find_save_stack(void)
{
	return 0;
}
#endif

static void remember(struct task_struct *task)
{
	struct task_struct **set = sleepers[hash_ptr(task, SET_BITS)];

	for (int i = 0; i < SET_WAYS; i++) {
		if (!READ_ONCE(set[i]) && !cmpxchg(&set[i], NULL, task))
			return;
	}
	atomic64_inc(&missed);
}

static bool recall(struct task_struct *task)
{
	struct task_struct **set = sleepers[hash_ptr(task, SET_BITS)];

	for (int i = 0; i < SET_WAYS; i++) {
		if (READ_ONCE(set[i]) == task) {
			WRITE_ONCE(set[i], NULL);
			return true;
		}
	}
	return false;
}

/* sched_switch, with the run queue's lock held and interrupts off */
static void on_switch(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	unsigned long caller = 0;

	if (!preempt && (prev_state & TASK_UNINTERRUPTIBLE) && !(prev_state & TASK_NOLOAD))
		remember(prev);
	if (!recall(next) || !trace_framewait_blocked_enabled())
		return;
	/* Functions of the scheduler are left out by the kernel itself. */
	save_stack(next, &caller, 1, 0);
	trace_framewait_blocked(next, next->pid, caller, next->in_iowait);
}

int fw_blocked_init(void)
{
	int err;

	if (!blocked_reason || (blocked_reason < 0 && fw_find_tracepoint("sched_blocked_reason")))
		return 0;
	sched_switch = fw_find_tracepoint("sched_switch");
	err = sched_switch ? find_save_stack() : -ENOENT;
	if (!err)
		err = tracepoint_probe_register(sched_switch, on_switch, NULL);
	if (err) {
		pr_notice("no event framewait_blocked: %d\n", err);
		sched_switch = NULL;
		return blocked_reason > 0 ? err : 0;
	}
	fw_has(FRAMEWAIT_HAS_BLOCKED);
	return 0;
}

void fw_blocked_exit(void)
{
	if (sched_switch)
		tracepoint_probe_unregister(sched_switch, on_switch, NULL);
}

u64 fw_blocked_missed(void)
{
	return atomic64_read(&missed);
}
