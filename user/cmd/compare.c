// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/frame_options.h"
#include "cmd/gate.h"
#include "cmd/options.h"
#include "metrics/compare.h"
#include "output/format.h"
#include "output/metrics.h"

struct compare_cmd {
	int format; /* -1: text */
	struct fw_frame_options frames;
	struct fw_compare_opts opts;
	struct fw_gate *gate;
};

enum { OPT_FAIL_IF = 256, OPT_CONFIDENCE, OPT_MIN_EFFECT, OPT_DRAWS, OPT_SEED };

static const struct fw_option options[] = {
	{ "format", 'f', "F", .help = "text (default), csv, tsv, json, jsonl",
	  .group = "Output:", .values = FW_VALUES_FORMATS },
	{ "fail-if", OPT_FAIL_IF, "EXPR",
	  .help = "exit status 1 when it holds, as in 'worse > 0' or "
		  "'b.ftime_p99_ms > 1.05 * a.ftime_p99_ms'" },
	{ "confidence", OPT_CONFIDENCE, "C", .help = "of the intervals (0.95)" },
	{ "min-effect", OPT_MIN_EFFECT, "E",
	  .help = "least relative difference that is a change (0.01)" },
	{ "draws", OPT_DRAWS, "N", .help = "for the intervals (2000)" },
	{ "seed", OPT_SEED, "N", .help = "of everything random (1)" },
	FW_FRAME_OPTIONS,
	FW_OPTIONS_END,
};

/* Names of a condition: counts of changes, then a., b., d. and r. of each metric. */
static const struct {
	const char *name;
	enum fw_change change;
} counts[] = {
	{ "worse", FW_CHANGE_WORSE },
	{ "better", FW_CHANGE_BETTER },
	{ "more", FW_CHANGE_MORE },
	{ "less", FW_CHANGE_LESS },
};

static const char parts[] = "abdr";

static int find_name(void *ctx, struct fw_str name)
{
	const char *part;
	int id;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (fw_str_eq(name, fw_str(counts[i].name)))
			return (int)i;
	if (name.len < 3 || name.p[1] != '.')
		return -1;
	part = strchr(parts, name.p[0]);
	id = fw_metric_find((struct fw_str){ name.p + 2, name.len - 2 });
	if (!part || id < 0)
		return -1;
	if (fw_metric(id)->state == FW_METRIC_UNSUPPORTED)
		return FW_EXPR_UNSUPPORTED;
	return (int)ARRAY_SIZE(counts) + id * 4 + (int)(part - parts);
}

static double value_of(void *ctx, int number)
{
	const struct fw_compare *c = ctx;
	const struct fw_compared *r;

	/* Where nothing could be compared, nothing is known to have changed, or not to. */
	if (number < (int)ARRAY_SIZE(counts))
		return fw_compare_empty(c) ? NAN : fw_compare_changes(c, counts[number].change);
	number -= (int)ARRAY_SIZE(counts);
	r = fw_compare_measure(c, number / 4);
	switch (parts[number % 4]) {
	case 'a':
		return r->value[FW_SET_A];
	case 'b':
		return r->value[FW_SET_B];
	case 'd':
		return r->difference;
	default:
		return r->relative;
	}
}

static int parse_number(const char *option, double min, double max, double *out)
{
	if (fw_str_real(fw_str(optarg), out) && *out >= min && *out <= max)
		return FW_EXIT_OK;
	return fw_usage("compare", "--%s %s: expected a number from %g to %g", option, optarg, min,
			max);
}

static int parse_option(void *ctx, int c)
{
	struct compare_cmd *m = ctx;
	const struct fw_expr_names names = { .find = find_name };
	double v = 0;
	int64_t seed;
	int status;

	switch (c) {
	case 'f':
		m->format = fw_format_find(optarg);
		if (m->format < 0 && strcmp(optarg, "text"))
			return fw_usage("compare", "--format %s: no such format; one of text, %s",
					optarg, fw_format_names());
		return FW_EXIT_OK;
	case OPT_FAIL_IF:
		return fw_gate_option_names("compare", optarg, &names, &m->gate);
	case OPT_CONFIDENCE:
		return parse_number("confidence", 0.5, 0.9999, &m->opts.confidence);
	case OPT_MIN_EFFECT:
		return parse_number("min-effect", 0, 100, &m->opts.min_effect);
	case OPT_DRAWS:
		status = parse_number("draws", 100, 50000, &v);
		m->opts.draws = (int)v;
		return status;
	case OPT_SEED:
		if (!fw_str_int(fw_str(optarg), &seed))
			return fw_usage("compare", "--seed %s: expected a whole number", optarg);
		m->opts.seed = (uint64_t)seed;
		return FW_EXIT_OK;
	}
	return fw_frame_option("compare", c, &m->frames);
}

static int print(const struct compare_cmd *m, const struct fw_compare *c)
{
	struct fw_sink *sink = NULL;
	struct fw_writer w;
	int err = 0, e;

	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	if (m->format >= 0) {
		sink = fw_format_sink(m->format, &w);
		err = fw_compare_rows(c, sink);
	} else {
		fw_compare_page(c, m->opts.confidence, &w);
	}
	e = fw_writer_close(&w);
	fw_format_sink_free(sink);
	return err ? err : e;
}

static int compare(const struct compare_cmd *m, char **a, int n_a, char **b, int n_b)
{
	struct fw_compare *c = fw_compare_new(&m->opts);
	const struct fw_expr_names names = { .value = value_of, .ctx = c };
	const char *warning;
	size_t pos = 0;
	int status, err = 0;

	for (int i = 0; i < n_a && !err; i++)
		err = fw_compare_add(c, FW_SET_A, a[i]);
	for (int i = 0; i < n_b && !err; i++)
		err = fw_compare_add(c, FW_SET_B, b[i]);
	if (!err)
		err = fw_compare_finish(c);
	while (!err && (warning = fw_compare_warning(c, &pos)))
		fw_warn("%s", warning);
	if (!err)
		err = print(m, c);
	status = err ? fw_failed(err) : FW_EXIT_OK;
	if (!status && m->gate)
		status = fw_gate_judge_names(m->gate, "compare", &names);
	fw_compare_free(c);
	return status;
}

static int run(int argc, char **argv)
{
	struct compare_cmd m = {
		.format = -1,
		.opts = { .seed = 1, .draws = 2000, .confidence = 0.95, .min_effect = 0.01 }
	};
	int split = 1, status;

	/* getopt_long() would move the words before "--" behind it. */
	while (split < argc && strcmp(argv[split], "--"))
		split++;
	fw_frame_options_init(&m.frames);
	m.opts.frames = &m.frames.report;
	if (!fw_options(&fw_command_compare, split, argv, parse_option, &m, &status))
		goto out;
	if (optind == split)
		status = fw_usage("compare", "no run of A given: A... -- B...");
	else if (split + 1 >= argc)
		status = fw_usage("compare", "no run of B given: A... -- B...");
	for (int i = split + 1; i < argc && !status; i++)
		if (argv[i][0] == '-' && access(argv[i], F_OK))
			status = fw_usage("compare", "%s: options stand before --", argv[i]);
	if (!status)
		status = compare(&m, argv + optind, split - optind, argv + split + 1,
				 argc - split - 1);
out:
	fw_gate_free(m.gate);
	return status;
}

const struct fw_command fw_command_compare = {
	.name = "compare",
	.args = "A... -- B...",
	.what = "what changed from some runs to others",
	.usage = "[OPTION...] A... -- B...",
	.about = "What changed from the runs A to the runs B: recordings, or frames.csv of "
		 "report -o.",
	.options = options,
	.run = run,
	.examples = "  framewait compare old/*.fwc -- new/*.fwc\n"
		    "  framewait compare --fail-if 'worse > 0' old/*.fwc -- new/*.fwc\n",
};
