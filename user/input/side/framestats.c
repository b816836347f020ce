// SPDX-License-Identifier: GPL-2.0-or-later
/* framestats - the frames of dumpsys gfxinfo framestats */
#include "input/side/framestats.h"

#include <stdlib.h>

#include "base/mem.h"
#include "input/lines.h"

#define COLUMNS_MAX 256
#define NO_FIELD (-1)

static const struct {
	struct fw_str name;
	enum fw_framestats_kind kind;
} fields[] = {
#define X(field, name, kind, column, what) { { name, sizeof(name) - 1 }, FW_FS_##kind },
	FW_FRAMESTATS_LIST(X)
#undef X
};

static const struct fw_str process_line = { "** Graphics info for pid ", 25 };
static const struct fw_str window_line = { "Window: ", 8 };
static const struct fw_str block_line = { "---PROFILEDATA---", 17 };

struct fw_framestats {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_lines lines;
	char *process, *window, *header, *other;
	bool in_block;
	bool any; /* rows */
	bool comma; /* lines of the block end in one */
	int n_columns; /* of the block's header; 0: not read yet */
	int16_t field[COLUMNS_MAX];
	struct fw_str name[COLUMNS_MAX]; /* in header */
	struct fw_framestats_row row;
};

bool fw_framestats_probe(struct fw_str line)
{
	return fw_str_starts(line, process_line) || fw_str_starts(line, block_line) ||
	       fw_str_starts(line, FW_STR("Applications Graphics Acceleration Info:"));
}

int fw_framestats_open(struct fw_source *src, struct fw_health *health, struct fw_framestats **out)
{
	struct fw_framestats *f = fw_zalloc(sizeof(*f));
	int err = fw_lines_init(&f->lines, src);

	f->src = src;
	f->health = health;
	f->row.pid = -1;
	if (err)
		fw_framestats_close(f);
	else
		*out = f;
	return err;
}

void fw_framestats_close(struct fw_framestats *f)
{
	if (!f)
		return;
	fw_lines_free(&f->lines);
	fw_source_close(f->src);
	free(f->process);
	free(f->window);
	free(f->header);
	free(f->other);
	free(f);
}

static struct fw_str keep(char **to, struct fw_str s)
{
	free(*to);
	*to = fw_memdup(s.p, s.len);
	return (struct fw_str){ *to, s.len };
}

/* "31667 [com.example] **" behind "** Graphics info for pid ". */
static void new_process(struct fw_framestats *f, struct fw_str s)
{
	const char *open = memchr(s.p, '[', s.len);
	const char *close = open ? memrchr(open, ']', s.len - (size_t)(open - s.p)) : NULL;
	struct fw_str number =
		fw_str_trim((struct fw_str){ s.p, open ? (size_t)(open - s.p) : s.len });
	int64_t pid;

	f->row.pid = fw_str_int(number, &pid) && pid >= 0 && pid <= INT32_MAX ? (int32_t)pid : -1;
	f->row.process = FW_STR_NONE;
	f->row.window = FW_STR_NONE;
	if (close)
		f->row.process =
			keep(&f->process, (struct fw_str){ open + 1, (size_t)(close - open) - 1 });
}

/* The next field of a row; false behind the last. A comma at the end begins no field. */
static bool next_field(struct fw_str *s, struct fw_str *field)
{
	const char *comma = memchr(s->p, ',', s->len);

	if (!s->len)
		return false;
	*field = (struct fw_str){ s->p, comma ? (size_t)(comma - s->p) : s->len };
	s->p += field->len + !!comma;
	s->len -= field->len + !!comma;
	*field = fw_str_trim(*field);
	return true;
}

static void read_header(struct fw_framestats *f, struct fw_str line)
{
	struct fw_str s = keep(&f->header, line), name;
	uint64_t seen = 0;

	f->n_columns = 0;
	while (f->n_columns < COLUMNS_MAX && next_field(&s, &name)) {
		int field = NO_FIELD;

		for (int i = 0; i < FW_FS_FIELDS && field == NO_FIELD; i++)
			if (fw_str_eq(name, fields[i].name) && !(seen >> i & 1))
				field = i;
		if (field != NO_FIELD)
			seen |= UINT64_C(1) << field;
		f->name[f->n_columns] = name;
		f->field[f->n_columns++] = (int16_t)field;
	}
	f->comma = line.len && line.p[line.len - 1] == ',';
	/* Whatever stands there, it is no table of frames without these. */
	if (s.len || !(seen >> FW_FS_INTENDED_VSYNC & 1))
		f->n_columns = 0;
}

static int64_t value_of(enum fw_framestats_kind kind, int64_t v)
{
	if (v == INT64_MAX || v == INT64_MIN)
		return FW_FS_UNKNOWN;
	switch (kind) {
	case FW_FS_PLAIN:
		return v;
	case FW_FS_ID:
		return v == 0 || v == -1 ? FW_FS_UNKNOWN : v;
	case FW_FS_TIME:
	case FW_FS_SPAN:
		return v <= 0 ? FW_FS_UNKNOWN : v;
	}
	return FW_FS_UNKNOWN;
}

static void add_other(struct fw_framestats *f, struct fw_str name, struct fw_str value)
{
	struct fw_str old = f->row.other;
	char *p = fw_realloc(f->other, old.len + name.len + value.len + 2, 1);

	f->other = p;
	if (old.len)
		p[old.len++] = ' ';
	memcpy(p + old.len, name.p, name.len);
	p[old.len + name.len] = '=';
	memcpy(p + old.len + name.len + 1, value.p, value.len);
	f->row.other = (struct fw_str){ p, old.len + name.len + 1 + value.len };
}

/* What a file that was cut ends in may look like a row, with a last number that is too short. */
static bool is_whole(const struct fw_framestats *f, struct fw_str row)
{
	return f->comma ? row.p[row.len - 1] == ',' : f->lines.ended;
}

/* Return: is it a row with a number in each column? */
static bool read_row(struct fw_framestats *f, struct fw_str s)
{
	struct fw_framestats_row *r = &f->row;
	struct fw_str text;
	int64_t v;
	int i = 0;

	if (!is_whole(f, s))
		return false;
	r->other = FW_STR_NONE;
	for (int k = 0; k < FW_FS_FIELDS; k++)
		r->value[k] = FW_FS_UNKNOWN;
	for (; i < f->n_columns && next_field(&s, &text); i++) {
		if (!fw_str_int(text, &v))
			return false;
		if (f->field[i] != NO_FIELD)
			r->value[f->field[i]] = value_of(fields[f->field[i]].kind, v);
		else
			add_other(f, f->name[i], text);
	}
	if (i < f->n_columns || s.len)
		return false;
	r->stale_present = r->value[FW_FS_PRESENT] != FW_FS_UNKNOWN &&
			   r->value[FW_FS_INTENDED_VSYNC] != FW_FS_UNKNOWN &&
			   r->value[FW_FS_PRESENT] < r->value[FW_FS_INTENDED_VSYNC];
	if (r->stale_present) {
		r->value[FW_FS_PRESENT] = FW_FS_UNKNOWN;
		fw_health_add(f->health, FW_H_fw_framestats_stale, FW_HEALTH_NO_IDX, 1);
	}
	r->line = f->lines.number;
	return true;
}

static bool in_block(struct fw_framestats *f, struct fw_str line)
{
	if (!f->n_columns) {
		read_header(f, line);
		if (f->n_columns)
			return false;
	} else if (read_row(f, line)) {
		return true;
	}
	fw_health_add(f->health, FW_H_fw_side_bad_rows, FW_HEALTH_NO_IDX, 1);
	return false;
}

/* Return: was it a frame's row? */
static bool read_line(struct fw_framestats *f, struct fw_str line)
{
	if (fw_str_starts(line, process_line)) {
		f->in_block = false;
		new_process(f, (struct fw_str){ line.p + process_line.len,
						line.len - process_line.len });
	} else if (fw_str_starts(line, window_line)) {
		f->in_block = false;
		f->row.window = keep(&f->window, (struct fw_str){ line.p + window_line.len,
								  line.len - window_line.len });
	} else if (fw_str_starts(line, block_line)) {
		f->in_block = !f->in_block;
		f->n_columns = 0;
		f->row.block += f->in_block;
	} else if (f->in_block && line.len) {
		return in_block(f, line);
	}
	return false;
}

int fw_framestats_next(struct fw_framestats *f, const struct fw_framestats_row **row)
{
	struct fw_str line;
	int ret;

	while ((ret = fw_lines_next(&f->lines, &line)) > 0) {
		if (!read_line(f, fw_str_trim(line)))
			continue;
		*row = &f->row;
		f->any = true;
		return 1;
	}
	if (!ret && !f->any)
		fw_health_add(f->health, FW_H_fw_framestats_empty, FW_HEALTH_NO_IDX, 1);
	return ret;
}
