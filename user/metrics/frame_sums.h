/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_FRAME_SUMS_H
#define FW_METRICS_FRAME_SUMS_H

#include "base/row.h"
#include "metrics/order.h"

/**
 * struct fw_frame_sums - sums over rows of the frames table
 */
struct fw_frame_sums {
	struct fw_blocks frames;
	struct fw_order *actual;
};

void fw_frame_sums_init(struct fw_frame_sums *f, int max_blocks);
void fw_frame_sums_free(struct fw_frame_sums *f);
/* @c: FW_C_FRAMES_COUNT cells. Return: 0, or as fw_sort_add(). */
int fw_frame_sums_add(struct fw_frame_sums *f, const struct fw_cell *c);

/* A row into FW_SUMS sums of one's own. */
void fw_frame_sums_row(double *sums, const struct fw_cell *c);
/* Its actual_ms in ms, or NAN. */
double fw_frame_actual(const struct fw_cell *c);

#endif
