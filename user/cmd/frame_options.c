// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/frame_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"

void fw_frame_options_init(struct fw_frame_options *o)
{
	*o = (struct fw_frame_options){
		.report = { .from_ns = INT64_MIN, .to_ns = INT64_MAX, .roles = &o->roles }
	};
}

/* Seconds; the bound keeps sums of times far from their ends. */
static int parse_settle(const char *cmd, struct fw_frame_options *o, const char *arg)
{
	char *end;
	double s = strtod(arg, &end);

	o->report.settle_ns = FW_SETTLE_ALL;
	if (!strcmp(arg, "inf"))
		return FW_EXIT_OK;
	if (end == arg || *end || !(s >= 0 && s <= 86400))
		return fw_usage(cmd, "--settle %s: expected seconds, at most 86400, or inf", arg);
	o->report.settle_ns = FW_MAX((int64_t)(s * 1e9), 1);
	return FW_EXIT_OK;
}

static int parse_role(const char *cmd, struct fw_frame_options *o, const char *arg)
{
	const char *eq = strchr(arg, '=');
	int role;

	if (!eq || !eq[1])
		return fw_usage(cmd, "--role %s: expected NAME=PATTERN", arg);
	role = fw_role_find((struct fw_str){ arg, (size_t)(eq - arg) });
	if (role < 0)
		return fw_usage(cmd, "--role %s: no such role; ui, render, sf, re or hwc", arg);
	o->roles.pattern[role] = eq + 1;
	return FW_EXIT_OK;
}

int fw_frame_option(const char *cmd, int c, struct fw_frame_options *o)
{
	switch (c) {
	case 'p':
	case 'l':
		if (!*optarg)
			return fw_usage(cmd, "--%s: an empty name", c == 'p' ? "process" : "layer");
		if (c == 'p')
			o->report.process = optarg;
		else
			o->report.layer = optarg;
		return FW_EXIT_OK;
	case 'r':
		return parse_role(cmd, o, optarg);
	case FW_OPT_FROM:
	case FW_OPT_TO:
		if (!fw_str_ms(fw_str(optarg),
			       c == FW_OPT_FROM ? &o->report.from_ns : &o->report.to_ns))
			return fw_usage(cmd, "--%s %s: expected milliseconds",
					c == FW_OPT_FROM ? "from" : "to", optarg);
		return FW_EXIT_OK;
	case FW_OPT_FRAME_MARK:
		if (!*optarg)
			return fw_usage(cmd, "--frame-mark: an empty name");
		o->report.frame_mark = optarg;
		return FW_EXIT_OK;
	case FW_OPT_SETTLE:
		return parse_settle(cmd, o, optarg);
	case FW_OPT_LATE:
		o->report.late_only = true;
		return FW_EXIT_OK;
	}
	return FW_EXIT_USAGE;
}

void fw_warn_facts(const char *path, const struct fw_run_facts *facts)
{
	if (facts->lost > 0)
		fw_warn("%s: the recording lost data; framewait report says what", path);
	if (facts->refused)
		fw_warn("%s: %" PRIu64 " values that are no times were refused", path,
			facts->refused);
	if (facts->cut)
		fw_warn("%s: the last row has no line end: the file may be cut", path);
	if (facts->no_mach)
		fw_warn("%s: --mach-timebase does nothing here: no recording of an iOS device",
			path);
}
