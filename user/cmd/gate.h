/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_GATE_H
#define FW_CMD_GATE_H

#include "metrics/expr.h"
#include "metrics/totals.h"

/**
 * struct fw_gate - a condition of --fail-if
 */
struct fw_gate {
	const char *text;
	struct fw_expr *expr;
};

/* --fail-if over metrics. Return: FW_EXIT_OK and *@gate, or FW_EXIT_USAGE with the reason printed. */
int fw_gate_option(const char *cmd, const char *text, struct fw_gate **gate);
/* The same with names of one's own. */
int fw_gate_option_names(const char *cmd, const char *text, const struct fw_expr_names *names,
			 struct fw_gate **gate);
void fw_gate_free(struct fw_gate *g);

/**
 * fw_gate_judge() - does the condition hold? Prints its values when it does or is unknown
 * @what: whose values they are, for the message
 * Return: FW_EXIT_GATE when it holds, FW_EXIT_OK when not, FW_EXIT_INPUT when a value that it needs
 * is not known.
 */
int fw_gate_judge(const struct fw_gate *g, const char *what, const struct fw_totals *t);
int fw_gate_judge_names(const struct fw_gate *g, const char *what,
			const struct fw_expr_names *names);

#endif
