// SPDX-License-Identifier: GPL-2.0-or-later
/* SurfaceFlinger: commit and latch, composition, present. */
#include "flinger.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "messages.h"

#define COMMIT_WORK 30 /* thousandths of a period */
#define COMPOSITE_WORK 20
#define ENGINE_WORK 80
#define COMPOSER_TIME 60 /* it gets so much time before the vsync */
#define MS INT64_C(1000000)
#define QUEUED_MAX 16
#define PENDING_MAX 8
#define VSYNCS_AFTER 20 /* to show the last frames */

struct queued {
	struct frame *f;
	struct fence fence;
};

static struct layer {
	struct queued queue[QUEUED_MAX];
	int n;
	bool has_shown;
	struct frame shown;
	int64_t latched_before;
} layers[LAYERS];

static struct {
	const struct wires *w;
	pid_t pid;
	int wake[2]; /* TimerDispatch, main thread */
	struct display pending[PENDING_MAX]; /* not yet presented, oldest first */
	int n_pending;
	int64_t present_before;
	struct bell draw, drawn;
	int64_t draw_period;
} sf;

/* A vsync for the app at its time, and for the main thread a little later. */
static void *timer_dispatch(void *unused)
{
	struct vsync v = { .time = now_ns() + 20 * MS };
	int64_t period = sim->period;

	name_thread("TimerDispatch");
	for (v.n = 1;; v.n++) {
		v.time += period;
		sleep_until(v.time);
		period = v.period = sim->period;
		v.token = 1000 + 2 * v.n;
		send(sf.w->vsync[0], &v, sizeof(v), MSG_DONTWAIT | MSG_NOSIGNAL);
		sleep_until(v.time + SF_OFFSET(v.period));
		v.token++;
		if (write(sf.wake[0], &v, sizeof(v)) < 0)
			continue;
	}
	return unused;
}

static void *render_engine(void *unused)
{
	uint32_t seen = sf.draw.rung;

	name_thread("RenderEngine");
	track_begin(&sim->tracks[TRACK_RE]);
	for (;;) {
		track_mode(MODE_SLEEP);
		bell_wait(&sf.draw, &seen);
		track_mode(MODE_ACTIVE);
		spin_cpu(work(sf.draw_period, ENGINE_WORK));
		bell_ring(&sf.drawn);
	}
	return unused;
}

static void take_buffers(void)
{
	struct buffer_msg msg;
	struct fence fence;

	while (recv_with_fence(sf.w->buffers[1], &msg, sizeof(msg), &fence, false) == sizeof(msg)) {
		struct frame *f = &sim->frames[msg.record % FRAMES];
		struct layer *l = &layers[f->layer];

		if (l->n == QUEUED_MAX)
			die("more buffers than there are");
		l->queue[l->n++] = (struct queued){ f, fence };
		mark("C|%d|BufferTX - %s|%d", sf.pid, f->layer_name, l->n);
	}
}

static void release(const struct frame *f, const struct fence *fence)
{
	struct released_msg msg = { f->pid, f->layer, f->slot };

	/* Of a process that is gone nobody wants it. */
	send_with_fence(sf.w->released[0], &msg, sizeof(msg), fence);
}

static void pop(struct layer *l)
{
	fence_close(&l->queue[0].fence);
	if (!l->queue[0].f->layer)
		sim->in_flight--;
	l->n--;
	memmove(l->queue, l->queue + 1, (size_t)l->n * sizeof(l->queue[0]));
	if (l->n)
		mark("C|%d|BufferTX - %s|%d", sf.pid, l->queue[0].f->layer_name, l->n);
}

static bool ready(const struct queued *q, const struct vsync *v)
{
	return q->f->n < v->n && fence_signaled(&q->fence);
}

/* A transaction is applied: only now SurfaceFlinger tells when the app took and queued the buffer. */
static void apply(const struct frame *f)
{
	stream_buffer(f, SF_DEQUEUE, f->dequeued);
	stream_buffer(f, SF_QUEUE, f->queued);
}

static void drop(struct layer *l, struct display *d)
{
	struct frame *f = l->queue[0].f;

	apply(f);
	f->acquired = fence_signaled(&l->queue[0].fence);
	f->dropped = now_ns();
	f->display_token = d->token;
	f->present_type = PRESENT_DROPPED;
	f->jank = JANK_DROPPED;
	d->frames[d->n++] = *f;
	release(f, &NO_FENCE);
	pop(l);
}

static void latch(struct layer *l, struct display *d)
{
	struct frame *f = l->queue[0].f;

	apply(f);
	f->acquired = fence_signaled(&l->queue[0].fence);
	f->latched_unsignaled = !f->acquired;
	f->latched = now_ns();
	f->display_token = d->token;
	stream_fence(f, SF_ACQUIRE_FENCE, &l->queue[0].fence);
	stream_buffer(f, SF_LATCH, f->latched);
	d->frames[d->n++] = *f;
}

/* Of the layer's buffers that wait one is shown; sometimes one is not. */
static bool latch_layer(struct layer *l, struct display *d, const struct vsync *v)
{
	const struct frame *f = l->n ? l->queue[0].f : NULL;
	bool second = l->n > 1 && ready(&l->queue[1], v);

	if (!f || f->n >= v->n)
		return false;
	if (inject_at(INJECT_drop, f->index, NULL) ||
	    inject_at(INJECT_fence_never, f->index, NULL)) {
		if (!second)
			return false;
		drop(l, d);
	} else if (!inject_at(INJECT_fence_pending_late, f->index, NULL) &&
		   !ready(&l->queue[0], v)) {
		return false;
	}
	latch(l, d);
	return true;
}

static void inject_commit(struct display *d)
{
	int64_t n;

	d->slow = d->hwc_slow = -1;
	for (int i = 0; i < d->n; i++) {
		if (inject_at(INJECT_sf_slow, d->frames[i].index, &n))
			d->slow = compute(n * MS);
		if (inject_at(INJECT_hwc_slow, d->frames[i].index, &n))
			d->hwc_slow = n * MS;
		if (inject_at(INJECT_client_composition, d->frames[i].index, NULL))
			d->client_composition = true;
		if (inject_at(INJECT_display_late, d->frames[i].index, NULL))
			d->shown_late = true;
	}
}

static void commit(struct display *d, const struct vsync *v, bool latched[LAYERS])
{
	take_buffers();
	for (int i = 0; i < LAYERS; i++)
		latched[i] = latch_layer(&layers[i], d, v);
	spin_cpu(work(v->period, COMMIT_WORK));
	inject_commit(d);
}

static void compose_by_gpu(struct display *d)
{
	uint32_t seen = sf.drawn.rung;

	for (int i = 0; i < d->n; i++) {
		d->frames[i].gpu_composition = true;
		if (!d->frames[i].dropped)
			stream_buffer(&d->frames[i], SF_FALLBACK, now_ns());
	}
	sf.draw_period = d->period;
	track_mode(MODE_SLEEP);
	bell_ring(&sf.draw);
	bell_wait(&sf.drawn, &seen);
	track_mode(MODE_ACTIVE);
}

/* The composer shows it at the next vsync that it can reach. */
static void compose(struct display *d, const struct vsync *v)
{
	struct compose_msg msg = { .token = d->token, .period = v->period, .slow = 0 };
	struct composed_msg back = { 0 };

	if (d->hwc_slow > 0)
		msg.slow = d->hwc_slow;
	msg.at = v->time + v->period;
	if (d->shown_late)
		msg.at += v->period;
	while (msg.at < now_ns() + msg.slow + v->period * COMPOSER_TIME / 1000)
		msg.at += v->period;
	track_mode(MODE_SLEEP);
	if (!send_with_fence(sf.w->compose[0], &msg, sizeof(msg), &NO_FENCE) ||
	    recv_with_fence(sf.w->compose[0], &back, sizeof(back), &d->present_fence, true) <= 0)
		die("the composer is gone");
	track_mode(MODE_ACTIVE);
	if (d->hwc_slow > 0)
		d->hwc_slow = back.slow;
}

/* What the layer showed before is free when the new one is on the screen. */
static void show(struct layer *l, const struct display *d)
{
	if (l->has_shown)
		release(&l->shown, &d->present_fence);
	l->shown = *l->queue[0].f;
	l->has_shown = true;
	stream_fence(&l->shown, SF_PRESENT_FENCE, &d->present_fence);
	pop(l);
}

/* What is presented meanwhile is told: FrameTimeline comes late. */
static void flush_presented(void)
{
	int done = 0;

	for (; done < sf.n_pending; done++) {
		struct display *d = &sf.pending[done];

		d->present = fence_signaled(&d->present_fence);
		if (!d->present)
			break;
		fence_close(&d->present_fence);
		classify_display(d, sf.present_before);
		for (int i = 0; i < d->n; i++) {
			struct layer *l = &layers[d->frames[i].layer];

			classify_frame(&d->frames[i], d, l->latched_before);
			if (!d->frames[i].dropped)
				l->latched_before = d->frames[i].latched;
		}
		sf.present_before = d->present;
		stream_presented(d);
	}
	sf.n_pending -= done;
	memmove(sf.pending, sf.pending + done, (size_t)sf.n_pending * sizeof(sf.pending[0]));
}

static void composite(struct display *d, const struct vsync *v, const bool latched[LAYERS])
{
	mark("B|%d|composite %" PRId64, sf.pid, d->token);
	if (d->client_composition)
		compose_by_gpu(d);
	compose(d, v);
	for (int i = 0; i < LAYERS; i++)
		if (latched[i])
			show(&layers[i], d);
	flush_presented();
	spin_cpu(work(v->period, COMPOSITE_WORK));
	d->committed = now_ns();
	sf.pending[sf.n_pending++] = *d;
	mark("E|%d", sf.pid);
}

/* Back pressure: while the display has not shown the frame before, no other is made. */
static bool display_is_busy(void)
{
	const struct fence *f;
	bool signaled;

	if (!sf.n_pending)
		return false;
	f = &sf.pending[sf.n_pending - 1].present_fence;
	if (fence_wait(f, 0))
		return sf.n_pending == PENDING_MAX;
	track_mode(MODE_SLEEP);
	signaled = fence_wait(f, 1);
	track_mode(MODE_ACTIVE);
	return !signaled || sf.n_pending == PENDING_MAX;
}

static void on_vsync(const struct vsync *v, int64_t start)
{
	bool latched[LAYERS];
	struct display d = {
		.token = v->token,
		.period = v->period,
		.expected_start = v->time + SF_OFFSET(v->period),
		.expected_present = v->time + v->period,
		.start = start,
		.present_fence = NO_FENCE,
	};

	if (display_is_busy()) {
		flush_presented();
		return;
	}
	mark("B|%d|commit %" PRId64, sf.pid, v->token);
	commit(&d, v, latched);
	mark("E|%d", sf.pid);
	if (d.n)
		composite(&d, v, latched);
	else
		flush_presented();
}

static void start_thread(void *(*run)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL))
		die("pthread_create");
}

void flinger_main(const struct wires *w)
{
	int after = 0;
	struct vsync v;
	int64_t start;

	sf.w = w;
	sf.pid = getpid();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sf.wake))
		die("socketpair");
	name_process("/system/bin/surfaceflinger");
	stream_open();
	be_realtime(FLINGER_PRIORITY);
	start_thread(render_engine);
	start_thread(timer_dispatch);
	track_begin(&sim->tracks[TRACK_SF]);
	while (after < VSYNCS_AFTER) {
		track_mode(MODE_SLEEP);
		if (recv(sf.wake[1], &v, sizeof(v), 0) != sizeof(v))
			die("TimerDispatch");
		start = track_mode(MODE_ACTIVE);
		/* Only the newest: what was missed is missed. */
		while (recv(sf.wake[1], &v, sizeof(v), MSG_DONTWAIT) == sizeof(v))
			;
		on_vsync(&v, start);
		after = sim->stop ? after + 1 : 0;
	}
	track_mode(MODE_SLEEP);
	stream_close();
	exit(0);
}
