/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_FRAME_OPTIONS_H
#define FW_CMD_FRAME_OPTIONS_H

#include "cmd/options.h"
#include "frame/report.h"
#include "metrics/run.h"

/* The options that choose frames and their threads: lines of a command's table. */
enum { FW_OPT_FROM = 512, FW_OPT_TO, FW_OPT_LATE, FW_OPT_FRAME_MARK, FW_OPT_SETTLE };

#define FW_FRAME_OPTIONS                                                                           \
	{ "process", 'p', "P", .help = "pid, process name or glob", .group = "Frames to take:" },  \
		{ "layer", 'l', "GLOB", .help = "layer name" },                                    \
		{ "from", FW_OPT_FROM, "MS",                                                       \
		  .help = "actual start at or after, ms since the recording's start" },            \
		{ "to", FW_OPT_TO, "MS", .help = "actual start before" },                          \
		{ "late-only", FW_OPT_LATE, .help = "late frames only" },                          \
		{ "frame-mark", FW_OPT_FRAME_MARK, "NAME",                                         \
		  .help = "trace marks of that name are frames too" },                             \
		{ "settle", FW_OPT_SETTLE, "S",                                                    \
		  .help = "wait so many seconds for late parts of a frame; of a capture, leave "   \
			  "out what "                                                              \
			  "came later; inf: take in all (what the capture says, else 10)" },       \
	{                                                                                          \
		"role", 'r', "NAME=PATTERN",                                                       \
			.help = "which threads are ui, render, re (thread name), sf, hwc "         \
				"(process name); "                                                 \
				"globs",                                                           \
			.config = FW_CONFIG_VALUE                                                  \
	}

struct fw_frame_options {
	struct fw_report_opts report;
	struct fw_roles roles;
};

/* @o must not move afterwards. */
void fw_frame_options_init(struct fw_frame_options *o);
/* One of these options. Return: FW_EXIT_OK, or FW_EXIT_USAGE with the reason printed. */
int fw_frame_option(const char *cmd, int c, struct fw_frame_options *o);

/* Print what makes the metrics of an input doubtful. */
void fw_warn_facts(const char *path, const struct fw_run_facts *facts);

#endif
