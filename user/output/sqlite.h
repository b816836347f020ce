/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_SQLITE_H
#define FW_OUTPUT_SQLITE_H

#include "base/row.h"
#include "frame/columns.h"

/**
 * struct fw_sqlite - all frame tables as one SQLite database
 *
 * Tables and columns bear the names of columns.def; ms are REAL, exact to the nanosecond for 11
 * days; of the ids that use all 64 bits those above 2^63 - 1 are TEXT. frames has the key frame_id,
 * which threads and intervals refer to; the table "columns" says what each column means.
 */
struct fw_sqlite;

/**
 * fw_sqlite_open() - begin a database
 * @path: must not be there yet
 * Return: 0 and *@out, or a negative errno with fw_fail() set: -ENOTSUP where the program was built
 *	without SQLite.
 */
int fw_sqlite_open(const char *path, struct fw_sqlite **out);
/* The sink of a table; frames must come before threads and intervals, as fw_report() has them. */
struct fw_sink *fw_sqlite_sink(struct fw_sqlite *s, enum fw_frame_table t);
/**
 * fw_sqlite_close() - add keys, documentation and views, close, free
 * @err: of the rows; when it is not 0 the file is of no use
 * Return: @err, or a negative errno with fw_fail() set.
 */
int fw_sqlite_close(struct fw_sqlite *s, int err);

/* Statements that make the views and indices, ended by NULL. */
extern const char *const fw_sqlite_views[];

#endif
