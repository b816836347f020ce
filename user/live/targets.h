/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_TARGETS_H
#define FW_LIVE_TARGETS_H

#include "live/session.h"

/*
 * The words of the command line that name threads, as struct fw_targets. All return 0 or a
 * negative errno with fw_fail() set. Of a name that nobody has yet it is said.
 */

/**
 * fw_targets_process() - -p: a process id, or the name or glob of a process
 *
 * A name is that of its program or its first argument, as Android's package names. Processes that
 * run are found in /proc; those that come later by the name that the kernel has of them: the
 * first 15 bytes, or the last 15 as Android sets it.
 */
int fw_targets_process(struct fw_targets *t, const char *arg);
int fw_targets_uid(struct fw_targets *t, const char *arg);
/* @arg: a directory of the cgroup2 file system. */
int fw_targets_cgroup(struct fw_targets *t, const char *arg);
/* @arg: glob of a thread's own name. */
int fw_targets_comm(struct fw_targets *t, const char *arg);
int fw_targets_add_id(struct fw_targets *t, uint64_t key);

/* SurfaceFlinger and the composer, where they run, are always of interest. */
void fw_targets_add_system(struct fw_targets *t);

/*
 * Are process ids here those of the kernel, by which the programs know threads? Not in a PID
 * namespace of its own (PROC_PID_INIT_INO in include/linux/proc_ns.h, 3.8 to 7.2).
 */
bool fw_ids_are_the_kernels(void);

/* Does a process of that name, or glob, run? */
bool fw_process_runs(const char *pattern);

bool fw_targets_none(const struct fw_targets *t);
void fw_targets_free(struct fw_targets *t);

/* Compile a glob (*, ?, [a-z], [!a-z]) of at most 15 items. Return: 0, or -EINVAL. */
int fw_glob_compile(const char *pattern, enum fw_glob_kind kind, struct fw_glob *out);
/* What the programs do with it; for tests. */
bool fw_glob_match(const struct fw_glob *g, const char *comm);

#endif
