// SPDX-License-Identifier: GPL-2.0-or-later
/* slices - stacks of slices */
#include "model/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int64_t end_of(const struct fw_slice *s)
{
	int64_t end;

	return __builtin_add_overflow(s->ts, s->dur, &end) ? INT64_MAX : end;
}

static void pop(struct fw_slices *sl, struct fw_track *t)
{
	struct fw_slice s = t->stack[t->n - 1];

	if (s.name.p)
		s.name.p = t->names + t->names_len - s.name.len;
	sl->done(sl->ctx, t, &s);
	t->names_len -= s.name.len;
	t->n--;
}

static void push(struct fw_track *t, const struct fw_slice *s)
{
	if (s->name.len + t->names_len > t->names_cap) {
		t->names_cap = (s->name.len + t->names_len) * 2;
		t->names = fw_realloc(t->names, t->names_cap, 1);
	}
	if (s->name.len)
		memcpy(t->names + t->names_len, s->name.p, s->name.len);
	t->names_len += s->name.len;
	fw_grow(t->stack, t->n, t->cap);
	t->stack[t->n] = *s;
	/* The names move when they grow: only whether there is one stays, pop() finds it again. */
	t->stack[t->n].name.p = s->name.p ? "" : NULL;
	t->n++;
}

/* Open slices above a whole one that has ended end with it. */
static void cut_at(struct fw_slices *sl, struct fw_track *t, uint32_t i)
{
	int64_t end = end_of(&t->stack[i]);

	fw_health_add(sl->health, FW_H_misplaced_end_event, FW_HEALTH_NO_IDX, 1);
	while (t->n > i + 1) {
		t->stack[t->n - 1].dur = end - t->stack[t->n - 1].ts;
		pop(sl, t);
	}
	pop(sl, t);
}

/*
 * Take from the stack what ended before a time. @dur: of the slice that comes at @ts.
 * Return: false when a whole slice there would overlap another.
 */
static bool close_until(struct fw_slices *sl, struct fw_track *t, int64_t ts, int64_t dur)
{
	bool open_above = false;
	uint32_t i;

	for (i = t->n; i-- > 0;) {
		struct fw_slice *s = &t->stack[i];
		int64_t end, new_end;

		if (s->dur == FW_SLICE_OPEN) {
			open_above = true;
			continue;
		}
		end = end_of(s);
		if (open_above) {
			if (ts > end) {
				cut_at(sl, t, i);
				open_above = false;
			}
			continue;
		}
		if (end < ts || (end == ts && !(s->dur == 0 && dur == 0))) {
			pop(sl, t);
			continue;
		}
		if (dur == FW_SLICE_OPEN)
			continue;
		if (__builtin_add_overflow(ts, dur, &new_end))
			new_end = INT64_MAX;
		if (ts < end && new_end > end)
			return false;
	}
	return true;
}

bool fw_slice_begin(struct fw_slices *sl, struct fw_track *t, const struct fw_slice_start *start)
{
	struct fw_slice s = {
		.ts = start->ts,
		.dur = start->dur,
		.name = start->name,
		.category = start->category,
		.num = start->num,
		.arg = start->arg,
		.data = start->data,
	};

	if (start->dur < FW_SLICE_OPEN) {
		fw_health_add(sl->health, FW_H_slice_negative_duration, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	if (t->unnestable && t->n > 0)
		return false;
	if (!close_until(sl, t, start->ts, start->dur)) {
		fw_health_add(sl->health, FW_H_slice_drop_overlapping_complete_event,
			      FW_HEALTH_NO_IDX, 1);
		return false;
	}
	s.seq = (*sl->seq)++;
	if (t->n >= FW_SLICE_MAX_DEPTH) {
		sl->done(sl->ctx, t, &s);
		return true;
	}
	s.depth = t->n;
	push(t, &s);
	return true;
}

/*
 * Names are compared only by those who end by name, which are few: the bytes of slice i are found
 * by walking down from the top.
 */
struct fw_slice *fw_slice_open(struct fw_track *t, struct fw_str name, uint32_t category)
{
	size_t at = t->names_len;
	uint32_t i;

	for (i = t->n; i-- > 0;) {
		struct fw_slice *s = &t->stack[i];

		at -= s->name.len;
		if (s->dur != FW_SLICE_OPEN)
			continue;
		if (category && s->category != category)
			continue;
		if (name.p && s->name.p &&
		    !fw_str_eq(name, (struct fw_str){ t->names ? t->names + at : "", s->name.len }))
			continue;
		return s;
	}
	return NULL;
}

bool fw_slice_end(struct fw_slices *sl, struct fw_track *t, int64_t ts, struct fw_str name,
		  uint32_t category)
{
	struct fw_slice *s;

	close_until(sl, t, ts, FW_SLICE_OPEN);
	s = fw_slice_open(t, name, category);
	if (!s)
		return false;
	/* Time order makes it whole; a hostile clock must not make it open again. */
	s->dur = ts >= s->ts ? (int64_t)((uint64_t)ts - (uint64_t)s->ts) : 0;
	if (s->dur < 0)
		s->dur = INT64_MAX;
	if (s == &t->stack[t->n - 1])
		pop(sl, t);
	return true;
}

void fw_track_finish(struct fw_slices *sl, struct fw_track *t)
{
	while (t->n > 0)
		pop(sl, t);
	free(t->stack);
	free(t->names);
	t->stack = NULL;
	t->names = NULL;
	t->cap = 0;
	t->names_len = t->names_cap = 0;
}
