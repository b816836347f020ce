// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame tables' columns: complete, unique, with units that their names carry. */
#include "frame/columns.h"

#include "frame/roles.h"
#include "tap.h"

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static void check_column(const struct fw_table *t, const struct fw_column *c)
{
	bool unit = true;

	if (ends_in(c->name, "_ms"))
		unit = !strcmp(c->unit, "ms") && (c->type == FW_MS || c->type == FW_REAL);
	else if (ends_in(c->name, "_ns"))
		unit = !strcmp(c->unit, "ns") && c->type == FW_INT;
	else if (ends_in(c->name, "_khz"))
		unit = !strcmp(c->unit, "kHz") && c->type == FW_INT;
	else if (!strcmp(c->unit, "ms") || !strcmp(c->unit, "ns") || !strcmp(c->unit, "kHz"))
		unit = false;
	if (!strcmp(c->unit, "text"))
		unit = c->type == FW_TEXT;
	if (!unit)
		diag("%s.%s: unit %s", t->name, c->name, c->unit);
	ok(unit && *c->meaning && *c->source && (!c->empty || *c->empty), "%s.%s", t->name,
	   c->name);
}

static void check_table(const struct fw_table *t)
{
	int twice = 0, in_range = 1;

	for (int i = 0; i < t->n_columns; i++) {
		check_column(t, &t->columns[i]);
		for (int j = 0; j < i; j++)
			if (!strcmp(t->columns[i].name, t->columns[j].name)) {
				diag("%s twice", t->columns[i].name);
				twice++;
			}
	}
	is_int(twice, 0, "%s: every name once", t->name);
	for (const int *o = t->order; o && *o >= 0; o++)
		in_range &= *o < t->n_columns;
	ok(in_range, "%s: ordered by its own columns", t->name);
	ok(fw_frame_table_find(t->name) == t, "%s: found by its name", t->name);
}

static void check_roles(void)
{
	static const char *const figures[] = {
		"running_ms",	      "runnable_ms",
		"preempted_ms",	      "sleeping_ms",
		"blocked_io_ms",      "blocked_nonio_ms",
		"blocked_unknown_ms", "other_ms",
		"unobserved_ms",      "irq_ms",
		"softirq_ms",	      "longest_wait_ms",
		"switches",	      "wakes",
		"top_function",	      "top_function_ms",
		"top_waker_tid",      "top_waker",
		"fence_wait_ms",      "top_fence_driver",
		"top_fence_timeline", "top_fence_context",
		"top_fence_seqno",    "top_fence_ms",
		"top_sleep_function", "top_sleep_function_ms",
		"top_waker_own",
	};
	const struct fw_table *t = fw_frame_table(FW_FRAMES);

	_Static_assert(sizeof(figures) / sizeof(figures[0]) == FW_FIGURES, "a name a figure");
	for (int r = 0; r < FW_ROLES; r++) {
		bool right = true;

		for (int i = 0; i < FW_FIGURES; i++) {
			char name[64];

			snprintf(name, sizeof(name), "%s_%s", fw_role_name(r), figures[i]);
			right &= !strcmp(t->columns[FW_C_FRAMES_FIGURE(r, i)].name, name);
		}
		ok(right, "figures of %s stand where the rows put them", fw_role_name(r));
		is_int(fw_role_find(fw_str(fw_role_name(r))), r, "%s is found by its name",
		       fw_role_name(r));
	}
}

int main(void)
{
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		check_table(fw_frame_table(t));
	check_roles();
	ok(!fw_frame_table_find("nothing"), "no other table");
	return done_testing();
}
