// SPDX-License-Identifier: GPL-2.0
/*
 * sched_blocked_reason of Android kernels: a second opinion beside what sched_switch found, since
 * it misses sleepers whose dequeue was delayed (6.12 and later).
 */
#include "framewait.bpf.h"
#include "wchan.bpf.h"

static __always_inline void emit_blocked(u32 tid, u32 io_wait, u64 caller)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_blocked r = {
		.rec.ts = bpf_ktime_get_boot_ns(),
		.tid = tid,
		.io_wait = io_wait,
		.caller = caller,
	};

	if (h)
		emit(h, FW_REC_BLOCKED, &r, sizeof(r));
}

/* android16-6.12: (task, function), at switch-out. */
SEC("tp_btf/sched_blocked_reason")
int BPF_PROG(fw_blocked2, struct task_struct *p, void *function)
{
	if (target(p) && (p->__state & TASK_IDLE) != TASK_IDLE)
		emit_blocked(p->pid, !!(io_wait_of(p) & FW_RSF_IO_WAIT), (u64)function);
	return 0;
}

/* Up to 5.10 and android17-6.18: (task) only; the function stands in the record. */
struct blocked_reason_record {
	u64 common;
	s32 pid;
	u32 unused;
	u64 caller;
	u8 io_wait;
};

/* The record has no task to look up: which threads are targets the collector knows. */
SEC("tracepoint/sched/sched_blocked_reason")
int fw_blocked1(struct blocked_reason_record *ctx)
{
	u32 pid = ctx->pid;

	if (conf.all || bpf_map_lookup_elem(&threads, &pid))
		emit_blocked(pid, ctx->io_wait, ctx->caller);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
