// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/umask.h"
#include "cmd/cmd.h"

int fw_child_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void run_command(char **command, bool to_stderr, int wait_fd)
{
	sigset_t none;
	char byte;

	if (read(wait_fd, &byte, 1) != 1)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	fw_umask_restore();
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(command[0], command);
	fprintf(stderr, "framewait: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

int fw_child_start(struct fw_child *c, char **command, bool to_stderr)
{
	int fds[2];

	*c = (struct fw_child){ .go = -1 };
	if (!command)
		return FW_EXIT_OK;
	if (pipe2(fds, O_CLOEXEC)) {
		fw_warn("pipe: %s", strerror(errno));
		return FW_EXIT_RECORD;
	}
	c->pid = fork();
	if (c->pid < 0) {
		fw_warn("%s: %s", command[0], strerror(errno));
		return FW_EXIT_RECORD;
	}
	if (!c->pid) {
		/* Else its own end would keep it waiting when the recorder gives up. */
		close(fds[1]);
		run_command(command, to_stderr, fds[0]);
	}
	close(fds[0]);
	c->go = fds[1];
	return FW_EXIT_OK;
}

void fw_child_go(struct fw_child *c)
{
	if (c->go < 0)
		return;
	if (write(c->go, "g", 1) != 1)
		fw_warn("the command did not start");
	close(c->go);
	c->go = -1;
}

bool fw_child_signal(struct fw_child *c, int signals)
{
	struct signalfd_siginfo si;
	bool end = false;

	while (read(signals, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo != SIGCHLD) {
			end = true;
			continue;
		}
		if (c->pid > 0 && waitpid(c->pid, NULL, WNOHANG) == c->pid) {
			c->pid = 0;
			end = true;
		}
	}
	return end;
}

void fw_child_end(struct fw_child *c)
{
	if (c->go >= 0) {
		close(c->go);
		if (c->pid > 0)
			waitpid(c->pid, NULL, 0);
	}
	c->go = -1;
}
