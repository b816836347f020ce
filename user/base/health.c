// SPDX-License-Identifier: GPL-2.0-or-later
/* health - what was lost, refused or not understood */
#include "base/health.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct value {
	int idx;
	int64_t v;
};

struct counter {
	struct value *values; /* by idx, ascending */
	size_t n, cap;
};

struct fw_health {
	struct counter counters[FW_H_COUNT];
	uint16_t by_name[FW_H_COUNT];
};

static const struct {
	const char *name, *what;
	enum fw_severity severity;
} info[] = {
#define X(name, sev, what) { #name, what, FW_##sev },
	FW_HEALTH_LIST(X)
#undef X
};

static int cmp_name(const void *a, const void *b)
{
	return strcmp(info[*(const uint16_t *)a].name, info[*(const uint16_t *)b].name);
}

struct fw_health *fw_health_new(void)
{
	struct fw_health *h = fw_zalloc(sizeof(*h));
	int i;

	for (i = 0; i < FW_H_COUNT; i++)
		h->by_name[i] = i;
	qsort(h->by_name, FW_H_COUNT, sizeof(h->by_name[0]), cmp_name);
	return h;
}

void fw_health_free(struct fw_health *h)
{
	int i;

	if (!h)
		return;
	for (i = 0; i < FW_H_COUNT; i++)
		free(h->counters[i].values);
	free(h);
}

static int64_t *slot(struct fw_health *h, enum fw_health_id id, int idx)
{
	struct counter *c = &h->counters[id];
	size_t i = c->n, j;

	while (i > 0 && c->values[i - 1].idx > idx)
		i--;
	if (i > 0 && c->values[i - 1].idx == idx)
		return &c->values[i - 1].v;
	fw_grow(c->values, c->n, c->cap);
	for (j = c->n++; j > i; j--)
		c->values[j] = c->values[j - 1];
	c->values[i] = (struct value){ .idx = idx };
	return &c->values[i].v;
}

void fw_health_add(struct fw_health *h, enum fw_health_id id, int idx, int64_t n)
{
	int64_t *v = slot(h, id, idx);

	if (__builtin_add_overflow(*v, n, v))
		*v = n > 0 ? INT64_MAX : INT64_MIN;
}

void fw_health_set(struct fw_health *h, enum fw_health_id id, int idx, int64_t value)
{
	*slot(h, id, idx) = value;
}

int64_t fw_health_sum(const struct fw_health *h, enum fw_health_id id)
{
	const struct counter *c = &h->counters[id];
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		sum += (uint64_t)c->values[i].v;
	return (int64_t)sum;
}

bool fw_health_lost(const struct fw_health *h)
{
	int i;

	for (i = 0; i < FW_H_COUNT; i++) {
		if (info[i].severity == FW_LOSS && fw_health_sum(h, i))
			return true;
	}
	return false;
}

const char *fw_health_name(enum fw_health_id id)
{
	return info[id].name;
}

const char *fw_health_what(enum fw_health_id id)
{
	return info[id].what;
}

enum fw_severity fw_health_severity(enum fw_health_id id)
{
	return info[id].severity;
}

bool fw_health_next(const struct fw_health *h, size_t *pos, enum fw_health_id *id, int *idx,
		    int64_t *value)
{
	size_t skip = *pos, seen = 0, i;
	int k;

	for (k = 0; k < FW_H_COUNT; k++) {
		const struct counter *c = &h->counters[h->by_name[k]];

		for (i = 0; i < c->n; i++) {
			if (!c->values[i].v || seen++ < skip)
				continue;
			*id = h->by_name[k];
			*idx = c->values[i].idx;
			*value = c->values[i].v;
			(*pos)++;
			return true;
		}
	}
	return false;
}
