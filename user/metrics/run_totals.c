// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/run_totals.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define MED_RANGE 0.2

void fw_totals_clear(struct fw_totals *t)
{
	*t = (struct fw_totals){ .in_med_range = NAN, .screen_p10 = NAN };
	for (int i = 0; i < FW_RANKS; i++)
		t->ftime[i] = t->actual[i] = NAN;
}

struct fw_totals *fw_totals_new(int n)
{
	struct fw_totals *t = fw_calloc((size_t)n, sizeof(*t));

	for (int d = 0; d < n; d++)
		fw_totals_clear(&t[d]);
	return t;
}

/* One sum at a time over all draws, side by side: a draw's totals are far from the next one's. */
static void add_blocks(struct fw_totals *t, const struct fw_blocks *b, const struct fw_resample *rs)
{
	double *total = fw_calloc((size_t)rs->draws, sizeof(*total));

	for (int s = 0; s < FW_SUMS; s++) {
		for (int d = 0; d < rs->draws; d++)
			total[d] = t[d].sum[s];
		for (int i = 0; i < rs->blocks; i++) {
			const uint16_t *weight = fw_resample_of(rs, i);
			double sum = b->sums[i][s];

			for (int d = 0; sum != 0 && d < rs->draws; d++)
				total[d] += weight[d] * sum;
		}
		for (int d = 0; d < rs->draws; d++)
			t[d].sum[s] = total[d];
	}
	free(total);
}

/* The FPS within 20 % of the median one, as bounds of FTimes. */
static int med_range(struct fw_totals *t, struct fw_ftimes *f, const struct fw_resample *rs)
{
	double(*bounds)[2] = fw_calloc((size_t)rs->draws, sizeof(*bounds));
	int err;

	for (int d = 0; d < rs->draws; d++) {
		bounds[d][0] = t[d].ftime[FW_RANK_P50] / (1 + MED_RANGE);
		bounds[d][1] = t[d].ftime[FW_RANK_P50] / (1 - MED_RANGE);
	}
	err = fw_order_within(f->order, &f->intervals, rs, bounds, &t->in_med_range, sizeof(*t));
	free(bounds);
	return err;
}

int fw_totals_ftimes(struct fw_totals *t, int draws, struct fw_random *r, struct fw_ftimes *f)
{
	struct fw_resample rs;
	int err;

	fw_resample_init(&rs, &f->seconds, draws, r);
	add_blocks(t, &f->seconds, &rs);
	fw_resample_free(&rs);
	fw_resample_init(&rs, &f->intervals, draws, r);
	add_blocks(t, &f->intervals, &rs);
	err = fw_order_ranks(f->order, &f->intervals, &rs, t->ftime, sizeof(*t));
	if (!err)
		err = med_range(t, f, &rs);
	fw_resample_free(&rs);
	return err;
}

int fw_totals_frames(struct fw_totals *t, int draws, struct fw_random *r, struct fw_frame_sums *f)
{
	struct fw_resample rs;
	int err;

	fw_resample_init(&rs, &f->frames, draws, r);
	add_blocks(t, &f->frames, &rs);
	err = fw_order_ranks(f->actual, &f->frames, &rs, t->actual, sizeof(*t));
	fw_resample_free(&rs);
	return err;
}
