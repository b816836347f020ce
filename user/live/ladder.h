/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_LADDER_H
#define FW_LIVE_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include "live/session.h"

/**
 * struct fw_capability - one rung of the ladder, found by trying it
 * @name: as in the head of a capture
 * @have: it works here
 * @required: without it nothing can be recorded
 * @detail: what was found, or why it does not work
 * @gives: what it is for
 * @empty: columns and tables that stay empty without it
 * @brings: what would bring it
 */
struct fw_capability {
	const char *name;
	bool have, required;
	char detail[256];
	const char *gives, *empty, *brings;
};

/* The rungs of the programs, and what else is tried. */
#define FW_CAPABILITIES (FW_RUNG_COUNT + 6)

/* Try all. Return: number of rungs in @caps. */
size_t fw_ladder(struct fw_capability caps[FW_CAPABILITIES]);

#endif
