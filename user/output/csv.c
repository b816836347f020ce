// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/format.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv_read.h"
#include "base/mem.h"
#include "base/utf8.h"

/*
 * CSV as RFC 4180 has it, with LF, and TSV: the same rows between other separators.
 */
struct delim_sink {
	struct fw_sink sink;
	struct fw_writer *w;
	const struct fw_table *table;
	char sep;
	void (*text)(struct fw_writer *w, struct fw_str s);
};

static void csv_put(struct fw_writer *w, struct fw_str s, bool guard)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.p[i] == ',' || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r')
			break;
	if (i < s.len)
		fw_writer_char(w, '"');
	if (guard)
		fw_writer_char(w, '\'');
	if (i == s.len) {
		fw_writer_puts(w, s);
		return;
	}
	for (i = 0; i < s.len; i++) {
		if (s.p[i] == '"')
			fw_writer_char(w, '"');
		fw_writer_char(w, s.p[i]);
	}
	fw_writer_char(w, '"');
}

static void csv_raw(struct fw_writer *w, struct fw_str s)
{
	csv_put(w, s, false);
}

static void csv_guarded(struct fw_writer *w, struct fw_str s)
{
	csv_put(w, s, fw_csv_is_formula(s));
}

static void tsv_raw(struct fw_writer *w, struct fw_str s)
{
	static const char raw[] = "\t\n\r\\", esc[] = "tnr\\";

	for (size_t i = 0; i < s.len; i++) {
		const char *hit = s.p[i] ? strchr(raw, s.p[i]) : NULL;

		if (hit)
			fw_writer_char(w, '\\');
		fw_writer_char(w, hit ? esc[hit - raw] : s.p[i]);
	}
}

static void tsv_guarded(struct fw_writer *w, struct fw_str s)
{
	if (fw_csv_is_formula(s))
		fw_writer_char(w, '\'');
	tsv_raw(w, s);
}

/* @s with what is no character replaced, written by @text. */
static void clean_text(struct fw_writer *w, struct fw_str s,
		       void (*text)(struct fw_writer *w, struct fw_str s))
{
	char *buf;

	text(w, fw_utf8_clean(s, &buf));
	free(buf);
}

static void csv_text(struct fw_writer *w, struct fw_str s)
{
	clean_text(w, s, csv_guarded);
}

static void tsv_text(struct fw_writer *w, struct fw_str s)
{
	clean_text(w, s, tsv_guarded);
}

static int delim_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct delim_sink *s = (struct delim_sink *)sink;

	s->table = t;
	for (int i = 0; i < t->n_columns; i++) {
		if (i)
			fw_writer_char(s->w, s->sep);
		s->text(s->w, fw_str(t->columns[i].name));
	}
	fw_writer_char(s->w, '\n');
	return 0;
}

static int delim_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct delim_sink *s = (struct delim_sink *)sink;

	for (int i = 0; i < s->table->n_columns; i++) {
		const struct fw_cell *c = &cells[i];

		if (i)
			fw_writer_char(s->w, s->sep);
		if (c->type == FW_INT)
			fw_writer_int(s->w, c->i);
		else if (c->type == FW_UINT)
			fw_writer_uint(s->w, c->u);
		else if (c->type == FW_MS)
			fw_writer_ms(s->w, c->i);
		else if (c->type == FW_REAL && isfinite(c->d))
			fw_writer_real(s->w, c->d);
		else if (c->type == FW_TEXT)
			s->text(s->w, c->s);
	}
	fw_writer_char(s->w, '\n');
	return s->w->err ? fw_writer_flush(s->w) : 0;
}

static int delim_end(struct fw_sink *sink)
{
	return fw_writer_flush(((struct delim_sink *)sink)->w);
}

static struct fw_sink *delim_sink(struct fw_writer *w, char sep,
				  void (*text)(struct fw_writer *w, struct fw_str s))
{
	struct delim_sink *s = fw_zalloc(sizeof(*s));

	s->sink = (struct fw_sink){ .begin = delim_begin, .row = delim_row, .end = delim_end };
	s->w = w;
	s->sep = sep;
	s->text = text;
	return &s->sink;
}

struct fw_sink *fw_csv_sink(struct fw_writer *w, bool raw)
{
	return delim_sink(w, ',', raw ? csv_raw : csv_text);
}

struct fw_sink *fw_tsv_sink(struct fw_writer *w, bool raw)
{
	return delim_sink(w, '\t', raw ? tsv_raw : tsv_text);
}
