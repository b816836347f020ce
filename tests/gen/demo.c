// SPDX-License-Identifier: GPL-2.0-or-later
#include "demo.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pipeline.h"
#include "text.h"
#include "truth.h"

#define N_CPUS 4
#define START_NS 351867618462336LL
#define WARM_UP_NS 60000000
#define PAUSE_NS 300000000
#define DRAIN_NS 100000000
#define READ_NS 1000000000
#define PERIOD_60 16666667
#define PERIOD_120 8333333
#define VSYNCS_AT_60 72 /* then a pause, then 120 Hz */
#define PREEMPT_AFTER_NS 1500000
#define HOG_NS 9000000

enum {
	NAME_SWAPPER,
	NAME_UI,
	NAME_RENDER,
	NAME_LOADER,
	NAME_TICKER,
	NAME_SF,
	NAME_RE,
	NAME_EVENT,
	NAME_HWC,
	NAME_GPU,
	NAME_HOG,
	NAME_PROBES,
	NAME_KWORKER,
	NAME_TASK_BEFORE, /* and what it calls itself then */
	NAME_TASK,
};

static const char *const names[] = {
	[NAME_SWAPPER] = "swapper",	  [NAME_UI] = "m.example.scroll",
	[NAME_RENDER] = "RenderThread",	  [NAME_LOADER] = "image-loader",
	[NAME_TICKER] = "example.ticker", [NAME_SF] = "surfaceflinger",
	[NAME_RE] = "RenderEngine",	  [NAME_EVENT] = "app",
	[NAME_HWC] = "binder:650_1",	  [NAME_GPU] = "kworker/u9:2",
	[NAME_HOG] = "dex2oat64",	  [NAME_PROBES] = "traced_probes",
	[NAME_KWORKER] = "kworker/0:1",	  [NAME_TASK_BEFORE] = "Thread-9",
	[NAME_TASK] = "hwuiTask1",
};

static const struct rec_process processes[] = {
	{ 1, 0, 0, "/system/bin/init", false },
	{ 2, 0, 0, "kthreadd", true },
	{ 61, 2, 0, "kworker/0:1", true },
	{ 62, 2, 0, "kworker/1:1", true },
	{ 63, 2, 0, "kworker/2:1", true },
	{ 64, 2, 0, "kworker/3:1", true },
	{ 90, 2, 0, "kworker/u9:2", true },
	{ 300, 1, 0, "zygote64", false },
	{ 650, 1, 1000, "/vendor/bin/hw/android.hardware.composer.hwc3-service", false },
	{ 700, 1, 1000, "/system/bin/surfaceflinger", false },
	{ 820, 1, 9999, "/system/bin/traced_probes", false },
	{ 4200, 300, 10123, "com.example.scroll", false },
	{ 5300, 300, 10124, "com.example.ticker", false },
	{ 6100, 300, 1000, "/apex/com.android.art/bin/dex2oat64", false },
};

/* At which vsync what goes wrong. */
static const struct {
	int vsync;
	enum trouble trouble;
} plan[] = {
	{ 10, TROUBLE_PREEMPTED }, { 16, TROUBLE_RUNNABLE },   { 22, TROUBLE_IO },
	{ 28, TROUBLE_LOCK },	   { 34, TROUBLE_GPU_LATE },   { 42, TROUBLE_SF_LATE },
	{ 48, TROUBLE_DROPPED },   { 54, TROUBLE_STUFFING },   { 62, TROUBLE_WAKE_RACE },
	{ 90, TROUBLE_IO },	   { 100, TROUBLE_WAKE_RACE },
};

#define SPAWN_VSYNC 20
#define STUFFED_VSYNCS 5 /* for which the app draws ahead of the display */

struct demo {
	struct pipeline p; /* first: pipeline_of() */
	struct thread threads[32];
	int n_threads;
	struct thread *hogs[N_CPUS], *probes, *task;
	int frames, vsyncs, stuffing;
	int64_t next_read;
	bool over, clean;
};

static struct demo *demo_of(struct sim *s)
{
	return (struct demo *)s;
}

static struct thread *add_thread(struct demo *d, int tid, int tgid, int prio, int name,
				 sim_program program, void *arg)
{
	struct thread *t = &d->threads[d->n_threads++];

	*t = (struct thread){ .tid = tid,
			      .tgid = tgid,
			      .prio = prio,
			      .name = name,
			      .allowed = (1u << N_CPUS) - 1,
			      .program = program,
			      .arg = arg,
			      .cpu = tid % N_CPUS };
	return t;
}

static struct step kworker_program(struct sim *s, struct thread *t)
{
	if (t->pc++ % 2)
		return (struct step){ .kind = STEP_IDLE };
	return (struct step){ .kind = STEP_RUN, .ns = rng_range(&s->rng, 60000, 200000) };
}

static struct step hog_program(struct sim *s, struct thread *t)
{
	if (t->pc++ % 2)
		return (struct step){ .kind = STEP_SLEEP };
	return (struct step){ .kind = STEP_RUN, .ns = HOG_NS + rng_range(&s->rng, 0, 200000) };
}

static struct step probes_program(struct sim *s, struct thread *t)
{
	if (t->pc++ % 2)
		return (struct step){ .kind = STEP_SLEEP };
	return (struct step){ .kind = STEP_RUN, .ns = rng_range(&s->rng, 800000, 1500000) };
}

static struct step loader_program(struct sim *s, struct thread *t)
{
	switch (t->pc++ % 4) {
	case 0:
		return (struct step){ .kind = STEP_RUN, .ns = rng_range(&s->rng, 300000, 600000) };
	case 1:
		return (struct step){ .kind = STEP_BLOCK,
				      .ns = rng_range(&s->rng, 2000000, 4000000),
				      .symbol = SYM_F2FS,
				      .io = true };
	case 2:
		return (struct step){ .kind = STEP_RUN, .ns = 200000 };
	default:
		return (struct step){ .kind = STEP_SLEEP };
	}
}

/* Names itself, works a little and is gone. */
static struct step task_program(struct sim *s, struct thread *t)
{
	if (t->pc++)
		return (struct step){ .kind = STEP_EXIT };
	ft_rename(s->ft, t->cpu, sim_stamp(s, t->cpu), t->tid, NAME_TASK_BEFORE, NAME_TASK);
	return (struct step){ .kind = STEP_RUN, .ns = 900000 };
}

static void add_apps(struct demo *d)
{
	struct app *scroll = &d->p.apps[0], *ticker = &d->p.apps[1];

	*scroll = (struct app){
		.layer = { "com.example.scroll/com.example.scroll.MainActivity#101", 4200, 5100 },
		.ui_ns = 3000000,
		.render_ns = 2200000,
		.gpu_ns = 2500000,
		.gpu_context = 1046,
	};
	*ticker = (struct app){
		.layer = { "com.example.ticker/com.example.ticker.Widget, \"big\"#117", 5300,
			   7200 },
		.ui_ns = 900000,
		.render_ns = 700000,
		.gpu_ns = 600000,
		.gpu_context = 790,
	};
	scroll->ui = add_thread(d, 4200, 4200, 110, NAME_UI, ui_program, scroll);
	scroll->render = add_thread(d, 4215, 4200, 110, NAME_RENDER, render_program, scroll);
	scroll->loader = add_thread(d, 4220, 4200, 120, NAME_LOADER, loader_program, NULL);
	ticker->ui = add_thread(d, 5300, 5300, 112, NAME_TICKER, ui_program, ticker);
	ticker->render = add_thread(d, 5315, 5300, 112, NAME_RENDER, render_program, ticker);
	d->task = add_thread(d, 4231, 4200, 120, NAME_TASK, task_program, NULL);
}

static void add_threads(struct demo *d)
{
	struct pipeline *p = &d->p;

	p->event_thread = add_thread(d, 710, 700, 97, NAME_EVENT, event_program, NULL);
	p->sf = add_thread(d, 700, 700, 97, NAME_SF, sf_program, NULL);
	p->re = add_thread(d, 712, 700, 97, NAME_RE, re_program, NULL);
	p->hwc = add_thread(d, 651, 650, 97, NAME_HWC, hwc_program, NULL);
	p->gpu = add_thread(d, 90, 90, 100, NAME_GPU, gpu_program, NULL);
	d->probes = add_thread(d, 820, 820, 120, NAME_PROBES, probes_program, NULL);
	for (int cpu = 0; cpu < N_CPUS; cpu++) {
		d->hogs[cpu] = add_thread(d, 6101 + cpu, 6100, 100, NAME_HOG, hog_program, NULL);
		d->hogs[cpu]->cpu = cpu;
		d->hogs[cpu]->allowed = 1u << cpu;
	}
	add_apps(d);
}

static void process_tree(struct demo *d)
{
	struct pw *w = rec_begin_at(&d->p.rec, SEQ_TREE, d->p.sim.now, 0);
	size_t tree = pw_begin(w, PKT_PROCESS_TREE);

	for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++)
		rec_tree_process(w, &processes[i]);
	for (int i = 0; i < d->n_threads; i++) {
		const struct thread *t = &d->threads[i];

		if (t->tid != t->tgid && t != d->task)
			rec_tree_thread(w, t->tid, t->tgid, NULL);
	}
	pw_end(w, tree);
	rec_end(&d->p.rec);
}

static void gpu_memory(struct rec *r, int64_t ts, int pid, int64_t bytes)
{
	struct pw *w = rec_begin_at(r, SEQ_GPU_MEM, ts - r->mono_behind, CLOCK_ID_MONOTONIC);
	size_t mem = pw_begin(w, PKT_GPU_MEM_TOTAL);

	pw_int(w, 1, 0);
	pw_int(w, 2, pid);
	pw_int(w, 3, bytes);
	pw_end(w, mem);
	rec_end(r);
}

static void drain(struct sim *s, void *arg)
{
	struct demo *d = demo_of(s);

	sim_wake(s, d->probes, 1, FLAG_SOFTIRQ);
	ft_tick(&d->p.ft);
	if (s->now >= d->next_read) {
		rec_clock_snapshot(&d->p.rec, s->now);
		rec_read_buffers(&d->p.rec);
		d->next_read += READ_NS;
	}
	if (!d->over)
		sim_at(s, s->now + DRAIN_NS, drain, arg);
}

static void start_hogs(struct sim *s, void *arg)
{
	struct demo *d = demo_of(s);

	for (int cpu = 0; cpu < N_CPUS; cpu++)
		sim_wake(s, d->hogs[cpu], cpu, FLAG_SOFTIRQ);
	(void)arg;
}

static enum trouble trouble_at(int vsync)
{
	for (size_t i = 0; i < sizeof(plan) / sizeof(plan[0]); i++)
		if (plan[i].vsync == vsync)
			return plan[i].trouble;
	return TROUBLE_NONE;
}

static void inject(struct demo *d, enum trouble trouble)
{
	struct pipeline *p = &d->p;
	struct sim *s = &p->sim;

	p->apps[0].trouble = trouble;
	switch (trouble) {
	case TROUBLE_PREEMPTED:
		sim_at(s, s->now + PREEMPT_AFTER_NS, start_hogs, NULL);
		break;
	case TROUBLE_SF_LATE:
		p->sf_late = true;
		break;
	case TROUBLE_DROPPED:
		p->skip_composition = true;
		p->drop_older = true;
		break;
	case TROUBLE_STUFFING:
		p->skip_composition = true;
		d->stuffing = STUFFED_VSYNCS;
		break;
	default:
		break;
	}
}

static void frequencies(struct demo *d)
{
	static const int khz[] = { 576000, 1017600, 1420800, 1804800 };
	struct sim *s = &d->p.sim;
	int of = (int)rng_below(&s->rng, N_CPUS);

	ft_cpu_frequency(s->ft, 2, sim_stamp(s, 2), sim_tid_on(s, 2), of,
			 khz[rng_below(&s->rng, 4)]);
	ft_gpu_frequency(s->ft, 2, sim_stamp(s, 2), sim_tid_on(s, 2),
			 rng_below(&s->rng, 2) ? 400000 : 800000);
}

static void end_of_frames(struct sim *s, void *arg)
{
	demo_of(s)->over = true;
	(void)arg;
}

static void vsync(struct sim *s, void *arg)
{
	struct demo *d = demo_of(s);
	int n = d->vsyncs++;
	int64_t period = n < VSYNCS_AT_60 ? PERIOD_60 : PERIOD_120, next = s->now + period;
	bool done = (int)d->p.apps[0].numbers >= d->frames;
	uint32_t wanted = (done ? 0 : 1u) | (n % 2 ? 2u : 0);

	if (trouble_at(n) && !d->clean)
		inject(d, trouble_at(n));
	if (n == SPAWN_VSYNC)
		d->p.apps[0].spawn = d->task;
	if (d->stuffing)
		d->stuffing--;
	else if (d->p.apps[0].n_ready > 1)
		wanted &= ~1u; /* an app that is ahead of the display waits for a vsync */
	pipeline_vsync(&d->p, period, wanted);
	if (n % 3 == 0)
		frequencies(d);
	if (n == VSYNCS_AT_60 - 1)
		next += PAUSE_NS;
	if (!done)
		sim_at(s, next, vsync, arg);
	else
		sim_at(s, s->now + 4 * PERIOD_60, end_of_frames, NULL);
}

/* Each cpu switches before the first frame, so that the reader knows who runs. */
static void warm_up(struct sim *s, void *arg)
{
	struct demo *d = demo_of(s);

	for (int cpu = 0; cpu < N_CPUS; cpu++) {
		struct thread *t =
			add_thread(d, 61 + cpu, 61 + cpu, 120, NAME_KWORKER, kworker_program, NULL);

		t->cpu = cpu;
		t->allowed = 1u << cpu;
		sim_wake(s, t, cpu, FLAG_SOFTIRQ);
	}
	(void)arg;
}

static void write_truth(const struct demo *d, FILE *f)
{
	const struct pipeline *p = &d->p;

	truth_header(f);
	for (int i = 0; i < p->n_frames; i++) {
		const struct frame *fr = p->frames[i];
		struct truth_window w = {
			fr->sf.token, fr->sf.display_token,	 "ui", fr->app->ui, fr->sf.start,
			fr->sf.end,   trouble_names[fr->trouble]
		};

		truth_row(f, &p->sim, kernel_symbols, &w);
		w.role = "render";
		w.thread = fr->app->render;
		truth_row(f, &p->sim, kernel_symbols, &w);
	}
	for (int i = 0; i < p->n_displays; i++) {
		const struct display *di = p->displays[i];
		const struct {
			const char *role;
			const struct thread *t;
		} roles[] = { { "sf", p->sf }, { "re", p->re }, { "hwc", p->hwc } };

		for (int k = 0; k < 3; k++) {
			struct truth_window w = { -1,
						  di->sf.token,
						  roles[k].role,
						  roles[k].t,
						  di->sf.start,
						  di->sf.end,
						  trouble_names[di->trouble] };

			truth_row(f, &p->sim, kernel_symbols, &w);
		}
	}
}

static void save_truth(const struct demo *d, const char *path)
{
	FILE *f = fopen(path, "w");
	bool bad = !f;

	if (f) {
		write_truth(d, f);
		bad = ferror(f);
		bad |= fclose(f) != 0;
	}
	if (bad) {
		fprintf(stderr, "framewait-gen: %s: %s\n", path, strerror(errno));
		exit(1);
	}
}

static void finish(struct demo *d)
{
	struct pipeline *p = &d->p;
	uint64_t events[N_CPUS];

	pipeline_trace_shown(p);
	ft_tick(&p->ft);
	for (int i = 0; i < N_CPUS; i++)
		events[i] = p->ft.cpu[i].n_events;
	rec_ftrace_stats(&p->rec, true, events, p->sim.now);
	rec_close(&p->rec, p->sim.now);
	ft_text_close(p->ft.text);
	ft_free(&p->ft);
	sim_free(&p->sim);
	for (int i = 0; i < d->n_threads; i++)
		sim_thread_free(&d->threads[i]);
	for (struct frame *f = p->last_made, *before; f; f = before) {
		before = f->made_before;
		free(f);
	}
	for (int i = 0; i < p->n_displays; i++)
		free(p->displays[i]);
	free(d);
}

void demo_generate(const struct out_opts *opts, const char *truth, const char *text, int frames,
		   bool clean)
{
	struct demo *d = calloc(1, sizeof(*d));
	struct pipeline *p = &d->p;

	if (!d)
		exit(1);
	d->frames = frames;
	d->clean = clean;
	d->next_read = START_NS + READ_NS;
	p->tokens = 1253000;
	p->cookie = 200000;
	p->contend = start_hogs;
	rec_open(&p->rec, opts, N_CPUS);
	rec_header(&p->rec, START_NS, 3000, DRAIN_NS / 1000000);
	ft_init(&p->ft, &p->rec, names, kernel_symbols);
	if (text)
		p->ft.text = ft_text_open(text, N_CPUS);
	sim_init(&p->sim, &p->ft, N_CPUS, START_NS);
	add_threads(d);
	rec_ftrace_stats(&p->rec, false, NULL, START_NS);
	process_tree(d);
	gpu_memory(&p->rec, START_NS + 3000000, 0, 227909632);
	gpu_memory(&p->rec, START_NS + 3100000, 4200, 41234432);
	sim_at(&p->sim, START_NS + 2000000, warm_up, NULL);
	sim_at(&p->sim, START_NS + DRAIN_NS, drain, NULL);
	sim_at(&p->sim, START_NS + WARM_UP_NS, vsync, NULL);
	while (!d->over)
		sim_run(&p->sim, p->sim.now + DRAIN_NS);
	if (truth)
		save_truth(d, truth);
	finish(d);
}
