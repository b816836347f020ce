// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/metrics.h"

#include <math.h>

#define METRIC(id, scope, unit, better, state, version, definition, value)                         \
	{ #id, unit, definition, FW_SCOPE_##scope, FW_METRIC_##state, FW_BETTER_##better, version },
static const struct fw_metric metrics[] = {
#include "metrics/metrics.def"
};
#undef METRIC

const struct fw_metric *fw_metric(enum fw_metric_id id)
{
	return &metrics[id];
}

int fw_metric_find(struct fw_str name)
{
	for (int i = 0; i < FW_METRICS; i++)
		if (fw_str_eq(name, fw_str(metrics[i].name)))
			return i;
	return -1;
}

static double fw_ratio(double part, double all)
{
	return all > 0 ? part / all : NAN;
}

static double fw_variance(double n, double sum, double squares)
{
	double mean = fw_ratio(sum, n);

	return n > 0 ? fmax(squares / n - mean * mean, 0) : NAN;
}

static double fw_state_share(const struct fw_totals *t, enum fw_role role, enum fw_figure state)
{
	const double *of_role = &t->sum[FW_SUM_STATES + role * FW_STATES_IN_WINDOW];
	double all = 0;

	for (int i = 0; i < FW_STATES_IN_WINDOW; i++)
		all += of_role[i];
	return fw_ratio(of_role[state], all);
}

/* Each late frame has a first candidate: where none has, nobody looked for them. */
static double fw_candidate_share(const struct fw_totals *t, enum fw_verdict v)
{
	double any = 0;

	for (int i = 0; i < FW_VERDICTS; i++)
		any += t->sum[FW_SUM_VERDICTS + i];
	if (!t->sum[FW_SUM_JUDGED_LATE] || (t->sum[FW_SUM_LATE] > 0 && !any))
		return NAN;
	return fw_ratio(t->sum[FW_SUM_VERDICTS + v], t->sum[FW_SUM_FRAMES]);
}

#define FW_ROLE_OF_ui FW_ROLE_UI
#define FW_ROLE_OF_render FW_ROLE_RENDER
#define FW_ROLE_OF_sf FW_ROLE_SF
#define FW_ROLE_OF_re FW_ROLE_RE
#define FW_ROLE_OF_hwc FW_ROLE_HWC

double fw_metric_value(enum fw_metric_id id, const struct fw_totals *t)
{
	double v = NAN;

	switch (id) {
#define METRIC(id, scope, unit, better, state, version, definition, value)                         \
	case FW_METRIC_##id:                                                                       \
		v = (value);                                                                       \
		break;
#include "metrics/metrics.def"
#undef METRIC
	case FW_METRICS:
		break;
	}
	return isfinite(v) ? v : NAN;
}

const char *fw_scope_name(enum fw_metric_scope s)
{
	static const char *const names[] = { "interval", "second", "frame", "thread", "candidate" };

	return names[s];
}

const char *fw_metric_state_name(enum fw_metric_state s)
{
	static const char *const names[] = { "accepted", "candidate", "unsupported" };

	return names[s];
}

const char *fw_better_name(enum fw_better b)
{
	static const char *const names[] = { "neither", "lower", "higher" };

	return names[b];
}
