// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>

#include "output/metrics.h"

static const char *value_text(enum fw_metric_id m, double v, char *buf)
{
	const char *unit = fw_metric(m)->unit;

	if (isnan(v))
		snprintf(buf, 40, "-");
	else if (!strcmp(unit, "ratio"))
		snprintf(buf, 40, "%.2f %%", 100 * v);
	else
		snprintf(buf, 40, fabs(v) < 1e6 ? "%.2f" : "%.4g", v);
	return buf;
}

static void put_interval(enum fw_metric_id m, struct fw_interval_of i, struct fw_writer *w)
{
	char low[40], high[40], both[90];

	if (isnan(i.low))
		snprintf(both, sizeof(both), "-");
	else
		snprintf(both, sizeof(both), "%s .. %s", value_text(m, i.low, low),
			 value_text(m, i.high, high));
	fw_writer_printf(w, "  %-22s", both);
}

static void put_measure(const struct fw_compare *c, enum fw_metric_id m, struct fw_writer *w)
{
	const struct fw_compared *r = fw_compare_measure(c, m);
	char a[40], b[40], relative[40] = "-";

	if (!isnan(r->relative))
		snprintf(relative, sizeof(relative), "%+.1f %%", 100 * fmin(r->relative, 99999));
	fw_writer_char(w, ' ');
	fw_writer_printf(w, "%-26.26s %10s %10s %9s", fw_metric(m)->name,
			 value_text(m, r->value[FW_SET_A], a), value_text(m, r->value[FW_SET_B], b),
			 relative);
	put_interval(m, r->by_frames, w);
	put_interval(m, r->by_runs, w);
	if (isnan(r->effect))
		fw_writer_puts(w, FW_STR(" -\n"));
	else
		fw_writer_printf(w, " %+.2f\n", r->effect);
}

static void put_header(const char *first, struct fw_writer *w)
{
	fw_writer_printf(w, "\n %-26s %10s %10s %9s  %-22s  %-22s effect\n", first, "A", "B",
			 "change", "over frames", "over runs");
}

static void put_changes(const struct fw_compare *c, enum fw_change change, const char *title,
			struct fw_writer *w)
{
	bool any = false;

	for (int m = 0; m < FW_METRICS; m++) {
		const struct fw_compared *r = fw_compare_measure(c, m);

		if (!r->occurs || r->change != change)
			continue;
		/* Most states of most threads never come. */
		if (change == FW_CHANGE_NONE && r->value[FW_SET_A] == 0 && r->value[FW_SET_B] == 0)
			continue;
		if (!any)
			put_header(title, w);
		any = true;
		put_measure(c, m, w);
	}
}

void fw_compare_page(const struct fw_compare *c, double confidence, struct fw_writer *w)
{
	int changes = fw_compare_changes(c, FW_CHANGE_WORSE) +
		      fw_compare_changes(c, FW_CHANGE_BETTER) +
		      fw_compare_changes(c, FW_CHANGE_MORE) + fw_compare_changes(c, FW_CHANGE_LESS);
	int a = fw_compare_n_runs(c, FW_SET_A), b = fw_compare_n_runs(c, FW_SET_B);

	fw_writer_printf(w, "%d %s of A, %d %s of B; intervals of %g %%: ", a,
			 a == 1 ? "run" : "runs", b, b == 1 ? "run" : "runs", 100 * confidence);
	if (fw_compare_empty(c))
		fw_writer_puts(w, FW_STR("nothing has a value on both sides\n"));
	else if (changes)
		fw_writer_printf(w, "%d %s\n", changes, changes == 1 ? "change" : "changes");
	else
		fw_writer_puts(w, FW_STR("no change\n"));
	put_changes(c, FW_CHANGE_WORSE, "worse", w);
	put_changes(c, FW_CHANGE_BETTER, "better", w);
	put_changes(c, FW_CHANGE_MORE, "more", w);
	put_changes(c, FW_CHANGE_LESS, "less", w);
	put_changes(c, FW_CHANGE_NONE, "no change", w);
}
