/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_THREAD_STATE_H
#define FW_MODEL_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/str.h"
#include "input/event.h"
#include "model/cpu.h"
#include "model/task_state.h"
#include "model/tid_table.h"

/*
 * The state machine of threads, for recordings and for live captures: it turns switches, wakings
 * and blocked reasons into closed half-open intervals. The rules stand in semantics.rst; the one
 * that matters most: a wake may stand before the switch-out that it ends, so a sleep is closed only
 * when its thread is switched in again, and its runnable time begins at max(last wake, switch-out)
 * when the last wake is not older than the switch-in before.
 */

/* The recorder writes the same numbers into captures: append only. */
enum fw_state {
	FW_STATE_UNKNOWN, /* prev_state has bits of no known kernel */
	FW_STATE_RUNNING,
	FW_STATE_RUNNABLE, /* woken */
	FW_STATE_PREEMPTED, /* left the CPU still runnable */
	FW_STATE_SLEEPING, /* S */
	FW_STATE_BLOCKED, /* D */
	FW_STATE_STOPPED, /* T, t */
	FW_STATE_IDLE, /* I */
	FW_STATE_PARKED, /* P */
	FW_STATE_DEAD, /* X, Z, and before a thread was made */
	FW_STATES
};

const char *fw_state_name(enum fw_state s);

/**
 * struct fw_interval - one state of one thread, [start, end)
 * @flags: FW_IVF_* (input/event.h)
 * @io_wait: blocked: 0, 1, -1 not recorded
 * @cpu: running: where; else -1
 * @function: blocked: where it slept, in the machine's names; 0 not known
 * @wake_ts, @waker_tid, @waker: runnable: the wake; -1 and absent when not recorded.
 *	A sleep carries the wake that ended it
 * @irq_start: running: the CPU's interrupt totals at @start
 * @irq: running: interrupt time inside the interval
 */
struct fw_interval {
	int64_t start, end;
	uint16_t flags;
	uint8_t state; /* enum fw_state */
	int8_t io_wait;
	int32_t cpu;
	uint32_t function;
	int32_t waker_tid;
	int64_t wake_ts;
	struct fw_str waker;
	struct fw_irq_time irq_start, irq;
};

/**
 * struct fw_thread_state - one followed thread; zero-initialise, then fw_thread_states_follow()
 */
struct fw_thread_state {
	int32_t tid;
	int32_t cpu; /* where it runs */
	uint8_t phase; /* of the machine */
	uint8_t out_state; /* enum fw_state it was switched out in */
	bool kernel_preempt;
	bool wake_open; /* the last wake has ended no sleep yet */
	bool born; /* the last wake is the thread's making */
	bool irq_wake; /* the last wake came from an interrupt */
	uint8_t waker_len;
	int8_t io_wait;
	int64_t in_ts, out_ts; /* last switch-in and switch-out */
	int64_t wake_ts, reason_ts;
	int64_t listed_ts; /* a thread of this number existed then; INT64_MAX: nobody says so */
	int32_t waker_tid;
	uint32_t function;
	struct fw_irq_time irq_in;
	char waker[16];
	uint32_t index; /* in the machine's list */
};

/**
 * struct fw_thread_states - the machine
 * @emit: gets each interval as it closes, in time order for each thread
 */
struct fw_thread_states {
	struct fw_tid_table tids;
	struct fw_thread_state **threads;
	uint32_t n, cap;
	struct fw_thread_state **on_cpu; /* followed thread that runs there */
	int32_t n_cpus;
	bool have_waking; /* sched_wakeup says nothing new then */
	enum fw_task_state_layout layout;
	const struct fw_cpus *cpus;
	struct fw_names *names;
	struct fw_health *health;
	void (*emit)(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv);
	void *ctx;
};

/* All pointers are borrowed. */
void fw_thread_states_init(struct fw_thread_states *m, const struct fw_cpus *cpus,
			   struct fw_names *names, struct fw_health *health);
void fw_thread_states_free(struct fw_thread_states *m);

/* Follow a thread, of which nothing is known yet; @t stays the caller's. */
void fw_thread_states_follow(struct fw_thread_states *m, struct fw_thread_state *t, int32_t tid);
void fw_thread_states_drop(struct fw_thread_states *m, struct fw_thread_state *t);

static inline struct fw_thread_state *fw_thread_states_find(const struct fw_thread_states *m,
							    int32_t tid)
{
	return fw_tid_table_get(&m->tids, tid);
}

/**
 * fw_thread_states_feed() - one scheduler, newtask, free or interval event; other types are ignored
 */
void fw_thread_states_feed(struct fw_thread_states *m, const struct fw_event *ev);

/**
 * fw_thread_states_lost() - events of @cpu (-1: of all) from @start until now were lost
 *
 * Time from @start on is unobserved for every thread that may have run there, until its next
 * event.
 */
void fw_thread_states_lost(struct fw_thread_states *m, int32_t cpu, int64_t start);

/**
 * fw_thread_state_cut() - what is known of the time up to @until that no closed interval covers yet
 * @emit: called for each part, flagged FW_IVF_CUT; the machine does not change
 */
void fw_thread_state_cut(const struct fw_thread_states *m, struct fw_thread_state *t, int64_t until,
			 void (*emit)(void *ctx, struct fw_thread_state *t,
				      const struct fw_interval *iv),
			 void *ctx);

/* Does it run now, and where? -1: it does not, or it is not known. */
int32_t fw_thread_state_cpu(const struct fw_thread_state *t);

#endif
