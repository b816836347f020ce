// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/framestats.h"

#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "input/side/framestats.h"
#include "input/side/side.h"

_Static_assert(FW_FS_UNKNOWN == FW_SIDE_UNKNOWN, "what is unknown there is unknown here");

/* More rows of one id are counted, but not looked at: real ones are windows of a process. */
#define LOOK_AT 16

struct stat {
	int64_t key; /* vsync id, or start */
	int64_t vsync_id, start, intended;
	int64_t flags, total, deadline_delta, dequeue, queue, present;
	uint64_t window; /* hash of its name; 0: not named */
	int32_t pid;
};

struct fw_framestats_join {
	struct fw_lookup *by_id, *by_start;
};

/* The rows that may be a frame's. */
struct candidates {
	struct stat stat[LOOK_AT];
	uint32_t n;
};

static int add_row(struct fw_framestats_join *j, const struct fw_framestats_row *r,
		   struct fw_input *in, struct fw_health *health)
{
	const int64_t *v = r->value;
	int64_t start = v[FW_FS_START_TIME];
	struct stat s = { .vsync_id = v[FW_FS_VSYNC_ID],
			  .intended = v[FW_FS_INTENDED_VSYNC],
			  .flags = v[FW_FS_FLAGS],
			  .total = fw_side_minus(v[FW_FS_COMPLETED], v[FW_FS_INTENDED_VSYNC]),
			  .deadline_delta = fw_side_minus(v[FW_FS_COMPLETED], v[FW_FS_DEADLINE]),
			  .dequeue = v[FW_FS_DEQUEUE],
			  .queue = v[FW_FS_QUEUE],
			  .window = fw_side_hash(r->window),
			  .pid = r->pid };

	if (start == FW_FS_UNKNOWN)
		start = v[FW_FS_INPUT_START];
	s.start = fw_side_place(in, health, start);
	s.present = fw_side_place(in, health, v[FW_FS_PRESENT]);
	s.key = s.vsync_id != FW_FS_UNKNOWN ? s.vsync_id : s.start;
	if (s.vsync_id != FW_FS_UNKNOWN)
		return fw_lookup_add(j->by_id, &s);
	return s.start != FW_SIDE_UNKNOWN ? fw_lookup_add(j->by_start, &s) : 0;
}

int fw_framestats_join_load(const char *path, struct fw_input *in, struct fw_health *health,
			    struct fw_framestats_join **out)
{
	struct fw_framestats_join *j = fw_zalloc(sizeof(*j));
	const struct fw_framestats_row *row;
	struct fw_framestats *f;
	struct fw_source *src;
	int ret = fw_side_open(path, FW_SIDE_FRAMESTATS, &src);

	j->by_id = fw_lookup_new(sizeof(struct stat));
	j->by_start = fw_lookup_new(sizeof(struct stat));
	*out = j;
	if (!ret)
		ret = fw_framestats_open(src, health, &f);
	if (ret)
		return ret;
	while ((ret = fw_framestats_next(f, &row)) > 0 && !(ret = add_row(j, row, in, health)))
		;
	fw_framestats_close(f);
	ret = ret ? ret : fw_lookup_ready(j->by_id);
	return ret ? ret : fw_lookup_ready(j->by_start);
}

void fw_framestats_join_free(struct fw_framestats_join *j)
{
	if (!j)
		return;
	fw_lookup_free(j->by_id);
	fw_lookup_free(j->by_start);
	free(j);
}

/* A row of several dumps is one; what the last says is the most. */
static void consider(struct candidates *c, const struct stat *s)
{
	uint32_t i = 0;

	while (i < c->n && i < LOOK_AT &&
	       (c->stat[i].window != s->window || c->stat[i].intended != s->intended ||
		c->stat[i].pid != s->pid))
		i++;
	if (i < LOOK_AT)
		c->stat[i] = *s;
	c->n += i == c->n || i == LOOK_AT;
}

/* "package/activity" of a layer that is named after its window; else absent. */
static struct fw_str window_of(struct fw_str layer)
{
	const char *end = layer.len ? memrchr(layer.p, '#', layer.len) : NULL;

	if (!end || !memchr(layer.p, '/', layer.len) || memchr(layer.p, '[', layer.len))
		return FW_STR_NONE;
	return (struct fw_str){ layer.p, (size_t)(end - layer.p) };
}

static int collect(struct fw_lookup *l, int64_t from, int64_t to, const struct fw_frame *f,
		   uint64_t window, struct candidates *c)
{
	const void *rec;
	uint64_t i;
	int ret = fw_lookup_from(l, from, &i);

	while (!ret && (ret = fw_lookup_at(l, i++, &rec)) > 0) {
		const struct stat *s = rec;

		ret = 0;
		if (s->key > to)
			break;
		if (s->pid >= 0 && s->pid != f->ft.pid)
			continue;
		/* Both name a window, and not the same. */
		if (window && s->window && window != s->window)
			continue;
		if (s->start != FW_SIDE_UNKNOWN &&
		    fw_side_apart(s->start, f->start) > FW_FRAMESTATS_SAME_NS)
			continue;
		consider(c, s);
	}
	return ret;
}

static void fill(struct fw_framestats_match *m, const struct stat *s, const struct fw_frame *f)
{
	m->distance = fw_side_minus(s->start, f->start);
	m->flags = s->flags;
	m->total = s->total;
	m->deadline_delta = s->deadline_delta;
	m->dequeue = s->dequeue;
	m->queue = s->queue;
	m->present = s->present;
}

int fw_framestats_join_find(struct fw_framestats_join *j, const struct fw_frame *f,
			    struct fw_str layer, struct fw_framestats_match *m)
{
	uint64_t window = fw_side_hash(window_of(layer));
	struct candidates c = { .n = 0 };
	int err;

	*m = (struct fw_framestats_match){ .match = FW_SIDE_NOT_ASKED };
	if (f->display)
		return 0;
	err = collect(j->by_id, f->ft.token, f->ft.token, f, window, &c);
	m->match = FW_SIDE_EXACT;
	if (!err && !c.n) {
		err = collect(j->by_start, fw_side_plus(f->start, -FW_SIDE_NEAR_NS),
			      fw_side_plus(f->start, FW_SIDE_NEAR_NS), f, window, &c);
		m->match = FW_SIDE_NEAR;
	}
	m->n = c.n;
	if (c.n == 1)
		fill(m, &c.stat[0], f);
	else
		m->match = c.n ? FW_SIDE_AMBIGUOUS : FW_SIDE_NO_MATCH;
	return err;
}
