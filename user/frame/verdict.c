// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "frame/roles.h"
#include "model/jank.h"

/* What a rule returns besides a time in ns: it does not hold, or explains all of the overrun. */
#define NO 0
#define WHOLE INT64_MAX

/* Whom SurfaceFlinger names. */
enum {
	JANK_PREDICTION_OR_MODE = FW_JANK_PREDICTION_ERROR | FW_JANK_DISPLAY_NOT_ON |
				  FW_JANK_MODE_CHANGE | FW_JANK_POWER_MODE_CHANGE,
	JANK_STUFFING = FW_JANK_BUFFER_STUFFING | FW_JANK_SF_STUFFING,
	JANK_COMPOSITION = FW_JANK_SF_SCHEDULING | FW_JANK_SF_CPU | FW_JANK_SF_GPU,
	JANK_APP = FW_JANK_APP_DEADLINE | FW_JANK_APP_RESYNCED,
	JANK_NOT_APP =
		JANK_PREDICTION_OR_MODE | JANK_STUFFING | JANK_COMPOSITION | FW_JANK_DISPLAY_HAL,
};

/*
 * Whose threads and work are looked at: the app's where it missed its deadline, else those of who
 * shows frames. Of a frame that was in time and dropped there are none: no display frame is known
 * that should have shown it.
 */
enum place { AT_APP, AT_DISPLAY, AT_NOBODY };

/**
 * struct facts - a late frame, as the rules see it
 * @jank: bits of the frame and of its display frame
 * @overrun: ns; 0: not known
 * @explained: ns, by the rules before, where they look at who shows frames
 */
struct facts {
	const struct fw_cell *c;
	enum place at;
	bool display, dropped;
	int64_t jank;
	int64_t overrun, explained;
};

static int64_t known(const struct fw_cell *c)
{
	return c->type == FW_INT || c->type == FW_MS ? c->i : 0;
}

static const struct fw_cell *figure(const struct facts *f, int role, enum fw_figure fig)
{
	return &f->c[FW_C_FRAMES_FIGURE(role, fig)];
}

static bool looked_at(const struct facts *f, int role)
{
	return f->at == (fw_role_of_app(role) ? AT_APP : AT_DISPLAY);
}

/* A hostile recording can hold any time. */
static int64_t plus(int64_t a, int64_t b)
{
	int64_t c;

	return __builtin_add_overflow(a, b, &c) ? (a < 0 ? INT64_MIN : INT64_MAX) : c;
}

static int64_t less(int64_t a, int64_t b)
{
	int64_t c;

	return __builtin_sub_overflow(a, b, &c) ? (a < 0 ? INT64_MIN : INT64_MAX) : c;
}

/* Of all threads that are looked at. */
static int64_t sum(const struct facts *f, enum fw_figure fig)
{
	int64_t ns = 0;

	for (int r = 0; r < FW_ROLES; r++)
		if (looked_at(f, r))
			ns = plus(ns, known(figure(f, r, fig)));
	return ns;
}

static bool is_text(const struct fw_cell *c, const char *text)
{
	return c->type == FW_TEXT && fw_str_eq(c->s, fw_str(text));
}

static int64_t prediction_or_mode(const struct facts *f)
{
	if (is_text(&f->c[FW_C_FRAMES_prediction_type], "Expired Prediction"))
		return WHOLE;
	return f->at != AT_APP && (f->jank & JANK_PREDICTION_OR_MODE) ? WHOLE : NO;
}

static int64_t buffer_stuffing(const struct facts *f)
{
	if (f->at == AT_APP)
		return known(&f->c[FW_C_FRAMES_framestats_dequeue_ms]);
	return (f->jank & JANK_STUFFING) || known(&f->c[FW_C_FRAMES_queue_depth]) ? WHOLE : NO;
}

static int64_t cpu_late(const struct facts *f)
{
	const struct fw_cell *budget = &f->c[FW_C_FRAMES_expected_ms];

	return f->at == AT_APP && budget->type == FW_MS ? less(sum(f, FW_FIG_RUNNING), budget->i)
							: NO;
}

static int64_t sched_delay(const struct facts *f)
{
	return plus(sum(f, FW_FIG_RUNNABLE), sum(f, FW_FIG_PREEMPTED));
}

static int64_t io_block(const struct facts *f)
{
	return sum(f, FW_FIG_BLOCKED_IO);
}

static int64_t kernel_block(const struct facts *f)
{
	return plus(sum(f, FW_FIG_BLOCKED_NONIO), sum(f, FW_FIG_BLOCKED_UNKNOWN));
}

/* Is the thread that ended most of this one's sleep one that the rules look at? */
static bool woken_by_role(const struct facts *f, int role)
{
	const struct fw_cell *waker = figure(f, role, FW_FIG_TOP_WAKER_TID);

	for (int r = 0; r < FW_ROLES; r++) {
		const struct fw_cell *tid = &f->c[FW_C_FRAMES_ROLE_TID(r)];

		if (looked_at(f, r) && tid->type == FW_INT && waker->type == FW_INT &&
		    tid->i == waker->i)
			return true;
	}
	return false;
}

/*
 * UI and RenderThread hand each frame over to one another, and sleep in a futex meanwhile. What the
 * other one did then, run or wait itself, is what the other rules explain.
 */
static int64_t lock_wait(const struct facts *f)
{
	int64_t ns = 0;

	for (int r = 0; r < FW_ROLES; r++) {
		const struct fw_cell *in = figure(f, r, FW_FIG_TOP_SLEEP_FUNCTION);

		if (looked_at(f, r) && !woken_by_role(f, r) && in->type == FW_TEXT &&
		    fw_str_starts(in->s, FW_STR("futex")) &&
		    known(figure(f, r, FW_FIG_TOP_WAKER_OWN)))
			ns = plus(ns, known(figure(f, r, FW_FIG_TOP_SLEEP_FUNCTION_MS)));
	}
	return ns;
}

static int64_t fence_wait(const struct facts *f)
{
	return sum(f, FW_FIG_FENCE_WAIT);
}

static int64_t gpu_late(const struct facts *f)
{
	const struct fw_cell *queue = &f->c[FW_C_FRAMES_queue_ms];
	const struct fw_cell *acquire = &f->c[FW_C_FRAMES_acquire_ms];
	const struct fw_cell *deadline = &f->c[FW_C_FRAMES_expected_end_ms];

	if (queue->type != FW_MS || acquire->type != FW_MS || deadline->type != FW_MS ||
	    queue->i > deadline->i)
		return NO;
	return less(acquire->i, deadline->i);
}

static int64_t composition_late(const struct facts *f)
{
	int budget = f->display ? FW_C_FRAMES_expected_ms : FW_C_FRAMES_display_expected_ms;

	if (f->at != AT_DISPLAY)
		return NO;
	if ((f->jank & JANK_COMPOSITION) || known(&f->c[FW_C_FRAMES_gpu_composition]))
		return WHOLE;
	if (f->c[budget].type != FW_MS)
		return NO;
	return less(sum(f, FW_FIG_RUNNING), f->c[budget].i);
}

static int64_t display_late(const struct facts *f)
{
	const struct fw_cell *gpu = &f->c[FW_C_FRAMES_gpu_composition];

	if (f->at != AT_DISPLAY)
		return NO;
	if (f->jank & FW_JANK_DISPLAY_HAL)
		return WHOLE;
	return gpu->type == FW_INT && !gpu->i ? f->overrun - f->explained : NO;
}

static int64_t not_enough_data(const struct facts *f)
{
	return NO;
}

static const struct fw_verdict_rule rules[FW_VERDICTS] = {
#define VERDICT(name, when, time, evidence, source) { #name, when, time, evidence, source },
#include "frame/verdicts.def"
#undef VERDICT
};

static int64_t (*const explains[FW_VERDICTS])(const struct facts *f) = {
#define VERDICT(name, when, time, evidence, source) name,
#include "frame/verdicts.def"
#undef VERDICT
};

const struct fw_verdict_rule *fw_verdict_rule(enum fw_verdict v)
{
	return &rules[v];
}

int fw_verdict_find(struct fw_str name)
{
	for (int v = 0; v < FW_VERDICTS; v++)
		if (fw_str_eq(name, fw_str(rules[v].name)))
			return v;
	return -1;
}

struct candidate {
	enum fw_verdict v;
	int64_t ns; /* WHOLE: all, of an overrun that is not known */
};

/* By the time explained, the first rule of equals. */
static int by_time(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (int)x->v - (int)y->v;
}

static int find_candidates(struct facts *f, struct candidate out[FW_VERDICTS])
{
	int64_t least = FW_MAX(f->overrun / FW_VERDICT_PART, FW_VERDICT_MIN_NS);
	int n = 0;

	for (int v = 0; v < FW_VERDICTS; v++) {
		int64_t ns = explains[v](f);

		if (f->overrun)
			ns = FW_MIN(ns, f->overrun);
		if (ns < least)
			continue;
		out[n++] = (struct candidate){ v, ns };
		if (f->overrun)
			f->explained = FW_MIN(plus(f->explained, ns), f->overrun);
	}
	qsort(out, (size_t)n, sizeof(*out), by_time);
	return n;
}

/* Text that grows up to its room; what does not fit is left out whole. */
struct text {
	char p[1024];
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->p + t->len, sizeof(t->p) - t->len, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof(t->p) - t->len)
		t->len += (size_t)n;
}

static void add_cell(struct text *t, int column, const struct fw_cell *c)
{
	const char *name = fw_frame_table(FW_FRAMES)->columns[column].name;
	const char *sep = t->len ? "; " : "";

	switch (c->type) {
	case FW_INT:
		add(t, "%s%s=%" PRId64, sep, name, c->i);
		break;
	case FW_UINT:
		add(t, "%s%s=%" PRIu64, sep, name, c->u);
		break;
	case FW_MS:
		add(t, "%s%s=%s%" PRIu64 ".%06" PRIu64, sep, name, c->i < 0 ? "-" : "",
		    (c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i) / 1000000,
		    (c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i) % 1000000);
		break;
	case FW_REAL:
		add(t, "%s%s=%.6g", sep, name, c->d);
		break;
	case FW_TEXT:
		add(t, "%s%s=%.*s", sep, name, (int)FW_MIN(c->s.len, 64u), c->s.p);
		break;
	case FW_NULL:
		break;
	}
}

/* The column of that name, of a role's where @role is one. */
static int column_of(int role, struct fw_str name)
{
	const struct fw_table *t = fw_frame_table(FW_FRAMES);
	char full[64];

	snprintf(full, sizeof(full), "%s%s%.*s", role < 0 ? "" : fw_role_name(role),
		 role < 0 ? "" : "_", FW_STR_ARG(name));
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, full))
			return i;
	return -1;
}

/**
 * struct evidence - the columns of a rule's evidence, looked up once
 * @role: the role that a column is of, -1: of none
 */
struct evidence {
	int n;
	struct {
		int column, role;
	} e[48];
};

static void add_evidence(struct evidence *e, struct fw_str name)
{
	bool each = name.p[0] == '*';
	struct fw_str plain = { name.p + each, name.len - each };

	for (int r = each ? 0 : -1; r < (each ? FW_ROLES : 0) && e->n < (int)ARRAY_SIZE(e->e);
	     r++) {
		e->e[e->n].role = r;
		e->e[e->n].column = column_of(r, plain);
		e->n += e->e[e->n].column >= 0;
	}
}

static const struct evidence *evidence_of(enum fw_verdict v)
{
	static struct evidence all[FW_VERDICTS];
	struct evidence *e = &all[v];

	if (e->n)
		return e;
	for (const char *p = rules[v].evidence; *p;) {
		const char *end = strchr(p, ' ');
		size_t len = end ? (size_t)(end - p) : strlen(p);

		add_evidence(e, (struct fw_str){ p, len });
		p += len + (end != NULL);
	}
	return e;
}

/* Times of 0 say nothing for a rule; that they are not known does speak for not_enough_data. */
static void put_evidence(const struct facts *f, enum fw_verdict v, struct text *t)
{
	const struct evidence *e = evidence_of(v);

	for (int i = 0; i < e->n; i++) {
		const struct fw_cell *c = &f->c[e->e[i].column];

		if (e->e[i].role >= 0 && !looked_at(f, e->e[i].role))
			continue;
		if (v != FW_VERDICT_not_enough_data && c->type == FW_MS && !c->i)
			continue;
		if (v == FW_VERDICT_not_enough_data && c->type == FW_NULL)
			add(t, "%s%s unknown", t->len ? "; " : "",
			    fw_frame_table(FW_FRAMES)->columns[e->e[i].column].name);
		add_cell(t, e->e[i].column, c);
	}
}

static void put_others(const struct candidate *cs, int n, struct text *t)
{
	for (int i = 1; i < n; i++) {
		add(t, "%s%s", t->len ? "; " : "", rules[cs[i].v].name);
		if (cs[i].ns != WHOLE)
			add(t, " %.3f ms", (double)cs[i].ns / 1e6);
	}
}

static struct fw_cell text_cell(const struct text *t)
{
	return t->len ? fw_text((struct fw_str){ t->p, t->len }) : fw_null();
}

static bool is_late(const struct fw_cell *c)
{
	const struct fw_cell *delta = &c[FW_C_FRAMES_deadline_delta_ms];

	if (c[FW_C_FRAMES_late].type == FW_INT)
		return c[FW_C_FRAMES_late].i;
	return delta->type == FW_MS && delta->i > FW_VERDICT_MISSED_NS;
}

/* The frame's own work was done: both are known only of a buffer that FrameTracer saw. */
static int64_t buffer_delta(const struct fw_cell *c)
{
	int64_t done = FW_MAX(known(&c[FW_C_FRAMES_queue_ms]), known(&c[FW_C_FRAMES_acquire_ms]));

	if (c[FW_C_FRAMES_queue_ms].type != FW_MS || c[FW_C_FRAMES_expected_end_ms].type != FW_MS)
		return 0;
	return less(done, c[FW_C_FRAMES_expected_end_ms].i);
}

/*
 * How late: against the app's own deadline where it missed it, else against the frame's predicted
 * present. That of the display frame is another one where the frame had waited for its turn: a
 * display frame that was in time itself says nothing of that.
 * A dropped frame ends where it was dropped, and is never shown: of it only the buffer's times count.
 */
static int64_t overrun(const struct facts *f)
{
	int64_t own = known(&f->c[FW_C_FRAMES_deadline_delta_ms]);
	int64_t shown = known(&f->c[FW_C_FRAMES_display_delta_ms]);
	const struct fw_cell *delay = &f->c[FW_C_FRAMES_present_delay_ms];

	if (f->dropped)
		return FW_MAX(buffer_delta(f->c), 0);
	if ((f->at == AT_APP || f->display) && own > 0)
		return own;
	if (delay->type == FW_REAL && delay->d > 0 && delay->d < 1e9)
		return (int64_t)(delay->d * 1e6);
	return shown > FW_VERDICT_MISSED_NS ? shown : 0;
}

static enum place place(const struct facts *f, int64_t own_jank)
{
	if (f->display)
		return AT_DISPLAY;
	if (f->dropped)
		return buffer_delta(f->c) > 0 ? AT_APP : AT_NOBODY;
	if (own_jank & (JANK_APP | JANK_NOT_APP))
		return own_jank & JANK_APP ? AT_APP : AT_DISPLAY;
	return known(&f->c[FW_C_FRAMES_deadline_delta_ms]) > 0 ? AT_APP : AT_DISPLAY;
}

static void look(struct facts *f, const struct fw_cell *c)
{
	int64_t own = known(&c[FW_C_FRAMES_jank_mask]);

	f->c = c;
	f->display = is_text(&c[FW_C_FRAMES_kind], "display");
	f->dropped = !f->display && is_text(&c[FW_C_FRAMES_present_type], "Dropped Frame");
	f->jank = own | known(&c[FW_C_FRAMES_display_jank_mask]);
	f->at = place(f, own);
	f->overrun = overrun(f);
}

void fw_verdict_cells(struct fw_cell cells[FW_C_FRAMES_COUNT])
{
	static struct text evidence, others;
	struct candidate cs[FW_VERDICTS] = { { FW_VERDICT_not_enough_data, WHOLE } };
	struct facts f = { 0 };
	int n;

	if (!is_late(cells))
		return;
	evidence.len = others.len = 0;
	look(&f, cells);
	n = find_candidates(&f, cs);
	put_evidence(&f, cs[0].v, &evidence);
	put_others(cs, n, &others);
	cells[FW_C_FRAMES_overrun_ms] = fw_ms_if(f.overrun, f.overrun);
	cells[FW_C_FRAMES_candidate] = fw_text(fw_str(rules[cs[0].v].name));
	if (n && cs[0].ns != WHOLE)
		cells[FW_C_FRAMES_candidate_ms] = fw_ms(cs[0].ns);
	if (n && f.overrun)
		cells[FW_C_FRAMES_candidate_share] = fw_real((double)cs[0].ns / (double)f.overrun);
	cells[FW_C_FRAMES_candidate_evidence] = text_cell(&evidence);
	cells[FW_C_FRAMES_other_candidates] = text_cell(&others);
}
