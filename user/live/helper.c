// SPDX-License-Identifier: GPL-2.0-or-later
/* helper - other programs that run for this one */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/helper.h"
#include "live/session.h"

#define MS 1000000ull

/* In the child. What execvp() fails with goes to @fail, which a success closes. */
static void become(char *const argv[], pid_t parent, int in, int out, int fail)
{
	sigset_t none;
	int err;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	setpriority(PRIO_PROCESS, 0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(out, STDERR_FILENO) >= 0)
		execvp(argv[0], argv);
	err = errno;
	if (write(fail, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* A descriptor to read @input from. */
static int input_fd(const void *input, size_t len)
{
	int fds[2];

	if (!input)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	if (write(fds[1], input, len) != (ssize_t)len) {
		close(fds[0]);
		fds[0] = -1;
	}
	close(fds[1]);
	return fds[0];
}

int fw_helper_start(struct fw_helper *h, char *const argv[], const void *input, size_t len)
{
	int in = input_fd(input, len), out[2] = { -1, -1 }, fail[2] = { -1, -1 };
	pid_t self = getpid();
	int err = 0;

	*h = (struct fw_helper){ .out = -1 };
	if (in < 0 || pipe2(out, O_CLOEXEC) || pipe2(fail, O_CLOEXEC)) {
		err = -errno;
		goto out;
	}
	h->pid = fork();
	if (h->pid < 0) {
		err = -errno;
		goto out;
	}
	if (!h->pid)
		become(argv, self, in, out[1], fail[1]);
	close(fail[1]);
	fail[1] = -1;
	if (read(fail[0], &err, sizeof(err)) == sizeof(err)) {
		err = -err;
		waitpid(h->pid, NULL, 0);
		goto out;
	}
	err = 0;
	h->out = out[0];
	out[0] = -1;
	fcntl(h->out, F_SETFL, O_NONBLOCK);
out:
	for (int i = 0; i < 2; i++) {
		if (out[i] >= 0)
			close(out[i]);
		if (fail[i] >= 0)
			close(fail[i]);
	}
	if (in >= 0)
		close(in);
	if (err)
		h->pid = 0;
	return err;
}

bool fw_helper_ended(struct fw_helper *h, int *status)
{
	if (h->pid > 0 && waitpid(h->pid, status, WNOHANG) != h->pid)
		return false;
	h->pid = 0;
	return true;
}

void fw_helper_end(struct fw_helper *h)
{
	if (h->pid > 0) {
		kill(h->pid, SIGKILL);
		waitpid(h->pid, NULL, 0);
	}
	if (h->out >= 0)
		close(h->out);
	*h = (struct fw_helper){ .out = -1 };
}

/* Append what it says; what finds no room is read and forgotten. Return: false at its end. */
static bool take_output(struct fw_helper *h, char *out, size_t size, size_t *len)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(h->out, buf, sizeof(buf))) > 0) {
		size_t room = size - 1 - *len, take = (size_t)n < room ? (size_t)n : room;

		memcpy(out + *len, buf, take);
		*len += take;
		out[*len] = '\0';
	}
	return n < 0 && errno == EAGAIN;
}

int fw_helper_run(char *const argv[], int timeout_ms, char *out, size_t size)
{
	uint64_t end = fw_boot_ns() + timeout_ms * MS;
	struct fw_helper h;
	size_t len = 0;
	int err, status = 0;

	out[0] = '\0';
	err = fw_helper_start(&h, argv, NULL, 0);
	if (err)
		return err;
	for (;;) {
		struct pollfd p = { .fd = h.out, .events = POLLIN };
		uint64_t now = fw_boot_ns();
		bool open = now < end && poll(&p, 1, (end - now) / MS + 1) >= 0 &&
			    take_output(&h, out, size, &len);

		if (open)
			continue;
		/* It closed its output: its end is near. */
		while (!fw_helper_ended(&h, &status) && fw_boot_ns() < end)
			poll(NULL, 0, 1);
		break;
	}
	err = h.pid ? -ETIMEDOUT : WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
	fw_helper_end(&h);
	return err;
}
