/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_EXPR_H
#define FW_METRICS_EXPR_H

#include "base/str.h"

/*
 * The condition of --fail-if: names, numbers, + - * /, comparisons (< <= > >= == !=), and, or, not,
 * brackets. A comparison gives a truth, and only and, or and not take truths; the whole is one.
 *
 * What is not known stays so: a comparison with it is unknown, and so is a division by zero. "false
 * and unknown" is false, "true or unknown" is true.
 */
struct fw_expr;

enum fw_truth { FW_FALSE, FW_TRUE, FW_UNKNOWN };

#define FW_EXPR_NODES_MAX 1000
#define FW_EXPR_DEPTH_MAX 100

/* Of a name that is known, but has no value ever. */
#define FW_EXPR_UNSUPPORTED -2

/**
 * struct fw_expr_names - what the names mean
 * @find: number of a name; -1: there is none of it, or FW_EXPR_UNSUPPORTED
 * @value: by number; NAN: not known
 */
struct fw_expr_names {
	int (*find)(void *ctx, struct fw_str name);
	double (*value)(void *ctx, int number);
	void *ctx;
};

/**
 * fw_expr_parse() - read a condition
 * @names: only its find() is called
 * Return: 0 and *@out, or -EINVAL with fw_fail() set (what was expected, and where).
 */
int fw_expr_parse(const char *text, const struct fw_expr_names *names, struct fw_expr **out);
void fw_expr_free(struct fw_expr *e);

enum fw_truth fw_expr_judge(const struct fw_expr *e, const struct fw_expr_names *names);

/* "fps_mean = 59.9, jank_rate = unknown": every name of it, with its value; free() it. */
char *fw_expr_values(const struct fw_expr *e, const struct fw_expr_names *names);

#endif
