// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/stat_rows.h"

#include <math.h>

#include "base/mem.h"

static const struct fw_column list_columns[] = {
	{ "metric", "text", FW_TEXT, "name, as in --fail-if", "the program", NULL },
	{ "scope", "text", FW_TEXT, "interval, second, frame, thread, candidate: what it is over",
	  "the program", NULL },
	{ "unit", "text", FW_TEXT, "unit of the value; ratio is 0 to 1", "the program", NULL },
	{ "better", "text", FW_TEXT, "lower, higher, neither", "the program", NULL },
	{ "state", "text", FW_TEXT, "accepted, candidate, unsupported", "the program", NULL },
	{ "version", "count", FW_INT, "of the definition", "the program", NULL },
	{ "definition", "text", FW_TEXT, "how it is computed", "the program", NULL },
};

const struct fw_table fw_metric_table = { .name = "metrics",
					  .what = "a metric",
					  .columns = list_columns,
					  .n_columns = ARRAY_SIZE(list_columns) };

int fw_metric_list(struct fw_sink *sink)
{
	int err = sink->begin(sink, &fw_metric_table);

	for (int id = 0; id < FW_METRICS && !err; id++) {
		const struct fw_metric *m = fw_metric(id);
		struct fw_cell cells[ARRAY_SIZE(list_columns)] = {
			fw_text(fw_str(m->name)),
			fw_text(fw_str(fw_scope_name(m->scope))),
			fw_text(fw_str(m->unit)),
			fw_text(fw_str(fw_better_name(m->better))),
			fw_text(fw_str(fw_metric_state_name(m->state))),
			fw_int(m->version),
			fw_text(fw_str(m->definition)),
		};

		err = sink->row(sink, cells);
	}
	return err ? err : sink->end(sink);
}

static const struct fw_column stat_columns[] = {
	{ "input", "text", FW_TEXT, "the file", "the command line", NULL },
	{ "scope", "text", FW_TEXT, "run, or the kind of a series: layer, screen, program, column",
	  "the run", NULL },
	{ "process", "text", FW_TEXT, "process of the layer", "the frames", "not known" },
	{ "layer", "text", FW_TEXT, "the layer; of a run, its main series'", "the frames",
	  "not a layer" },
	{ "basis", "text", FW_TEXT,
	  "what present times are: present fences, display frames, presented frames, column",
	  "the run", "none is known" },
	{ "metric", "text", FW_TEXT, "its name", "the program", NULL },
	{ "value", "number", FW_REAL, "not rounded", "the run", "not known" },
	{ "unit", "text", FW_TEXT, "unit of the value", "the program", NULL },
	{ "state", "text", FW_TEXT, "accepted, candidate, unsupported", "the program", NULL },
	{ "version", "count", FW_INT, "of the metric's definition", "the program", NULL },
};

const struct fw_table fw_stat_table = { .name = "stat",
					.what = "a metric of a run or of one of its series",
					.columns = stat_columns,
					.n_columns = ARRAY_SIZE(stat_columns) };

static int series_rows(const char *input, const struct fw_series *s, struct fw_sink *sink)
{
	int err = 0;

	for (int id = 0; id < FW_METRICS && !err; id++) {
		const struct fw_metric *m = fw_metric(id);
		double v = fw_metric_value(id, s->totals);
		struct fw_cell cells[ARRAY_SIZE(stat_columns)] = {
			fw_text(fw_str(input)),
			fw_text(fw_str(s->scope)),
			fw_text(s->process),
			fw_text(s->layer),
			fw_text(fw_str(fw_basis_name(s->basis))),
			fw_text(fw_str(m->name)),
			isnan(v) ? fw_null() : fw_real(v),
			fw_text(fw_str(m->unit)),
			fw_text(fw_str(fw_metric_state_name(m->state))),
			fw_int(m->version),
		};

		err = sink->row(sink, cells);
	}
	return err;
}

int fw_stat_rows(const struct fw_run *run, const char *input, struct fw_sink *sink)
{
	int main = fw_run_main(run), err;
	struct fw_series s = { .basis = FW_BASIS_NONE };

	if (main >= 0)
		s = fw_run_series(run, main);
	s.scope = "run";
	s.totals = fw_run_totals(run);
	err = series_rows(input, &s, sink);
	for (int i = 0; i < fw_run_n_series(run) && !err; i++) {
		s = fw_run_series(run, i);
		err = series_rows(input, &s, sink);
	}
	return err;
}
