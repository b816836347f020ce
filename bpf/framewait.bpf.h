/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_FRAMEWAIT_BPF_H
#define FW_FRAMEWAIT_BPF_H

#include "kernel_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "framewait/record.h"
#include "conf.h"

/*
 * The maps and what all programs share. Each object holds the maps as weak symbols; bpftool's
 * linker makes one of them. Names have at most 15 characters, the kernel cuts longer ones.
 */

/**
 * struct fw_task - what is known of a target thread; its presence is what makes it one
 *
 * sched_waking and sched_switch run at once on two CPUs for the same thread. Each writes only its
 * own part, and there are no flags that one sets and the other clears.
 */
struct fw_task {
	/* sched_waking writes */
	u64 wake_ts;
	u64 waker; /* tid, cpu << 32, FW_WAKER_IRQ */
	u64 wakes;
	/* sched_switch writes */
	u64 in_ts, out_ts;
	u32 state; /* since out_ts; enum fw_rec_state and FW_RSF_KERNEL_PREEMPT */
	u32 cpu; /* of in_ts */
	u64 irq_mark, softirq_mark; /* sums of that cpu at in_ts */
	u64 exec; /* sum_exec_runtime at the last switch */
	/* the snapshot writes, once; counts until sched_switch has its own */
	u64 snap_ts;
	u32 snap_state, snap_cpu;
	/* the checkpoint writes */
	u64 open_start, open_wake;
	/* the thread itself writes, when it polls */
	u64 polls; /* fences that it waits for */
	struct fw_totals totals;
};

#define FW_BATCH 1024 /* a dozen switches */

#define FW_WAKER_IRQ (1ULL << 63)

struct fw_conf_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct fw_task);
};
struct fw_conf_map tasks __weak SEC(".maps");

/* The inner rings are made by the collector, one for each CPU, as large as --buffer says. */
struct fw_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct fw_ring);
} rings __weak SEC(".maps");

/**
 * struct fw_cpu - what a CPU keeps for itself
 * @h: first, so that the pointer is one to it too
 * @len: bytes of @batch in use
 * @n: records in it, by enum fw_rec_type
 * @batch: records of sched_switch that are not in the ring yet
 *
 * Each visit to a ring costs as much as all the rest of a switch, so that records of sched_switch
 * go there several at a time. Only that program (with interrupts off) and fw_flush (called on this
 * CPU by the collector) touch the batch; all others write into the ring directly.
 */
struct fw_cpu {
	struct fw_cpu_health h;
	u32 len;
	u32 n[FW_REC_SWITCH + 1];
	u8 batch[FW_BATCH] __attribute__((aligned(8)));
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct fw_cpu);
} cpus __weak SEC(".maps");

/* The counters of each CPU, copied here by the collector once a second with --pin. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct fw_cpu_health);
} health __weak SEC(".maps");

/* Totals, copied here once a second; the programs keep them in task storage. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct fw_totals);
} threads __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct fw_fence_key);
	__type(value, struct fw_fence_life);
} fences __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, u64);
	__type(value, struct fw_fence_names);
} fence_names __weak SEC(".maps");

/* Wanted process ids, user ids and cgroup ids, by FW_WANT_KEY(). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, u64);
	__type(value, u32);
} wanted __weak SEC(".maps");

extern const volatile struct fw_conf conf;

static __always_inline struct fw_cpu *this_cpu(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

static __always_inline struct fw_cpu_health *this_cpu_health(void)
{
	struct fw_cpu *c = this_cpu();

	return c ? &c->h : NULL;
}

/* The state of a target, NULL for all others; the first test alone turns most of them away. */
static __always_inline struct fw_task *target(struct task_struct *task)
{
	if (!task->bpf_storage)
		return NULL;
	return bpf_task_storage_get(&tasks, task, 0, 0);
}

/**
 * emit() - one record into this CPU's ring
 * No wakeup: the collector comes by its own timer. The counters are exact, also when an interrupt
 * runs another program in the middle.
 */
static __always_inline void emit(struct fw_cpu_health *h, u32 type, void *rec, u32 size)
{
	struct fw_rec *r = rec;
	u32 cpu = bpf_get_smp_processor_id();
	void *ring;

	r->size = size;
	r->type = type;
	r->flags = 0;
	r->cpu = cpu;
	__sync_fetch_and_add(&h->produced[type], 1);
	ring = bpf_map_lookup_elem(&rings, &cpu);
	if (!ring || bpf_ringbuf_output(ring, rec, size, BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&h->lost[type], 1);
}

#endif
