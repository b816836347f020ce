/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_FTRACE_H
#define FW_GEN_FTRACE_H

#include "rec.h"

#define FT_MAX_CPUS 16
#define FT_MAX_NAMES 4096
#define FT_MAX_SYMBOLS 64

/* prev_state bits of Linux since 4.14 */
#define TASK_S 0x1
#define TASK_D 0x2
#define TASK_X 0x10
#define TASK_I 0x80 /* an idle kernel thread */
#define TASK_PREEMPTED 0x100

/* TRACE_FLAG bits of common_flags */
#define FLAG_IRQS_OFF 0x01
#define FLAG_NEED_RESCHED 0x04
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10

/* The arrays of one bundle's compact sched; names as traced_probes' compact_sched.h has them. */
struct ft_compact {
	struct pw switch_ts, switch_state, switch_pid, switch_prio, switch_comm;
	struct pw wake_ts, wake_pid, wake_cpu, wake_prio, wake_comm, wake_flags;
	int64_t last_switch_ts, last_wake_ts;
	uint32_t n;
	int interned[FT_MAX_NAMES]; /* name -> index in this bundle's table + 1 */
	int order[FT_MAX_NAMES]; /* index -> name */
	int n_interned;
};

struct ft_cpu {
	struct ft_compact compact;
	struct pw events; /* plain ones */
	int64_t last_ts, prev_bundle_end;
	uint64_t n_events;
	uint32_t n_plain;
};

struct ft {
	struct rec *rec;
	struct ft_text *text; /* NULL: none */
	const char *const *names; /* comm by number, at most FT_MAX_NAMES */
	const char *const *symbols; /* kernel functions by number */
	struct ft_cpu cpu[FT_MAX_CPUS];
	/* Symbols get a new index in each tick of the reader (cpu_reader.cc). */
	int symbol_index[FT_MAX_SYMBOLS], symbol_order[FT_MAX_SYMBOLS];
	int n_symbols, n_symbols_written;
};

void ft_init(struct ft *ft, struct rec *rec, const char *const *names, const char *const *symbols);
void ft_free(struct ft *ft);

/* Times within one cpu must not fall. */
void ft_switch(struct ft *ft, int cpu, int64_t ts, int prev_state, int next_tid, int next_prio,
	       int next_name);
void ft_waking(struct ft *ft, int cpu, int64_t ts, int tid, int target_cpu, int prio, int name,
	       int flags);

void ft_blocked(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int symbol, bool io);
void ft_print(struct ft *ft, int cpu, int64_t ts, int by_tid, const char *text);
void ft_irq_entry(struct ft *ft, int cpu, int64_t ts, int by_tid, int irq, const char *name);
void ft_irq_exit(struct ft *ft, int cpu, int64_t ts, int by_tid, int irq);
void ft_softirq(struct ft *ft, int cpu, int64_t ts, int by_tid, int vec, bool entry);
void ft_cpu_frequency(struct ft *ft, int cpu, int64_t ts, int by_tid, int of_cpu, int khz);
void ft_gpu_frequency(struct ft *ft, int cpu, int64_t ts, int by_tid, int khz);
enum ft_kgsl { FT_KGSL_QUEUED = 534, FT_KGSL_SUBMITTED = 535, FT_KGSL_RETIRED = 537 };
void ft_kgsl(struct ft *ft, int cpu, int64_t ts, int by_tid, enum ft_kgsl what, uint32_t context,
	     uint32_t timestamp);
enum ft_mali {
	FT_MALI_FENCE_SIGNAL = 473,
	FT_MALI_FENCE_WAIT_START = 474,
	FT_MALI_FENCE_WAIT_END = 475,
};
void ft_mali(struct ft *ft, int cpu, int64_t ts, int by_tid, enum ft_mali what, int pid,
	     uint32_t context);
void ft_fence(struct ft *ft, int cpu, int64_t ts, int by_tid, bool signaled, uint32_t context,
	      uint32_t seqno, const char *driver, const char *timeline);
void ft_newtask(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int name);
void ft_rename(struct ft *ft, int cpu, int64_t ts, int tid, int from, int to);
void ft_exit(struct ft *ft, int cpu, int64_t ts, int tid, int tgid, int name, int prio);
void ft_freed(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int name, int prio);

/* Bytes of events that no bundle has yet. */
uint64_t ft_bytes(struct ft *ft);
/* The end of a drain period: one bundle for each cpu that has events, cpu by cpu. */
void ft_tick(struct ft *ft);

#endif
