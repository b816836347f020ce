// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/frames.h"

#include <stdlib.h>

#include "base/mem.h"
#include "frame/gpu.h"

/* A cookie stands for an open frame (its address) or a prediction (its number, with this bit). */
#define COOKIE_EXPECTED 1u

#define PRESENT_LATE 2
#define PRESENT_DROPPED 4

#define REQUIRED_DISPLAY (FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_PID)
#define REQUIRED_SURFACE (REQUIRED_DISPLAY | FW_FT_DISPLAY_TOKEN)

void fw_frames_init(struct fw_frames *fs, struct fw_directory *directory,
		    struct fw_windows *windows, struct fw_names *names, struct fw_health *health)
{
	*fs = (struct fw_frames){
		.directory = directory,
		.windows = windows,
		.names = names,
		.health = health,
		.settle_ns = FW_SETTLE_NS,
	};
}

static void free_windows(struct fw_frames *fs, struct fw_frame *f)
{
	while (f->windows) {
		struct fw_window *next = f->windows->next_in_frame;

		fw_window_drop(fs->windows, f->windows);
		f->windows = next;
	}
}

static void free_frame(struct fw_frames *fs, struct fw_frame *f)
{
	free_windows(fs, f);
	fw_gpu_drop(f);
	free(f);
}

static void append(struct fw_frame_list *l, struct fw_frame *f)
{
	f->prev = l->last;
	f->next = NULL;
	if (l->last)
		l->last->next = f;
	else
		l->first = f;
	l->last = f;
	l->n++;
}

static void take_out(struct fw_frame_list *l, struct fw_frame *f)
{
	if (f->prev)
		f->prev->next = f->next;
	else
		l->first = f->next;
	if (f->next)
		f->next->prev = f->prev;
	else
		l->last = f->prev;
	f->prev = f->next = NULL;
	l->n--;
}

static void free_list(struct fw_frames *fs, struct fw_frame_list *l)
{
	while (l->first) {
		struct fw_frame *f = l->first;

		take_out(l, f);
		if (!f->display)
			free_frame(fs, f);
	}
}

void fw_frames_free(struct fw_frames *fs)
{
	free_list(fs, &fs->open);
	free_list(fs, &fs->waiting);
	for (uint32_t i = 0; fs->displays && i < FW_DISPLAY_FRAMES_MAX; i++)
		if (fs->displays[i])
			free_frame(fs, fs->displays[i]);
	free(fs->displays);
	fw_map_free(&fs->by_display_token);
	fw_map_free(&fs->cookies);
	fw_expectations_free(&fs->expected);
}

static struct fw_frame *display_at(const struct fw_frames *fs, uint64_t number)
{
	if (!number || number > fs->n_displays || number + FW_DISPLAY_FRAMES_MAX <= fs->n_displays)
		return NULL;
	return fs->displays[number % FW_DISPLAY_FRAMES_MAX];
}

uint32_t fw_frames_display(const struct fw_frames *fs, int64_t token, struct fw_frame **f)
{
	uint64_t *newest = fw_map_get(&fs->by_display_token, (uint64_t)token);
	uint32_t n = 0;

	for (struct fw_frame *d = newest ? display_at(fs, *newest) : NULL;
	     d && n < FW_DISPLAYS_OF_TOKEN_MAX; d = display_at(fs, d->older)) {
		n++;
		*f = d;
	}
	return n;
}

/* The role of a window's thread in its frame, or -1. */
static int role_of_window(const struct fw_frames *fs, const struct fw_frame *f,
			  const struct fw_window *w)
{
	if (w->role_final || !w->track)
		return w->role;
	return fw_directory_role(fs->directory, w->track, f->display, f->ft.pid, NULL);
}

struct fw_str fw_plain_layer(struct fw_str layer)
{
	if (!layer.p || !fw_str_starts(layer, FW_STR("TX - ")))
		return layer;
	return (struct fw_str){ layer.p + 5, layer.len - 5 };
}

bool fw_frame_dropped(const struct fw_frame *f)
{
	return (f->ft.has & FW_FT_PRESENT_TYPE) && f->ft.present_type == PRESENT_DROPPED;
}

int fw_frame_late(const struct fw_frame *f)
{
	const struct fw_ev_frame_timeline *ft = &f->ft;

	if (!(ft->has & (FW_FT_PRESENT_TYPE | FW_FT_ON_TIME)))
		return -1;
	if ((ft->has & FW_FT_PRESENT_TYPE) &&
	    (ft->present_type == PRESENT_LATE || ft->present_type == PRESENT_DROPPED))
		return 1;
	return (ft->has & FW_FT_ON_TIME) && !ft->on_time;
}

static void choose(struct fw_frame *f, enum fw_role r, struct fw_window *w)
{
	struct fw_window *best = f->thread[r];
	int64_t ran = w->ns[FW_FIG_RUNNING];

	f->n_threads[r]++;
	if (!best || ran > best->ns[FW_FIG_RUNNING] ||
	    (ran == best->ns[FW_FIG_RUNNING] && w->tid < best->tid))
		f->thread[r] = w;
}

int fw_frame_sum(struct fw_frames *fs, struct fw_frame *f)
{
	int err = 0;

	if (f->summed || f->end == FW_FRAME_OPEN)
		return 0;
	f->summed = true;
	for (struct fw_window *w = f->windows; w && !err; w = w->next_in_frame) {
		err = fw_window_settle(fs->windows, w, fs->last_ts);
		w->role = (int8_t)role_of_window(fs, f, w);
		if (w->role >= 0)
			choose(f, w->role, w);
	}
	return err;
}

/* A display frame is kept for the surface frames that it shows, but not all its threads. */
static void trim(struct fw_frames *fs, struct fw_frame *f)
{
	struct fw_window **p = &f->windows, *w;

	while ((w = *p)) {
		if (w->role >= 0 && f->thread[w->role] == w) {
			p = &w->next_in_frame;
			continue;
		}
		*p = w->next_in_frame;
		fw_window_drop(fs->windows, w);
	}
}

/* Ended frames up to @now have been passed. */
static void pass(struct fw_frames *fs, int64_t now)
{
	struct fw_frame *f = fs->not_passed;

	for (; f && now - f->end > FW_PASSED_NS; f = f->next) {
		f->past = true;
		if (f->wanted)
			fs->passed(fs->ctx, f);
	}
	fs->not_passed = f;
}

static int settle(struct fw_frames *fs, struct fw_frame *f)
{
	int err = fw_frame_sum(fs, f);

	f->settled = true;
	/* While a capture grows a name may come after the frame has begun. */
	if (!f->process)
		f->process = fw_directory_process_name(fs->directory, f->ft.pid);
	if (!err && f->wanted)
		err = fs->settled(fs->ctx, f);
	if (f->display)
		trim(fs, f);
	else
		free_frame(fs, f);
	return err;
}

static int settle_first(struct fw_frames *fs, struct fw_frame_list *l)
{
	struct fw_frame *f = l->first;

	if (f == fs->not_passed)
		fs->not_passed = f->next;
	take_out(l, f);
	return settle(fs, f);
}

/* A frame is forgotten while it is still open: its end, should it come, ends nothing. */
static int give_up(struct fw_frames *fs, struct fw_frame *f)
{
	uint64_t *slot = fw_map_get(&fs->cookies, (uint64_t)f->ft.cookie);

	if (slot && *slot == (uint64_t)(uintptr_t)f)
		fw_map_del(&fs->cookies, (uint64_t)f->ft.cookie);
	take_out(&fs->open, f);
	return settle(fs, f);
}

/* Make room among the display frames; the oldest has been shown long ago. */
static int keep_display(struct fw_frames *fs, struct fw_frame *f)
{
	uint64_t number = ++fs->n_displays, *newest;
	struct fw_frame **slot, *old;
	int err = 0;

	if (!fs->displays)
		fs->displays = fw_calloc(FW_DISPLAY_FRAMES_MAX, sizeof(*fs->displays));
	slot = &fs->displays[number % FW_DISPLAY_FRAMES_MAX];
	old = *slot;
	if (old) {
		if (!old->settled && old->end == FW_FRAME_OPEN) {
			err = give_up(fs, old);
		} else if (!old->settled) {
			if (old == fs->not_passed)
				fs->not_passed = old->next;
			take_out(&fs->waiting, old);
			err = settle(fs, old);
		}
		newest = fw_map_get(&fs->by_display_token, (uint64_t)old->ft.token);
		if (newest && *newest == number - FW_DISPLAY_FRAMES_MAX)
			fw_map_del(&fs->by_display_token, (uint64_t)old->ft.token);
		free_frame(fs, old);
	}
	newest = fw_map_slot(&fs->by_display_token, (uint64_t)f->ft.token);
	f->older = *newest;
	*newest = number;
	*slot = f;
	return err;
}

static void open_window(struct fw_frames *fs, struct fw_frame *f, struct fw_track *t, int64_t now)
{
	bool maybe;
	int role = fw_directory_role(fs->directory, t, f->display, f->ft.pid, &maybe);
	struct fw_window *w;

	if (role < 0 && !maybe)
		return;
	w = fw_window_open(fs->windows, t, f, f->start, now);
	w->role = (int8_t)role;
	w->next_in_frame = f->windows;
	f->windows = w;
}

static void open_windows(struct fw_frames *fs, struct fw_frame *f)
{
	struct fw_proc *p = fw_directory_proc(fs->directory, f->ft.pid);

	for (struct fw_track *t = p ? p->tracks : NULL; t; t = t->next_in_proc)
		open_window(fs, f, t, f->start);
	for (struct fw_proc *h = f->display ? fs->directory->hwc : NULL; h; h = h->next_hwc)
		for (struct fw_track *t = h == p ? NULL : h->tracks; t; t = t->next_in_proc)
			open_window(fs, f, t, f->start);
}

void fw_frames_followed(struct fw_frames *fs, struct fw_track *t, int64_t now)
{
	for (struct fw_frame *f = fs->open.first; f; f = f->next)
		if (t->proc && (t->proc->pid == f->ft.pid || (f->display && t->proc->hwc)))
			open_window(fs, f, t, now);
}

static int count_error(struct fw_frames *fs)
{
	fw_health_add(fs->health, FW_H_frame_timeline_event_parser_errors, FW_HEALTH_NO_IDX, 1);
	return 0;
}

static void set_cookie(struct fw_frames *fs, int64_t cookie, uint64_t value)
{
	fw_map_set(&fs->cookies, (uint64_t)cookie, value);
}

/* Predictions, and actual frames that nobody wants: only their end must find them. */
static void add_expected(struct fw_frames *fs, const struct fw_event *ev, bool display, int32_t pid)
{
	struct fw_expected x = { .token = ev->ft.token,
				 .start = ev->ts,
				 .end = FW_EXPECTED_OPEN,
				 .cookie = ev->ft.cookie,
				 .pid = pid,
				 .display = display };
	int64_t evicted = 0;
	uint64_t number = fw_expectations_add(&fs->expected, &x, &evicted), *slot;

	if (number > FW_EXPECTED_MAX) {
		slot = fw_map_get(&fs->cookies, (uint64_t)evicted);
		if (slot && *slot == ((number - FW_EXPECTED_MAX) << 1 | COOKIE_EXPECTED))
			fw_map_del(&fs->cookies, (uint64_t)evicted);
	}
	set_cookie(fs, ev->ft.cookie, number << 1 | COOKIE_EXPECTED);
}

static int start_actual(struct fw_frames *fs, const struct fw_event *ev, bool display)
{
	struct fw_frame *f = fw_zalloc(sizeof(*f));
	struct fw_str layer = display ? FW_STR_NONE : ev->ft.layer;
	int err = 0;

	f->display = display;
	f->ft = ev->ft;
	f->ft.layer = FW_STR_NONE;
	f->start = f->gpu_from = ev->ts;
	f->end = FW_FRAME_OPEN;
	f->gpu_mem_total = f->gpu_mem_process = -1;
	f->layer = fw_names_id(fs->names, layer);
	f->plain_layer = fw_names_id(fs->names, fw_plain_layer(layer));
	f->process = fw_directory_process_name(fs->directory, ev->ft.pid);
	f->wanted = fs->wanted(fs->ctx, f);
	if (!f->wanted && !display) {
		free(f);
		/* No process has the pid -1, so that it is nobody's prediction. */
		add_expected(fs, ev, false, -1);
		return 0;
	}
	if (fs->open.n == FW_FRAMES_OPEN_MAX)
		err = give_up(fs, fs->open.first);
	while (!err && fs->windows->n > FW_WINDOWS_MAX && (fs->waiting.first || fs->open.first))
		err = fs->waiting.first ? settle_first(fs, &fs->waiting)
					: give_up(fs, fs->open.first);
	if (display && !err)
		err = keep_display(fs, f);
	append(&fs->open, f);
	set_cookie(fs, ev->ft.cookie, (uint64_t)(uintptr_t)f);
	open_windows(fs, f);
	return err;
}

static int start(struct fw_frames *fs, const struct fw_event *ev)
{
	bool display = ev->type == FW_EV_EXPECTED_DISPLAY || ev->type == FW_EV_ACTUAL_DISPLAY;
	uint32_t required = display ? REQUIRED_DISPLAY : REQUIRED_SURFACE;

	if ((ev->ft.has & required) != required || ev->ts < 0)
		return count_error(fs);
	if (ev->type == FW_EV_EXPECTED_DISPLAY || ev->type == FW_EV_EXPECTED_SURFACE) {
		add_expected(fs, ev, display, ev->ft.pid);
		return 0;
	}
	return start_actual(fs, ev, display);
}

static int end_actual(struct fw_frames *fs, struct fw_frame *f, int64_t end)
{
	f->end = FW_MAX(end, f->start);
	fw_frequency_add(&f->gpu_frequency, fs->gpu_khz, f->gpu_from, f->end);
	for (struct fw_window *w = f->windows; w; w = w->next_in_frame)
		fw_window_end(fs->windows, w, f->end);
	take_out(&fs->open, f);
	append(&fs->waiting, f);
	if (!fs->not_passed)
		fs->not_passed = f;
	if (fs->waiting.n > FW_FRAMES_WAITING_MAX)
		return settle_first(fs, &fs->waiting);
	return 0;
}

static int end(struct fw_frames *fs, const struct fw_event *ev)
{
	struct fw_expected *x;
	uint64_t *slot, value;

	if (!(ev->ft.has & FW_FT_COOKIE))
		return count_error(fs);
	slot = fw_map_get(&fs->cookies, (uint64_t)ev->ft.cookie);
	if (!slot) {
		fw_health_add(fs->health, FW_H_frame_timeline_unpaired_end_event, FW_HEALTH_NO_IDX,
			      1);
		return 0;
	}
	value = *slot;
	fw_map_del(&fs->cookies, (uint64_t)ev->ft.cookie);
	if (!(value & COOKIE_EXPECTED))
		return end_actual(fs, (struct fw_frame *)(uintptr_t)value, ev->ts);
	x = fw_expectations_get(&fs->expected, value >> 1);
	if (x)
		x->end = FW_MAX(ev->ts, x->start);
	return 0;
}

static void gpu_frequency(struct fw_frames *fs, const struct fw_event *ev)
{
	for (struct fw_frame *f = fs->open.first; f; f = f->next) {
		fw_frequency_add(&f->gpu_frequency, fs->gpu_khz, f->gpu_from, ev->ts);
		f->gpu_from = FW_MAX(f->gpu_from, ev->ts);
	}
	fs->gpu_khz = FW_MAX(ev->freq.value, 0);
}

int fw_frames_feed(struct fw_frames *fs, const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_EXPECTED_SURFACE:
	case FW_EV_EXPECTED_DISPLAY:
	case FW_EV_ACTUAL_SURFACE:
	case FW_EV_ACTUAL_DISPLAY:
		return ev->ft.has & FW_FT_EMPTY ? count_error(fs) : start(fs, ev);
	case FW_EV_FRAME_END:
		return ev->ft.has & FW_FT_EMPTY ? count_error(fs) : end(fs, ev);
	case FW_EV_GPU_FREQUENCY:
		/* The first GPU; others would mix with it. */
		if (!ev->freq.unit)
			gpu_frequency(fs, ev);
		return 0;
	default:
		return 0;
	}
}

/* Settle those that miss nothing. */
static int look(struct fw_frames *fs, int64_t now)
{
	struct fw_frame *next;
	int err = 0;

	fs->next_look = now + FW_LOOK_NS;
	for (struct fw_frame *f = fs->waiting.first; f && f->past && !err; f = next) {
		next = f->next;
		if (!fs->complete(fs->ctx, f, now))
			continue;
		take_out(&fs->waiting, f);
		err = settle(fs, f);
	}
	return err;
}

int64_t fw_frames_oldest(const struct fw_frames *fs)
{
	int64_t oldest = fs->open.first ? fs->open.first->start : INT64_MAX;

	for (const struct fw_frame *f = fs->waiting.first; f; f = f->next)
		oldest = FW_MIN(oldest, f->start);
	return oldest;
}

int fw_frames_advance(struct fw_frames *fs, int64_t now)
{
	int err = 0;

	fs->last_ts = FW_MAX(fs->last_ts, now);
	if (fs->not_passed)
		pass(fs, now);
	while (!err && fs->waiting.first && now - fs->waiting.first->end > fs->settle_ns)
		err = settle_first(fs, &fs->waiting);
	if (!err && fs->complete && now >= fs->next_look)
		err = look(fs, now);
	while (!err && fs->open_ns && fs->open.first && now - fs->open.first->start > fs->open_ns)
		err = give_up(fs, fs->open.first);
	return err;
}

int fw_frames_finish(struct fw_frames *fs, int64_t last_ts)
{
	int err = 0;

	fs->last_ts = last_ts;
	pass(fs, INT64_MAX);
	while (!err && fs->waiting.first)
		err = settle_first(fs, &fs->waiting);
	while (!err && fs->open.first)
		err = settle_first(fs, &fs->open);
	return err;
}

void fw_frames_lost(struct fw_frames *fs, int64_t start, int64_t end)
{
	for (struct fw_frame *f = fs->open.first; f; f = f->next)
		f->loss |= f->start < end;
	for (struct fw_frame *f = fs->waiting.last; f && f->end > start; f = f->prev)
		f->loss |= f->start < end;
}
