// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as an app's frame plans: each has its vsync id. */
#include <stdlib.h>

#include "harness.h"

#include "base/error.h"
#include "input/side/plans.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fw_health *health = fw_health_new();
	struct fw_plans *plans;
	struct fw_source *src;
	struct fw_plan plan;

	if (!fw_source_open(harness_file(data, size), &src) &&
	    !fw_plans_open(src, health, &plans)) {
		while (fw_plans_next(plans, &plan) > 0)
			if (plan.vsync_id < 0)
				abort();
		fw_plans_close(plans);
	}
	fw_fail_clear();
	fw_health_free(health);
	return 0;
}
