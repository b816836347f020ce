// SPDX-License-Identifier: GPL-2.0-or-later
/* The app's half: vsync, ui thread, RenderThread, GPU. */
#include "pipeline.h"

#include <inttypes.h>

#define IRQ_VSYNC 45
#define IRQ_GPU 142
#define SOFTIRQ_TIMER 1
#define GPU_CPU 3

const char *const trouble_names[TROUBLE_COUNT] = {
	[TROUBLE_NONE] = "",
	[TROUBLE_PREEMPTED] = "preempted",
	[TROUBLE_RUNNABLE] = "runnable",
	[TROUBLE_IO] = "io_wait",
	[TROUBLE_LOCK] = "lock_wait",
	[TROUBLE_GPU_LATE] = "gpu_late",
	[TROUBLE_SF_LATE] = "sf_late",
	[TROUBLE_DROPPED] = "dropped",
	[TROUBLE_STUFFING] = "buffer_stuffing",
	[TROUBLE_WAKE_RACE] = "wake_race",
};

const char *const kernel_symbols[SYM_COUNT] = {
	[SYM_FOLIO] = "folio_wait_bit_common",
	[SYM_RWSEM] = "rwsem_down_read_slowpath",
	[SYM_F2FS] = "f2fs_wait_on_page_writeback",
};

static struct step run(struct sim *s, int64_t ns)
{
	return (struct step){ .kind = STEP_RUN, .ns = ns + rng_range(&s->rng, 0, ns / 8 + 1) };
}

static const struct step sleep_step = { .kind = STEP_SLEEP };

static void sf_vsync(struct sim *s, void *arg)
{
	pipeline_sf_vsync(arg);
	(void)s;
}

void pipeline_vsync(struct pipeline *p, int64_t period, uint32_t wanted)
{
	struct sim *s = &p->sim;

	p->tokens += 2;
	p->vsync = s->now;
	p->period = period;
	sim_irq_begin(s, 0, IRQ_VSYNC, "display-vsync");
	for (int i = 0; i < 2; i++) {
		struct app *app = &p->apps[i];

		if (!(wanted >> i & 1))
			continue;
		app->wanted = true;
		app->vsync = s->now;
		app->period = period;
		app->token = p->tokens + 100000 * i;
	}
	sim_wake(s, p->event_thread, 0, FLAG_HARDIRQ | FLAG_IRQS_OFF);
	sim_irq_end(s, 0, IRQ_VSYNC, SOFTIRQ_TIMER);
	sim_at(s, s->now + SF_OFFSET_NS, sf_vsync, p);
}

struct step event_program(struct sim *s, struct thread *t)
{
	struct pipeline *p = pipeline_of(s);

	if (t->pc == 0) {
		t->pc = 1;
		return run(s, 40000);
	}
	t->pc = 0;
	for (int i = 0; i < 2; i++)
		if (p->apps[i].wanted)
			sim_wake(s, p->apps[i].ui, t->cpu, FLAG_IRQS_OFF);
	return sleep_step;
}

static struct frame *new_frame(struct sim *s, struct app *app)
{
	struct pipeline *p = pipeline_of(s);
	struct frame *f = calloc(1, sizeof(*f));

	if (!f)
		exit(1);
	f->made_before = p->last_made;
	p->last_made = f;
	f->app = app;
	f->number = ++app->numbers;
	f->buffer_id = app->layer.buffer_id + f->number % 3;
	f->vsync = app->vsync;
	f->period = app->period;
	f->trouble = app->trouble;
	f->sf.layer = &app->layer;
	f->sf.token = app->token;
	f->sf.expected_start = app->vsync;
	f->sf.expected_end = app->vsync + app->period + SF_OFFSET_NS;
	f->sf.start = s->now;
	app->trouble = TROUBLE_NONE;
	app->wanted = false;
	return f;
}

static void begin_frame(struct sim *s, struct thread *t, struct app *app)
{
	app->drawing = new_frame(s, app);
	sim_mark(s, t, "B|%d|Choreographer#doFrame %" PRId64 "\n", t->tgid, app->token);
	sim_mark(s, t, "C|%d|frames|%u\n", t->tgid, app->numbers);
	if (app->loader && app->numbers % 4 == 0)
		sim_wake(s, app->loader, t->cpu, FLAG_IRQS_OFF);
	if (app->spawn)
		sim_start(s, t, app->spawn, app->spawn->name - 1);
	app->spawn = NULL;
}

static struct step ui_trouble(struct sim *s, const struct app *app)
{
	switch (app->drawing->trouble) {
	case TROUBLE_IO:
		return (struct step){
			.kind = STEP_BLOCK, .ns = 12000000, .symbol = SYM_FOLIO, .io = true
		};
	case TROUBLE_LOCK:
		return (struct step){ .kind = STEP_BLOCK, .ns = 14000000, .symbol = SYM_RWSEM };
	case TROUBLE_WAKE_RACE:
		return (struct step){ .kind = STEP_RACE };
	default:
		return run(s, app->ui_ns / 3);
	}
}

struct step ui_program(struct sim *s, struct thread *t)
{
	struct app *app = t->arg;

	switch (t->pc) {
	case 1:
		t->pc = 2;
		return ui_trouble(s, app);
	case 2:
		t->pc = 3;
		return run(s, app->ui_ns / 3);
	case 3:
		/* syncAndDrawFrame waits until the RenderThread has taken the frame before. */
		app->ui_waits = app->handed;
		if (app->ui_waits)
			return sleep_step;
		app->handed = app->drawing;
		if (app->drawing->trouble == TROUBLE_RUNNABLE)
			pipeline_of(s)->contend(s, NULL);
		sim_wake(s, app->render, t->cpu, FLAG_IRQS_OFF);
		sim_mark(s, t, "E|%d\n", t->tgid);
		t->pc = 0;
		break;
	}
	if (!app->wanted)
		return sleep_step;
	begin_frame(s, t, app);
	t->pc = 1;
	return run(s, app->ui_ns / 3);
}

static void gpu_done(struct sim *s, void *arg)
{
	struct frame *f = arg;
	struct sim_cpu *c = &s->cpu[GPU_CPU];
	int64_t traced = s->now + rng_range(&s->rng, 1300, 4600);

	/* fence->timestamp is taken first; the event follows it by a few us. */
	f->acquired = s->now;
	sim_irq_begin(s, GPU_CPU, IRQ_GPU, "mali-gpu");
	if (c->last_ts < traced)
		c->last_ts = traced;
	ft_fence(s->ft, GPU_CPU, c->last_ts, sim_tid_on(s, GPU_CPU), true, f->app->gpu_context,
		 f->seqno, "mali", "mali.timeline");
	sim_irq_end(s, GPU_CPU, IRQ_GPU, -1);
}

struct step gpu_program(struct sim *s, struct thread *t)
{
	if (t->pc == 0) {
		t->pc = 1;
		return run(s, 120000);
	}
	t->pc = 0;
	return (struct step){ .kind = STEP_IDLE };
}

static void submit(struct sim *s, struct thread *t, struct frame *f)
{
	struct pipeline *p = pipeline_of(s);
	int64_t start = p->gpu_free > s->now ? p->gpu_free : s->now;
	int64_t ns = f->trouble == TROUBLE_GPU_LATE ? 27000000 : f->app->gpu_ns;

	f->seqno = ++f->app->seqnos;
	ft_fence(s->ft, t->cpu, sim_stamp(s, t->cpu), t->tid, false, f->app->gpu_context, f->seqno,
		 "mali", "mali.timeline");
	if (f->trouble == TROUBLE_GPU_LATE)
		ft_gpu_frequency(s->ft, t->cpu, sim_stamp(s, t->cpu), t->tid, 260000);
	sim_wake(s, p->gpu, t->cpu, FLAG_IRQS_OFF);
	p->gpu_free = start + ns + rng_range(&s->rng, 0, 400000);
	sim_at(s, p->gpu_free, gpu_done, f);
}

static void take_frame(struct sim *s, struct thread *t, struct app *app)
{
	struct frame *f = app->handed;

	app->rendering = f;
	app->handed = NULL;
	sim_mark(s, t, "B|%d|DrawFrames %" PRId64 "\n", t->tgid, f->sf.token);
	if (app->ui_waits)
		sim_wake(s, app->ui, t->cpu, FLAG_IRQS_OFF);
	sf_buffer(&pipeline_of(s)->rec, s->now, SF_DEQUEUE, &app->layer, f->buffer_id, f->number);
}

static void queue_buffer(struct sim *s, struct thread *t, struct app *app)
{
	struct frame *f = app->rendering;

	f->queued = s->now;
	sf_buffer(&pipeline_of(s)->rec, s->now, SF_QUEUE, &app->layer, f->buffer_id, f->number);
	if (app->n_ready < MAX_READY)
		app->ready[app->n_ready++] = f;
	sim_mark(s, t, "E|%d\n", t->tgid);
}

struct step render_program(struct sim *s, struct thread *t)
{
	struct app *app = t->arg;

	switch (t->pc) {
	case 1:
		submit(s, t, app->rendering);
		t->pc = 2;
		return run(s, 300000);
	case 2:
		queue_buffer(s, t, app);
		t->pc = 0;
		break;
	}
	if (!app->handed)
		return sleep_step;
	take_frame(s, t, app);
	t->pc = 1;
	return run(s, app->render_ns);
}
