// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a condition of --fail-if, judged with values of all kinds. */
#include "metrics/expr.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int find(void *ctx, struct fw_str name)
{
	return name.len < 4 ? (int)name.len : -1;
}

static double value(void *ctx, int number)
{
	static const double values[] = { 0, 1, -1e300, NAN };

	return values[number];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fw_expr_names names = { .find = find, .value = value };
	char *text = malloc(size + 1);
	struct fw_expr *e;

	memcpy(text, data, size);
	text[size] = 0;
	if (!fw_expr_parse(text, &names, &e)) {
		free(fw_expr_values(e, &names));
		fw_expr_judge(e, &names);
		fw_expr_free(e);
	}
	fw_fail_clear();
	free(text);
	return 0;
}
