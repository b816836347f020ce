/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SIDE_PLANS_H
#define FW_INPUT_SIDE_PLANS_H

#include <stdint.h>

#include "base/health.h"
#include "input/source.h"

/*
 * Frame plans: what an app wrote down of Choreographer.FrameData (API 33), a CSV with a row a
 * timeline. Columns by name: vsyncId, and any of frameTimeNanos, deadlineNanos and
 * expectedPresentNanos; others are passed over. Times are System.nanoTime()'s: CLOCK_MONOTONIC.
 * Fields end at a comma, or at the semicolon or tab that the header has instead.
 */
#define FW_PLAN_UNKNOWN INT64_MIN

/**
 * struct fw_plan - what an app planned for a frame
 * @frame_time, @deadline, @present: ns; FW_PLAN_UNKNOWN: the field is empty or below 1
 */
struct fw_plan {
	int64_t vsync_id, frame_time, deadline, present;
};

struct fw_plans;

/**
 * fw_plans_open() - read the header
 * @src: taken over, also where it fails
 * Return: 0, or a negative errno with fw_fail() set: there is no column vsyncId.
 */
int fw_plans_open(struct fw_source *src, struct fw_health *health, struct fw_plans **out);
void fw_plans_close(struct fw_plans *p);
/* Return: 1 and *@plan, 0 at the end, or a negative errno with fw_fail() set. */
int fw_plans_next(struct fw_plans *p, struct fw_plan *plan);

#endif
