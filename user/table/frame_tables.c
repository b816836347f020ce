// SPDX-License-Identifier: GPL-2.0-or-later
/* frame_tables - FrameTimeline: expected-actual, jank-summary, app-display, display-frames */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "model/jank.h"
#include "table/run.h"

#define SORT_BUDGET (4u << 20)

#define TIMELINE "FrameTimeline"
#define UNLESS_ONE "display_count is not 1"

static struct fw_cell tag_cell(const struct fw_timeline_frame *f)
{
	return fw_text(f->surface ? fw_jank_tag_surface(f->jank_type, f->present_type)
				  : fw_jank_tag_display(f->jank_type));
}

static struct fw_cell severity_cell(const struct fw_timeline_frame *f)
{
	int32_t severity = f->has & FW_FT_SEVERITY ? f->severity : f->jank_type == 1;

	return fw_text(fw_severity_name(severity));
}

static struct fw_cell is_buffer_cell(const struct fw_timeline_frame *f)
{
	return fw_text(f->is_buffer < 0 ? FW_STR("Unspecified")
		       : f->is_buffer	? FW_STR("Yes")
					: FW_STR("No"));
}

static int cmp_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/*
 * display-frames
 */
static const struct fw_column display_columns[] = {
	{ "pid", "id", FW_INT, "process that composes: SurfaceFlinger", TIMELINE, NULL },
	{ "display_frame_token", "id", FW_INT, "token of the display frame", TIMELINE, NULL },
	{ "actual_ts_ns", "ns", FW_INT, "when the frame's work began, trace time", TIMELINE, NULL },
	{ "actual_dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", TIMELINE, NULL },
	{ "present_type", "text", FW_TEXT, "how it was presented", TIMELINE, NULL },
	{ "on_time_finish", "bool", FW_INT, "the work ended before its deadline", TIMELINE, NULL },
	{ "gpu_composition", "bool", FW_INT, "the GPU composed, not the display", TIMELINE, NULL },
	{ "jank_tag", "text", FW_TEXT, "whose jank it is", TIMELINE, NULL },
	{ "jank_type", "text", FW_TEXT, "kinds of jank, joined by comma", TIMELINE, NULL },
	{ "jank_severity_type", "text", FW_TEXT, "how bad", TIMELINE, NULL },
	{ "prediction_type", "text", FW_TEXT, "whether the vsync prediction held", TIMELINE, NULL },
};

static const struct fw_table display_table = {
	.name = "display-frames",
	.what = "a frame of the display, as SurfaceFlinger composed it",
	FW_COLUMNS(display_columns),
	.order = (const int[]){ 2, 0, 1, 3, -1 },
};

static void add_display_frame(void *ctx, const struct fw_timeline_frame *f)
{
	struct fw_table_run *r = ctx;
	char jank[FW_JANK_NAMES_MAX];

	if (!f->actual || f->surface)
		return;
	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_pid_cell(r, f->upid),
			     fw_int(f->display_token),
			     fw_int(f->ts),
			     fw_int(f->dur),
			     fw_text(fw_present_type_name(f->present_type)),
			     fw_int(f->on_time),
			     fw_int(f->gpu_composition),
			     tag_cell(f),
			     fw_text(fw_jank_names(f->jank_type, jank)),
			     severity_cell(f),
			     fw_text(fw_prediction_name(f->prediction)),
		     },
		     f->seq);
}

const struct fw_table_def fw_def_display_frames = { &display_table,
						    .to = { .frame = add_display_frame } };

/*
 * A join of frames with the one frame of another kind that has the same key: all are sorted by
 * key, those that are looked up before those that look.
 */
struct join {
	struct fw_sort *frames;
	bool (*is_looked_up)(const struct fw_timeline_frame *f);
	bool (*looks)(const struct fw_timeline_frame *f);
	/* @found: the one frame that was found, when @count is 1 */
	void (*row)(struct fw_table_run *r, const struct fw_timeline_frame *f, int64_t count,
		    const struct fw_timeline_frame *found);
};

static void join_add(void *ctx, const struct fw_timeline_frame *f)
{
	struct fw_table_run *r = ctx;
	struct join *j = r->own;

	if (!r->err && (j->is_looked_up(f) || j->looks(f)))
		r->err = fw_sort_add(j->frames, f, sizeof(*f));
}

static int join_run(struct fw_table_run *r, struct join *j, fw_sort_cmp cmp)
{
	struct fw_tp_listeners to = { .ctx = r, .frame = join_add };
	struct fw_timeline_frame key = { 0 }, found = { 0 };
	const void *rec;
	int64_t count = 0;
	size_t len;
	int err;

	j->frames = fw_sort_new(SORT_BUDGET, cmp, NULL);
	r->own = j;
	err = fw_table_read(r, &to);
	while (!err && (err = fw_sort_next(j->frames, &rec, &len)) > 0) {
		const struct fw_timeline_frame *f = rec;

		if (cmp(&key, f, r) != 0)
			count = 0;
		key = *f;
		if (j->looks(f))
			j->row(r, f, count, &found);
		else if (count++ == 0)
			found = *f;
		err = r->err;
	}
	fw_sort_free(j->frames);
	return err ? err : fw_table_emit(r);
}

/*
 * expected-actual
 */
static const struct fw_column expected_columns[] = {
	{ "pid", "id", FW_INT, "the app's process", TIMELINE, NULL },
	{ "layer_name", "text", FW_TEXT, "layer", TIMELINE, "not recorded" },
	{ "surface_frame_token", "id", FW_INT, "token of the app's frame", TIMELINE, NULL },
	{ "display_frame_token", "id", FW_INT, "token of the display frame that showed it",
	  TIMELINE, NULL },
	{ "is_buffer", "text", FW_TEXT, "whether the frame is a buffer, else an animation",
	  TIMELINE, NULL },
	{ "actual_ts_ns", "ns", FW_INT, "when the frame began, trace time", TIMELINE, NULL },
	{ "actual_dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", TIMELINE, NULL },
	{ "actual_status", "text", FW_TEXT, "closed, zero (no length) or open", TIMELINE, NULL },
	{ "expected_count", "count", FW_INT, "expected frames of the same process and token",
	  TIMELINE, NULL },
	{ "expected_ts_ns", "ns", FW_INT, "when it was expected to begin", TIMELINE,
	  "expected_count is not 1" },
	{ "expected_dur_ns", "ns", FW_INT, "how long it had; -1: no end was seen", TIMELINE,
	  "expected_count is not 1" },
	{ "end_delta_ns", "ns", FW_INT, "actual end less expected end", TIMELINE,
	  "either has no length or no end" },
	{ "present_type", "text", FW_TEXT, "how it was presented", TIMELINE, NULL },
	{ "on_time_finish", "bool", FW_INT, "the app ended before its deadline", TIMELINE, NULL },
	{ "gpu_composition", "bool", FW_INT, "the GPU composed, not the display", TIMELINE, NULL },
	{ "jank_tag", "text", FW_TEXT, "whose jank it is", TIMELINE, NULL },
	{ "jank_type", "text", FW_TEXT, "kinds of jank, joined by comma", TIMELINE, NULL },
	{ "jank_severity_type", "text", FW_TEXT, "how bad", TIMELINE, NULL },
	{ "prediction_type", "text", FW_TEXT, "whether the vsync prediction held", TIMELINE, NULL },
};

static const struct fw_table expected_table = {
	.name = "expected-actual",
	.what = "a frame of an app on a layer, beside what was expected of it",
	FW_COLUMNS(expected_columns),
	.order = (const int[]){ 5, 0, 2, 1, 6, 3, 16, -1 },
};

static bool is_expected_surface(const struct fw_timeline_frame *f)
{
	return !f->actual && f->surface;
}

static bool is_actual_surface(const struct fw_timeline_frame *f)
{
	return f->actual && f->surface;
}

static int cmp_token(const void *a, const void *b, const void *any_kind)
{
	const struct fw_timeline_frame *fa = a, *fb = b;
	int c = cmp_i64(fa->upid, fb->upid);

	c = c ? c : cmp_i64(fa->token, fb->token);
	return c || any_kind ? c : cmp_i64(fa->actual, fb->actual);
}

static struct fw_cell end_delta(const struct fw_timeline_frame *actual, int64_t count,
				const struct fw_timeline_frame *expected)
{
	int64_t delta;

	if (actual->dur <= 0 || count != 1 || expected->dur <= 0)
		return fw_null();
	if (__builtin_sub_overflow(actual->ts + actual->dur, expected->ts, &delta) ||
	    __builtin_sub_overflow(delta, expected->dur, &delta))
		return fw_null();
	return fw_int(delta);
}

static void expected_row(struct fw_table_run *r, const struct fw_timeline_frame *f, int64_t count,
			 const struct fw_timeline_frame *found)
{
	char jank[FW_JANK_NAMES_MAX];

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_pid_cell(r, f->upid),
			     fw_name_cell(r, f->layer),
			     fw_int(f->token),
			     fw_int(f->display_token),
			     is_buffer_cell(f),
			     fw_int(f->ts),
			     fw_int(f->dur),
			     fw_text(f->dur < 0	   ? FW_STR("open")
				     : f->dur == 0 ? FW_STR("zero")
						   : FW_STR("closed")),
			     fw_int(count),
			     fw_int_if(count == 1, found->ts),
			     fw_int_if(count == 1, found->dur),
			     end_delta(f, count, found),
			     fw_text(fw_present_type_name(f->present_type)),
			     fw_int(f->on_time),
			     fw_int(f->gpu_composition),
			     tag_cell(f),
			     fw_text(fw_jank_names(f->jank_type, jank)),
			     severity_cell(f),
			     fw_text(fw_prediction_name(f->prediction)),
		     },
		     f->seq);
}

static int run_expected_actual(struct fw_table_run *r)
{
	struct join j = {
		.is_looked_up = is_expected_surface,
		.looks = is_actual_surface,
		.row = expected_row,
	};

	return join_run(r, &j, cmp_token);
}

const struct fw_table_def fw_def_expected_actual = { &expected_table, .run = run_expected_actual };

/*
 * app-display
 */
static const struct fw_column app_display_columns[] = {
	{ "pid", "id", FW_INT, "the app's process", TIMELINE, NULL },
	{ "layer_name", "text", FW_TEXT, "layer", TIMELINE, "not recorded" },
	{ "surface_frame_token", "id", FW_INT, "token of the app's frame", TIMELINE, NULL },
	{ "display_frame_token", "id", FW_INT, "token of the display frame that showed it",
	  TIMELINE, NULL },
	{ "actual_ts_ns", "ns", FW_INT, "when the app's frame began, trace time", TIMELINE, NULL },
	{ "display_count", "count", FW_INT, "display frames of that token", TIMELINE, NULL },
	{ "display_ts_ns", "ns", FW_INT, "when the display frame began", TIMELINE, UNLESS_ONE },
	{ "display_dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", TIMELINE,
	  UNLESS_ONE },
	{ "display_jank_tag", "text", FW_TEXT, "whose jank the display frame's is", TIMELINE,
	  UNLESS_ONE },
	{ "display_jank_type", "text", FW_TEXT, "kinds of its jank, joined by comma", TIMELINE,
	  UNLESS_ONE },
	{ "display_present_type", "text", FW_TEXT, "how it was presented", TIMELINE, UNLESS_ONE },
};

static const struct fw_table app_display_table = {
	.name = "app-display",
	.what = "a frame of an app on a layer, beside the display frame that showed it",
	FW_COLUMNS(app_display_columns),
	.order = (const int[]){ 4, 0, 2, 1, 3, -1 },
};

static bool is_actual_display(const struct fw_timeline_frame *f)
{
	return f->actual && !f->surface;
}

static int cmp_display_token(const void *a, const void *b, const void *any_kind)
{
	const struct fw_timeline_frame *fa = a, *fb = b;
	int c = cmp_i64(fa->display_token, fb->display_token);

	return c || any_kind ? c : cmp_i64(fa->surface, fb->surface);
}

static void app_display_row(struct fw_table_run *r, const struct fw_timeline_frame *f,
			    int64_t count, const struct fw_timeline_frame *found)
{
	char jank[FW_JANK_NAMES_MAX];
	bool one = count == 1;

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_pid_cell(r, f->upid),
			     fw_name_cell(r, f->layer),
			     fw_int(f->token),
			     fw_int(f->display_token),
			     fw_int(f->ts),
			     fw_int(count),
			     fw_int_if(one, found->ts),
			     fw_int_if(one, found->dur),
			     one ? tag_cell(found) : fw_null(),
			     one ? fw_text(fw_jank_names(found->jank_type, jank)) : fw_null(),
			     one ? fw_text(fw_present_type_name(found->present_type)) : fw_null(),
		     },
		     f->seq);
}

static int run_app_display(struct fw_table_run *r)
{
	struct join j = {
		.is_looked_up = is_actual_display,
		.looks = is_actual_surface,
		.row = app_display_row,
	};

	return join_run(r, &j, cmp_display_token);
}

const struct fw_table_def fw_def_app_display = { &app_display_table, .run = run_app_display };

/*
 * jank-summary
 */
static const struct fw_column jank_columns[] = {
	{ "pid", "id", FW_INT, "the app's process", TIMELINE, NULL },
	{ "layer_name", "text", FW_TEXT, "layer", TIMELINE, "not recorded" },
	{ "is_buffer", "text", FW_TEXT, "whether the frames are buffers, else animations", TIMELINE,
	  NULL },
	{ "jank_tag", "text", FW_TEXT, "whose jank it is", TIMELINE, NULL },
	{ "jank_type", "text", FW_TEXT, "kinds of jank, joined by comma", TIMELINE, NULL },
	{ "present_type", "text", FW_TEXT, "how they were presented", TIMELINE, NULL },
	{ "on_time_finish", "bool", FW_INT, "the app ended before its deadline", TIMELINE, NULL },
	{ "rows", "count", FW_INT, "frames of this kind", TIMELINE, NULL },
	{ "closed_rows", "count", FW_INT, "those with a start, an end and a length", TIMELINE,
	  NULL },
	{ "zero_rows", "count", FW_INT, "those without a length", TIMELINE, NULL },
	{ "open_rows", "count", FW_INT, "those of which no end was seen", TIMELINE, NULL },
	{ "closed_dur_sum_ns", "ns", FW_INT, "length of the closed ones, summed", TIMELINE,
	  "no closed ones" },
	{ "closed_dur_max_ns", "ns", FW_INT, "length of the longest closed one", TIMELINE,
	  "no closed ones" },
};

#define JANK_KEYS 7

static const struct fw_table jank_table = {
	.name = "jank-summary",
	.what = "the app frames of a layer that ended alike",
	FW_COLUMNS(jank_columns),
	.order = (const int[]){ 0, 1, 2, 3, 4, 5, 6, -1 },
};

/* Each frame by itself, as it is sorted: the keys, and its length. */
static const struct fw_table jank_frames = {
	.name = "jank-summary",
	.columns = jank_columns,
	.n_columns = JANK_KEYS + 1,
	.order = (const int[]){ 0, 1, 2, 3, 4, 5, 6, -1 },
};

/* Adds up frames with equal keys as they pass. */
struct jank_sum {
	struct fw_sink sink;
	struct fw_sink *to;
	struct fw_rowbuf keys;
	int64_t rows, closed, zero, open, dur_sum, dur_max;
};

static int jank_begin(struct fw_sink *s, const struct fw_table *t)
{
	struct jank_sum *j = (struct jank_sum *)s;

	return j->to->begin(j->to, &jank_table);
}

static int jank_flush(struct jank_sum *j)
{
	struct fw_cell cells[ARRAY_SIZE(jank_columns)];

	if (j->rows == 0)
		return 0;
	if (fw_row_decode(j->keys.p, j->keys.len, cells, JANK_KEYS))
		return fw_fail(EINVAL, "table jank-summary: damaged row");
	cells[JANK_KEYS] = fw_int(j->rows);
	cells[JANK_KEYS + 1] = fw_int(j->closed);
	cells[JANK_KEYS + 2] = fw_int(j->zero);
	cells[JANK_KEYS + 3] = fw_int(j->open);
	cells[JANK_KEYS + 4] = fw_int_if(j->closed, j->dur_sum);
	cells[JANK_KEYS + 5] = fw_int_if(j->closed, j->dur_max);
	return j->to->row(j->to, cells);
}

static bool same_keys(const struct jank_sum *j, const struct fw_cell *cells)
{
	struct fw_cell keys[JANK_KEYS];
	int i;

	if (j->rows == 0 || fw_row_decode(j->keys.p, j->keys.len, keys, JANK_KEYS))
		return false;
	for (i = 0; i < JANK_KEYS; i++) {
		if (fw_cell_cmp(&keys[i], &cells[i]))
			return false;
	}
	return true;
}

static int jank_row(struct fw_sink *s, const struct fw_cell *cells)
{
	struct jank_sum *j = (struct jank_sum *)s;
	int64_t dur = cells[JANK_KEYS].i;
	int err = 0;

	if (!same_keys(j, cells)) {
		err = jank_flush(j);
		fw_row_encode(&j->keys, cells, JANK_KEYS);
		j->rows = j->closed = j->zero = j->open = j->dur_sum = j->dur_max = 0;
	}
	j->rows++;
	j->closed += dur > 0;
	j->zero += dur == 0;
	j->open += dur < 0;
	if (dur > 0 && __builtin_add_overflow(j->dur_sum, dur, &j->dur_sum))
		j->dur_sum = INT64_MAX;
	j->dur_max = FW_MAX(j->dur_max, dur);
	return err;
}

static int jank_end(struct fw_sink *s)
{
	struct jank_sum *j = (struct jank_sum *)s;
	int err = jank_flush(j);

	return err ? err : j->to->end(j->to);
}

static void add_jank_frame(void *ctx, const struct fw_timeline_frame *f)
{
	struct fw_table_run *r = ctx;
	char jank[FW_JANK_NAMES_MAX];

	if (!f->actual || !f->surface || r->err)
		return;
	r->err = fw_rows_add(r->own, (struct fw_cell[]){
					     fw_pid_cell(r, f->upid),
					     fw_name_cell(r, f->layer),
					     is_buffer_cell(f),
					     tag_cell(f),
					     fw_text(fw_jank_names(f->jank_type, jank)),
					     fw_text(fw_present_type_name(f->present_type)),
					     fw_int(f->on_time),
					     fw_int(f->dur),
				     });
}

static int run_jank_summary(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .ctx = r, .frame = add_jank_frame };
	struct jank_sum sum = {
		.sink = { .begin = jank_begin, .row = jank_row, .end = jank_end },
		.to = r->sink,
	};
	int err;

	r->own = fw_rows_new(&jank_frames);
	err = fw_table_read(r, &to);
	if (!err)
		err = fw_rows_emit(r->own, &sum.sink, false);
	free(sum.keys.p);
	fw_rows_free(r->own);
	return err;
}

const struct fw_table_def fw_def_jank_summary = { &jank_table, .run = run_jank_summary };
