/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_LOOKUP_H
#define FW_BASE_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct fw_lookup - records of one size, found by a number, in any quantity
 *
 * They are sorted once into a temporary file and looked up there through a small cache, so that
 * memory does not grow with them. A record begins with its key, an int64_t; records of one key keep
 * the order in which they were added.
 */
struct fw_lookup;

/* @size: of a record, at least 8 */
struct fw_lookup *fw_lookup_new(size_t size);
void fw_lookup_free(struct fw_lookup *l);

/* Return: 0, or a negative errno with fw_fail() set. Not after fw_lookup_ready(). */
int fw_lookup_add(struct fw_lookup *l, const void *rec);
/* All are added: sort. */
int fw_lookup_ready(struct fw_lookup *l);
uint64_t fw_lookup_count(const struct fw_lookup *l);

/**
 * fw_lookup_from() - where the records begin whose key is not below @key
 * @index: set to the first of them, the number of records where there is none
 */
int fw_lookup_from(struct fw_lookup *l, int64_t key, uint64_t *index);

/**
 * fw_lookup_at() - a record by its place in the order
 * @rec: valid until the next call of fw_lookup_at() or fw_lookup_from()
 * Return: 1, 0 behind the last, or a negative errno with fw_fail() set.
 */
int fw_lookup_at(struct fw_lookup *l, uint64_t index, const void **rec);

#endif
