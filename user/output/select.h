/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_SELECT_H
#define FW_OUTPUT_SELECT_H

#include "base/row.h"

/*
 * Columns by a list of words: a preset (short, full, sheet) first, then +WORD and -WORD, where WORD
 * is a group, a column or a glob. A list that begins with + begins from short, one that begins with
 * - from full. The columns stay in the table's order.
 */
struct fw_select;

/**
 * fw_select_new() - a sink that hands on the wanted columns of @t
 * @to: stays the caller's
 * Return: 0 and *@out, or -EINVAL with fw_fail() set: a word that names nothing, or nothing left.
 */
int fw_select_new(const char *list, const struct fw_table *t, struct fw_sink *to,
		  struct fw_select **out);
struct fw_sink *fw_select_sink(struct fw_select *s);
void fw_select_free(struct fw_select *s);

/* Does the list begin from the preset for spreadsheets? */
bool fw_select_is_sheet(const char *list);

#endif
