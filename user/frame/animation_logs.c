// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/animation_logs.h"

#include "base/mem.h"
#include "frame/animation_rows.h"
#include "frame/side.h"

#define NEVER INT64_MIN

void fw_log_cells(const struct fw_log_event *ev, struct fw_input *in, struct fw_cell *c)
{
	int64_t ts = NEVER;
	bool placed = false;

	if (ev->clock == FW_LOG_REALTIME)
		placed = fw_input_clock(in, FW_INPUT_REALTIME, ev->ns, &ts);
	else if (ev->clock == FW_LOG_MONOTONIC)
		placed = fw_input_clock(in, FW_INPUT_MONOTONIC, ev->ns, &ts);
	c[FW_LOG_BEGINS] = fw_int(ev->begin);
	c[FW_LOG_PID] = fw_int(ev->pid);
	c[FW_LOG_TS] = fw_int_if(placed, ts);
	c[FW_LOG_WHEN] = fw_text(ev->when);
	c[FW_LOG_REASON] = fw_text(ev->reason);
	c[FW_LOG_TOP] = fw_text(ev->top);
	c[FW_LOG_STACK] = fw_text(ev->stack);
}

/* The newest log of the process that has not ended. */
static struct fw_log *open_log(struct fw_log *logs, int n, int32_t pid)
{
	for (int i = n - 1; i >= 0; i--)
		if (logs[i].pid == pid)
			return logs[i].ended ? NULL : &logs[i];
	return NULL;
}

void fw_log_add(struct fw_log *logs, int *n, const struct fw_cell *c)
{
	int32_t pid = (int32_t)c[FW_LOG_PID].i;
	bool begins = c[FW_LOG_BEGINS].i;
	struct fw_log *log = begins ? NULL : open_log(logs, *n, pid);

	if (!log) {
		log = &logs[(*n)++];
		*log = (struct fw_log){ .pid = pid, .ts = NEVER, .section = -1 };
	}
	if (!begins) {
		log->ended = true;
		log->end = c[FW_LOG_WHEN];
		log->reason = c[FW_LOG_REASON];
		return;
	}
	log->begun = true;
	log->ts = c[FW_LOG_TS].type == FW_NULL ? NEVER : c[FW_LOG_TS].i;
	log->begin = c[FW_LOG_WHEN];
	log->top = c[FW_LOG_TOP];
	log->stack = c[FW_LOG_STACK];
}

static int64_t start_of(const struct fw_cell *section)
{
	const struct fw_cell *c = &section[FW_C_ANIMATIONS_start_ns];

	return c->type == FW_NULL ? NEVER : c->i;
}

bool fw_log_may_be(const struct fw_log *log, const struct fw_cell *section)
{
	return log->pid < 0 || log->pid == section[FW_C_ANIMATIONS_pid].i;
}

/* The sections of one process in a group, and the logs that may be theirs. */
struct match {
	struct fw_log *logs;
	int n_logs;
	fw_section_cells *sections;
	int n_sections;
	int64_t pid;
	bool one_pid; /* the group has no other: logs without a pid are this one's */
};

static bool has_section(const struct match *m, int i)
{
	return m->sections[i][FW_C_ANIMATIONS_pid].i == m->pid;
}

static bool has_log(const struct match *m, int i)
{
	return m->logs[i].pid == m->pid || (m->logs[i].pid < 0 && m->one_pid);
}

/* Do the times of all of them stand on the recording's axis? */
static bool all_timed(const struct match *m)
{
	for (int i = 0; i < m->n_sections; i++)
		if (has_section(m, i) && start_of(m->sections[i]) == NEVER)
			return false;
	for (int i = 0; i < m->n_logs; i++)
		if (has_log(m, i) && m->logs[i].ts == NEVER)
			return false;
	return true;
}

static int nearest(const struct match *m, int64_t ts)
{
	int best = -1;

	for (int i = 0; i < m->n_sections; i++)
		if (has_section(m, i) &&
		    (best < 0 || fw_side_apart(start_of(m->sections[i]), ts) <
					 fw_side_apart(start_of(m->sections[best]), ts)))
			best = i;
	return best;
}

/* Each log to the nearest section; of two that want the same the nearer has it. */
static void by_time(const struct match *m)
{
	for (int i = 0; i < m->n_logs; i++) {
		struct fw_log *log = &m->logs[i];
		int at = has_log(m, i) ? nearest(m, log->ts) : -1;
		uint64_t apart = at < 0 ? 0 : fw_side_apart(start_of(m->sections[at]), log->ts);

		if (at < 0 || apart > FW_ANIMATION_LOG_NS)
			continue;
		for (int k = 0; k < i && at >= 0; k++) {
			if (m->logs[k].section != at)
				continue;
			if (fw_side_apart(start_of(m->sections[at]), m->logs[k].ts) <= apart)
				at = -1;
			else
				m->logs[k].section = -1;
		}
		log->section = at;
		log->match = "time";
	}
}

static void by_order(const struct match *m, const char *how)
{
	int at = 0;

	for (int i = 0; i < m->n_logs; i++) {
		if (!has_log(m, i))
			continue;
		while (at < m->n_sections && !has_section(m, at))
			at++;
		m->logs[i].section = at++;
		m->logs[i].match = how;
	}
}

static void match_process(const struct match *m)
{
	int sections = 0, logs = 0;

	for (int i = 0; i < m->n_sections; i++)
		sections += has_section(m, i);
	for (int i = 0; i < m->n_logs; i++)
		logs += has_log(m, i);
	if (!logs)
		return;
	if (sections == 1 && logs == 1) {
		by_order(m, "id");
	} else if (all_timed(m)) {
		by_time(m);
	} else if (sections == logs) {
		by_order(m, "order");
	} else {
		for (int i = 0; i < m->n_logs; i++)
			m->logs[i].ambiguous |= has_log(m, i);
	}
}

void fw_logs_match(struct fw_log *logs, int n_logs, fw_section_cells *sections, int n_sections,
		   bool none)
{
	struct match m = { .logs = logs,
			   .n_logs = n_logs,
			   .sections = sections,
			   .n_sections = n_sections,
			   .one_pid = true };

	for (int i = 0; i < n_logs; i++)
		logs[i].ambiguous = none;
	for (int i = 1; i < n_sections; i++)
		m.one_pid &=
			sections[i][FW_C_ANIMATIONS_pid].i == sections[0][FW_C_ANIMATIONS_pid].i;
	for (int i = 0; i < n_sections && !none; i++) {
		bool first = true;

		m.pid = sections[i][FW_C_ANIMATIONS_pid].i;
		for (int k = 0; k < i; k++)
			first &= sections[k][FW_C_ANIMATIONS_pid].i != m.pid;
		if (first)
			match_process(&m);
	}
	/* Several processes used the ID, and the log does not say which of them. */
	for (int i = 0; i < n_logs; i++)
		logs[i].ambiguous |= logs[i].pid < 0 && !m.one_pid;
}

void fw_log_fill(const struct fw_log *log, struct fw_cell *row)
{
	row[FW_C_ANIMATIONS_end_reason] = log->reason;
	row[FW_C_ANIMATIONS_log_begin] = log->begin;
	row[FW_C_ANIMATIONS_log_end] = log->end;
	row[FW_C_ANIMATIONS_stack_top] = log->top;
	row[FW_C_ANIMATIONS_stack] = log->stack;
}
