/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_SESSION_H
#define FW_LIVE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "conf.h"
#include "framewait/record.h"

/**
 * struct fw_targets - which threads to record; new threads and children of a target follow it
 * @all: every thread but those of the collector
 * @ids: FW_WANT_KEY(kind, id) of processes or threads, users, cgroups
 * @globs: patterns of thread and process names
 */
struct fw_targets {
	bool all;
	uint64_t *ids;
	size_t n_ids, ids_cap;
	struct fw_glob globs[FW_MAX_GLOBS];
	int n_globs;
};

/**
 * struct fw_session_opts - how to record
 * @buffer: bytes of all rings together; 0: 32 MiB
 * @wchan_min_ns: interruptible sleeps at least so long get their function
 * @pin: directory in bpffs for the maps, or NULL
 * @fences_all: also fences that no target makes, merges or waits for
 * @want: programs to load, bits of enum fw_rung; 0: all that this kernel has
 */
struct fw_session_opts {
	struct fw_targets *targets;
	uint64_t buffer;
	uint64_t wchan_min_ns;
	const char *pin;
	bool fences_all;
	uint32_t want;
};

/* What a recording can be made of; each is found by trying. */
enum fw_rung {
	FW_RUNG_BTF,
	FW_RUNG_SCHED, /* tp_btf and task storage: without it nothing goes */
	FW_RUNG_TASK_ITER,
	FW_RUNG_IRQ,
	FW_RUNG_CPU_FREQUENCY,
	FW_RUNG_FENCE,
	FW_RUNG_FENCE_NAMES,
	FW_RUNG_BLOCKED_REASON,
	FW_RUNG_GPU_FREQUENCY,
	FW_RUNG_GPU_MEM,
	FW_RUNG_SYMBOLS,
	FW_RUNG_MODULE, /* the events of framewait.ko */
	FW_RUNG_COUNT
};

struct fw_session;

/**
 * fw_session_open() - load and attach, and take the first snapshot
 * Return: 0 and *@out, or a negative errno with fw_fail() set: what is missing and what brings it.
 */
int fw_session_open(const struct fw_session_opts *opts, struct fw_session **out);

/* Detach all programs; what is in the rings stays readable. */
void fw_session_detach(struct fw_session *s);
void fw_session_close(struct fw_session *s);

/* Bits of enum fw_rung that this session has. */
uint32_t fw_session_rungs(const struct fw_session *s);
/* How sched_blocked_reason looks here: "(task)", "(task, function)", or NULL. */
const char *fw_session_blocked_shape(const struct fw_session *s);

/**
 * fw_session_consume() - hand over all records that are in the rings, CPU by CPU
 * Return: number of records, or a negative errno of @fn.
 */
int fw_session_consume(struct fw_session *s, int (*fn)(void *ctx, const struct fw_rec *r),
		       void *ctx);

/* What CPUs still hold back goes into the rings. */
int fw_session_flush(struct fw_session *s);
/* Threads that became wanted without an event of their own become targets. */
int fw_session_snapshot(struct fw_session *s);
/* A struct fw_rec_open for each target that changed, and totals into the map "threads". */
int fw_session_checkpoint(struct fw_session *s);

/* The name of a kernel address into @name (a short buffer cuts it). Return: false if unknown. */
bool fw_session_symbol(struct fw_session *s, uint64_t addr, char *name, size_t size);

int fw_session_num_cpus(const struct fw_session *s);
/* The counters of each CPU (with a pinned map: also into that); @h has room for fw_session_num_cpus(). */
int fw_session_health(struct fw_session *s, struct fw_cpu_health *h);

/* What the programs cost: iterate with *@pos = 0; counts only with kernel.bpf_stats_enabled. */
struct fw_prog_cost {
	const char *name;
	uint64_t runs, ns, missed;
};
bool fw_session_next_cost(struct fw_session *s, size_t *pos, struct fw_prog_cost *out);

/* clock_gettime(CLOCK_BOOTTIME) in ns. */
uint64_t fw_boot_ns(void);

#endif
