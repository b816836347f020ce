// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/umask.h"
#include "cmd/cmd.h"
#include "cmd/help.h"
#include "version.h"

static int help(void)
{
	fputs("usage: framewait [--umask MASK] COMMAND [ARGUMENTS]\n"
	      "What each frame waited for, as the kernel saw it.\n\n",
	      stdout);
	for (size_t i = 0; fw_command_at(i); i++)
		printf("  %-10s %-12s  %s\n", fw_command_at(i)->name, fw_command_at(i)->args,
		       fw_command_at(i)->what);
	fputs("\n"
	      "  --umask MASK  who may read what is created, as umask(1): 022 lets everyone (077)\n"
	      "\n"
	      "framewait COMMAND --help tells more; framewait.conf(5) has defaults of options.\n"
	      "\n"
	      "Exit status: 0 done; 1 the gate failed; 2 wrong usage; 3 input unreadable or\n"
	      "output not writable; 4 cannot record here; 5 done, but data was lost and\n"
	      "--strict was given.\n",
	      stdout);
	return fw_stdout_done();
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

/*
 * A standard descriptor that is closed would be the number of the next file: messages would stand in
 * an output. The way each one is opened, using it still fails.
 */
static void hold_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	const char *word;
	int n;

	hold_standard();
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
