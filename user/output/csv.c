// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/format.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

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
	struct fw_csv_style style;
	void (*text)(struct fw_writer *w, struct fw_str s, char sep);
};

static void csv_put(struct fw_writer *w, struct fw_str s, bool guard, char sep)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.p[i] == sep || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r')
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

static void csv_raw(struct fw_writer *w, struct fw_str s, char sep)
{
	csv_put(w, s, false, sep);
}

static void csv_guarded(struct fw_writer *w, struct fw_str s, char sep)
{
	csv_put(w, s, fw_csv_is_formula(s), sep);
}

static void tsv_raw(struct fw_writer *w, struct fw_str s, char sep)
{
	static const char raw[] = "\t\n\r\\", esc[] = "tnr\\";

	for (size_t i = 0; i < s.len; i++) {
		const char *hit = s.p[i] ? strchr(raw, s.p[i]) : NULL;

		if (hit)
			fw_writer_char(w, '\\');
		fw_writer_char(w, hit ? esc[hit - raw] : s.p[i]);
	}
}

static void tsv_guarded(struct fw_writer *w, struct fw_str s, char sep)
{
	if (fw_csv_is_formula(s))
		fw_writer_char(w, '\'');
	tsv_raw(w, s, sep);
}

/* @s with what is no character replaced, written by @text. */
static void clean_text(struct fw_writer *w, struct fw_str s, char sep,
		       void (*text)(struct fw_writer *w, struct fw_str s, char sep))
{
	char *buf;

	text(w, fw_utf8_clean(s, &buf), sep);
	free(buf);
}

static void csv_text(struct fw_writer *w, struct fw_str s, char sep)
{
	clean_text(w, s, sep, csv_guarded);
}

static void tsv_text(struct fw_writer *w, struct fw_str s, char sep)
{
	clean_text(w, s, sep, tsv_guarded);
}

/* "mar1", "May-2026", "true": words that a spreadsheet takes for a date or a truth value. */
static bool sheet_word(struct fw_str s)
{
	static const char months[][4] = { "jan", "feb", "mar", "apr", "may", "jun",
					  "jul", "aug", "sep", "oct", "nov", "dec" };

	if ((s.len == 4 && !strncasecmp(s.p, "true", 4)) ||
	    (s.len == 5 && !strncasecmp(s.p, "false", 5)))
		return true;
	for (size_t m = 0; m < ARRAY_SIZE(months) && s.len > 3; m++)
		for (size_t i = 3; i < s.len && !strncasecmp(s.p, months[m], 3); i++)
			if (s.p[i] >= '0' && s.p[i] <= '9')
				return true;
	return false;
}

/*
 * A spreadsheet runs what begins as a formula, and takes what looks like a number or a date for
 * one. An apostrophe before it leaves it a text.
 */
static bool sheet_guards(struct fw_str s)
{
	unsigned char c = s.len ? (unsigned char)*s.p : 'a';

	return c < '/' || (c >= '0' && c <= '9') || c == '=' || c == '@' || sheet_word(s);
}

static void put_text(struct delim_sink *s, struct fw_str text)
{
	char *guarded;

	/* A formula's guard stands before it in every CSV. */
	if (!s->style.sheet || fw_csv_is_formula(text) || !sheet_guards(text)) {
		s->text(s->w, text, s->style.sep);
		return;
	}
	guarded = fw_calloc(text.len + 1, 1);
	guarded[0] = '\'';
	memcpy(guarded + 1, text.p, text.len);
	s->text(s->w, (struct fw_str){ guarded, text.len + 1 }, s->style.sep);
	free(guarded);
}

/* A spreadsheet keeps 15 digits of a number: what has more is a text there. */
static void put_guard(struct delim_sink *s, uint64_t magnitude)
{
	if (s->style.sheet && magnitude > 999999999999999)
		fw_writer_char(s->w, '\'');
}

static void put_line_end(struct delim_sink *s)
{
	if (s->style.crlf)
		fw_writer_char(s->w, '\r');
	fw_writer_char(s->w, '\n');
}

static void put_cell(struct delim_sink *s, const struct fw_cell *c)
{
	uint64_t magnitude = c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i;

	switch (c->type) {
	case FW_INT:
		put_guard(s, magnitude);
		fw_writer_int(s->w, c->i);
		return;
	case FW_UINT:
		put_guard(s, c->u);
		fw_writer_uint(s->w, c->u);
		return;
	case FW_MS:
		put_guard(s, magnitude);
		fw_writer_ms(s->w, c->i);
		return;
	case FW_REAL:
		if (isfinite(c->d))
			fw_writer_real(s->w, c->d);
		return;
	case FW_TEXT:
		put_text(s, c->s);
		return;
	case FW_NULL:
		return;
	}
}

static int delim_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct delim_sink *s = (struct delim_sink *)sink;

	s->table = t;
	if (s->style.bom)
		fw_writer_puts(s->w, FW_STR("\xef\xbb\xbf"));
	for (int i = 0; i < t->n_columns; i++) {
		if (i)
			fw_writer_char(s->w, s->style.sep);
		s->text(s->w, fw_str(t->columns[i].name), s->style.sep);
	}
	put_line_end(s);
	return 0;
}

static int delim_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct delim_sink *s = (struct delim_sink *)sink;

	for (int i = 0; i < s->table->n_columns; i++) {
		if (i)
			fw_writer_char(s->w, s->style.sep);
		put_cell(s, &cells[i]);
	}
	put_line_end(s);
	return s->w->err ? fw_writer_flush(s->w) : 0;
}

static int delim_end(struct fw_sink *sink)
{
	return fw_writer_flush(((struct delim_sink *)sink)->w);
}

static struct fw_sink *delim_sink(struct fw_writer *w, struct fw_csv_style style,
				  void (*text)(struct fw_writer *w, struct fw_str s, char sep))
{
	struct delim_sink *s = fw_zalloc(sizeof(*s));

	s->sink = (struct fw_sink){ .begin = delim_begin, .row = delim_row, .end = delim_end };
	s->w = w;
	s->style = style;
	s->text = text;
	return &s->sink;
}

struct fw_sink *fw_csv_sink(struct fw_writer *w, bool raw)
{
	return delim_sink(w, (struct fw_csv_style){ .sep = ',' }, raw ? csv_raw : csv_text);
}

struct fw_sink *fw_csv_sink_styled(struct fw_writer *w, const struct fw_csv_style *style)
{
	return delim_sink(w, *style, csv_text);
}

struct fw_sink *fw_tsv_sink(struct fw_writer *w, bool raw)
{
	return delim_sink(w, (struct fw_csv_style){ .sep = '\t' }, raw ? tsv_raw : tsv_text);
}
