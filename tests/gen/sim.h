/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_SIM_H
#define FW_GEN_SIM_H

#include "ftrace.h"
#include "rng.h"

/*
 * A small scheduler: threads are programs that run, sleep and block; cpus switch between them by
 * priority; every change is written as the kernel would trace it and kept as the truth. Time is
 * CLOCK_BOOTTIME in ns.
 */
enum sim_state {
	SIM_UNSEEN, /* before the first event of the thread */
	SIM_RUNNING,
	SIM_RUNNABLE,
	SIM_PREEMPTED,
	SIM_SLEEPING,
	SIM_IDLE,
	SIM_BLOCKED_IO,
	SIM_BLOCKED,
	SIM_DEAD,
	SIM_STATES
};

enum step_kind {
	STEP_RUN, /* for ns, then the program goes on */
	STEP_SLEEP, /* until woken */
	STEP_IDLE, /* the same for a kernel thread: state I */
	STEP_BLOCK, /* D for ns in a kernel function, woken from an interrupt */
	STEP_RACE, /* sleep; the wake is traced before the switch-out */
	STEP_EXIT,
};

struct step {
	enum step_kind kind;
	int64_t ns;
	int symbol;
	bool io;
};

struct sim;
struct thread;

/* What a thread does next; called on its cpu, at sim->now. */
typedef struct step (*sim_program)(struct sim *s, struct thread *t);

/* A state from @ts on; the switches and wakes of the trace say the same. */
struct sim_change {
	int64_t ts;
	enum sim_state state;
	int cpu; /* running: where */
	int symbol; /* blocked: where */
};

struct thread {
	int tid, tgid, prio, name;
	uint32_t allowed; /* bit for each cpu */
	sim_program program;
	void *arg;
	int pc; /* the program's own */
	int cpu;
	enum sim_state state;
	int64_t left, since; /* of the run in progress */
	struct step step;
	struct thread *next; /* in a run queue */
	struct sim_change *log;
	int n_log, cap_log;
};

struct sim_cpu {
	struct thread *running, *queue;
	int64_t last_ts; /* of the last event written */
	uint32_t gen; /* of the run in progress */
	bool resched; /* a switch is on its way */
};

/* An interrupt: what the cpu did meanwhile, for the truth. */
struct sim_irq {
	int cpu;
	int64_t start, end;
	bool soft;
};

struct sim_event {
	int64_t ts;
	uint64_t seq;
	int kind, cpu;
	uint32_t gen;
	void (*fn)(struct sim *s, void *arg);
	void *arg;
};

struct sim {
	struct ft *ft;
	struct rng rng;
	int64_t now;
	int n_cpus;
	struct sim_cpu cpu[FT_MAX_CPUS];
	struct sim_event *heap;
	int n_heap, cap_heap;
	uint64_t seq;
	struct sim_irq *irqs;
	int n_irqs, cap_irqs;
};

void sim_init(struct sim *s, struct ft *ft, int n_cpus, int64_t now);
void sim_free(struct sim *s);
void sim_thread_free(struct thread *t);
void sim_run(struct sim *s, int64_t until);

/* Call @fn at a time, in nobody's name. */
void sim_at(struct sim *s, int64_t ts, void (*fn)(struct sim *s, void *arg), void *arg);

/*
 * Wake a thread that sleeps, from whatever runs on @cpu; @flags are TRACE_FLAG bits. One that does
 * not sleep is left alone, as try_to_wake_up() does, and nothing is traced.
 */
void sim_wake(struct sim *s, struct thread *t, int cpu, int flags);
/* A new thread of @by's process, started by it. */
void sim_start(struct sim *s, struct thread *by, struct thread *t, int comm_before);

/* An interrupt on @cpu; between the two calls things happen inside it. */
void sim_irq_begin(struct sim *s, int cpu, int irq, const char *name);
void sim_irq_end(struct sim *s, int cpu, int irq, int softirq_vec);

/* The time at which the next event on @cpu can be written; takes it. */
int64_t sim_stamp(struct sim *s, int cpu);
void sim_mark(struct sim *s, struct thread *t, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int sim_tid_on(const struct sim *s, int cpu);

#endif
