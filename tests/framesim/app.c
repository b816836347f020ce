// SPDX-License-Identifier: GPL-2.0-or-later
/* The app: UI thread, RenderThread, and the GPU that draws for it. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fence.h"
#include "framesim.h"
#include "messages.h"

#define UI_WORK 120 /* thousandths of a period */
#define RENDER_WORK 100
#define GPU_WORK 150
#define MS INT64_C(1000000)

struct slot {
	bool free;
	struct fence release;
};

static struct {
	const struct wires *w;
	pid_t pid;
	char names[LAYERS][LAYER_NAME];
	struct slot slots[LAYERS][SLOTS];
	int next[LAYERS];
	uint32_t numbers[LAYERS];
	struct fence_timeline gpu, release;
	int64_t gpu_free;
} app;

static struct frame *record(uint64_t number)
{
	return &sim->frames[number % FRAMES];
}

/* Buffers that SurfaceFlinger has done with. */
static bool take_released(bool wait)
{
	struct released_msg msg;
	struct fence f;

	if (recv_with_fence(app.w->released[1], &msg, sizeof(msg), &f, wait) != sizeof(msg))
		return false;
	if (msg.pid == app.pid)
		app.slots[msg.layer][msg.slot] = (struct slot){ true, f };
	else
		fence_close(&f);
	return true;
}

static void dequeue(struct frame *f)
{
	struct slot *s = &app.slots[f->layer][app.next[f->layer]];

	while (take_released(false))
		;
	while (!s->free) {
		track_mode(MODE_SLEEP);
		take_released(true);
		track_mode(MODE_ACTIVE);
	}
	s->free = false;
	f->slot = app.next[f->layer];
	app.next[f->layer] = (f->slot + 1) % SLOTS;
	if (!fence_wait(&s->release, 0)) {
		track_mode(MODE_SLEEP);
		fence_wait(&s->release, -1);
		track_mode(MODE_ACTIVE);
	}
	fence_close(&s->release);
	f->dequeued = now_ns();
	f->number = ++app.numbers[f->layer];
	f->buffer_id = (uint32_t)(sim->generation * 1000 + f->layer * 100 + f->slot);
}

/* Another fence than the buffer's own, so that the time is known beforehand. */
static int64_t wait_for_fence(int64_t ns)
{
	struct fence f = fence_new(&app.release, now_ns() + ns);

	track_mode(MODE_SLEEP);
	fence_wait(&f, -1);
	track_mode(MODE_ACTIVE);
	fence_close(&f);
	return track_last();
}

/* The GPU takes one piece of work after the other. */
static struct fence submit(struct frame *f)
{
	int64_t now = now_ns(), n, late = 0;

	if (inject_at(INJECT_gpu_late, f->index, &n) ||
	    inject_at(INJECT_fence_pending_late, f->index, &n))
		late = n * MS;
	if (inject_at(INJECT_fence_never, f->index, NULL))
		return fence_new(&app.gpu, FENCE_NEVER);
	app.gpu_free = (app.gpu_free > now ? app.gpu_free : now) + work(f->period, GPU_WORK);
	if (inject_at(INJECT_gpu_late, f->index, NULL))
		f->measured[INJECT_gpu_late] = late;
	return fence_new(&app.gpu, app.gpu_free + late);
}

static void queue(struct frame *f, uint64_t number)
{
	struct fence fence = submit(f);
	struct buffer_msg msg = { .record = number };

	if (f->layer == 0)
		sim->in_flight++;
	f->queued = now_ns();
	if (!send_with_fence(app.w->buffers[0], &msg, sizeof(msg), &fence))
		die("SurfaceFlinger takes no buffer");
	fence_close(&fence);
}

static void draw_layer(struct frame *f, uint64_t number)
{
	int64_t n;

	dequeue(f);
	if (inject_at(INJECT_fence_wait, f->index, &n))
		f->measured[INJECT_fence_wait] = wait_for_fence(n * MS);
	spin_cpu(work(f->period, RENDER_WORK));
	if (inject_at(INJECT_render_work, f->index, &n))
		f->measured[INJECT_render_work] = compute(n * MS);
	queue(f, number);
}

static void second_layer(const struct frame *first)
{
	uint64_t number = sim->records++;
	struct frame *f = record(number);

	*f = *first;
	f->record = number;
	f->layer = 1;
	f->queued = 0;
	snprintf(f->layer_name, sizeof(f->layer_name), "%s", app.names[1]);
	draw_layer(f, number);
}

static int64_t end_mark(struct frame *f)
{
	int64_t end = now_ns();

	mark("E|%d", app.pid);
	f->mark_slack += now_ns() - end;
	return end;
}

static void draw(struct frame *f, uint64_t number)
{
	f->draw_start = now_ns();
	mark("B|%d|DrawFrames %" PRId64, app.pid, f->token);
	if (inject_at(INJECT_two_layers, f->index, NULL)) {
		f->measured[INJECT_two_layers] = 0;
		second_layer(f);
	}
	draw_layer(f, number);
	f->draw_end = end_mark(f);
	sim->frames_drawn = f->index;
}

static void *render_thread(void *unused)
{
	uint32_t seen = sim->to_render.rung;

	name_thread("RenderThread");
	be_in_front();
	track_begin(&sim->tracks[TRACK_RENDER]);
	for (;;) {
		int64_t before = track_delay();
		uint64_t handed;
		struct frame *f;

		track_mode(MODE_SLEEP);
		while (!(handed = atomic_exchange(&sim->handed, 0)))
			bell_wait(&sim->to_render, &seen);
		track_mode(MODE_ACTIVE);
		f = record(handed - 1);
		if (inject_at(INJECT_sched_delay, f->index, NULL)) {
			unpin_thread(0);
			f->measured[INJECT_sched_delay] = track_delay() - before;
		}
		bell_ring(&sim->taken);
		draw(f, handed - 1);
	}
	return unused;
}

/* As HWUI: the UI thread waits until RenderThread has taken the frame. */
static void hand_over(const struct frame *f, uint64_t number)
{
	uint32_t seen = sim->taken.rung;
	int64_t n;

	sim->handed = number + 1;
	track_mode(MODE_SLEEP);
	if (inject_at(INJECT_sched_delay, f->index, &n)) {
		pin_thread(sim->tracks[TRACK_RENDER].tid, sched_getcpu());
		trouble_take_cpu(n * MS, &sim->to_render);
	} else {
		bell_ring(&sim->to_render);
	}
	bell_wait(&sim->taken, &seen);
	track_mode(MODE_ACTIVE);
}

static void do_frame(const struct vsync *v, int64_t start)
{
	uint64_t number = sim->records++;
	struct frame *f = record(number);

	*f = (struct frame){
		.record = number,
		.index = ++sim->frames_begun,
		.n = v->n,
		.period = v->period,
		.token = v->token,
		.expected_start = v->time,
		.expected_end = v->time + v->period + SF_OFFSET(v->period),
		.expected_present = v->time + 2 * v->period,
		.start = start,
		.pid = app.pid,
	};
	for (int k = 0; k < INJECT_COUNT; k++)
		f->measured[k] = -1;
	snprintf(f->layer_name, sizeof(f->layer_name), "%s", app.names[0]);
	mark("B|%d|Choreographer#doFrame %" PRId64, app.pid, f->token);
	f->mark_slack += now_ns() - start;
	animations_step(f->index);
	spin_cpu(work(f->period, UI_WORK / 2));
	trouble_ui(f);
	spin_cpu(work(f->period, UI_WORK / 2));
	hand_over(f, number);
	f->ui_end = end_mark(f);
}

/* The newest vsync that is there; false when SurfaceFlinger is gone. */
static bool next_vsync(struct vsync *v)
{
	if (recv(app.w->vsync[1], v, sizeof(*v), 0) != sizeof(*v))
		return false;
	while (recv(app.w->vsync[1], v, sizeof(*v), MSG_DONTWAIT) == sizeof(*v))
		;
	return true;
}

/* Frames that wait for SurfaceFlinger make every later one late: leave a vsync out. */
static bool recover(void)
{
	return sim->in_flight >= 2 && !inject_stuffs(sim->frames_begun);
}

/* The frame from which on the display has another rate waits for a vsync that knows it. */
static bool changes_rate(const struct vsync *v)
{
	int64_t hz;

	if (!inject_at(INJECT_refresh_rate, sim->frames_begun + 1, &hz))
		return false;
	sim->period = INT64_C(1000000000) / hz;
	return v->period != sim->period;
}

static void wait_until_drawn(void)
{
	track_mode(MODE_SLEEP);
	while (sim->frames_drawn < sim->frames_begun)
		sleep_until(now_ns() + MS);
	if (app.gpu_free > now_ns())
		sleep_until(app.gpu_free + 30 * MS);
	track_mode(MODE_ACTIVE);
}

static void open_app(const struct wires *w)
{
	pthread_t t;

	app.w = w;
	app.pid = getpid();
	sim->app_pid = app.pid;
	name_process(opt.app);
	snprintf(app.names[0], LAYER_NAME, "%s/%s.MainActivity#%d", opt.app, opt.app,
		 40 + sim->generation * 2);
	snprintf(app.names[1], LAYER_NAME, "SurfaceView[%s/%s.MainActivity]#%d", opt.app, opt.app,
		 41 + sim->generation * 2);
	for (int i = 0; i < LAYERS; i++)
		for (int s = 0; s < SLOTS; s++)
			app.slots[i][s] = (struct slot){ true, NO_FENCE };
	fence_timeline_open(&app.gpu, "framesim-gpu");
	fence_timeline_open(&app.release, "framesim-release");
	trouble_open();
	animations_open();
	sim->tracks[TRACK_RENDER].tid = 0;
	if (pthread_create(&t, NULL, render_thread, NULL))
		die("pthread_create");
	while (!sim->tracks[TRACK_RENDER].tid)
		sleep_until(now_ns() + MS);
	be_in_front();
}

void app_main(const struct wires *w)
{
	struct vsync v;
	int64_t start;

	open_app(w);
	track_begin(&sim->tracks[TRACK_UI]);
	for (;;) {
		track_mode(MODE_SLEEP);
		if (!next_vsync(&v))
			break;
		start = track_mode(MODE_ACTIVE);
		if (sim->stop || sim->frames_begun == opt.frames)
			break;
		if (inject_at(INJECT_process_restart, sim->frames_begun + 1, NULL) &&
		    sim->restarted_at != sim->frames_begun + 1) {
			wait_until_drawn();
			sim->restarted_at = sim->frames_begun + 1;
			exit(EXIT_RESTART);
		}
		if (!recover() && !changes_rate(&v))
			do_frame(&v, start);
	}
	wait_until_drawn();
	exit(0);
}
