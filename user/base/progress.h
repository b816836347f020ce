/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_PROGRESS_H
#define FW_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Show nothing but warnings; set once, by the command line. */
extern bool fw_quiet;

/**
 * fw_progress() - long work goes on: show how far it is
 * @what: one or two words, such as "reading"; a string constant
 * @done, @total: of the same unit; @total 0 shows nothing
 *
 * Prints to stderr, only where that is a terminal, not before a second has passed, and a few times
 * a second at most; cheap enough to be called for each packet.
 */
void fw_progress(const char *what, uint64_t done, uint64_t total);

/**
 * fw_progress_line() - show a line where the last one stood, on a terminal only
 * Whatever is printed by fw_warn() takes its place.
 */
void fw_progress_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Remove the line, before anything else is printed. Does nothing when there is none. */
void fw_progress_clear(void);

#endif
