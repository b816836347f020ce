// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of slices and lanes: nesting, ends, what is cut and what is dropped. */
#include "model/lanes.h"
#include "model/slices.h"

#include <stdlib.h>

#include "tap.h"

static char got[1024];
static struct fw_health *health;
static uint64_t seq;

/* Each slice that was handed on, as "name:ts+dur@depth". */
static void done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%.*s:%jd+%jd@%u", n ? " " : "", FW_STR_ARG(s->name),
		 (intmax_t)s->ts, (intmax_t)s->dur, s->depth);
}

static struct fw_slices slices = { .done = done, .seq = &seq };
static struct fw_track track;

static bool put(int64_t ts, int64_t dur, const char *name)
{
	return fw_slice_begin(
		&slices, &track,
		&(struct fw_slice_start){ .ts = ts, .dur = dur, .name = fw_str(name) });
}

static bool begin(int64_t ts, const char *name)
{
	return put(ts, FW_SLICE_OPEN, name);
}

static bool end(int64_t ts)
{
	return fw_slice_end(&slices, &track, ts, FW_STR_NONE, 0);
}

static const char *finish(void)
{
	static char res[sizeof(got)];

	fw_track_finish(&slices, &track);
	memcpy(res, got, sizeof(got));
	got[0] = '\0';
	return res;
}

static void nesting(void)
{
	ok(!end(5), "an end without a begin ends nothing");
	begin(10, "a");
	begin(20, "b");
	end(30);
	begin(30, "c");
	end(40);
	end(50);
	is_str(finish(), "b:20+10@1 c:30+10@1 a:10+40@0", "nested slices");
	begin(10, "a");
	begin(20, "b");
	end(30);
	is_str(finish(), "b:20+10@1 a:10+-1@0", "what never ends stays open");
	begin(10, "outer");
	begin(20, "inner");
	ok(fw_slice_end(&slices, &track, 30, FW_STR("outer"), 0),
	   "an end by name goes below the top");
	end(40);
	is_str(finish(), "inner:20+10@1 outer:10+20@0",
	       "and what stands above an ended slice is cut with it");
	is_int(fw_health_sum(health, FW_H_misplaced_end_event), 1, "which is counted");
}

static void whole_slices(void)
{
	put(10, 10, "a");
	ok(!put(15, 10, "b"), "a whole slice that overlaps is dropped");
	is_int(fw_health_sum(health, FW_H_slice_drop_overlapping_complete_event), 1, "and counted");
	put(15, 5, "c");
	put(20, 0, "i");
	put(20, 0, "j");
	put(20, 5, "d");
	is_str(finish(), "c:15+5@1 a:10+10@0 j:20+0@1 i:20+0@0 d:20+5@0",
	       "instants nest in each other, whole slices follow");
	ok(!put(10, -2, "x"), "a negative length is refused");
	put(INT64_MAX - 1, INT64_MAX, "far");
	put(INT64_MAX, 0, "end");
	is_str(finish(),
	       "far:9223372036854775806+9223372036854775807@0 end:9223372036854775807+0@0",
	       "the end of time overflows nothing");
}

static void depth(void)
{
	int i;

	for (i = 0; i < FW_SLICE_MAX_DEPTH; i++)
		begin(i, "x");
	got[0] = '\0';
	begin(1000, "deep");
	is_str(got, "deep:1000+-1@0", "one level too deep is handed on open");
	finish();
}

static void ends(struct fw_lanes *l, int64_t ts, int64_t cookie)
{
	fw_slice_end(&slices, fw_lanes_end(l, cookie), ts, FW_STR_NONE, 0);
}

static void starts(struct fw_lanes *l, int64_t ts, int64_t cookie, const char *name)
{
	fw_slice_begin(
		&slices, fw_lanes_begin(l, cookie),
		&(struct fw_slice_start){ .ts = ts, .dur = FW_SLICE_OPEN, .name = fw_str(name) });
}

static void lanes(void)
{
	struct fw_lanes l = { 0 }, u = { .unnestable = true };

	starts(&l, 10, 1, "a");
	starts(&l, 20, 2, "b");
	ends(&l, 30, 1);
	starts(&l, 40, 3, "c");
	is_int(l.n, 2, "a free lane is taken before a new one is made");
	ends(&l, 50, 2);
	ends(&l, 60, 3);
	ok(fw_lanes_idle(&l), "all ended");
	is_str(got, "a:10+20@0 b:20+30@0 c:40+20@0", "overlapping slices do not nest");
	got[0] = '\0';
	starts(&l, 70, 2, "d");
	ok(fw_lanes_begin(&l, 2) == fw_lanes_begin(&l, 2), "a cookie keeps its lane");
	fw_lanes_finish(&l, &slices);
	got[0] = '\0';

	starts(&u, 10, 1, "x");
	starts(&u, 20, 1, "x");
	ends(&u, 30, 1);
	ends(&u, 40, 1);
	is_str(got, "x:10+20@0", "a begin inside itself is left out where slices do not nest");
	ok(fw_lanes_idle(&u), "and one end ends it");
	fw_lanes_finish(&u, &slices);
	got[0] = '\0';
}

int main(void)
{
	health = fw_health_new();
	slices.health = health;
	nesting();
	whole_slices();
	depth();
	lanes();
	fw_health_free(health);
	return done_testing();
}
