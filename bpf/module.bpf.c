// SPDX-License-Identifier: GPL-2.0
/*
 * The events of framewait.ko: which fence a thread polls, what a merged sync_file is made of, names of
 * contexts, and why a thread was blocked. Each stands here twice: for a module with BTF, and as a raw
 * tracepoint for one without; the arguments are numbers.
 */
#include "fence_names.bpf.h"
#include "wchan.bpf.h"

/* A fence that a target has to do with is recorded from now on. */
static __always_inline void adopt(u64 context, u64 seqno)
{
	struct fw_fence_key key = { .context = context, .seqno = seqno };
	struct fw_fence_life fresh = {};

	bpf_map_update_elem(&fences, &key, &fresh, BPF_NOEXIST);
}

static __always_inline int on_poll(u64 context, u64 seqno, bool waits, bool signaled)
{
	struct fw_task *t = target(bpf_get_current_task_btf());
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_fence_poll r = {};

	if (!t || !h)
		return 0;
	/* A look without a wait before it ends none. */
	if (!waits && !t->polls)
		return 0;
	t->polls = waits ? t->polls + 1 : t->polls - 1;
	if (waits)
		adopt(context, seqno);
	r.rec.ts = bpf_ktime_get_boot_ns();
	r.context = context;
	r.seqno = seqno;
	r.tid = (u32)bpf_get_current_pid_tgid();
	r.flags = (waits ? FW_POLLF_WAITS : 0) | (signaled ? FW_POLLF_SIGNALED : 0);
	bpf_get_current_comm(r.comm, sizeof(r.comm));
	emit(h, FW_REC_FENCE_POLL, &r, sizeof(r));
	return 0;
}

static __always_inline int on_member(u64 context, u64 seqno, u64 member_context, u64 member_seqno)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_fence_member r = {};

	if (!h || !(conf.fences_all || target(bpf_get_current_task_btf())))
		return 0;
	adopt(member_context, member_seqno);
	/* A plain fence is its own only member. */
	if (context == member_context && seqno == member_seqno)
		return 0;
	r.rec.ts = bpf_ktime_get_boot_ns();
	r.context = context;
	r.seqno = seqno;
	r.member_context = member_context;
	r.member_seqno = member_seqno;
	emit(h, FW_REC_FENCE_MEMBER, &r, sizeof(r));
	return 0;
}

static __always_inline int on_name(u64 context, const char *driver, const char *timeline)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_fence_names names = {};

	if (!h || !context || bpf_map_lookup_elem(&fence_names, &context))
		return 0;
	bpf_probe_read_kernel_str(names.driver, sizeof(names.driver), driver);
	bpf_probe_read_kernel_str(names.timeline, sizeof(names.timeline), timeline);
	/* What 6.17 and later say once it has signaled. */
	if (!bpf_strncmp(names.driver, sizeof(names.driver), "detached-driver"))
		return 0;
	emit_fence_names(h, context, &names);
	return 0;
}

static __always_inline void on_blocked(u32 pid, u64 caller, bool io_wait)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_blocked r = {
		.rec.ts = bpf_ktime_get_boot_ns(),
		.tid = pid,
		.io_wait = io_wait,
		.caller = caller,
	};

	if (h)
		emit(h, FW_REC_BLOCKED, &r, sizeof(r));
}

SEC("tp_btf/framewait_poll")
int BPF_PROG(fw_poll, u64 context, u64 seqno, bool waits, bool signaled)
{
	return on_poll(context, seqno, waits, signaled);
}

SEC("raw_tp/framewait_poll")
int BPF_PROG(fw_poll_raw, u64 context, u64 seqno, u64 waits, u64 signaled)
{
	return on_poll(context, seqno, waits & 1, signaled & 1);
}

#define MEMBER_PROG(name, event)                                                                   \
	SEC("tp_btf/" #event)                                                                      \
	int BPF_PROG(name, u64 context, u64 seqno, u64 member_context, u64 member_seqno)           \
	{                                                                                          \
		return on_member(context, seqno, member_context, member_seqno);                    \
	}                                                                                          \
	SEC("raw_tp/" #event)                                                                      \
	int BPF_PROG(name##_raw, u64 context, u64 seqno, u64 member_context, u64 member_seqno)     \
	{                                                                                          \
		return on_member(context, seqno, member_context, member_seqno);                    \
	}

MEMBER_PROG(fw_create, framewait_create)
MEMBER_PROG(fw_merge, framewait_merge)

SEC("tp_btf/framewait_name")
int BPF_PROG(fw_name, u64 context, const char *driver, const char *timeline)
{
	return on_name(context, driver, timeline);
}

SEC("raw_tp/framewait_name")
int BPF_PROG(fw_name_raw, u64 context, const char *driver, const char *timeline)
{
	return on_name(context, driver, timeline);
}

/* A module's pointers may be NULL to the verifier. */
SEC("tp_btf/framewait_blocked")
int BPF_PROG(fw_block, struct task_struct *task, int pid, unsigned long caller, bool io_wait)
{
	if (task && target(task))
		on_blocked(pid, caller, io_wait);
	return 0;
}

/* No task to look up in: which threads are targets the collector knows. */
SEC("raw_tp/framewait_blocked")
int BPF_PROG(fw_block_raw, void *task, int pid, unsigned long caller, u64 io_wait)
{
	u32 tid = pid;

	if (conf.all || bpf_map_lookup_elem(&threads, &tid))
		on_blocked(tid, caller, io_wait & 1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
