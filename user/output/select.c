// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/select.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

struct fw_select {
	struct fw_sink sink;
	struct fw_sink *to;
	struct fw_table table;
	struct fw_column *columns;
	int *from; /* index in the whole table of each wanted column */
	struct fw_cell *cells;
};

/* Globs of each word, blanks between them. */
static const struct {
	const char *name, *globs;
} groups[] = {
	{ "key", "kind process pid layer surface_token display_token actual_start_ms late" },
	{ "times", "actual_* expected_* deadline_delta_ms" },
	{ "jank", "present_type on_time_finish gpu_composition jank_* prediction_type "
		  "present_delay_ms vsync_jitter_ms" },
	{ "experimental", "experimental_* jank_debug_metadata" },
	{ "display", "display_*" },
	{ "ui", "ui_*" },
	{ "render", "render_*" },
	{ "sf", "sf_*" },
	{ "re", "re_*" },
	{ "hwc", "hwc_*" },
	{ "states", "*running_ms *runnable_ms *preempted_ms *sleeping_ms *blocked_*_ms *other_ms "
		    "*unobserved_ms" },
	{ "irq", "*irq_ms" },
	{ "wakers", "*top_waker*" },
	{ "functions", "*top_function* *top_sleep_function* function" },
	{ "fences", "*fence*" },
	{ "buffer", "tracer_* buffer_id frame_number dequeue_ms queue_ms acquire_ms latch_ms "
		    "hwc_queued_ms fallback_ms present_ms queue_depth" },
	{ "phases", "app_hold_* producer_fence_wait_* acquire_to_latch_* latch_to_present_* "
		    "present_interval_*" },
	{ "marks", "doframe_* drawframes_*" },
	{ "frequency", "*_khz" },
	{ "framestats", "framestats_*" },
	{ "latency", "latency_*" },
	{ "plans", "plan_*" },
	{ "candidates", "overrun_ms candidate* other_candidates" },
	{ "animations", "animation*" },
	{ "raw", "*_ns" },
	{ "all", "*" },
};

#define SHORT                                                                                      \
	"kind process layer surface_token display_token late actual_start_ms actual_ms "           \
	"deadline_delta_ms overrun_ms present_type jank_tag jank_type ui_running_ms "              \
	"ui_runnable_ms ui_preempted_ms ui_sleeping_ms ui_blocked_io_ms ui_blocked_nonio_ms "      \
	"render_running_ms render_runnable_ms render_preempted_ms render_sleeping_ms "             \
	"producer_fence_wait_ms latch_to_present_ms candidate candidate_ms flags"

static bool matches(const char *name, const char *globs)
{
	while (*globs) {
		size_t n = strcspn(globs, " ");
		char glob[64];

		if (n < sizeof(glob)) {
			memcpy(glob, globs, n);
			glob[n] = 0;
			if (fw_str_glob(fw_str(name), glob))
				return true;
		}
		globs += n + (globs[n] == ' ');
	}
	return false;
}

/* Return: how many columns it named. */
static int set(const struct fw_table *t, bool *wanted, const char *globs, bool value)
{
	int n = 0;

	for (int i = 0; i < t->n_columns; i++) {
		if (!matches(t->columns[i].name, globs))
			continue;
		wanted[i] = value;
		n++;
	}
	return n;
}

static void preset(const struct fw_table *t, bool *wanted, const char *name)
{
	set(t, wanted, "*", true);
	if (!strcmp(name, "sheet"))
		set(t, wanted, "*_ns", false);
	/* Of the other tables nothing is left out. */
	if (!strcmp(name, "short") && !strcmp(t->name, "frames")) {
		set(t, wanted, "*", false);
		set(t, wanted, SHORT, true);
	}
}

static bool is_preset(const char *word)
{
	return !strcmp(word, "short") || !strcmp(word, "full") || !strcmp(word, "sheet");
}

static int apply(const struct fw_table *t, bool *wanted, const char *word, bool first)
{
	const char *globs = word + 1;

	if (is_preset(word)) {
		if (!first)
			return fw_fail(EINVAL, "--columns: %s must stand first", word);
		preset(t, wanted, word);
		return 0;
	}
	if (*word != '+' && *word != '-')
		return fw_fail(EINVAL, "--columns: %s: expected short, full or sheet, or +%s, -%s",
			       word, word, word);
	if (first)
		preset(t, wanted, *word == '+' ? "short" : "full");
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
		if (!strcmp(word + 1, groups[g].name))
			globs = groups[g].globs;
	if (!set(t, wanted, globs, *word == '+'))
		return fw_fail(EINVAL,
			       "--columns: %s: table %s has no such group or column; framewait "
			       "columns %s lists them",
			       word, t->name, t->name);
	return 0;
}

static int parse(const char *list, const struct fw_table *t, bool *wanted)
{
	char *copy = fw_strdup(list), *save = NULL;
	bool first = true;
	int err = 0;

	for (char *w = strtok_r(copy, ",", &save); w && !err; w = strtok_r(NULL, ",", &save)) {
		err = apply(t, wanted, w, first);
		first = false;
	}
	if (!err && first)
		err = fw_fail(EINVAL, "--columns: an empty list");
	free(copy);
	return err;
}

static int select_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct fw_select *s = (struct fw_select *)sink;

	return s->to->begin(s->to, &s->table);
}

static int select_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct fw_select *s = (struct fw_select *)sink;

	for (int i = 0; i < s->table.n_columns; i++)
		s->cells[i] = cells[s->from[i]];
	return s->to->row(s->to, s->cells);
}

static int select_end(struct fw_sink *sink)
{
	struct fw_select *s = (struct fw_select *)sink;

	return s->to->end(s->to);
}

int fw_select_new(const char *list, const struct fw_table *t, struct fw_sink *to,
		  struct fw_select **out)
{
	bool *wanted = fw_calloc((size_t)t->n_columns, sizeof(*wanted));
	int err = parse(list, t, wanted), n = 0;
	struct fw_select *s = fw_zalloc(sizeof(*s));

	s->sink = (struct fw_sink){ select_begin, select_row, select_end };
	s->to = to;
	s->columns = fw_calloc((size_t)t->n_columns, sizeof(*s->columns));
	s->from = fw_calloc((size_t)t->n_columns, sizeof(*s->from));
	s->cells = fw_calloc((size_t)t->n_columns, sizeof(*s->cells));
	for (int i = 0; i < t->n_columns; i++) {
		if (!wanted[i])
			continue;
		s->columns[n] = t->columns[i];
		s->from[n++] = i;
	}
	s->table = (struct fw_table){ t->name, t->what, s->columns, n, NULL };
	if (!err && !n)
		err = fw_fail(EINVAL, "--columns %s: leaves no column of %s", list, t->name);
	free(wanted);
	if (err) {
		fw_select_free(s);
		s = NULL;
	}
	*out = s;
	return err;
}

struct fw_sink *fw_select_sink(struct fw_select *s)
{
	return &s->sink;
}

void fw_select_free(struct fw_select *s)
{
	if (!s)
		return;
	free(s->columns);
	free(s->from);
	free(s->cells);
	free(s);
}

bool fw_select_is_sheet(const char *list)
{
	return list && fw_str_starts(fw_str(list), FW_STR("sheet")) &&
	       (list[5] == 0 || list[5] == ',');
}
