/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_METRICS_H
#define FW_OUTPUT_METRICS_H

#include "metrics/compare.h"
#include "output/writer.h"

/* Metrics for people, rounded: the only place where they are. Failures are kept by @w. */

/* A part of the report's page. */
void fw_metrics_summary(const struct fw_run *run, struct fw_writer *w);
/* The page of stat. */
void fw_metrics_page(const char *path, const struct fw_run *run, struct fw_writer *w);

/* The page of compare. */
void fw_compare_page(const struct fw_compare *c, double confidence, struct fw_writer *w);

#endif
