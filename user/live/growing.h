/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_GROWING_H
#define FW_LIVE_GROWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FW_GROWING_TAIL 32

/**
 * struct fw_growing - a file that another program writes, read as it grows
 * @path: not owned; it need not exist yet
 * @punch: give the space of what was read back: a file of our own that nobody else will read
 */
struct fw_growing {
	const char *path;
	bool punch;
	int fd;
	dev_t dev;
	ino_t ino;
	uint64_t pos, punched;
	uint8_t tail[FW_GROWING_TAIL]; /* the last bytes that were read: still the same? */
	size_t n_tail;
	bool had_one; /* there was such a file before */
};

enum fw_growth {
	FW_GROWN, /* the bytes follow those before */
	FW_GROWN_FIRST, /* the first bytes of the first file */
	FW_GROWN_ANEW, /* the file was cut, overwritten or replaced: the first bytes of what is there now */
};

void fw_growing_init(struct fw_growing *g, const char *path, bool punch);

/**
 * fw_growing_read() - what has come since the last call
 * @how: whether it follows the bytes before
 * Return: number of bytes, 0 when there is nothing new or no file, or a negative errno with
 * fw_fail() set.
 */
ssize_t fw_growing_read(struct fw_growing *g, void *buf, size_t size, enum fw_growth *how);

/* Is there such a file? */
bool fw_growing_there(const struct fw_growing *g);
void fw_growing_close(struct fw_growing *g);

#endif
