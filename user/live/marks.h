/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_MARKS_H
#define FW_LIVE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fw_marks - what programs write to trace_marker, while it is being written
 *
 * A tracefs instance of our own on the boot clock takes a copy of the marks (option
 * copy_trace_marker, 6.13 and Android's 6.12): other users of tracefs are not disturbed. Older
 * kernels have them in the one buffer of all only, which is taken where it was asked for and nobody
 * uses it, and given back as it was.
 */
struct fw_marks;

struct fw_mark {
	uint64_t ts;
	int cpu;
	int tid;
	const char *text; /* not terminated, without the last newline */
	size_t len;
};

/* @shared: the buffer of all may be used. Return: 0, or a negative errno with fw_fail() set. */
int fw_marks_open(bool shared, struct fw_marks **out);
/* Hand over all marks that have come; they are ordered within a CPU. */
int fw_marks_read(struct fw_marks *m, int (*fn)(void *ctx, const struct fw_mark *mark), void *ctx);
/* Marks that were overwritten before they were read. */
uint64_t fw_marks_lost(const struct fw_marks *m);
void fw_marks_close(struct fw_marks *m);
/* Can marks be had here? Without leaving anything behind. */
bool fw_marks_possible(void);

#endif
