/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_COLUMN_H
#define FW_METRICS_COLUMN_H

#include <stdbool.h>

#include "metrics/run.h"

/**
 * struct fw_column_opts - which columns of a CSV file to read
 * @column: FTimes, or with @times present times; in ms, or in s, us or ns where the name ends in _s,
 *	_us or _ns
 * @points: FPS points in place of those that are counted; NULL: counted
 */
struct fw_column_opts {
	const char *column, *points;
	bool times;
};

/**
 * fw_run_read_column() - the FTimes of a CSV file into a run, which is not finished yet
 *
 * Empty cells are passed over. An FTime that is not above 0 is refused and counted; a cell that is
 * no number is an error. @facts gets refused and cut.
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_run_read_column(struct fw_run *run, const char *path, const struct fw_column_opts *opts,
		       struct fw_run_facts *facts);

#endif
