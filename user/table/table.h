/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_TABLE_H
#define FW_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/health.h"
#include "base/row.h"
#include "input/input.h"

/*
 * The canned tables: each is the answer to one question on a whole recording, and equal to
 * trace_processor's answer to the same question when asked for.
 */
struct fw_table_def;

/* By name; NULL when there is none. */
const struct fw_table_def *fw_table_find(const char *name);
/* The columns of the tables, one after the other from 0; NULL behind the last. */
const struct fw_table *fw_table_at(size_t i);

/**
 * fw_table_run() - read a recording and write one table
 * @in: opened, not started
 * @tp_compat: rows exactly as trace_processor v57.2 gives them; else open intervals have no
 *	duration and states are framewait's
 * @sink: begun and ended here
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_table_run(const struct fw_table_def *t, struct fw_input *in, struct fw_health *health,
		 bool tp_compat, struct fw_sink *sink);

#endif
