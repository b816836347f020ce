/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_CHILD_H
#define FW_CMD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct fw_child - the command that a recording is of
 * @name: its first word
 * @pid: 0 when there is none
 * @status: as of waitpid(), once it has ended
 */
struct fw_child {
	const char *name;
	pid_t pid;
	int go; /* a byte in it lets the child start */
	int status;
};

/* SIGINT, SIGTERM, SIGHUP, SIGCHLD as a descriptor; they do nothing else from now on. */
int fw_child_signals(void);
/**
 * fw_child_start() - fork the command, where there is such a program; it waits for fw_child_go()
 * @to_stderr: standard output is taken: what it prints goes to standard error
 * Return: enum fw_exit, told the user.
 */
int fw_child_start(struct fw_child *c, char **command, bool to_stderr);
void fw_child_go(struct fw_child *c);
/* Read the descriptor. Return: is the recording to end? */
bool fw_child_signal(struct fw_child *c, int signals);
/* Not started yet: end it. Else it may go on; of one that failed it is said. */
void fw_child_end(struct fw_child *c);

#endif
