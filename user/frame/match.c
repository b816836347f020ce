// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/match.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * A stamp is exact however late its event; events come at most this late: a driver that stamps by its
 * hardware's clock tells of it when its interrupt is served, on a busy CPU milliseconds later.
 */
#define HORIZON_NS 20000000
#define CANDIDATES 8
/* More than this many events within the horizon is no recording of frames. */
#define PENDING_MAX 1024

struct candidate {
	struct fw_fence *f; /* NULL: forgotten meanwhile, @copy is what it was */
	struct fw_fence copy;
	bool exact;
	bool row_due; /* forgotten without a row of its own */
};

struct fw_match_pending {
	struct fw_fence_event e;
	struct candidate c[CANDIDATES];
	uint32_t n; /* candidates, also those beyond the array */
};

const char *fw_match_quality_name(enum fw_match_quality q)
{
	static const char *const names[] = { "none", "exact", "near", "context", "ambiguous" };

	return names[q];
}

void fw_matcher_free(struct fw_matcher *m)
{
	free(m->pending);
	fw_map_free(&m->contexts);
}

static struct fw_fence *fence_of(struct candidate *c)
{
	return c->f ? c->f : &c->copy;
}

/* Times come from the file: a difference may wrap, but not trap. */
static int64_t since(int64_t later, int64_t earlier)
{
	return (int64_t)((uint64_t)later - (uint64_t)earlier);
}

static int64_t distance(const struct fw_match_pending *p, const struct fw_fence *f)
{
	return since(f->signaled, p->e.ts);
}

static uint64_t context_key(const struct fw_fence_event *e)
{
	return (uint64_t)e->layer << 1 | (e->use == FW_FENCE_PRESENT);
}

/* The one candidate that is it, or NULL; sets quality and count. */
static struct candidate *choose(struct fw_matcher *m, struct fw_match_pending *p)
{
	uint32_t kept = FW_MIN(p->n, CANDIDATES), exact = 0, same = 0;
	struct candidate *hit = NULL, *of_context = NULL;
	uint64_t *context = fw_map_get(&m->contexts, context_key(&p->e));

	for (uint32_t i = 0; i < kept; i++) {
		exact += p->c[i].exact;
		if (p->c[i].exact)
			hit = &p->c[i];
		if (context && fence_of(&p->c[i])->context == *context) {
			same++;
			of_context = &p->c[i];
		}
	}
	p->e.match.candidates = exact ? exact : p->n;
	p->e.match.quality = FW_MATCH_AMBIGUOUS;
	if (exact == 1) {
		p->e.match.quality = FW_MATCH_EXACT;
		return hit;
	}
	if (exact > 1) {
		/* Members of one array may share a stamp: any of them signaled then. */
		if (same != 1 || !of_context->exact)
			return NULL;
		p->e.match.quality = FW_MATCH_CONTEXT;
		return of_context;
	}
	if (p->n == 1) {
		p->e.match.quality = FW_MATCH_NEAR;
		return &p->c[0];
	}
	if (p->n && same == 1) {
		p->e.match.quality = FW_MATCH_CONTEXT;
		return of_context;
	}
	if (!p->n)
		p->e.match.quality = FW_MATCH_NONE;
	return NULL;
}

static void keep_event(struct fw_matcher *m, struct candidate *c, const struct fw_fence_event *e)
{
	struct fw_fence_event *copy;

	if (!c->f) {
		m->row(m->ctx, &c->copy, e);
		return;
	}
	copy = fw_memdup(e, sizeof(*e));
	copy->next = c->f->owner;
	c->f->owner = copy;
}

static void resolve(struct fw_matcher *m, struct fw_match_pending *p)
{
	struct candidate *c = choose(m, p);
	struct fw_fence_match *match = &p->e.match;

	if (c) {
		const struct fw_fence *f = fence_of(c);

		match->found = true;
		match->distance = distance(p, f);
		match->context = f->context;
		match->seqno = f->seqno;
		match->driver = f->driver;
		match->timeline = f->timeline;
		match->init_to_signal =
			f->init == FW_FENCE_NEVER ? -1 : since(f->signaled, f->init);
		if (match->quality != FW_MATCH_CONTEXT)
			fw_map_set(&m->contexts, context_key(&p->e), f->context);
		keep_event(m, c, &p->e);
	} else {
		m->row(m->ctx, NULL, &p->e);
	}
	for (uint32_t i = 0; i < FW_MIN(p->n, CANDIDATES); i++)
		if (&p->c[i] != c && p->c[i].row_due)
			m->row(m->ctx, &p->c[i].copy, NULL);
	m->resolved(m->ctx, &p->e);
}

void fw_matcher_advance(struct fw_matcher *m, int64_t now)
{
	uint32_t done = 0;

	while (done < m->n && (now == INT64_MAX || since(now, m->pending[done].e.ts) > HORIZON_NS))
		resolve(m, &m->pending[done++]);
	if (!done)
		return;
	m->n -= done;
	memmove(m->pending, m->pending + done, m->n * sizeof(*m->pending));
}

void fw_matcher_expect(struct fw_matcher *m, const struct fw_fence_event *e)
{
	if (m->n == PENDING_MAX) {
		resolve(m, &m->pending[0]);
		memmove(m->pending, m->pending + 1, --m->n * sizeof(*m->pending));
	}
	fw_grow(m->pending, m->n, m->cap);
	memset(&m->pending[m->n], 0, sizeof(*m->pending));
	m->pending[m->n++].e = *e;
}

void fw_matcher_signaled(struct fw_matcher *m, struct fw_fence *f)
{
	m->fences_seen = true;
	/* The stub repeats the stamp of another fence. */
	if (!f->context)
		return;
	for (uint32_t i = 0; i < m->n; i++) {
		struct fw_match_pending *p = &m->pending[i];
		bool exact = f->stamp == p->e.ts;

		if (!exact && distance(p, f) > FW_MATCH_NEAR_NS)
			continue;
		if (p->n < CANDIDATES)
			p->c[p->n] = (struct candidate){ .f = f, .exact = exact };
		p->n++;
	}
}

void fw_matcher_retired(struct fw_matcher *m, struct fw_fence *f)
{
	struct fw_fence_event *e = f->owner, *next;
	bool row_due = !e;

	for (; e; e = next) {
		next = e->next;
		m->row(m->ctx, f, e);
		free(e);
	}
	f->owner = NULL;
	/* It may still turn out to be the one of an event that waits for its match. */
	for (uint32_t i = 0; i < m->n; i++)
		for (uint32_t j = 0; j < FW_MIN(m->pending[i].n, CANDIDATES); j++) {
			struct candidate *c = &m->pending[i].c[j];

			if (c->f != f)
				continue;
			c->copy = *f;
			c->f = NULL;
			c->row_due = row_due;
			row_due = false;
		}
	if (row_due)
		m->row(m->ctx, f, NULL);
}
