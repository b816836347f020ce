/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_SIDE_TABLES_H
#define FW_TABLE_SIDE_TABLES_H

#include "base/health.h"
#include "base/row.h"
#include "input/side/side.h"

/* The dumps that are a table of their own: a row a frame, in the order of the file. */

/* The columns of the table of a kind; NULL for FW_SIDE_NONE and behind the last. */
const struct fw_table *fw_side_table(enum fw_side_kind kind);
/* FW_SIDE_NONE: there is none of that name. */
enum fw_side_kind fw_side_table_find(const char *name);

/**
 * fw_side_table_run() - write the table of a dump
 * @src: taken over
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_side_table_run(enum fw_side_kind kind, struct fw_source *src, struct fw_health *health,
		      struct fw_sink *sink);

#endif
