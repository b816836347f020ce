// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/frame_options.h"
#include "cmd/gate.h"
#include "cmd/options.h"
#include "metrics/column.h"
#include "metrics/source.h"
#include "metrics/stat_rows.h"
#include "output/format.h"
#include "output/metrics.h"

struct stat_cmd {
	int format; /* -1: text */
	bool list, frames_chosen;
	struct fw_frame_options frames;
	struct fw_column_opts column;
	double whole_ms;
	struct fw_gate *gate;
};

enum { OPT_LIST = 256, OPT_FAIL_IF, OPT_COLUMN, OPT_TIMES, OPT_FPS_COLUMN, OPT_DURATION, OPT_MACH };

static const struct fw_option options[] = {
	{ "format", 'f', "F", .help = "text (default), csv, tsv, json, jsonl",
	  .group = "Output:", .values = FW_VALUES_FORMATS },
	{ "fail-if", OPT_FAIL_IF, "EXPR",
	  .help = "exit status 1 when it holds, as in 'ftime_p99_ms > 20 or jank_rate > 0.02'" },
	{ "mach-timebase", OPT_MACH, "N/D",
	  .help = "of an iOS recording: ns of a Mach tick, instead of what it says" },
	{ "list", OPT_LIST, NULL, .help = "every metric: scope, unit, state, version, definition" },
	{ "column", OPT_COLUMN, "NAME",
	  .help = "FTimes in ms (in s, us, ns where the name ends so)", .group = "A column:" },
	{ "times", OPT_TIMES, NULL, .help = "the column has present times instead" },
	{ "fps-column", OPT_FPS_COLUMN, "NAME",
	  .help = "FPS points of the recorder, instead of those that are counted" },
	{ "duration", OPT_DURATION, "MS",
	  .help = "the whole time, instead of the sum of the FTimes" },
	FW_FRAME_OPTIONS,
	FW_OPTIONS_END,
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

static int parse_option(void *ctx, int c)
{
	struct stat_cmd *s = ctx;

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
		s->frames_chosen |= !fw_configured();
		return parse_timebase(&s->frames.report, optarg);
	case OPT_DURATION:
		if (!fw_str_real(fw_str(optarg), &s->whole_ms) || s->whole_ms <= 0)
			return fw_usage("stat", "--duration %s: expected milliseconds above 0",
					optarg);
		return FW_EXIT_OK;
	}
	s->frames_chosen |= !fw_configured();
	return fw_frame_option("stat", c, &s->frames);
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
		return fw_usage("stat",
				"--column has neither frames to choose from nor Mach ticks");
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

static int run(int argc, char **argv)
{
	struct stat_cmd s = { .format = -1 };
	struct fw_sink *sink = NULL;
	struct fw_writer w;
	int status, err = 0, e;

	fw_frame_options_init(&s.frames);
	if (!fw_options(&fw_command_stat, argc, argv, parse_option, &s, &status))
		goto out;
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
	e = fw_writer_close(&w);
	fw_format_sink_free(sink);
	if (err || e)
		status = fw_failed(err ? err : e);
out:
	fw_gate_free(s.gate);
	return status;
}

const struct fw_command fw_command_stat = {
	.name = "stat",
	.args = "INPUT...",
	.what = "frame-time metrics of recordings",
	.usage = "INPUT... [OPTION...]\n"
		 "FILE.csv --column NAME [OPTION...]\n"
		 "--list",
	.about =
		"Frame-time metrics of recordings, of frames.csv files, or of a column of numbers.",
	.options = options,
	.run = run,
	.examples = "  $ framewait stat recording.pftrace\n"
		    "  $ framewait stat recording.pftrace -f csv --fail-if 'ftime_p99_ms > 1000'\n",
};
