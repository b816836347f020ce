/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_SOURCE_H
#define FW_METRICS_SOURCE_H

#include "frame/report.h"
#include "metrics/run.h"

/**
 * fw_run_read() - read a recording or a frames.csv into a run
 * @frames: which frames, and whose threads
 * @facts: filled in; of a frames.csv from the recording.csv and health.csv that lie beside it
 *
 * The run is not finished yet.
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_run_read(struct fw_run *run, const char *path, const struct fw_report_opts *frames,
		struct fw_run_facts *facts);

/* The options of a run of these frames. */
struct fw_run_opts fw_run_opts_of(const struct fw_report_opts *frames);

#endif
