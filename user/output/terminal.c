// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "frame/columns.h"
#include "frame/roles.h"
#include "output/metrics.h"
#include "base/utf8.h"

/* Groups (process and layer, jank tags) beyond this many are counted together. */
#define MAX_GROUPS 4096
#define SHOWN_GROUPS 16
#define WORST 10

struct group {
	uint32_t process, layer; /* in names; a jank tag or a candidate is in process */
	uint64_t frames, late, judged, ended;
	int64_t sum_ns, max_ns;
};

struct groups {
	struct fw_map by_key;
	struct group *g;
	size_t n, cap;
};

struct worst {
	struct fw_rowbuf row;
	int64_t badness;
};

struct fw_terminal {
	struct fw_sink frames, health;
	char *path;
	const struct fw_recording *rec;
	struct fw_names *names;
	struct groups layers, tags, candidates;
	uint64_t n_surface, n_display;
	struct worst worst[WORST];
	int n_worst;
	struct fw_rowbuf *counters; /* rows of the health table */
	size_t n_counters, counters_cap;
};

static struct fw_str cell_text(const struct fw_cell *c)
{
	return c->type == FW_TEXT ? c->s : FW_STR_NONE;
}

/* The process of a frame: its name, else its pid, which @buf is for. */
static struct fw_str process_text(const struct fw_cell *c, char buf[24])
{
	const struct fw_cell *name = &c[FW_C_FRAMES_process], *pid = &c[FW_C_FRAMES_pid];

	if (pid->type != FW_INT || (name->type == FW_TEXT && name->s.len))
		return cell_text(name);
	snprintf(buf, 24, "%" PRId64, pid->i);
	return fw_str(buf);
}

#define terminal_of(sink, member)                                                                  \
	((struct fw_terminal *)((char *)(sink)-offsetof(struct fw_terminal, member)))

/* @s in at most @width characters, what does not print as '?', filled up with blanks. */
static void put_name(struct fw_writer *w, struct fw_str s, int width)
{
	int left = width;

	if (!s.p)
		s = FW_STR("-");
	while (s.len && left > 0) {
		size_t n;
		bool prints = fw_utf8_prints(s, &n), last = left == 1 && s.len > n;

		if (last)
			fw_writer_char(w, '~');
		else if (!prints)
			fw_writer_char(w, '?');
		else
			fw_writer_put(w, s.p, n);
		s.p += n;
		s.len -= n;
		left--;
	}
	while (left-- > 0)
		fw_writer_char(w, ' ');
}

void fw_terminal_text(struct fw_writer *w, struct fw_str s, int max)
{
	int chars = 0;

	for (struct fw_str r = s; r.len; chars++) {
		size_t n;

		fw_utf8_prints(r, &n);
		r.p += n;
		r.len -= n;
	}
	put_name(w, s, s.p && chars < max ? chars : max);
}

static struct group *group(struct fw_terminal *t, struct groups *gs, struct fw_str process,
			   struct fw_str layer)
{
	uint32_t p = fw_names_id(t->names, process), l = fw_names_id(t->names, layer);
	uint64_t *slot = fw_map_get(&gs->by_key, (uint64_t)p << 32 | l);

	if (slot)
		return &gs->g[*slot];
	if (gs->n > MAX_GROUPS)
		return &gs->g[MAX_GROUPS];
	fw_grow(gs->g, gs->n, gs->cap);
	gs->g[gs->n] = (struct group){ .process = p, .layer = l };
	if (gs->n == MAX_GROUPS)
		gs->g[gs->n].process = fw_names_id(t->names, FW_STR("(all others)"));
	else
		fw_map_set(&gs->by_key, (uint64_t)p << 32 | l, gs->n);
	return &gs->g[gs->n++];
}

static void group_add(struct group *g, const struct fw_cell *c)
{
	const struct fw_cell *dur = &c[FW_C_FRAMES_actual_ms];

	g->frames++;
	g->judged += c[FW_C_FRAMES_late].type == FW_INT;
	g->late += c[FW_C_FRAMES_late].type == FW_INT && c[FW_C_FRAMES_late].i;
	if (dur->type != FW_MS)
		return;
	g->ended++;
	if (__builtin_add_overflow(g->sum_ns, dur->i, &g->sum_ns))
		g->sum_ns = INT64_MAX;
	g->max_ns = FW_MAX(g->max_ns, dur->i);
}

/* How bad: past the deadline, else long; a frame of the screen only where there are no others. */
static int64_t badness(const struct fw_cell *c, bool display)
{
	const struct fw_cell *delta = &c[FW_C_FRAMES_deadline_delta_ms];
	const struct fw_cell *dur = &c[FW_C_FRAMES_actual_ms];
	int64_t v = INT64_MIN / 2;

	if (delta->type == FW_MS)
		v = delta->i;
	else if (dur->type == FW_MS)
		v = dur->i - 1000000000;
	return display ? v / 4 + INT64_MIN / 4 : v / 4;
}

static void worst_add(struct fw_terminal *t, const struct fw_cell *c, bool display)
{
	int64_t bad = badness(c, display);
	struct worst w;
	int i;

	if (t->n_worst == WORST && bad <= t->worst[WORST - 1].badness)
		return;
	if (t->n_worst < WORST)
		t->n_worst++;
	w = t->worst[t->n_worst - 1];
	for (i = t->n_worst - 1; i > 0 && t->worst[i - 1].badness < bad; i--)
		t->worst[i] = t->worst[i - 1];
	w.badness = bad;
	fw_row_encode(&w.row, c, FW_C_FRAMES_COUNT);
	t->worst[i] = w;
}

static int frames_row(struct fw_sink *s, const struct fw_cell *c)
{
	struct fw_terminal *t = terminal_of(s, frames);
	bool display = fw_str_eq(c[FW_C_FRAMES_kind].s, FW_STR("display"));
	struct fw_str layer = { NULL, 0 }, tag = FW_STR("(none recorded)");
	char pid[24];

	if (display)
		layer = FW_STR("(screen)");
	else if (fw_str_eq(c[FW_C_FRAMES_kind].s, FW_STR("mark")))
		layer = FW_STR("(trace marks)");
	else if (c[FW_C_FRAMES_layer].type == FW_TEXT)
		layer = c[FW_C_FRAMES_layer].s;
	if (c[FW_C_FRAMES_jank_tag].type == FW_TEXT)
		tag = c[FW_C_FRAMES_jank_tag].s;
	group_add(group(t, &t->layers, process_text(c, pid), layer), c);
	group_add(group(t, &t->tags, tag, display ? FW_STR("display") : FW_STR("surface")), c);
	if (c[FW_C_FRAMES_candidate].type == FW_TEXT)
		group_add(group(t, &t->candidates, c[FW_C_FRAMES_candidate].s,
				display ? FW_STR("display") : FW_STR("surface")),
			  c);
	t->n_display += display;
	t->n_surface += !display;
	worst_add(t, c, display);
	return 0;
}

static int health_row(struct fw_sink *s, const struct fw_cell *c)
{
	struct fw_terminal *t = terminal_of(s, health);

	fw_grow(t->counters, t->n_counters, t->counters_cap);
	t->counters[t->n_counters] = (struct fw_rowbuf){ 0 };
	fw_row_encode(&t->counters[t->n_counters++], c, FW_C_HEALTH_COUNT);
	return 0;
}

struct fw_terminal *fw_terminal_new(const char *path, const struct fw_recording *rec)
{
	struct fw_terminal *t = fw_zalloc(sizeof(*t));

	t->frames = fw_row_sink(frames_row);
	t->health = fw_row_sink(health_row);
	t->path = fw_strdup(path);
	t->rec = rec;
	t->names = fw_names_new();
	return t;
}

static void groups_free(struct groups *gs)
{
	fw_map_free(&gs->by_key);
	free(gs->g);
}

void fw_terminal_free(struct fw_terminal *t)
{
	if (!t)
		return;
	groups_free(&t->layers);
	groups_free(&t->tags);
	groups_free(&t->candidates);
	for (int i = 0; i < WORST; i++)
		free(t->worst[i].row.p);
	for (size_t i = 0; i < t->n_counters; i++)
		free(t->counters[i].p);
	free(t->counters);
	fw_names_free(t->names);
	free(t->path);
	free(t);
}

struct fw_sink *fw_terminal_frames(struct fw_terminal *t)
{
	return &t->frames;
}

struct fw_sink *fw_terminal_health(struct fw_terminal *t)
{
	return &t->health;
}

static void line(struct fw_writer *w, const char *what, struct fw_str value)
{
	if (!value.p || !value.len)
		return;
	fw_writer_printf(w, "  %-8s ", what);
	fw_terminal_text(w, value, 88);
	fw_writer_char(w, '\n');
}

static void print_recording(struct fw_terminal *t, struct fw_writer *w)
{
	const struct fw_recording *r = t->rec;
	char text[256];

	fw_terminal_text(w, fw_str(t->path), 60);
	fw_writer_printf(w, ": %s, ", r->format ? r->format : "unknown format");
	if (r->bytes < 1000000)
		fw_writer_printf(w, "%.1f kB\n", (double)r->bytes / 1e3);
	else
		fw_writer_printf(w, "%.1f MB\n", (double)r->bytes / 1e6);
	line(w, "device", r->device);
	snprintf(text, sizeof(text), "%.*s %.*s %.*s", FW_STR_ARG(r->sysname),
		 FW_STR_ARG(r->kernel), FW_STR_ARG(r->machine));
	line(w, "kernel", r->kernel.p ? fw_str(text) : FW_STR_NONE);
	text[0] = 0;
	if (r->num_cpus)
		snprintf(text, sizeof(text), "%d", r->num_cpus);
	line(w, "CPUs", fw_str(text));
	text[0] = 0;
	if (r->sdk)
		snprintf(text, sizeof(text), "SDK %d", r->sdk);
	line(w, "Android", fw_str(text));
	line(w, "clock", fw_str(r->trace_clock));
	line(w, "recorder", r->service_version);
	if (r->last_ts > r->first_ts)
		fw_writer_printf(w, "  span     %.3f s\n",
				 (double)(r->last_ts - r->first_ts) / 1e9);
}

static int by_frames(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->frames != y->frames)
		return x->frames < y->frames ? 1 : -1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->layer > y->layer) - (x->layer < y->layer);
}

static void print_layers(struct fw_terminal *t, struct fw_writer *w)
{
	struct groups *gs = &t->layers;

	if (!gs->n) {
		fw_writer_puts(
			w,
			FW_STR("\nNo frames: the recording has neither FrameTimeline events (data "
			       "source\nandroid.surfaceflinger.frametimeline) nor marks of "
			       "Choreographer#doFrame,\nor the options let none through\n"));
		return;
	}
	qsort(gs->g, gs->n, sizeof(*gs->g), by_frames);
	fw_writer_printf(w, "\nFrames: %" PRIu64 " of layers, %" PRIu64 " of the screen\n",
			 t->n_surface, t->n_display);
	fw_writer_printf(w, "  frames  late   mean ms    max ms  %-24s  layer\n", "process");
	for (size_t i = 0; i < gs->n && i < SHOWN_GROUPS; i++) {
		const struct group *g = &gs->g[i];

		fw_writer_printf(w, "%8" PRIu64, g->frames);
		/* Marks do not say what was late. */
		if (g->judged)
			fw_writer_printf(w, " %5" PRIu64, g->late);
		else
			fw_writer_printf(w, " %5s", "-");
		if (g->ended)
			fw_writer_printf(w, " %9.3f %9.3f  ",
					 (double)g->sum_ns / (double)g->ended / 1e6,
					 (double)g->max_ns / 1e6);
		else
			fw_writer_printf(w, " %9s %9s  ", "", "");
		put_name(w, fw_names_str(t->names, g->process), 24);
		fw_writer_puts(w, FW_STR("  "));
		fw_terminal_text(w, fw_names_str(t->names, g->layer), 36);
		fw_writer_char(w, '\n');
	}
	if (gs->n > SHOWN_GROUPS)
		fw_writer_printf(w, "  and %zu more layers\n", gs->n - SHOWN_GROUPS);
}

static void print_tags(struct fw_terminal *t, struct fw_writer *w, struct groups *gs,
		       const char *title)
{
	if (!gs->n)
		return;
	qsort(gs->g, gs->n, sizeof(*gs->g), by_frames);
	fw_writer_printf(w, "\n%s\n", title);
	for (size_t i = 0; i < gs->n && i < SHOWN_GROUPS; i++) {
		fw_writer_printf(w, "%8" PRIu64 "  ", gs->g[i].frames);
		fw_terminal_text(w, fw_names_str(t->names, gs->g[i].process), 40);
		fw_writer_puts(w,
			       fw_str_eq(fw_names_str(t->names, gs->g[i].layer), FW_STR("display"))
				       ? FW_STR(" (screen)\n")
				       : FW_STR("\n"));
	}
}

/* One role thread of a bad frame: where its time went, the largest part first. */
static void print_role(struct fw_writer *w, enum fw_role role, const struct fw_cell *c)
{
	static const char *const words[] = { "running",	   "runnable",	 "preempted",
					     "sleeping",   "blocked_io", "blocked",
					     "blocked(?)", "other",	 "unobserved" };
	const struct fw_cell *fig = &c[FW_C_FRAMES_FIGURE(role, 0)];
	bool used[ARRAY_SIZE(words)] = { false };
	int shown = 0;

	if (c[FW_C_FRAMES_ROLE_TID(role)].type != FW_INT)
		return;
	fw_writer_printf(w, "      %-6s", fw_role_name(role));
	for (; shown < 4; shown++) {
		int best = -1;

		for (int i = 0; i < (int)ARRAY_SIZE(words); i++)
			if (!used[i] && fig[i].type == FW_MS && fig[i].i > 0 &&
			    (best < 0 || fig[i].i > fig[best].i))
				best = i;
		if (best < 0)
			break;
		used[best] = true;
		fw_writer_printf(w, " %s %.3f", words[best], (double)fig[best].i / 1e6);
	}
	if (fig[FW_FIG_TOP_FUNCTION].type == FW_TEXT) {
		fw_writer_puts(w, FW_STR(" in "));
		fw_terminal_text(w, fig[FW_FIG_TOP_FUNCTION].s, 28);
	}
	fw_writer_char(w, '\n');
	if (fig[FW_FIG_TOP_WAKER].type == FW_TEXT) {
		fw_writer_puts(w, FW_STR("             woken by "));
		fw_terminal_text(w, fig[FW_FIG_TOP_WAKER].s, 24);
		if (fig[FW_FIG_TOP_WAKER_TID].type == FW_INT)
			fw_writer_printf(w, " (%" PRId64 ")", fig[FW_FIG_TOP_WAKER_TID].i);
		fw_writer_char(w, '\n');
	}
}

static void print_candidate(struct fw_writer *w, const struct fw_cell *c)
{
	const struct fw_cell *ms = &c[FW_C_FRAMES_candidate_ms];
	const struct fw_cell *all = &c[FW_C_FRAMES_overrun_ms];
	const struct fw_cell *share = &c[FW_C_FRAMES_candidate_share];
	const struct fw_cell *evidence = &c[FW_C_FRAMES_candidate_evidence];

	if (c[FW_C_FRAMES_candidate].type != FW_TEXT)
		return;
	fw_writer_puts(w, FW_STR("      candidate: "));
	fw_terminal_text(w, c[FW_C_FRAMES_candidate].s, 24);
	if (ms->type == FW_MS && all->type == FW_MS)
		fw_writer_printf(w, ", %.3f of %.3f ms late", (double)ms->i / 1e6,
				 (double)all->i / 1e6);
	if (share->type == FW_REAL)
		fw_writer_printf(w, " (%.0f %%)", 100 * share->d);
	if (c[FW_C_FRAMES_other_candidates].type == FW_TEXT) {
		fw_writer_puts(w, FW_STR("; then "));
		fw_terminal_text(w, c[FW_C_FRAMES_other_candidates].s, 34);
	}
	fw_writer_char(w, '\n');
	if (evidence->type == FW_TEXT) {
		fw_writer_puts(w, FW_STR("             "));
		fw_terminal_text(w, evidence->s, 86);
		fw_writer_char(w, '\n');
	}
}

static void print_frame(struct fw_writer *w, int n, const struct fw_cell *c)
{
	const struct fw_cell *delta = &c[FW_C_FRAMES_deadline_delta_ms];
	char pid[24];

	fw_writer_printf(w, "%3d. at %.3f ms", n, (double)c[FW_C_FRAMES_actual_start_ms].i / 1e6);
	if (c[FW_C_FRAMES_actual_ms].type == FW_MS)
		fw_writer_printf(w, ", took %.3f ms", (double)c[FW_C_FRAMES_actual_ms].i / 1e6);
	else
		fw_writer_puts(w, FW_STR(", no end seen"));
	if (delta->type == FW_MS)
		fw_writer_printf(w, ", %.3f ms %s its deadline",
				 (double)(delta->i < 0 ? -delta->i : delta->i) / 1e6,
				 delta->i < 0 ? "before" : "past");
	if (c[FW_C_FRAMES_jank_type].type == FW_TEXT) {
		fw_writer_puts(w, FW_STR(", "));
		fw_terminal_text(w, c[FW_C_FRAMES_jank_type].s, 28);
	}
	fw_writer_puts(w, FW_STR("\n      "));
	fw_terminal_text(w, process_text(c, pid), 40);
	fw_writer_puts(w, FW_STR("  "));
	fw_terminal_text(w,
			 c[FW_C_FRAMES_layer].type == FW_TEXT ? c[FW_C_FRAMES_layer].s
			 : fw_str_eq(c[FW_C_FRAMES_kind].s, FW_STR("mark"))
				 ? FW_STR("(trace marks)")
				 : FW_STR("(screen)"),
			 50);
	fw_writer_char(w, '\n');
	print_candidate(w, c);
	for (int r = 0; r < FW_ROLES; r++)
		print_role(w, r, c);
}

static void print_health(struct fw_terminal *t, struct fw_writer *w)
{
	struct fw_cell c[FW_C_HEALTH_COUNT];

	fw_writer_puts(w, FW_STR("\nHealth\n"));
	for (size_t i = 0; i < t->n_counters; i++) {
		if (fw_row_decode(t->counters[i].p, t->counters[i].len, c, FW_C_HEALTH_COUNT))
			continue;
		fw_writer_puts(w, FW_STR("  "));
		put_name(w, cell_text(&c[FW_C_HEALTH_severity]), 5);
		fw_writer_printf(w, " %10" PRId64 "  ", c[FW_C_HEALTH_value].i);
		fw_terminal_text(w, cell_text(&c[FW_C_HEALTH_meaning]), 70);
		if (c[FW_C_HEALTH_idx].type == FW_INT)
			fw_writer_printf(w, " [%" PRId64 "]", c[FW_C_HEALTH_idx].i);
		fw_writer_char(w, '\n');
	}
	if (!t->n_counters)
		fw_writer_puts(w, FW_STR("  nothing was lost, refused or misunderstood\n"));
}

void fw_terminal_print(struct fw_terminal *t, const struct fw_run *run, struct fw_writer *w)
{
	struct fw_cell c[FW_C_FRAMES_COUNT];

	print_recording(t, w);
	print_layers(t, w);
	print_tags(t, w, &t->tags, "Jank, as SurfaceFlinger says\n  frames  tag");
	print_tags(
		t, w, &t->candidates,
		"Late frames by first candidate (where to look, no verdict)\n  frames  candidate");
	if (t->layers.n)
		fw_metrics_summary(run, w);
	if (t->n_worst)
		fw_writer_puts(w,
			       FW_STR("\nWorst frames, and where their threads' time went (ms)\n"));
	for (int i = 0; i < t->n_worst; i++)
		if (!fw_row_decode(t->worst[i].row.p, t->worst[i].row.len, c, FW_C_FRAMES_COUNT))
			print_frame(w, i + 1, c);
	print_health(t, w);
}
