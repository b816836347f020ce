/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_JSON_SCHEMA_H
#define FW_OUTPUT_JSON_SCHEMA_H

#include <stdbool.h>

#include "base/row.h"
#include "output/writer.h"

/* The version is one of its columns. */
bool fw_json_versioned(const struct fw_table *t);

/**
 * fw_json_schema() - a JSON Schema (draft 2020-12) of what -f json prints of a table
 *
 * The document is of the array; its "items" are the schema of a line of -f jsonl. Each property
 * has the column's unit, and where it may be null "empty" says when.
 */
void fw_json_schema(struct fw_writer *w, const struct fw_table *t);

#endif
