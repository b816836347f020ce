// SPDX-License-Identifier: GPL-2.0-or-later
/* follower - the process that prints the rows of a capture while it is written */
#include "cmd/follower.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/follow.h"
#include "live/privileges.h"

int fw_follower_start(struct fw_follower *f, const char *path, enum fw_format format,
		      int64_t settle_ns)
{
	int fds[2];

	*f = (struct fw_follower){ .writer = -1 };
	if (pipe2(fds, O_CLOEXEC)) {
		fw_warn("pipe: %s", strerror(errno));
		return FW_EXIT_RECORD;
	}
	fflush(stdout);
	f->pid = fork();
	if (f->pid < 0) {
		fw_warn("--follow: %s", strerror(errno));
		return FW_EXIT_RECORD;
	}
	if (!f->pid) {
		int status;

		/* Ctrl-C is for the recorder; what it then still writes are rows too. */
		prctl(PR_SET_NAME, "framewait-rows");
		close(fds[1]);
		fw_privileges_drop(true, false);
		status = fw_follow_rows(path, format, settle_ns, fds[0]);
		if (fflush(stdout) && !status)
			status = FW_EXIT_INPUT;
		_exit(status);
	}
	close(fds[0]);
	f->writer = fds[1];
	return FW_EXIT_OK;
}

void fw_follower_go(struct fw_follower *f)
{
	/* One that is dead already is found by fw_follower_check(). */
	if (f->writer >= 0 && write(f->writer, "g", 1) < 0)
		return;
}

static bool ended(struct fw_follower *f)
{
	int status;

	if (f->pid <= 0)
		return true;
	if (waitpid(f->pid, &status, WNOHANG) != f->pid)
		return false;
	f->pid = 0;
	f->status = WIFEXITED(status) ? WEXITSTATUS(status) : FW_EXIT_INPUT;
	if (WIFSIGNALED(status))
		fw_warn("--follow: signal %d ended the rows", WTERMSIG(status));
	return true;
}

void fw_follower_check(struct fw_follower *f)
{
	if (f->pid <= 0 || !ended(f))
		return;
	f->status = f->status ? f->status : FW_EXIT_INPUT;
	fw_warn("--follow: no more rows are printed; the recording goes on");
}

int fw_follower_finish(struct fw_follower *f, int signals)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	struct signalfd_siginfo si;

	if (f->writer >= 0)
		close(f->writer);
	f->writer = -1;
	while (!ended(f)) {
		if (poll(&p, 1, 100) <= 0)
			continue;
		while (read(signals, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo != SIGCHLD)
				kill(f->pid, SIGKILL);
		}
	}
	return f->status;
}
