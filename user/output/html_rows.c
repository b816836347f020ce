// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/html_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "output/json_text.h"

#define MAX_EXACT (INT64_C(1) << 53)
#define MAX_TEXT_BYTES (4 << 20)

struct html_rows {
	struct fw_sink sink;
	struct fw_writer *w;
	const struct fw_table *table;
	struct fw_cell *cells; /* column by column; texts are ids of @texts */
	struct fw_names *texts;
	uint32_t n_texts;
	size_t text_bytes;
	int n;
	int key; /* column of the frame's start, or -1 */
};

enum shape { PLAIN, RUNS, DIFFERENCES };

static void put_cell(struct fw_writer *w, const struct fw_cell *c)
{
	const char *quote = "";

	if (c->type == FW_NULL || (c->type == FW_REAL && !isfinite(c->d))) {
		fw_writer_puts(w, FW_STR("null"));
		return;
	}
	if (c->type == FW_REAL) {
		fw_writer_real(w, c->d);
		return;
	}
	if (c->type == FW_UINT ? c->u > MAX_EXACT : c->i > MAX_EXACT || c->i < -MAX_EXACT)
		quote = "\"";
	fw_writer_puts(w, fw_str(quote));
	if (c->type == FW_UINT)
		fw_writer_uint(w, c->u);
	else
		fw_writer_int(w, c->i);
	fw_writer_puts(w, fw_str(quote));
}

static size_t digits(int64_t v)
{
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
	size_t n = v < 0 ? 2 : 1;

	while (u >= 10) {
		u /= 10;
		n++;
	}
	return n;
}

static size_t cell_size(const struct fw_cell *c)
{
	return c->type == FW_NULL ? 4 : c->type == FW_REAL ? 12 : digits(c->i);
}

static bool same(const struct fw_cell *a, const struct fw_cell *b)
{
	return a->type == b->type && (a->type == FW_NULL || a->u == b->u);
}

/* Which way to write it takes the fewest bytes, about. */
static enum shape shape_of(const struct fw_cell *c, int n)
{
	size_t plain = 0, runs = 0, differences = 0, run = 0;
	bool whole = true;
	int64_t last = 0;

	for (int i = 0; i < n; i++) {
		size_t size = cell_size(&c[i]);

		plain += size + 1;
		run++;
		if (i + 1 == n || !same(&c[i], &c[i + 1])) {
			runs += size + digits(run) + 2;
			run = 0;
		}
		if (c[i].type == FW_REAL ||
		    (c[i].type != FW_NULL && (c[i].i > MAX_EXACT || c[i].i < -MAX_EXACT))) {
			whole = false;
		} else if (whole && c[i].type != FW_NULL) {
			differences += digits(c[i].i - last) + 1;
			last = c[i].i;
		} else {
			differences += size + 1;
		}
	}
	if (runs < plain && (runs <= differences || !whole))
		return RUNS;
	return whole && differences < plain ? DIFFERENCES : PLAIN;
}

static void put_runs(struct fw_writer *w, const struct fw_cell *c, int n)
{
	int run = 0;

	fw_writer_puts(w, FW_STR("{\"r\":["));
	for (int i = 0; i < n; i++) {
		run++;
		if (i + 1 < n && same(&c[i], &c[i + 1]))
			continue;
		if (i >= run)
			fw_writer_char(w, ',');
		put_cell(w, &c[i]);
		fw_writer_printf(w, ",%d", run);
		run = 0;
	}
	fw_writer_puts(w, FW_STR("]}"));
}

static void put_differences(struct fw_writer *w, const struct fw_cell *c, int n)
{
	int64_t last = 0;

	fw_writer_puts(w, FW_STR("{\"d\":["));
	for (int i = 0; i < n; i++) {
		if (i)
			fw_writer_char(w, ',');
		if (c[i].type == FW_NULL) {
			fw_writer_puts(w, FW_STR("null"));
			continue;
		}
		fw_writer_int(w, c[i].i - last);
		last = c[i].i;
	}
	fw_writer_puts(w, FW_STR("]}"));
}

static void put_plain(struct fw_writer *w, const struct fw_cell *c, int n)
{
	fw_writer_char(w, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			fw_writer_char(w, ',');
		put_cell(w, &c[i]);
	}
	fw_writer_char(w, ']');
}

static void put_column(struct fw_writer *w, const struct fw_cell *c, int n)
{
	bool any = false;

	for (int i = 0; i < n && !any; i++)
		any = c[i].type != FW_NULL;
	if (!any) {
		fw_writer_puts(w, FW_STR("null"));
		return;
	}
	switch (shape_of(c, n)) {
	case RUNS:
		put_runs(w, c, n);
		return;
	case DIFFERENCES:
		put_differences(w, c, n);
		return;
	case PLAIN:
		put_plain(w, c, n);
	}
}

static void put_attribute(struct html_rows *s, const char *name, int row)
{
	fw_writer_printf(s->w, " data-%s=\"%" PRId64 "\"", name,
			 s->cells[(size_t)s->key * FW_HTML_CHUNK + row].i);
}

static void put_chunk(struct html_rows *s)
{
	struct fw_writer *w = s->w;

	if (!s->n)
		return;
	fw_writer_printf(w, "<script type=\"application/json\" data-rows=\"%s\" data-n=\"%d\"",
			 s->table->name, s->n);
	if (s->key >= 0) {
		put_attribute(s, "first", 0);
		put_attribute(s, "last", s->n - 1);
	}
	fw_writer_puts(w, FW_STR(">{\"texts\":["));
	for (uint32_t id = 1; id <= s->n_texts; id++) {
		if (id > 1)
			fw_writer_char(w, ',');
		fw_json_text_in_html(w, fw_names_str(s->texts, id));
	}
	fw_writer_puts(w, FW_STR("],\"columns\":["));
	for (int i = 0; i < s->table->n_columns; i++) {
		if (i)
			fw_writer_puts(w, FW_STR(",\n"));
		put_column(w, &s->cells[(size_t)i * FW_HTML_CHUNK], s->n);
	}
	fw_writer_puts(w, FW_STR("]}</script>\n"));
	fw_names_free(s->texts);
	s->texts = fw_names_new();
	s->n_texts = 0;
	s->text_bytes = 0;
	s->n = 0;
}

static void put_member(struct fw_writer *w, const char *name, const char *value)
{
	fw_writer_printf(w, ",\"%s\":", name);
	if (value)
		fw_json_text_in_html(w, fw_str(value));
	else
		fw_writer_puts(w, FW_STR("null"));
}

static void put_table(struct html_rows *s)
{
	static const char *const types[] = {
		[FW_NULL] = "null", [FW_INT] = "int", [FW_REAL] = "real",
		[FW_TEXT] = "text", [FW_MS] = "ms",   [FW_UINT] = "int",
	};
	const struct fw_table *t = s->table;
	struct fw_writer *w = s->w;

	fw_writer_printf(w, "<script type=\"application/json\" data-table=\"%s\">[", t->name);
	for (int i = 0; i < t->n_columns; i++) {
		const struct fw_column *c = &t->columns[i];

		fw_writer_puts(w, i ? FW_STR(",\n{\"name\":") : FW_STR("{\"name\":"));
		fw_json_text_in_html(w, fw_str(c->name));
		put_member(w, "unit", c->unit);
		put_member(w, "type", types[c->type]);
		put_member(w, "meaning", c->meaning);
		put_member(w, "empty", c->empty);
		fw_writer_char(w, '}');
	}
	fw_writer_puts(w, FW_STR("]</script>\n"));
}

static int rows_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct html_rows *s = (struct html_rows *)sink;

	s->table = t;
	s->key = -1;
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, "actual_start_ns"))
			s->key = i;
	s->cells = fw_zalloc((size_t)t->n_columns * FW_HTML_CHUNK * sizeof(*s->cells));
	put_table(s);
	return 0;
}

static struct fw_cell text_id(struct html_rows *s, struct fw_str text)
{
	uint32_t id = fw_names_id(s->texts, text);

	if (id > s->n_texts) {
		s->n_texts = id;
		s->text_bytes += text.len;
	}
	return fw_int(id - 1);
}

static int rows_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct html_rows *s = (struct html_rows *)sink;

	for (int i = 0; i < s->table->n_columns; i++) {
		struct fw_cell *to = &s->cells[(size_t)i * FW_HTML_CHUNK + s->n];

		*to = cells[i].type == FW_TEXT ? text_id(s, cells[i].s) : cells[i];
	}
	if (++s->n == FW_HTML_CHUNK || s->text_bytes > MAX_TEXT_BYTES)
		put_chunk(s);
	return s->w->err ? fw_writer_flush(s->w) : 0;
}

static int rows_end(struct fw_sink *sink)
{
	struct html_rows *s = (struct html_rows *)sink;

	put_chunk(s);
	free(s->cells);
	s->cells = NULL;
	return s->w->err ? fw_writer_flush(s->w) : 0;
}

struct fw_sink *fw_html_rows(struct fw_writer *w)
{
	struct html_rows *s = fw_zalloc(sizeof(*s));

	s->sink = (struct fw_sink){ .begin = rows_begin, .row = rows_row, .end = rows_end };
	s->w = w;
	s->texts = fw_names_new();
	return &s->sink;
}

void fw_html_rows_free(struct fw_sink *sink)
{
	struct html_rows *s = (struct html_rows *)sink;

	if (!s)
		return;
	free(s->cells);
	fw_names_free(s->texts);
	free(s);
}
