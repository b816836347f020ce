/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_OPTIONS_H
#define FW_CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/cmd.h"

/* What the configuration file and the environment may give; see config.h. */
enum fw_config_use {
	FW_CONFIG_NO,
	FW_CONFIG_VALUE,
	FW_CONFIG_TARGET, /* a target on the command line takes the place of all that are configured */
};

/**
 * struct fw_option - an option of a command: for getopt_long(), --help and completion
 * @name: long name; NULL for a line of the help that is no option
 * @id: what the command gets; a letter or digit is the short name too
 * @arg: its argument's name; in brackets when it may be left out; NULL: takes none
 * @help: one sentence; --help breaks the lines
 * @group: a heading that stands above
 * @values: for completion: words, or one of FW_VALUES_*; an optional argument may stand apart from
 *	its option when it is one of these words
 */
struct fw_option {
	const char *name;
	int id;
	const char *arg;
	const char *help;
	const char *group;
	const char *values;
	enum fw_config_use config;
};

#define FW_VALUES_FILE "<file>"
#define FW_VALUES_DIR "<dir>"
#define FW_VALUES_FORMATS "<formats>" /* more words may follow */
#define FW_VALUES_TABLES "<tables>"
#define FW_VALUES_COMMANDS "<commands>"

/* The last of each table: options of all commands, and the end. */
#define FW_OPTIONS_END                                                                             \
	{ .group = "Of all commands:" },                                                           \
		{ "quiet", 'q', .help = "no progress, no summary on standard error" },             \
		{ "verbose", 'v',                                                                  \
		  .help = "say more on standard error: where defaults come from, "                 \
			  "what libbpf logs" },                                                    \
		{ "help", 'h', .help = "this help" },                                              \
	{                                                                                          \
		.name = NULL                                                                       \
	}

static inline bool fw_option_last(const struct fw_option *o)
{
	return !o->name && !o->arg && !o->group;
}

/**
 * fw_options() - read a command line by the command's table
 * @option: gets each option but those of all commands; the argument is in optarg
 *
 * What is configured comes first, then the command line, so that the latter prevails. Behind it
 * optind is the first argument that is no option.
 * Return: does the command go on? If not, *@status is its exit status; all is printed.
 */
bool fw_options(const struct fw_command *cmd, int argc, char **argv,
		int (*option)(void *ctx, int id), void *ctx, int *status);

/* The option of that long name, or NULL. */
const struct fw_option *fw_option_find(const struct fw_command *cmd, const char *name);

#endif
