// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/report.h"

#include <stdlib.h>

#include "base/mem.h"
#include "frame/animation_rows.h"
#include "frame/gpu.h"
#include "frame/held.h"
#include "frame/mark_frames.h"
#include "frame/recording.h"
#include "frame/rows.h"
#include "frame/verdict.h"
#include "model/fence_wait.h"

struct report {
	struct fw_input *in;
	struct fw_health *health;
	const struct fw_report_opts *opts;
	struct fw_names *names;
	struct fw_interest *interest;
	struct fw_cpus cpus;
	struct fw_thread_states machine;
	struct fw_windows windows;
	struct fw_directory directory;
	struct fw_frames frames;
	struct fw_gpu gpu;
	struct fw_buffers buffers;
	struct fw_fences fences;
	struct fw_fence_waits fence_waits;
	struct fw_matcher matcher;
	struct fw_vsync_marks marks;
	struct fw_mark_frames *mark_frames;
	bool timeline_seen;
	struct fw_row_context rc;
	struct fw_held_parts held;
	struct fw_side_joins side;
	struct fw_animations animations;
	struct fw_animation_rows *animation_rows; /* NULL: the table is not wanted */
	struct fw_rows *rows[FW_FRAME_TABLES];
	struct fw_sink *follow; /* gets rows of FW_FRAMES at once */
	int64_t next_take;
	bool tracer_seen;
	int64_t last_ts;
	int err; /* first error of a callback that cannot return one */
};

static void add_row(struct report *r, enum fw_frame_table t, const struct fw_cell *cells)
{
	int err = fw_rows_add(r->rows[t], cells);

	r->err = r->err ? r->err : err;
}

static void interval_row(void *ctx, const struct fw_window *w, const struct fw_part *part)
{
	struct report *r = ctx;
	struct fw_cell cells[FW_C_INTERVALS_COUNT];

	r->rc.irq_seen = r->cpus.irq_seen;
	fw_intervals_cells(&r->rc, w->frame, w, part, cells);
	add_row(r, FW_INTERVALS, cells);
}

static void on_part(void *ctx, struct fw_window *w, const struct fw_part *part)
{
	struct report *r = ctx;
	struct fw_frame *f = w->frame;

	if (!f->wanted)
		return;
	/* A thread that was born in the recording may bear its parent's name still. */
	if (!w->role_final && (w->role < 0 || !w->track || w->track->born != INT64_MIN)) {
		fw_held_add(&r->held, w, part);
		return;
	}
	w->role_final = true;
	/* A frame that never ends has no rows here. */
	if (w->end == FW_WINDOW_OPEN) {
		fw_held_add(&r->held, w, part);
		return;
	}
	fw_held_release(&r->held, w);
	if (!w->parts_lost)
		interval_row(r, w, part);
}

static void on_drop(void *ctx, struct fw_window *w)
{
	fw_held_drop(&((struct report *)ctx)->held, w);
}

static void on_sleep(struct report *r, struct fw_track *t, const struct fw_interval *iv)
{
	const struct fw_fence *f =
		fw_fence_waits_sleep(&r->fence_waits, t->state.tid, iv->start, iv->end,
				     fw_names_str(r->names, iv->function));

	if (f)
		fw_windows_fence(t, iv, f);
}

static void on_interval(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct report *r = ctx;
	struct fw_track *track = (struct fw_track *)t;

	if (iv->state == FW_STATE_SLEEPING && r->fence_waits.seen)
		on_sleep(r, track, iv);
	if (track->windows)
		fw_windows_account(&r->windows, track, iv);
}

static void on_followed(void *ctx, struct fw_track *t, int64_t now)
{
	fw_frames_followed(&((struct report *)ctx)->frames, t, now);
}

bool fw_report_takes_layer(const struct fw_report_opts *o, struct fw_str layer)
{
	if (!o->layer || !layer.p)
		return !o->layer;
	return fw_str_glob(layer, o->layer) || fw_str_glob(fw_plain_layer(layer), o->layer);
}

bool fw_report_takes_process(const struct fw_report_opts *o, struct fw_str name, int64_t pid)
{
	int64_t number;

	if (!o->process || fw_str_glob(name, o->process))
		return true;
	return fw_str_int(fw_str(o->process), &number) && number == pid;
}

static bool process_wanted(const struct report *r, int32_t pid, uint32_t name)
{
	return fw_report_takes_process(r->opts, fw_names_str(r->names, name), pid);
}

static bool on_process(void *ctx, const struct fw_proc *p)
{
	return process_wanted(ctx, p->pid, p->name);
}

static bool on_frame(void *ctx, const struct fw_frame *f)
{
	const struct report *r = ctx;
	const struct fw_report_opts *o = r->opts;
	int64_t from_start = f->start - r->rc.first_ts;

	if (!process_wanted(r, f->ft.pid, f->process))
		return false;
	if (!fw_report_takes_layer(o, fw_names_str(r->names, f->layer)))
		return false;
	if (from_start < o->from_ns || from_start >= o->to_ns)
		return false;
	return !o->late_only || fw_frame_late(f) > 0;
}

static void on_passed(void *ctx, struct fw_frame *f)
{
	struct report *r = ctx;
	struct fw_buffer *b = fw_buffers_newest(&r->buffers, f->plain_layer);

	f->newest_buffer = b ? b->seq : 0;
	fw_gpu_close(&r->gpu, f);
}

static void on_gpu_row(void *ctx, const struct fw_frame *f, const struct fw_gpu_name *name,
		       const struct fw_gpu_sum *sum)
{
	struct report *r = ctx;
	struct fw_cell cells[FW_C_GPU_COUNT];

	fw_gpu_cells(&r->rc, f, name, sum, cells);
	add_row(r, FW_GPU, cells);
}

/* A section is over and all its frames are settled. */
static int on_animation(void *ctx, const struct fw_animation_run *a)
{
	struct report *r = ctx;

	if (!r->animation_rows ||
	    !process_wanted(r, a->pid, fw_directory_process_name(&r->directory, a->pid)))
		return 0;
	return fw_animation_rows_section(r->animation_rows, &r->rc, a);
}

static int animation_table(struct report *r)
{
	int err = fw_animations_finish(&r->animations);

	if (err || !r->animation_rows)
		return err;
	if (r->opts->side.logcat)
		err = fw_animation_rows_log(r->animation_rows, r->opts->side.logcat, r->in,
					    r->health);
	return err ? err : fw_animation_rows_emit(r->animation_rows, r->rows[FW_ANIMATIONS]);
}

static int on_settled(void *ctx, struct fw_frame *f)
{
	struct report *r = ctx;
	struct fw_cell cells[FW_C_FRAMES_COUNT];
	char text[FW_ANIMATIONS_TEXT];
	uint32_t n_animations;
	struct fw_str names = fw_animations_frame(&r->animations, f, &n_animations, text);
	struct fw_join join;
	int err = fw_join_frame(&r->frames, &r->buffers, &r->marks, r->tracer_seen, f, &join);

	if (err)
		return err;
	if (r->opts->n_frames)
		++*r->opts->n_frames;
	fw_gpu_close(&r->gpu, f);
	r->rc.irq_seen = r->cpus.irq_seen;
	r->rc.fences_seen = r->matcher.fences_seen;
	r->rc.polls_seen = r->fence_waits.seen;
	memcpy(r->rc.marks_seen, r->marks.seen, sizeof(r->rc.marks_seen));
	if (r->rows[FW_FRAMES]) {
		fw_frames_cells(&r->rc, f, &join, cells);
		cells[FW_C_FRAMES_animation_count] = fw_int_if(r->animations.seen, n_animations);
		cells[FW_C_FRAMES_animations] = fw_text(names);
		err = fw_side_cells(&r->side, &r->rc, &r->frames, f, &join, cells);
		if (err)
			return err;
		fw_verdict_cells(cells);
		add_row(r, FW_FRAMES, cells);
	}
	for (struct fw_window *w = f->windows; w; w = w->next_in_frame) {
		struct fw_cell thread[FW_C_THREADS_COUNT];

		if (w->role < 0 || f->end == FW_FRAME_OPEN)
			continue;
		if (r->rows[FW_INTERVALS])
			fw_held_release(&r->held, w);
		if (w->parts_lost)
			fw_health_add(r->health, FW_H_fw_intervals_dropped, FW_HEALTH_NO_IDX, 1);
		if (!r->rows[FW_THREADS])
			continue;
		fw_threads_cells(&r->rc, f, w, thread);
		add_row(r, FW_THREADS, thread);
	}
	return r->err;
}

static void on_fence_signaled(void *ctx, struct fw_fence *f)
{
	fw_matcher_signaled(&((struct report *)ctx)->matcher, f);
}

static void on_fence_retired(void *ctx, struct fw_fence *f)
{
	fw_matcher_retired(&((struct report *)ctx)->matcher, f);
}

static void on_fence_row(void *ctx, const struct fw_fence *f, const struct fw_fence_event *e)
{
	struct report *r = ctx;
	struct fw_cell cells[FW_C_FENCES_COUNT];

	if (!r->rows[FW_FENCES])
		return;
	r->rc.polls_seen = r->fence_waits.seen;
	fw_fences_cells(&r->rc, f, e, cells);
	add_row(r, FW_FENCES, cells);
}

static void on_fence_match(void *ctx, const struct fw_fence_event *e)
{
	struct report *r = ctx;
	struct fw_buffer *b = fw_buffers_get(&r->buffers, e->buffer);

	if (!b)
		return;
	if (e->use == FW_FENCE_ACQUIRE)
		b->acquire = e->match;
	else
		b->present = e->match;
}

static void feed_tracer(struct report *r, const struct fw_event *ev)
{
	bool acquire = ev->gfx.type == FW_GFX_ACQUIRE_FENCE;
	struct fw_fence_event e = { .ts = ev->ts,
				    .use = acquire ? FW_FENCE_ACQUIRE : FW_FENCE_PRESENT,
				    .buffer_id = ev->gfx.buffer_id,
				    .frame_number = ev->gfx.frame_number };
	struct fw_buffer *b;

	if (!(ev->gfx.has & FW_GFX_HAS_BUFFER))
		return;
	if (!(ev->gfx.has & FW_GFX_HAS_BUFFER_ID)) {
		fw_health_add(r->health, FW_H_graphics_frame_event_parser_errors, FW_HEALTH_NO_IDX,
			      1);
		return;
	}
	r->tracer_seen = true;
	e.layer = fw_names_id(r->names, ev->gfx.layer);
	b = fw_buffers_feed(&r->buffers, ev, e.layer);
	if (b && (acquire || ev->gfx.type == FW_GFX_PRESENT_FENCE)) {
		e.buffer = b->seq;
		fw_matcher_expect(&r->matcher, &e);
	}
}

static void feed_frequency(struct report *r, const struct fw_event *ev)
{
	int32_t cpu = ev->freq.unit;
	struct fw_thread_state *t =
		(uint32_t)cpu < (uint32_t)r->machine.n_cpus ? r->machine.on_cpu[cpu] : NULL;

	if (t)
		fw_windows_frequency((struct fw_track *)t, fw_cpus_khz(&r->cpus, cpu), ev->ts);
	fw_cpus_feed(&r->cpus, ev);
}

static void feed_lost(struct report *r, const struct fw_event *ev)
{
	fw_thread_states_lost(&r->machine, ev->cpu, ev->lost.since);
	for (int32_t cpu = 0; cpu < r->cpus.n; cpu++)
		if (ev->cpu < 0 || cpu == ev->cpu)
			fw_cpus_lost(&r->cpus, cpu, ev->ts);
	fw_frames_lost(&r->frames, ev->lost.since, ev->ts);
}

/* Everything of the recording but scheduling. */
static int feed_rare(struct report *r, const struct fw_event *ev)
{
	int err = fw_frames_advance(&r->frames, ev->ts);

	err = err ? err : fw_animations_advance(&r->animations, &r->frames, ev->ts);
	fw_matcher_advance(&r->matcher, ev->ts);
	switch (ev->type) {
	case FW_EV_IRQ_ENTRY:
	case FW_EV_IRQ_EXIT:
	case FW_EV_SOFTIRQ_ENTRY:
	case FW_EV_SOFTIRQ_EXIT:
		fw_cpus_feed(&r->cpus, ev);
		break;
	case FW_EV_CPU_FREQUENCY:
		feed_frequency(r, ev);
		break;
	case FW_EV_LOST:
		feed_lost(r, ev);
		break;
	case FW_EV_MARK:
		fw_vsync_marks_feed(&r->marks, ev);
		err = err ? err : fw_animations_feed(&r->animations, ev);
		break;
	case FW_EV_DMA_FENCE:
	case FW_EV_FENCE_MEMBER:
		fw_fences_feed(&r->fences, ev);
		break;
	case FW_EV_FENCE_POLL:
		fw_fence_waits_feed(&r->fence_waits, ev);
		break;
	case FW_EV_FRAME_TRACER:
		feed_tracer(r, ev);
		break;
	case FW_EV_GPU_MEM_TOTAL:
	case FW_EV_GPU_COUNTER:
	case FW_EV_GPU_RENDER_STAGE:
	case FW_EV_KGSL:
	case FW_EV_MALI_KCPU:
	case FW_EV_VULKAN_MEMORY:
	case FW_EV_GPU_LOG:
		fw_gpu_feed(&r->gpu, ev);
		break;
	default:
		err = err ? err : fw_frames_feed(&r->frames, ev);
	}
	return err ? err : r->err;
}

static int feed(struct report *r, const struct fw_event *ev)
{
	if (ev->ts > r->last_ts)
		r->last_ts = ev->ts;
	if (ev->type <= FW_EV_TREE_THREAD || ev->type == FW_EV_MARK)
		fw_directory_feed(&r->directory, ev);
	if (ev->type <= FW_EV_PROCESS_FREE)
		fw_thread_states_feed(&r->machine, ev);
	else
		return feed_rare(r, ev);
	return r->err;
}

static int on_peek(void *ctx, const struct fw_event *ev)
{
	struct report *r = ctx;

	if (ev->type == FW_EV_ACTUAL_SURFACE || ev->type == FW_EV_ACTUAL_DISPLAY)
		r->timeline_seen = true;
	fw_directory_peek(&r->directory, ev);
	return fw_mark_frames_peek(r->mark_frames, ev);
}

/* Frames from marks are for recordings where SurfaceFlinger says nothing, or where asked for. */
static int begin_mark_frames(struct report *r)
{
	struct fw_event ev = { .type = FW_EV_ACTUAL_SURFACE, .ft.has = FW_FT_PID };
	uint64_t pos = 0;
	int err = fw_mark_frames_finish(r->mark_frames);

	if (r->timeline_seen && !r->opts->frame_mark) {
		fw_mark_frames_free(r->mark_frames);
		r->mark_frames = NULL;
		return err;
	}
	while (!err && fw_mark_frames_next_pid(r->mark_frames, &pos, &ev.ft.pid))
		fw_directory_peek(&r->directory, &ev);
	return err;
}

/* The edges of frames from marks up to @until take their place among the recorded events. */
static int feed_mark_frames(struct report *r, int64_t until)
{
	struct fw_event ev;
	int n = 0, err = 0;

	while (r->mark_frames && !err && (n = fw_mark_frames_next(r->mark_frames, until, &ev)) > 0)
		err = feed(r, &ev);
	return err ? err : n;
}

static bool all_done(const struct fw_frame *f)
{
	for (const struct fw_window *w = f->windows; w; w = w->next_in_frame)
		if (!w->done)
			return false;
	return true;
}

/* Has all come that a frame's row is made of? A buffer's phases end with its layer's next present. */
static bool on_complete(void *ctx, struct fw_frame *f, int64_t now)
{
	struct report *r = ctx;
	struct fw_frame *d = NULL;
	struct fw_join j;

	if (!all_done(f))
		return false;
	if (f->ft.has & FW_FT_FROM_MARKS)
		return true;
	if (!f->display && (!fw_frames_display(&r->frames, f->ft.display_token, &d) ||
			    d->end == FW_FRAME_OPEN || !all_done(d)))
		return false;
	if (fw_join_frame(&r->frames, &r->buffers, &r->marks, r->tracer_seen, f, &j))
		return true;
	if (j.expected && j.expected->end == FW_EXPECTED_OPEN)
		return false;
	for (int k = FW_MARK_DO_FRAME; k <= FW_MARK_DRAW_FRAMES; k++)
		if (j.marks[k] && j.marks[k]->open)
			return false;
	return !j.asked_buffer ||
	       (j.buffer_match == FW_BUFFER_EXACT && j.buffer->next_present != FW_NOT_SEEN &&
		now - j.buffer->next_present > FW_PASSED_NS);
}

static void init(struct report *r, struct fw_input *in, struct fw_health *health,
		 const struct fw_report_opts *opts)
{
	const struct fw_recording *rec = fw_input_recording(in);

	r->in = in;
	r->health = health;
	r->opts = opts;
	r->names = fw_names_new();
	r->interest = fw_interest_new();
	r->mark_frames =
		fw_mark_frames_new(opts->frame_mark ? fw_str(opts->frame_mark) : rec->frame_mark);
	fw_thread_states_init(&r->machine, &r->cpus, r->names, health);
	r->machine.layout = fw_task_state_layout(rec->sysname, rec->kernel);
	r->machine.emit = on_interval;
	r->machine.ctx = r;
	r->windows = (struct fw_windows){
		.machine = &r->machine,
		.cpus = &r->cpus,
		.names = r->names,
		.drop = on_drop,
		.ctx = r,
	};
	r->held = (struct fw_held_parts){
		.directory = &r->directory, .names = r->names, .row = interval_row, .ctx = r
	};
	fw_directory_init(&r->directory, opts->roles, r->names, &r->machine, &r->windows);
	r->directory.followed = on_followed;
	r->directory.ctx = r;
	fw_frames_init(&r->frames, &r->directory, &r->windows, r->names, health);
	r->frames.wanted = on_frame;
	r->frames.passed = on_passed;
	r->frames.settled = on_settled;
	r->frames.ctx = r;
	r->gpu = (struct fw_gpu){
		.frames = &r->frames, .pool = r->names, .health = health, .ctx = r
	};
	fw_fences_init(&r->fences, r->names, health);
	fw_fence_waits_init(&r->fence_waits, &r->fences);
	r->fences.signaled = on_fence_signaled;
	r->fences.retired = on_fence_retired;
	r->fences.ctx = r;
	r->matcher =
		(struct fw_matcher){ .resolved = on_fence_match, .row = on_fence_row, .ctx = r };
	r->rc = (struct fw_row_context){ .names = r->names,
					 .directory = &r->directory,
					 .first_ts =
						 rec->first_ts == INT64_MAX ? 0 : rec->first_ts };
	r->animations = (struct fw_animations){ .health = health,
						.first_ts = r->rc.first_ts,
						.settle_ns = &r->frames.settle_ns,
						.done = on_animation,
						.ctx = r };
}

static void destroy(struct report *r)
{
	fw_frames_free(&r->frames);
	fw_gpu_free(&r->gpu);
	fw_directory_free(&r->directory);
	fw_thread_states_free(&r->machine);
	fw_cpus_free(&r->cpus);
	fw_buffers_free(&r->buffers);
	fw_fences_finish(&r->fences);
	fw_fence_waits_free(&r->fence_waits);
	fw_matcher_free(&r->matcher);
	fw_vsync_marks_free(&r->marks);
	fw_mark_frames_free(r->mark_frames);
	fw_side_joins_free(&r->side);
	fw_animations_free(&r->animations);
	fw_animation_rows_free(r->animation_rows);
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		if (r->rows[t])
			fw_rows_free(r->rows[t]);
	fw_interest_free(r->interest);
	fw_names_free(r->names);
}

#define WANT(type) (UINT64_C(1) << (type))
#define WANTED                                                                                     \
	(WANT(FW_EV_SCHED_SWITCH) | WANT(FW_EV_SCHED_WAKING) | WANT(FW_EV_SCHED_WAKEUP) |          \
	 WANT(FW_EV_SCHED_WAKEUP_NEW) | WANT(FW_EV_BLOCKED_REASON) | WANT(FW_EV_INTERVAL) |        \
	 WANT(FW_EV_TASK_NEWTASK) | WANT(FW_EV_TASK_RENAME) | WANT(FW_EV_PROCESS_FREE) |           \
	 WANT(FW_EV_IRQ_ENTRY) | WANT(FW_EV_IRQ_EXIT) | WANT(FW_EV_SOFTIRQ_ENTRY) |                \
	 WANT(FW_EV_SOFTIRQ_EXIT) | WANT(FW_EV_CPU_FREQUENCY) | WANT(FW_EV_GPU_FREQUENCY) |        \
	 WANT(FW_EV_MARK) | WANT(FW_EV_DMA_FENCE) | WANT(FW_EV_FENCE_POLL) |                       \
	 WANT(FW_EV_FENCE_MEMBER) | WANT(FW_EV_FRAME_TRACER) | WANT(FW_EV_EXPECTED_SURFACE) |      \
	 WANT(FW_EV_EXPECTED_DISPLAY) | WANT(FW_EV_ACTUAL_SURFACE) | WANT(FW_EV_ACTUAL_DISPLAY) |  \
	 WANT(FW_EV_FRAME_END) | WANT(FW_EV_LOST) | WANT(FW_EV_GPU_MEM_TOTAL))

/* For the rows of FW_GPU alone. */
#define WANTED_GPU                                                                                 \
	(WANT(FW_EV_GPU_COUNTER) | WANT(FW_EV_GPU_RENDER_STAGE) | WANT(FW_EV_KGSL) |               \
	 WANT(FW_EV_MALI_KCPU) | WANT(FW_EV_VULKAN_MEMORY) | WANT(FW_EV_GPU_LOG))

#define WANTED_LIVE (WANTED | WANT(FW_EV_TREE_PROCESS) | WANT(FW_EV_TREE_THREAD))

/* A capture says once a second what threads do that do not move. */
#define LIVE_SETTLE_MIN_NS INT64_C(1500000000)

/* A frame that began so long ago gets no end any more: rows behind it have waited long enough. */
#define LIVE_OPEN_NS INT64_C(10000000000)

/* Rows that no frame still under way stands before. */
static int take_rows(struct report *r)
{
	return r->follow ? fw_rows_take(r->rows[FW_FRAMES], r->follow,
					FW_MIN(r->last_ts, fw_frames_oldest(&r->frames)))
			 : 0;
}

static int on_idle(void *ctx)
{
	struct report *r = ctx;
	int err = take_rows(r);

	return err || !r->opts->idle ? err : r->opts->idle(r->opts->ctx);
}

static int on_ahead(void *ctx, const struct fw_event *ev)
{
	return ev ? fw_mark_frames_peek(((struct report *)ctx)->mark_frames, ev) : 0;
}

static int read_events(struct report *r, const struct fw_input_opts *opts)
{
	const struct fw_event *ev;
	int err = fw_input_start(r->in, opts);

	while (!err && (err = fw_input_next(r->in, &ev)) > 0) {
		err = feed_mark_frames(r, ev->ts);
		if (!err)
			err = feed(r, ev);
		if (!err && r->follow && ev->ts >= r->next_take) {
			r->next_take = ev->ts + FW_LOOK_NS;
			err = take_rows(r);
		}
	}
	return err ? err : feed_mark_frames(r, INT64_MAX);
}

static bool has_stream(struct fw_str sf)
{
	return fw_str_eq(sf, FW_STR("perfetto")) || fw_str_eq(sf, FW_STR("file"));
}

/* As if the capture grew: what nobody can know beforehand is not asked. */
static int read_live(struct report *r, int64_t settle_ns)
{
	struct fw_input_live live = { .settle_ns = settle_ns, .idle = on_idle, .ctx = r };
	struct fw_input_opts opts = { .wants = WANTED_LIVE, .live = &live };

	r->frames.settle_ns = FW_MAX(settle_ns, LIVE_SETTLE_MIN_NS);
	r->frames.open_ns = FW_MAX(settle_ns, LIVE_OPEN_NS);
	r->frames.complete = on_complete;
	fw_directory_live(&r->directory, r->interest, 2 * (settle_ns + LIVE_OPEN_NS));
	if (has_stream(fw_input_recording(r->in)->sf) && !r->opts->frame_mark) {
		fw_mark_frames_free(r->mark_frames);
		r->mark_frames = NULL;
	} else {
		fw_mark_frames_live(r->mark_frames);
		live.ahead = on_ahead;
	}
	return read_events(r, &opts);
}

static int read_whole(struct report *r)
{
	struct fw_input_opts opts = { .wants = WANTED | (r->gpu.row ? WANTED_GPU : 0),
				      .interest = r->interest,
				      .piece_ns = r->frames.settle_ns / 4 };
	int err = fw_input_peek_small(r->in, r->opts->frame_mark != NULL, on_peek, r);

	if (!err)
		err = begin_mark_frames(r);
	if (err)
		return err;
	fw_directory_begin(&r->directory, r->interest, on_process, r);
	return read_events(r, &opts);
}

static int read_all(struct report *r)
{
	const struct fw_recording *rec = fw_input_recording(r->in);
	int64_t settle = r->opts->settle_ns, last;
	int err;

	if (settle == FW_SETTLE_RECORDED)
		settle = rec->streamed && rec->settle_ns ? rec->settle_ns : FW_SETTLE_ALL;
	if (rec->streamed && settle != FW_SETTLE_ALL) {
		err = read_live(r, settle);
	} else {
		if (settle != FW_SETTLE_ALL)
			r->frames.settle_ns = settle;
		err = read_whole(r);
	}
	if (err)
		return err;
	/* Events that were filtered tell that the recording went on. */
	last = FW_MAX(r->last_ts, rec->last_ts);
	fw_matcher_advance(&r->matcher, INT64_MAX);
	err = fw_frames_finish(&r->frames, last);
	err = err ? err : animation_table(r);
	fw_fences_finish(&r->fences);
	return err ? err : r->err;
}

static int begin_rows(struct report *r, struct fw_sink *sinks[FW_FRAME_TABLES])
{
	for (int t = 0; t < FW_HEALTH; t++)
		if (sinks[t] && !(r->opts->follow && t == FW_FRAMES))
			r->rows[t] = fw_rows_new(fw_frame_table(t));
	if (r->rows[FW_ANIMATIONS])
		r->animation_rows = fw_animation_rows_new();
	if (r->rows[FW_INTERVALS])
		r->windows.interval = on_part;
	if (r->rows[FW_GPU])
		r->gpu.row = on_gpu_row;
	if (!r->opts->follow || !sinks[FW_FRAMES])
		return 0;
	r->follow = sinks[FW_FRAMES];
	r->rows[FW_FRAMES] = fw_rows_new_queue(fw_frame_table(FW_FRAMES));
	return r->follow->begin(r->follow, fw_frame_table(FW_FRAMES));
}

static int end_rows(struct report *r, struct fw_sink *sinks[FW_FRAME_TABLES])
{
	int err = 0;

	for (int t = 0; t < FW_HEALTH && !err; t++)
		if (r->rows[t] && sinks[t] != r->follow)
			err = fw_rows_emit(r->rows[t], sinks[t], false);
	if (!err && r->follow) {
		err = fw_rows_take(r->rows[FW_FRAMES], r->follow, INT64_MAX);
		err = err ? err : r->follow->end(r->follow);
	}
	if (!err && sinks[FW_HEALTH])
		err = fw_health_emit(r->health, sinks[FW_HEALTH]);
	if (!err && sinks[FW_RECORDING])
		err = fw_recording_emit(fw_input_recording(r->in), sinks[FW_RECORDING]);
	return err;
}

int fw_report(struct fw_input *in, struct fw_health *health, const struct fw_report_opts *opts,
	      struct fw_sink *sinks[FW_FRAME_TABLES])
{
	struct report *r = fw_zalloc(sizeof(*r));
	int err;

	init(r, in, health, opts);
	err = fw_side_joins_load(&r->side, &opts->side, in, health);
	if (!err)
		err = begin_rows(r, sinks);
	if (!err)
		err = read_all(r);
	if (!err)
		err = end_rows(r, sinks);
	destroy(r);
	free(r);
	return err;
}
