/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_FILE_H
#define FW_OUTPUT_FILE_H

#include "base/row.h"
#include "frame/columns.h"

/* Formats that hold all frame tables in one file. */
enum fw_file_format { FW_FILE_NONE, FW_FILE_SQLITE, FW_FILE_PERFETTO, FW_FILE_FORMATS };

/* Return: the format of that name, or FW_FILE_NONE. */
enum fw_file_format fw_file_format_find(const char *name);
const char *fw_file_format_name(enum fw_file_format f);
/* "sqlite, perfetto" */
const char *fw_file_format_names(void);

struct fw_file;

/**
 * fw_file_open() - begin a file
 * @path: must not be there yet
 * Return: 0 and *@out, or a negative errno with fw_fail() set.
 */
int fw_file_open(enum fw_file_format f, const char *path, struct fw_file **out);
/* The sink of a table; the tables come in the order of enum fw_frame_table, as fw_report() has it. */
struct fw_sink *fw_file_sink(struct fw_file *f, enum fw_frame_table t);
/* Finish and free. @err: of the rows. Return: @err, or a negative errno with fw_fail() set. */
int fw_file_close(struct fw_file *f, int err);

#endif
