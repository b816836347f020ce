// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tasks - tables of processes and threads
 *
 * systrace puts the output of ps into its page, under "PROCESS DUMP": processes with their parents,
 * then threads. Which columns there are says the line above them.
 */
#include "input/text/text.h"

#define COLUMNS 32

static int split(struct fw_str line, struct fw_str words[COLUMNS])
{
	int n = 0;
	size_t i = 0, start;

	while (n < COLUMNS) {
		while (i < line.len && (line.p[i] == ' ' || line.p[i] == '\t'))
			i++;
		if (i == line.len)
			break;
		for (start = i; i < line.len && line.p[i] != ' ' && line.p[i] != '\t';)
			i++;
		words[n++] = (struct fw_str){ line.p + start, i - start };
	}
	return n;
}

static int column(const struct fw_str *words, int n, struct fw_str name)
{
	for (int i = 0; i < n; i++)
		if (fw_str_eq(words[i], name))
			return i;
	return -1;
}

static void header(struct tx_table *t, const struct fw_str *words, int n)
{
	*t = (struct tx_table){
		.pid = column(words, n, FW_STR("PID")),
		.ppid = column(words, n, FW_STR("PPID")),
		.tid = column(words, n, FW_STR("TID")),
		.name = column(words, n, FW_STR("NAME")),
		.n = n,
	};
	if (t->name < 0)
		t->name = column(words, n, FW_STR("CMD"));
	if (t->pid < 0 || t->name < 0 || (t->ppid < 0 && t->tid < 0))
		t->n = 0;
}

static bool id(const struct fw_str *words, int column, int64_t *out)
{
	uint64_t v;

	*out = -1;
	if (column < 0)
		return true;
	if (!fw_str_uint(words[column], &v) || v > INT32_MAX)
		return false;
	*out = (int64_t)v;
	return true;
}

int tx_table_line(struct tx_table *t, struct fw_str line, struct tx_task *out)
{
	struct fw_str words[COLUMNS];
	int n;

	n = split(line, words);
	if (n > 2 && (fw_str_eq(words[0], FW_STR("USER")) || fw_str_eq(words[0], FW_STR("UID"))) &&
	    column(words, n, FW_STR("PID")) > 0) {
		header(t, words, n);
		return 0;
	}
	if (!n || !t->n || n < t->n)
		return 0;
	if (!id(words, t->pid, &out->pid) || !id(words, t->ppid, &out->ppid) ||
	    !id(words, t->tid, &out->tid))
		return -1;
	out->name = words[t->name];
	/* The last column is a text with blanks. */
	if (t->name == t->n - 1)
		out->name.len = line.len - (size_t)(out->name.p - line.p);
	return 1;
}
