// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/column.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/csv_read.h"
#include "base/error.h"
#include "base/mem.h"

struct reading {
	struct fw_csv *csv;
	const char *path;
	const struct fw_column_opts *opts;
	int column, points;
	double to_ms; /* one unit of the column */
	double last; /* present time */
	uint64_t rows, refused;
};

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static double unit_of(const char *name)
{
	if (ends_in(name, "_ns"))
		return 1e-6;
	if (ends_in(name, "_us"))
		return 1e-3;
	return ends_in(name, "_s") ? 1e3 : 1;
}

/* Return: 1 and *@v, 0 for an empty cell, negative errno. */
static int number(const struct reading *r, struct fw_str s, const char *name, double *v)
{
	if (!s.len)
		return 0;
	if (!fw_str_real(s, v))
		return fw_fail(EINVAL, "%s: line %" PRIu64 ": %s: '%.*s' is no number", r->path,
			       fw_csv_line(r->csv), name, (int)FW_MIN(s.len, 40u), s.p);
	return 1;
}

static int take_time(struct reading *r, struct fw_run *run, double v)
{
	double ms = v * r->to_ms;

	if (r->opts->times) {
		double last = r->last;

		r->last = ms;
		if (isnan(last))
			return 0;
		ms -= last;
	}
	/* One over the largest and over the smallest stays a number. */
	if (ms > 1e-9 && ms < 1e15)
		return fw_run_ftime(run, ms);
	r->refused++;
	return 0;
}

static int take_row(struct reading *r, struct fw_run *run, const struct fw_str *cells)
{
	double v;
	int n = number(r, cells[r->column], r->opts->column, &v);

	if (n > 0) {
		r->rows++;
		n = take_time(r, run, v);
	}
	if (n < 0 || r->points < 0)
		return n;
	n = number(r, cells[r->points], r->opts->points, &v);
	if (n > 0 && v >= 0 && v < 1e15)
		fw_run_point(run, v);
	else if (n > 0)
		r->refused++;
	return n < 0 ? n : 0;
}

static int find(const struct reading *r, const char *name, int *column)
{
	*column = -1;
	return name ? fw_csv_need(r->csv, name, column) : 0;
}

int fw_run_read_column(struct fw_run *run, const char *path, const struct fw_column_opts *opts,
		       struct fw_run_facts *facts)
{
	struct reading r = { .path = path, .opts = opts, .last = NAN };
	const struct fw_str *cells;
	int more = 0, err = fw_csv_open(path, &r.csv);

	if (err)
		return err;
	r.to_ms = unit_of(opts->column);
	err = find(&r, opts->column, &r.column);
	if (!err)
		err = find(&r, opts->points, &r.points);
	while (!err && (more = fw_csv_next(r.csv, &cells)) > 0)
		err = take_row(&r, run, cells);
	err = err ? err : more;
	if (!err && !r.rows)
		err = fw_fail(EINVAL, "%s: column %s has no values", path, opts->column);
	facts->refused = r.refused;
	facts->cut = fw_csv_unended(r.csv);
	fw_csv_close(r.csv);
	return err;
}
