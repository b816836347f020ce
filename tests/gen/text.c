// SPDX-License-Identifier: GPL-2.0-or-later
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ft_text {
	FILE *f;
	const char *path;
	struct {
		int tid, prio;
		const char *name;
	} running[FT_MAX_CPUS];
};

static void die(const struct ft_text *t)
{
	fprintf(stderr, "framewait-gen: %s: %s\n", t->path, strerror(errno));
	exit(1);
}

struct ft_text *ft_text_open(const char *path, int n_cpus)
{
	struct ft_text *t = calloc(1, sizeof(*t));

	if (!t)
		exit(1);
	t->path = path;
	t->f = fopen(path, "w");
	if (!t->f)
		die(t);
	for (int i = 0; i < FT_MAX_CPUS; i++) {
		t->running[i].name = "swapper";
		t->running[i].prio = 120;
	}
	fprintf(t->f,
		"# tracer: nop\n"
		"#\n"
		"# entries-in-buffer/entries-written: 0/0   #P:%d\n"
		"#\n"
		"#                                _-----=> irqs-off/BH-disabled\n"
		"#                               / _----=> need-resched\n"
		"#                              | / _---=> hardirq/softirq\n"
		"#                              || / _--=> preempt-depth\n"
		"#                              ||| / _-=> migrate-disable\n"
		"#                              |||| /     delay\n"
		"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
		"#              | |         |   |||||     |         |\n",
		n_cpus);
	return t;
}

void ft_text_close(struct ft_text *t)
{
	if (!t)
		return;
	if (ferror(t->f) || fclose(t->f))
		die(t);
	free(t);
}

static void columns(const struct ft *ft, int cpu, int64_t ts, int tid, int flags)
{
	struct ft_text *t = ft->text;
	const char *name = t->running[cpu].tid == tid ? t->running[cpu].name : "<...>";
	bool hard = flags & FLAG_HARDIRQ, soft = flags & FLAG_SOFTIRQ;

	fprintf(t->f, "%16s-%-7d [%03d] %c%c%c2. %5" PRId64 ".%09" PRId64 ": ",
		tid ? name : "<idle>", tid, cpu, flags & FLAG_IRQS_OFF ? 'd' : '.',
		flags & FLAG_NEED_RESCHED ? 'N' : '.',
		hard && soft ? 'H'
		: hard	     ? 'h'
		: soft	     ? 's'
			     : '.',
		ts / 1000000000, ts % 1000000000);
}

void ft_text_event(const struct ft *ft, int cpu, int64_t ts, int by_tid, int flags, const char *fmt,
		   ...)
{
	va_list ap;

	if (!ft->text)
		return;
	columns(ft, cpu, ts, by_tid, flags);
	va_start(ap, fmt);
	vfprintf(ft->text->f, fmt, ap);
	va_end(ap);
	putc('\n', ft->text->f);
}

/* As __trace_sched_switch_state() and the event's format have it since 4.14. */
static const char *state_letters(int prev_state)
{
	switch (prev_state) {
	case 0:
		return "R";
	case TASK_S:
		return "S";
	case TASK_D:
		return "D";
	case TASK_X:
		return "X";
	case TASK_I:
		return "I";
	}
	return prev_state & TASK_PREEMPTED ? "R+" : "?";
}

void ft_text_switch(const struct ft *ft, int cpu, int64_t ts, int prev_state, int next_tid,
		    int next_prio, int next_name)
{
	struct ft_text *t = ft->text;

	if (!t)
		return;
	ft_text_event(ft, cpu, ts, t->running[cpu].tid, FLAG_IRQS_OFF,
		      "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> "
		      "next_comm=%s next_pid=%d next_prio=%d",
		      t->running[cpu].name, t->running[cpu].tid, t->running[cpu].prio,
		      state_letters(prev_state), ft->names[next_name], next_tid, next_prio);
	t->running[cpu].tid = next_tid;
	t->running[cpu].prio = next_prio;
	t->running[cpu].name = ft->names[next_name];
}

void ft_text_waking(const struct ft *ft, int cpu, int64_t ts, int tid, int target_cpu, int prio,
		    int name, int flags)
{
	if (ft->text)
		ft_text_event(ft, cpu, ts, ft->text->running[cpu].tid, flags,
			      "sched_waking: comm=%s pid=%d prio=%d target_cpu=%03d",
			      ft->names[name], tid, prio, target_cpu);
}
