// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/latency.h"

#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "input/side/latency.h"
#include "input/side/side.h"

_Static_assert(FW_LATENCY_UNKNOWN == FW_SIDE_UNKNOWN, "what is unknown there is unknown here");

/* More rows at one time are counted, but not looked at. */
#define LOOK_AT 16

struct row {
	int64_t key; /* present, or ready */
	int64_t desired, actual, ready;
	uint64_t layer; /* hash of its name; 0: not named */
};

struct fw_latency_join {
	struct fw_lookup *by_present, *by_ready;
};

struct candidates {
	struct row row[LOOK_AT];
	uint32_t n;
};

static int add_row(struct fw_latency_join *j, const struct fw_latency_row *r, struct fw_input *in,
		   struct fw_health *health)
{
	struct row row = { .layer = fw_side_hash(r->layer) };
	int err = 0;

	row.desired = fw_side_place(in, health, r->desired);
	row.key = row.actual = fw_side_place(in, health, r->actual);
	row.ready = fw_side_place(in, health, r->ready);
	if (row.actual != FW_SIDE_UNKNOWN && row.layer)
		err = fw_lookup_add(j->by_present, &row);
	row.key = row.ready;
	if (!err && row.ready != FW_SIDE_UNKNOWN)
		err = fw_lookup_add(j->by_ready, &row);
	return err;
}

int fw_latency_join_load(const char *path, struct fw_input *in, struct fw_health *health,
			 struct fw_latency_join **out)
{
	struct fw_latency_join *j = fw_zalloc(sizeof(*j));
	const struct fw_latency_row *row;
	struct fw_latency *l;
	struct fw_source *src;
	int ret = fw_side_open(path, FW_SIDE_LATENCY, &src);

	j->by_present = fw_lookup_new(sizeof(struct row));
	j->by_ready = fw_lookup_new(sizeof(struct row));
	*out = j;
	if (!ret)
		ret = fw_latency_open(src, health, &l);
	if (ret)
		return ret;
	while ((ret = fw_latency_next(l, &row)) > 0 && !(ret = add_row(j, row, in, health)))
		;
	fw_latency_close(l);
	ret = ret ? ret : fw_lookup_ready(j->by_present);
	return ret ? ret : fw_lookup_ready(j->by_ready);
}

void fw_latency_join_free(struct fw_latency_join *j)
{
	if (!j)
		return;
	fw_lookup_free(j->by_present);
	fw_lookup_free(j->by_ready);
	free(j);
}

static void consider(struct candidates *c, const struct row *r)
{
	uint32_t i = 0;

	while (i < c->n && i < LOOK_AT &&
	       (c->row[i].layer != r->layer || c->row[i].desired != r->desired ||
		c->row[i].ready != r->ready))
		i++;
	if (i < LOOK_AT)
		c->row[i] = *r;
	c->n += i == c->n || i == LOOK_AT;
}

/* Rows of the layer whose time is within @bound of @at, which may be unknown. */
static int collect(struct fw_lookup *l, int64_t at, int64_t bound, uint64_t layer,
		   struct candidates *c)
{
	const void *rec;
	uint64_t i;
	int ret;

	if (at == FW_SIDE_UNKNOWN)
		return 0;
	ret = fw_lookup_from(l, fw_side_plus(at, -bound), &i);
	while (!ret && (ret = fw_lookup_at(l, i++, &rec)) > 0) {
		const struct row *r = rec;

		ret = 0;
		if (r->key > fw_side_plus(at, bound))
			break;
		if (!r->layer || r->layer == layer)
			consider(c, r);
	}
	return ret;
}

/* Rows that agree with either time of the frame. */
static int collect_both(struct fw_latency_join *j, int64_t present, int64_t ready, int64_t bound,
			uint64_t layer, struct candidates *c)
{
	int err = collect(j->by_present, present, bound, layer, c);

	return err ? err : collect(j->by_ready, ready, bound, layer, c);
}

static int64_t present_of(const struct fw_join *join)
{
	if (join->displayed && join->displayed->end != FW_FRAME_OPEN)
		return join->displayed->end;
	if (join->buffer && join->buffer->ts[FW_BUF_PRESENT] != FW_NOT_SEEN)
		return join->buffer->ts[FW_BUF_PRESENT];
	return FW_SIDE_UNKNOWN;
}

/* Of the two times the nearer one. */
static int64_t distance_of(const struct row *r, int64_t present, int64_t ready)
{
	int64_t a = fw_side_minus(r->actual, present), b = fw_side_minus(r->ready, ready);

	if (a == FW_SIDE_UNKNOWN || b == FW_SIDE_UNKNOWN)
		return a == FW_SIDE_UNKNOWN ? b : a;
	return fw_side_apart(a, 0) <= fw_side_apart(b, 0) ? a : b;
}

int fw_latency_join_find(struct fw_latency_join *j, const struct fw_frame *f,
			 const struct fw_join *join, struct fw_str layer,
			 struct fw_latency_match *m)
{
	int64_t present = present_of(join);
	int64_t ready = f->end == FW_FRAME_OPEN ? FW_SIDE_UNKNOWN : f->end;
	struct candidates c = { .n = 0 };
	uint64_t hash = fw_side_hash(layer);
	int err;

	*m = (struct fw_latency_match){ .match = FW_SIDE_NOT_ASKED };
	if (f->display || !hash)
		return 0;
	err = collect_both(j, present, ready, FW_JOIN_BOUND_NS, hash, &c);
	m->match = FW_SIDE_EXACT;
	if (!err && !c.n) {
		err = collect_both(j, present, ready, FW_SIDE_NEAR_NS, hash, &c);
		m->match = FW_SIDE_NEAR;
	}
	m->n = c.n;
	if (c.n != 1) {
		m->match = c.n ? FW_SIDE_AMBIGUOUS : FW_SIDE_NO_MATCH;
		return err;
	}
	m->distance = distance_of(&c.row[0], present, ready);
	m->desired = c.row[0].desired;
	m->actual = c.row[0].actual;
	m->ready = c.row[0].ready;
	return err;
}
