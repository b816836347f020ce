/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_REPORT_H
#define FW_FRAME_REPORT_H

#include "base/health.h"
#include "base/row.h"
#include "frame/columns.h"
#include "frame/roles.h"
#include "frame/side_rows.h"
#include "input/input.h"

/**
 * struct fw_report_opts - which frames, and whose threads
 * @process: pid, process name or glob of one; NULL: all
 * @layer: glob; a layer is tried with and without its "TX - "; NULL: all
 * @from_ns, @to_ns: frames whose actual start lies in [from, to), ns since the recording's first
 *	event; INT64_MIN and INT64_MAX for no bound
 * @late_only: only frames whose late column is 1
 * @roles: who the role threads are
 * @frame_mark: a trace mark that begins a frame, besides Choreographer#doFrame; NULL: none
 * @side: files whose rows stand beside the frames
 */
struct fw_report_opts {
	const char *process;
	const char *layer;
	int64_t from_ns, to_ns;
	bool late_only;
	const struct fw_roles *roles;
	const char *frame_mark;
	struct fw_side_files side;
};

/**
 * fw_report() - read a recording and write its frame tables
 * @in: opened, not started
 * @sinks: one for each table, NULL for those not wanted; begun and ended here
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_report(struct fw_input *in, struct fw_health *health, const struct fw_report_opts *opts,
	      struct fw_sink *sinks[FW_FRAME_TABLES]);

#endif
