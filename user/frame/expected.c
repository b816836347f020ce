// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/expected.h"

#include <stdlib.h>

#include "base/mem.h"

/* Predictions of one frame that are compared; real frames have as many as layers. */
#define LOOK_AT 64

void fw_expectations_free(struct fw_expectations *e)
{
	free(e->ring);
	fw_map_free(&e->newest);
}

static uint64_t key_of(bool display, int32_t pid, int64_t token)
{
	return fw_hash_u64((uint64_t)token) + ((uint64_t)(uint32_t)(display ? 0 : pid) << 1) +
	       display;
}

struct fw_expected *fw_expectations_get(const struct fw_expectations *e, uint64_t number)
{
	if (!number || number > e->n || number + FW_EXPECTED_MAX <= e->n)
		return NULL;
	return &e->ring[number % FW_EXPECTED_MAX];
}

uint64_t fw_expectations_add(struct fw_expectations *e, const struct fw_expected *x,
			     int64_t *evicted)
{
	uint64_t key = key_of(x->display, x->pid, x->token), *newest;
	struct fw_expected *slot;

	if (!e->ring)
		e->ring = fw_calloc(FW_EXPECTED_MAX, sizeof(*e->ring));
	slot = &e->ring[++e->n % FW_EXPECTED_MAX];
	if (e->n > FW_EXPECTED_MAX) {
		uint64_t old = key_of(slot->display, slot->pid, slot->token);

		*evicted = slot->cookie;
		newest = fw_map_get(&e->newest, old);
		if (newest && *newest == e->n - FW_EXPECTED_MAX)
			fw_map_del(&e->newest, old);
	}
	newest = fw_map_slot(&e->newest, key);
	*slot = *x;
	slot->older = *newest;
	*newest = e->n;
	return e->n;
}

static bool close_to(int64_t a, int64_t b)
{
	return a - b <= FW_EXPECTED_SAME_NS && b - a <= FW_EXPECTED_SAME_NS;
}

static bool same(const struct fw_expected *a, const struct fw_expected *b)
{
	return close_to(a->start, b->start) &&
	       (a->end == FW_EXPECTED_OPEN || b->end == FW_EXPECTED_OPEN ||
		close_to(a->end, b->end));
}

uint32_t fw_expectations_find(const struct fw_expectations *e, bool display, int32_t pid,
			      int64_t token, const struct fw_expected **x)
{
	const struct fw_expected *different[LOOK_AT];
	uint64_t *newest = fw_map_get(&e->newest, key_of(display, pid, token));
	const struct fw_expected *p = newest ? fw_expectations_get(e, *newest) : NULL;
	uint32_t n = 0, j;

	for (int i = 0; p && i < LOOK_AT; i++, p = fw_expectations_get(e, p->older)) {
		if (p->display != display || p->token != token || (!display && p->pid != pid))
			continue;
		/* SurfaceFlinger writes one display prediction a display: those all count. */
		for (j = 0; j < n && (display || !same(different[j], p)); j++)
			;
		n += j == n;
		/* The one written first counts. */
		different[j] = p;
	}
	if (n)
		*x = different[n - 1];
	return n;
}
