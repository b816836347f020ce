// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/format.h"

#include <math.h>

#include "base/mem.h"
#include "frame/columns.h"
#include "output/json_schema.h"
#include "output/json_text.h"

/*
 * Rows as JSON objects, written as they come. A document library would hold the whole array, and
 * would turn exact milliseconds into doubles. Each has the version of the columns, since lines are
 * cut out and put together.
 */
struct json_sink {
	struct fw_sink sink;
	struct fw_writer *w;
	const struct fw_table *table;
	bool lines;
	bool versioned; /* by a column of its own */
	bool any;
};

static int json_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct json_sink *s = (struct json_sink *)sink;

	s->table = t;
	s->any = false;
	s->versioned = fw_json_versioned(t);
	if (!s->lines)
		fw_writer_puts(s->w, FW_STR("[\n"));
	return 0;
}

static void json_cell(struct fw_writer *w, const struct fw_cell *c)
{
	switch (c->type) {
	case FW_INT:
		fw_writer_int(w, c->i);
		return;
	case FW_UINT:
		fw_writer_uint(w, c->u);
		return;
	case FW_MS:
		fw_writer_ms(w, c->i);
		return;
	case FW_TEXT:
		fw_json_text(w, c->s);
		return;
	case FW_REAL:
		if (isfinite(c->d)) {
			fw_writer_real(w, c->d);
			return;
		}
		break;
	case FW_NULL:
		break;
	}
	fw_writer_puts(w, FW_STR("null"));
}

static int json_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct json_sink *s = (struct json_sink *)sink;

	if (s->any && !s->lines)
		fw_writer_puts(s->w, FW_STR(",\n"));
	s->any = true;
	fw_writer_char(s->w, '{');
	if (!s->versioned) {
		fw_writer_puts(s->w, FW_STR("\"schema\":"));
		fw_writer_int(s->w, FW_SCHEMA_VERSION);
	}
	for (int i = 0; i < s->table->n_columns; i++) {
		if (i || !s->versioned)
			fw_writer_char(s->w, ',');
		fw_json_text(s->w, fw_str(s->table->columns[i].name));
		fw_writer_char(s->w, ':');
		json_cell(s->w, &cells[i]);
	}
	fw_writer_char(s->w, '}');
	if (s->lines)
		fw_writer_char(s->w, '\n');
	return s->w->err ? fw_writer_flush(s->w) : 0;
}

static int json_end(struct fw_sink *sink)
{
	struct json_sink *s = (struct json_sink *)sink;

	if (!s->lines)
		fw_writer_puts(s->w, s->any ? FW_STR("\n]\n") : FW_STR("]\n"));
	return fw_writer_flush(s->w);
}

struct fw_sink *fw_json_sink(struct fw_writer *w, bool lines)
{
	struct json_sink *s = fw_zalloc(sizeof(*s));

	s->sink = (struct fw_sink){ .begin = json_begin, .row = json_row, .end = json_end };
	s->w = w;
	s->lines = lines;
	return &s->sink;
}
