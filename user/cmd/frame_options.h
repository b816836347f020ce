/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_FRAME_OPTIONS_H
#define FW_CMD_FRAME_OPTIONS_H

#include <getopt.h>

#include "frame/report.h"
#include "metrics/run.h"

/*
 * The options that choose frames and their threads, the same for all commands that read frames:
 * FW_FRAME_OPTIONS among the long ones, "p:l:r:" among the short ones.
 */
enum { FW_OPT_FROM = 512, FW_OPT_TO, FW_OPT_LATE, FW_OPT_FRAME_MARK, FW_OPT_SETTLE };

#define FW_FRAME_OPTIONS                                                                           \
	{ "process", required_argument, NULL, 'p' }, { "layer", required_argument, NULL, 'l' },    \
		{ "role", required_argument, NULL, 'r' },                                          \
		{ "from", required_argument, NULL, FW_OPT_FROM },                                  \
		{ "to", required_argument, NULL, FW_OPT_TO },                                      \
		{ "late-only", no_argument, NULL, FW_OPT_LATE },                                   \
		{ "frame-mark", required_argument, NULL, FW_OPT_FRAME_MARK },                      \
	{                                                                                          \
		"settle", required_argument, NULL, FW_OPT_SETTLE                                   \
	}

#define FW_FRAME_OPTIONS_HELP                                                                      \
	"Frames to take:\n"                                                                        \
	"  -p, --process P       pid, process name or glob\n"                                      \
	"  -l, --layer GLOB      layer name\n"                                                     \
	"      --from MS         actual start at or after, ms since the recording's start\n"       \
	"      --to MS           actual start before\n"                                            \
	"      --late-only       late frames only\n"                                               \
	"      --frame-mark NAME trace marks of that name are frames too\n"                        \
	"      --settle S        wait so many seconds for late parts of a frame; of a capture, "   \
	"leave\n"                                                                                  \
	"                        out what came later; inf: take in all (what the capture says, "   \
	"else\n"                                                                                   \
	"                        10)\n"                                                            \
	"  -r, --role NAME=PATTERN  which threads are ui, render, re (thread name), sf, hwc "      \
	"(process\n"                                                                               \
	"                        name); globs\n"

struct fw_frame_options {
	struct fw_report_opts report;
	struct fw_roles roles;
};

/* @o must not move afterwards. */
void fw_frame_options_init(struct fw_frame_options *o);
/* One option of getopt_long(). Return: FW_EXIT_OK, or FW_EXIT_USAGE with the reason printed. */
int fw_frame_option(const char *cmd, int c, char **argv, struct fw_frame_options *o);

/* Print what makes the metrics of an input doubtful. */
void fw_warn_facts(const char *path, const struct fw_run_facts *facts);

#endif
