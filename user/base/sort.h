/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_SORT_H
#define FW_BASE_SORT_H

#include <stddef.h>

/**
 * struct fw_sort - stable sort of any number of records in bounded memory
 *
 * Records that do not fit in the budget go to an unlinked file in $TMPDIR (else /tmp) as sorted
 * runs and are merged when read back. Nothing is written for inputs that fit.
 */
struct fw_sort;

/* Order of two records; equal ones keep the order in which they were added. */
typedef int (*fw_sort_cmp)(const void *a, const void *b, const void *ctx);

/**
 * fw_sort_new() - an empty sorter
 * @budget: bytes of records kept in memory, e.g. 4 << 20
 * @cmp: order; called with the records' bytes (8-byte aligned)
 */
struct fw_sort *fw_sort_new(size_t budget, fw_sort_cmp cmp, const void *ctx);
void fw_sort_free(struct fw_sort *s);

/**
 * fw_sort_add() - copy one record in; only before the first fw_sort_next()
 * Return: 0, or a negative errno with fw_fail() set (the temporary file cannot be written).
 */
int fw_sort_add(struct fw_sort *s, const void *rec, size_t len);

/**
 * fw_sort_next() - the next record in order
 * @rec: set to the record, 8-byte aligned, valid until the next call
 * Return: 1 for a record, 0 at the end, negative errno on a read failure.
 */
int fw_sort_next(struct fw_sort *s, const void **rec, size_t *len);

/* Read from the first record again; nothing more can be added. */
void fw_sort_rewind(struct fw_sort *s);

/* Number of records added so far. */
size_t fw_sort_count(const struct fw_sort *s);

#endif
