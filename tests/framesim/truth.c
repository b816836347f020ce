// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What framewait must say of each frame, as framesim measured it: a CSV line for each cell.
 *   kind,pid,layer,surface_token,display_token  the row of frames.csv
 *   frame          which frame of the app
 *   column         or several with + between them
 *   op             = the same; >= at least; ? the same or empty
 *   value          ms, or a word
 *   slack_ms       framesim does not know it better than that
 *   inject,injected_ms   what was injected into this frame that this column must show, as measured
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "flinger.h"

struct row {
	const char *kind, *layer;
	int64_t surface_token, display_token, frame;
	pid_t pid;
};

static FILE *csv;

void truth_open(void)
{
	if (!opt.truth)
		return;
	csv = fopen(opt.truth, "w");
	if (!csv)
		die(opt.truth);
	fputs("kind,pid,layer,surface_token,display_token,frame,column,op,value,slack_ms,inject,"
	      "injected_ms\n",
	      csv);
}

static void key(const struct row *r, const char *column, const char *op)
{
	fprintf(csv, "%s,%d,%s,", r->kind, r->pid, r->layer);
	if (r->surface_token >= 0)
		fprintf(csv, "%" PRId64, r->surface_token);
	fputc(',', csv);
	if (r->display_token >= 0)
		fprintf(csv, "%" PRId64, r->display_token);
	fputc(',', csv);
	if (r->frame)
		fprintf(csv, "%" PRId64, r->frame);
	fprintf(csv, ",%s,%s,", column, op);
}

static void word(const struct row *r, const char *column, const char *value, int inject)
{
	if (!csv)
		return;
	key(r, column, "=");
	fprintf(csv, "%s,,%s,\n", value, inject < 0 ? "" : inject_name(inject));
}

static void number(const struct row *r, const char *column, int64_t value, int inject)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	word(r, column, text, inject);
}

static void ms(const struct row *r, const char *column, const char *op, int64_t ns, int64_t slack)
{
	if (!csv)
		return;
	key(r, column, op);
	fprintf(csv, "%.6f,%.6f,,\n", (double)ns / 1e6, (double)slack / 1e6);
}

/* A state of a role in its window */
static void state(const struct row *r, const char *role, const char *name, int64_t ns,
		  int64_t slack)
{
	char column[64];

	snprintf(column, sizeof(column), "%s_%s_ms", role, name);
	ms(r, column, "=", ns, slack);
}

static void states(const struct row *r, const char *role, enum track_id id, int64_t start,
		   int64_t end, int64_t slack)
{
	struct spent s;
	char column[64];

	if (!csv || !track_window(&sim->tracks[id], start, end, &s))
		return;
	s.slack += slack;
	state(r, role, "running", s.running, s.slack + s.doubt);
	snprintf(column, sizeof(column), "%s_runnable_ms+%s_preempted_ms", role, role);
	ms(r, column, "=", s.delay, s.slack + s.doubt);
	state(r, role, "sleeping", s.sleeping, s.slack);
	state(r, role, "blocked_io", s.io, s.slack);
	state(r, role, "blocked_nonio", s.blocked, s.slack);
}

/* The column holds at least what was injected. */
static void injected_cell(const struct row *r, enum inject k, int64_t ns)
{
	if (!csv)
		return;
	key(r, inject_column(k), ">=");
	fprintf(csv, "%.6f,0,%s,%.6f\n", (double)ns / 1e6, inject_name(k), (double)ns / 1e6);
}

static void injected(const struct row *r, enum inject k, int64_t ns)
{
	injected_cell(r, k, ns);
	printf("frame %" PRId64 ": %s: %.3f ms in %s", r->frame, inject_name(k), (double)ns / 1e6,
	       inject_column(k));
	if (r->surface_token >= 0)
		printf(", surface token %" PRId64 "\n", r->surface_token);
	else
		printf(", display token %" PRId64 "\n", r->display_token);
}

static void injected_word(const struct row *r, enum inject k, const char *value)
{
	printf("frame %" PRId64 ": %s: %s is %s, surface token %" PRId64 "\n", r->frame,
	       inject_name(k), inject_column(k), value, r->surface_token);
	word(r, inject_column(k), value, (int)k);
}

static const char *jank_name(int jank, char *text, size_t size)
{
	static const struct {
		int bit;
		const char *name;
	} names[] = {
		{ JANK_SF_SCHEDULING, "SurfaceFlinger Scheduling" },
		{ JANK_DISPLAY_HAL, "Display HAL" },
		{ JANK_SF_CPU, "SurfaceFlinger CPU Deadline Missed" },
		{ JANK_SF_GPU, "SurfaceFlinger GPU Deadline Missed" },
		{ JANK_APP, "App Deadline Missed" },
		{ JANK_STUFFING, "Buffer Stuffing" },
		{ JANK_SF_STUFFING, "SurfaceFlinger Stuffing" },
		{ JANK_DROPPED, "Dropped Frame" },
	};
	size_t len = 0;

	snprintf(text, size, "None");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (jank & names[i].bit)
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? ", " : "",
						names[i].name);
	return text;
}

static const char *present_name(int type)
{
	return type == PRESENT_DROPPED	 ? "Dropped Frame"
	       : type == PRESENT_LATE	 ? "Late Present"
	       : type == PRESENT_UNKNOWN ? "Unknown Present"
					 : "On-time Present";
}

/* Injections whose measure is that of the app's own threads. */
static void tell_measured(const struct row *r, const struct frame *f)
{
	for (int k = 0; k <= INJECT_gpu_late; k++)
		if (f->measured[k] >= 0)
			injected(r, (enum inject)k, f->measured[k]);
}

static void tell_buffer(const struct row *r, const struct frame *f, int64_t acquired)
{
	ms(r, "app_hold_ms", "?", f->queued - f->dequeued, 0);
	if (acquired > f->queued && !f->dropped)
		ms(r, "producer_fence_wait_ms", "?", acquired - f->queued, 0);
	if (f->present)
		ms(r, "latch_to_present_ms", "?", f->present - f->latched, 0);
	if (f->latched_unsignaled)
		injected_word(r, INJECT_fence_pending_late, "early-latch");
	if (inject_at(INJECT_fence_never, f->index, NULL))
		injected_word(r, INJECT_fence_never, "open");
}

static void tell_surface(const struct frame *f)
{
	const struct frame *now = &sim->frames[f->record % FRAMES];
	int64_t acquired = now->record == f->record ? now->acquired : f->acquired;
	int64_t start = actual_start(f), end = actual_end(f);
	char layer[LAYER_NAME + 8], jank[256];
	struct row r = { "surface", layer, f->token, f->display_token, f->index, f->pid };

	snprintf(layer, sizeof(layer), "TX - %s", f->layer_name);
	states(&r, "ui", TRACK_UI, start, end, 0);
	states(&r, "render", TRACK_RENDER, start, end, 0);
	tell_measured(&r, f);
	tell_buffer(&r, f, acquired);
	ms(&r, "actual_ms", "=", end - start, 0);
	if (f->expired) {
		injected_word(&r, INJECT_expired, "Expired Prediction");
		word(&r, "expected_ms", "", -1);
	} else {
		ms(&r, "expected_ms", "=", f->expected_end - f->expected_start, 0);
	}
	number(&r, "on_time_finish", f->on_time, -1);
	number(&r, "gpu_composition", f->gpu_composition, -1);
	word(&r, "present_type", present_name(f->present_type), -1);
	number(&r, "jank_mask", f->jank, -1);
	jank_name(f->jank, jank, sizeof(jank));
	if (inject_at(INJECT_drop, f->index, NULL))
		injected_word(&r, INJECT_drop, present_name(f->present_type));
	if (inject_stuffs(f->index) && f->jank == JANK_STUFFING)
		injected_word(&r, INJECT_stuffing, jank);
	if (inject_at(INJECT_client_composition, f->index, NULL))
		injected_word(&r, INJECT_client_composition, "1");
	if (inject_at(INJECT_display_late, f->index, NULL))
		injected_word(&r, INJECT_display_late, "Display HAL");
	if (f->measured[INJECT_two_layers] >= 0)
		injected_word(&r, INJECT_two_layers, layer);
}

/* The same frame as trace marks show it. */
static void tell_mark(const struct frame *f)
{
	struct row r = { "mark", "", f->token, -1, f->index, f->pid };
	int64_t end;

	/* Its threads may have gone on since it was latched. */
	f = &sim->frames[f->record % FRAMES];
	if (f->layer || !csv || f->token != r.surface_token)
		return;
	end = f->ui_end > f->draw_end ? f->ui_end : f->draw_end;
	states(&r, "ui", TRACK_UI, f->start, end, f->mark_slack);
	states(&r, "render", TRACK_RENDER, f->start, end, f->mark_slack);
	for (int k = 0; k < INJECT_gpu_late; k++)
		if (f->measured[k] >= 0)
			injected_cell(&r, (enum inject)k, f->measured[k]);
}

static void tell_display(const struct display *d)
{
	struct row r = { "display", "", -1, d->token, d->n ? d->frames[0].index : 0, getpid() };

	states(&r, "sf", TRACK_SF, d->start, d->present, 0);
	states(&r, "re", TRACK_RE, d->start, d->present, 0);
	states(&r, "hwc", TRACK_HWC, d->start, d->present, 0);
	if (d->slow >= 0)
		injected(&r, INJECT_sf_slow, d->slow);
	if (d->hwc_slow >= 0)
		injected(&r, INJECT_hwc_slow, d->hwc_slow);
	ms(&r, "actual_ms", "=", d->present - d->start, 0);
	number(&r, "on_time_finish", d->on_time, -1);
	number(&r, "gpu_composition", d->client_composition, -1);
	word(&r, "present_type", present_name(d->present_type), -1);
	number(&r, "jank_mask", d->jank, -1);
}

void truth_tell(const struct display *d)
{
	tell_display(d);
	for (int i = 0; i < d->n; i++) {
		tell_surface(&d->frames[i]);
		tell_mark(&d->frames[i]);
	}
}

void truth_close(void)
{
	if (csv && fclose(csv))
		die(opt.truth);
}
