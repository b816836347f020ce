/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM framewait

#if !defined(FRAMEWAIT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define FRAMEWAIT_TRACE_H

#include <linux/sched.h>
#include <linux/tracepoint.h>

#define FW_NAME_LEN 32

/*
 * The arguments are numbers, so that a raw tracepoint program can use them where the module has no
 * BTF. Fields and meanings are in Documentation/module.rst.
 */

/* clang-format off */

/* Names of a context, before the event that needs them. */
TRACE_EVENT(framewait_name,
	TP_PROTO(u64 context, const char *driver, const char *timeline),
	TP_ARGS(context, driver, timeline),
	TP_STRUCT__entry(
		__field(u64, context)
		__array(char, driver, FW_NAME_LEN)
		__array(char, timeline, FW_NAME_LEN)
	),
	TP_fast_assign(
		__entry->context = context;
		strscpy(__entry->driver, driver, FW_NAME_LEN);
		strscpy(__entry->timeline, timeline, FW_NAME_LEN);
	),
	TP_printk("context=%llu driver=%s timeline=%s", __entry->context, __entry->driver,
		  __entry->timeline)
);

/* One for each fence behind a new sync_file; a plain one is its own only member. */
DECLARE_EVENT_CLASS(framewait_member,
	TP_PROTO(u64 context, u64 seqno, u64 member_context, u64 member_seqno, u32 index),
	TP_ARGS(context, seqno, member_context, member_seqno, index),
	TP_STRUCT__entry(
		__field(u64, context)
		__field(u64, seqno)
		__field(u64, member_context)
		__field(u64, member_seqno)
		__field(u32, index)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->seqno = seqno;
		__entry->member_context = member_context;
		__entry->member_seqno = member_seqno;
		__entry->index = index;
	),
	TP_printk("context=%llu seqno=%llu member_context=%llu member_seqno=%llu index=%u",
		  __entry->context, __entry->seqno, __entry->member_context,
		  __entry->member_seqno, __entry->index)
);

DEFINE_EVENT(framewait_member, framewait_create,
	TP_PROTO(u64 context, u64 seqno, u64 member_context, u64 member_seqno, u32 index),
	TP_ARGS(context, seqno, member_context, member_seqno, index)
);

DEFINE_EVENT(framewait_member, framewait_merge,
	TP_PROTO(u64 context, u64 seqno, u64 member_context, u64 member_seqno, u32 index),
	TP_ARGS(context, seqno, member_context, member_seqno, index)
);

/* The current thread polls: with @waits it is about to sleep until the fence signals. */
TRACE_EVENT(framewait_poll,
	TP_PROTO(u64 context, u64 seqno, bool waits, bool signaled),
	TP_ARGS(context, seqno, waits, signaled),
	TP_STRUCT__entry(
		__field(u64, context)
		__field(u64, seqno)
		__field(bool, waits)
		__field(bool, signaled)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->seqno = seqno;
		__entry->waits = waits;
		__entry->signaled = signaled;
	),
	TP_printk("context=%llu seqno=%llu waits=%d signaled=%d", __entry->context,
		  __entry->seqno, __entry->waits, __entry->signaled)
);

TRACE_EVENT(framewait_release,
	TP_PROTO(u64 context, u64 seqno, bool signaled),
	TP_ARGS(context, seqno, signaled),
	TP_STRUCT__entry(
		__field(u64, context)
		__field(u64, seqno)
		__field(bool, signaled)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->seqno = seqno;
		__entry->signaled = signaled;
	),
	TP_printk("context=%llu seqno=%llu signaled=%d", __entry->context, __entry->seqno,
		  __entry->signaled)
);

/* A thread comes back to the CPU from an uninterruptible sleep. */
TRACE_EVENT(framewait_blocked,
	TP_PROTO(struct task_struct *task, int pid, unsigned long caller, bool io_wait),
	TP_ARGS(task, pid, caller, io_wait),
	TP_STRUCT__entry(
		__field(int, pid)
		__field(void *, caller)
		__field(bool, io_wait)
	),
	TP_fast_assign(
		__entry->pid = pid;
		__entry->caller = (void *)caller;
		__entry->io_wait = io_wait;
	),
	TP_printk("pid=%d iowait=%d caller=%pS", __entry->pid, __entry->io_wait, __entry->caller)
);

#endif

/* clang-format on */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
