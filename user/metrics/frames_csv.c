// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/frames_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/error.h"
#include "base/mem.h"

bool fw_is_frames_csv(const char *path)
{
	char line[16384];
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t n = fd >= 0 ? read(fd, line, sizeof(line)) : -1;
	char *end;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	end = memchr(line, '\n', (size_t)n);
	n = end ? end - line : n;
	return !memchr(line, 0, (size_t)n) && memmem(line, (size_t)n, "kind", 4) &&
	       memmem(line, (size_t)n, "actual_ms", 9);
}

static bool read_cell(const struct fw_column *col, struct fw_str s, struct fw_cell *c)
{
	*c = (struct fw_cell){ .type = s.len ? col->type : FW_NULL };
	switch (c->type) {
	case FW_NULL:
		return true;
	case FW_INT:
		return fw_str_int(s, &c->i);
	case FW_UINT:
		return fw_str_uint(s, &c->u);
	case FW_MS:
		return fw_str_ms(s, &c->i);
	case FW_REAL:
		return fw_str_real(s, &c->d);
	case FW_TEXT:
		c->s = fw_csv_unguarded(s);
		return true;
	}
	return false;
}

static struct fw_str text_of(const struct fw_cell *c)
{
	return c->type == FW_TEXT ? c->s : FW_STR_NONE;
}

static bool wanted(const struct fw_report_opts *o, const struct fw_cell *c)
{
	const struct fw_cell *start = &c[FW_C_FRAMES_actual_start_ms];
	const struct fw_cell *late = &c[FW_C_FRAMES_late], *pid = &c[FW_C_FRAMES_pid];
	bool bounded = o->from_ns != INT64_MIN || o->to_ns != INT64_MAX;

	if (!fw_report_takes_process(o, text_of(&c[FW_C_FRAMES_process]),
				     pid->type == FW_INT ? pid->i : -1) ||
	    !fw_report_takes_layer(o, text_of(&c[FW_C_FRAMES_layer])))
		return false;
	if (bounded && (start->type != FW_MS || start->i < o->from_ns || start->i >= o->to_ns))
		return false;
	return !o->late_only || (late->type == FW_INT && late->i == 1);
}

static int read_rows(struct fw_csv *csv, const char *path, const struct fw_report_opts *opts,
		     const int *column_at, struct fw_sink *sink)
{
	const struct fw_table *t = fw_frame_table(FW_FRAMES);
	struct fw_cell cells[FW_C_FRAMES_COUNT];
	const struct fw_str *texts;
	int more, err = 0;

	while (!err && (more = fw_csv_next(csv, &texts)) > 0) {
		for (int i = 0; i < t->n_columns; i++) {
			struct fw_str s = column_at[i] < 0 ? FW_STR_NONE : texts[column_at[i]];

			if (!read_cell(&t->columns[i], s, &cells[i]))
				return fw_fail(EINVAL, "%s: line %" PRIu64 ": %s: '%.*s' is no %s",
					       path, fw_csv_line(csv), t->columns[i].name,
					       (int)FW_MIN(s.len, 40u), s.p,
					       t->columns[i].type == FW_INT ? "whole number"
									    : "number");
		}
		if (cells[FW_C_FRAMES_kind].type != FW_TEXT)
			return fw_fail(EINVAL, "%s: line %" PRIu64 ": kind is empty", path,
				       fw_csv_line(csv));
		if (wanted(opts, cells))
			err = sink->row(sink, cells);
	}
	return err ? err : more;
}

int fw_frames_csv(const char *path, const struct fw_report_opts *opts, struct fw_sink *sink,
		  bool *cut)
{
	const struct fw_table *t = fw_frame_table(FW_FRAMES);
	int *column_at = fw_calloc((size_t)t->n_columns, sizeof(*column_at));
	struct fw_csv *csv = NULL;
	int err = fw_csv_open(path, &csv);

	for (int i = 0; !err && i < t->n_columns; i++)
		column_at[i] = fw_csv_find(csv, t->columns[i].name);
	if (!err)
		err = fw_csv_need(csv, t->columns[FW_C_FRAMES_kind].name,
				  &column_at[FW_C_FRAMES_kind]);
	if (!err)
		err = sink->begin(sink, t);
	if (!err)
		err = read_rows(csv, path, opts, column_at, sink);
	if (!err)
		err = sink->end(sink);
	*cut = !err && fw_csv_unended(csv);
	fw_csv_close(csv);
	free(column_at);
	return err;
}
