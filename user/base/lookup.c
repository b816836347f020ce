// SPDX-License-Identifier: GPL-2.0-or-later
/* lookup - records found by a number */
#include "base/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/spool.h"

#define SORT_BUDGET (1u << 20)
#define CACHED 512u

struct fw_lookup {
	size_t size;
	struct fw_sort *sort;
	struct fw_spool *spool; /* sorted; NULL: none yet, or no record */
	uint64_t n;
	char *cache;
	uint64_t first, cached; /* records in the cache */
};

static int64_t key_of(const void *rec)
{
	int64_t key;

	memcpy(&key, rec, sizeof(key));
	return key;
}

static int cmp_keys(const void *a, const void *b, const void *ctx)
{
	int64_t ka = key_of(a), kb = key_of(b);

	return (ka > kb) - (ka < kb);
}

struct fw_lookup *fw_lookup_new(size_t size)
{
	struct fw_lookup *l = fw_zalloc(sizeof(*l));

	l->size = size;
	l->sort = fw_sort_new(SORT_BUDGET, cmp_keys, NULL);
	return l;
}

void fw_lookup_free(struct fw_lookup *l)
{
	if (!l)
		return;
	fw_sort_free(l->sort);
	fw_spool_free(l->spool);
	free(l->cache);
	free(l);
}

int fw_lookup_add(struct fw_lookup *l, const void *rec)
{
	return fw_sort_add(l->sort, rec, l->size);
}

int fw_lookup_ready(struct fw_lookup *l)
{
	const void *rec;
	size_t len;
	int more = 0, err;

	if (!fw_sort_count(l->sort))
		return 0;
	err = fw_spool_new(&l->spool);
	while (!err && (more = fw_sort_next(l->sort, &rec, &len)) > 0) {
		err = fw_spool_append(l->spool, rec, l->size);
		l->n++;
	}
	fw_sort_free(l->sort);
	l->sort = NULL;
	l->cache = fw_calloc(CACHED, l->size);
	return err ? err : more;
}

uint64_t fw_lookup_count(const struct fw_lookup *l)
{
	return l->n;
}

static int load(struct fw_lookup *l, uint64_t index)
{
	uint64_t first = index - index % CACHED, n = FW_MIN(l->n - first, (uint64_t)CACHED);
	int err;

	if (l->cached && l->first == first)
		return 0;
	l->cached = 0;
	err = fw_spool_read(l->spool, first * l->size, l->cache, (size_t)n * l->size);
	if (err)
		return err;
	l->first = first;
	l->cached = n;
	return 0;
}

int fw_lookup_at(struct fw_lookup *l, uint64_t index, const void **rec)
{
	int err;

	if (index >= l->n)
		return 0;
	err = load(l, index);
	if (err)
		return err;
	*rec = l->cache + (index - l->first) * l->size;
	return 1;
}

/* Frames come nearly in order: most keys lie in the records that are at hand. */
static void narrow(const struct fw_lookup *l, int64_t key, uint64_t *low, uint64_t *high)
{
	if (!l->cached)
		return;
	if (key_of(l->cache) < key)
		*low = l->first + 1;
	else
		*high = l->first;
	if (key_of(l->cache + (l->cached - 1) * l->size) >= key)
		*high = FW_MIN(*high, l->first + l->cached - 1);
	else
		*low = FW_MAX(*low, l->first + l->cached);
}

int fw_lookup_from(struct fw_lookup *l, int64_t key, uint64_t *index)
{
	uint64_t low = 0, high = l->n;
	int err;

	narrow(l, key, &low, &high);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		err = load(l, middle);
		if (err)
			return err;
		if (key_of(l->cache + (middle - l->first) * l->size) < key)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low;
	return 0;
}
