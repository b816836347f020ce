// SPDX-License-Identifier: GPL-2.0-or-later
/* help - --help of a command, from its table of options */
#include "cmd/help.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/options.h"

#define WIDTH 80
#define INDENT 24 /* where the sentences of the options begin */

/* Words of @text from column @at on; following lines are indented. */
static void print_wrapped(const char *text, int at, int indent)
{
	while (*text) {
		int len = (int)strcspn(text, " \n");

		if (at > indent && at + 1 + len > WIDTH) {
			printf("\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		printf("%.*s", len, text);
		at += len;
		text += len;
		if (*text == '\n') {
			printf("\n%*s", indent, "");
			at = indent;
		}
		text += *text != '\0';
	}
	putchar('\n');
}

static void print_option(const struct fw_option *o)
{
	const char *arg = o->arg ? o->arg : "";
	const char *gap = !o->arg ? "" : *arg == '[' ? "[=" : " ";
	char *left;
	int at;

	if (!o->name)
		left = fw_asprintf("  %s", arg);
	else if (o->id <= 0x7f)
		left = fw_asprintf("  -%c, --%s%s%s", o->id, o->name, gap, arg + (*arg == '['));
	else
		left = fw_asprintf("      --%s%s%s", o->name, gap, arg + (*arg == '['));
	at = printf("%-*s", INDENT - 2, left) + 2;
	if (at > INDENT) {
		printf("\n%*s", INDENT, "");
	} else {
		fputs("  ", stdout);
	}
	print_wrapped(o->help, INDENT, INDENT);
	free(left);
}

int fw_stdout_done(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return FW_EXIT_OK;
	fw_warn("standard output: cannot write: %s", strerror(errno));
	return FW_EXIT_INPUT;
}

int fw_help(const struct fw_command *cmd)
{
	const char *line = cmd->usage, *lead = "usage:";

	while (*line) {
		int len = (int)strcspn(line, "\n");

		printf("%s framewait %s %.*s\n", lead, cmd->name, len, line);
		lead = "      ";
		line += len + (line[len] == '\n');
	}
	putchar('\n');
	print_wrapped(cmd->about, 0, 0);
	if (!cmd->options->group)
		putchar('\n');
	for (const struct fw_option *o = cmd->options; !fw_option_last(o); o++) {
		if (o->group)
			printf("\n%s\n", o->group);
		if (o->name || o->arg)
			print_option(o);
	}
	if (cmd->examples)
		printf("\nExamples:\n%s", cmd->examples);
	return fw_stdout_done();
}
