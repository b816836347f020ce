/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_CMD_H
#define FW_CMD_CMD_H

#include "base/error.h"

/**
 * struct fw_command - one subcommand
 * @run: argv[0] is the subcommand's name; returns an enum fw_exit
 */
struct fw_command {
	const char *name;
	const char *args; /* one line for --help */
	const char *what;
	int (*run)(int argc, char **argv);
};

int fw_cmd_report(int argc, char **argv);
int fw_cmd_record(int argc, char **argv);
int fw_cmd_top(int argc, char **argv);
int fw_cmd_check(int argc, char **argv);
int fw_cmd_columns(int argc, char **argv);
int fw_cmd_inspect(int argc, char **argv);
int fw_cmd_stat(int argc, char **argv);
int fw_cmd_compare(int argc, char **argv);

/**
 * fw_usage() - print what is wrong with the command line, naming the bad word
 * Return: FW_EXIT_USAGE, so that callers can write return fw_usage("report", "...");
 */
int fw_usage(const char *cmd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* getopt_long() returned '?' or ':': say which word it was. Return: FW_EXIT_USAGE. */
int fw_usage_getopt(const char *cmd, int ret, char **argv);

/* Of the statuses of several inputs: what could not be read, then the gate, then a loss. */
int fw_worse(int a, int b);

/* A failed call of the program's inside: print its sentence. Return: FW_EXIT_INPUT. */
int fw_failed(int err);

#endif
