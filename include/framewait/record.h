/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FRAMEWAIT_RECORD_H
#define FRAMEWAIT_RECORD_H

/*
 * What crosses the kernel/user line and stands in a capture file: fixed width, little-endian,
 * naturally aligned. A record that grows gets a new type; FW_RECORD_VERSION counts changes that an
 * older reader would misunderstand. Times are CLOCK_BOOTTIME ns unless a field says otherwise.
 */
#ifdef __bpf__
#include "kernel_types.h"
#else
#include <linux/types.h>
#endif

#define FW_RECORD_VERSION 1
#define FW_COMM_LEN 16
#define FW_FENCE_NAME_LEN 32
#define FW_HIST_SLOTS 26

/* State of a thread; low byte of the state fields below. */
enum fw_rec_state {
	FW_RS_UNKNOWN,
	FW_RS_RUNNING,
	FW_RS_RUNNABLE, /* woken, waits for a CPU */
	FW_RS_PREEMPTED, /* left the CPU still runnable */
	FW_RS_SLEEPING, /* S */
	FW_RS_BLOCKED, /* D */
	FW_RS_STOPPED, /* T, t */
	FW_RS_IDLE, /* I */
	FW_RS_PARKED,
	FW_RS_DEAD,
	FW_RS_NEW, /* forked, not yet woken */
};

#define FW_RS_MASK 0xff
#define FW_RSF_KERNEL_PREEMPT 0x100 /* sched_switch said preempt ("R+") */
#define FW_RSF_IO_KNOWN 0x200 /* in_iowait was read ... */
#define FW_RSF_IO_WAIT 0x400 /* ... and was set */
#define FW_RSF_SNAPSHOT 0x800 /* the start is the recording's, not the state's */
#define FW_RSF_NO_WAKE 0x1000 /* slept, and no wake was seen */
#define FW_RSF_WAKE_RACE 0x2000 /* the wake stood before the switch-out */
#define FW_RSF_WAKER_IRQ 0x4000 /* woken from an interrupt: the waker is who was interrupted */
#define FW_RSF_NO_WCHAN 0x8000 /* short sleep: the function was not asked for */
#define FW_RSF_TRACED 0x10000 /* FW_RS_STOPPED: t, not T */
#define FW_RSF_ESTIMATED 0x20000 /* a switch was not seen: its time comes from sum_exec_runtime */

enum fw_rec_type {
	/* written by the programs */
	FW_REC_RAN = 1, /* struct fw_rec_ran */
	FW_REC_WAITED, /* struct fw_rec_waited */
	FW_REC_SWITCH, /* struct fw_rec_switch: one thread waited, another ran, one CPU */
	FW_REC_OPEN, /* struct fw_rec_open */
	FW_REC_TASK, /* struct fw_rec_task */
	FW_REC_IRQ, /* struct fw_rec_irq */
	FW_REC_FREQ, /* struct fw_rec_freq */
	FW_REC_FENCE, /* struct fw_rec_fence */
	FW_REC_FENCE_NAME, /* struct fw_rec_fence_name */
	FW_REC_BLOCKED, /* struct fw_rec_blocked */
	FW_REC_GPU_MEM, /* struct fw_rec_gpu_mem */
	FW_REC_FENCE_POLL, /* struct fw_rec_fence_poll */
	FW_REC_FENCE_MEMBER, /* struct fw_rec_fence_member */
	FW_REC_KERNEL_END,
	/* written by the collector */
	FW_REC_MARK = 32, /* struct fw_rec_text: tid, text written to trace_marker */
	FW_REC_CMDLINE, /* struct fw_rec_text: pid, argv[0] */
	FW_REC_COMM, /* struct fw_rec_text: tid, name of a thread that is no target (a waker) */
	FW_REC_SYMBOL, /* struct fw_rec_symbol */
	FW_REC_LOSS, /* struct fw_rec_loss */
	FW_REC_CLOCK, /* struct fw_rec_clock */
	FW_REC_CHECK, /* struct fw_rec: see struct fw_rec_open */
	FW_REC_END,
};

/**
 * struct fw_rec - head of each record
 * @size: bytes with this head, a multiple of 8
 * @cpu: where it was written
 * @ts: when it was written; end of the interval for those that close one
 */
struct fw_rec {
	__u16 size;
	__u8 type;
	__u8 flags;
	__u32 cpu;
	__u64 ts;
};

/**
 * struct fw_ran - a thread that ran on the record's CPU from @start to the record's time
 * @state: what it went into, with FW_RSF_*
 * @irq_ns, @softirq_ns: interrupts inside; softirq without the hard interrupts that it held
 */
struct fw_ran {
	__u32 tid;
	__u32 state;
	__u64 start;
	__u32 irq_ns;
	__u32 softirq_ns;
};

/**
 * struct fw_waited - a thread that came back to the CPU at the record's time
 * @state: what it waited in, with FW_RSF_*
 * @start: when it left the CPU (FW_RSF_SNAPSHOT: when recording began)
 * @wake: start of runnable, at least @start; 0: none (preempted, or FW_RSF_NO_WAKE)
 * @waker: tid; @waker_cpu: where the wake was
 * @wchan: address of the function that it slept in, in a capture a number for it; 0 unknown
 */
struct fw_waited {
	__u32 tid;
	__u32 state;
	__u64 start;
	__u64 wake;
	__u32 waker;
	__u32 waker_cpu;
	__u64 wchan;
};

struct fw_rec_ran {
	struct fw_rec rec;
	struct fw_ran ran;
};

struct fw_rec_waited {
	struct fw_rec rec;
	struct fw_waited waited;
};

struct fw_rec_switch {
	struct fw_rec rec;
	struct fw_waited waited;
	struct fw_ran ran;
};

/**
 * struct fw_rec_open - what a thread was doing at the record's time, since @waited.start
 *
 * Written each second and at the end for every target that changed since the last time; all of
 * them then hold until the FW_REC_CHECK that follows, and those that did not change until each
 * later one. A later record that closes the interval takes its place. FW_RS_RUNNING:
 * @waited.waker_cpu is the CPU that it ran on.
 */
struct fw_rec_open {
	struct fw_rec rec;
	struct fw_waited waited;
};

enum fw_task_op {
	FW_TASK_SEEN, /* existed when recording began, or became a target later */
	FW_TASK_FORK, /* tid is the child */
	FW_TASK_EXEC,
	FW_TASK_RENAME,
	FW_TASK_EXIT,
};

struct fw_rec_task {
	struct fw_rec rec;
	__u32 op; /* enum fw_task_op */
	__u32 tid, tgid, ppid;
	__u32 uid;
	__u32 parent_tid; /* fork: who forked */
	__u64 start_boottime;
	char comm[FW_COMM_LEN];
};

enum fw_irq_kind { FW_IRQ_HARD, FW_IRQ_SOFT };

/* An interrupt that a target thread had to bear, from @start to the record's time. */
struct fw_rec_irq {
	struct fw_rec rec;
	__u64 start;
	__u32 tid; /* who was interrupted */
	__u32 vec; /* irq number or softirq vector */
	__u32 kind; /* enum fw_irq_kind */
	__s32 ret;
	char name[FW_COMM_LEN]; /* hard interrupts */
};

enum fw_freq_kind { FW_FREQ_CPU, FW_FREQ_GPU };

struct fw_rec_freq {
	struct fw_rec rec;
	__u32 kind; /* enum fw_freq_kind */
	__u32 unit; /* cpu or gpu */
	__u64 khz;
};

enum fw_fence_op {
	FW_FENCE_INIT,
	FW_FENCE_EMIT,
	FW_FENCE_ENABLE_SIGNAL,
	FW_FENCE_SIGNALED,
	FW_FENCE_DESTROY,
	FW_FENCE_WAIT_START,
	FW_FENCE_WAIT_END,
};

#define FW_FENCEF_CONTEXT_KNOWN 1u /* whether it came in an interrupt is known ... */
#define FW_FENCEF_IRQ 2u /* ... and it did: tid is who was interrupted */

struct fw_rec_fence {
	struct fw_rec rec;
	__u64 context, seqno;
	__u64 stamp; /* fence->timestamp, CLOCK_MONOTONIC; 0 not written yet */
	__u32 op; /* enum fw_fence_op */
	__u32 tid; /* current: only for waits is it who waits */
	__s32 error;
	__u32 flags; /* FW_FENCEF_* */
};

#define FW_POLLF_WAITS 1u /* about to sleep until the fence signals; else it looks again */
#define FW_POLLF_SIGNALED 2u

/* A target thread polls a sync_file; framewait.ko's event. */
struct fw_rec_fence_poll {
	struct fw_rec rec;
	__u64 context, seqno;
	__u32 tid;
	__u32 flags; /* FW_POLLF_* */
	char comm[FW_COMM_LEN];
};

/* A member of a merged sync_file; framewait.ko's event. */
struct fw_rec_fence_member {
	struct fw_rec rec;
	__u64 context, seqno;
	__u64 member_context, member_seqno;
};

struct fw_rec_fence_name {
	struct fw_rec rec;
	__u64 context;
	char driver[FW_FENCE_NAME_LEN];
	char timeline[FW_FENCE_NAME_LEN];
};

/* sched_blocked_reason: a second opinion beside struct fw_waited. */
struct fw_rec_blocked {
	struct fw_rec rec;
	__u32 tid;
	__u32 io_wait;
	__u64 caller; /* as @wchan of struct fw_waited */
};

struct fw_rec_gpu_mem {
	struct fw_rec rec;
	__u32 gpu_id, pid;
	__u64 size;
};

/* Text of @len bytes follows the struct, padded with zeros to a multiple of 8. */
struct fw_rec_text {
	struct fw_rec rec;
	__u32 tid;
	__u32 len;
};

/* The name follows, as above. */
struct fw_rec_symbol {
	struct fw_rec rec;
	__u64 addr; /* the number that stands for it */
	__u32 len;
	__u32 unused;
};

/* Records of this CPU that no ring had room for, between @from and the record's time. */
struct fw_rec_loss {
	struct fw_rec rec;
	__u64 from;
	__u64 n;
};

/* The clocks at one moment: @ts of the head is BOOTTIME. */
struct fw_rec_clock {
	struct fw_rec rec;
	__u64 monotonic, realtime;
	__u64 error; /* the three were read within so many ns */
};

/**
 * struct fw_totals - totals of one target thread since it became one: value of map "threads"
 * Histogram slot i counts durations below 2^i us (and not below 2^(i-1)); the last one the rest.
 */
struct fw_totals {
	__u32 tid, tgid;
	char comm[FW_COMM_LEN];
	__u64 since; /* when it became a target */
	__u64 updated;
	__u64 running_ns, runnable_ns, preempted_ns, sleeping_ns, blocked_ns, blocked_io_ns;
	__u64 other_ns;
	__u64 irq_ns, softirq_ns;
	__u64 switches;
	__u64 runnable_max_ns;
	__u64 wakes;
	__u64 wake_race;
	__u32 runnable_us[FW_HIST_SLOTS];
	__u32 blocked_us[FW_HIST_SLOTS];
};

/* Fences in flight: key and value of map "fences". */
struct fw_fence_key {
	__u64 context, seqno;
};

struct fw_fence_life {
	__u64 init, enable_signal, signaled;
	__u32 init_tid;
	__s32 error;
};

struct fw_fence_names {
	char driver[FW_FENCE_NAME_LEN];
	char timeline[FW_FENCE_NAME_LEN];
};

/**
 * struct fw_cpu_health - value of map "health", one for each CPU
 * @produced: records that the programs wanted to write, by enum fw_rec_type
 * @lost: those of them that found the ring full
 */
struct fw_cpu_health {
	__u64 produced[FW_REC_KERNEL_END];
	__u64 lost[FW_REC_KERNEL_END];
	__u64 storage_failed; /* targets that got no task storage */
	__u64 clock_back; /* intervals that would have ended before they began */
	__u64 wchan_failed; /* stacks that came back empty */
	__u64 switch_missed; /* switches that the kernel made without an event */
	__u64 fence_context; /* of the dma_fence_init at hand, in 64 bits */
	/* interrupts of this CPU: nesting and sums */
	__u64 irq_ns, softirq_ns;
	__u64 irq_start, softirq_start, softirq_irq; /* softirq_irq: irq_ns when it began */
	__u32 irq_depth, softirq_depth;
	__u32 irq_vec, unused;
};

#endif
