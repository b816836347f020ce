/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_METRICS_H
#define FW_METRICS_METRICS_H

#include "base/str.h"
#include "metrics/totals.h"

/*
 * Each metric is defined once, in metrics.def: framewait stat --list, Documentation/metrics.rst and
 * what is computed come from there.
 */
enum fw_metric_id {
#define METRIC(id, ...) FW_METRIC_##id,
#include "metrics/metrics.def"
#undef METRIC
	FW_METRICS
};

enum fw_metric_scope {
	FW_SCOPE_INTERVAL, /* FTimes: times between frames that were presented one after the other */
	FW_SCOPE_SECOND, /* points: FPS second by second */
	FW_SCOPE_FRAME, /* frames of layers; of the screen where there are none */
	FW_SCOPE_THREAD, /* the roles' threads within frames */
	FW_SCOPE_CANDIDATE, /* the first candidates of frames */
};

enum fw_metric_state {
	FW_METRIC_ACCEPTED,
	FW_METRIC_CANDIDATE, /* computed; the definition may change */
	FW_METRIC_UNSUPPORTED, /* known by name, never computed */
};

/* Which way a metric is better. */
enum fw_better { FW_BETTER_NEITHER, FW_BETTER_LOWER, FW_BETTER_HIGHER };

struct fw_metric {
	const char *name, *unit, *definition;
	enum fw_metric_scope scope;
	enum fw_metric_state state;
	enum fw_better better;
	int version;
};

const struct fw_metric *fw_metric(enum fw_metric_id id);
/* By name, or -1. */
int fw_metric_find(struct fw_str name);
/* NAN where it is not known; never an infinity. */
double fw_metric_value(enum fw_metric_id id, const struct fw_totals *t);

const char *fw_scope_name(enum fw_metric_scope s);
const char *fw_metric_state_name(enum fw_metric_state s);
const char *fw_better_name(enum fw_better b);

#endif
