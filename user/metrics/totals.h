/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_TOTALS_H
#define FW_METRICS_TOTALS_H

#include "frame/columns.h"
#include "frame/roles.h"
#include "frame/verdict.h"

/*
 * What metrics are made of: sums over intervals, seconds and frames, and values by rank. Sums of
 * parts add up, so the same formulas serve a whole run and one drawn from its parts.
 */
#define FW_STATES_IN_WINDOW (FW_FIG_UNOBSERVED + 1)

enum fw_sum {
	/* intervals; times in ms */
	FW_SUM_INTERVALS,
	FW_SUM_TIME, /* the whole time */
	FW_SUM_FTIME,
	FW_SUM_FTIME_SQ,
	FW_SUM_FPS,
	FW_SUM_FPS_SQ,
	FW_SUM_GE_18,
	FW_SUM_GE_25,
	FW_SUM_GE_100MS,
	FW_SUM_STEPS,
	FW_SUM_JUDGED, /* intervals with three before */
	FW_SUM_SMALL_JANKS,
	FW_SUM_JANKS,
	FW_SUM_BIG_JANKS,
	FW_SUM_JANK_TIME,
	FW_SUM_JANK_EXCESS,

	/* seconds */
	FW_SUM_POINTS,
	FW_SUM_POINT,
	FW_SUM_POINT_SQ,
	FW_SUM_POINTS_GE_18,
	FW_SUM_POINTS_GE_25,
	FW_SUM_DROPS,

	/* frames */
	FW_SUM_FRAMES, /* NAN: the input has none, only times at which some were presented */
	FW_SUM_TAGGED,
	FW_SUM_SELF,
	FW_SUM_OTHER,
	FW_SUM_DROPPED_TAG,
	FW_SUM_STUFFING,
	FW_SUM_SF_STUFFING,
	FW_SUM_NON_PERCEIVABLE,
	FW_SUM_SEVERITY,
	FW_SUM_FULL,
	FW_SUM_PARTIAL,
	FW_SUM_JUDGED_LATE,
	FW_SUM_LATE,
	FW_SUM_PRESENT_TYPE,
	FW_SUM_DROPPED,
	FW_SUM_ACTUALS,
	FW_SUM_ACTUAL,
	FW_SUM_STATES,
	FW_SUM_VERDICTS = FW_SUM_STATES + FW_ROLES * FW_STATES_IN_WINDOW,
	FW_SUMS = FW_SUM_VERDICTS + FW_VERDICTS
};

/* Values by rank from the largest down, in the order in which they are met. */
enum fw_rank {
	FW_RANK_MAX,
	FW_RANK_LOW_01, /* mean of the ceil(N x 0.1 %) largest */
	FW_RANK_LOW_1,
	FW_RANK_P99,
	FW_RANK_P95,
	FW_RANK_P90,
	FW_RANK_P50,
	FW_RANK_P10,
	FW_RANKS
};

/**
 * struct fw_totals - all of one run, or of one series of it
 * @ftime: FTimes in ms by rank; NAN: there are none
 * @actual: actual_ms of the frames by rank
 * @in_med_range: intervals within 20 % of the median FPS; NAN as @ftime
 * @screen_p10: 10th percentile of the screen's FTimes, ms; NAN: not known
 */
struct fw_totals {
	double sum[FW_SUMS];
	double ftime[FW_RANKS];
	double actual[FW_RANKS];
	double in_med_range;
	double screen_p10;
};

#endif
