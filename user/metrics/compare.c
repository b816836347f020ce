// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "metrics/resample.h"
#include "metrics/source.h"

struct run {
	char *path;
	struct fw_run_facts facts;
	enum fw_basis basis;
	double value[FW_METRICS];
	float *drawn[FW_METRICS]; /* of each draw of its frames; NULL: value is not known */
};

struct fw_compare {
	struct fw_compare_opts opts;
	struct run *runs[FW_SETS];
	int n[FW_SETS], cap[FW_SETS];
	struct fw_compared measures[FW_METRICS];
	char **warnings;
	size_t n_warnings, warnings_cap;
	double *scratch; /* of the runs of one set */
	double *differences; /* of all draws */
};

struct fw_compare *fw_compare_new(const struct fw_compare_opts *opts)
{
	struct fw_compare *c = fw_zalloc(sizeof(*c));

	c->opts = *opts;
	c->differences = fw_calloc((size_t)opts->draws, sizeof(*c->differences));
	return c;
}

void fw_compare_free(struct fw_compare *c)
{
	if (!c)
		return;
	for (int set = 0; set < FW_SETS; set++) {
		for (int i = 0; i < c->n[set]; i++) {
			struct run *r = &c->runs[set][i];

			for (int m = 0; m < FW_METRICS; m++)
				free(r->drawn[m]);
			fw_run_facts_free(&r->facts);
			free(r->path);
		}
		free(c->runs[set]);
	}
	for (size_t i = 0; i < c->n_warnings; i++)
		free(c->warnings[i]);
	free(c->warnings);
	free(c->scratch);
	free(c->differences);
	free(c);
}

static void take_values(struct fw_compare *c, struct run *r, const struct fw_run *run)
{
	const struct fw_totals *t = fw_run_totals(run);
	int main = fw_run_main(run);

	r->basis = main < 0 ? FW_BASIS_NONE : fw_run_series(run, main).basis;
	for (int m = 0; m < FW_METRICS; m++) {
		r->value[m] = fw_metric_value(m, t);
		if (isnan(r->value[m]))
			continue;
		r->drawn[m] = fw_calloc((size_t)c->opts.draws, sizeof(*r->drawn[m]));
		for (int d = 0; d < c->opts.draws; d++)
			r->drawn[m][d] = (float)fw_metric_value(m, &t[d + 1]);
	}
}

int fw_compare_add(struct fw_compare *c, enum fw_set set, const char *path)
{
	struct fw_run_opts opts = fw_run_opts_of(c->opts.frames);
	struct fw_random random;
	struct fw_run *run;
	struct run *r;
	int err;

	/* Each run has random numbers of its own: adding one changes nothing for the others. */
	fw_random_seed(&random, c->opts.seed + (uint64_t)(c->n[set] * FW_SETS + (int)set) + 1);
	fw_grow(c->runs[set], c->n[set], c->cap[set]);
	r = &c->runs[set][c->n[set]++];
	*r = (struct run){ .path = fw_strdup(path) };
	opts.draws = c->opts.draws + 1;
	opts.random = &random;
	run = fw_run_new(&opts);
	err = fw_run_read(run, path, c->opts.frames, &r->facts);
	if (!err)
		err = fw_run_finish(run);
	if (!err)
		take_values(c, r, run);
	fw_run_free(run);
	return err;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of values that are all known; sorts them. */
static double median(double *v, int n)
{
	if (!n)
		return NAN;
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* The set's value; of draw @draw, or with -1 of the runs themselves. */
static double set_value(struct fw_compare *c, enum fw_set set, int m, int draw)
{
	int n = 0;

	for (int i = 0; i < c->n[set]; i++) {
		const struct run *r = &c->runs[set][i];
		double v = !r->drawn[m] ? NAN : draw < 0 ? r->value[m] : r->drawn[m][draw];

		if (!isnan(v))
			c->scratch[n++] = v;
	}
	return median(c->scratch, n);
}

/* The set's value when its runs are drawn with replacement, and of each drawn run the frames. */
static double drawn_set_value(struct fw_compare *c, enum fw_set set, int m,
			      struct fw_random *random)
{
	int n = 0;

	for (int i = 0; i < c->n[set]; i++) {
		uint32_t at = fw_random_below(random, (uint32_t)c->n[set]);
		uint32_t draw = fw_random_below(random, (uint32_t)c->opts.draws);
		const struct run *r = &c->runs[set][at];
		double v = r->drawn[m] ? r->drawn[m][draw] : NAN;

		if (!isnan(v))
			c->scratch[n++] = v;
	}
	return median(c->scratch, n);
}

/* Between the quantiles that leave half of 1 - @confidence on each side; @v is sorted. */
static struct fw_interval_of interval(const double *v, int n, double confidence)
{
	int tail = (int)((1 - confidence) / 2 * n);

	return n ? (struct fw_interval_of){ v[tail], v[n - 1 - tail] }
		 : (struct fw_interval_of){ NAN, NAN };
}

static bool excludes_0(struct fw_interval_of i)
{
	return i.low > 0 || i.high < 0;
}

/* Differences of all draws that have one, sorted. Return: how many. */
static int draw_frames(struct fw_compare *c, int m)
{
	int n = 0;

	for (int d = 0; d < c->opts.draws; d++) {
		double v = set_value(c, FW_SET_B, m, d) - set_value(c, FW_SET_A, m, d);

		if (!isnan(v))
			c->differences[n++] = v;
	}
	qsort(c->differences, (size_t)n, sizeof(*c->differences), by_value);
	return n;
}

static int draw_runs(struct fw_compare *c, int m)
{
	struct fw_random random;
	int n = 0;

	fw_random_seed(&random, c->opts.seed);
	for (int d = 0; d < c->opts.draws; d++) {
		double a = drawn_set_value(c, FW_SET_A, m, &random);
		double v = drawn_set_value(c, FW_SET_B, m, &random) - a;

		if (!isnan(v))
			c->differences[n++] = v;
	}
	qsort(c->differences, (size_t)n, sizeof(*c->differences), by_value);
	return n;
}

static double cliffs_delta(const struct fw_compare *c, int m)
{
	int above = 0, pairs = 0;

	for (int i = 0; i < c->n[FW_SET_A]; i++)
		for (int j = 0; j < c->n[FW_SET_B]; j++) {
			double a = c->runs[FW_SET_A][i].value[m], b = c->runs[FW_SET_B][j].value[m];

			if (isnan(a) || isnan(b))
				continue;
			pairs++;
			above += (b > a) - (b < a);
		}
	return pairs > 1 ? (double)above / pairs : NAN;
}

/* How long a run was is no result of it. */
static bool is_judged(enum fw_metric_id m)
{
	return fw_metric(m)->better != FW_BETTER_NEITHER || !strcmp(fw_metric(m)->unit, "ratio");
}

static bool is_large(const struct fw_compare *c, enum fw_metric_id m, const struct fw_compared *r)
{
	double effect = fabs(r->difference), least = c->opts.min_effect;

	if (!strcmp(fw_metric(m)->unit, "ratio") && effect < least / 10)
		return false;
	return effect > 0 && effect >= least * fabs(r->value[FW_SET_A]);
}

static enum fw_change change_of(enum fw_metric_id m, double difference)
{
	enum fw_better better = fw_metric(m)->better;

	if (better == FW_BETTER_NEITHER)
		return difference > 0 ? FW_CHANGE_MORE : FW_CHANGE_LESS;
	return (difference > 0) == (better == FW_BETTER_HIGHER) ? FW_CHANGE_BETTER
								: FW_CHANGE_WORSE;
}

/* @sure: confidence of the interval that a change must not have 0 in */
static void compare_measure(struct fw_compare *c, enum fw_metric_id m, double sure)
{
	struct fw_compared *r = &c->measures[m];
	bool changed;
	int n;

	r->by_frames = r->by_runs = (struct fw_interval_of){ NAN, NAN };
	r->effect = cliffs_delta(c, m);
	if (isnan(r->difference))
		return;
	n = draw_frames(c, m);
	/* Where many draws have no value the others are no fair choice. */
	if (n < 0.9 * c->opts.draws)
		return;
	r->by_frames = interval(c->differences, n, c->opts.confidence);
	changed = excludes_0(interval(c->differences, n, sure)) && is_large(c, m, r);
	if (r->runs[FW_SET_A] > 1 && r->runs[FW_SET_B] > 1) {
		n = draw_runs(c, m);
		r->by_runs = interval(c->differences, n, c->opts.confidence);
		changed = changed && excludes_0(r->by_runs);
	}
	if (is_judged(m))
		r->change = changed ? change_of(m, r->difference) : FW_CHANGE_NONE;
}

static void warn(struct fw_compare *c, char *sentence)
{
	fw_grow(c->warnings, c->n_warnings, c->warnings_cap);
	c->warnings[c->n_warnings++] = sentence;
}

static bool text_differs(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

static bool refresh_differs(const struct run *a, const struct run *b)
{
	double x = a->value[FW_METRIC_refresh_hz], y = b->value[FW_METRIC_refresh_hz];

	return fabs(x - y) > 0.05 * fmin(x, y);
}

/* One sentence for each way in which a run differs from the first one. */
static void warn_of(struct fw_compare *c, const struct run *first, const struct run *r)
{
	bool device = text_differs(first->facts.device, r->facts.device);
	bool kernel = text_differs(first->facts.kernel, r->facts.kernel);

	if (device || kernel)
		warn(c, fw_asprintf("%s and %s are of different %s%s%s", first->path, r->path,
				    device ? "devices" : "", device && kernel ? " and " : "",
				    kernel ? "kernels" : ""));
	if (refresh_differs(first, r))
		warn(c, fw_asprintf("%s and %s have different refresh rates: %.0f and %.0f Hz",
				    first->path, r->path, first->value[FW_METRIC_refresh_hz],
				    r->value[FW_METRIC_refresh_hz]));
	if (first->basis != r->basis)
		warn(c,
		     fw_asprintf("%s and %s have FTimes of different bases: %s and %s", first->path,
				 r->path, first->basis ? fw_basis_name(first->basis) : "none",
				 r->basis ? fw_basis_name(r->basis) : "none"));
	if (r->facts.lost > 0)
		warn(c, fw_asprintf("%s: the recording lost data", r->path));
	if (r->facts.cut)
		warn(c,
		     fw_asprintf("%s: the last row has no line end: the file may be cut", r->path));
}

/* What holds of many runs in one sentence. */
static void warn_of_all(struct fw_compare *c)
{
	const char *unknown = NULL;
	int n = 0;

	for (int set = 0; set < FW_SETS; set++)
		for (int i = 0; i < c->n[set]; i++)
			if (!c->runs[set][i].facts.schema && !n++)
				unknown = c->runs[set][i].path;
	if (n)
		warn(c, fw_asprintf("no recording.csv lies beside %s%s: whether schema, device, "
				    "kernel and loss are alike is not known",
				    unknown, n > 1 ? " and others" : ""));
	if (c->n[FW_SET_A] < 2 || c->n[FW_SET_B] < 2)
		warn(c, fw_strdup("with one run on a side nothing is known of how runs differ by "
				  "themselves"));
}

static int check_runs(struct fw_compare *c)
{
	const struct run *first = &c->runs[FW_SET_A][0], *versioned = NULL;

	for (int set = 0; set < FW_SETS; set++)
		for (int i = 0; i < c->n[set]; i++) {
			const struct run *r = &c->runs[set][i];

			if (!versioned && r->facts.schema)
				versioned = r;
			if (r->facts.schema && r->facts.schema != versioned->facts.schema)
				return fw_fail(EINVAL,
					       "%s has columns of schema version %d and %s of %d: "
					       "they cannot be compared; make both with one "
					       "framewait",
					       versioned->path, versioned->facts.schema, r->path,
					       r->facts.schema);
			warn_of(c, first, r);
		}
	warn_of_all(c);
	return 0;
}

/* Candidates that no frame has are none. */
static bool occurs(const struct fw_compare *c, enum fw_metric_id m)
{
	bool any = fw_metric(m)->scope != FW_SCOPE_CANDIDATE;

	for (int set = 0; set < FW_SETS; set++)
		for (int i = 0; i < c->n[set]; i++)
			any |= c->runs[set][i].value[m] > 0;
	return any;
}

int fw_compare_finish(struct fw_compare *c)
{
	int most = FW_MAX(c->n[FW_SET_A], c->n[FW_SET_B]), judged = 0;
	int err = check_runs(c);

	if (err)
		return err;
	c->scratch = fw_calloc((size_t)most, sizeof(*c->scratch));
	for (int m = 0; m < FW_METRICS; m++) {
		struct fw_compared *r = &c->measures[m];

		r->occurs = occurs(c, m);
		for (int set = 0; set < FW_SETS; set++) {
			for (int i = 0; i < c->n[set]; i++)
				r->runs[set] += !isnan(c->runs[set][i].value[m]);
			r->value[set] = set_value(c, set, m, -1);
		}
		r->difference = r->value[FW_SET_B] - r->value[FW_SET_A];
		r->relative =
			r->value[FW_SET_A] != 0 ? r->difference / fabs(r->value[FW_SET_A]) : NAN;
		judged += r->occurs && is_judged(m) && r->runs[FW_SET_A] && r->runs[FW_SET_B];
	}
	for (int m = 0; m < FW_METRICS; m++)
		if (c->measures[m].occurs)
			compare_measure(c, m, 1 - (1 - c->opts.confidence) / FW_MAX(judged, 1));
	return 0;
}

int fw_compare_n_runs(const struct fw_compare *c, enum fw_set set)
{
	return c->n[set];
}

const struct fw_compared *fw_compare_measure(const struct fw_compare *c, enum fw_metric_id m)
{
	return &c->measures[m];
}

int fw_compare_changes(const struct fw_compare *c, enum fw_change change)
{
	int n = 0;

	for (int m = 0; m < FW_METRICS; m++)
		n += c->measures[m].change == change;
	return n;
}

bool fw_compare_empty(const struct fw_compare *c)
{
	return fw_compare_changes(c, FW_CHANGE_UNKNOWN) == FW_METRICS;
}

const char *fw_change_name(enum fw_change change)
{
	static const char *const names[] = { NULL, "none", "better", "worse", "more", "less" };

	return names[change];
}

const char *fw_compare_warning(struct fw_compare *c, size_t *pos)
{
	return *pos < c->n_warnings ? c->warnings[(*pos)++] : NULL;
}
