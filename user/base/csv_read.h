/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_CSV_READ_H
#define FW_BASE_CSV_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/**
 * struct fw_csv - a CSV file with a header, row by row (RFC 4180; lines end in LF or CRLF)
 *
 * One row is in memory at a time. What is no CSV is an error that names the line: a quote inside a
 * cell without quotes, text after a closing quote, a row of another width than the header, a column
 * name that stands twice, a row over FW_CSV_ROW_MAX bytes, an end within quotes.
 */
struct fw_csv;

#define FW_CSV_ROW_MAX (1u << 20)
#define FW_CSV_COLUMNS_MAX 4096

/**
 * fw_csv_open() - open a file and read its header; a UTF-8 byte order mark is passed over
 * @path: "-" is standard input
 * Return: 0 and *@out, or a negative errno with fw_fail() set.
 */
int fw_csv_open(const char *path, struct fw_csv **out);
void fw_csv_close(struct fw_csv *c);

/* The column of that name, or -1. */
int fw_csv_find(const struct fw_csv *c, const char *name);
/* The same, where it must be there. Return: 0, or a negative errno with fw_fail() set. */
int fw_csv_need(const struct fw_csv *c, const char *name, int *column);
/* Line on which the row that was read last begins; the header's is 1. */
uint64_t fw_csv_line(const struct fw_csv *c);
/* The file ended in a row without a line end: it may be cut. */
bool fw_csv_unended(const struct fw_csv *c);

/**
 * fw_csv_next() - the next row
 * @cells: set to a text for each column of the header, valid until the next call; an empty cell has
 *	length 0
 * Return: 1 for a row, 0 at the end, negative errno with fw_fail() set.
 */
int fw_csv_next(struct fw_csv *c, const struct fw_str **cells);

/*
 * Would a spreadsheet take this text for a formula? It begins with = + - @ tab or CR, maybe behind
 * apostrophes, and is no number. Written as a cell it gets one more apostrophe in front, which
 * fw_csv_unguarded() takes away.
 */
bool fw_csv_is_formula(struct fw_str s);
struct fw_str fw_csv_unguarded(struct fw_str s);

#endif
