// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/umask.h"
#include "cmd/cmd.h"
#include "version.h"

static const struct fw_command commands[] = {
	{ "report", "INPUT...", "one row for each frame of a recording, or one of its tables",
	  fw_cmd_report },
	{ "stat", "INPUT...", "frame-time metrics of recordings", fw_cmd_stat },
	{ "compare", "A... -- B...", "what changed from some runs to others", fw_cmd_compare },
	{ "record", "[-- COMMAND]", "record what threads run, wait and sleep for, into a capture",
	  fw_cmd_record },
	{ "top", "", "where threads spent the last second", fw_cmd_top },
	{ "check", "[--json]", "what can be recorded here, and what is missing", fw_cmd_check },
	{ "columns", "[TABLE]", "every column: name, unit, meaning, source, when empty",
	  fw_cmd_columns },
	{ "inspect", "INPUT", "what a recording holds, and what it lacks for a full frame row",
	  fw_cmd_inspect },
};

static int help(FILE *to)
{
	fputs("usage: framewait [--umask MASK] COMMAND [ARGUMENTS]\n"
	      "What each frame waited for, as the kernel saw it.\n\n",
	      to);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(to, "  %-10s %-12s  %s\n", commands[i].name, commands[i].args,
			commands[i].what);
	fputs("\n  --umask MASK  who may read what is created, as umask(1): 022 lets everyone "
	      "(077)\n"
	      "\nframewait COMMAND --help tells more. Exit status: 0 done; 1 the gate failed; 2 "
	      "wrong\n"
	      "usage; 3 input unreadable or output not writable; 4 cannot record here; 5 done, "
	      "but\n"
	      "data was lost and --strict was given.\n",
	      to);
	if (fflush(to) || ferror(to)) {
		fw_warn("standard output: cannot write");
		return FW_EXIT_INPUT;
	}
	return FW_EXIT_OK;
}

/* --umask MASK before the command. Return: words taken, or -1 when MASK is none. */
static int take_umask(char **words)
{
	char *end;
	long mask;

	if (!words[0] || strcmp(words[0], "--umask")) {
		fw_umask_set(FW_UMASK);
		return 0;
	}
	mask = words[1] && *words[1] >= '0' && *words[1] <= '7' ? strtol(words[1], &end, 8) : -1;
	if (mask < 0 || mask > 0777 || *end)
		return -1;
	fw_umask_set((mode_t)mask);
	return 2;
}

int main(int argc, char **argv)
{
	const char *word;
	int n;

	/* A closed pipe is an error of write(), told like any other. */
	signal(SIGPIPE, SIG_IGN);
	n = argc > 0 ? take_umask(argv + 1) : 0;
	if (n < 0)
		return fw_usage(NULL, "--umask needs an octal number of at most 777");
	argc -= n;
	argv += n;
	word = argc > 1 ? argv[1] : NULL;
	if (!word)
		return fw_usage(NULL, "a command is missing");
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
		return help(stdout);
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		puts("framewait " FW_VERSION);
		return fflush(stdout) ? FW_EXIT_INPUT : FW_EXIT_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(word, commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return fw_usage(NULL, "%s is no command", word);
}
