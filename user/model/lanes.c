// SPDX-License-Identifier: GPL-2.0-or-later
/* lanes - slices that overlap, on as few tracks as it takes */
#include "model/lanes.h"

#include <stdlib.h>

#include "base/mem.h"

static void heap_push(struct fw_lanes *l, uint32_t lane)
{
	uint32_t i = l->n_free, up;

	fw_grow(l->free_heap, l->n_free, l->free_cap);
	l->n_free++;
	for (; i > 0; i = up) {
		up = (i - 1) / 2;
		if (l->free_heap[up] <= lane)
			break;
		l->free_heap[i] = l->free_heap[up];
	}
	l->free_heap[i] = lane;
	l->lanes[lane]->queued = true;
}

static void heap_pop(struct fw_lanes *l)
{
	uint32_t last = l->free_heap[--l->n_free], i = 0, child;

	l->lanes[l->free_heap[0]]->queued = false;
	for (; (child = 2 * i + 1) < l->n_free; i = child) {
		if (child + 1 < l->n_free && l->free_heap[child + 1] < l->free_heap[child])
			child++;
		if (last <= l->free_heap[child])
			break;
		l->free_heap[i] = l->free_heap[child];
	}
	if (l->n_free > 0)
		l->free_heap[i] = last;
}

static uint32_t new_lane(struct fw_lanes *l)
{
	struct fw_lane *lane = fw_zalloc(sizeof(*lane));

	lane->track.owner = l->owner;
	lane->track.kind = l->kind;
	lane->track.unnestable = l->unnestable;
	fw_grow(l->lanes, l->n, l->cap);
	l->lanes[l->n] = lane;
	return l->n++;
}

static struct fw_lane *lane_of(struct fw_lanes *l, int64_t cookie)
{
	uint64_t *at = fw_map_get(&l->by_cookie, (uint64_t)cookie);
	uint32_t i;

	if (at)
		return l->lanes[*at];
	while (l->n_free > 0 && l->lanes[l->free_heap[0]]->nest > 0)
		heap_pop(l);
	if (l->n_free > 0) {
		i = l->free_heap[0];
		fw_map_del(&l->by_cookie, (uint64_t)l->lanes[i]->cookie);
	} else {
		i = new_lane(l);
		heap_push(l, i);
	}
	l->lanes[i]->cookie = cookie;
	fw_map_set(&l->by_cookie, (uint64_t)cookie, i);
	return l->lanes[i];
}

struct fw_track *fw_lanes_begin(struct fw_lanes *l, int64_t cookie)
{
	struct fw_lane *lane = lane_of(l, cookie);

	if (lane->nest == 0)
		l->n_open++;
	if (!l->unnestable || lane->nest == 0)
		lane->nest++;
	return &lane->track;
}

struct fw_track *fw_lanes_end(struct fw_lanes *l, int64_t cookie)
{
	struct fw_lane *lane = lane_of(l, cookie);
	uint64_t *at = fw_map_get(&l->by_cookie, (uint64_t)cookie);

	if (lane->nest > 0 && --lane->nest == 0)
		l->n_open--;
	if (lane->nest == 0 && !lane->queued)
		heap_push(l, (uint32_t)*at);
	return &lane->track;
}

bool fw_lanes_idle(const struct fw_lanes *l)
{
	uint32_t i;

	if (l->n_open > 0)
		return false;
	for (i = 0; i < l->n; i++) {
		if (l->lanes[i]->track.n > 0)
			return false;
	}
	return true;
}

void fw_lanes_finish(struct fw_lanes *l, struct fw_slices *sl)
{
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		fw_track_finish(sl, &l->lanes[i]->track);
		free(l->lanes[i]);
	}
	free(l->lanes);
	free(l->free_heap);
	fw_map_free(&l->by_cookie);
	l->lanes = NULL;
	l->free_heap = NULL;
	l->n = l->cap = l->n_free = l->free_cap = l->n_open = 0;
}
