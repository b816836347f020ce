// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static const char *origin = "";

void fw_usage_origin(const char *text)
{
	origin = text;
}

bool fw_configured(void)
{
	return *origin;
}

int fw_usage_failed(int err)
{
	fw_warn("%s%s", origin, *fw_fail_text() ? fw_fail_text() : strerror(err < 0 ? -err : err));
	fw_fail_clear();
	return FW_EXIT_USAGE;
}

int fw_usage(const char *cmd, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fw_warn("%s%s; see framewait %s%s--help", origin, text, cmd ? cmd : "", cmd ? " " : "");
	return FW_EXIT_USAGE;
}

int fw_usage_getopt(const char *cmd, int ret, char **argv)
{
	const char *word = argv[optind - 1];

	if (ret == ':')
		return fw_usage(cmd, "%s needs an argument", word);
	/* A bad short option may stand in the middle of a word of several. */
	if (optopt && strncmp(word, "--", 2))
		return fw_usage(cmd, "-%c is no option", optopt);
	return fw_usage(cmd, "%s is no option, or ambiguous, or takes no argument", word);
}

int fw_worse(int a, int b)
{
	static const int order[] = { FW_EXIT_INPUT, FW_EXIT_GATE, FW_EXIT_LOSS };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return a ? a : b;
}

int fw_failed(int err)
{
	const char *text = fw_fail_text();

	if (*text)
		fw_warn("%s", text);
	else
		fw_warn("%s", strerror(err < 0 ? -err : err));
	fw_fail_clear();
	return FW_EXIT_INPUT;
}
