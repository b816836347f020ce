// SPDX-License-Identifier: GPL-2.0-or-later
/* measure N COMMAND...: run it N times with its output thrown away; print the best run's figures. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct run {
	double wall, user, sys;
	long peak_kib;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run_child(char **argv)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		_exit(126);
	execvp(argv[0], argv);
	fprintf(stderr, "measure: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static struct run run_once(char **argv)
{
	double start = now();
	struct rusage use;
	int status;
	pid_t pid = fork();

	if (!pid)
		run_child(argv);
	if (pid < 0 || wait4(pid, &status, 0, &use) < 0) {
		perror("measure");
		exit(1);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: %s failed (status %#x)\n", argv[0], (unsigned int)status);
		exit(1);
	}
	return (struct run){ now() - start, seconds(use.ru_utime), seconds(use.ru_stime),
			     use.ru_maxrss };
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	struct run best = { 0 };
	long peak = 0;

	if (n < 1) {
		fprintf(stderr, "usage: measure N COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < n; i++) {
		struct run r = run_once(argv + 2);

		if (!i || r.wall < best.wall)
			best = r;
		if (r.peak_kib > peak)
			peak = r.peak_kib;
	}
	/* wall, user and system seconds of the fastest run; the highest peak of all */
	printf("%.3f %.3f %.3f %ld\n", best.wall, best.user, best.sys, peak);
	return 0;
}
