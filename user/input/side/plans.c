// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plans - an app's own plan of its frames
 *
 * Not by base/csv_read.h, which refuses a file for one bad row: these are read as other side files
 * are, by lines of any encoding, and a row that is damaged is counted and left out.
 */
#include "input/side/plans.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/lines.h"

#define COLUMNS_MAX 64

enum { VSYNC_ID, FRAME_TIME, DEADLINE, PRESENT, FIELDS, NO_FIELD };

static const char *const names[FIELDS] = { "vsyncId", "frameTimeNanos", "deadlineNanos",
					   "expectedPresentNanos" };

struct fw_plans {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_lines lines;
	char separator;
	int n_columns;
	uint8_t field[COLUMNS_MAX];
};

/*
 * The next field of a row; false behind the last. Quotes around it are taken off: what matters
 * are numbers, which hold none, so that a doubled quote inside is left as it is.
 */
static bool next_field(const struct fw_plans *p, struct fw_str *s, bool *more, struct fw_str *field)
{
	size_t i = 0;
	bool quoted = false;

	if (!*more)
		return false;
	while (i < s->len && (quoted || s->p[i] != p->separator))
		quoted ^= s->p[i++] == '"';
	*more = i < s->len;
	*field = fw_str_trim((struct fw_str){ s->p, i });
	s->p += i + *more;
	s->len -= i + *more;
	if (field->len >= 2 && field->p[0] == '"' && field->p[field->len - 1] == '"')
		*field = fw_str_trim((struct fw_str){ field->p + 1, field->len - 2 });
	return true;
}

static char separator_of(struct fw_str header)
{
	static const char separators[] = ",;\t";

	for (const char *c = separators; *c; c++)
		if (memchr(header.p, *c, header.len))
			return *c;
	return ',';
}

static int field_of(struct fw_str name)
{
	for (int i = 0; i < FIELDS; i++)
		if (name.len == strlen(names[i]) && !strncasecmp(name.p, names[i], name.len))
			return i;
	return NO_FIELD;
}

/* Return: does it have what a plan needs? */
static bool read_header(struct fw_plans *p, struct fw_str line)
{
	struct fw_str s = line, name;
	uint32_t seen = 0;
	bool more = true;

	p->separator = separator_of(line);
	while (p->n_columns < COLUMNS_MAX && next_field(p, &s, &more, &name)) {
		int field = field_of(name);

		/* A name that stands twice: which one is right? */
		if (field < FIELDS && seen >> field & 1)
			return false;
		seen |= 1u << field;
		p->field[p->n_columns++] = (uint8_t)field;
	}
	return !more && seen >> VSYNC_ID & 1;
}

int fw_plans_open(struct fw_source *src, struct fw_health *health, struct fw_plans **out)
{
	struct fw_plans *p = fw_zalloc(sizeof(*p));
	struct fw_str line = FW_STR("");
	int ret = fw_lines_init(&p->lines, src);

	p->src = src;
	p->health = health;
	while (!ret && (ret = fw_lines_next(&p->lines, &line)) > 0 && !fw_str_trim(line).len)
		ret = 0;
	if (ret >= 0 && (!ret || p->lines.cut || !read_header(p, line)))
		ret = fw_fail(EINVAL,
			      "%s: is no frame plan: expected a CSV whose first line names "
			      "vsyncId, frameTimeNanos, deadlineNanos and expectedPresentNanos",
			      fw_source_path(src));
	if (ret < 0) {
		fw_plans_close(p);
		return ret;
	}
	*out = p;
	return 0;
}

void fw_plans_close(struct fw_plans *p)
{
	if (!p)
		return;
	fw_lines_free(&p->lines);
	fw_source_close(p->src);
	free(p);
}

/* Return: is it a whole row, with numbers where they are wanted? */
static bool read_row(const struct fw_plans *p, struct fw_str s, int64_t v[FIELDS])
{
	struct fw_str text;
	bool more = true;
	int i = 0;

	for (int k = 0; k < FIELDS; k++)
		v[k] = FW_PLAN_UNKNOWN;
	for (; i < p->n_columns && next_field(p, &s, &more, &text); i++) {
		int k = p->field[i];

		if (k == NO_FIELD || !text.len)
			continue;
		if (!fw_str_int(text, &v[k]))
			return false;
		if (v[k] == INT64_MAX || (k != VSYNC_ID && v[k] <= 0))
			v[k] = FW_PLAN_UNKNOWN;
	}
	return i == p->n_columns && !more && v[VSYNC_ID] != FW_PLAN_UNKNOWN && v[VSYNC_ID] >= 0;
}

int fw_plans_next(struct fw_plans *p, struct fw_plan *plan)
{
	struct fw_str line;
	int64_t v[FIELDS];
	int ret;

	while ((ret = fw_lines_next(&p->lines, &line)) > 0) {
		if (!fw_str_trim(line).len)
			continue;
		if (p->lines.cut || !read_row(p, line, v)) {
			fw_health_add(p->health, FW_H_fw_side_bad_rows, FW_HEALTH_NO_IDX, 1);
			continue;
		}
		*plan = (struct fw_plan){ .vsync_id = v[VSYNC_ID],
					  .frame_time = v[FRAME_TIME],
					  .deadline = v[DEADLINE],
					  .present = v[PRESENT] };
		return 1;
	}
	return ret;
}
