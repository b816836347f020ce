// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/vsync_marks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/mark.h"

void fw_vsync_marks_free(struct fw_vsync_marks *m)
{
	free(m->ring);
	fw_map_free(&m->ids.last);
	fw_map_free(&m->by_key);
	fw_mark_stacks_free(&m->stacks);
}

static uint64_t key_of(enum fw_vsync_mark_kind kind, int32_t pid, int64_t token)
{
	return fw_hash_u64((uint64_t)token) + ((uint64_t)(uint32_t)pid << 1) + kind;
}

static struct fw_vsync_mark *get(const struct fw_vsync_marks *m, uint64_t number)
{
	if (!number || number > m->n || number + FW_VSYNC_MARKS_MAX <= m->n)
		return NULL;
	return &m->ring[number % FW_VSYNC_MARKS_MAX];
}

static uint64_t find(const struct fw_vsync_marks *m, enum fw_vsync_mark_kind kind, int32_t pid,
		     int64_t token)
{
	uint64_t *number = fw_map_get(&m->by_key, key_of(kind, pid, token));
	struct fw_vsync_mark *p = number ? get(m, *number) : NULL;

	return p && p->kind == kind && p->pid == pid && p->token == token ? *number : 0;
}

const struct fw_vsync_mark *fw_vsync_marks_find(const struct fw_vsync_marks *m,
						enum fw_vsync_mark_kind kind, int32_t pid,
						int64_t token)
{
	return get(m, find(m, kind, pid, token));
}

static uint64_t make(struct fw_vsync_marks *m, enum fw_vsync_mark_kind kind, int32_t pid,
		     int64_t token, int64_t ts)
{
	struct fw_vsync_mark *p;
	uint64_t *old;

	if (!m->ring)
		m->ring = fw_calloc(FW_VSYNC_MARKS_MAX, sizeof(*m->ring));
	p = &m->ring[++m->n % FW_VSYNC_MARKS_MAX];
	if (m->n > FW_VSYNC_MARKS_MAX) {
		old = fw_map_get(&m->by_key, key_of(p->kind, p->pid, p->token));
		if (old && *old == m->n - FW_VSYNC_MARKS_MAX)
			fw_map_del(&m->by_key, key_of(p->kind, p->pid, p->token));
	}
	*p = (struct fw_vsync_mark){ .pid = pid, .kind = kind, .token = token, .start = ts };
	fw_map_set(&m->by_key, key_of(kind, pid, token), m->n);
	return m->n;
}

bool fw_vsync_id(struct fw_str name, struct fw_str prefix, int64_t *id)
{
	struct fw_str digits;

	if (!fw_str_starts(name, prefix))
		return false;
	digits = (struct fw_str){ name.p + prefix.len, 0 };
	while (prefix.len + digits.len < name.len && digits.p[digits.len] >= '0' &&
	       digits.p[digits.len] <= '9')
		digits.len++;
	if (prefix.len + digits.len < name.len && digits.p[digits.len] != ' ')
		return false;
	return fw_str_int(digits, id);
}

int fw_frame_mark(struct fw_frame_ids *ids, struct fw_str name, int32_t pid, int64_t ts,
		  int64_t *token)
{
	uint64_t *last;

	if (fw_vsync_id(name, FW_STR("Choreographer#doFrame "), token))
		return FW_MARK_DO_FRAME;
	if (fw_vsync_id(name, FW_STR("DrawFrames "), token) ||
	    fw_vsync_id(name, FW_STR("DrawFrame "), token))
		return FW_MARK_DRAW_FRAMES;
	if (fw_str_eq(name, FW_STR("Choreographer#doFrame")) && ts > 0) {
		*token = -ts;
		fw_map_set(&ids->last, (uint32_t)pid, (uint64_t)*token);
		return FW_MARK_DO_FRAME;
	}
	if (!fw_str_eq(name, FW_STR("DrawFrame")) && !fw_str_eq(name, FW_STR("DrawFrames")))
		return -1;
	last = fw_map_get(&ids->last, (uint32_t)pid);
	*token = last ? (int64_t)*last : 0;
	return last ? FW_MARK_DRAW_FRAMES : -1;
}

static void begin(struct fw_vsync_marks *m, const struct fw_event *ev)
{
	struct fw_vsync_mark *p;
	struct fw_mark mark;
	uint64_t number;
	int64_t id;
	int kind;

	if (fw_mark_parse(ev->mark.text, &mark) != FW_MARK_OK)
		return;
	kind = fw_frame_mark(&m->ids, mark.name, (int32_t)mark.tgid, ev->ts, &id);
	if (kind < 0) {
		fw_mark_stacks_other(&m->stacks, ev->tid);
		return;
	}
	m->seen[kind] = true;
	number = find(m, kind, (int32_t)mark.tgid, id);
	if (!number)
		number = make(m, kind, (int32_t)mark.tgid, id, ev->ts);
	p = get(m, number);
	p->count++;
	p->open++;
	fw_mark_stacks_push(&m->stacks, ev->tid, number, ev->ts);
}

static void end(struct fw_vsync_marks *m, const struct fw_event *ev)
{
	struct fw_open_mark mark;
	struct fw_vsync_mark *p;

	if (!fw_mark_stacks_pop(&m->stacks, ev->tid, &mark))
		return;
	p = get(m, mark.number);
	if (!p)
		return;
	p->open--;
	p->ns = (int64_t)((uint64_t)p->ns + (uint64_t)ev->ts - (uint64_t)mark.start);
}

void fw_vsync_marks_feed(struct fw_vsync_marks *m, const struct fw_event *ev)
{
	struct fw_str text = ev->mark.text;

	if (ev->type != FW_EV_MARK || !text.len)
		return;
	if (*text.p == 'B')
		begin(m, ev);
	else if (*text.p == 'E')
		end(m, ev);
}
