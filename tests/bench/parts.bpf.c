// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a recorded switch cannot do without, each part in a program of its own: the kernel's
 * accounting of a program that does nothing, a clock read, the storage of the two threads, the
 * function that the next one slept in. And the least that a switch and a wake can be: the time
 * and the threads' storage, and nothing done with them.
 */
#include "kernel_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} storage SEC(".maps");

__u64 sum;

SEC("tp_btf/sched_switch")
int BPF_PROG(empty)
{
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(empty_waking)
{
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(clock_read)
{
	sum += bpf_ktime_get_boot_ns();
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(two_storages, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 *a = bpf_task_storage_get(&storage, prev, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 *b = bpf_task_storage_get(&storage, next, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (a && b)
		*a += ++*b;
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(least_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 *a = bpf_task_storage_get(&storage, prev, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 *b = bpf_task_storage_get(&storage, next, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 now = bpf_ktime_get_boot_ns();

	if (a)
		*a = now;
	if (b)
		*b = now;
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(least_waking, struct task_struct *p)
{
	__u64 *a = bpf_task_storage_get(&storage, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (a)
		*a = bpf_ktime_get_boot_ns();
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(wchan, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 entry = 0;

	if (bpf_get_task_stack(next, &entry, sizeof(entry), 0) > 0)
		sum += entry;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
