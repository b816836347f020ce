/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_FRAMES_CSV_H
#define FW_METRICS_FRAMES_CSV_H

#include <stdbool.h>

#include "base/row.h"
#include "frame/report.h"

/* Is the file a frames.csv: text whose first line names the columns kind and actual_ms? */
bool fw_is_frames_csv(const char *path);

/**
 * fw_frames_csv() - rows of the frames table from a frames.csv
 * @opts: which frames, as for fw_report()
 * @cut: set: the last row has no line end
 *
 * Columns are found by their names; those that this program does not have are passed over, those
 * that the file lacks are empty. A cell that is not of its column's type is an error.
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_frames_csv(const char *path, const struct fw_report_opts *opts, struct fw_sink *sink,
		  bool *cut);

#endif
