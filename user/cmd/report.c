// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/health.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/partition.h"
#include "cmd/report.h"
#include "metrics/source.h"
#include "output/select.h"

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

const struct fw_table_def *fw_report_canned(const struct fw_report_cmd *r)
{
	if (!r->table || (!r->tp_compat && fw_frame_table_find(r->table)))
		return NULL;
	return fw_table_find(r->table);
}

static int parse_sep(struct fw_report_cmd *r)
{
	if (strlen(optarg) != 1 || strchr("\"\r\n", *optarg) || (unsigned char)*optarg >= 0x80)
		return fw_usage("report", "--csv-sep %s: expected one character that is no quote",
				optarg);
	r->csv.sep = *optarg;
	r->csv_styled = true;
	return FW_EXIT_OK;
}

static int parse_format(struct fw_report_cmd *r)
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
	struct fw_report_cmd *r = ctx;

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

bool fw_report_summarizes(const struct fw_report_cmd *r)
{
	return !r->html && !r->dir && !r->table && r->format < 0;
}

const char *fw_report_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Each of several inputs gets a directory of its name: no two may share one. */
static int check_names(const struct fw_report_cmd *r)
{
	for (int i = 1; r->dir && i < r->n_inputs; i++)
		for (int j = 0; j < i; j++)
			if (!strcmp(fw_report_name(r->inputs[i]), fw_report_name(r->inputs[j])))
				return fw_usage("report",
						"%s and %s would both be written to %s/%s",
						r->inputs[j], r->inputs[i], r->dir,
						fw_report_name(r->inputs[i]));
	return FW_EXIT_OK;
}

/* How the rows are written. */
static int check_choice(const struct fw_report_cmd *r)
{
	const struct fw_table *t =
		r->table ? fw_frame_table_find(r->table) : fw_frame_table(FW_FRAMES);
	struct fw_select *select;

	if (r->csv_styled && (r->file || r->html || r->format > FW_FORMAT_CSV))
		return fw_usage("report", "--csv-sep, --csv-crlf and --csv-bom are for csv");
	if (r->frames.report.side.logcat && !r->dir && !r->html &&
	    t != fw_frame_table(FW_ANIMATIONS))
		return fw_usage("report", "--logcat is for the table animations: -t animations, "
					  "-o, or a page");
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

static bool same_file(const struct stat *a, const char *path)
{
	struct stat b;

	return path && !stat(path, &b) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* The one file to write would take the place of one that is read for it. */
static bool takes_input(const struct fw_report_cmd *r)
{
	const struct fw_side_files *side = &r->frames.report.side;
	struct stat out;
	bool taken;

	if (!r->dir || (!r->file && !r->html) || lstat(r->dir, &out) || !S_ISREG(out.st_mode))
		return false;
	taken = same_file(&out, r->trace) || same_file(&out, side->framestats) ||
		same_file(&out, side->latency) || same_file(&out, side->plans) ||
		same_file(&out, side->logcat);
	for (int i = 0; i < r->n_inputs && !taken; i++)
		taken = same_file(&out, r->inputs[i]);
	return taken;
}

static int check_options(const struct fw_report_cmd *r)
{
	if (!r->n_inputs)
		return fw_usage("report", "no input given");
	if (r->table && !fw_table_find(r->table) && !fw_frame_table_find(r->table) &&
	    !fw_side_table_find(r->table))
		return fw_usage("report", "--table %s: no such table; framewait columns lists them",
				r->table);
	if (r->dir && !*r->dir)
		return fw_usage("report", "--output: an empty name");
	if (takes_input(r))
		return fw_usage("report", "--output %s: is an input too; name another file",
				r->dir);
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
	if (fw_report_canned(r) && r->frame_filter)
		return fw_usage("report", "--table %s%s takes no frame filter and no --role",
				r->table, r->tp_compat ? " --trace-processor-compat" : "");
	if (fw_report_canned(r) && r->gate)
		return fw_usage("report", "--table %s has no frames for --fail-if", r->table);
	if (r->n_inputs > 1 && r->trace)
		return fw_usage("report", "--sf %s: belongs to one capture, not to several",
				r->trace);
	if (r->n_inputs > 1 && !r->dir && (r->table || r->format >= 0))
		return fw_usage("report", "%s: several inputs need --output DIR", r->inputs[1]);
	return check_choice(r);
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
static int print_side(const struct fw_report_cmd *r, const char *path, enum fw_side_kind kind,
		      struct fw_source *src, struct fw_health *health)
{
	const char *name = fw_side_table(kind)->name;
	int err;

	if (r->dir || r->html || r->columns || r->frame_filter || r->gate ||
	    (r->table && strcmp(r->table, name))) {
		fw_source_close(src);
		return fw_fail(EINVAL,
			       "%s: holds the table %s and no recording: no -o, no page, no other "
			       "--table and no option that chooses columns or frames, or judges "
			       "them",
			       path, name);
	}
	err = fw_report_write_side(r, kind, src, health);
	if (!err)
		warn_of_sides(path, health);
	return err;
}

static int report_recording(const struct fw_report_cmd *r, const char *path, struct fw_source *src,
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
	err = fw_report_write(r, path, in, health, run);
	if (!err)
		warn_of_sides(path, health);
	fw_input_close(in);
	return err;
}

static int report_one(const struct fw_report_cmd *r, const char *path)
{
	struct fw_run_opts opts = fw_run_opts_of(&r->frames.report);
	bool measured = r->html || r->gate || fw_report_summarizes(r);
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
	struct fw_report_cmd r = { .format = -1, .csv = { .sep = ',' } };
	int status;

	fw_frame_options_init(&r.frames);
	if (!fw_options(&fw_command_report, argc, argv, parse_option, &r, &status))
		goto out;
	r.inputs = argv + optind;
	r.n_inputs = argc - optind;
	status = check_options(&r);
	if (status)
		goto out;
	/* One bad input does not stop those after it. */
	for (int i = 0; i < r.n_inputs; i++)
		status = fw_worse(status, report_one(&r, r.inputs[i]));
out:
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
