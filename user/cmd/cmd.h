/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_CMD_H
#define FW_CMD_CMD_H

#include "base/error.h"
#include "base/row.h"

#include <stdbool.h>
#include <stddef.h>

struct fw_option;

/**
 * struct fw_command - one subcommand
 * @args, @what: its line in framewait --help
 * @usage: lines behind "framewait NAME " in its own --help
 * @about: what it does, for --help, which breaks the lines
 * @options: see options.h
 * @examples: lines for --help; NULL: none
 * @words: of its arguments, for completion, as in struct fw_option; NULL: files
 * @stops: options end at the first argument
 * @run: argv[0] is the subcommand's name; returns an enum fw_exit
 */
struct fw_command {
	const char *name;
	const char *args;
	const char *what;
	const char *usage;
	const char *about;
	const struct fw_option *options;
	const char *examples;
	const char *words;
	bool stops;
	int (*run)(int argc, char **argv);
};

extern const struct fw_command fw_command_check;
extern const struct fw_command fw_command_columns;
extern const struct fw_command fw_command_compare;
extern const struct fw_command fw_command_completion;
extern const struct fw_command fw_command_inspect;
extern const struct fw_command fw_command_record;
extern const struct fw_command fw_command_report;
extern const struct fw_command fw_command_stat;
extern const struct fw_command fw_command_top;

/* All of them, from 0; NULL at the end. */
const struct fw_command *fw_command_at(size_t i);

/* What inspect prints. */
extern const struct fw_table fw_inspect_table;

/* For record, which ends with a report. */
int fw_cmd_report(int argc, char **argv);

/**
 * fw_usage() - print what is wrong with the command line, naming the bad word
 * Return: FW_EXIT_USAGE, so that callers can write return fw_usage("report", "...");
 */
int fw_usage(const char *cmd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* getopt_long() returned '?' or ':': say which word it was. Return: FW_EXIT_USAGE. */
int fw_usage_getopt(const char *cmd, int ret, char **argv);

/* What the next messages are about, printed before them: "FILE:LINE: "; "": the command line. */
void fw_usage_origin(const char *origin);
/* Is the option that is read one of the configuration? */
bool fw_configured(void);
/* A failed call is the fault of an option's argument: print its sentence. Return: FW_EXIT_USAGE. */
int fw_usage_failed(int err);

/* Of the statuses of several inputs: what could not be read, then the gate, then a loss. */
int fw_worse(int a, int b);

/* A failed call of the program's inside: print its sentence. Return: FW_EXIT_INPUT. */
int fw_failed(int err);

#endif
