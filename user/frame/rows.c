// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/rows.h"

#include <math.h>

#include "base/mem.h"
#include "model/jank.h"

/* The frame's identity stands first in four tables, in one order. */
enum { KEY_KIND, KEY_PROCESS, KEY_PID, KEY_LAYER, KEY_SURFACE_TOKEN, KEY_DISPLAY_TOKEN };

_Static_assert((int)FW_C_FRAMES_display_token == (int)KEY_DISPLAY_TOKEN &&
		       (int)FW_C_THREADS_display_token == (int)KEY_DISPLAY_TOKEN &&
		       (int)FW_C_INTERVALS_display_token == (int)KEY_DISPLAY_TOKEN &&
		       (int)FW_C_GPU_display_token == (int)KEY_DISPLAY_TOKEN,
	       "FRAME_KEY stands first");
_Static_assert(FW_C_FRAMES_FIGURE(FW_ROLES - 1, FW_FIGURES) == FW_C_FRAMES_tracer_match,
	       "enum fw_figure and FIGURES are the same list");
_Static_assert((int)FW_C_THREADS_running_ms + (int)FW_FIGURES ==
		       (int)FW_C_THREADS_cpu_freq_mean_khz,
	       "enum fw_figure and FIGURES are the same list");

#define NEVER INT64_MIN

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* A time of the recording's axis, NEVER for none, as ms from its start. */
static struct fw_cell at(const struct fw_row_context *rc, int64_t ts)
{
	return fw_ms_if(ts != NEVER, minus(ts, rc->first_ts));
}

static struct fw_cell name(const struct fw_row_context *rc, uint32_t id)
{
	return fw_text(fw_names_str(rc->names, id));
}

static struct fw_cell word(const char *s)
{
	return fw_text(fw_str(s));
}

static void key_cells(const struct fw_row_context *rc, const struct fw_frame *f, struct fw_cell *c)
{
	bool marks = f->ft.has & FW_FT_FROM_MARKS;

	c[KEY_KIND] = word(f->display ? "display" : marks ? "mark" : "surface");
	c[KEY_PROCESS] = name(rc, f->process);
	c[KEY_PID] = fw_int(f->ft.pid);
	c[KEY_LAYER] = name(rc, f->layer);
	c[KEY_SURFACE_TOKEN] = fw_int_if(!f->display && !(marks && f->ft.token < 0), f->ft.token);
	c[KEY_DISPLAY_TOKEN] = fw_int_if(!marks, f->display ? f->ft.token : f->ft.display_token);
}

static struct fw_cell thread_name(const struct fw_row_context *rc, const struct fw_window *w)
{
	if (w->track && w->track->name)
		return name(rc, w->track->name);
	return name(rc, w->name ? w->name : fw_directory_thread_name(rc->directory, w->tid));
}

static void frequency_cells(const struct fw_frequency *f, struct fw_cell *c)
{
	c[0] = fw_int_if(f->ns, f->ns ? (int64_t)(f->khz_ns / f->ns) : 0);
	c[1] = fw_int_if(f->ns, f->min);
	c[2] = fw_int_if(f->ns, f->max);
}

static void waker_cells(const struct fw_row_context *rc, int32_t own, int32_t tid, uint32_t id,
			struct fw_cell *c)
{
	int same;

	if (tid == FW_WAKER_INTERRUPT) {
		c[FW_FIG_TOP_WAKER] = word("(interrupt)");
		return;
	}
	c[FW_FIG_TOP_WAKER_TID] = fw_int(tid);
	/* Idle threads are called by their CPU, but are one as wakers. */
	c[FW_FIG_TOP_WAKER] = tid ? name(rc, id ? id : fw_directory_thread_name(rc->directory, tid))
				  : word("swapper");
	same = fw_directory_same_process(rc->directory, own, tid);
	c[FW_FIG_TOP_WAKER_OWN] = fw_int_if(same >= 0, same);
}

static void top_fence_cells(const struct fw_row_context *rc, const struct fw_window *w,
			    struct fw_cell *c)
{
	const struct fw_fence_share *top = fw_window_top_fence(w);

	c[FW_FIG_FENCE_WAIT] = fw_ms_if(rc->polls_seen, w->fence_wait);
	if (!top)
		return;
	c[FW_FIG_TOP_FENCE_DRIVER] = name(rc, top->driver);
	c[FW_FIG_TOP_FENCE_TIMELINE] = name(rc, top->timeline);
	c[FW_FIG_TOP_FENCE_CONTEXT] = fw_uint(top->context);
	c[FW_FIG_TOP_FENCE_SEQNO] = fw_uint(top->seqno);
	c[FW_FIG_TOP_FENCE_MS] = fw_ms(top->ns);
}

/* The figures of a window, FW_FIGURES cells. */
static void figure_cells(const struct fw_row_context *rc, const struct fw_window *w,
			 struct fw_cell *c)
{
	const struct fw_tally_entry *function = fw_tally_top(&w->functions);
	const struct fw_tally_entry *sleep = fw_tally_top(&w->sleep_functions);
	const struct fw_tally_entry *waker = fw_tally_top(&w->wakers);
	bool irq = (rc->irq_seen || w->irq_known) && !w->irq_share;

	for (int i = 0; i < FW_WINDOW_TIMES; i++)
		c[i] = fw_ms(w->ns[i]);
	c[FW_FIG_IRQ] = fw_ms_if(irq, (int64_t)w->irq.irq);
	c[FW_FIG_SOFTIRQ] = fw_ms_if(irq, (int64_t)w->irq.softirq);
	c[FW_FIG_LONGEST_WAIT] = fw_ms(w->longest_wait);
	c[FW_FIG_SWITCHES] = fw_int(w->switches);
	c[FW_FIG_WAKES] = fw_int(w->wakes);
	c[FW_FIG_TOP_FUNCTION] = function ? name(rc, (uint32_t)function->key) : fw_null();
	c[FW_FIG_TOP_FUNCTION_MS] = fw_ms_if(function, function ? function->ns : 0);
	c[FW_FIG_TOP_SLEEP_FUNCTION] = sleep ? name(rc, (uint32_t)sleep->key) : fw_null();
	c[FW_FIG_TOP_SLEEP_FUNCTION_MS] = fw_ms_if(sleep, sleep ? sleep->ns : 0);
	if (waker)
		waker_cells(rc, w->tid, (int32_t)waker->key, waker->name, c);
	top_fence_cells(rc, w, c);
}

/* Words that hold for a window; @buf has room for all of them. */
struct words {
	char buf[64];
	size_t len;
};

static void add_word(struct words *w, bool holds, const char *text)
{
	if (!holds)
		return;
	if (w->len)
		w->buf[w->len++] = ' ';
	memcpy(w->buf + w->len, text, strlen(text));
	w->len += strlen(text);
}

static struct fw_cell words_cell(const struct words *w)
{
	return w->len ? fw_text((struct fw_str){ w->buf, w->len }) : fw_null();
}

struct doubts {
	bool settled, no_wake, irq_share;
};

static void add_doubts(struct doubts *d, const struct fw_window *w)
{
	if (!w)
		return;
	d->settled |= w->settled;
	d->no_wake |= w->no_wake;
	d->irq_share |= w->irq_share;
}

static void put_flags(struct words *words, const struct fw_frame *f, const struct doubts *d)
{
	add_word(words, f->end == FW_FRAME_OPEN, "open");
	add_word(words, f->loss, "loss");
	add_word(words, d->settled, "settled");
	add_word(words, d->no_wake, "no-wake");
	add_word(words, d->irq_share, "irq-share");
}

static struct fw_cell real_if(bool known, float v)
{
	return known ? fw_real((double)v) : fw_null();
}

struct jank_texts {
	char names[FW_JANK_NAMES_MAX], experimental[FW_JANK_NAMES_MAX];
	char display[FW_JANK_NAMES_MAX];
};

static void jank_cells(const struct fw_frame *f, struct fw_cell *c, struct jank_texts *t)
{
	const struct fw_ev_frame_timeline *ft = &f->ft;

	if (ft->has & FW_FT_JANK_TYPE) {
		c[FW_C_FRAMES_jank_tag] =
			fw_text(f->display ? fw_jank_tag_display(ft->jank_type)
					   : fw_jank_tag_surface(ft->jank_type, ft->present_type));
		c[FW_C_FRAMES_jank_type] = fw_text(fw_jank_names(ft->jank_type, t->names));
		c[FW_C_FRAMES_jank_mask] = fw_int(ft->jank_type);
	}
	if (ft->has & FW_FT_JANK_EXP) {
		c[FW_C_FRAMES_experimental_jank_tag] = fw_text(
			f->display ? fw_jank_tag_display(ft->jank_type_exp)
				   : fw_jank_tag_surface(ft->jank_type_exp, ft->present_type_exp));
		c[FW_C_FRAMES_experimental_jank_type] =
			fw_text(fw_jank_names(ft->jank_type_exp, t->experimental));
		c[FW_C_FRAMES_experimental_jank_mask] = fw_int(ft->jank_type_exp);
	}
}

static void timeline_cells(const struct fw_frame *f, struct fw_cell *c)
{
	const struct fw_ev_frame_timeline *ft = &f->ft;
	uint32_t has = ft->has;

	c[FW_C_FRAMES_is_buffer] = fw_int_if(!f->display && (has & FW_FT_IS_BUFFER), ft->is_buffer);
	c[FW_C_FRAMES_late] = fw_int_if(fw_frame_late(f) >= 0, fw_frame_late(f));
	if (has & FW_FT_PRESENT_TYPE)
		c[FW_C_FRAMES_present_type] = fw_text(fw_present_type_name(ft->present_type));
	c[FW_C_FRAMES_on_time_finish] = fw_int_if(has & FW_FT_ON_TIME, ft->on_time);
	c[FW_C_FRAMES_gpu_composition] =
		fw_int_if(has & FW_FT_GPU_COMPOSITION, ft->gpu_composition);
	if (has & FW_FT_SEVERITY)
		c[FW_C_FRAMES_jank_severity] = fw_text(fw_severity_name(ft->severity));
	c[FW_C_FRAMES_jank_score] = real_if(has & FW_FT_SCORE, ft->score);
	if (has & FW_FT_PREDICTION)
		c[FW_C_FRAMES_prediction_type] = fw_text(fw_prediction_name(ft->prediction));
	c[FW_C_FRAMES_present_delay_ms] = real_if(has & FW_FT_PRESENT_DELAY, ft->present_delay_ms);
	c[FW_C_FRAMES_vsync_jitter_ms] = real_if(has & FW_FT_JITTER, ft->jitter_ms);
	if (has & FW_FT_PRESENT_EXP)
		c[FW_C_FRAMES_experimental_present_type] =
			fw_text(fw_present_type_name(ft->present_type_exp));
	c[FW_C_FRAMES_jank_debug_metadata] = real_if(has & FW_FT_DEBUG_META, ft->debug_meta);
	if (has & FW_FT_LATCHED_STATE)
		c[FW_C_FRAMES_latched_fence_state] =
			fw_text(fw_latched_state_name(ft->latched_state));
	c[FW_C_FRAMES_animation_time_ms] = real_if(has & FW_FT_ANIMATION_TIME, ft->animation_ms);
	c[FW_C_FRAMES_latched_unsignaled_count] =
		fw_int_if(has & FW_FT_UNSIGNALED_COUNT, ft->unsignaled_count);
	c[FW_C_FRAMES_addressable_unsignaled_count] =
		fw_int_if(has & FW_FT_ADDRESSABLE_COUNT, ft->addressable_count);
}

static void time_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		       const struct fw_join *j, struct fw_cell *c)
{
	const struct fw_expected *x = j->expected;
	bool ended = f->end != FW_FRAME_OPEN, deadline = x && x->end != FW_EXPECTED_OPEN;

	c[FW_C_FRAMES_actual_start_ms] = at(rc, f->start);
	c[FW_C_FRAMES_actual_end_ms] = at(rc, f->end);
	c[FW_C_FRAMES_actual_ms] = fw_ms_if(ended, minus(f->end, f->start));
	c[FW_C_FRAMES_actual_start_ns] = fw_int(f->start);
	c[FW_C_FRAMES_actual_end_ns] = fw_int_if(ended, f->end);
	c[FW_C_FRAMES_expected_count] = fw_int(j->n_expected);
	if (x)
		c[FW_C_FRAMES_expected_start_ms] = at(rc, x->start);
	if (deadline) {
		c[FW_C_FRAMES_expected_end_ms] = at(rc, x->end);
		c[FW_C_FRAMES_expected_ms] = fw_ms(minus(x->end, x->start));
		c[FW_C_FRAMES_deadline_delta_ms] = fw_ms_if(ended, minus(f->end, x->end));
	}
}

static void display_cells(const struct fw_row_context *rc, const struct fw_frame *f,
			  const struct fw_join *j, struct fw_cell *c, struct jank_texts *t)
{
	const struct fw_frame *d = j->displayed;
	const struct fw_expected *x = j->display_expected;

	if (f->display || (f->ft.has & FW_FT_FROM_MARKS))
		return;
	c[FW_C_FRAMES_display_count] = fw_int(j->n_displays);
	if (!d)
		return;
	c[FW_C_FRAMES_display_start_ms] = at(rc, d->start);
	c[FW_C_FRAMES_display_ms] = fw_ms_if(d->end != FW_FRAME_OPEN, minus(d->end, d->start));
	if (d->ft.has & FW_FT_JANK_TYPE) {
		c[FW_C_FRAMES_display_jank_mask] = fw_int(d->ft.jank_type);
		c[FW_C_FRAMES_display_jank_tag] = fw_text(fw_jank_tag_display(d->ft.jank_type));
		c[FW_C_FRAMES_display_jank_type] =
			fw_text(fw_jank_names(d->ft.jank_type, t->display));
	}
	if (d->ft.has & FW_FT_PRESENT_TYPE)
		c[FW_C_FRAMES_display_present_type] =
			fw_text(fw_present_type_name(d->ft.present_type));
	if (!x || x->end == FW_EXPECTED_OPEN)
		return;
	c[FW_C_FRAMES_display_expected_ms] = fw_ms(minus(x->end, x->start));
	c[FW_C_FRAMES_display_delta_ms] = fw_ms_if(d->end != FW_FRAME_OPEN, minus(d->end, x->end));
}

static void role_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		       const struct fw_join *j, struct fw_cell *c, struct doubts *doubts)
{
	for (int r = 0; r < FW_ROLES; r++) {
		const struct fw_frame *of = fw_role_of_app(r) == !f->display ? f : j->displayed;
		struct fw_cell *to = &c[FW_C_FRAMES_ROLE_TID(r)];
		const struct fw_window *w;

		if (!of || (fw_role_of_app(r) && f->display) || of->end == FW_FRAME_OPEN)
			continue;
		w = of->thread[r];
		to[1] = fw_int(of->n_threads[r]);
		if (!w)
			continue;
		to[0] = fw_int(w->tid);
		figure_cells(rc, w, to + 2);
		add_doubts(doubts, w);
	}
}

static void fence_cells(const struct fw_row_context *rc, const struct fw_fence_match *m,
			struct fw_cell *c)
{
	if (!rc->fences_seen)
		return;
	c[0] = word(fw_match_quality_name(m->quality));
	if (!m->found)
		return;
	c[1] = fw_int(m->distance);
	c[2] = name(rc, m->driver);
	c[3] = name(rc, m->timeline);
	c[4] = fw_uint(m->context);
	c[5] = fw_uint(m->seqno);
	c[6] = fw_ms_if(m->init_to_signal >= 0, m->init_to_signal);
}

static void buffer_cells(const struct fw_row_context *rc, const struct fw_frame *f,
			 const struct fw_join *j, struct fw_cell *c)
{
	const struct fw_buffer *b = j->buffer;

	if (!j->asked_buffer)
		return;
	c[FW_C_FRAMES_tracer_match] = word(fw_buffer_match_name(j->buffer_match));
	c[FW_C_FRAMES_tracer_count] = fw_int(j->n_buffers);
	if (!b)
		return;
	if (j->buffer_match == FW_BUFFER_EXACT)
		c[FW_C_FRAMES_tracer_distance_ns] = fw_int(minus(fw_buffer_ready(b), f->end));
	c[FW_C_FRAMES_buffer_id] = fw_int(b->buffer_id);
	c[FW_C_FRAMES_frame_number] = fw_int_if(b->frame_number, b->frame_number);
	c[FW_C_FRAMES_queue_depth] = fw_int_if(j->queue_depth >= 0, j->queue_depth);
	for (int i = 0; i < FW_BUF_EVENTS; i++)
		c[FW_C_FRAMES_dequeue_ms + i] = at(rc, b->ts[i]);
	for (int i = 0; i < FW_BUFFER_PHASES; i++) {
		struct fw_buffer_phase p = fw_buffer_phase(b, i);
		struct fw_cell *to = &c[FW_C_FRAMES_app_hold_ms + 2 * i];

		to[0] = fw_ms_if(p.status != FW_PHASE_ABSENT && p.status != FW_PHASE_OPEN, p.ns);
		to[1] = word(fw_phase_status_name(p.status));
	}
	if (b->ts[FW_BUF_ACQUIRE] != FW_NOT_SEEN)
		fence_cells(rc, &b->acquire, &c[FW_C_FRAMES_acquire_fence_match]);
	if (b->ts[FW_BUF_PRESENT] != FW_NOT_SEEN)
		fence_cells(rc, &b->present, &c[FW_C_FRAMES_present_fence_match]);
}

static void mark_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		       const struct fw_join *j, struct fw_cell *c)
{
	for (int k = FW_MARK_DO_FRAME; k <= FW_MARK_DRAW_FRAMES && !f->display; k++) {
		const struct fw_vsync_mark *m = j->marks[k];
		struct fw_cell *to = &c[k == FW_MARK_DO_FRAME ? FW_C_FRAMES_doframe_count
							      : FW_C_FRAMES_drawframes_count];

		if (!rc->marks_seen[k])
			continue;
		to[0] = fw_int(m ? m->count : 0);
		if (!m)
			continue;
		to[1] = at(rc, m->start);
		to[2] = fw_ms_if(!m->open, m->ns);
	}
}

void fw_frames_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		     const struct fw_join *j, struct fw_cell cells[FW_C_FRAMES_COUNT])
{
	static struct jank_texts texts;
	static struct words words;
	struct fw_frequency cpu = { 0 };
	struct doubts doubts = { 0 };

	memset(cells, 0, FW_C_FRAMES_COUNT * sizeof(*cells));
	words.len = 0;
	key_cells(rc, f, cells);
	timeline_cells(f, cells);
	jank_cells(f, cells, &texts);
	time_cells(rc, f, j, cells);
	display_cells(rc, f, j, cells, &texts);
	role_cells(rc, f, j, cells, &doubts);
	buffer_cells(rc, f, j, cells);
	mark_cells(rc, f, j, cells);
	for (int r = 0; r <= FW_ROLE_SF; r++)
		if (f->thread[r])
			fw_frequency_merge(&cpu, &f->thread[r]->frequency);
	frequency_cells(&cpu, &cells[FW_C_FRAMES_cpu_freq_mean_khz]);
	if (f->end != FW_FRAME_OPEN)
		frequency_cells(&f->gpu_frequency, &cells[FW_C_FRAMES_gpu_freq_mean_khz]);
	cells[FW_C_FRAMES_gpu_mem_total_bytes] = fw_int_if(f->gpu_mem_total >= 0, f->gpu_mem_total);
	cells[FW_C_FRAMES_gpu_mem_process_bytes] =
		fw_int_if(f->gpu_mem_process >= 0, f->gpu_mem_process);
	put_flags(&words, f, &doubts);
	cells[FW_C_FRAMES_flags] = words_cell(&words);
}

void fw_threads_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		      const struct fw_window *w, struct fw_cell cells[FW_C_THREADS_COUNT])
{
	static struct words words;
	struct doubts doubts = { 0 };

	memset(cells, 0, FW_C_THREADS_COUNT * sizeof(*cells));
	words.len = 0;
	key_cells(rc, f, cells);
	cells[FW_C_THREADS_actual_start_ns] = fw_int(f->start);
	cells[FW_C_THREADS_role] = word(fw_role_name(w->role));
	cells[FW_C_THREADS_tid] = fw_int(w->tid);
	cells[FW_C_THREADS_thread] = thread_name(rc, w);
	cells[FW_C_THREADS_window_start_ms] = at(rc, w->start);
	cells[FW_C_THREADS_window_ms] = fw_ms(minus(w->end, w->start));
	figure_cells(rc, w, &cells[FW_C_THREADS_running_ms]);
	frequency_cells(&w->frequency, &cells[FW_C_THREADS_cpu_freq_mean_khz]);
	add_doubts(&doubts, w);
	put_flags(&words, f, &doubts);
	cells[FW_C_THREADS_flags] = words_cell(&words);
}

static void state_cells(const struct fw_row_context *rc, const struct fw_interval *iv,
			struct fw_cell *c)
{
	uint32_t waker = 0;

	c[FW_C_INTERVALS_state] = word(fw_state_name(iv->state));
	c[FW_C_INTERVALS_cpu] = fw_int_if(iv->state == FW_STATE_RUNNING && iv->cpu >= 0, iv->cpu);
	c[FW_C_INTERVALS_kernel_preempted] =
		fw_int_if(iv->state == FW_STATE_PREEMPTED, iv->flags & FW_IVF_KERNEL_PREEMPT);
	c[FW_C_INTERVALS_io_wait] =
		fw_int_if(iv->state == FW_STATE_BLOCKED && iv->io_wait >= 0, iv->io_wait);
	c[FW_C_INTERVALS_function] = name(rc, iv->function);
	if (iv->state != FW_STATE_RUNNABLE || iv->waker_tid < 0)
		return;
	c[FW_C_INTERVALS_waker_tid] = fw_int(iv->waker_tid);
	c[FW_C_INTERVALS_waker_irq] = fw_int((iv->flags & FW_IVF_IRQ_WAKE) != 0);
	if (!iv->waker.len)
		waker = fw_directory_thread_name(rc->directory, iv->waker_tid);
	c[FW_C_INTERVALS_waker] = iv->waker.len ? fw_text(iv->waker) : name(rc, waker);
}

void fw_intervals_cells(const struct fw_row_context *rc, const struct fw_frame *f,
			const struct fw_window *w, const struct fw_part *part,
			struct fw_cell cells[FW_C_INTERVALS_COUNT])
{
	int64_t ns = minus(part->end, part->start);
	bool irq = part->irq_known && (rc->irq_seen || w->irq_known);

	memset(cells, 0, FW_C_INTERVALS_COUNT * sizeof(*cells));
	key_cells(rc, f, cells);
	cells[FW_C_INTERVALS_actual_start_ns] = fw_int(f->start);
	cells[FW_C_INTERVALS_role] = word(fw_role_name(w->role));
	cells[FW_C_INTERVALS_tid] = fw_int(w->tid);
	cells[FW_C_INTERVALS_thread] = thread_name(rc, w);
	cells[FW_C_INTERVALS_start_ms] = at(rc, part->start);
	cells[FW_C_INTERVALS_duration_ms] = fw_ms(ns);
	cells[FW_C_INTERVALS_start_ns] = fw_int(part->start);
	cells[FW_C_INTERVALS_duration_ns] = fw_int(ns);
	cells[FW_C_INTERVALS_irq_ms] = fw_ms_if(irq, (int64_t)part->irq.irq);
	cells[FW_C_INTERVALS_softirq_ms] = fw_ms_if(irq, (int64_t)part->irq.softirq);
	if (part->iv)
		state_cells(rc, part->iv, cells);
	else
		cells[FW_C_INTERVALS_state] = word("unobserved");
}

static struct fw_cell real_cell(bool known, double v)
{
	return known && isfinite(v) ? fw_real(v) : fw_null();
}

void fw_gpu_cells(const struct fw_row_context *rc, const struct fw_frame *f,
		  const struct fw_gpu_name *n, const struct fw_gpu_sum *s,
		  struct fw_cell cells[FW_C_GPU_COUNT])
{
	bool level = n->source == FW_GPU_VULKAN_MEMORY;

	memset(cells, 0, FW_C_GPU_COUNT * sizeof(*cells));
	key_cells(rc, f, cells);
	cells[FW_C_GPU_actual_start_ns] = fw_int(f->start);
	cells[FW_C_GPU_source] = word(fw_gpu_source_name(n->source));
	cells[FW_C_GPU_gpu] = fw_int_if(n->gpu >= 0, n->gpu);
	cells[FW_C_GPU_name] = name(rc, n->name);
	cells[FW_C_GPU_id] = n->has_id ? fw_uint(n->id) : fw_null();
	cells[FW_C_GPU_owner_pid] = fw_int_if(n->pid >= 0, n->pid);
	cells[FW_C_GPU_unit] = name(rc, n->unit);
	cells[FW_C_GPU_samples] = fw_int(s->n);
	cells[FW_C_GPU_mean] = real_cell(s->n_values, s->sum / (double)s->n_values);
	cells[FW_C_GPU_min] = real_cell(s->n_values, s->min);
	cells[FW_C_GPU_max] = real_cell(s->n_values, s->max);
	cells[FW_C_GPU_last] = level ? real_cell(true, n->level) : real_cell(s->n_values, s->last);
	cells[FW_C_GPU_busy_ms] = fw_ms_if(s->running, s->busy);
	cells[FW_C_GPU_text] = s->text ? fw_text(fw_str(s->text)) : fw_null();
}

static void signal_cells(const struct fw_fence *f, struct fw_cell *c)
{
	static const char *const contexts[] = { NULL, "task", "irq" };

	if (f->signaled == FW_FENCE_NEVER) {
		c[FW_C_FENCES_status] = word("pending");
		return;
	}
	c[FW_C_FENCES_status] = word(f->error ? "error" : "signaled");
	c[FW_C_FENCES_error] = fw_int_if(f->error, f->error);
	c[FW_C_FENCES_stamp_ns] = fw_int_if(f->stamp != FW_FENCE_NEVER, f->stamp);
	if (contexts[f->signaled_in])
		c[FW_C_FENCES_signaled_in] = word(contexts[f->signaled_in]);
	c[FW_C_FENCES_signaled_tid] = fw_int_if(f->signaler >= 0, f->signaler);
}

static void wait_cells(const struct fw_row_context *rc, const struct fw_fence *f, struct fw_cell *c)
{
	c[FW_C_FENCES_kernel_waits] = fw_int(f->kernel_waits);
	c[FW_C_FENCES_kernel_wait_ms] = fw_ms(f->kernel_wait_ns);
	c[FW_C_FENCES_polls] = fw_int_if(rc->polls_seen, f->polls);
	c[FW_C_FENCES_poll_ms] = fw_ms_if(rc->polls_seen, f->poll_ns);
	c[FW_C_FENCES_poll_tid] = fw_int_if(f->polls, f->poller);
	if (f->polls)
		c[FW_C_FENCES_poll_thread] = name(rc, f->poller_name);
	c[FW_C_FENCES_merged_context] = f->array_context ? fw_uint(f->array_context) : fw_null();
	c[FW_C_FENCES_merged_seqno] = f->array_context ? fw_uint(f->array_seqno) : fw_null();
}

void fw_fences_cells(const struct fw_row_context *rc, const struct fw_fence *f,
		     const struct fw_fence_event *e, struct fw_cell cells[FW_C_FENCES_COUNT])
{
	memset(cells, 0, FW_C_FENCES_COUNT * sizeof(*cells));
	if (e) {
		cells[FW_C_FENCES_event_ms] = at(rc, e->ts);
		cells[FW_C_FENCES_event_ns] = fw_int(e->ts);
		cells[FW_C_FENCES_event] =
			word(e->use == FW_FENCE_ACQUIRE ? "AcquireFenceSignaled"
							: "PresentFenceSignaled");
		cells[FW_C_FENCES_layer] = name(rc, e->layer);
		cells[FW_C_FENCES_buffer_id] = fw_int(e->buffer_id);
		cells[FW_C_FENCES_frame_number] = fw_int_if(e->frame_number, e->frame_number);
		cells[FW_C_FENCES_match] = word(fw_match_quality_name(e->match.quality));
		cells[FW_C_FENCES_distance_ns] = fw_int_if(e->match.found, e->match.distance);
		cells[FW_C_FENCES_candidates] = fw_int(e->match.candidates);
	}
	if (!f)
		return;
	cells[FW_C_FENCES_driver] = name(rc, f->driver);
	cells[FW_C_FENCES_timeline] = name(rc, f->timeline);
	cells[FW_C_FENCES_context] = fw_uint(f->context);
	cells[FW_C_FENCES_seqno] = fw_uint(f->seqno);
	cells[FW_C_FENCES_init_ms] = at(rc, f->init);
	cells[FW_C_FENCES_emit_ms] = at(rc, f->emit);
	cells[FW_C_FENCES_enable_signal_ms] = at(rc, f->enable);
	cells[FW_C_FENCES_signaled_ms] = at(rc, f->signaled);
	cells[FW_C_FENCES_destroy_ms] = at(rc, f->destroyed);
	cells[FW_C_FENCES_init_to_signal_ms] =
		fw_ms_if(f->init != FW_FENCE_NEVER && f->signaled != FW_FENCE_NEVER,
			 minus(f->signaled, f->init));
	signal_cells(f, cells);
	wait_cells(rc, f, cells);
}

int fw_health_emit(const struct fw_health *h, struct fw_sink *sink)
{
	static const char *const severities[] = { "info", "error", "loss" };
	struct fw_cell c[FW_C_HEALTH_COUNT];
	enum fw_health_id id;
	int64_t value;
	size_t pos = 0;
	int idx, err = sink->begin(sink, fw_frame_table(FW_HEALTH));

	while (!err && fw_health_next(h, &pos, &id, &idx, &value)) {
		c[FW_C_HEALTH_name] = word(fw_health_name(id));
		c[FW_C_HEALTH_idx] = fw_int_if(idx != FW_HEALTH_NO_IDX, idx);
		c[FW_C_HEALTH_value] = fw_int(value);
		c[FW_C_HEALTH_severity] = word(severities[fw_health_severity(id)]);
		c[FW_C_HEALTH_meaning] = word(fw_health_what(id));
		err = sink->row(sink, c);
	}
	return err ? err : sink->end(sink);
}
