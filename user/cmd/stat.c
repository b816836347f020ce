// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/frame_options.h"
#include "cmd/gate.h"
#include "metrics/column.h"
#include "metrics/source.h"
#include "metrics/stat_rows.h"
#include "output/format.h"
#include "output/metrics.h"

static const char help_text[] =
	"usage: framewait stat INPUT... [OPTION...]\n"
	"       framewait stat FILE.csv --column NAME [OPTION...]\n"
	"       framewait stat --list\n"
	"\n"
	"Frame-time metrics of recordings, of frames.csv files, or of a column of numbers.\n"
	"\n"
	"  -f, --format F        text (default), csv, tsv, json, jsonl\n"
	"      --fail-if EXPR    exit status 1 when it holds, as in 'ftime_p99_ms > 20 or "
	"jank_rate > 0.02'\n"
	"      --mach-timebase N/D  of an iOS recording: ns of a Mach tick, instead of what it "
	"says\n"
	"      --list            every metric: scope, unit, state, version, definition\n"
	"\n"
	"A column:\n"
	"      --column NAME     FTimes in ms (in s, us, ns where the name ends so)\n"
	"      --times           the column has present times instead\n"
	"      --fps-column NAME FPS points of the recorder, instead of those that are counted\n"
	"      --duration MS     the whole time, instead of the sum of the FTimes\n"
	"\n" FW_FRAME_OPTIONS_HELP "\n"
	"  -h, --help\n";

struct stat_cmd {
	int format; /* -1: text */
	bool list, frames_chosen;
	struct fw_frame_options frames;
	struct fw_column_opts column;
	double whole_ms;
	struct fw_gate *gate;
};

enum { OPT_LIST = 256, OPT_FAIL_IF, OPT_COLUMN, OPT_TIMES, OPT_FPS_COLUMN, OPT_DURATION, OPT_MACH };

static const struct option long_options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "fail-if", required_argument, NULL, OPT_FAIL_IF },
	{ "column", required_argument, NULL, OPT_COLUMN },
	{ "times", no_argument, NULL, OPT_TIMES },
	{ "fps-column", required_argument, NULL, OPT_FPS_COLUMN },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "mach-timebase", required_argument, NULL, OPT_MACH },
	FW_FRAME_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* "125/3" */
static int parse_timebase(struct fw_report_opts *o, const char *arg)
{
	const char *slash = strchr(arg, '/');
	struct fw_str numer = { arg, slash ? (size_t)(slash - arg) : 0 };
	int64_t n, d;

	if (!slash || !fw_str_int(numer, &n) || !fw_str_int(fw_str(slash + 1), &d) || n <= 0 ||
	    d <= 0 || n > UINT32_MAX || d > UINT32_MAX)
		return fw_usage("stat", "--mach-timebase %s: expected NUMER/DENOM, as in 125/3",
				arg);
	o->mach_numer = (uint32_t)n;
	o->mach_denom = (uint32_t)d;
	return FW_EXIT_OK;
}

static int parse_option(struct stat_cmd *s, int c, char **argv)
{
	switch (c) {
	case 'f':
		s->format = fw_format_find(optarg);
		if (s->format < 0 && strcmp(optarg, "text"))
			return fw_usage("stat", "--format %s: no such format; one of text, %s",
					optarg, fw_format_names());
		return FW_EXIT_OK;
	case OPT_LIST:
		s->list = true;
		return FW_EXIT_OK;
	case OPT_FAIL_IF:
		return fw_gate_option("stat", optarg, &s->gate);
	case OPT_COLUMN:
		s->column.column = optarg;
		return FW_EXIT_OK;
	case OPT_TIMES:
		s->column.times = true;
		return FW_EXIT_OK;
	case OPT_FPS_COLUMN:
		s->column.points = optarg;
		return FW_EXIT_OK;
	case OPT_MACH:
		return parse_timebase(&s->frames.report, optarg);
	case OPT_DURATION:
		if (!fw_str_real(fw_str(optarg), &s->whole_ms) || s->whole_ms <= 0)
			return fw_usage("stat", "--duration %s: expected milliseconds above 0",
					optarg);
		return FW_EXIT_OK;
	}
	s->frames_chosen = true;
	return fw_frame_option("stat", c, argv, &s->frames);
}

static int check_options(const struct stat_cmd *s, int n_inputs)
{
	bool of_column = s->column.times || s->column.points || s->whole_ms > 0;

	if (s->list && (n_inputs || s->gate || s->column.column || of_column || s->frames_chosen))
		return fw_usage("stat", "--list takes nothing but --format");
	if (!s->list && !n_inputs)
		return fw_usage("stat", "no input given");
	if (of_column && !s->column.column)
		return fw_usage("stat", "--times, --fps-column and --duration need --column");
	if (s->column.column && s->frames_chosen)
		return fw_usage("stat", "--column has no frames to choose from");
	return FW_EXIT_OK;
}

static int stat_one(const struct stat_cmd *s, const char *path, struct fw_sink *sink,
		    struct fw_writer *w)
{
	struct fw_run_opts opts = fw_run_opts_of(&s->frames.report);
	struct fw_run_facts facts = { 0 };
	struct fw_run *run;
	int status, err;

	opts.whole_ms = s->whole_ms;
	run = fw_run_new(&opts);
	if (s->column.column)
		err = fw_run_read_column(run, path, &s->column, &facts);
	else
		err = fw_run_read(run, path, &s->frames.report, &facts);
	if (!err)
		err = fw_run_finish(run);
	if (!err && sink)
		err = fw_stat_rows(run, path, sink);
	else if (!err)
		fw_metrics_page(path, run, w);
	if (!err)
		fw_warn_facts(path, &facts);
	status = err ? fw_failed(err) : FW_EXIT_OK;
	if (!status && s->gate)
		status = fw_gate_judge(s->gate, path, fw_run_totals(run));
	fw_run_facts_free(&facts);
	fw_run_free(run);
	return status;
}

static int stat_all(const struct stat_cmd *s, char **inputs, int n, struct fw_sink *sink,
		    struct fw_writer *w)
{
	int status = FW_EXIT_OK;

	if (sink && sink->begin(sink, &fw_stat_table))
		return FW_EXIT_OK; /* told by the writer */
	for (int i = 0; i < n; i++) {
		if (i && !sink)
			fw_writer_char(w, '\n');
		status = fw_worse(status, stat_one(s, inputs[i], sink, w));
	}
	if (sink)
		sink->end(sink);
	return status;
}

int fw_cmd_stat(int argc, char **argv)
{
	struct stat_cmd s = { .format = -1 };
	struct fw_sink *sink = NULL;
	struct fw_writer w;
	int c, status = FW_EXIT_OK, err = 0;

	opterr = 0;
	fw_frame_options_init(&s.frames);
	while (!status && (c = getopt_long(argc, argv, ":f:p:l:r:h", long_options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help_text, stdout);
			return fflush(stdout) ? FW_EXIT_INPUT : FW_EXIT_OK;
		}
		status = parse_option(&s, c, argv);
	}
	if (!status)
		status = check_options(&s, argc - optind);
	if (status)
		goto out;
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	if (s.list || s.format >= 0)
		sink = fw_format_sink(s.format < 0 ? FW_FORMAT_CSV : s.format, &w);
	if (s.list)
		err = fw_metric_list(sink);
	else
		status = stat_all(&s, argv + optind, argc - optind, sink, &w);
	c = fw_writer_close(&w);
	fw_format_sink_free(sink);
	if (err || c)
		status = fw_failed(err ? err : c);
out:
	fw_gate_free(s.gate);
	return status;
}
