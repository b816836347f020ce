// SPDX-License-Identifier: GPL-2.0
/* Who is a target: threads are born, change their name, and die. */
#include "task.bpf.h"

const volatile struct fw_conf conf = {};

static __always_inline void read_comm(struct task_struct *p, char *comm)
{
	bpf_probe_read_kernel_str(comm, FW_COMM_LEN, p->comm);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(fw_fork, struct task_struct *parent, struct task_struct *child)
{
	char comm[FW_COMM_LEN] = {};
	u64 ts;

	read_comm(child, comm);
	if (!target(parent) && !is_wanted(child, comm))
		return 0;
	ts = bpf_ktime_get_boot_ns();
	if (make_target(child, ts))
		emit_task(child, FW_TASK_FORK, comm, parent->pid, ts);
	return 0;
}

/* A process stays wanted under its next name; a thread asked for by its name stands for none. */
static __always_inline void want_process(struct task_struct *p, const char *comm)
{
	u64 key = FW_WANT_KEY(FW_WANT_PID, p->tgid);
	struct fw_cpu_health *h = this_cpu_health();
	bool named = false;
	u32 one = 1;

	for (int i = 0; i < FW_MAX_GLOBS; i++)
		named |=
			conf.globs[i].kind == FW_GLOB_PROCESS && glob_matches(&conf.globs[i], comm);
	if (named && bpf_map_update_elem(&wanted, &key, &one, BPF_ANY) && h)
		__sync_fetch_and_add(&h->storage_failed, 1);
}

/* A name or a program that matches makes a target; one that no longer does stays it. */
static __always_inline void renamed(struct task_struct *p, const char *comm, u32 op)
{
	u64 ts = bpf_ktime_get_boot_ns();
	struct fw_task *s = target(p);

	if (!s) {
		if (!is_wanted(p, comm))
			return;
		s = make_target(p, ts);
		if (!s)
			return;
		/* It is on this CPU; its other threads the collector finds by a new snapshot. */
		s->snap_state = FW_RS_RUNNING;
		s->snap_ts = ts;
	}
	if (conf.by_glob && p->pid == p->tgid)
		want_process(p, comm);
	emit_task(p, op, comm, 0, ts);
}

SEC("tp_btf/task_rename")
int BPF_PROG(fw_rename, struct task_struct *p, const char *name)
{
	char comm[FW_COMM_LEN] = {};

	bpf_probe_read_kernel_str(comm, sizeof(comm), name);
	renamed(p, comm, FW_TASK_RENAME);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(fw_exec, struct task_struct *p)
{
	char comm[FW_COMM_LEN] = {};

	read_comm(p, comm);
	renamed(p, comm, FW_TASK_EXEC);
	return 0;
}

/* Its ids may be given to others from now on; that of a process is kept for its last thread. */
static __always_inline void unwant(struct task_struct *p)
{
	u64 key = FW_WANT_KEY(FW_WANT_PID, p->pid);

	if (p->pid != p->tgid)
		bpf_map_delete_elem(&wanted, &key);
	key = FW_WANT_KEY(FW_WANT_PID, p->tgid);
	if (!BPF_CORE_READ(p, signal, live.counter))
		bpf_map_delete_elem(&wanted, &key);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(fw_exit, struct task_struct *p)
{
	struct fw_task *s = target(p);
	char comm[FW_COMM_LEN] = {};
	u64 ts;

	if (!s)
		return 0;
	unwant(p);
	ts = bpf_ktime_get_boot_ns();
	read_comm(p, comm);
	emit_task(p, FW_TASK_EXIT, comm, 0, ts);
	publish(p, s, ts);
	return 0;
}

/* Moving a process into a wanted cgroup makes it a target. */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(fw_cgroup, struct cgroup *to, const char *path, struct task_struct *p)
{
	char comm[FW_COMM_LEN] = {};

	if (!conf.by_wanted || target(p))
		return 0;
	read_comm(p, comm);
	if (is_wanted(p, comm))
		emit_task(p, FW_TASK_RENAME, comm, 0, bpf_ktime_get_boot_ns());
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
