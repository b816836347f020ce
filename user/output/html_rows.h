/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_HTML_ROWS_H
#define FW_OUTPUT_HTML_ROWS_H

#include "base/row.h"
#include "output/writer.h"

/**
 * fw_html_rows() - a sink that writes rows as script elements of JSON, column by column
 *
 * Each element holds up to FW_HTML_CHUNK rows, so that a page decodes only those it shows:
 *
 *	{"texts": [TEXT...], "columns": [COLUMN...]}
 *
 * A text cell is an index into texts. An FW_MS cell is a number of nanoseconds. A number beyond
 * 2^53, which JavaScript would round, is a string. A column is the shortest of
 *
 *	null			all cells are empty
 *	[CELL...]		null where empty
 *	{"r": [CELL, N...]}	N times CELL
 *	{"d": [CELL...]}	differences, each from the number before it
 *
 * An element before them names the columns.
 */
struct fw_sink *fw_html_rows(struct fw_writer *w);
void fw_html_rows_free(struct fw_sink *s);

#define FW_HTML_CHUNK 1024

#endif
