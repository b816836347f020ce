// SPDX-License-Identifier: GPL-2.0-or-later
/* The side files: framestats, --latency and frame plans, whole and damaged. */
#include "input/side/side.h"

#include "../fuzz/harness.h"
#include "base/error.h"
#include "input/side/framestats.h"
#include "input/side/latency.h"
#include "input/side/plans.h"
#include "tap.h"

static struct fw_health *health;

static struct fw_source *source(const char *text)
{
	struct fw_source *src = NULL;

	fw_source_open(harness_file(text, strlen(text)), &src);
	return src;
}

static enum fw_side_kind probe(const char *text)
{
	struct fw_source *src = source(text);
	enum fw_side_kind kind;

	fw_side_probe(src, &kind);
	fw_source_close(src);
	return kind;
}

static int64_t counted(enum fw_health_id id)
{
	int64_t n = fw_health_sum(health, id);

	fw_health_set(health, id, FW_HEALTH_NO_IDX, 0);
	return n;
}

#define BLOCK "---PROFILEDATA---\n"
#define MAX "9223372036854775807"

static void probes(void)
{
	ok(probe("Applications Graphics Acceleration Info:\n") == FW_SIDE_FRAMESTATS, "framestats");
	ok(probe("\n\n" BLOCK) == FW_SIDE_FRAMESTATS, "framestats from the middle");
	ok(probe("16666666\n0\t0\t0\n") == FW_SIDE_LATENCY, "latency");
	ok(probe("com.example/Main#0\n8333333\n1 2 3\n") == FW_SIDE_LATENCY, "latency with a name");
	ok(probe("8333333\nRequestedLayerState{x#1 parentId=2}\n1 2 3\n") == FW_SIDE_LATENCY,
	   "latency with the name below the period");
	ok(probe("1 2 3\n") == FW_SIDE_NONE, "numbers without a period are none");
	ok(probe("0\n1 2 3\n") == FW_SIDE_NONE, "nor is a period of 0");
	ok(probe("# tracer: nop\n#\n8333333\n1 2 3\n") == FW_SIDE_NONE,
	   "nor are several lines of text");
	ok(probe("") == FW_SIDE_NONE && probe("\n\x02\n8333333\n1 2 3\n") == FW_SIDE_NONE,
	   "nothing and bytes are none");
}

static void framestats(void)
{
	static const char text[] =
		"** Graphics info for pid 31 [com.example.one] **\n"
		"Window: com.example.one/Main\n" BLOCK
		"Flags,IntendedVsync,Vsync,NewThing,FrameCompleted,DequeueBufferDuration,"
		"DisplayPresentTime,FrameTimelineVsyncId,\n"
		"0,100,110,7,150,0," MAX ",-1,\n"
		"5,200,0,8," MAX ",12,190,44,\n"
		"1,2,3\n"
		"x,2,3,4,5,6,7,8,\n" BLOCK "\nWindow: com.example.one/Menu\n" BLOCK
		"Vsync,IntendedVsync\n"
		"9,8\n" BLOCK "** Graphics info for pid 32 [com.example.two] **\n" BLOCK
		"IntendedVsync\n"
		"1\n"
		"0,100\n"
		"2";
	const struct fw_framestats_row *r;
	struct fw_framestats *f;

	fw_framestats_open(source(text), health, &f);
	ok(fw_framestats_next(f, &r) == 1 && r->pid == 31 &&
		   fw_str_eq(r->process, FW_STR("com.example.one")) &&
		   fw_str_eq(r->window, FW_STR("com.example.one/Main")) && r->block == 1,
	   "the process and the window of a row");
	ok(r->value[FW_FS_INTENDED_VSYNC] == 100 && r->value[FW_FS_COMPLETED] == 150 &&
		   r->value[FW_FS_FLAGS] == 0,
	   "columns by name");
	ok(r->value[FW_FS_PRESENT] == FW_FS_UNKNOWN && r->value[FW_FS_VSYNC_ID] == FW_FS_UNKNOWN &&
		   r->value[FW_FS_DEQUEUE] == FW_FS_UNKNOWN &&
		   r->value[FW_FS_QUEUE] == FW_FS_UNKNOWN,
	   "pending, none, not measured and not printed are unknown");
	ok(fw_str_eq(r->other, FW_STR("NewThing=7")), "a column of no known name is kept");
	ok(fw_framestats_next(f, &r) == 1 && r->value[FW_FS_FLAGS] == 5 &&
		   r->value[FW_FS_VSYNC] == FW_FS_UNKNOWN &&
		   r->value[FW_FS_COMPLETED] == FW_FS_UNKNOWN && r->value[FW_FS_VSYNC_ID] == 44,
	   "a flagged row is kept");
	ok(r->stale_present && r->value[FW_FS_PRESENT] == FW_FS_UNKNOWN,
	   "a present before the frame's own vsync is another frame's");
	is_int(counted(FW_H_fw_framestats_stale), 1, "which is counted");
	ok(fw_framestats_next(f, &r) == 1 && r->value[FW_FS_VSYNC] == 9 && r->block == 2 &&
		   fw_str_eq(r->window, FW_STR("com.example.one/Menu")) && r->pid == 31,
	   "another window, other columns");
	is_int(counted(FW_H_fw_side_bad_rows), 2, "short rows and rows of no numbers are counted");
	ok(fw_framestats_next(f, &r) == 1 && r->pid == 32 && !r->window.p &&
		   r->value[FW_FS_INTENDED_VSYNC] == 1,
	   "another process");
	is_int(fw_framestats_next(f, &r), 0, "the end");
	is_int(counted(FW_H_fw_side_bad_rows), 2,
	       "a row with more than its header is none, nor one without its line end");
	fw_framestats_close(f);
}

static void layers(void)
{
	static const struct {
		const char *text, *layer;
	} is[] = {
		{ "com.example/com.example.Main#12", "com.example/com.example.Main#12" },
		{ "  Layer: a b#1:", "a b#1" },
		{ "$ adb shell dumpsys SurfaceFlinger --latency \"SurfaceView[x](BLAST)#3\"",
		  "SurfaceView[x](BLAST)#3" },
		{ "RequestedLayerState{SurfaceView[x/y](BLAST)#9 parentId=8 z=0}",
		  "SurfaceView[x/y](BLAST)#9" },
		{ "RequestedLayerState{x#2}", "x#2" },
	};

	for (size_t i = 0; i < sizeof(is) / sizeof(is[0]); i++)
		ok(fw_str_eq(fw_latency_layer(fw_str(is[i].text)), fw_str(is[i].layer)), "%s",
		   is[i].text);
	ok(!fw_latency_layer(FW_STR(" : ")).p, "a colon names nothing");
}

static void latency(void)
{
	static const char text[] = "16666666\n0\t0\t0\n100\t120\t110\n200\t" MAX "\t210\n"
				   "300 " MAX " " MAX "\n\n0\t0\t0\n0\t0\t0\n\n"
				   "Layer: b#2\n8333333\n400\t420\t410\n500\t52";
	const struct fw_latency_row *r;
	struct fw_latency *l;

	fw_latency_open(source(text), health, &l);
	ok(fw_latency_next(l, &r) == 1 && r->desired == 100 && r->actual == 120 &&
		   r->ready == 110 && r->period == 16666666 && !r->layer.p && r->table == 1,
	   "a frame behind an empty row");
	ok(fw_latency_next(l, &r) == 1 && r->desired == 200 && r->actual == FW_LATENCY_UNKNOWN &&
		   r->ready == 210,
	   "a present fence that has not signalled");
	ok(fw_latency_next(l, &r) == 1 && r->ready == FW_LATENCY_UNKNOWN, "nor the acquire fence");
	ok(fw_latency_next(l, &r) == 1 && r->no_frames && r->table == 2, "a table of zeros");
	ok(fw_latency_next(l, &r) == 1 && !r->no_frames && r->table == 3 && r->period == 8333333 &&
		   fw_str_eq(r->layer, FW_STR("b#2")) && r->actual == 420,
	   "a table with a name");
	is_int(fw_latency_next(l, &r), 0, "the end");
	is_int(counted(FW_H_fw_latency_empty_rows), 3, "empty rows are counted");
	is_int(counted(FW_H_fw_latency_empty_tables), 1, "and the table of nothing else");
	is_int(counted(FW_H_fw_side_bad_rows), 1, "and the row that was cut");
	fw_latency_close(l);
}

static void plans(void)
{
	struct fw_plans *p;
	struct fw_plan plan;

	fw_plans_open(source("\xef\xbb\xbf\"note\",deadlineNanos,\"vsyncId\",frameTimeNanos,"
			     "expectedPresentNanos\r\n"
			     "\"a,\"\"b\",30,7,10,40\r\n"
			     "x,,8,0," MAX "\r\n"
			     "\r\nx,30,7,10\r\nx,30,7,10,40,50\r\nx,30,,10,40\r\nx,30,-1,10,40\r\n"
			     "x,3e1,7,10,40\r\n"),
		      health, &p);
	ok(fw_plans_next(p, &plan) == 1 && plan.vsync_id == 7 && plan.deadline == 30 &&
		   plan.frame_time == 10 && plan.present == 40,
	   "columns by name, quotes, a mark at the start");
	ok(fw_plans_next(p, &plan) == 1 && plan.vsync_id == 8 && plan.deadline == FW_PLAN_UNKNOWN &&
		   plan.frame_time == FW_PLAN_UNKNOWN && plan.present == FW_PLAN_UNKNOWN,
	   "empty, 0 and the largest number are unknown");
	is_int(fw_plans_next(p, &plan), 0, "the end");
	is_int(counted(FW_H_fw_side_bad_rows), 5,
	       "short, long, without an id, with none, and no number: counted");
	fw_plans_close(p);
	ok(fw_plans_open(source("frameTimeNanos,deadlineNanos\n1,2\n"), health, &p) < 0,
	   "no plan without a vsync id");
	fw_fail_clear();
	ok(fw_plans_open(source("vsyncId,vsyncId\n1,2\n"), health, &p) < 0, "nor with two");
	fw_fail_clear();
	ok(fw_plans_open(source(""), health, &p) < 0, "an empty file is none");
	fw_fail_clear();
	fw_plans_open(source("vsyncId;deadlineNanos\n7;9"), health, &p);
	ok(fw_plans_next(p, &plan) == 1 && plan.vsync_id == 7 && plan.deadline == 9, "semicolons");
	fw_plans_close(p);
}

int main(void)
{
	health = fw_health_new();
	probes();
	framestats();
	layers();
	latency();
	plans();
	fw_health_free(health);
	return done_testing();
}
