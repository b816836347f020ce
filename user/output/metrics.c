// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/metrics.h"

#include <math.h>
#include <stdio.h>

#include "output/terminal.h"

#define TEXT_LEN 40

/* "16.67 ms", "3.12 %"; nothing where @v is NAN. */
static const char *text_of(enum fw_metric_id id, double v, char buf[TEXT_LEN])
{
	const char *unit = fw_metric(id)->unit;

	buf[0] = 0;
	if (isnan(v))
		return buf;
	if (!strcmp(unit, "ratio"))
		snprintf(buf, TEXT_LEN, "%.2f %%", 100 * v);
	else if (!strcmp(unit, "count"))
		snprintf(buf, TEXT_LEN, "%.0f", v);
	else
		snprintf(buf, TEXT_LEN, fabs(v) < 1e9 ? "%.2f %s" : "%.4g %s", v, unit);
	return buf;
}

/* What the FTimes are of. */
static void put_main(const struct fw_run *run, struct fw_writer *w)
{
	int i = fw_run_main(run);
	struct fw_series s;

	if (i < 0) {
		fw_writer_puts(w, FW_STR("no frames whose present times are known"));
		return;
	}
	s = fw_run_series(run, i);
	fw_writer_printf(w, "FTime of the %s ", s.scope);
	if (s.layer.p && s.layer.len) {
		fw_terminal_text(w, s.layer, 44);
		fw_writer_char(w, ' ');
	}
	fw_writer_printf(w, "(%s)", fw_basis_name(s.basis));
}

void fw_metrics_summary(const struct fw_run *run, struct fw_writer *w)
{
	const struct fw_totals *t = fw_run_totals(run);
	char text[TEXT_LEN] = "";
	int n = 0;

	fw_writer_puts(w, FW_STR("\nMetrics, "));
	put_main(run, w);
	fw_writer_char(w, '\n');
	for (int id = 0; id < FW_METRICS; id++) {
		const struct fw_metric *m = fw_metric(id);
		double v = fw_metric_value(id, t);

		/* The summary has tables of threads and of candidates. */
		if (isnan(v) || m->scope >= FW_SCOPE_THREAD || m->state != FW_METRIC_ACCEPTED)
			continue;
		/* The next one goes beside it, or below. */
		if (n)
			fw_writer_printf(w, "%*s", n % 2 ? 24 - (int)strlen(text) : 0, "");
		if (n % 2 == 0 && n)
			fw_writer_char(w, '\n');
		fw_writer_printf(w, "  %-22s %s", m->name, text_of(id, v, text));
		n++;
	}
	if (n)
		fw_writer_char(w, '\n');
}

static void put_metrics(const struct fw_totals *t, struct fw_writer *w)
{
	char text[TEXT_LEN];

	for (int id = 0; id < FW_METRICS; id++) {
		const struct fw_metric *m = fw_metric(id);
		double v = fw_metric_value(id, t);

		if (m->scope >= FW_SCOPE_THREAD && v == 0)
			continue;
		if (m->state == FW_METRIC_UNSUPPORTED)
			fw_writer_printf(w, "  %-28s unsupported\n", m->name);
		else if (!isnan(v))
			fw_writer_printf(w, "  %-28s %s%s\n", m->name, text_of(id, v, text),
					 m->state == FW_METRIC_CANDIDATE ? "  (candidate)" : "");
	}
}

static void put_series(const struct fw_run *run, struct fw_writer *w)
{
	static const enum fw_metric_id shown[] = { FW_METRIC_fps_mean, FW_METRIC_ftime_p50_ms,
						   FW_METRIC_ftime_p99_ms, FW_METRIC_jank_rate };
	char text[TEXT_LEN];

	fw_writer_printf(w, "\n  %-12s %-12s %-12s %-12s  series\n", "fps_mean", "ftime_p50",
			 "ftime_p99", "jank_rate");
	for (int i = 0; i < fw_run_n_series(run); i++) {
		struct fw_series s = fw_run_series(run, i);

		fw_writer_puts(w, FW_STR("  "));
		for (int m = 0; m < 4; m++)
			fw_writer_printf(w, "%-12s ",
					 text_of(shown[m], fw_metric_value(shown[m], s.totals),
						 text));
		fw_writer_printf(w, " %s", s.scope);
		if (s.layer.p && s.layer.len) {
			fw_writer_char(w, ' ');
			fw_terminal_text(w, s.layer, 36);
		}
		fw_writer_char(w, '\n');
	}
	if (fw_run_more_series(run))
		fw_writer_printf(w, "  only the first %d layers are told apart\n",
				 FW_RUN_SERIES_MAX);
}

void fw_metrics_page(const char *path, const struct fw_run *run, struct fw_writer *w)
{
	fw_terminal_text(w, fw_str(path), 60);
	fw_writer_puts(w, FW_STR(": "));
	put_main(run, w);
	fw_writer_char(w, '\n');
	put_metrics(fw_run_totals(run), w);
	if (fw_run_n_series(run) > 1)
		put_series(run, w);
}
