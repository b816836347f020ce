// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "base/mem.h"
#include "metrics/compare.h"

#define RUNS "the runs"

static const struct fw_column columns[] = {
	{ "measure", "text", FW_TEXT, "the metric", RUNS, NULL },
	{ "kind", "text", FW_TEXT,
	  "metric; state: the share of a thread's state; candidate: the "
	  "share of frames that have it first",
	  RUNS, NULL },
	{ "unit", "text", FW_TEXT, "unit of the values", "the program", NULL },
	{ "better", "text", FW_TEXT, "lower, higher, neither", "the program", NULL },
	{ "runs_a", "count", FW_INT, "runs of A that have a value", RUNS, NULL },
	{ "runs_b", "count", FW_INT, "runs of B that have a value", RUNS, NULL },
	{ "a", "number", FW_REAL, "median of the runs of A", RUNS, "none has a value" },
	{ "b", "number", FW_REAL, "median of the runs of B", RUNS, "none has a value" },
	{ "difference", "number", FW_REAL, "b less a", RUNS, "one of the two is empty" },
	{ "relative", "number", FW_REAL, "difference over the size of a", RUNS, "a is 0 or empty" },
	{ "frames_low", "number", FW_REAL, "interval of the difference over frames, low end", RUNS,
	  "draws of the frames have no value" },
	{ "frames_high", "number", FW_REAL, "its high end", RUNS, "as frames_low" },
	{ "runs_low", "number", FW_REAL, "interval of the difference over runs, low end", RUNS,
	  "fewer than two runs on a side" },
	{ "runs_high", "number", FW_REAL, "its high end", RUNS, "as runs_low" },
	{ "effect", "number", FW_REAL,
	  "Cliff's delta of the runs: -1 all of B are below all of A, 1 above", RUNS,
	  "one run on each side" },
	{ "change", "text", FW_TEXT, "none, better, worse; more, less of what is neither", RUNS,
	  "not known, or a size of the run" },
};

const struct fw_table fw_compare_table = { .name = "compare",
					   .what = "a measure of two sets of runs",
					   .columns = columns,
					   .n_columns = ARRAY_SIZE(columns) };

static struct fw_cell number(double v)
{
	return isnan(v) ? fw_null() : fw_real(v);
}

static const char *kind_of(const struct fw_metric *m)
{
	if (m->scope == FW_SCOPE_CANDIDATE)
		return "candidate";
	return m->scope == FW_SCOPE_THREAD ? "state" : "metric";
}

static int measure_row(const struct fw_metric *m, const struct fw_compared *r, struct fw_sink *sink)
{
	struct fw_cell cells[ARRAY_SIZE(columns)] = {
		fw_text(fw_str(m->name)),   fw_text(fw_str(kind_of(m))),
		fw_text(fw_str(m->unit)),   fw_text(fw_str(fw_better_name(m->better))),
		fw_int(r->runs[FW_SET_A]),  fw_int(r->runs[FW_SET_B]),
		number(r->value[FW_SET_A]), number(r->value[FW_SET_B]),
		number(r->difference),	    number(r->relative),
		number(r->by_frames.low),   number(r->by_frames.high),
		number(r->by_runs.low),	    number(r->by_runs.high),
		number(r->effect),	    fw_text(fw_str(fw_change_name(r->change))),
	};

	return sink->row(sink, cells);
}

int fw_compare_rows(const struct fw_compare *c, struct fw_sink *sink)
{
	int err = sink->begin(sink, &fw_compare_table);

	for (int m = 0; m < FW_METRICS && !err; m++)
		if (fw_compare_measure(c, m)->occurs)
			err = measure_row(fw_metric(m), fw_compare_measure(c, m), sink);
	return err ? err : sink->end(sink);
}
