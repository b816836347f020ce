/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_HTML_H
#define FW_OUTPUT_HTML_H

#include "frame/columns.h"
#include "output/writer.h"

/**
 * struct fw_html - one page with all rows of a recording in it
 *
 * The page itself (user/output/html/) is in the program; the rows go into it as they come, a
 * thousand at a time.
 */
struct fw_html;
struct fw_run;

/*
 * Return: 0, or a negative errno with fw_fail() set where the program has no page: it was built where
 * npm could not fetch what draws the charts.
 */
int fw_html_check(void);

/**
 * fw_html_new() - begin the page
 * @name: of the recording, as the user knows it
 * @w: where to; stays the caller's and must outlive the page
 */
struct fw_html *fw_html_new(const char *name, struct fw_writer *w);
void fw_html_free(struct fw_html *h);
/* The sink of a table; it lives as long as @h. NULL: the page shows nothing of it. */
struct fw_sink *fw_html_sink(struct fw_html *h, enum fw_frame_table t);
/**
 * fw_html_finish() - the metrics, and the end of the page
 * @run: finished
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_html_finish(struct fw_html *h, const struct fw_run *run);

#endif
