// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

/* More wakers or functions than this in one window are beyond "top". */
#define TALLY_MAX 64

void fw_frequency_add(struct fw_frequency *f, int64_t khz, int64_t start, int64_t end)
{
	uint64_t ns = (uint64_t)end - (uint64_t)start;

	if (end <= start || khz <= 0)
		return;
	f->min = f->ns ? FW_MIN(f->min, khz) : khz;
	f->max = f->ns ? FW_MAX(f->max, khz) : khz;
	f->ns += ns;
	f->khz_ns += (unsigned __int128)ns * (uint64_t)khz;
}

void fw_frequency_merge(struct fw_frequency *to, const struct fw_frequency *from)
{
	if (!from->ns)
		return;
	to->min = to->ns ? FW_MIN(to->min, from->min) : from->min;
	to->max = to->ns ? FW_MAX(to->max, from->max) : from->max;
	to->ns += from->ns;
	to->khz_ns += from->khz_ns;
}

static struct fw_tally_entry *tally_add(struct fw_tally *t, int64_t key, int64_t ns)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->e[i].key == key) {
			t->e[i].ns += ns;
			return &t->e[i];
		}
	if (t->n == TALLY_MAX)
		return NULL;
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 4;
		t->e = fw_realloc(t->e, t->cap, sizeof(*t->e));
	}
	t->e[t->n] = (struct fw_tally_entry){ key, 0, ns };
	return &t->e[t->n++];
}

static void add_waker(struct fw_windows *ws, struct fw_window *w, const struct fw_interval *iv,
		      int64_t ns)
{
	bool irq = iv->flags & FW_IVF_IRQ_WAKE;
	struct fw_tally_entry *e =
		tally_add(&w->wakers, irq ? FW_WAKER_INTERRUPT : iv->waker_tid, ns);

	if (e && !irq && !e->name && iv->waker.len)
		e->name = fw_names_id(ws->names, iv->waker);
}

const struct fw_tally_entry *fw_tally_top(const struct fw_tally *t)
{
	const struct fw_tally_entry *top = NULL;

	for (uint32_t i = 0; i < t->n; i++)
		if (!top || t->e[i].ns > top->ns ||
		    (t->e[i].ns == top->ns && t->e[i].key < top->key))
			top = &t->e[i];
	return top;
}

/* Keep the top only: many windows wait for their frame's other parts. */
static void tally_close(struct fw_tally *t)
{
	const struct fw_tally_entry *top = fw_tally_top(t);

	if (!top)
		return;
	t->e[0] = *top;
	t->n = t->cap = 1;
	t->e = fw_realloc(t->e, 1, sizeof(*t->e));
}

static void link_window(struct fw_track *t, struct fw_window *w)
{
	w->next = t->windows;
	w->link = &t->windows;
	if (w->next)
		w->next->link = &w->next;
	t->windows = w;
}

static void unlink_window(struct fw_window *w)
{
	if (!w->link)
		return;
	*w->link = w->next;
	if (w->next)
		w->next->link = w->link;
	w->next = NULL;
	w->link = NULL;
}

/* All its time is accounted. */
static void complete(struct fw_window *w)
{
	unlink_window(w);
	w->done = true;
	tally_close(&w->functions);
	tally_close(&w->sleep_functions);
	tally_close(&w->wakers);
}

struct fw_window *fw_window_open(struct fw_windows *ws, struct fw_track *t, void *frame,
				 int64_t start, int64_t now)
{
	struct fw_window *w = fw_zalloc(sizeof(*w));
	int32_t cpu = fw_thread_state_cpu(&t->state);

	w->track = t;
	w->frame = frame;
	w->tid = t->state.tid;
	w->start = w->frontier = w->frequency_from = start;
	w->end = w->gone = FW_WINDOW_OPEN;
	if (cpu >= 0 && now == start) {
		w->irq_at_start = fw_cpus_irq(ws->cpus, cpu, start);
		w->runs_at_start = true;
	}
	link_window(t, w);
	t->refs++;
	ws->n++;
	return w;
}

void fw_window_end(struct fw_windows *ws, struct fw_window *w, int64_t end)
{
	int32_t cpu = w->track ? fw_thread_state_cpu(&w->track->state) : -1;

	w->end = FW_MAX(end, w->start);
	if (cpu >= 0) {
		w->irq_at_end = fw_cpus_irq(ws->cpus, cpu, end);
		w->runs_at_end = true;
	}
	/* Captured intervals may have passed it already. */
	if (w->frontier > w->end)
		w->broken = true;
	if (w->frontier == w->end)
		complete(w);
}

static enum fw_figure figure_of(const struct fw_interval *iv)
{
	switch (iv->state) {
	case FW_STATE_RUNNING:
		return FW_FIG_RUNNING;
	case FW_STATE_RUNNABLE:
		return FW_FIG_RUNNABLE;
	case FW_STATE_PREEMPTED:
		return FW_FIG_PREEMPTED;
	case FW_STATE_SLEEPING:
		return FW_FIG_SLEEPING;
	case FW_STATE_BLOCKED:
		return iv->io_wait < 0 ? FW_FIG_BLOCKED_UNKNOWN
		       : iv->io_wait   ? FW_FIG_BLOCKED_IO
				       : FW_FIG_BLOCKED_NONIO;
	default:
		return FW_FIG_OTHER;
	}
}

/* Interrupt time of a part of a running interval. */
static void add_irq(struct fw_window *w, struct fw_part *part)
{
	const struct fw_interval *iv = part->iv;
	struct fw_irq_time from = iv->irq_start;
	struct fw_irq_time to = { from.irq + iv->irq.irq, from.softirq + iv->irq.softirq };
	bool captured = iv->flags & FW_IVF_CAPTURED;

	if (iv->flags & FW_IVF_IRQ)
		w->irq_known = true;
	part->irq_known = true;
	if (part->start > iv->start) {
		from = w->irq_at_start;
		part->irq_known = w->runs_at_start && !captured;
	}
	/* Also where it was cut there: the totals may have gone on since. */
	if (part->end == w->end && w->runs_at_end && !captured)
		to = w->irq_at_end;
	else if (part->end < iv->end)
		part->irq_known = false;
	if (!part->irq_known) {
		w->irq_share = true;
		return;
	}
	part->irq = (struct fw_irq_time){ to.irq - from.irq, to.softirq - from.softirq };
	w->irq.irq += part->irq.irq;
	w->irq.softirq += part->irq.softirq;
}

static void add_running(struct fw_windows *ws, struct fw_window *w, struct fw_part *part)
{
	const struct fw_interval *iv = part->iv;

	add_irq(w, part);
	if (iv->cpu >= 0 && !(iv->flags & FW_IVF_CAPTURED))
		fw_frequency_add(&w->frequency, fw_cpus_khz(ws->cpus, iv->cpu),
				 FW_MAX(part->start, w->frequency_from), part->end);
	w->frequency_from = FW_MAX(part->end, w->frequency_from);
}

static void add_sleep(struct fw_windows *ws, struct fw_window *w, const struct fw_part *part)
{
	const struct fw_interval *iv = part->iv;
	int64_t ns = part->end - part->start;

	if (iv->function)
		tally_add(iv->state == FW_STATE_BLOCKED ? &w->functions : &w->sleep_functions,
			  iv->function, ns);
	if (iv->state == FW_STATE_BLOCKED && iv->io_wait < 0 && (iv->flags & FW_IVF_CUT))
		w->settled = true;
	/* A wake after the window ended nothing in it. */
	if (iv->waker_tid >= 0 && iv->end <= w->end)
		add_waker(ws, w, iv, ns);
}

static void add_wait(struct fw_window *w, const struct fw_interval *iv, int64_t ns)
{
	w->wait = iv->flags & FW_IVF_CONTINUED ? w->wait + ns : ns;
	w->longest_wait = FW_MAX(w->longest_wait, w->wait);
}

static void add_part(struct fw_windows *ws, struct fw_window *w, const struct fw_interval *iv,
		     int64_t start, int64_t end)
{
	struct fw_part part = { .start = start, .end = end, .iv = iv };
	enum fw_figure figure = iv ? figure_of(iv) : FW_FIG_UNOBSERVED;
	int64_t ns = end - start;

	w->ns[figure] += ns;
	w->frontier = end;
	if (figure == FW_FIG_RUNNING)
		add_running(ws, w, &part);
	else if (figure == FW_FIG_RUNNABLE || figure == FW_FIG_PREEMPTED)
		add_wait(w, iv, ns);
	else if (iv)
		add_sleep(ws, w, &part);
	if (iv && (iv->flags & FW_IVF_NO_WAKE))
		w->no_wake = true;
	if (ws->interval)
		ws->interval(ws->ctx, w, &part);
}

static void account(struct fw_windows *ws, struct fw_window *w, const struct fw_interval *iv)
{
	int64_t start = FW_MAX(iv->start, w->frontier), end = FW_MIN(iv->end, w->end);

	if (iv->start >= w->start && iv->start < w->end && !(iv->flags & FW_IVF_CONTINUED)) {
		w->switches += iv->state == FW_STATE_RUNNING;
		if (iv->state == FW_STATE_RUNNABLE && !(iv->flags & FW_IVF_NEW)) {
			w->wakes++;
			if (iv->waker_tid >= 0)
				add_waker(ws, w, iv, 0);
		}
	}
	/* Only the first interval of a window may begin before what is accounted. */
	if (iv->start < w->frontier && w->frontier > w->start && !(iv->flags & FW_IVF_CAPTURED))
		w->broken = true;
	if (iv->end <= w->frontier)
		return;
	start = FW_MIN(start, w->end);
	if (start > w->frontier)
		add_part(ws, w, NULL, w->frontier, start);
	if (end > start)
		add_part(ws, w, iv, start, end);
	if (w->frontier >= w->end)
		complete(w);
}

const struct fw_fence_share *fw_window_top_fence(const struct fw_window *w)
{
	const struct fw_fence_share *top = NULL;

	for (int i = 0; i < FW_WINDOW_FENCES && w->fences[i].ns; i++)
		if (!top || w->fences[i].ns > top->ns)
			top = &w->fences[i];
	return top;
}

static void add_fence(struct fw_window *w, const struct fw_fence *f, int64_t ns)
{
	w->fence_wait += ns;
	for (int i = 0; i < FW_WINDOW_FENCES; i++) {
		struct fw_fence_share *s = &w->fences[i];

		if (!s->ns)
			*s = (struct fw_fence_share){ f->context, f->seqno, f->driver, f->timeline,
						      0 };
		if (s->context != f->context || s->seqno != f->seqno)
			continue;
		s->ns += ns;
		return;
	}
}

void fw_windows_fence(struct fw_track *t, const struct fw_interval *iv, const struct fw_fence *f)
{
	for (struct fw_window *w = t->windows; w; w = w->next) {
		int64_t start = FW_MAX(iv->start, w->frontier), end = FW_MIN(iv->end, w->end);

		if (!w->done && end > start)
			add_fence(w, f, end - start);
	}
}

void fw_windows_account(struct fw_windows *ws, struct fw_track *t, const struct fw_interval *iv)
{
	struct fw_window *next;

	for (struct fw_window *w = t->windows; w; w = next) {
		next = w->next;
		account(ws, w, iv);
	}
}

void fw_windows_frequency(struct fw_track *t, int64_t khz, int64_t ts)
{
	for (struct fw_window *w = t->windows; w; w = w->next) {
		int64_t from = FW_MAX(FW_MAX(w->frequency_from, t->state.in_ts), w->start);
		int64_t to = FW_MIN(ts, w->end);

		fw_frequency_add(&w->frequency, khz, from, to);
		w->frequency_from = FW_MAX(w->frequency_from, to);
	}
}

struct cut {
	struct fw_windows *ws;
	struct fw_window *w;
};

static void account_cut(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct cut *c = ctx;

	if (!c->w->done)
		account(c->ws, c->w, iv);
}

int fw_window_settle(struct fw_windows *ws, struct fw_window *w, int64_t until)
{
	struct cut c = { ws, w };
	int64_t sum = 0;

	if (w->end == FW_WINDOW_OPEN)
		return 0;
	if (!w->done) {
		if (w->track)
			fw_thread_state_cut(ws->machine, &w->track->state, FW_MIN(until, w->end),
					    account_cut, &c);
		if (w->gone < w->end && w->frontier < w->end) {
			struct fw_interval dead = { .start = FW_MAX(w->gone, w->frontier),
						    .end = FW_MIN(until, w->end),
						    .state = FW_STATE_DEAD,
						    .io_wait = -1,
						    .cpu = -1,
						    .waker_tid = -1 };

			if (dead.end > dead.start)
				account(ws, w, &dead);
		}
		if (w->frontier < w->end)
			add_part(ws, w, NULL, w->frontier, w->end);
		if (!w->done)
			complete(w);
	}
	for (int i = 0; i < FW_WINDOW_TIMES; i++)
		sum += w->ns[i];
	if (sum != w->end - w->start || w->broken)
		return fw_fail(EPROTO,
			       "thread %d: states add up to %" PRId64 " ns in a window of %" PRId64
			       " ns from %" PRId64 "; this is a mistake of framewait",
			       w->tid, sum, w->end - w->start, w->start);
	return 0;
}

void fw_windows_gone(struct fw_windows *ws, struct fw_track *t, int64_t ts, bool dead)
{
	while (t->windows) {
		struct fw_window *w = t->windows;
		struct cut c = { ws, w };

		fw_thread_state_cut(ws->machine, &t->state, FW_MIN(ts, w->end), account_cut, &c);
		unlink_window(w);
		w->track = NULL;
		t->refs--;
		w->name = t->name;
		w->gone = dead ? ts : FW_WINDOW_OPEN;
	}
}

void fw_window_drop(struct fw_windows *ws, struct fw_window *w)
{
	ws->n--;
	if (ws->drop)
		ws->drop(ws->ctx, w);
	unlink_window(w);
	if (w->track && !--w->track->refs && w->track->forgotten)
		free(w->track);
	free(w->functions.e);
	free(w->sleep_functions.e);
	free(w->wakers.e);
	free(w);
}
