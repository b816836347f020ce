/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_FTIMES_H
#define FW_METRICS_FTIMES_H

#include <stdbool.h>

#include "metrics/order.h"

/**
 * struct fw_ftimes - the FTimes of one series, in order
 *
 * An FTime is the difference of two adjacent present times: the first frame only begins the time.
 * A point is the number of intervals that end in (k s, k + 1 s] of the time that they make up; what
 * is left after the last whole second is no point.
 */
struct fw_ftimes {
	struct fw_blocks intervals, seconds;
	struct fw_order *order;
	double before[3];
	int n_before; /* up to 3 */
	double time_ms;
	double second, in_second; /* the one that is not whole yet, and its intervals */
	double last_point;
	bool given_points;
};

/* @max_blocks: as in struct fw_blocks. */
void fw_ftimes_init(struct fw_ftimes *f, int max_blocks);
void fw_ftimes_free(struct fw_ftimes *f);

/* The next FTime; @ms > 0 and finite. Return: 0, or as fw_sort_add(). */
int fw_ftimes_add(struct fw_ftimes *f, double ms);
/* A point that the recorder made, in place of those made here. @fps >= 0 */
void fw_ftimes_point(struct fw_ftimes *f, double fps);
/* After the last. @whole_ms: the whole time instead of the sum; 0: the sum */
void fw_ftimes_finish(struct fw_ftimes *f, double whole_ms);

#endif
