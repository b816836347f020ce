/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_FOLLOWER_H
#define FW_CMD_FOLLOWER_H

#include <stdint.h>
#include <sys/types.h>

#include "output/format.h"

/**
 * struct fw_follower - the process that reads the capture while it is written, and prints its rows
 * @writer: the pipe that tells it that the capture is there, and by its end that there will be no more
 * @status: an exit status of ours, once it has ended
 */
struct fw_follower {
	pid_t pid;
	int writer;
	int status;
};

/* Before anything is loaded or written. Return: FW_EXIT_OK, or the exit status to end with. */
int fw_follower_start(struct fw_follower *f, const char *path, enum fw_format format,
		      int64_t settle_ns);
/* The capture is there. */
void fw_follower_go(struct fw_follower *f);
/* Did it end too early? That is said once; the recording goes on. */
void fw_follower_check(struct fw_follower *f);

/**
 * fw_follower_finish() - the capture is whole: wait for the last row
 * A signal of @signals (a signalfd) ends the waiting: a reader of the rows may never take them.
 * Return: an exit status.
 */
int fw_follower_finish(struct fw_follower *f, int signals);

#endif
