/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_ANIMATION_LOGS_H
#define FW_FRAME_ANIMATION_LOGS_H

#include "base/row.h"
#include "frame/columns.h"
#include "input/input.h"
#include "input/side/logcat.h"

/* What the log says of animations of one source and ID: events become logs, logs find sections. */
enum {
	FW_LOG_BEGINS,
	FW_LOG_PID,
	FW_LOG_TS, /* on the recording's axis */
	FW_LOG_WHEN,
	FW_LOG_REASON,
	FW_LOG_TOP,
	FW_LOG_STACK,
	FW_LOG_CELLS
};

/**
 * struct fw_log - one animation in the log; texts are borrowed
 * @ts: when it began; INT64_MIN: not known
 * @section: the section that it belongs to, or -1
 * @match: how it was found
 * @ambiguous: it may be of several
 */
struct fw_log {
	int32_t pid;
	bool begun, ended;
	int64_t ts;
	struct fw_cell begin, end, reason, top, stack;
	int section;
	const char *match;
	bool ambiguous;
};

typedef struct fw_cell fw_section_cells[FW_C_ANIMATIONS_COUNT];

/* An event as cells for a sorter. */
void fw_log_cells(const struct fw_log_event *ev, struct fw_input *in, struct fw_cell *cells);
/* An event in the order of the log: a new one of @logs, or the end of one. */
void fw_log_add(struct fw_log *logs, int *n, const struct fw_cell *cells);
/**
 * fw_logs_match() - find the sections of logs
 * @sections: rows of the animations table, by time
 * @none: look for no match: all are ambiguous
 */
void fw_logs_match(struct fw_log *logs, int n_logs, fw_section_cells *sections, int n_sections,
		   bool none);
/* Can it be of this section's process? */
bool fw_log_may_be(const struct fw_log *log, const struct fw_cell *section);
/* Put what the log says into a row. */
void fw_log_fill(const struct fw_log *log, struct fw_cell *row);

#endif
