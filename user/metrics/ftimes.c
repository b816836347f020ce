// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/ftimes.h"

#include <math.h>

#include "base/mem.h"

#define FILM_FRAME_MS (1000.0 / 24)
#define LONG_MS 100
#define STEP_MS 100
#define DROP_FPS 8

void fw_ftimes_init(struct fw_ftimes *f, int max_blocks)
{
	*f = (struct fw_ftimes){ .last_point = NAN };
	fw_blocks_init(&f->intervals, max_blocks);
	fw_blocks_init(&f->seconds, max_blocks);
	f->order = fw_order_new();
}

void fw_ftimes_free(struct fw_ftimes *f)
{
	fw_blocks_free(&f->intervals);
	fw_blocks_free(&f->seconds);
	fw_order_free(f->order);
	f->order = NULL;
}

/* @n equal points; more than one only where nothing was presented for long. */
static void add_points(struct fw_ftimes *f, double fps, double n)
{
	double *s = fw_blocks_item(&f->seconds);

	s[FW_SUM_POINTS] += n;
	s[FW_SUM_POINT] += n * fps;
	s[FW_SUM_POINT_SQ] += n * fps * fps;
	s[FW_SUM_POINTS_GE_18] += fps >= 18 ? n : 0;
	s[FW_SUM_POINTS_GE_25] += fps >= 25 ? n : 0;
	s[FW_SUM_DROPS] += f->last_point - fps > DROP_FPS;
	f->last_point = fps;
}

static void add_to_second(struct fw_ftimes *f)
{
	double second = ceil(f->time_ms / 1000) - 1;

	if (second > f->second) {
		add_points(f, f->in_second, 1);
		if (second > f->second + 1)
			add_points(f, 0, second - f->second - 1);
		f->second = second;
		f->in_second = 0;
	}
	f->in_second++;
}

static void add_janks(double *s, const double before[3], double ms)
{
	double mean = (before[0] + before[1] + before[2]) / 3;
	bool slow = ms > 2 * mean;

	s[FW_SUM_JUDGED]++;
	s[FW_SUM_SMALL_JANKS] += slow && ms > FILM_FRAME_MS;
	s[FW_SUM_BIG_JANKS] += slow && ms > 3 * FILM_FRAME_MS;
	if (!slow || !(ms > 2 * FILM_FRAME_MS))
		return;
	s[FW_SUM_JANKS]++;
	s[FW_SUM_JANK_TIME] += ms;
	s[FW_SUM_JANK_EXCESS] += ms - mean;
}

int fw_ftimes_add(struct fw_ftimes *f, double ms)
{
	double *s = fw_blocks_item(&f->intervals), fps = 1000 / ms;

	s[FW_SUM_INTERVALS]++;
	s[FW_SUM_TIME] += ms;
	s[FW_SUM_FTIME] += ms;
	s[FW_SUM_FTIME_SQ] += ms * ms;
	s[FW_SUM_FPS] += fps;
	s[FW_SUM_FPS_SQ] += fps * fps;
	s[FW_SUM_GE_18] += fps >= 18;
	s[FW_SUM_GE_25] += fps >= 25;
	s[FW_SUM_GE_100MS] += ms >= LONG_MS;
	s[FW_SUM_STEPS] += f->n_before && ms - f->before[2] > STEP_MS;
	if (f->n_before == 3)
		add_janks(s, f->before, ms);
	f->before[0] = f->before[1];
	f->before[1] = f->before[2];
	f->before[2] = ms;
	f->n_before = FW_MIN(f->n_before + 1, 3);
	f->time_ms += ms;
	if (!f->given_points)
		add_to_second(f);
	return fw_order_add(f->order, ms, f->intervals.items - 1);
}

void fw_ftimes_point(struct fw_ftimes *f, double fps)
{
	f->given_points = true;
	add_points(f, fps, 1);
}

void fw_ftimes_finish(struct fw_ftimes *f, double whole_ms)
{
	if (!f->given_points && f->in_second > 0 && f->time_ms >= (f->second + 1) * 1000)
		add_points(f, f->in_second, 1);
	/* What the sum lacks, to all blocks alike. */
	for (int i = 0; whole_ms > 0 && i < fw_blocks_count(&f->intervals); i++)
		f->intervals.sums[i][FW_SUM_TIME] *= whole_ms / f->time_ms;
}
