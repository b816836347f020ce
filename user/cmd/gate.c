// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/gate.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "metrics/metrics.h"

static int find_metric(void *ctx, struct fw_str name)
{
	int id = fw_metric_find(name);

	return id >= 0 && fw_metric(id)->state == FW_METRIC_UNSUPPORTED ? FW_EXPR_UNSUPPORTED : id;
}

static double value_of(void *ctx, int id)
{
	return fw_metric_value(id, ctx);
}

int fw_gate_option_names(const char *cmd, const char *text, const struct fw_expr_names *names,
			 struct fw_gate **gate)
{
	struct fw_expr *e;

	if (*gate)
		return fw_usage(cmd, "--fail-if: one condition; join several with or");
	if (fw_expr_parse(text, names, &e)) {
		int status = fw_usage(cmd, "--fail-if: %s", fw_fail_text());

		fw_fail_clear();
		return status;
	}
	*gate = fw_zalloc(sizeof(**gate));
	**gate = (struct fw_gate){ text, e };
	return FW_EXIT_OK;
}

int fw_gate_option(const char *cmd, const char *text, struct fw_gate **gate)
{
	const struct fw_expr_names names = { .find = find_metric };

	return fw_gate_option_names(cmd, text, &names, gate);
}

void fw_gate_free(struct fw_gate *g)
{
	if (!g)
		return;
	fw_expr_free(g->expr);
	free(g);
}

int fw_gate_judge_names(const struct fw_gate *g, const char *what,
			const struct fw_expr_names *names)
{
	enum fw_truth truth = fw_expr_judge(g->expr, names);
	char *values;

	if (truth == FW_FALSE)
		return FW_EXIT_OK;
	values = fw_expr_values(g->expr, names);
	fw_warn("%s: --fail-if '%s' %s%s%s", what, g->text,
		truth == FW_TRUE ? "holds" : "cannot be judged", *values ? ": " : "", values);
	free(values);
	return truth == FW_TRUE ? FW_EXIT_GATE : FW_EXIT_INPUT;
}

int fw_gate_judge(const struct fw_gate *g, const char *what, const struct fw_totals *t)
{
	const struct fw_expr_names names = { .value = value_of, .ctx = (void *)t };

	return fw_gate_judge_names(g, what, &names);
}
