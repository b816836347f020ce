// SPDX-License-Identifier: GPL-2.0-or-later
/* wanted - the threads of interest among packed thread ids */
#include "input/perfetto/wanted.h"

#include <stdlib.h>

#include "base/mem.h"
#include "input/input.h"

/* False where no more fit. */
static bool add_end(struct pf_wanted *w, uint8_t mask, uint8_t before, uint8_t last)
{
	struct pf_wanted_end *e;
	size_t i;

	for (i = 0; i < w->n; i++) {
		e = &w->ends[i];
		if (e->mask[0] == mask && e->before[0] == before && e->last[0] == last)
			return true;
	}
	if (w->n == PF_WANTED_ENDS)
		return false;
	e = &w->ends[w->n++];
	e->mask = (pf_lanes){ 0 } + mask;
	e->before = (pf_lanes){ 0 } + before;
	e->last = (pf_lanes){ 0 } + last;
	return true;
}

static bool add_tid(struct pf_wanted *w, uint32_t tid)
{
	if (tid < 1u << 7)
		return add_end(w, 0x80, 0, (uint8_t)tid);
	if (tid < 1u << 14)
		return add_end(w, 0x80, 0x80, (uint8_t)(tid >> 7));
	if (tid < 1u << 21)
		return add_end(w, 0xff, (uint8_t)(tid >> 7 | 0x80), (uint8_t)(tid >> 14));
	/* Longer than any packed one. */
	return true;
}

void pf_wanted_set(struct pf_wanted *w, const struct fw_interest *in)
{
	bool fit;
	size_t i;

	if (w->in == in && w->generation == in->generation)
		return;
	w->in = in;
	w->generation = in->generation;
	w->n = 0;
	/* A varint that is longer than its value needs: it may be any thread. */
	fit = add_end(w, 0x80, 0x80, 0) && in->n_tids <= ARRAY_SIZE(in->tids);
	for (i = 0; fit && i < in->n_tids; i++)
		fit = add_tid(w, (uint32_t)in->tids[i]);
	if (!fit)
		w->n = 0;
}

/* Of each byte the bits: does a value end here that may be a wanted thread's? */
static pf_lanes candidates(const struct pf_wanted *w, const uint8_t *p)
{
	pf_lanes before, last, hit = { 0 };
	const struct pf_wanted_end *e;

	memcpy(&before, p - 1, sizeof(before));
	memcpy(&last, p, sizeof(last));
	for (e = w->ends; e < w->ends + w->n; e++)
		hit |= (pf_lanes)((before & e->mask) == e->before) & (pf_lanes)(last == e->last);
	return hit;
}

static bool wanted_ending(const struct pf_wanted *w, const struct pf_column *c, size_t last)
{
	const uint8_t *p = c->p + last;
	uint64_t v;

	while (p > c->p && (p[-1] & 0x80))
		p--;
	return fw_varint(p, c->p + last + 1, &v) && fw_interest_has(w->in, (int32_t)v);
}

static void find_packed(struct pf_wanted *w, const struct pf_column *c)
{
	size_t at, i, last, counted = 0, index = 0;
	uint64_t word[2];
	pf_lanes hit;

	for (at = 0; at < c->len; at += sizeof(hit)) {
		hit = candidates(w, c->p + at);
		memcpy(word, &hit, sizeof(hit));
		for (i = 0; i < 2; i++) {
			for (; word[i]; word[i] &= ~(0xffULL << (last & 7) * 8)) {
				last = at + i * 8 + (size_t)__builtin_ctzll(word[i]) / 8;
				if (!last || last >= c->len || !wanted_ending(w, c, last))
					continue;
				index += fw_count_varints(c->p + counted, last - counted);
				counted = last;
				w->hits[w->n_hits++] = (uint32_t)index;
			}
		}
	}
}

static void find_unpacked(struct pf_wanted *w, const struct pf_stream *s)
{
	size_t n = 0, i;

	for (i = 0; i < s->n; i++) {
		w->hits[n] = (uint32_t)i;
		n += fw_interest_has(w->in, s->pid[i]);
	}
	w->n_hits = n;
}

void pf_wanted_find(struct pf_wanted *w, struct pf_stream *s)
{
	if (s->tid.n > w->hits_cap) {
		free(w->hits);
		w->hits_cap = s->tid.n + s->tid.n / 2;
		w->hits = fw_calloc(w->hits_cap, sizeof(*w->hits));
	}
	w->n_hits = 0;
	if (!s->n)
		return;
	/* Too many to look for one by one. */
	if (!w->n)
		pf_stream_unpack(s);
	if (!s->packed) {
		find_unpacked(w, s);
		return;
	}
	/* What stands before the first value is no part of it. */
	if (wanted_ending(w, &s->tid, 0))
		w->hits[w->n_hits++] = 0;
	find_packed(w, &s->tid);
	while (w->n_hits && w->hits[w->n_hits - 1] >= s->n)
		w->n_hits--;
}

void pf_wanted_free(struct pf_wanted *w)
{
	free(w->hits);
}
