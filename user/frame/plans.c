// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/plans.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "input/side/plans.h"

_Static_assert(FW_PLAN_UNKNOWN == FW_SIDE_UNKNOWN, "what is unknown there is unknown here");

/* More plans of one id are counted, but not looked at; an app writes one. */
#define LOOK_AT 16

struct plan {
	int64_t vsync_id; /* the key */
	int64_t frame_time, deadline, present;
};

struct fw_plans_join {
	struct fw_lookup *by_id;
};

static int add(struct fw_plans_join *j, const struct fw_plan *p, struct fw_input *in,
	       struct fw_health *health)
{
	struct plan plan = { .vsync_id = p->vsync_id,
			     .frame_time = fw_side_place(in, health, p->frame_time),
			     .deadline = fw_side_place(in, health, p->deadline),
			     .present = fw_side_place(in, health, p->present) };

	return fw_lookup_add(j->by_id, &plan);
}

int fw_plans_join_load(const char *path, struct fw_input *in, struct fw_health *health,
		       struct fw_plans_join **out)
{
	struct fw_plans_join *j = fw_zalloc(sizeof(*j));
	struct fw_plans *plans;
	struct fw_source *src;
	struct fw_plan plan;
	int ret = fw_source_open(path, &src);

	j->by_id = fw_lookup_new(sizeof(struct plan));
	*out = j;
	if (!ret)
		ret = fw_plans_open(src, health, &plans);
	if (ret)
		return ret;
	while ((ret = fw_plans_next(plans, &plan)) > 0 && !(ret = add(j, &plan, in, health)))
		;
	fw_plans_close(plans);
	return ret ? ret : fw_lookup_ready(j->by_id);
}

void fw_plans_join_free(struct fw_plans_join *j)
{
	if (!j)
		return;
	fw_lookup_free(j->by_id);
	free(j);
}

int fw_plans_join_find(struct fw_plans_join *j, int64_t vsync_id, struct fw_plan_match *m)
{
	struct plan seen[LOOK_AT];
	const void *rec;
	uint64_t at;
	int ret = fw_lookup_from(j->by_id, vsync_id, &at);

	*m = (struct fw_plan_match){ .n = 0 };
	while (!ret && (ret = fw_lookup_at(j->by_id, at++, &rec)) > 0) {
		const struct plan *p = rec;
		uint32_t i = 0;

		ret = 0;
		if (p->vsync_id != vsync_id)
			break;
		while (i < m->n && i < LOOK_AT && memcmp(&seen[i], p, sizeof(*p)))
			i++;
		if (i < LOOK_AT)
			seen[i] = *p;
		m->n += i == m->n || i == LOOK_AT;
	}
	if (m->n == 1) {
		m->frame_time = seen[0].frame_time;
		m->deadline = seen[0].deadline;
		m->present = seen[0].present;
	}
	return ret;
}
