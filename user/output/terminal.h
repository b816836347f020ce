/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_TERMINAL_H
#define FW_OUTPUT_TERMINAL_H

#include "base/row.h"
#include "input/input.h"
#include "metrics/run.h"
#include "output/writer.h"

/**
 * struct fw_terminal - the summary for people
 *
 * Takes the rows of the frames and health tables as they come, keeps only sums and the worst
 * frames, and prints a page of at most 100 columns.
 */
struct fw_terminal;

struct fw_terminal *fw_terminal_new(const char *path, const struct fw_recording *rec);
void fw_terminal_free(struct fw_terminal *t);
/* The sinks to give to fw_report(); they live as long as @t. */
struct fw_sink *fw_terminal_frames(struct fw_terminal *t);
struct fw_sink *fw_terminal_health(struct fw_terminal *t);
/* After the rows: the page, with the metrics of @run. Failures are kept by @w. */
void fw_terminal_print(struct fw_terminal *t, const struct fw_run *run, struct fw_writer *w);

/**
 * fw_terminal_text() - text from a recording, made harmless for a terminal
 * @max: cut after so many characters
 */
void fw_terminal_text(struct fw_writer *w, struct fw_str s, int max);

#endif
