// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/frame_sums.h"

#include <math.h>

#include "base/mem.h"

void fw_frame_sums_init(struct fw_frame_sums *f, int max_blocks)
{
	fw_blocks_init(&f->frames, max_blocks);
	f->actual = fw_order_new();
}

void fw_frame_sums_free(struct fw_frame_sums *f)
{
	fw_blocks_free(&f->frames);
	fw_order_free(f->actual);
	f->actual = NULL;
}

static bool is_text(const struct fw_cell *c, const char *text)
{
	return c->type == FW_TEXT && fw_str_eq(c->s, fw_str(text));
}

/* The tags of model/jank.c. */
static void add_tag(double *s, const struct fw_cell *tag)
{
	static const struct {
		const char *name;
		enum fw_sum sum;
	} tags[] = {
		{ "Self Jank", FW_SUM_SELF },
		{ "Other Jank", FW_SUM_OTHER },
		{ "Dropped Frame", FW_SUM_DROPPED_TAG },
		{ "Buffer Stuffing", FW_SUM_STUFFING },
		{ "SurfaceFlinger Stuffing", FW_SUM_SF_STUFFING },
		{ "Non-perceivable Jank", FW_SUM_NON_PERCEIVABLE },
	};

	if (tag->type != FW_TEXT || is_text(tag, "Unspecified"))
		return;
	s[FW_SUM_TAGGED]++;
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		s[tags[i].sum] += is_text(tag, tags[i].name);
}

static void add_jank(double *s, const struct fw_cell *c)
{
	const struct fw_cell *severity = &c[FW_C_FRAMES_jank_severity];
	const struct fw_cell *present = &c[FW_C_FRAMES_present_type];
	const struct fw_cell *late = &c[FW_C_FRAMES_late];

	add_tag(s, &c[FW_C_FRAMES_jank_tag]);
	if (severity->type == FW_TEXT && !is_text(severity, "Unknown")) {
		s[FW_SUM_SEVERITY]++;
		s[FW_SUM_FULL] += is_text(severity, "Full");
		s[FW_SUM_PARTIAL] += is_text(severity, "Partial");
	}
	s[FW_SUM_JUDGED_LATE] += late->type == FW_INT;
	s[FW_SUM_LATE] += late->type == FW_INT && late->i;
	s[FW_SUM_PRESENT_TYPE] += present->type == FW_TEXT;
	s[FW_SUM_DROPPED] += is_text(present, "Dropped Frame");
}

static void add_states(double *s, const struct fw_cell *c)
{
	for (int role = 0; role < FW_ROLES; role++) {
		double *of_role = s + FW_SUM_STATES + role * FW_STATES_IN_WINDOW;

		for (int i = 0; i < FW_STATES_IN_WINDOW; i++) {
			const struct fw_cell *state = &c[FW_C_FRAMES_FIGURE(role, i)];

			if (state->type == FW_MS)
				of_role[i] += (double)state->i / 1e6;
		}
	}
}

static void add_verdict(double *s, const struct fw_cell *c)
{
	const struct fw_cell *candidate = &c[FW_C_FRAMES_candidate];
	int v = candidate->type == FW_TEXT ? fw_verdict_find(candidate->s) : -1;

	if (v >= 0)
		s[FW_SUM_VERDICTS + v]++;
}

double fw_frame_actual(const struct fw_cell *c)
{
	const struct fw_cell *actual = &c[FW_C_FRAMES_actual_ms];

	return actual->type == FW_MS ? (double)actual->i / 1e6 : NAN;
}

void fw_frame_sums_row(double *sums, const struct fw_cell *c)
{
	double actual = fw_frame_actual(c);

	sums[FW_SUM_FRAMES]++;
	add_jank(sums, c);
	add_states(sums, c);
	add_verdict(sums, c);
	if (isnan(actual))
		return;
	sums[FW_SUM_ACTUALS]++;
	sums[FW_SUM_ACTUAL] += actual;
}

int fw_frame_sums_add(struct fw_frame_sums *f, const struct fw_cell *c)
{
	double actual = fw_frame_actual(c);

	fw_frame_sums_row(fw_blocks_item(&f->frames), c);
	return isnan(actual) ? 0 : fw_order_add(f->actual, actual, f->frames.items - 1);
}
