/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_COMPARE_H
#define FW_METRICS_COMPARE_H

#include "frame/report.h"
#include "metrics/run.h"

/*
 * Two sets of runs, A and B. What is compared, a measure, is each metric that can be computed. A
 * set's value is the median of its runs' values.
 */
enum fw_set { FW_SET_A, FW_SET_B, FW_SETS };

/**
 * struct fw_compare_opts
 * @frames: which frames of each run
 * @seed: of everything random; the same gives the same
 * @draws: from the frames of each run, and from the runs, at least 100
 * @confidence: of the intervals, 0.5 to 0.9999
 * @min_effect: least relative difference that is a change, as 0.01; of ratios also a tenth of it
 *	in difference
 */
struct fw_compare_opts {
	const struct fw_report_opts *frames;
	uint64_t seed;
	int draws;
	double confidence, min_effect;
};

struct fw_interval_of {
	double low, high; /* both NAN: not known */
};

enum fw_change {
	FW_CHANGE_UNKNOWN, /* no value on a side, or no interval */
	FW_CHANGE_NONE,
	FW_CHANGE_BETTER,
	FW_CHANGE_WORSE,
	FW_CHANGE_MORE, /* of what is neither better nor worse */
	FW_CHANGE_LESS,
};

/**
 * struct fw_compared - one measure; what is not known is NAN
 * @occurs: it is not of a candidate that no frame has
 * @runs: that have a value, of each set
 * @value: of each set
 * @by_frames: of the difference, from draws of each run's frames
 * @by_runs: from draws of the sets' runs, and of the frames of each drawn run; needs two runs on
 *	each side
 * @effect: Cliff's delta of the runs: how often one of B is above one of A, less how often below
 */
struct fw_compared {
	bool occurs;
	int runs[FW_SETS];
	double value[FW_SETS], difference, relative;
	struct fw_interval_of by_frames, by_runs;
	double effect;
	enum fw_change change;
};

struct fw_compare;

struct fw_compare *fw_compare_new(const struct fw_compare_opts *opts);
void fw_compare_free(struct fw_compare *c);

/* Read one run. Return: 0, or a negative errno with fw_fail() set. */
int fw_compare_add(struct fw_compare *c, enum fw_set set, const char *path);

/**
 * fw_compare_finish() - compare what was added, at least one run on each side
 * Return: 0, or -EINVAL with fw_fail() set: the schemas differ.
 */
int fw_compare_finish(struct fw_compare *c);

int fw_compare_n_runs(const struct fw_compare *c, enum fw_set set);
/* Always there; what does not occur in any run is shown nowhere. */
const struct fw_compared *fw_compare_measure(const struct fw_compare *c, enum fw_metric_id m);
int fw_compare_changes(const struct fw_compare *c, enum fw_change change);
/* Nothing has a value on both sides. */
bool fw_compare_empty(const struct fw_compare *c);
const char *fw_change_name(enum fw_change change);

/* What makes the comparison doubtful, one sentence at a time; start with *@pos = 0. NULL: no more. */
const char *fw_compare_warning(struct fw_compare *c, size_t *pos);

extern const struct fw_table fw_compare_table;
int fw_compare_rows(const struct fw_compare *c, struct fw_sink *sink);

#endif
