/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_TALLY_H
#define FW_LIVE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "framewait/record.h"

/**
 * struct fw_tally_row - one thread in the last span of time; all sums in ns
 * @runnable_p50, @runnable_p99, @runnable_max: of single waits for a CPU after a wake
 * @wchan: address of the function that it slept in longest, 0 none
 */
struct fw_tally_row {
	uint32_t tid, tgid;
	char comm[FW_COMM_LEN];
	uint64_t running, runnable, preempted, sleeping, blocked, blocked_io, other, irq;
	uint64_t runnable_p50, runnable_p99, runnable_max;
	uint64_t waits, switches;
	uint64_t wchan, wchan_ns;
};

/**
 * struct fw_tally - sums records as they come, for a view of the last second
 */
struct fw_tally;

struct fw_tally *fw_tally_new(void);
void fw_tally_free(struct fw_tally *t);
/* The first span begins: what was before @from counts nowhere. */
void fw_tally_begin(struct fw_tally *t, uint64_t from);
/* Records of one thread may come in any order. */
void fw_tally_add(struct fw_tally *t, const struct fw_rec *r);
/* The span ends: what is added from now on and is of a time after @to counts in the next one. */
void fw_tally_end(struct fw_tally *t, uint64_t to);

/**
 * fw_tally_take() - the rows of the span that was ended, and begin the next one at its end
 *
 * All records of the time before that end must have been added. Intervals are cut at both ends of
 * the span, so that the states of a thread that lived all the time add up to it exactly. Rows of
 * threads that are gone are left out the time after.
 * @out: rows, free() them. Return: their number.
 */
size_t fw_tally_take(struct fw_tally *t, struct fw_tally_row **out);

#endif
