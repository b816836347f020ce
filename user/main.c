// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/help.h"
#include "version.h"

static int help(void)
{
	fputs("usage: framewait COMMAND [ARGUMENTS]\n"
	      "What each frame waited for, as the kernel saw it.\n\n",
	      stdout);
	for (size_t i = 0; fw_command_at(i); i++)
		printf("  %-10s %-12s  %s\n", fw_command_at(i)->name, fw_command_at(i)->args,
		       fw_command_at(i)->what);
	fputs("\n"
	      "framewait COMMAND --help tells more; framewait.conf(5) has defaults of options.\n"
	      "\n"
	      "Exit status: 0 done; 1 the gate failed; 2 wrong usage; 3 input unreadable or\n"
	      "output not writable; 4 cannot record here; 5 done, but data was lost and\n"
	      "--strict was given.\n",
	      stdout);
	return fw_stdout_done();
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	/* A closed pipe is an error of write(), told like any other. */
	signal(SIGPIPE, SIG_IGN);
	if (!word)
		return fw_usage(NULL, "a command is missing");
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
		return help();
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		puts("framewait " FW_VERSION);
		return fw_stdout_done();
	}
	for (size_t i = 0; fw_command_at(i); i++)
		if (!strcmp(word, fw_command_at(i)->name))
			return fw_command_at(i)->run(argc - 1, argv + 1);
	return fw_usage(NULL, "%s is no command", word);
}
