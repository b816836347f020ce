/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_ERROR_H
#define FW_BASE_ERROR_H

#include <stdbool.h>

/*
 * Inside the program a failure is a negative errno; the sentence for the user (object's name, what
 * was expected, a hint) is kept here by whoever knows it best, and printed once by the command.
 */

/* Exit status of the program; framewait(1). */
enum fw_exit {
	FW_EXIT_OK = 0,
	FW_EXIT_GATE = 1, /* --fail-if held */
	FW_EXIT_USAGE = 2,
	FW_EXIT_INPUT = 3, /* unreadable, not understood, or the output could not be written */
	FW_EXIT_RECORD = 4, /* cannot record here */
	FW_EXIT_LOSS = 5, /* --strict and data was lost */
};

/**
 * fw_fail() - remember the sentence for the user; the first one of a failure wins
 * @err: positive or negative errno
 * Return: -|@err|, so that callers can write return fw_fail(EINVAL, "...");
 */
int fw_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The remembered sentence ("" when there is none); fw_fail_clear() forgets it. */
const char *fw_fail_text(void);
void fw_fail_clear(void);

/* Say more, for whoever looks for a reason; set once, by the command line. */
extern bool fw_verbose;
/* Print a line to stderr when fw_verbose is set. */
void fw_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print "framewait: ..." to stderr. */
void fw_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
