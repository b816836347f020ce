// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdicts: each rule on a row that it is made for, and on rows that it must leave alone. */
#include "frame/verdict.h"

#include "frame/roles.h"
#include "model/jank.h"
#include "tap.h"

#define MS(x) ((int64_t)((x)*1000000))

static struct fw_cell row[FW_C_FRAMES_COUNT];

static struct fw_cell str(const char *s)
{
	return fw_text(fw_str(s));
}

static struct fw_cell *figure(int role, enum fw_figure f)
{
	return &row[FW_C_FRAMES_FIGURE(role, f)];
}

/* A surface frame that had 16 ms and came 8 ms after its deadline; all its threads are known. */
static void missed(void)
{
	memset(row, 0, sizeof(row));
	row[FW_C_FRAMES_kind] = str("surface");
	row[FW_C_FRAMES_late] = fw_int(1);
	row[FW_C_FRAMES_expected_count] = fw_int(1);
	row[FW_C_FRAMES_expected_ms] = fw_ms(MS(16));
	row[FW_C_FRAMES_expected_end_ms] = fw_ms(MS(116));
	row[FW_C_FRAMES_deadline_delta_ms] = fw_ms(MS(8));
	row[FW_C_FRAMES_jank_mask] = fw_int(FW_JANK_APP_DEADLINE);
	for (int r = 0; r < FW_ROLES; r++) {
		row[FW_C_FRAMES_ROLE_TID(r)] = fw_int(100 + r);
		for (int f = 0; f <= FW_FIG_UNOBSERVED; f++)
			*figure(r, f) = fw_ms(0);
	}
	*figure(FW_ROLE_UI, FW_FIG_RUNNING) = fw_ms(MS(4));
	*figure(FW_ROLE_RENDER, FW_FIG_RUNNING) = fw_ms(MS(3));
}

/* One whose app was in time, and that was shown 6 ms late. */
static void shown_late(int64_t jank)
{
	missed();
	row[FW_C_FRAMES_deadline_delta_ms] = fw_ms(MS(-3));
	row[FW_C_FRAMES_display_delta_ms] = fw_ms(MS(6));
	row[FW_C_FRAMES_display_expected_ms] = fw_ms(MS(10));
	row[FW_C_FRAMES_jank_mask] = fw_int(jank);
}

static bool is(int column, const char *text)
{
	return row[column].type == FW_TEXT && fw_str_eq(row[column].s, fw_str(text));
}

static void judged(const char *candidate, int64_t ns, const char *what)
{
	for (int c = FW_C_FRAMES_overrun_ms; c <= FW_C_FRAMES_other_candidates; c++)
		row[c] = fw_null();
	fw_verdict_cells(row);
	ok(is(FW_C_FRAMES_candidate, candidate) &&
		   (ns < 0 ? row[FW_C_FRAMES_candidate_ms].type == FW_NULL
			   : row[FW_C_FRAMES_candidate_ms].i == ns),
	   "%s: %s, %lld ns", what, candidate, (long long)ns);
}

static bool evidence(const char *part)
{
	const struct fw_cell *c = &row[FW_C_FRAMES_candidate_evidence];

	return c->type == FW_TEXT && memmem(c->s.p, c->s.len, part, strlen(part));
}

static void app_rules(void)
{
	missed();
	*figure(FW_ROLE_UI, FW_FIG_RUNNING) = fw_ms(MS(21.5));
	judged("cpu_late", MS(8), "running fills the overrun");
	ok(evidence("ui_running_ms=21.500000") && evidence("expected_ms=16.000000"),
	   "with its evidence");
	missed();
	*figure(FW_ROLE_UI, FW_FIG_RUNNING) = fw_ms(MS(15));
	*figure(FW_ROLE_RENDER, FW_FIG_PREEMPTED) = fw_ms(MS(5));
	judged("sched_delay", MS(5), "preempted longer than it ran over");
	ok(is(FW_C_FRAMES_other_candidates, "cpu_late 2.000 ms"), "and the rest beside it");
	ok(row[FW_C_FRAMES_candidate_share].d == 0.625, "with its share");
	missed();
	*figure(FW_ROLE_RENDER, FW_FIG_BLOCKED_IO) = fw_ms(MS(9));
	judged("io_block", MS(8), "no more than the overrun is explained");
	missed();
	*figure(FW_ROLE_UI, FW_FIG_BLOCKED_NONIO) = fw_ms(MS(7));
	*figure(FW_ROLE_UI, FW_FIG_TOP_FUNCTION) = str("mutex_lock");
	judged("kernel_block", MS(7), "D without io_wait");
	ok(evidence("ui_top_function=mutex_lock"), "names the function");
	missed();
	*figure(FW_ROLE_RENDER, FW_FIG_FENCE_WAIT) = fw_ms(MS(8));
	judged("fence_wait", MS(8), "a wait for a fence");
	missed();
	row[FW_C_FRAMES_queue_ms] = fw_ms(MS(110));
	row[FW_C_FRAMES_acquire_ms] = fw_ms(MS(123));
	judged("gpu_late", MS(7), "queued in time, signaled late");
	missed();
	row[FW_C_FRAMES_queue_ms] = fw_ms(MS(117));
	row[FW_C_FRAMES_acquire_ms] = fw_ms(MS(123));
	judged("not_enough_data", -1, "not the GPU's when it was queued late");
}

static void lock_rule(void)
{
	missed();
	*figure(FW_ROLE_UI, FW_FIG_SLEEPING) = fw_ms(MS(9));
	*figure(FW_ROLE_UI, FW_FIG_TOP_SLEEP_FUNCTION) = str("futex_wait_queue");
	*figure(FW_ROLE_UI, FW_FIG_TOP_SLEEP_FUNCTION_MS) = fw_ms(MS(9));
	*figure(FW_ROLE_UI, FW_FIG_TOP_WAKER_OWN) = fw_int(1);
	*figure(FW_ROLE_UI, FW_FIG_TOP_WAKER_TID) = fw_int(777);
	judged("lock_wait", MS(8), "a futex that the process's own thread ended");
	*figure(FW_ROLE_UI, FW_FIG_TOP_WAKER_TID) = fw_int(100 + FW_ROLE_RENDER);
	judged("not_enough_data", -1, "not a wait for RenderThread, which slept too");
	*figure(FW_ROLE_RENDER, FW_FIG_FENCE_WAIT) = fw_ms(MS(5));
	judged("fence_wait", MS(5), "but what RenderThread waited for");
	*figure(FW_ROLE_RENDER, FW_FIG_FENCE_WAIT) = fw_ms(0);
	*figure(FW_ROLE_UI, FW_FIG_TOP_WAKER_TID) = fw_int(777);
	*figure(FW_ROLE_UI, FW_FIG_TOP_WAKER_OWN) = fw_int(0);
	judged("not_enough_data", -1, "not when another process did");
}

static void display_rules(void)
{
	shown_late(FW_JANK_SF_CPU);
	*figure(FW_ROLE_UI, FW_FIG_BLOCKED_IO) = fw_ms(MS(50));
	*figure(FW_ROLE_SF, FW_FIG_RUNNABLE) = fw_ms(MS(2));
	judged("composition_late", MS(6), "SurfaceFlinger names itself");
	ok(is(FW_C_FRAMES_other_candidates, "sched_delay 2.000 ms"),
	   "the app's waits do not count where it was in time");
	shown_late(1);
	row[FW_C_FRAMES_gpu_composition] = fw_int(1);
	judged("composition_late", MS(6), "client composition");
	shown_late(1);
	row[FW_C_FRAMES_gpu_composition] = fw_int(0);
	*figure(FW_ROLE_SF, FW_FIG_RUNNING) = fw_ms(MS(15));
	judged("composition_late", MS(5), "its thread ran over");
	shown_late(1);
	row[FW_C_FRAMES_gpu_composition] = fw_int(0);
	judged("display_late", MS(6), "all by the device");
	shown_late(FW_JANK_DISPLAY_HAL);
	judged("display_late", MS(6), "SurfaceFlinger names the display");
	shown_late(FW_JANK_BUFFER_STUFFING);
	judged("buffer_stuffing", MS(6), "SurfaceFlinger names stuffing");
	shown_late(1);
	row[FW_C_FRAMES_queue_depth] = fw_int(2);
	judged("buffer_stuffing", MS(6), "queued behind others");
	missed();
	row[FW_C_FRAMES_framestats_dequeue_ms] = fw_ms(MS(5));
	judged("buffer_stuffing", MS(5), "late, after a wait for a buffer");
	ok(evidence("framestats_dequeue_ms=5.000000"), "with how long it was");
	shown_late(FW_JANK_MODE_CHANGE);
	judged("prediction_or_mode", MS(6), "a change of mode");
	missed();
	row[FW_C_FRAMES_prediction_type] = str("Expired Prediction");
	judged("prediction_or_mode", MS(8), "an expired prediction");
}

/* A frame that waited for its turn is shown by a display frame that is in time. */
static void overrun_rules(void)
{
	shown_late(FW_JANK_BUFFER_STUFFING);
	row[FW_C_FRAMES_display_delta_ms] = fw_ms(MS(0.03));
	row[FW_C_FRAMES_present_delay_ms] = fw_real(16.5);
	judged("buffer_stuffing", MS(16.5), "what SurfaceFlinger says of the frame itself");
	row[FW_C_FRAMES_present_delay_ms] = fw_null();
	judged("buffer_stuffing", -1, "where it does not the display frame does not know");
	ok(row[FW_C_FRAMES_overrun_ms].type == FW_NULL, "how late it was");
}

/* One that was queued in time, and dropped a vsync later. */
static void dropped(void)
{
	missed();
	row[FW_C_FRAMES_present_type] = str("Dropped Frame");
	row[FW_C_FRAMES_jank_mask] = fw_int(FW_JANK_DROPPED);
	row[FW_C_FRAMES_deadline_delta_ms] = fw_ms(MS(17));
	row[FW_C_FRAMES_display_delta_ms] = fw_ms(MS(3));
	row[FW_C_FRAMES_gpu_composition] = fw_int(0);
	row[FW_C_FRAMES_queue_ms] = fw_ms(MS(110));
	row[FW_C_FRAMES_acquire_ms] = fw_ms(MS(112));
}

static void drop_rules(void)
{
	dropped();
	*figure(FW_ROLE_UI, FW_FIG_RUNNING) = fw_ms(MS(25));
	*figure(FW_ROLE_SF, FW_FIG_RUNNABLE) = fw_ms(MS(2));
	judged("not_enough_data", -1, "in time and dropped");
	ok(evidence("present_type=Dropped Frame") && row[FW_C_FRAMES_overrun_ms].type == FW_NULL,
	   "says so, and not how late");
	row[FW_C_FRAMES_queue_depth] = fw_int(2);
	judged("buffer_stuffing", -1, "dropped out of a queue");
	dropped();
	row[FW_C_FRAMES_queue_ms] = fw_ms(MS(120));
	row[FW_C_FRAMES_acquire_ms] = fw_null();
	*figure(FW_ROLE_UI, FW_FIG_PREEMPTED) = fw_ms(MS(9));
	judged("sched_delay", MS(4), "queued late and dropped: late by its queueing");
	dropped();
	row[FW_C_FRAMES_acquire_ms] = fw_ms(MS(119));
	judged("gpu_late", MS(3), "its fence was late, and it was dropped");
	dropped();
	row[FW_C_FRAMES_queue_ms] = row[FW_C_FRAMES_acquire_ms] = fw_null();
	judged("not_enough_data", -1, "dropped, and nothing known of its buffer");
	ok(evidence("acquire_ms unknown"), "which is said");
}

static void no_candidate(void)
{
	missed();
	row[FW_C_FRAMES_late] = fw_int(0);
	*figure(FW_ROLE_UI, FW_FIG_RUNNING) = fw_ms(MS(30));
	fw_verdict_cells(row);
	ok(row[FW_C_FRAMES_candidate].type == FW_NULL, "none where SurfaceFlinger says on time");
	row[FW_C_FRAMES_late] = fw_null();
	judged("cpu_late", MS(8), "where it says nothing the deadline counts");
	missed();
	*figure(FW_ROLE_UI, FW_FIG_BLOCKED_IO) = fw_ms(MS(0.79));
	judged("not_enough_data", -1, "less than a tenth of the overrun");
	missed();
	row[FW_C_FRAMES_ROLE_TID(FW_ROLE_UI)] = fw_null();
	judged("not_enough_data", -1, "nothing known");
	ok(evidence("ui_tid unknown"), "and says what is missing");
	missed();
	row[FW_C_FRAMES_deadline_delta_ms] = fw_null();
	row[FW_C_FRAMES_expected_ms] = fw_null();
	*figure(FW_ROLE_UI, FW_FIG_BLOCKED_IO) = fw_ms(MS(5));
	judged("io_block", MS(5), "an overrun that is not known");
	ok(row[FW_C_FRAMES_candidate_share].type == FW_NULL, "has no share");
	missed();
	row[FW_C_FRAMES_deadline_delta_ms] = fw_ms(INT64_MAX);
	*figure(FW_ROLE_UI, FW_FIG_BLOCKED_IO) = fw_ms(INT64_MAX);
	*figure(FW_ROLE_RENDER, FW_FIG_BLOCKED_IO) = fw_ms(INT64_MAX);
	*figure(FW_ROLE_UI, FW_FIG_TOP_FUNCTION) = str("\x1b[31m");
	fw_verdict_cells(row);
	ok(is(FW_C_FRAMES_candidate, "io_block"), "absurd times are no crash");
}

static bool is_column(const char *role, const char *name, int len)
{
	const struct fw_table *t = fw_frame_table(FW_FRAMES);
	char full[64];

	snprintf(full, sizeof(full), "%s%s%.*s", role, *role ? "_" : "", len, name);
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, full))
			return true;
	diag("no column %s", full);
	return false;
}

/* What is no column would be left out of the evidence in silence. */
static void evidence_is_columns(void)
{
	for (int v = 0; v < FW_VERDICTS; v++) {
		const char *word = fw_verdict_rule(v)->evidence;
		bool all = *word, each;

		for (int len; *word; word += len + strspn(word + len, " ")) {
			each = *word == '*';
			len = (int)strcspn(word, " ");
			for (int r = 0; r < (each ? FW_ROLES : 1); r++)
				all &= is_column(each ? fw_role_name(r) : "", word + each,
						 len - each);
		}
		ok(all, "%s: its evidence are columns", fw_verdict_rule(v)->name);
		ok(fw_verdict_find(fw_str(fw_verdict_rule(v)->name)) == v, "and it is found");
	}
	ok(fw_verdict_find(FW_STR("late")) < 0, "what is no rule is not");
}

int main(void)
{
	evidence_is_columns();
	app_rules();
	lock_rule();
	display_rules();
	overrun_rules();
	drop_rules();
	no_candidate();
	return done_testing();
}
