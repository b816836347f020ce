/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_TASK_BPF_H
#define FW_TASK_BPF_H

#include "framewait.bpf.h"

#define CGROUP_DEPTH 8

static __always_inline bool wanted_id(u64 kind, u64 id)
{
	u64 key = FW_WANT_KEY(kind, id);

	return bpf_map_lookup_elem(&wanted, &key);
}

/* Is @p in a wanted cgroup, or in one below it? */
static __always_inline bool wanted_cgroup(struct task_struct *p)
{
	struct cgroup *c = BPF_CORE_READ(p, cgroups, dfl_cgrp);

	for (int i = 0; i < CGROUP_DEPTH && c; i++) {
		struct cgroup_subsys_state *up;

		if (wanted_id(FW_WANT_CGROUP, BPF_CORE_READ(c, kn, id)))
			return true;
		up = BPF_CORE_READ(c, self.parent);
		c = up ? BPF_CORE_READ(up, cgroup) : NULL;
	}
	return false;
}

static __always_inline bool glob_matches(const volatile struct fw_glob *g, const char *comm)
{
	u32 states = 1;

	for (int i = 0; i < FW_COMM_LEN - 1; i++) {
		u8 c = comm[i];

		if (!c)
			break;
		states = (states & g->step[c]) << 1 | (states & g->stay);
	}
	return states & g->accept;
}

/* @comm: the thread's name, which may be newer than the one in the struct. */
static __always_inline bool wanted_name(struct task_struct *p, const char *comm)
{
	char leader[FW_COMM_LEN] = {};
	bool is_leader = p->pid == p->tgid;

	if (is_leader)
		__builtin_memcpy(leader, comm, sizeof(leader));
	else
		BPF_CORE_READ_STR_INTO(&leader, p, group_leader, comm);
	for (int i = 0; i < FW_MAX_GLOBS; i++) {
		const volatile struct fw_glob *g = &conf.globs[i];

		if (g->kind == FW_GLOB_THREAD && glob_matches(g, comm))
			return true;
		if (g->kind == FW_GLOB_PROCESS && glob_matches(g, leader))
			return true;
	}
	return false;
}

static __always_inline bool is_wanted(struct task_struct *p, const char *comm)
{
	if (!p->pid)
		return false;
	if (conf.all)
		return p->tgid != (int)conf.self;
	if (conf.by_wanted) {
		if (wanted_id(FW_WANT_PID, p->tgid) || wanted_id(FW_WANT_PID, p->pid) ||
		    wanted_id(FW_WANT_UID, BPF_CORE_READ(p, real_cred, uid.val)) ||
		    wanted_cgroup(p))
			return true;
	}
	return conf.by_glob && wanted_name(p, comm);
}

static __always_inline struct fw_task *make_target(struct task_struct *p, u64 ts)
{
	struct fw_task *s = bpf_task_storage_get(&tasks, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	struct fw_cpu_health *h;

	if (s) {
		s->totals.tid = p->pid;
		s->totals.tgid = p->tgid;
		s->totals.since = ts;
		return s;
	}
	h = this_cpu_health();
	if (h)
		__sync_fetch_and_add(&h->storage_failed, 1);
	return NULL;
}

static __always_inline void emit_task(struct task_struct *p, u32 op, const char *comm,
				      u32 parent_tid, u64 ts)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_task r = {};

	if (!h)
		return;
	r.rec.ts = ts;
	r.op = op;
	r.tid = p->pid;
	r.tgid = p->tgid;
	r.ppid = BPF_CORE_READ(p, real_parent, tgid);
	r.uid = BPF_CORE_READ(p, real_cred, uid.val);
	r.parent_tid = parent_tid;
	r.start_boottime = p->start_boottime;
	__builtin_memcpy(r.comm, comm, sizeof(r.comm));
	emit(h, FW_REC_TASK, &r, sizeof(r));
}

/* Copy the totals to where people look. */
static __always_inline void publish(struct task_struct *p, struct fw_task *s, u64 ts)
{
	u32 tid = p->pid;

	bpf_probe_read_kernel_str(s->totals.comm, sizeof(s->totals.comm), p->comm);
	s->totals.updated = ts;
	s->totals.wakes = s->wakes;
	bpf_map_update_elem(&threads, &tid, &s->totals, BPF_ANY);
}

#endif
