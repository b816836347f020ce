// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>

#include <jansson.h>

#include "cmd/cmd.h"
#include "cmd/help.h"
#include "cmd/options.h"
#include "frame/columns.h"
#include "live/ladder.h"
#include "version.h"

static const struct fw_option options[] = {
	{ "json", 'j', NULL, .help = "as JSON", .group = "Options:" },
	FW_OPTIONS_END,
};

static int parse_option(void *ctx, int c)
{
	bool *json = ctx;

	*json = true;
	return FW_EXIT_OK;
}

static bool can_record(const struct fw_capability *caps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (caps[i].required && !caps[i].have)
			return false;
	}
	return true;
}

static void print_text(const struct fw_capability *caps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fw_capability *c = &caps[i];

		printf("%-3s  %-20s  %s\n", c->have ? "yes" : "no", c->name, c->gives);
		if (c->detail[0])
			printf("     %-20s  (%s)\n", "", c->detail);
		if (c->have)
			continue;
		printf("     %-20s  empty without it: %s\n", "", c->empty);
		printf("     %-20s  what brings it: %s\n", "", c->brings);
	}
	puts(can_record(caps, n) ? "framewait record works here"
				 : "framewait record does not work here");
}

static void print_json(const struct fw_capability *caps, size_t n)
{
	json_t *list = json_array(), *top;

	for (size_t i = 0; i < n; i++) {
		const struct fw_capability *c = &caps[i];

		json_array_append_new(list, json_pack("{s:s, s:b, s:b, s:s, s:s, s:s, s:s}", "name",
						      c->name, "have", c->have, "required",
						      c->required, "detail", c->detail, "gives",
						      c->gives, "empty_without", c->empty,
						      "brought_by", c->brings));
	}
	top = json_pack("{s:i, s:s, s:b, s:o}", "schema", FW_SCHEMA_VERSION, "framewait",
			FW_VERSION, "can_record", can_record(caps, n), "capabilities", list);
	json_dumpf(top, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(top);
}

static int run(int argc, char **argv)
{
	struct fw_capability caps[FW_CAPABILITIES];
	bool json = false;
	int status;
	size_t n;

	if (!fw_options(&fw_command_check, argc, argv, parse_option, &json, &status))
		return status;
	if (optind < argc)
		return fw_usage("check", "%s: no argument is expected", argv[optind]);
	n = fw_ladder(caps);
	if (json)
		print_json(caps, n);
	else
		print_text(caps, n);
	status = fw_stdout_done();
	if (status)
		return status;
	return can_record(caps, n) ? FW_EXIT_OK : FW_EXIT_RECORD;
}

const struct fw_command fw_command_check = {
	.name = "check",
	.args = "[--json]",
	.what = "what can be recorded here, and what is missing",
	.usage = "[--json]",
	.about = "Tries what can be recorded here. Each missing rung says which columns stay empty "
		 "and what would bring it. Exit status 4 when nothing can be recorded.",
	.options = options,
	.words = "",
	.run = run,
	.examples =
		"  # framewait check\n"
		"  # framewait check --json | jq '.capabilities[] | select(.have | not) | .name'\n",
};
