// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a CSV file: a frames.csv, and a column of FTimes with points. */
#include "harness.h"

#include "base/error.h"
#include "metrics/column.h"
#include "metrics/frames_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void finish(struct fw_run *run, int err)
{
	if (!err)
		err = fw_run_finish(run);
	for (int id = 0; !err && id < FW_METRICS; id++)
		fw_metric_value(id, fw_run_totals(run));
	fw_run_free(run);
	fw_fail_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fw_report_opts frames = { .from_ns = INT64_MIN, .to_ns = INT64_MAX };
	const struct fw_column_opts column = { .column = "a_ns", .points = "b", .times = true };
	const char *path = harness_file(data, size);
	struct fw_run_facts facts;
	struct fw_random random;
	struct fw_run_opts opts = {
		.from_ns = INT64_MIN, .to_ns = INT64_MAX, .draws = 3, .random = &random
	};
	struct fw_run *run = fw_run_new(&opts);

	fw_random_seed(&random, 1);
	finish(run, fw_frames_csv(path, &frames, fw_run_frames(run), &facts.cut));
	run = fw_run_new(&opts);
	finish(run, fw_run_read_column(run, path, &column, &facts));
	return 0;
}
