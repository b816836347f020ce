/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_PARTITION_H
#define FW_CMD_PARTITION_H

#include "base/health.h"
#include "base/row.h"
#include "input/input.h"
#include "output/whole.h"

/* The folders of report --partition, as Hive names them, and what stands in each of a run. */

/* Return: 0, or -EINVAL with fw_fail() set: a key that a recording does not say. */
int fw_partition_check(const char *keys);

/**
 * fw_partition_dir() - make ROOT/KEY=VALUE/.../run=NAME
 * @w: has the directories that are new
 * @keys: names with commas between
 * @in: read to its end
 *
 * A byte that could end or leave the folder is written as %XX; what is not known is
 * __HIVE_DEFAULT_PARTITION__.
 *
 * Return: 0 and *@out, to be freed, or a negative errno with fw_fail() set.
 */
int fw_partition_dir(struct fw_whole *w, const char *root, const char *keys, const char *run,
		     struct fw_input *in, char **out);

/* The table "runs" of one run, to @sink. */
extern const struct fw_table fw_run_table;
int fw_partition_run(const char *run, struct fw_input *in, const struct fw_health *health,
		     struct fw_sink *sink);

#endif
