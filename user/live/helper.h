/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_HELPER_H
#define FW_LIVE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * struct fw_helper - another program that runs for this one
 * @pid: 0: it has ended, or never began
 * @out: its output and complaints, to read from, or -1; never blocks
 */
struct fw_helper {
	pid_t pid;
	int out;
};

/**
 * fw_helper_start() - start a program found in PATH
 * @input: bytes for its standard input (at most 64 KiB), or NULL for none
 *
 * It ends with this process, however this one ends, and Ctrl-C at the terminal does not reach it.
 * Return: 0, or a negative errno (-ENOENT: no such program).
 */
int fw_helper_start(struct fw_helper *h, char *const argv[], const void *input, size_t len);

/* Has it ended? Then *@status is as of waitpid(), and h->pid 0. Does not wait. */
bool fw_helper_ended(struct fw_helper *h, int *status);

/* End it by force where it still runs, and forget it. */
void fw_helper_end(struct fw_helper *h);

/**
 * fw_helper_run() - run a program to its end
 * @out: its output and complaints, terminated, cut to @size
 * Return: its exit status, or a negative errno: -ENOENT no such program, -ETIMEDOUT it did not end in
 * @timeout_ms, -EINTR a signal ended it.
 */
int fw_helper_run(char *const argv[], int timeout_ms, char *out, size_t size);

#endif
