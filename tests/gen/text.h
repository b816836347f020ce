/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_TEXT_H
#define FW_GEN_TEXT_H

#include "ftrace.h"

/*
 * The same events as the kernel's trace file prints them, with times in ns. Who is switched out a
 * compact switch does not say: the text remembers who ran.
 */
struct ft_text;

struct ft_text *ft_text_open(const char *path, int n_cpus);
void ft_text_close(struct ft_text *t);

/* One event in the name of @by_tid; @flags are TRACE_FLAG bits. A NULL @ft->text writes nothing. */
void ft_text_event(const struct ft *ft, int cpu, int64_t ts, int by_tid, int flags, const char *fmt,
		   ...) __attribute__((format(printf, 6, 7)));
void ft_text_switch(const struct ft *ft, int cpu, int64_t ts, int prev_state, int next_tid,
		    int next_prio, int next_name);
/* In the name of who runs on @cpu. */
void ft_text_waking(const struct ft *ft, int cpu, int64_t ts, int tid, int target_cpu, int prio,
		    int name, int flags);

#endif
