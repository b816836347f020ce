// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/mark_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "frame/mark_stack.h"
#include "frame/vsync_marks.h"
#include "model/mark.h"

/* Frames whose end may still move: a RenderThread that is further behind draws for nobody. */
#define UNDER_WAY 4096u
#define SORT_BUDGET (4u << 20)
/* FrameTimeline's cookies count from 1. */
#define FIRST_COOKIE INT64_MIN

struct mark_frame {
	int32_t pid;
	uint32_t open; /* marks of it that have no end yet */
	int64_t token, start, end, cookie;
};

/* One start or end, as the sorter has it. */
struct edge {
	int64_t ts, token, cookie;
	int32_t pid;
	uint32_t is_start; /* an end stands before a start of the same time */
};

struct fw_mark_frames {
	struct fw_str name;
	struct mark_frame ring[UNDER_WAY];
	uint64_t n; /* frames begun */
	struct fw_map by_key; /* to number in the ring */
	struct fw_frame_ids ids;
	struct fw_map pids;
	struct fw_mark_stacks stacks;
	struct fw_sort *sort;
	struct edge ahead;
	bool have_ahead;
	/* live: starts to be told, and the frames whose end was not, both by start */
	bool live;
	uint64_t told; /* starts up to this number */
	uint64_t *flying;
	size_t n_flying, flying_cap;
	size_t first_end; /* of those, which ends first; n_flying: none does */
	bool moved; /* first_end is to be found anew */
};

static int by_time(const void *a, const void *b, const void *ctx)
{
	const struct edge *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (int)x->is_start - (int)y->is_start;
}

struct fw_mark_frames *fw_mark_frames_new(struct fw_str name)
{
	struct fw_mark_frames *m = fw_zalloc(sizeof(*m));

	m->name = name;
	m->sort = fw_sort_new(SORT_BUDGET, by_time, NULL);
	return m;
}

void fw_mark_frames_live(struct fw_mark_frames *m)
{
	m->live = true;
}

void fw_mark_frames_free(struct fw_mark_frames *m)
{
	if (!m)
		return;
	fw_map_free(&m->by_key);
	fw_map_free(&m->ids.last);
	fw_map_free(&m->pids);
	fw_mark_stacks_free(&m->stacks);
	fw_sort_free(m->sort);
	free(m->flying);
	free(m);
}

static uint64_t key_of(int32_t pid, int64_t token)
{
	return fw_hash_u64((uint64_t)token) + (uint32_t)pid;
}

static struct mark_frame *get(struct fw_mark_frames *m, uint64_t number)
{
	if (!number || number > m->n || number + UNDER_WAY <= m->n)
		return NULL;
	return &m->ring[number % UNDER_WAY];
}

static uint64_t find(struct fw_mark_frames *m, int32_t pid, int64_t token)
{
	uint64_t *number = fw_map_get(&m->by_key, key_of(pid, token));
	struct mark_frame *f = number ? get(m, *number) : NULL;

	return f && f->pid == pid && f->token == token ? *number : 0;
}

static int add_edge(struct fw_mark_frames *m, const struct mark_frame *f, bool is_start)
{
	struct edge e = { .ts = is_start ? f->start : f->end,
			  .token = f->token,
			  .cookie = f->cookie,
			  .pid = f->pid,
			  .is_start = is_start };

	return fw_sort_add(m->sort, &e, sizeof(e));
}

/* Its times are final. One that never ended has no end. */
static int leave(struct fw_mark_frames *m, struct mark_frame *f)
{
	uint64_t *number = fw_map_get(&m->by_key, key_of(f->pid, f->token));
	int err = add_edge(m, f, true);

	if (number && get(m, *number) == f)
		fw_map_del(&m->by_key, key_of(f->pid, f->token));
	return err || f->open || f->end < f->start ? err : add_edge(m, f, false);
}

static int make(struct fw_mark_frames *m, int32_t pid, int64_t token, int64_t ts, uint64_t *number)
{
	struct mark_frame *f = &m->ring[(m->n + 1) % UNDER_WAY];
	int err = m->n >= UNDER_WAY && !m->live ? leave(m, f) : 0;

	*number = ++m->n;
	*f = (struct mark_frame){ .pid = pid,
				  .token = token,
				  .start = ts,
				  .end = INT64_MIN,
				  .cookie = FIRST_COOKIE + (int64_t)m->n };
	fw_map_set(&m->by_key, key_of(pid, token), *number);
	if (m->live) {
		fw_grow(m->flying, m->n_flying, m->flying_cap);
		m->flying[m->n_flying++] = m->n;
		m->moved = true;
	} else {
		fw_map_set(&m->pids, (uint32_t)pid, 1);
	}
	return err;
}

/* Does a mark of this name belong to a frame? @begins: it makes a new one. */
static bool of_frame(struct fw_mark_frames *m, const struct fw_mark *mark, int64_t ts, bool *begins,
		     int64_t *token)
{
	int kind = fw_frame_mark(&m->ids, mark->name, (int32_t)mark->tgid, ts, token);
	struct fw_str name = mark->name, rest;

	*begins = kind == FW_MARK_DO_FRAME;
	if (kind >= 0)
		return true;
	if (!m->name.len || !fw_str_starts(name, m->name))
		return false;
	*begins = true;
	*token = (int64_t)m->n + 1;
	rest = (struct fw_str){ name.p + m->name.len, name.len - m->name.len };
	return !rest.len || (rest.p[0] == ' ' && fw_vsync_id(rest, FW_STR(" "), token));
}

static int begin(struct fw_mark_frames *m, const struct fw_event *ev)
{
	struct fw_mark mark;
	uint64_t number = 0;
	int64_t token;
	bool begins;
	int err = 0;

	if (fw_mark_parse(ev->mark.text, &mark) != FW_MARK_OK)
		return 0;
	if (of_frame(m, &mark, ev->ts, &begins, &token)) {
		number = find(m, (int32_t)mark.tgid, token);
		if (!number && begins)
			err = make(m, (int32_t)mark.tgid, token, ev->ts, &number);
	}
	if (!number) {
		fw_mark_stacks_other(&m->stacks, ev->tid);
	} else if (fw_mark_stacks_push(&m->stacks, ev->tid, number, ev->ts)) {
		get(m, number)->open++;
		m->moved = true;
	}
	return err;
}

static void end(struct fw_mark_frames *m, const struct fw_event *ev)
{
	struct fw_open_mark mark;
	struct mark_frame *f;

	if (!fw_mark_stacks_pop(&m->stacks, ev->tid, &mark))
		return;
	f = get(m, mark.number);
	if (!f)
		return;
	f->open--;
	f->end = FW_MAX(f->end, ev->ts);
	m->moved = true;
}

int fw_mark_frames_peek(struct fw_mark_frames *m, const struct fw_event *ev)
{
	struct fw_str text = ev->mark.text;

	if (ev->type != FW_EV_MARK || !text.len)
		return 0;
	if (*text.p == 'B')
		return begin(m, ev);
	if (*text.p == 'E')
		end(m, ev);
	return 0;
}

int fw_mark_frames_finish(struct fw_mark_frames *m)
{
	uint64_t first = m->n > UNDER_WAY ? m->n - UNDER_WAY + 1 : 1;
	int err = 0;

	for (uint64_t i = first; i <= m->n && !err && !m->live; i++)
		err = leave(m, &m->ring[i % UNDER_WAY]);
	return err;
}

bool fw_mark_frames_next_pid(const struct fw_mark_frames *m, uint64_t *pos, int32_t *pid)
{
	uint64_t key, value;
	size_t at = *pos;

	if (!fw_map_next(&m->pids, &at, &key, &value))
		return false;
	*pos = at;
	*pid = (int32_t)key;
	return true;
}

static void edge_event(const struct edge *e, struct fw_event *ev)
{
	*ev = (struct fw_event){ .ts = e->ts, .cpu = -1, .tid = -1 };
	ev->type = e->is_start ? FW_EV_ACTUAL_SURFACE : FW_EV_FRAME_END;
	ev->ft.cookie = e->cookie;
	ev->ft.token = e->token;
	ev->ft.pid = e->pid;
	ev->ft.has =
		FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_DISPLAY_TOKEN | FW_FT_PID | FW_FT_FROM_MARKS;
}

static void land(struct fw_mark_frames *m, size_t i)
{
	struct mark_frame *f = get(m, m->flying[i]);
	uint64_t *number = f ? fw_map_get(&m->by_key, key_of(f->pid, f->token)) : NULL;

	if (number && *number == m->flying[i])
		fw_map_del(&m->by_key, key_of(f->pid, f->token));
	memmove(&m->flying[i], &m->flying[i + 1], (--m->n_flying - i) * sizeof(*m->flying));
	m->moved = true;
}

/* Which of the frames that were begun ends first, as far as is known. */
static void find_end(struct fw_mark_frames *m)
{
	int64_t first = INT64_MAX;

	/* Those that fell out of the ring never end. */
	while (m->n_flying && !get(m, m->flying[0]))
		land(m, 0);
	m->moved = false;
	m->first_end = m->n_flying;
	for (size_t i = 0; i < m->n_flying; i++) {
		const struct mark_frame *f = get(m, m->flying[i]);

		if (f->open || f->end < f->start || f->end >= first)
			continue;
		first = f->end;
		m->first_end = i;
	}
}

static int next_live(struct fw_mark_frames *m, int64_t until, struct fw_event *ev)
{
	uint64_t oldest = m->n >= UNDER_WAY ? m->n - UNDER_WAY + 1 : 1;
	const struct mark_frame *f, *e;
	struct edge edge;

	if (m->moved)
		find_end(m);
	m->told = FW_MAX(m->told, oldest - 1);
	f = get(m, m->told + 1);
	e = m->first_end < m->n_flying ? get(m, m->flying[m->first_end]) : NULL;
	if (e && m->flying[m->first_end] <= m->told && e->end <= until &&
	    (!f || e->end <= f->start)) {
		edge = (struct edge){
			.ts = e->end, .token = e->token, .cookie = e->cookie, .pid = e->pid
		};
		land(m, m->first_end);
	} else if (f && f->start <= until) {
		edge = (struct edge){ .ts = f->start,
				      .token = f->token,
				      .cookie = f->cookie,
				      .pid = f->pid,
				      .is_start = 1 };
		m->told++;
	} else {
		return 0;
	}
	edge_event(&edge, ev);
	return 1;
}

int fw_mark_frames_next(struct fw_mark_frames *m, int64_t until, struct fw_event *ev)
{
	const void *rec;
	size_t len;
	int n;

	if (m->live)
		return next_live(m, until, ev);
	if (!m->have_ahead) {
		n = fw_sort_next(m->sort, &rec, &len);
		if (n <= 0)
			return n;
		memcpy(&m->ahead, rec, sizeof(m->ahead));
		m->have_ahead = true;
	}
	if (m->ahead.ts > until)
		return 0;
	m->have_ahead = false;
	edge_event(&m->ahead, ev);
	return 1;
}
