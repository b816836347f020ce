// SPDX-License-Identifier: GPL-2.0-or-later
/* report_output - where the rows of report go: files, one file, a page, a table, a summary */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/partition.h"
#include "cmd/report.h"
#include "frame/report.h"
#include "output/html.h"
#include "output/select.h"
#include "output/terminal.h"
#include "output/whole.h"

#define RUNS FW_FRAME_TABLES /* the table of --partition, behind the others */
#define OUTPUTS (FW_FRAME_TABLES + 1)

/* The files of -o, or one table on standard output. */
struct outputs {
	struct fw_whole whole; /* of each file that is open, in the order of the tables */
	struct fw_writer w[OUTPUTS];
	struct fw_sink *sinks[OUTPUTS]; /* give rows to these */
	struct fw_sink *formats[OUTPUTS];
	struct fw_select *selects[OUTPUTS];
};

static enum fw_format format_of(const struct fw_report_cmd *r)
{
	return r->format < 0 ? FW_FORMAT_CSV : (enum fw_format)r->format;
}

/* The sink of one table in its format, of the columns that are wanted. */
static int open_sink(const struct fw_report_cmd *r, struct outputs *o, int t,
		     const struct fw_table *table)
{
	bool sheet = fw_select_is_sheet(r->columns);
	bool chosen = r->columns && (r->table || t == FW_FRAMES);
	const char *list = chosen ? r->columns : sheet ? "sheet" : NULL;
	enum fw_format f = format_of(r);
	struct fw_csv_style style = r->csv;
	int err;

	style.sheet = sheet;
	if (r->tp_compat) /* trace_processor passes every byte of a name on. */
		o->formats[t] = fw_format_sink_raw(f, &o->w[t]);
	else if (f == FW_FORMAT_CSV)
		o->formats[t] = fw_csv_sink_styled(&o->w[t], &style);
	else
		o->formats[t] = fw_format_sink(f, &o->w[t]);
	o->sinks[t] = o->formats[t];
	if (!list || !table)
		return 0;
	err = fw_select_new(list, table, o->formats[t], &o->selects[t]);
	if (!err)
		o->sinks[t] = fw_select_sink(o->selects[t]);
	return err;
}

static int close_sinks(struct outputs *o, int err)
{
	for (int t = 0; t < OUTPUTS; t++) {
		if (o->w[t].buf) {
			int e = fw_writer_close(&o->w[t]);

			err = err ? err : e;
		}
		fw_format_sink_free(o->formats[t]);
		fw_select_free(o->selects[t]);
	}
	return err;
}

static int close_outputs(struct outputs *o, int err)
{
	return fw_whole_end(&o->whole, close_sinks(o, err));
}

static int open_file(struct outputs *o, int t, const char *path)
{
	return fw_writer_open(&o->w[t], fw_whole_add(&o->whole, path));
}

/* A table's file in @dir; free() it. */
static char *file_name(int t, const char *dir, enum fw_format f)
{
	return fw_asprintf("%s/%s.%s", dir, t == RUNS ? "runs" : fw_frame_table(t)->name,
			   fw_format_suffix(f));
}

/* @n: FW_FRAME_TABLES, or OUTPUTS with the table of runs. */
static int open_files(const struct fw_report_cmd *r, struct outputs *o, const char *dir, int n)
{
	int err = 0;

	for (int t = 0; t < n && !err; t++) {
		char *path = file_name(t, dir, format_of(r));

		err = open_file(o, t, path);
		if (!err)
			err = open_sink(r, o, t, t == RUNS ? NULL : fw_frame_table(t));
		free(path);
	}
	return err;
}

static bool chooses_frames(const struct fw_report_opts *o)
{
	return o->process || o->layer || o->from_ns != INT64_MIN || o->to_ns != INT64_MAX ||
	       o->late_only;
}

/* The report, whose frames go into @run too; NULL: not measured. */
static int run_report(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		      struct fw_health *health, struct fw_sink *sinks[FW_FRAME_TABLES],
		      struct fw_run *run)
{
	struct fw_report_opts opts = r->frames.report;
	struct fw_sink *all[FW_FRAME_TABLES];
	struct fw_tee frames, fences;
	uint64_t n = 0;
	int err;

	memcpy(all, sinks, sizeof(all));
	if (run) {
		all[FW_FRAMES] = fw_tee(&frames, sinks[FW_FRAMES], fw_run_frames(run));
		all[FW_FENCES] = fw_tee(&fences, sinks[FW_FENCES], fw_run_fences(run));
	}
	opts.n_frames = &n;
	err = fw_report(in, health, &opts, all);
	if (!err && !n && chooses_frames(&opts) && !fw_report_summarizes(r))
		fw_warn("%s: the options let no frame through", path);
	return err || !run ? err : fw_run_finish(run);
}

/* To DIR, or for several inputs to DIR/NAME. */
static int write_files(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		       struct fw_health *health, struct fw_run *run)
{
	char *dir = r->n_inputs == 1 ? fw_strdup(r->dir)
				     : fw_asprintf("%s/%s", r->dir, fw_report_name(path));
	struct outputs o = { 0 };
	int err;

	fw_whole_begin(&o.whole);
	err = fw_whole_dir(&o.whole, r->dir);
	if (!err)
		err = fw_whole_dir(&o.whole, dir);
	if (!err)
		err = open_files(r, &o, dir, FW_FRAME_TABLES);
	if (!err)
		err = run_report(r, path, in, health, o.sinks, run);
	free(dir);
	return close_outputs(&o, err);
}

/* All tables as the one file @name. */
static int run_file(const struct fw_report_cmd *r, const char *name, const char *path,
		    struct fw_input *in, struct fw_health *health, struct fw_run *run)
{
	struct fw_sink *sinks[FW_FRAME_TABLES];
	struct fw_file *file;
	int err = fw_file_open(r->file, name, &file);

	if (err)
		return err;
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		sinks[t] = fw_file_sink(file, t);
	return fw_file_close(file, run_report(r, path, in, health, sinks, run));
}

static int write_file(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		      struct fw_health *health, struct fw_run *run)
{
	struct fw_whole whole;
	const char *name;

	fw_whole_begin(&whole);
	name = fw_whole_add(&whole, r->dir);
	return fw_whole_end(&whole, run_file(r, name, path, in, health, run));
}

/* The files of one run in DIR, of which runs.csv is the last. */
static int write_run(const struct fw_report_cmd *r, struct outputs *o, const char *path,
		     struct fw_input *in, struct fw_health *health, struct fw_run *run)
{
	char *name;
	int err;

	if (!r->file) {
		err = open_files(r, o, r->dir, OUTPUTS);
		return err ? err : run_report(r, path, in, health, o->sinks, run);
	}
	name = fw_asprintf("%s/framewait.db", r->dir);
	err = run_file(r, fw_whole_add(&o->whole, name), path, in, health, run);
	free(name);
	if (err)
		return err;
	name = file_name(RUNS, r->dir, FW_FORMAT_CSV);
	err = open_file(o, RUNS, name);
	free(name);
	return err ? err : open_sink(r, o, RUNS, NULL);
}

/* The folder of a run is known when it is read: until then its files lie in the root. */
static int write_partition(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
			   struct fw_health *health, struct fw_run *run)
{
	struct outputs o = { 0 };
	char *dir = NULL;
	int err;

	fw_whole_begin(&o.whole);
	err = fw_whole_dir(&o.whole, r->dir);
	if (!err)
		err = write_run(r, &o, path, in, health, run);
	if (!err)
		err = fw_partition_run(fw_report_name(path), in, health, o.sinks[RUNS]);
	if (!err)
		err = fw_partition_dir(&o.whole, r->dir, r->partition, fw_report_name(path), in,
				       &dir);
	if (!err)
		fw_whole_move(&o.whole, dir);
	free(dir);
	return close_outputs(&o, err);
}

static int print_table(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		       struct fw_health *health, struct fw_run *run)
{
	const struct fw_table_def *canned = fw_report_canned(r);
	struct outputs o = { 0 };
	int t = FW_FRAMES, err;

	if (r->table && !canned)
		while (fw_frame_table(t) != fw_frame_table_find(r->table))
			t++;
	fw_writer_init(&o.w[t], STDOUT_FILENO, "standard output");
	err = open_sink(r, &o, t, canned ? NULL : fw_frame_table(t));
	if (!err && canned)
		err = fw_table_run(canned, in, health, r->tp_compat, o.sinks[t]);
	else if (!err)
		err = run_report(r, path, in, health, o.sinks, run);
	return close_sinks(&o, err);
}

static int write_page(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		      struct fw_health *health, struct fw_run *run)
{
	struct fw_sink *sinks[FW_FRAME_TABLES];
	struct outputs o = { 0 };
	struct fw_html *h;
	int err = fw_html_check();

	if (err)
		return err;
	fw_whole_begin(&o.whole);
	if (r->dir)
		err = open_file(&o, 0, r->dir);
	else
		fw_writer_init(&o.w[0], STDOUT_FILENO, "standard output");
	if (err)
		return close_outputs(&o, err);
	h = fw_html_new(fw_report_name(path), &o.w[0]);
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		sinks[t] = fw_html_sink(h, t);
	err = run_report(r, path, in, health, sinks, run);
	err = err ? err : fw_html_finish(h, run);
	fw_html_free(h);
	return close_outputs(&o, err);
}

static int print_summary(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
			 struct fw_health *health, struct fw_run *run)
{
	struct fw_terminal *t = fw_terminal_new(path, fw_input_recording(in));
	struct fw_sink *sinks[FW_FRAME_TABLES] = { 0 };
	struct fw_writer w;
	int err, e;

	sinks[FW_FRAMES] = fw_terminal_frames(t);
	sinks[FW_HEALTH] = fw_terminal_health(t);
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	err = run_report(r, path, in, health, sinks, run);
	if (!err)
		fw_terminal_print(t, run, &w);
	e = fw_writer_close(&w);
	fw_terminal_free(t);
	return err ? err : e;
}

int fw_report_write(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		    struct fw_health *health, struct fw_run *run)
{
	if (r->partition)
		return write_partition(r, path, in, health, run);
	if (r->file)
		return write_file(r, path, in, health, run);
	if (r->html)
		return write_page(r, path, in, health, run);
	if (r->dir)
		return write_files(r, path, in, health, run);
	if (r->table || r->format >= 0)
		return print_table(r, path, in, health, run);
	return print_summary(r, path, in, health, run);
}

int fw_report_write_side(const struct fw_report_cmd *r, enum fw_side_kind kind,
			 struct fw_source *src, struct fw_health *health)
{
	struct outputs o = { 0 };
	int err;

	fw_writer_init(&o.w[0], STDOUT_FILENO, "standard output");
	err = open_sink(r, &o, 0, NULL);
	if (err)
		fw_source_close(src);
	else
		err = fw_side_table_run(kind, src, health, o.sinks[0]);
	return close_sinks(&o, err);
}
