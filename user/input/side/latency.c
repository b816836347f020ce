// SPDX-License-Identifier: GPL-2.0-or-later
/* latency - the frames of dumpsys SurfaceFlinger --latency */
#include "input/side/latency.h"

#include <stdlib.h>

#include "base/mem.h"
#include "input/lines.h"

/* The longest refresh period that can be one: 1 Hz. */
#define PERIOD_MAX INT64_C(1000000000)

enum line_kind { LINE_EMPTY, LINE_PERIOD, LINE_ROW, LINE_BAD, LINE_TEXT };

struct fw_latency {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_lines lines;
	char *layer;
	bool in_table; /* rows were read since the last line that is none */
	uint64_t frames; /* of the table, so far */
	struct fw_latency_row row;
	bool again; /* the line that ended a table is still to be read */
	struct fw_str line;
};

/* One number or three between blanks; as many as there are in a row that is damaged. */
static enum line_kind classify(struct fw_str s, int64_t v[3])
{
	int n = 0;

	s = fw_str_trim(s);
	if (!s.len)
		return LINE_EMPTY;
	while (s.len) {
		struct fw_str word = { s.p, 0 };

		while (word.len < s.len && s.p[word.len] != ' ' && s.p[word.len] != '\t')
			word.len++;
		if (!fw_str_int(word, &v[FW_MIN(n, 2)]))
			return LINE_TEXT;
		n++;
		s = fw_str_trim((struct fw_str){ s.p + word.len, s.len - word.len });
	}
	return n == 3 ? LINE_ROW : n == 1 ? LINE_PERIOD : LINE_BAD;
}

int fw_latency_probe(struct fw_str line, int *state)
{
	enum { NOTHING, TEXT, PERIOD };
	int64_t v[3];

	switch (classify(line, v)) {
	case LINE_EMPTY:
		return 0;
	case LINE_ROW:
		/* Without its period only what names itself is taken for a table. */
		return *state == PERIOD ? 1 : -1;
	case LINE_PERIOD:
		if (v[0] <= 0 || v[0] > PERIOD_MAX)
			return -1;
		*state = PERIOD;
		return 0;
	case LINE_TEXT:
		/* One line above the table; a second one makes it another text. */
		if (*state == TEXT)
			return -1;
		*state = *state == PERIOD ? PERIOD : TEXT;
		return 0;
	case LINE_BAD:
		return -1;
	}
	return -1;
}

static bool cut_at(struct fw_str *s, struct fw_str what)
{
	const char *p = memmem(s->p, s->len, what.p, what.len);

	if (p)
		s->len = (size_t)(p - s->p);
	return p;
}

static bool cut_before(struct fw_str *s, struct fw_str what)
{
	const char *p = memmem(s->p, s->len, what.p, what.len);

	if (p) {
		s->len -= (size_t)(p - s->p) + what.len;
		s->p = p + what.len;
		*s = fw_str_trim(*s);
	}
	return p;
}

static void unquote(struct fw_str *s)
{
	while (s->len >= 2 && (s->p[0] == '"' || s->p[0] == '\'') && s->p[s->len - 1] == s->p[0]) {
		s->p++;
		s->len -= 2;
	}
}

struct fw_str fw_latency_layer(struct fw_str text)
{
	struct fw_str s = fw_str_trim(text);

	cut_before(&s, FW_STR("--latency "));
	if (fw_str_starts(s, FW_STR("Layer:")) || fw_str_starts(s, FW_STR("layer:")))
		s = fw_str_trim((struct fw_str){ s.p + 6, s.len - 6 });
	unquote(&s);
	if (cut_before(&s, FW_STR("RequestedLayerState{")) && !cut_at(&s, FW_STR(" parentId=")) &&
	    s.len && s.p[s.len - 1] == '}')
		s.len--;
	s = fw_str_trim(s);
	if (s.len && s.p[s.len - 1] == ':')
		s.len--;
	return s.len ? s : FW_STR_NONE;
}

int fw_latency_open(struct fw_source *src, struct fw_health *health, struct fw_latency **out)
{
	struct fw_latency *l = fw_zalloc(sizeof(*l));
	int err = fw_lines_init(&l->lines, src);

	l->src = src;
	l->health = health;
	l->row.period = FW_LATENCY_UNKNOWN;
	if (err)
		fw_latency_close(l);
	else
		*out = l;
	return err;
}

void fw_latency_close(struct fw_latency *l)
{
	if (!l)
		return;
	fw_lines_free(&l->lines);
	fw_source_close(l->src);
	free(l->layer);
	free(l);
}

static void name_layer(struct fw_latency *l, struct fw_str text)
{
	struct fw_str s = fw_latency_layer(text);

	free(l->layer);
	l->layer = fw_memdup(s.p, s.len);
	l->row.layer = s.p ? (struct fw_str){ l->layer, s.len } : FW_STR_NONE;
}

/* Return: is there something to give for the table that ends here? */
static bool end_table(struct fw_latency *l)
{
	bool was = l->in_table;

	l->in_table = false;
	if (!was || l->frames)
		return false;
	fw_health_add(l->health, FW_H_fw_latency_empty_tables, FW_HEALTH_NO_IDX, 1);
	l->row.no_frames = true;
	l->row.desired = l->row.actual = l->row.ready = FW_LATENCY_UNKNOWN;
	return true;
}

static int64_t time_of(int64_t v)
{
	return v <= 0 || v == INT64_MAX ? FW_LATENCY_UNKNOWN : v;
}

/* Return: is it a frame? */
static bool read_row(struct fw_latency *l, const int64_t v[3])
{
	if (!l->in_table) {
		l->in_table = true;
		l->frames = 0;
		l->row.table++;
	}
	l->row.line = l->lines.number;
	if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
		fw_health_add(l->health, FW_H_fw_latency_empty_rows, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	l->frames++;
	l->row.no_frames = false;
	l->row.desired = time_of(v[0]);
	l->row.actual = time_of(v[1]);
	l->row.ready = time_of(v[2]);
	return true;
}

static void read_other(struct fw_latency *l, enum line_kind kind, struct fw_str line, int64_t v)
{
	if (kind == LINE_PERIOD)
		l->row.period = v > 0 && v <= PERIOD_MAX ? v : FW_LATENCY_UNKNOWN;
	if (kind == LINE_BAD || (kind == LINE_PERIOD && l->row.period == FW_LATENCY_UNKNOWN)) {
		fw_health_add(l->health, FW_H_fw_side_bad_rows, FW_HEALTH_NO_IDX, 1);
	} else if (kind == LINE_TEXT) {
		l->row.period = FW_LATENCY_UNKNOWN;
		name_layer(l, line);
	}
}

int fw_latency_next(struct fw_latency *l, const struct fw_latency_row **row)
{
	int64_t v[3];
	int ret = 1;

	*row = &l->row;
	while (l->again || (ret = fw_lines_next(&l->lines, &l->line)) > 0) {
		enum line_kind kind = classify(l->line, v);

		l->again = false;
		/* The last number of a file that was cut may be too short. */
		if (kind == LINE_ROW && !l->lines.ended)
			kind = LINE_BAD;
		if (kind == LINE_ROW) {
			if (read_row(l, v))
				return 1;
			continue;
		}
		if (end_table(l)) {
			l->again = true;
			return 1;
		}
		read_other(l, kind, l->line, v[0]);
	}
	if (ret < 0)
		return ret;
	return end_table(l);
}
