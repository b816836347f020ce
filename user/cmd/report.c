// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/health.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/frame_options.h"
#include "cmd/gate.h"
#include "cmd/options.h"
#include "cmd/partition.h"
#include "frame/report.h"
#include "input/input.h"
#include "metrics/source.h"
#include "output/file.h"
#include "output/format.h"
#include "output/html.h"
#include "output/select.h"
#include "output/terminal.h"
#include "table/side_tables.h"
#include "table/table.h"

struct report {
	const char *dir;
	const char *table;
	int format; /* -1: summary */
	enum fw_file_format file; /* one file with all tables, @dir */
	bool html; /* a page, to the file @dir */
	const char *columns, *partition;
	struct fw_csv_style csv;
	bool csv_styled;
	bool tp_compat, strict;
	struct fw_gate *gate;
	const char *trace; /* of SurfaceFlinger, beside the capture */
	bool frame_filter; /* an option that only the frame tables know was given */
	struct fw_frame_options frames;
	char **inputs;
	int n_inputs;
};

enum {
	OPT_COMPAT = 256,
	OPT_COLUMNS,
	OPT_PARTITION,
	OPT_CSV_SEP,
	OPT_CSV_CRLF,
	OPT_CSV_BOM,
	OPT_STRICT,
	OPT_FAIL_IF,
	OPT_SF,
	OPT_FRAMESTATS,
	OPT_LATENCY,
	OPT_PLANS,
	OPT_LOGCAT,
};

static const struct fw_option options[] = {
	{ "output", 'o', "DIR",
	  .help = "writes frames.csv threads.csv fences.csv intervals.csv gpu.csv animations.csv "
		  "health.csv "
		  "recording.csv (several inputs: DIR/NAME/)",
	  .group = "Output, instead of the summary:", .values = FW_VALUES_DIR },
	{ "format", 'f', "F",
	  .help = "prints one row a frame: csv, tsv, json, jsonl; with -o: of the files; sqlite, "
		  "perfetto: one file with all tables, -o FILE; html: one page with everything, "
		  "for a browser, to -o FILE or to standard output",
	  .values = FW_VALUES_FORMATS " sqlite perfetto html" },
	{ "columns", OPT_COLUMNS, "LIST",
	  .help = "columns of the frames, or of --table: short, full, sheet; then +WORD and -WORD: "
		  "a group of them, a column or a glob" },
	{ "partition", OPT_PARTITION, "KEYS",
	  .help = "many runs: -o DIR/KEY=VALUE/.../run=NAME/; of device, date, kernel, sdk, "
		  "format" },
	{ "csv-sep", OPT_CSV_SEP, "CHAR", .help = "CSV: between cells, instead of a comma" },
	{ "csv-crlf", OPT_CSV_CRLF, NULL, .help = "CSV: lines end with CR LF" },
	{ "csv-bom", OPT_CSV_BOM, NULL, .help = "CSV: begins with a byte order mark" },
	{ "table", 't', "T",
	  .help = "prints another table; framewait columns lists them. threads and health are the "
		  "files "
		  "of -o; the recording's own tables of these names come with "
		  "--trace-processor-compat",
	  .values = FW_VALUES_TABLES },
	{ "trace-processor-compat", OPT_COMPAT, NULL,
	  .help = "rows of --table exactly as trace_processor v57.2 gives them" },
	FW_FRAME_OPTIONS,
	{ "sf", OPT_SF, "TRACE",
	  .help = "SurfaceFlinger's frames of a capture stand in a Perfetto trace",
	  .group = "Beside the recording:", .values = FW_VALUES_FILE },
	{ "framestats", OPT_FRAMESTATS, "FILE",
	  .help = "what dumpsys gfxinfo PACKAGE framestats printed", .values = FW_VALUES_FILE },
	{ "latency", OPT_LATENCY, "FILE",
	  .help = "what dumpsys SurfaceFlinger --latency LAYER printed", .values = FW_VALUES_FILE },
	{ "frame-plans", OPT_PLANS, "FILE",
	  .help = "CSV of vsyncId, frameTimeNanos, deadlineNanos, expectedPresentNanos",
	  .values = FW_VALUES_FILE },
	{ "logcat", OPT_LOGCAT, "FILE",
	  .help = "log with what AnimatorTracer and FolmeTracer say, for the table animations",
	  .values = FW_VALUES_FILE },
	{ "fail-if", OPT_FAIL_IF, "EXPR",
	  .help = "exit status 1 when it holds: metrics, as in 'jank_rate > 0.02'",
	  .group = "Gates:" },
	{ "strict", OPT_STRICT, NULL, .help = "exit status 5 when the recording lost data" },
	FW_OPTIONS_END,
};

/*
 * The canned table to print, or NULL. A name that a frame table has too is the frame table's, but
 * for trace_processor's own rows.
 */
static const struct fw_table_def *canned_table(const struct report *r)
{
	if (!r->table || (!r->tp_compat && fw_frame_table_find(r->table)))
		return NULL;
	return fw_table_find(r->table);
}

static int parse_sep(struct report *r)
{
	if (strlen(optarg) != 1 || strchr("\"\r\n", *optarg) || (unsigned char)*optarg >= 0x80)
		return fw_usage("report", "--csv-sep %s: expected one character that is no quote",
				optarg);
	r->csv.sep = *optarg;
	r->csv_styled = true;
	return FW_EXIT_OK;
}

static int parse_format(struct report *r)
{
	r->html = !strcmp(optarg, "html");
	r->format = fw_format_find(optarg);
	r->file = fw_file_format_find(optarg);
	if (r->format < 0 && !r->file && !r->html)
		return fw_usage("report", "--format %s: no such format; one of %s, %s, html",
				optarg, fw_format_names(), fw_file_format_names());
	return FW_EXIT_OK;
}

static int parse_option(void *ctx, int c)
{
	struct report *r = ctx;

	switch (c) {
	case 'o':
		r->dir = optarg;
		return FW_EXIT_OK;
	case 'f':
		return parse_format(r);
	case 't':
		r->table = optarg;
		return FW_EXIT_OK;
	case OPT_COLUMNS:
		r->columns = optarg;
		return FW_EXIT_OK;
	case OPT_PARTITION:
		r->partition = optarg;
		return FW_EXIT_OK;
	case OPT_CSV_SEP:
		return parse_sep(r);
	case OPT_CSV_CRLF:
		r->csv.crlf = r->csv_styled = true;
		return FW_EXIT_OK;
	case OPT_CSV_BOM:
		r->csv.bom = r->csv_styled = true;
		return FW_EXIT_OK;
	case OPT_COMPAT:
		r->tp_compat = true;
		return FW_EXIT_OK;
	case OPT_STRICT:
		r->strict = true;
		return FW_EXIT_OK;
	case OPT_FAIL_IF:
		return fw_gate_option("report", optarg, &r->gate);
	}
	if (!fw_configured())
		r->frame_filter = true;
	switch (c) {
	case OPT_FRAMESTATS:
		r->frames.report.side.framestats = optarg;
		return FW_EXIT_OK;
	case OPT_LATENCY:
		r->frames.report.side.latency = optarg;
		return FW_EXIT_OK;
	case OPT_SF:
		r->trace = optarg;
		return FW_EXIT_OK;
	case OPT_PLANS:
		r->frames.report.side.plans = optarg;
		return FW_EXIT_OK;
	case OPT_LOGCAT:
		r->frames.report.side.logcat = optarg;
		return FW_EXIT_OK;
	}
	return fw_frame_option("report", c, &r->frames);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Each of several inputs gets a directory of its name: no two may share one. */
static int check_names(const struct report *r)
{
	for (int i = 1; r->dir && i < r->n_inputs; i++)
		for (int j = 0; j < i; j++)
			if (!strcmp(base_name(r->inputs[i]), base_name(r->inputs[j])))
				return fw_usage("report",
						"%s and %s would both be written to %s/%s",
						r->inputs[j], r->inputs[i], r->dir,
						base_name(r->inputs[i]));
	return FW_EXIT_OK;
}

/* How the rows are written. */
static int check_choice(const struct report *r)
{
	const struct fw_table *t =
		r->table ? fw_frame_table_find(r->table) : fw_frame_table(FW_FRAMES);
	struct fw_select *select;

	if (r->csv_styled && (r->file || r->html || r->format > FW_FORMAT_CSV))
		return fw_usage("report", "--csv-sep, --csv-crlf and --csv-bom are for csv");
	if (r->columns && (!t || r->tp_compat || r->file || r->html))
		return fw_usage("report", "--columns chooses among the columns of a frame table");
	if (r->columns && fw_select_new(r->columns, t, NULL, &select))
		return fw_usage("report", "%s", fw_fail_text());
	if (r->columns)
		fw_select_free(select);
	if (r->partition && (!r->dir || r->html || r->file == FW_FILE_PERFETTO))
		return fw_usage("report", "--partition needs -o DIR and rows, or sqlite");
	if (r->partition && fw_partition_check(r->partition))
		return fw_usage("report", "%s", fw_fail_text());
	return check_names(r);
}

static int check_options(const struct report *r)
{
	if (!r->n_inputs)
		return fw_usage("report", "no input given");
	if (r->table && !fw_table_find(r->table) && !fw_frame_table_find(r->table) &&
	    !fw_side_table_find(r->table))
		return fw_usage("report", "--table %s: no such table; framewait columns lists them",
				r->table);
	if (r->dir && !*r->dir)
		return fw_usage("report", "--output: an empty name");
	if (r->tp_compat && !r->table)
		return fw_usage("report", "--trace-processor-compat needs --table");
	if (r->tp_compat && !fw_table_find(r->table))
		return fw_usage(
			"report",
			"--table %s: trace_processor has no such table to be compatible with",
			r->table);
	if (r->file && r->table)
		return fw_usage("report", "--format %s has all tables: no --table",
				fw_file_format_name(r->file));
	if (r->file && !r->dir)
		return fw_usage("report", "--format %s needs --output FILE",
				fw_file_format_name(r->file));
	if (r->file && r->n_inputs > 1 && !r->partition)
		return fw_usage("report", "%s: --format %s holds one input", r->inputs[1],
				fw_file_format_name(r->file));
	if (r->html && r->table)
		return fw_usage("report", "--format html shows all tables: no --table");
	if (r->html && r->n_inputs > 1)
		return fw_usage("report", "%s: --format html shows one input", r->inputs[1]);
	if (r->table && r->dir)
		return fw_usage("report", "--table and --output exclude each other");
	if (canned_table(r) && r->frame_filter)
		return fw_usage("report", "--table %s%s takes no frame filter and no --role",
				r->table, r->tp_compat ? " --trace-processor-compat" : "");
	if (canned_table(r) && r->gate)
		return fw_usage("report", "--table %s has no frames for --fail-if", r->table);
	if (r->n_inputs > 1 && r->trace)
		return fw_usage("report", "--sf %s: belongs to one capture, not to several",
				r->trace);
	if (r->n_inputs > 1 && !r->dir && (r->table || r->format >= 0))
		return fw_usage("report", "%s: several inputs need --output DIR", r->inputs[1]);
	return check_choice(r);
}

/*
 * The files of -o, or one table on standard output. A file gets its name when all are whole:
 * until then it has another in the same directory, which a full disk leaves nothing of.
 */
#define RUNS FW_FRAME_TABLES /* the table of --partition, behind the others */
#define OUTPUTS (FW_FRAME_TABLES + 1)

struct outputs {
	struct fw_writer w[OUTPUTS];
	struct fw_sink *sinks[OUTPUTS]; /* give rows to these */
	struct fw_sink *formats[OUTPUTS];
	struct fw_select *selects[OUTPUTS];
	char *path[OUTPUTS], *tmp[OUTPUTS];
};

/* The sink of one table in its format, of the columns that are wanted. */
static int open_sink(const struct report *r, struct outputs *o, int t, const struct fw_table *table)
{
	bool sheet = fw_select_is_sheet(r->columns);
	bool chosen = r->columns && (r->table || t == FW_FRAMES);
	const char *list = chosen ? r->columns : sheet ? "sheet" : NULL;
	enum fw_format f = r->format < 0 ? FW_FORMAT_CSV : r->format;
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

static int close_outputs(struct outputs *o, int err)
{
	for (int t = 0; t < OUTPUTS; t++) {
		if (o->w[t].buf) {
			int e = fw_writer_close(&o->w[t]);

			err = err ? err : e;
		}
		fw_format_sink_free(o->formats[t]);
		fw_select_free(o->selects[t]);
		o->sinks[t] = o->formats[t] = NULL;
		o->selects[t] = NULL;
	}
	for (int t = 0; t < OUTPUTS; t++) {
		if (o->tmp[t] && !err && rename(o->tmp[t], o->path[t]))
			err = fw_fail(errno, "%s: cannot create: %s", o->path[t], strerror(errno));
		if (o->tmp[t] && err)
			unlink(o->tmp[t]);
		free(o->tmp[t]);
		free(o->path[t]);
		o->tmp[t] = o->path[t] = NULL;
	}
	return err;
}

/* The pid keeps two runs apart; what has the name was left by one that was killed. */
static char *tmp_name(const char *path)
{
	return fw_asprintf("%s.%ld.tmp", path, (long)getpid());
}

static int open_tmp(struct outputs *o, int t)
{
	char *tmp = tmp_name(o->path[t]);
	int err;

	unlink(tmp);
	err = fw_writer_open(&o->w[t], tmp);
	if (err)
		free(tmp);
	else
		o->tmp[t] = tmp;
	return err;
}

static const char *output_name(int t)
{
	return t == RUNS ? "runs" : fw_frame_table(t)->name;
}

/* The files in @dir. */
static void name_outputs(struct outputs *o, const char *dir, enum fw_format f)
{
	for (int t = 0; t < OUTPUTS; t++) {
		if (!o->path[t])
			continue;
		free(o->path[t]);
		o->path[t] = fw_asprintf("%s/%s.%s", dir, output_name(t), fw_format_suffix(f));
	}
}

/* @n: FW_FRAME_TABLES, or OUTPUTS with the table of runs. */
static int open_outputs(const struct report *r, struct outputs *o, const char *dir,
			enum fw_format f, int n)
{
	int err = 0;

	for (int t = 0; t < n && !err; t++)
		o->path[t] = fw_strdup("");
	name_outputs(o, dir, f);
	for (int t = 0; t < n && !err; t++) {
		err = open_tmp(o, t);
		if (!err)
			err = open_sink(r, o, t, t == RUNS ? NULL : fw_frame_table(t));
	}
	return err ? close_outputs(o, err) : 0;
}

static int make_dir(const char *path)
{
	struct stat st;

	if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return fw_fail(errno, "%s: cannot make the directory: %s", path, strerror(errno));
}

/* Where the files of one input go: DIR, or DIR/NAME for several; free() it. */
static int output_dir(const struct report *r, const char *input, char **out)
{
	int err = make_dir(r->dir);

	*out = NULL;
	if (err)
		return err;
	if (r->n_inputs == 1)
		*out = fw_strdup(r->dir);
	else
		*out = fw_asprintf("%s/%s", r->dir, base_name(input));
	return make_dir(*out);
}

/* The report, whose frames go into @run too; NULL: not measured. */
static int run_report(const struct report *r, struct fw_input *in, struct fw_health *health,
		      struct fw_sink *sinks[FW_FRAME_TABLES], struct fw_run *run)
{
	struct fw_sink *all[FW_FRAME_TABLES];
	struct fw_tee frames, fences;
	int err;

	memcpy(all, sinks, sizeof(all));
	if (run) {
		all[FW_FRAMES] = fw_tee(&frames, sinks[FW_FRAMES], fw_run_frames(run));
		all[FW_FENCES] = fw_tee(&fences, sinks[FW_FENCES], fw_run_fences(run));
	}
	err = fw_report(in, health, &r->frames.report, all);
	return err || !run ? err : fw_run_finish(run);
}

static int write_files(const struct report *r, const char *path, struct fw_input *in,
		       struct fw_health *health, struct fw_run *run)
{
	struct outputs o = { 0 };
	char *dir;
	int err = output_dir(r, path, &dir);

	if (!err)
		err = open_outputs(r, &o, dir, r->format < 0 ? FW_FORMAT_CSV : r->format,
				   FW_FRAME_TABLES);
	if (!err) {
		err = run_report(r, in, health, o.sinks, run);
		err = close_outputs(&o, err);
	}
	free(dir);
	return err;
}

static int run_file(const struct report *r, const char *path, struct fw_input *in,
		    struct fw_health *health, struct fw_run *run)
{
	struct fw_sink *sinks[FW_FRAME_TABLES];
	struct fw_file *file;
	int err = fw_file_open(r->file, path, &file);

	if (err)
		return err;
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		sinks[t] = fw_file_sink(file, t);
	return fw_file_close(file, run_report(r, in, health, sinks, run));
}

/* All tables as one file, which gets its name when it is whole. */
static int write_file(const struct report *r, struct fw_input *in, struct fw_health *health,
		      struct fw_run *run)
{
	struct outputs o = { .path = { fw_strdup(r->dir) }, .tmp = { tmp_name(r->dir) } };

	unlink(o.tmp[0]);
	return close_outputs(&o, run_file(r, o.tmp[0], in, health, run));
}

/* The folder of a run is known when it is read: until then its files lie in the root. */
static int write_partition(const struct report *r, const char *path, struct fw_input *in,
			   struct fw_health *health, struct fw_run *run)
{
	enum fw_format f = r->format < 0 ? FW_FORMAT_CSV : r->format;
	struct outputs o = { 0 };
	char *dir = NULL;
	int err = make_dir(r->dir);

	if (!err && r->file) {
		o.path[RUNS] = fw_asprintf("%s/runs.csv", r->dir);
		o.path[FW_FRAMES] = fw_asprintf("%s/framewait.db", r->dir);
		err = open_tmp(&o, RUNS);
		if (!err)
			err = open_sink(r, &o, RUNS, NULL);
		if (!err) {
			o.tmp[FW_FRAMES] = tmp_name(o.path[FW_FRAMES]);
			unlink(o.tmp[FW_FRAMES]);
			err = run_file(r, o.tmp[FW_FRAMES], in, health, run);
		}
	} else if (!err) {
		err = open_outputs(r, &o, r->dir, f, OUTPUTS);
		err = err ? err : run_report(r, in, health, o.sinks, run);
	}
	if (!err)
		err = fw_partition_run(base_name(path), in, health, o.sinks[RUNS]);
	if (!err)
		err = fw_partition_dir(r->dir, r->partition, base_name(path), in, &dir);
	if (!err && r->file) {
		free(o.path[RUNS]);
		free(o.path[FW_FRAMES]);
		o.path[RUNS] = fw_asprintf("%s/runs.csv", dir);
		o.path[FW_FRAMES] = fw_asprintf("%s/framewait.db", dir);
	} else if (!err) {
		name_outputs(&o, dir, f);
	}
	free(dir);
	return close_outputs(&o, err);
}

static int print_table(const struct report *r, struct fw_input *in, struct fw_health *health,
		       struct fw_run *run)
{
	const struct fw_table_def *canned = canned_table(r);
	struct outputs o = { 0 };
	int t = FW_FRAMES, err;

	if (r->table && !canned)
		while (fw_frame_table(t) != fw_frame_table_find(r->table))
			t++;
	fw_writer_init(&o.w[t], STDOUT_FILENO, "standard output");
	err = open_sink(r, &o, t, canned ? NULL : fw_frame_table(t));
	if (err)
		return close_outputs(&o, err);
	if (canned)
		err = fw_table_run(canned, in, health, r->tp_compat, o.sinks[t]);
	else
		err = run_report(r, in, health, o.sinks, run);
	return close_outputs(&o, err);
}

static int write_page(const struct report *r, const char *path, struct fw_input *in,
		      struct fw_health *health, struct fw_run *run)
{
	struct fw_sink *sinks[FW_FRAME_TABLES];
	struct outputs o = { 0 };
	struct fw_html *h;
	int err = fw_html_check();

	if (err)
		return err;
	if (r->dir) {
		o.path[0] = fw_strdup(r->dir);
		err = open_tmp(&o, 0);
		if (err)
			return close_outputs(&o, err);
	} else {
		fw_writer_init(&o.w[0], STDOUT_FILENO, "standard output");
	}
	h = fw_html_new(base_name(path), &o.w[0]);
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		sinks[t] = fw_html_sink(h, t);
	err = run_report(r, in, health, sinks, run);
	err = err ? err : fw_html_finish(h, run);
	fw_html_free(h);
	return close_outputs(&o, err);
}

static int print_summary(const struct report *r, const char *path, struct fw_input *in,
			 struct fw_health *health, struct fw_run *run)
{
	struct fw_terminal *t = fw_terminal_new(path, fw_input_recording(in));
	struct fw_sink *sinks[FW_FRAME_TABLES] = { 0 };
	struct fw_writer w;
	int err, e;

	sinks[FW_FRAMES] = fw_terminal_frames(t);
	sinks[FW_HEALTH] = fw_terminal_health(t);
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	err = run_report(r, in, health, sinks, run);
	if (!err)
		fw_terminal_print(t, run, &w);
	e = fw_writer_close(&w);
	fw_terminal_free(t);
	return err ? err : e;
}

/* What a reader of side files had to leave out stands in no row. */
static void warn_of_sides(const char *path, const struct fw_health *health)
{
	static const struct {
		enum fw_health_id id;
		const char *what;
	} said[] = {
		{ FW_H_fw_side_bad_rows, "rows could not be read" },
		{ FW_H_fw_framestats_empty,
		  "dump holds no frame: dumpsys gfxinfo PACKAGE framestats prints the last ones" },
		{ FW_H_fw_latency_empty_tables,
		  "tables hold no frame: the layer drew nothing, or has another name" },
		{ FW_H_fw_side_no_clock,
		  "times stay empty: the recording has no pair of its clock and MONOTONIC" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(said); i++) {
		int64_t n = fw_health_sum(health, said[i].id);

		if (n)
			fw_warn("%s: %" PRId64 " %s", path, n, said[i].what);
	}
}

/* A dump that is a table of its own. */
static int print_side(const struct report *r, const char *path, enum fw_side_kind kind,
		      struct fw_source *src, struct fw_health *health)
{
	const char *name = fw_side_table(kind)->name;
	enum fw_format f = r->format < 0 ? FW_FORMAT_CSV : r->format;
	struct fw_writer w;
	struct fw_sink *sink;
	int err, e;

	if (r->dir || r->html || r->frame_filter || r->gate ||
	    (r->table && strcmp(r->table, name))) {
		fw_source_close(src);
		return fw_fail(EINVAL,
			       "%s: holds the table %s and no recording: no -o, no page, no other "
			       "--table and "
			       "no option that chooses frames or judges them",
			       path, name);
	}
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	sink = fw_format_sink(f, &w);
	err = fw_side_table_run(kind, src, health, sink);
	e = fw_writer_close(&w);
	fw_format_sink_free(sink);
	if (!err)
		warn_of_sides(path, health);
	return err ? err : e;
}

static int report_recording(const struct report *r, const char *path, struct fw_source *src,
			    struct fw_health *health, struct fw_run *run)
{
	struct fw_input *in;
	int err;

	if (r->table && fw_side_table_find(r->table)) {
		fw_source_close(src);
		return fw_fail(EINVAL, "%s: is no dump that --table %s is made of", path, r->table);
	}
	err = r->trace ? fw_input_open_pair(src, r->trace, health, &in)
		       : fw_input_open_source(src, health, &in);
	if (err)
		return err;
	if (r->partition)
		err = write_partition(r, path, in, health, run);
	else if (r->file)
		err = write_file(r, in, health, run);
	else if (r->html)
		err = write_page(r, path, in, health, run);
	else if (r->dir)
		err = write_files(r, path, in, health, run);
	else if (r->table || r->format >= 0)
		err = print_table(r, in, health, run);
	else
		err = print_summary(r, path, in, health, run);
	if (!err)
		warn_of_sides(path, health);
	fw_input_close(in);
	return err;
}

static int report_one(const struct report *r, const char *path)
{
	struct fw_run_opts opts = fw_run_opts_of(&r->frames.report);
	bool measured = r->html || r->gate || (!r->dir && !r->table && r->format < 0);
	struct fw_run *run = measured ? fw_run_new(&opts) : NULL;
	struct fw_health *health = fw_health_new();
	enum fw_side_kind side = FW_SIDE_NONE;
	struct fw_source *src;
	int status = FW_EXIT_OK;
	int err = fw_source_open(path, &src);

	if (!err) {
		err = fw_side_probe(src, &side);
		if (err)
			fw_source_close(src);
		else if (side != FW_SIDE_NONE)
			err = print_side(r, path, side, src, health);
		else
			err = report_recording(r, path, src, health, run);
	}
	if (err)
		status = fw_failed(err);
	else if (r->gate)
		status = fw_gate_judge(r->gate, path, fw_run_totals(run));
	if (!status && r->strict && fw_health_lost(health)) {
		fw_warn("%s: data was lost, and --strict was given", path);
		status = FW_EXIT_LOSS;
	}
	fw_health_free(health);
	fw_run_free(run);
	return status;
}

int fw_cmd_report(int argc, char **argv)
{
	struct report r = { .format = -1, .csv = { .sep = ',' } };
	int status;

	fw_frame_options_init(&r.frames);
	if (!fw_options(&fw_command_report, argc, argv, parse_option, &r, &status))
		return status;
	r.inputs = argv + optind;
	r.n_inputs = argc - optind;
	status = check_options(&r);
	if (status)
		return status;
	/* One bad input does not stop those after it. */
	for (int i = 0; i < r.n_inputs; i++)
		status = fw_worse(status, report_one(&r, r.inputs[i]));
	fw_gate_free(r.gate);
	return status;
}

const struct fw_command fw_command_report = {
	.name = "report",
	.args = "INPUT...",
	.what = "one row for each frame, or a table of a recording",
	.usage = "INPUT... [OPTION...]",
	.about = "Reads a recording (\"-\" is standard input) and prints a summary, or its rows.",
	.options = options,
	.run = fw_cmd_report,
	.examples = "  $ framewait report recording.pftrace\n"
		    "  $ framewait report recording.pftrace -o out\n"
		    "  $ framewait report recording.pftrace -f html -o report.html\n"
		    "  $ framewait report recording.pftrace --late-only -f csv\n"
		    "  $ framewait report recording.pftrace -t thread-state\n",
};
