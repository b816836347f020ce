// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What SurfaceFlinger's data sources write, and a growing Perfetto file of it: FrameTracer's events as
 * they come, a pending fence with the buffer's next event, FrameTimeline after the present fence.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../gen/rec.h"
#include "flinger.h"

#define PENDING_MAX 64
#define TOLD_MAX 1024
#define SECOND INT64_C(1000000000)
#define FORGET (60 * SECOND) /* FrameTracer drops a fence that signaled so long ago */
#define TELL_AFTER (SECOND * 3 / 10) /* by then all threads have said what they did */

struct pending {
	struct frame f;
	enum sf_buffer_event type;
	struct fence fence;
};

static struct {
	pthread_mutex_t lock;
	pthread_t muxer;
	_Atomic bool ends;
	bool on;
	struct rec rec;
	int64_t cookie, offset, last_clock;
	pid_t listed;
	struct pending pending[PENDING_MAX];
	int n_pending;
	struct display told[TOLD_MAX]; /* presented, a ring */
	uint64_t n_told, n_truth;
	uint64_t n_frames, n_displays;
} out = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void write_event(const struct frame *f, enum sf_buffer_event type, int64_t ts)
{
	struct sf_layer layer = { .name = f->layer_name };

	if (out.on)
		sf_buffer(&out.rec, ts + out.offset, type, &layer, f->buffer_id, f->number);
	/* Other threads are told the truth from the record, if it is still this one. */
	if (type == SF_ACQUIRE_FENCE && sim->frames[f->record % FRAMES].record == f->record)
		sim->frames[f->record % FRAMES].acquired = ts;
}

static void write_pending(uint32_t buffer_id)
{
	int kept = 0;

	for (int i = 0; i < out.n_pending; i++) {
		struct pending *p = &out.pending[i];
		int64_t ts = p->f.buffer_id == buffer_id ? fence_signaled(&p->fence) : 0;

		if (!ts) {
			out.pending[kept++] = *p;
			continue;
		}
		if (now_ns() - ts < FORGET)
			write_event(&p->f, p->type, ts);
		fence_close(&p->fence);
	}
	out.n_pending = kept;
}

void stream_buffer(const struct frame *f, enum sf_buffer_event type, int64_t ts)
{
	pthread_mutex_lock(&out.lock);
	write_pending(f->buffer_id);
	write_event(f, type, ts);
	pthread_mutex_unlock(&out.lock);
}

void stream_fence(const struct frame *f, enum sf_buffer_event type, const struct fence *fence)
{
	int64_t ts = fence_signaled(fence);

	pthread_mutex_lock(&out.lock);
	write_pending(f->buffer_id);
	if (ts) {
		write_event(f, type, ts);
	} else {
		/* The oldest will never be written. */
		if (out.n_pending == PENDING_MAX) {
			fence_close(&out.pending[0].fence);
			memmove(out.pending, out.pending + 1,
				--out.n_pending * sizeof(out.pending[0]));
		}
		out.pending[out.n_pending++] = (struct pending){ *f, type, fence_dup(fence) };
	}
	pthread_mutex_unlock(&out.lock);
}

static void write_frame(const struct frame *f)
{
	struct sf_layer layer = { .name = f->layer_name, .pid = f->pid };
	struct sf_frame s = {
		.layer = &layer,
		.token = f->token,
		.display_token = f->display_token,
		.expected_start = f->expected_start + out.offset,
		.expected_end = f->expected_end + out.offset,
		.start = actual_start(f) + out.offset,
		.end = actual_end(f) + out.offset,
		.present_type = f->present_type,
		.jank = f->jank,
		.on_time = f->on_time,
		.expired = f->expired,
		.gpu_composition = f->gpu_composition,
		.late_ms = f->late_ms,
		.latched_fence = f->latched_unsignaled ? LATCHED_UNSIGNALED : LATCHED_SIGNALED,
	};

	if (f->dropped)
		s.latched_fence = 0;
	sf_trace_frame(&out.rec, &s, &out.cookie);
}

static void write_display(const struct display *d)
{
	struct sf_display s = {
		.token = d->token,
		.expected_start = d->expected_start + out.offset,
		.expected_end = d->expected_present + out.offset,
		.start = d->start + out.offset,
		.end = d->present + out.offset,
		.present_type = d->present_type,
		.jank = d->jank,
		.on_time = d->on_time,
		.gpu_composition = d->client_composition,
		.late_ms = d->late_ms,
	};

	sf_trace_display(&out.rec, &s, &out.cookie);
	for (int i = 0; i < d->n; i++)
		write_frame(&d->frames[i]);
}

void stream_presented(const struct display *d)
{
	pthread_mutex_lock(&out.lock);
	out.n_displays++;
	out.n_frames += (uint64_t)d->n;
	if (out.on)
		write_display(d);
	if (out.n_told - out.n_truth < TOLD_MAX)
		out.told[out.n_told++ % TOLD_MAX] = *d;
	else
		fprintf(stderr, "framesim: the truth of display frame %d is lost\n", (int)d->token);
	pthread_mutex_unlock(&out.lock);
}

static void write_tree(void)
{
	struct pw *w = rec_begin_at(&out.rec, SEQ_TREE, now_ns() + out.offset, 0);
	size_t tree = pw_begin(w, PKT_PROCESS_TREE);
	struct rec_process sf = {
		.pid = getpid(), .ppid = 1, .uid = 1000, .cmdline = "/system/bin/surfaceflinger"
	};
	struct rec_process app = { .pid = out.listed, .ppid = 1, .uid = 10001, .cmdline = opt.app };

	rec_tree_process(w, &sf);
	rec_tree_process(w, &app);
	pw_end(w, tree);
	rec_end(&out.rec);
}

/* What the service adds once a second, and when a process is new. */
static void write_service(void)
{
	int64_t now = now_ns();

	if (out.listed != sim->app_pid) {
		out.listed = sim->app_pid;
		write_tree();
	}
	if (now - out.last_clock < SECOND)
		return;
	out.last_clock = now;
	rec_clock_snapshot(&out.rec, now + out.offset);
}

static void tell_truth(int64_t until)
{
	static struct display d;

	for (;;) {
		pthread_mutex_lock(&out.lock);
		if (out.n_truth == out.n_told || out.told[out.n_truth % TOLD_MAX].present > until) {
			pthread_mutex_unlock(&out.lock);
			return;
		}
		d = out.told[out.n_truth++ % TOLD_MAX];
		pthread_mutex_unlock(&out.lock);
		truth_tell(&d);
	}
}

static void *muxer(void *unused)
{
	bool half = false;

	name_thread("TracingMuxer");
	while (!out.ends) {
		sleep_until(now_ns() + opt.flush_ms * INT64_C(1000000));
		if (out.on) {
			pthread_mutex_lock(&out.lock);
			write_service();
			rec_read_buffers(&out.rec);
			pthread_mutex_unlock(&out.lock);
			half = opt.half_packets && !half;
			out_flush(out.rec.out, half ? 11 : 0);
		}
		tell_truth(now_ns() - TELL_AFTER);
	}
	return unused;
}

static void open_file(void)
{
	struct out_opts file = { .path = opt.pftrace };
	struct timespec real;

	rec_open(&out.rec, &file, (int)sysconf(_SC_NPROCESSORS_ONLN));
	clock_gettime(CLOCK_REALTIME, &real);
	out.last_clock = now_ns();
	out.rec.sf_pid = getpid();
	out.rec.mono_behind = out.offset;
	out.rec.real_ahead = real.tv_sec * SECOND + real.tv_nsec - (out.last_clock + out.offset);
	rec_header(&out.rec, out.last_clock + out.offset, 0, 0);
	rec_read_buffers(&out.rec);
	out_flush(out.rec.out, 0);
	out.on = true;
}

void stream_open(void)
{
	out.offset = boot_offset();
	truth_open();
	if (opt.pftrace)
		open_file();
	if (pthread_create(&out.muxer, NULL, muxer, NULL))
		die("pthread_create");
}

void stream_close(void)
{
	out.ends = true;
	pthread_join(out.muxer, NULL);
	tell_truth(INT64_MAX);
	truth_close();
	printf("%" PRIu64 " surface frames, %" PRIu64 " display frames presented\n", out.n_frames,
	       out.n_displays);
	fflush(stdout);
	if (out.on)
		rec_close(&out.rec, now_ns() + out.offset);
}
