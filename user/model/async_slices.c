// SPDX-License-Identifier: GPL-2.0-or-later
/* async_slices - slices of a process, told apart by a cookie */
#include "model/async_slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/lanes.h"
#include "model/tasks.h"

/* All slices of one name (or on one named track) of a process. */
struct async_set {
	struct async_set *next;
	uint32_t upid;
	bool on_track;
	struct fw_lanes lanes;
	size_t name_len;
	char name[];
};

static void slice_done(void *ctx, struct fw_track *t, const struct fw_slice *s)
{
	struct fw_async_slices *as = ctx;

	if (as->done)
		as->done(as->ctx, (uint32_t)t->owner, s);
}

void fw_async_slices_init(struct fw_async_slices *as, struct fw_health *health)
{
	memset(as, 0, sizeof(*as));
	as->slices = (struct fw_slices){
		.health = health,
		.done = slice_done,
		.ctx = as,
		.seq = &as->seq,
	};
}

static uint64_t hash_of(uint32_t upid, bool on_track, struct fw_str name)
{
	return fw_hash_u64(fw_hash_bytes(name.p, name.len) + ((uint64_t)upid << 1 | on_track));
}

static struct async_set *set_of(struct fw_async_slices *as, uint32_t upid, bool on_track,
				struct fw_str name)
{
	uint64_t *slot = fw_map_slot(&as->sets, hash_of(upid, on_track, name));
	struct async_set *set;

	for (set = (struct async_set *)(uintptr_t)*slot; set; set = set->next) {
		if (set->upid == upid && set->on_track == on_track && set->name_len == name.len &&
		    !memcmp(set->name, name.p, name.len))
			return set;
	}
	set = fw_zalloc(sizeof(*set) + name.len);
	set->next = (struct async_set *)(uintptr_t)*slot;
	set->upid = upid;
	set->on_track = on_track;
	set->lanes.owner = upid;
	/* Some of Android's code begins a slice again and again and ends it once. */
	set->lanes.unnestable = !on_track;
	set->name_len = name.len;
	memcpy(set->name, name.p, name.len);
	*slot = (uint64_t)(uintptr_t)set;
	return set;
}

/* Names may be new each time: what has nothing open is not kept. */
static void forget(struct fw_async_slices *as, struct async_set *set)
{
	struct fw_str name = { set->name, set->name_len };
	uint64_t hash = hash_of(set->upid, set->on_track, name);
	struct async_set *at = (struct async_set *)(uintptr_t)*fw_map_get(&as->sets, hash);

	if (at == set) {
		if (set->next)
			fw_map_set(&as->sets, hash, (uint64_t)(uintptr_t)set->next);
		else
			fw_map_del(&as->sets, hash);
	} else {
		while (at->next != set)
			at = at->next;
		at->next = set->next;
	}
	fw_lanes_finish(&set->lanes, &as->slices);
	free(set);
}

void fw_async_slices_mark(struct fw_async_slices *as, int64_t when, uint32_t upid,
			  const struct fw_mark *m)
{
	bool on_track = m->phase == 'N' || m->phase == 'G' || m->phase == 'H';
	struct fw_slice_start start = { .ts = when, .dur = FW_SLICE_OPEN, .name = m->name };
	struct fw_slice whole = { .ts = when, .name = m->name };
	struct async_set *set;

	if (upid == FW_NO_TASK || (!on_track && m->phase != 'S' && m->phase != 'F'))
		return;
	if (m->phase == 'N') {
		/* Instants have lanes of their own and overlap nothing there. */
		whole.seq = as->seq++;
		if (as->done)
			as->done(as->ctx, upid, &whole);
		return;
	}
	set = set_of(as, upid, on_track, on_track ? m->track : m->name);
	if (m->phase == 'S' || m->phase == 'G') {
		fw_slice_begin(&as->slices, fw_lanes_begin(&set->lanes, m->value), &start);
		return;
	}
	fw_slice_end(&as->slices, fw_lanes_end(&set->lanes, m->value), when, FW_STR_NONE, 0);
	if (fw_lanes_idle(&set->lanes))
		forget(as, set);
}

void fw_async_slices_finish(struct fw_async_slices *as)
{
	uint64_t hash, val;
	size_t pos = 0;

	while (fw_map_next(&as->sets, &pos, &hash, &val)) {
		struct async_set *set = (struct async_set *)(uintptr_t)val, *next;

		for (; set; set = next) {
			next = set->next;
			fw_lanes_finish(&set->lanes, &as->slices);
			free(set);
		}
	}
	fw_map_free(&as->sets);
}
