/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_FORMAT_H
#define FW_OUTPUT_FORMAT_H

#include "base/row.h"
#include "output/writer.h"

enum fw_format {
	FW_FORMAT_CSV, /* RFC 4180 with LF, header always */
	FW_FORMAT_TSV, /* tab, newline, return and backslash in texts as \t \n \r \\ */
	FW_FORMAT_JSON, /* one array of objects, each with the schema's version; null: an empty cell */
	FW_FORMAT_JSONL, /* one object a line */
	FW_FORMAT_COUNT
};

/* Return: the format of that name, or -1. */
int fw_format_find(const char *name);
/* "csv, tsv, json, jsonl" */
const char *fw_format_names(void);
/* File name suffix without the dot. */
const char *fw_format_suffix(enum fw_format f);

/**
 * fw_format_sink() - a sink that writes rows in a format
 * @w: where to; stays the caller's and must outlive the sink
 *
 * Each byte of a text that is no UTF-8 becomes U+FFFD, and in csv and tsv NUL does too.
 * A failed write ends the rows: row() and end() return it. end() flushes @w.
 */
struct fw_sink *fw_format_sink(enum fw_format f, struct fw_writer *w);
/* As fw_format_sink(), but texts in csv and tsv keep bytes that are no UTF-8, and NUL. */
struct fw_sink *fw_format_sink_raw(enum fw_format f, struct fw_writer *w);
void fw_format_sink_free(struct fw_sink *s);

/**
 * struct fw_csv_style - how CSV is written; { .sep = ',' } is RFC 4180 with LF
 * @sheet: for spreadsheets: an apostrophe stands before each text that one would run as a formula
 *	or take for a number, a date or a truth value, and before each number of more than 15 digits
 */
struct fw_csv_style {
	char sep;
	bool crlf, bom, sheet;
};

struct fw_sink *fw_csv_sink_styled(struct fw_writer *w, const struct fw_csv_style *style);

/* One for each family of formats; use fw_format_sink(). */
struct fw_sink *fw_csv_sink(struct fw_writer *w, bool raw);
struct fw_sink *fw_tsv_sink(struct fw_writer *w, bool raw);
struct fw_sink *fw_json_sink(struct fw_writer *w, bool lines);

#endif
