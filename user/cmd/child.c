// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
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

static bool is_program(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (S_ISREG(st.st_mode) && !access(path, X_OK))
		return true;
	errno = EACCES;
	return false;
}

/* As execvp() finds it, but asked before anything is recorded. Return: 0, or an errno. */
static int find_program(const char *name)
{
	const char *dir = getenv("PATH"), *end;
	int err = ENOENT;

	if (strchr(name, '/'))
		return is_program(name) ? 0 : errno;
	for (dir = dir ? dir : "/bin:/usr/bin"; *name; dir = end + 1) {
		char path[PATH_MAX];

		end = strchrnul(dir, ':');
		snprintf(path, sizeof(path), "%.*s%s%s", (int)(end - dir), dir,
			 end > dir ? "/" : "", name);
		if (is_program(path))
			return 0;
		if (errno == EACCES)
			err = EACCES;
		if (!*end)
			break;
	}
	return err;
}

int fw_child_start(struct fw_child *c, char **command, bool to_stderr)
{
	int fds[2], err;

	*c = (struct fw_child){ .go = -1 };
	if (!command)
		return FW_EXIT_OK;
	c->name = command[0];
	err = find_program(c->name);
	if (err)
		return fw_usage("record", "%s: the command cannot be started: %s", c->name,
				strerror(err));
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
		if (c->pid > 0 && waitpid(c->pid, &c->status, WNOHANG) == c->pid) {
			c->pid = 0;
			end = true;
		}
	}
	return end;
}

static void say_status(const struct fw_child *c)
{
	if (WIFSIGNALED(c->status))
		fw_warn("%s: signal %d ended the command", c->name, WTERMSIG(c->status));
	else if (WEXITSTATUS(c->status))
		fw_warn("%s: the command ended with status %d", c->name, WEXITSTATUS(c->status));
}

void fw_child_end(struct fw_child *c)
{
	if (c->name && !c->pid)
		say_status(c);
	if (c->go >= 0) {
		close(c->go);
		if (c->pid > 0)
			waitpid(c->pid, NULL, 0);
	}
	c->go = -1;
}
