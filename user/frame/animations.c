// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/animations.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* Walking all unsettled frames costs too much for each event. */
#define LOOK_EVERY_NS INT64_C(1000000000)

const char *fw_animation_status_name(enum fw_animation_status s)
{
	static const char *const names[] = { "open", "closed", "restarted", "no-begin" };

	return names[s];
}

static void append(struct fw_animation_list *l, struct fw_animation_run *a)
{
	a->prev = l->last;
	a->next = NULL;
	if (l->last)
		l->last->next = a;
	else
		l->first = a;
	l->last = a;
	l->n++;
}

static void take_out(struct fw_animation_list *l, struct fw_animation_run *a)
{
	if (a->prev)
		a->prev->next = a->next;
	else
		l->first = a->next;
	if (a->next)
		a->next->prev = a->prev;
	else
		l->last = a->prev;
	l->n--;
}

static void free_run(struct fw_animation_run *a)
{
	free(a->name);
	free(a);
}

static void free_list(struct fw_animation_list *l)
{
	while (l->first) {
		struct fw_animation_run *a = l->first;

		take_out(l, a);
		free_run(a);
	}
}

void fw_animations_free(struct fw_animations *as)
{
	free_list(&as->open);
	free_list(&as->ended);
}

static int give(struct fw_animations *as, struct fw_animation_list *l, struct fw_animation_run *a)
{
	int err = as->done(as->ctx, a);

	take_out(l, a);
	free_run(a);
	return err;
}

/* NULL: the name says nothing. */
static struct fw_animation_run *new_run(struct fw_animations *as, const struct fw_animation_mark *m)
{
	struct fw_animation_run *a;

	if (m->track.len + m->name.len > FW_ANIMATION_NAME_MAX) {
		fw_health_add(as->health, FW_H_fw_animation_bad, FW_HEALTH_NO_IDX, 1);
		return NULL;
	}
	a = fw_zalloc(sizeof(*a));
	a->track_len = m->track.len;
	a->name_len = m->name.len;
	a->name = fw_zalloc(m->track.len + m->name.len + 1);
	if (m->track.len)
		memcpy(a->name, m->track.p, m->track.len);
	memcpy(a->name + m->track.len, m->name.p, m->name.len);
	if (!fw_animation_parse((struct fw_str){ a->name + a->track_len, a->name_len }, &a->said)) {
		fw_health_add(as->health, FW_H_fw_animation_bad, FW_HEALTH_NO_IDX, 1);
		free_run(a);
		return NULL;
	}
	as->seen = true;
	a->pid = m->pid;
	a->cookie = m->cookie;
	a->start = a->end = a->longest = FW_ANIMATION_UNKNOWN;
	a->until = INT64_MAX;
	return a;
}

static bool on_track(const struct fw_animation_run *a, const struct fw_animation_mark *m)
{
	return a->track_len == m->track.len &&
	       (!a->track_len || !memcmp(a->name, m->track.p, a->track_len));
}

static bool same_id(const struct fw_animation_run *a, const struct fw_animation *said)
{
	return a->said.source == said->source && fw_str_eq(a->said.id, said->id);
}

/* The newest open section that an end or another begin of the same means. */
static struct fw_animation_run *find(const struct fw_animations *as,
				     const struct fw_animation_mark *m,
				     const struct fw_animation *said)
{
	for (struct fw_animation_run *a = as->open.last; a; a = a->prev) {
		if (a->pid != m->pid || !on_track(a, m) || (said && !same_id(a, said)))
			continue;
		/* An ID that begins again may have another cookie. */
		if (m->begin || a->cookie == m->cookie)
			return a;
	}
	return NULL;
}

static int keep_ended(struct fw_animations *as, struct fw_animation_run *a)
{
	append(&as->ended, a);
	if (as->ended.n <= FW_ANIMATIONS_KEPT_MAX)
		return 0;
	fw_health_add(as->health, FW_H_fw_animations_evicted, FW_HEALTH_NO_IDX, 1);
	return give(as, &as->ended, as->ended.first);
}

static int begin(struct fw_animations *as, const struct fw_animation_mark *m, int64_t ts)
{
	struct fw_animation_run *a = new_run(as, m), *before = a ? find(as, m, &a->said) : NULL;
	int err = 0;

	if (!a)
		return 0;
	if (before) {
		before->status = FW_ANIMATION_RESTARTED;
		before->until = ts;
		take_out(&as->open, before);
		err = keep_ended(as, before);
	}
	if (!err && as->open.n == FW_ANIMATIONS_OPEN_MAX) {
		fw_health_add(as->health, FW_H_fw_animations_evicted, FW_HEALTH_NO_IDX, 1);
		err = give(as, &as->open, as->open.first);
	}
	a->status = FW_ANIMATION_OPEN;
	a->start = ts;
	append(&as->open, a);
	return err;
}

static int end(struct fw_animations *as, const struct fw_animation_mark *m, int64_t ts)
{
	struct fw_animation said;
	bool named = m->name.p && fw_animation_parse(m->name, &said);
	struct fw_animation_run *a = find(as, m, named ? &said : NULL);

	if (a) {
		a->status = FW_ANIMATION_CLOSED;
		take_out(&as->open, a);
	} else {
		/* An end on a track may be of anything. */
		a = named ? new_run(as, m) : NULL;
		if (!a)
			return 0;
		a->status = FW_ANIMATION_NO_BEGIN;
		a->uncounted = ts - as->first_ts > *as->settle_ns;
	}
	a->end = a->until = ts;
	return keep_ended(as, a);
}

int fw_animations_feed(struct fw_animations *as, const struct fw_event *ev)
{
	struct fw_animation_mark m;
	int found = fw_animation_mark(ev->mark.text, &m);

	if (found < 0)
		fw_health_add(as->health, FW_H_fw_animation_bad, FW_HEALTH_NO_IDX, 1);
	if (found <= 0)
		return 0;
	return m.begin ? begin(as, &m, ev->ts) : end(as, &m, ev->ts);
}

static bool concerns(const struct fw_animation_run *a, const struct fw_frame *f)
{
	/* Of a frame without an end only its start is known. */
	int64_t last = f->end == FW_FRAME_OPEN || f->end == f->start ? f->start : f->end - 1;

	return (f->display || a->pid == f->ft.pid) && a->start <= last && a->until > f->start;
}

/* SurfaceFlinger's own word on jank; failing that, whether it was late. -1: neither. */
static int is_janky(const struct fw_frame *f)
{
	if (f->ft.has & FW_FT_JANK_TYPE)
		return (f->ft.jank_type & ~1) != 0;
	return fw_frame_late(f);
}

static void count_frame(struct fw_animation_run *a, const struct fw_frame *f)
{
	int janky = is_janky(f);
	int64_t ns = f->end == FW_FRAME_OPEN ? FW_ANIMATION_UNKNOWN : f->end - f->start;

	a->frames++;
	a->judged += janky >= 0;
	a->janky += janky > 0;
	if (ns > a->longest) {
		a->longest = ns;
		a->longest_token = f->ft.token;
		a->longest_start = f->start;
	}
}

static size_t name_run(char *to, size_t room, const struct fw_animation_run *a, bool first)
{
	struct fw_str target = a->said.target, property = a->said.property;
	int n = snprintf(to, room, "%s%s %.*s%s%.*s%s%.*s", first ? "" : "; ",
			 fw_animation_source_name(a->said.source), (int)FW_MIN(a->said.id.len, 24),
			 a->said.id.p, target.len ? " " : "", (int)FW_MIN(target.len, 48),
			 target.len ? target.p : "", property.len ? "." : "",
			 (int)FW_MIN(property.len, 24), property.len ? property.p : "");

	return n < 0 ? 0 : FW_MIN((size_t)n, room - 1);
}

struct fw_str fw_animations_frame(struct fw_animations *as, const struct fw_frame *f, uint32_t *n,
				  char text[FW_ANIMATIONS_TEXT])
{
	const struct fw_animation_list *lists[] = { &as->ended, &as->open };
	size_t len = 0;

	*n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (struct fw_animation_run *a = lists[i]->first; a; a = a->next) {
			if (!concerns(a, f))
				continue;
			if (!f->display)
				count_frame(a, f);
			if (++*n <= FW_ANIMATIONS_NAMED)
				len += name_run(text + len, FW_ANIMATIONS_TEXT - len, a, *n == 1);
		}
	}
	if (*n > FW_ANIMATIONS_NAMED)
		len += (size_t)snprintf(text + len, FW_ANIMATIONS_TEXT - len, "; +%u",
					*n - FW_ANIMATIONS_NAMED);
	return *n ? (struct fw_str){ text, len } : FW_STR_NONE;
}

int fw_animations_advance(struct fw_animations *as, const struct fw_frames *fs, int64_t now)
{
	int64_t oldest;
	int err = 0;

	if (!as->ended.first || now < as->next_look)
		return 0;
	as->next_look = now > INT64_MAX - LOOK_EVERY_NS ? INT64_MAX : now + LOOK_EVERY_NS;
	oldest = FW_MIN(fw_frames_oldest(fs), now);
	while (!err && as->ended.first && as->ended.first->until < oldest)
		err = give(as, &as->ended, as->ended.first);
	return err;
}

int fw_animations_finish(struct fw_animations *as)
{
	int err = 0;

	while (!err && as->ended.first)
		err = give(as, &as->ended, as->ended.first);
	while (!err && as->open.first)
		err = give(as, &as->open, as->open.first);
	return err;
}
