/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_REPORT_H
#define FW_FRAME_REPORT_H

#include "base/health.h"
#include "base/row.h"
#include "frame/columns.h"
#include "frame/roles.h"
#include "frame/side_rows.h"
#include "input/input.h"

#define FW_SETTLE_RECORDED 0
#define FW_SETTLE_ALL INT64_MAX

/**
 * struct fw_report_opts - which frames, and whose threads
 * @process: pid, process name or glob of one; NULL: all
 * @layer: glob; a layer is tried with and without its "TX - "; NULL: all
 * @from_ns, @to_ns: frames whose actual start lies in [from, to), ns since the recording's first
 *	event; INT64_MIN and INT64_MAX for no bound
 * @late_only: only frames whose late column is 1
 * @n_frames: counts the frames that these let through; may be NULL
 * @roles: who the role threads are
 * @frame_mark: a trace mark that begins a frame, besides Choreographer#doFrame; NULL: none
 * @settle_ns: how long after a frame's end its parts are waited for, and how late an event of a
 *	capture may be; FW_SETTLE_RECORDED: what the capture says, else FW_SETTLE_NS;
 *	FW_SETTLE_ALL: all events of a capture are taken in
 * @follow: rows of FW_FRAMES are given to their sink as frames become final, in the order that the
 *	whole table has
 * @idle: a capture that grows has nothing more for now; may be NULL
 * @side: files whose rows stand beside the frames
 * @mach_numer, @mach_denom: see struct fw_input_opts; of recordings of presented frames only
 */
struct fw_report_opts {
	const char *process;
	const char *layer;
	int64_t from_ns, to_ns;
	bool late_only;
	uint64_t *n_frames;
	const struct fw_roles *roles;
	const char *frame_mark;
	int64_t settle_ns;
	bool follow;
	int (*idle)(void *ctx);
	void *ctx;
	struct fw_side_files side;
	uint32_t mach_numer, mach_denom;
};

/* Does the choice take the process? @name: absent: not known; @pid: -1: not known */
bool fw_report_takes_process(const struct fw_report_opts *o, struct fw_str name, int64_t pid);
/* And the layer? Absent: a frame of none. */
bool fw_report_takes_layer(const struct fw_report_opts *o, struct fw_str layer);

/**
 * fw_report() - read a recording and write its frame tables
 * @in: opened, not started
 * @sinks: one for each table, NULL for those not wanted; begun and ended here
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_report(struct fw_input *in, struct fw_health *health, const struct fw_report_opts *opts,
	      struct fw_sink *sinks[FW_FRAME_TABLES]);

#endif
