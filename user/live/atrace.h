/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_ATRACE_H
#define FW_LIVE_ATRACE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Android's programs write trace marks only for the tags in the property
 * debug.atrace.tags.enableflags. A recording adds the tags of frames and takes away at its end what
 * it added. Who holds them, and what stood there before, is kept in a property of our own: the last
 * one to end restores, and what a killed recording left is restored by the next.
 */

/**
 * fw_atrace_hold() - frames shall be marked
 * Return: 0; 1 where there are no such properties (no Android); or a negative errno with fw_fail() set.
 */
int fw_atrace_hold(void);
/* Undo what fw_atrace_hold() did. Return: 0, or a negative errno with fw_fail() set. */
int fw_atrace_release(void);

/* Are there the programs for it? @detail: the tags that are set now, or what is missing. */
bool fw_atrace_possible(char *detail, size_t size);

#endif
