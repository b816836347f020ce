/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_PLANS_H
#define FW_FRAME_PLANS_H

#include "frame/side.h"

/* What an app itself planned for its frames (Choreographer.FrameData), by vsync id. */
struct fw_plans_join;

/* Return: 0 and *@out, or a negative errno with fw_fail() set. */
int fw_plans_join_load(const char *path, struct fw_input *in, struct fw_health *health,
		       struct fw_plans_join **out);
void fw_plans_join_free(struct fw_plans_join *j);

/**
 * struct fw_plan_match - the plan of a frame
 * @n: how many different plans its vsync id has; the rest is set when that is 1
 * @frame_time, @deadline, @present: on the recording's axis; FW_SIDE_UNKNOWN
 */
struct fw_plan_match {
	uint32_t n;
	int64_t frame_time, deadline, present;
};

int fw_plans_join_find(struct fw_plans_join *j, int64_t vsync_id, struct fw_plan_match *m);

#endif
