// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/format.h"

#include <stdlib.h>

static const char *const names[FW_FORMAT_COUNT] = { "csv", "tsv", "json", "jsonl" };

int fw_format_find(const char *name)
{
	for (int f = 0; f < FW_FORMAT_COUNT; f++)
		if (!strcmp(name, names[f]))
			return f;
	return -1;
}

const char *fw_format_names(void)
{
	return "csv, tsv, json, jsonl";
}

const char *fw_format_suffix(enum fw_format f)
{
	return names[f];
}

static struct fw_sink *new_sink(enum fw_format f, struct fw_writer *w, bool raw)
{
	switch (f) {
	case FW_FORMAT_TSV:
		return fw_tsv_sink(w, raw);
	case FW_FORMAT_JSON:
		return fw_json_sink(w, false);
	case FW_FORMAT_JSONL:
		return fw_json_sink(w, true);
	default:
		return fw_csv_sink(w, raw);
	}
}

struct fw_sink *fw_format_sink(enum fw_format f, struct fw_writer *w)
{
	return new_sink(f, w, false);
}

struct fw_sink *fw_format_sink_raw(enum fw_format f, struct fw_writer *w)
{
	return new_sink(f, w, true);
}

void fw_format_sink_free(struct fw_sink *s)
{
	free(s);
}
