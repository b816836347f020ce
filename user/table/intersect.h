/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_INTERSECT_H
#define FW_TABLE_INTERSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How long each state of a thread lasted inside each window of it. Both are half-open, [start,
 * end); windows may overlap, states may too. Any number of either is sorted in bounded memory and
 * swept once.
 */
struct fw_intersect;

struct fw_intersect *fw_intersect_new(void);
void fw_intersect_free(struct fw_intersect *x);

/* @payload: of the window, handed back with its sums; at most 64 KiB */
int fw_intersect_window(struct fw_intersect *x, uint32_t utid, int64_t start, int64_t end,
			const void *payload, size_t len);
/* @key: tells states apart; time is summed by it */
int fw_intersect_state(struct fw_intersect *x, uint32_t utid, int64_t start, int64_t end,
		       uint64_t key);

/* Sum the time of a window that no state covers under this key too; for states that do not overlap. */
void fw_intersect_rest(struct fw_intersect *x, uint64_t key);

/**
 * fw_intersect_run() - sweep, once
 * @sum: called for each window and key that share time, with how much; returns 0 or an error that
 *	ends the sweep
 */
int fw_intersect_run(struct fw_intersect *x,
		     int (*sum)(void *ctx, const void *payload, size_t len, uint64_t key,
				int64_t ns),
		     void *ctx);

#endif
