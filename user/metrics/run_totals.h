/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_RUN_TOTALS_H
#define FW_METRICS_RUN_TOTALS_H

#include "metrics/frame_sums.h"
#include "metrics/ftimes.h"

/*
 * Totals from sums by block and values by rank: of the run itself, and of draws of as many blocks
 * with replacement. Intervals, seconds and frames are drawn each for itself.
 */

/* @n totals of nothing; free() them. */
struct fw_totals *fw_totals_new(int n);
void fw_totals_clear(struct fw_totals *t);
/* Fill in what FTimes give, of @draws totals. Return: 0, or a negative errno of reading back. */
int fw_totals_ftimes(struct fw_totals *t, int draws, struct fw_random *r, struct fw_ftimes *f);
/* The same for what frames give. */
int fw_totals_frames(struct fw_totals *t, int draws, struct fw_random *r, struct fw_frame_sums *f);

#endif
