/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_BPF_CONF_H
#define FW_BPF_CONF_H

#ifndef __bpf__
#include <linux/types.h>
#include <stdbool.h>
#endif

/*
 * What the collector tells the programs before it loads them. Read-only to them: the verifier
 * knows the values and leaves out what they switch off.
 */
#define FW_MAX_GLOBS 8

enum fw_glob_kind { FW_GLOB_NONE, FW_GLOB_THREAD, FW_GLOB_PROCESS };

/**
 * struct fw_glob - a pattern for thread names, as a bit-parallel automaton
 * State i is "the first i items of the pattern have matched"; stars are not items.
 * @stay: states before a '*', which any byte keeps
 * @accept: the state that is a match when the name ends
 * @step: for each byte, the states that it leads to the next one
 */
struct fw_glob {
	__u32 kind; /* enum fw_glob_kind */
	__u32 stay, accept;
	__u32 step[256];
};

struct fw_conf {
	bool all;
	bool by_wanted; /* the map "wanted" has entries */
	bool by_glob;
	bool irqs;
	bool fences_all; /* else those that a target makes, merges or waits for */
	bool count_in_thread_info; /* the preempt count, as on arm64 */
	__u32 self; /* tgid of the collector, never a target with --all */
	__u32 gpu_freq_off, gpu_freq_id_off; /* in the record of power/gpu_frequency */
	__u64 wchan_min_ns; /* sleeps (S) at least so long get their function */
	struct fw_glob globs[FW_MAX_GLOBS];
};

enum fw_want { FW_WANT_PID = 1, FW_WANT_UID, FW_WANT_CGROUP };

#define FW_WANT_KEY(kind, id) ((__u64)(kind) << 60 | (__u64)(id))

#endif
