/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_STAT_ROWS_H
#define FW_METRICS_STAT_ROWS_H

#include "metrics/run.h"

/* The definitions of metrics.def as rows: framewait stat --list. */
extern const struct fw_table fw_metric_table;
int fw_metric_list(struct fw_sink *sink);

/* A row is one metric of one run, or of one of its series. */
extern const struct fw_table fw_stat_table;

/* Rows of a finished run, between begin and end of the sink. @input: its name */
int fw_stat_rows(const struct fw_run *run, const char *input, struct fw_sink *sink);

#endif
