// SPDX-License-Identifier: GPL-2.0-or-later
/* map - hash map from u64 to u64 */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SLOT_FREE, SLOT_USED, SLOT_DELETED };

struct fw_map_slot {
	uint64_t key, val;
	uint8_t state;
};

void fw_map_free(struct fw_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

/* The slot that holds @key, else the first one where it could go. */
static struct fw_map_slot *find(const struct fw_map *m, uint64_t key)
{
	struct fw_map_slot *s, *deleted = NULL;
	size_t i = fw_hash_u64(key) & (m->cap - 1);

	for (;; i = (i + 1) & (m->cap - 1)) {
		s = &m->slots[i];
		if (s->state == SLOT_FREE)
			return deleted ? deleted : s;
		if (s->state == SLOT_DELETED)
			deleted = deleted ? deleted : s;
		else if (s->key == key)
			return s;
	}
}

static void rehash(struct fw_map *m)
{
	struct fw_map old = *m;
	size_t i;

	m->cap = m->n * 4 < 16 ? 16 : m->cap;
	while (m->cap < m->n * 4)
		m->cap *= 2;
	m->slots = fw_calloc(m->cap, sizeof(*m->slots));
	m->used = m->n;
	for (i = 0; i < old.cap; i++) {
		if (old.slots[i].state == SLOT_USED)
			*find(m, old.slots[i].key) = old.slots[i];
	}
	free(old.slots);
}

uint64_t *fw_map_get(const struct fw_map *m, uint64_t key)
{
	struct fw_map_slot *s;

	if (!m->cap)
		return NULL;
	s = find(m, key);
	return s->state == SLOT_USED ? &s->val : NULL;
}

uint64_t *fw_map_slot(struct fw_map *m, uint64_t key)
{
	struct fw_map_slot *s;

	if (m->used * 4 >= m->cap * 3)
		rehash(m);
	s = find(m, key);
	if (s->state != SLOT_USED) {
		m->used += s->state == SLOT_FREE;
		m->n++;
		*s = (struct fw_map_slot){ .key = key, .state = SLOT_USED };
	}
	return &s->val;
}

void fw_map_set(struct fw_map *m, uint64_t key, uint64_t val)
{
	*fw_map_slot(m, key) = val;
}

bool fw_map_del(struct fw_map *m, uint64_t key)
{
	struct fw_map_slot *s;

	if (!m->cap)
		return false;
	s = find(m, key);
	if (s->state != SLOT_USED)
		return false;
	s->state = SLOT_DELETED;
	m->n--;
	return true;
}

bool fw_map_next(const struct fw_map *m, size_t *pos, uint64_t *key, uint64_t *val)
{
	for (; *pos < m->cap; (*pos)++) {
		const struct fw_map_slot *s = &m->slots[*pos];

		if (s->state != SLOT_USED)
			continue;
		*key = s->key;
		*val = s->val;
		(*pos)++;
		return true;
	}
	return false;
}

uint64_t fw_hash_bytes(const void *p, size_t len)
{
	const unsigned char *b = p;
	uint64_t h = len * 0x9e3779b97f4a7c15ULL, w;

	for (; len >= 8; len -= 8, b += 8) {
		memcpy(&w, b, 8);
		h = fw_hash_u64(h ^ w);
	}
	w = 0;
	if (len)
		memcpy(&w, b, len);
	return fw_hash_u64(h ^ w);
}
