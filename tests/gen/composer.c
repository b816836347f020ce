// SPDX-License-Identifier: GPL-2.0-or-later
/* The display's half: SurfaceFlinger, RenderEngine, composer, present fence, FrameTimeline. */
#include "pipeline.h"

#include <inttypes.h>

#define IRQ_PRESENT 46
#define PRESENT_CONTEXT 31
#define SF_COMMIT_NS 400000
#define SF_LATE_NS 15000000
#define GPU_COMPOSITION_EVERY 7

static const struct step sleep_step = { .kind = STEP_SLEEP };

static struct step run(struct sim *s, int64_t ns)
{
	return (struct step){ .kind = STEP_RUN, .ns = ns + rng_range(&s->rng, 0, ns / 8 + 1) };
}

void pipeline_sf_vsync(struct pipeline *p)
{
	struct sim *s = &p->sim;

	if (p->skip_composition) {
		p->skip_composition = false;
		return;
	}
	/* A frame is still being made: the display shows one in a vsync, so this one is skipped. */
	if (p->sf->pc)
		return;
	p->sf_wanted = true;
	p->sf_token = p->tokens + 1;
	sim_wake(s, p->sf, 1, FLAG_HARDIRQ | FLAG_IRQS_OFF);
}

static struct display *new_display(struct pipeline *p)
{
	struct display *d = calloc(1, sizeof(*d));

	if (!d)
		exit(1);
	d->vsync = p->vsync;
	d->period = p->period;
	d->sf.token = p->sf_token;
	d->sf.expected_start = p->vsync + SF_OFFSET_NS;
	d->sf.expected_end = p->vsync + p->period;
	d->sf.start = p->sim.now;
	d->trouble = p->sf_late ? TROUBLE_SF_LATE : TROUBLE_NONE;
	return d;
}

static void drop(struct pipeline *p, struct frame *f, const struct display *d)
{
	sf_buffer(&p->rec, f->acquired, SF_ACQUIRE_FENCE, &f->app->layer, f->buffer_id, f->number);
	f->sf.present_type = PRESENT_DROPPED;
	f->sf.jank = JANK_DROPPED;
	f->sf.display_token = d->sf.token;
}

static void latch(struct pipeline *p, struct frame *f, struct display *d)
{
	sf_buffer(&p->rec, f->acquired, SF_ACQUIRE_FENCE, &f->app->layer, f->buffer_id, f->number);
	sf_buffer(&p->rec, p->sim.now, SF_LATCH, &f->app->layer, f->buffer_id, f->number);
	f->sf.display_token = d->sf.token;
	f->sf.gpu_composition = d->sf.gpu_composition;
}

/* The oldest buffer whose fence has signalled is shown; or the newest, and the others dropped. */
static void latch_app(struct pipeline *p, struct app *app, struct display *d)
{
	int n = 0;

	while (n < app->n_ready && app->ready[n]->acquired && n < MAX_SHOWN - 2)
		n++;
	if (n > 1 && !p->drop_older)
		n = 1;
	for (int i = 0; i < n; i++) {
		if (i < n - 1)
			drop(p, app->ready[i], d);
		else
			latch(p, app->ready[i], d);
		d->frames[d->n_frames++] = app->ready[i];
	}
	app->n_ready -= n;
	for (int i = 0; i < app->n_ready; i++)
		app->ready[i] = app->ready[i + n];
}

static bool latch_all(struct pipeline *p)
{
	struct display *d = p->composing;

	d->sf.gpu_composition = ++p->n_displays_composed % GPU_COMPOSITION_EVERY == 0;
	for (int i = 0; i < 2; i++)
		latch_app(p, &p->apps[i], d);
	p->drop_older = false;
	return d->n_frames;
}

static void classify_display(struct display *d)
{
	int64_t expected = d->vsync + d->period;
	bool late = d->sf.end > expected + d->period / 2;

	d->sf.on_time = !late;
	d->sf.present_type = late ? PRESENT_LATE : PRESENT_ON_TIME;
	d->sf.jank = late ? JANK_SF_CPU : JANK_NONE;
	d->sf.late_ms = late ? (float)(d->sf.end - expected) / 1e6f : 0;
}

static void classify_frame(struct frame *f, const struct display *d)
{
	int64_t expected = f->vsync + 2 * f->period;
	bool late = d->sf.end > expected + f->period / 2;

	f->sf.end = f->queued > f->acquired ? f->queued : f->acquired;
	f->sf.on_time = f->sf.end <= f->sf.expected_end;
	if (f->sf.present_type == PRESENT_DROPPED)
		return;
	f->sf.present_type = late ? PRESENT_LATE : PRESENT_ON_TIME;
	f->sf.late_ms = late ? (float)(d->sf.end - expected) / 1e6f : 0;
	if (!late)
		f->sf.jank = JANK_NONE;
	else if (!f->sf.on_time)
		f->sf.jank = JANK_APP;
	else if (d->sf.jank == JANK_SF_CPU)
		f->sf.jank = JANK_SF_CPU;
	else
		f->sf.jank = JANK_STUFFING;
}

static void presented(struct sim *s, void *arg)
{
	struct pipeline *p = pipeline_of(s);
	struct display *d = arg;
	struct sim_cpu *c = &s->cpu[0];
	int64_t traced = s->now + rng_range(&s->rng, 1300, 4600);

	d->sf.end = s->now;
	sim_irq_begin(s, 0, IRQ_PRESENT, "display-present");
	if (c->last_ts < traced)
		c->last_ts = traced;
	ft_fence(s->ft, 0, c->last_ts, sim_tid_on(s, 0), true, PRESENT_CONTEXT, d->seqno, "drm",
		 "crtc-0");
	sim_irq_end(s, 0, IRQ_PRESENT, -1);
	classify_display(d);
	for (int i = 0; i < d->n_frames; i++)
		classify_frame(d->frames[i], d);
	if (p->n_to_trace < MAX_SHOWN)
		p->to_trace[p->n_to_trace++] = d;
}

static void trace_shown(struct pipeline *p, struct display *d)
{
	for (int i = 0; i < d->n_frames; i++) {
		struct frame *f = d->frames[i];

		if (f->sf.present_type != PRESENT_DROPPED)
			sf_buffer(&p->rec, d->sf.end, SF_PRESENT_FENCE, &f->app->layer,
				  f->buffer_id, f->number);
	}
	sf_trace_display(&p->rec, &d->sf, &p->cookie);
	if (p->n_displays < MAX_FRAMES)
		p->displays[p->n_displays++] = d;
	for (int i = 0; i < d->n_frames; i++) {
		sf_trace_frame(&p->rec, &d->frames[i]->sf, &p->cookie);
		if (p->n_frames < MAX_FRAMES)
			p->frames[p->n_frames++] = d->frames[i];
	}
}

void pipeline_trace_shown(struct pipeline *p)
{
	for (int i = 0; i < p->n_to_trace; i++)
		trace_shown(p, p->to_trace[i]);
	p->n_to_trace = 0;
}

static void show(struct sim *s, struct display *d)
{
	int64_t vsync = d->vsync + d->period;

	while (vsync < s->now + 100000)
		vsync += d->period;
	sim_at(s, vsync + PRESENT_DELAY_NS + rng_range(&s->rng, 0, 9000), presented, d);
}

/* The commit has run: latch, and see who has to help. */
static struct step sf_compose(struct sim *s, struct thread *t)
{
	struct pipeline *p = pipeline_of(s);

	if (!latch_all(p)) {
		sim_mark(s, t, "E|%d\n", t->tgid);
		free(p->composing);
		t->pc = 0;
		return sleep_step;
	}
	if (p->composing->sf.gpu_composition) {
		p->re_wanted = true;
		sim_wake(s, p->re, t->cpu, FLAG_IRQS_OFF);
		t->pc = 2;
	} else {
		p->hwc_wanted = true;
		sim_wake(s, p->hwc, t->cpu, FLAG_IRQS_OFF);
		t->pc = 3;
	}
	return sleep_step;
}

struct step sf_program(struct sim *s, struct thread *t)
{
	struct pipeline *p = pipeline_of(s);

	switch (t->pc) {
	case 1:
		return sf_compose(s, t);
	case 2:
		if (!p->re_done)
			return sleep_step;
		p->re_done = false;
		p->hwc_wanted = true;
		sim_wake(s, p->hwc, t->cpu, FLAG_IRQS_OFF);
		t->pc = 3;
		return sleep_step;
	case 3:
		if (!p->hwc_done)
			return sleep_step;
		p->hwc_done = false;
		t->pc = 4;
		return run(s, 200000);
	case 4:
		sim_mark(s, t, "E|%d\n", t->tgid);
		show(s, p->composing);
		t->pc = 0;
		break;
	}
	if (!p->sf_wanted)
		return sleep_step;
	p->sf_wanted = false;
	pipeline_trace_shown(p);
	p->composing = new_display(p);
	sim_mark(s, t, "B|%d|commit %" PRId64 "\n", t->tgid, p->sf_token);
	t->pc = 1;
	if (!p->sf_late)
		return run(s, SF_COMMIT_NS);
	p->sf_late = false;
	return run(s, SF_LATE_NS);
}

struct step re_program(struct sim *s, struct thread *t)
{
	struct pipeline *p = pipeline_of(s);

	if (t->pc == 0 && p->re_wanted) {
		p->re_wanted = false;
		t->pc = 1;
		return run(s, 1300000);
	}
	if (t->pc == 1) {
		p->re_done = true;
		sim_wake(s, p->sf, t->cpu, FLAG_IRQS_OFF);
	}
	t->pc = 0;
	return sleep_step;
}

struct step hwc_program(struct sim *s, struct thread *t)
{
	struct pipeline *p = pipeline_of(s);

	if (t->pc == 0 && p->hwc_wanted) {
		p->hwc_wanted = false;
		t->pc = 1;
		return run(s, 600000);
	}
	if (t->pc == 1) {
		p->composing->seqno = ++p->display_seqno;
		ft_fence(s->ft, t->cpu, sim_stamp(s, t->cpu), t->tid, false, PRESENT_CONTEXT,
			 p->composing->seqno, "drm", "crtc-0");
		p->hwc_done = true;
		sim_wake(s, p->sf, t->cpu, FLAG_IRQS_OFF);
	}
	t->pc = 0;
	return sleep_step;
}
