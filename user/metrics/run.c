// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "frame/frames.h"
#include "metrics/ftimes.h"
#include "metrics/run_totals.h"

#define BUDGET (2u << 20)

enum kind {
	KIND_LAYER,
	KIND_SCREEN,
	/* of these there are no frames, only FTimes */
	KIND_PROGRAM,
	KIND_COLUMN
};

struct series {
	enum kind kind;
	uint32_t process, layer;
	enum fw_basis basis;
	uint64_t presents[FW_BASIS_COLUMN];
	struct fw_totals totals;
};

struct present {
	uint32_t series;
	uint32_t basis;
	int64_t ns;
};

struct actual {
	uint64_t series;
	double ms;
};

struct fw_run {
	struct fw_sink frames, fences;
	struct fw_run_opts opts;
	struct fw_names *names;
	struct fw_map by_key, by_layer;
	struct series *series;
	int n, cap, main;
	int *order; /* of the series, for printing */
	bool more;
	struct fw_sort *presents, *actuals; /* of all series */
	struct fw_frame_sums of_layers, of_screen;
	struct fw_ftimes column;
	bool has_column;
	struct fw_totals *totals;
};

static int by_series_and_time(const void *a, const void *b, const void *ctx)
{
	const struct present *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

static int by_series_largest_first(const void *a, const void *b, const void *ctx)
{
	const struct actual *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->ms < y->ms) - (x->ms > y->ms);
}

static uint64_t key_of(uint32_t process, uint32_t layer)
{
	return (uint64_t)process << 32 | layer;
}

/* Only names of series are kept: an input may have any number of layers. */
static int known_series(const struct fw_run *r, enum kind kind, struct fw_str process,
			struct fw_str layer)
{
	uint64_t *at = NULL;
	uint32_t p, l;

	for (int i = 0; kind != KIND_LAYER && i < r->n; i++)
		if (r->series[i].kind == kind)
			return i;
	if (kind == KIND_LAYER && fw_names_find(r->names, process, &p) &&
	    fw_names_find(r->names, layer, &l))
		at = fw_map_get(&r->by_key, key_of(p, l));
	return at ? (int)*at : -1;
}

/* Return: the series' number, or -1 where there are too many. */
static int find_series(struct fw_run *r, enum kind kind, struct fw_str process, struct fw_str layer)
{
	int i = known_series(r, kind, process, layer);
	struct series *s;

	if (i >= 0)
		return i;
	if (r->n == FW_RUN_SERIES_MAX) {
		r->more = true;
		return -1;
	}
	fw_grow(r->series, r->n, r->cap);
	s = &r->series[r->n];
	*s = (struct series){ .kind = kind,
			      .process = fw_names_id(r->names, process),
			      .layer = fw_names_id(r->names, layer) };
	fw_totals_clear(&s->totals);
	if (kind == KIND_LAYER) {
		fw_map_set(&r->by_key, key_of(s->process, s->layer), (uint64_t)r->n);
		if (!fw_map_get(&r->by_layer, s->layer))
			fw_map_set(&r->by_layer, s->layer, (uint64_t)r->n);
	}
	return r->n++;
}

static int add_present(struct fw_run *r, int series, enum fw_basis basis, int64_t ns)
{
	struct present p = { (uint32_t)series, basis, ns };

	r->series[series].presents[basis]++;
	return fw_sort_add(r->presents, &p, sizeof(p));
}

static int add_to_series(struct fw_run *r, int series, const struct fw_cell *c)
{
	struct actual a = { (uint64_t)series, fw_frame_actual(c) };

	fw_frame_sums_row(r->series[series].totals.sum, c);
	return isnan(a.ms) ? 0 : fw_sort_add(r->actuals, &a, sizeof(a));
}

static struct fw_str text_of(const struct fw_cell *c)
{
	return c->type == FW_TEXT ? c->s : FW_STR_NONE;
}

static bool is(const struct fw_cell *c, const char *word)
{
	return fw_str_eq(text_of(c), fw_str(word));
}

/* When the frame was presented, in ns since the recording's start. */
static bool presented(const struct fw_cell *c, bool display, int64_t *ns)
{
	const struct fw_cell *start = &c[FW_C_FRAMES_display_start_ms];
	const struct fw_cell *length = &c[FW_C_FRAMES_display_ms];
	const struct fw_cell *buffer = &c[FW_C_FRAMES_is_buffer];

	if (is(&c[FW_C_FRAMES_present_type], "Dropped Frame"))
		return false;
	if (display) {
		*ns = c[FW_C_FRAMES_actual_end_ms].i;
		return c[FW_C_FRAMES_actual_end_ms].type == FW_MS;
	}
	if (buffer->type == FW_INT && !buffer->i)
		return false;
	return start->type == FW_MS && length->type == FW_MS &&
	       !is(&c[FW_C_FRAMES_display_present_type], "Dropped Frame") &&
	       !__builtin_add_overflow(start->i, length->i, ns);
}

#define run_of(sink, member) ((struct fw_run *)((char *)(sink)-offsetof(struct fw_run, member)))

static int frames_row(struct fw_sink *s, const struct fw_cell *c)
{
	struct fw_run *r = run_of(s, frames);
	bool display = is(&c[FW_C_FRAMES_kind], "display");
	struct fw_str layer = fw_plain_layer(text_of(&c[FW_C_FRAMES_layer]));
	int err, i;
	int64_t ns;

	err = fw_frame_sums_add(display ? &r->of_screen : &r->of_layers, c);
	if (err)
		return err;
	if (is(&c[FW_C_FRAMES_kind], "mark"))
		layer = FW_STR("(trace marks)");
	i = find_series(r, display ? KIND_SCREEN : KIND_LAYER, text_of(&c[FW_C_FRAMES_process]),
			layer);
	if (i < 0)
		return 0;
	err = add_to_series(r, i, c);
	if (!err && !r->opts.no_presents && presented(c, display, &ns))
		err = add_present(r, i, FW_BASIS_DISPLAY_FRAME, ns);
	return err;
}

static int fences_row(struct fw_sink *s, const struct fw_cell *c)
{
	struct fw_run *r = run_of(s, fences);
	const struct fw_cell *at = &c[FW_C_FENCES_event_ms];
	struct fw_str layer = fw_plain_layer(text_of(&c[FW_C_FENCES_layer]));
	uint64_t *framed = NULL;
	uint32_t id;
	int i;

	if (r->opts.no_presents || at->type != FW_MS ||
	    !is(&c[FW_C_FENCES_event], "PresentFenceSignaled") || !layer.p)
		return 0;
	if (at->i < r->opts.from_ns || at->i >= r->opts.to_ns)
		return 0;
	if (fw_names_find(r->names, layer, &id))
		framed = fw_map_get(&r->by_layer, id);
	if (!framed &&
	    (r->opts.only_framed || (r->opts.layer && !fw_str_glob(layer, r->opts.layer))))
		return 0;
	i = framed ? (int)*framed : find_series(r, KIND_LAYER, FW_STR_NONE, layer);
	return i < 0 ? 0 : add_present(r, i, FW_BASIS_PRESENT_FENCE, at->i);
}

int fw_run_present(struct fw_run *r, int64_t ns)
{
	int i = find_series(r, KIND_PROGRAM, FW_STR_NONE, FW_STR_NONE);

	return i < 0 ? 0 : add_present(r, i, FW_BASIS_EVENT, ns);
}

static void need_column(struct fw_run *r)
{
	if (r->has_column)
		return;
	r->has_column = true;
	find_series(r, KIND_COLUMN, FW_STR_NONE, FW_STR_NONE);
	fw_ftimes_init(&r->column, FW_BLOCKS_MAX);
}

int fw_run_ftime(struct fw_run *r, double ms)
{
	need_column(r);
	return fw_ftimes_add(&r->column, ms);
}

void fw_run_point(struct fw_run *r, double fps)
{
	need_column(r);
	fw_ftimes_point(&r->column, fps);
}

void fw_run_facts_free(struct fw_run_facts *f)
{
	free(f->device);
	free(f->kernel);
	f->device = f->kernel = NULL;
}

struct fw_run *fw_run_new(const struct fw_run_opts *opts)
{
	struct fw_run *r = fw_zalloc(sizeof(*r));

	r->frames = fw_row_sink(frames_row);
	r->fences = fw_row_sink(fences_row);
	r->opts = *opts;
	r->main = -1;
	r->names = fw_names_new();
	r->presents = fw_sort_new(BUDGET, by_series_and_time, NULL);
	r->actuals = fw_sort_new(BUDGET, by_series_largest_first, NULL);
	fw_frame_sums_init(&r->of_layers, FW_BLOCKS_MAX);
	fw_frame_sums_init(&r->of_screen, FW_BLOCKS_MAX);
	return r;
}

void fw_run_free(struct fw_run *r)
{
	if (!r)
		return;
	fw_frame_sums_free(&r->of_layers);
	fw_frame_sums_free(&r->of_screen);
	if (r->has_column)
		fw_ftimes_free(&r->column);
	fw_sort_free(r->presents);
	fw_sort_free(r->actuals);
	fw_map_free(&r->by_key);
	fw_map_free(&r->by_layer);
	fw_names_free(r->names);
	free(r->series);
	free(r->order);
	free(r->totals);
	free(r);
}

struct fw_sink *fw_run_frames(struct fw_run *r)
{
	return &r->frames;
}

struct fw_sink *fw_run_fences(struct fw_run *r)
{
	return &r->fences;
}

static uint64_t n_presents(const struct series *s)
{
	return s->basis < FW_BASIS_COLUMN ? s->presents[s->basis] : 0;
}

static int most_presented_first(const void *a, const void *b, void *ctx)
{
	const struct fw_run *r = ctx;
	const struct series *x = &r->series[*(const int *)a], *y = &r->series[*(const int *)b];
	uint64_t nx = n_presents(x), ny = n_presents(y);

	if (nx != ny)
		return nx > ny ? -1 : 1;
	return *(const int *)a - *(const int *)b;
}

/* What each series' FTimes are made of, and which is the main one. */
static void choose(struct fw_run *r)
{
	r->order = fw_calloc((size_t)r->n + 1, sizeof(*r->order));
	for (int i = 0; i < r->n; i++) {
		struct series *s = &r->series[i];

		r->order[i] = i;
		if (s->kind == KIND_COLUMN)
			s->basis = FW_BASIS_COLUMN;
		else if (s->presents[FW_BASIS_EVENT])
			s->basis = FW_BASIS_EVENT;
		else if (s->presents[FW_BASIS_PRESENT_FENCE] > 1)
			s->basis = FW_BASIS_PRESENT_FENCE;
		else if (s->presents[FW_BASIS_DISPLAY_FRAME])
			s->basis = FW_BASIS_DISPLAY_FRAME;
	}
	qsort_r(r->order, (size_t)r->n, sizeof(*r->order), most_presented_first, r);
	for (int i = 0; i < r->n; i++) {
		const struct series *s = &r->series[r->order[i]];

		if (s->kind == KIND_COLUMN || (s->kind != KIND_SCREEN && n_presents(s) > 1)) {
			r->main = r->order[i];
			return;
		}
	}
	for (int i = 0; i < r->n && r->main < 0; i++)
		if (r->series[i].kind == KIND_SCREEN && n_presents(&r->series[i]) > 1)
			r->main = i;
}

static int end_series(struct fw_run *r, int i, struct fw_ftimes *f)
{
	bool main = i == r->main, no_frames = r->series[i].kind >= KIND_PROGRAM;
	struct fw_totals *t = &r->series[i].totals;
	int err;

	/* Only FTimes are known. */
	if (no_frames)
		t->sum[FW_SUM_FRAMES] = NAN;
	for (int d = 0; no_frames && main && d < r->opts.draws; d++)
		r->totals[d].sum[FW_SUM_FRAMES] = NAN;
	fw_ftimes_finish(f, main ? r->opts.whole_ms : 0);
	err = fw_totals_ftimes(t, 1, NULL, f);
	if (!err && main)
		err = fw_totals_ftimes(r->totals, r->opts.draws, r->opts.random, f);
	if (r->series[i].kind == KIND_SCREEN) {
		t->screen_p10 = t->ftime[FW_RANK_P10];
		for (int d = 0; d < r->opts.draws; d++)
			r->totals[d].screen_p10 = t->screen_p10;
	}
	return err;
}

/* The FTimes of all series but a column's, one series after the other. */
static int read_presents(struct fw_run *r)
{
	struct fw_ftimes f;
	int series = -1, more, err = 0;
	int64_t last = 0;
	const void *rec;
	size_t len;

	while (!err && (more = fw_sort_next(r->presents, &rec, &len)) > 0) {
		const struct present *p = rec;
		int64_t ns;

		if (p->basis != r->series[p->series].basis)
			continue;
		if ((int)p->series != series) {
			if (series >= 0) {
				err = end_series(r, series, &f);
				fw_ftimes_free(&f);
			}
			series = (int)p->series;
			fw_ftimes_init(&f, series == r->main ? FW_BLOCKS_MAX : 1);
		} else if (p->ns > last) {
			ns = (int64_t)FW_MIN((uint64_t)p->ns - (uint64_t)last, (uint64_t)INT64_MAX);
			err = fw_ftimes_add(&f, (double)ns / 1e6);
		}
		last = p->ns;
	}
	if (series >= 0) {
		err = err ? err : end_series(r, series, &f);
		fw_ftimes_free(&f);
	}
	return err ? err : more;
}

static int rank_actuals(struct fw_run *r)
{
	int series = -1, more;
	struct fw_walk walk;
	const void *rec;
	size_t len;

	while ((more = fw_sort_next(r->actuals, &rec, &len)) > 0) {
		const struct actual *a = rec;
		struct fw_totals *t = &r->series[a->series].totals;

		if ((int)a->series != series)
			fw_walk_begin(&walk, (uint64_t)t->sum[FW_SUM_ACTUALS], t->actual);
		series = (int)a->series;
		fw_walk_value(&walk, a->ms, 1, t->actual);
	}
	return more;
}

int fw_run_finish(struct fw_run *r)
{
	struct fw_frame_sums *frames = r->of_layers.frames.items ? &r->of_layers : &r->of_screen;
	int err;

	choose(r);
	r->totals = fw_totals_new(r->opts.draws);
	err = fw_totals_frames(r->totals, r->opts.draws, r->opts.random, frames);
	if (!err)
		err = rank_actuals(r);
	if (!err && r->has_column)
		err = end_series(r, r->main, &r->column);
	if (!err)
		err = read_presents(r);
	return err;
}

const struct fw_totals *fw_run_totals(const struct fw_run *r)
{
	return r->totals;
}

const char *fw_basis_name(enum fw_basis b)
{
	static const char *const names[] = {
		[FW_BASIS_NONE] = NULL,
		[FW_BASIS_PRESENT_FENCE] = "present fences",
		[FW_BASIS_DISPLAY_FRAME] = "display frames",
		[FW_BASIS_EVENT] = "presented frames",
		[FW_BASIS_COLUMN] = "column",
	};

	return names[b];
}

int fw_run_n_series(const struct fw_run *r)
{
	return r->n;
}

struct fw_series fw_run_series(const struct fw_run *r, int i)
{
	static const char *const scopes[] = { "layer", "screen", "program", "column" };
	const struct series *s = &r->series[r->order[i]];

	return (struct fw_series){ .scope = scopes[s->kind],
				   .process = fw_names_str(r->names, s->process),
				   .layer = fw_names_str(r->names, s->layer),
				   .basis = s->basis,
				   .totals = &s->totals };
}

int fw_run_main(const struct fw_run *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->order[i] == r->main)
			return i;
	return -1;
}

bool fw_run_more_series(const struct fw_run *r)
{
	return r->more;
}
