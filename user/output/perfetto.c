// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/perfetto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "output/perfetto_timeline.h"
#include "output/tracks.h"
#include "version.h"

/* A fence as a slice; rows of fences repeat it for each frame. */
enum {
	FENCE_START,
	FENCE_END,
	FENCE_CONTEXT,
	FENCE_SEQNO,
	FENCE_DRIVER,
	FENCE_TIMELINE,
	FENCE_STATUS,
	FENCE_INIT,
	FENCE_CELLS
};

static const struct fw_column fence_columns[FENCE_CELLS] = {
	{ .name = "start" },  { .name = "end" },      { .name = "context" }, { .name = "seqno" },
	{ .name = "driver" }, { .name = "timeline" }, { .name = "status" },  { .name = "init" },
};
static const int fence_order[] = { FENCE_START,	 FENCE_CONTEXT,	 FENCE_SEQNO,  FENCE_END,
				   FENCE_DRIVER, FENCE_TIMELINE, FENCE_STATUS, -1 };
static const struct fw_table fence_table = { "fences", "", fence_columns, FENCE_CELLS,
					     fence_order };

struct fw_perfetto {
	struct fw_sink sinks[FW_FRAME_TABLES];
	struct fw_sink fence_slices;
	struct fw_tracks t;
	uint64_t cookie;
	struct fw_map threads; /* tid: uuid of its track */
	struct fw_map covered; /* tid: up to where its states are written */
	struct fw_rows *fences; /* the same one comes with each layer */
	int64_t first_ns; /* the raw time of time 0 */
};

static struct fw_perfetto *of(struct fw_sink *s, enum fw_frame_table t)
{
	return (struct fw_perfetto *)((char *)(s - t) - offsetof(struct fw_perfetto, sinks));
}

static struct fw_str text(const struct fw_cell *c)
{
	return c->type == FW_TEXT ? c->s : FW_STR_NONE;
}

static int64_t number(const struct fw_cell *c)
{
	return c->type == FW_INT || c->type == FW_MS ? c->i : 0;
}

static void note(struct fw_tracks *t, const char *name, const struct fw_cell *c)
{
	if (c->type == FW_TEXT)
		fw_tracks_note_text(t, name, c->s);
	else if (c->type == FW_INT)
		fw_tracks_note_int(t, name, c->i);
	else if (c->type == FW_UINT)
		fw_tracks_note_uint(t, name, c->u);
	else if (c->type == FW_MS)
		fw_tracks_note_real(t, name, (double)c->i / 1e6);
	else if (c->type == FW_REAL)
		fw_tracks_note_real(t, name, c->d);
}

static uint64_t name_hash(struct fw_str s)
{
	return s.p ? fw_hash_bytes(s.p, s.len) : 0;
}

/* The tracks of a frame's layer, one for each @what, under its process. */
struct layer_tracks {
	uint64_t process, layer;
	struct fw_str name;
};

static uint64_t process_track(struct fw_tracks *t, int64_t pid, struct fw_str name)
{
	uint64_t uuid = fw_tracks_uuid("process", (uint64_t)pid, 0);

	fw_tracks_process(t, uuid, pid, name);
	return uuid;
}

static uint64_t lane(struct fw_perfetto *p, const struct layer_tracks *l, const char *what,
		     int64_t start, int64_t end)
{
	char name[512];

	if (l->name.p)
		snprintf(name, sizeof(name), "%s: %.*s", what, FW_STR_ARG(l->name));
	else
		snprintf(name, sizeof(name), "%s", what);
	return fw_tracks_lane(&p->t, fw_tracks_uuid(what, l->process, l->layer), l->process,
			      fw_str(name), start, end);
}

static uint64_t fence_flow(const struct fw_cell *context, const struct fw_cell *seqno)
{
	return fw_tracks_uuid("fence", context->u, seqno->u);
}

#define CELL(name) (&frame[FW_C_FRAMES_##name])

/* A fence whose beginning was seen, and that is one. */
static bool fence_known(const struct fw_cell *match, const struct fw_cell *context,
			const struct fw_cell *init_to_signal)
{
	return context->type == FW_UINT && init_to_signal->type == FW_MS &&
	       !fw_str_eq(text(match), FW_STR("ambiguous"));
}

/* The name of the frame's slices: its token. */
static struct fw_str frame_name(const struct fw_cell *frame, char buf[24])
{
	const struct fw_cell *token = CELL(surface_token);

	if (token->type != FW_INT)
		token = CELL(display_token);
	if (token->type != FW_INT)
		return FW_STR("frame");
	snprintf(buf, 24, "%" PRId64, token->i);
	return fw_str(buf);
}

static void frame_notes(struct fw_tracks *t, const struct fw_cell *frame)
{
	static const int noted[] = {
		FW_C_FRAMES_kind,	  FW_C_FRAMES_surface_token,	 FW_C_FRAMES_display_token,
		FW_C_FRAMES_late,	  FW_C_FRAMES_deadline_delta_ms, FW_C_FRAMES_overrun_ms,
		FW_C_FRAMES_present_type, FW_C_FRAMES_jank_tag,		 FW_C_FRAMES_jank_type,
		FW_C_FRAMES_frame_number, FW_C_FRAMES_buffer_id,	 FW_C_FRAMES_flags,
		FW_C_FRAMES_candidate,
	};

	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		note(t, fw_frame_table(FW_FRAMES)->columns[noted[i]].name, &frame[noted[i]]);
}

/* The end of a fence that the frame waited for, as a mark on its slice. */
static void fence_mark(struct fw_tracks *t, uint64_t track, int64_t ts, const char *name,
		       const struct fw_cell *context, const struct fw_cell *seqno)
{
	fw_tracks_instant(t, track, ts, fw_str(name));
	fw_tracks_note_uint(t, "context", context->u);
	fw_tracks_note_uint(t, "seqno", seqno->u);
	fw_tracks_flow(t, fence_flow(context, seqno));
	fw_tracks_event_end(t);
}

static void put_frame(struct fw_perfetto *p, const struct layer_tracks *l,
		      const struct fw_cell *frame)
{
	int64_t start = number(CELL(actual_start_ns));
	int64_t end = CELL(actual_end_ns)->type == FW_INT ? CELL(actual_end_ns)->i : INT64_MAX;
	int64_t acquire = number(CELL(acquire_ms)) + start - number(CELL(actual_start_ms));
	uint64_t track = lane(p, l, "Frames", start, end);
	char name[24];

	if (!track)
		return;
	fw_tracks_begin(&p->t, track, start, frame_name(frame, name));
	frame_notes(&p->t, frame);
	fw_tracks_event_end(&p->t);
	if (fence_known(CELL(acquire_fence_match), CELL(acquire_fence_context),
			CELL(acquire_fence_init_to_signal_ms)) &&
	    CELL(acquire_ms)->type == FW_MS && acquire >= start && acquire <= end)
		fence_mark(&p->t, track, acquire, "acquire fence signaled",
			   CELL(acquire_fence_context), CELL(acquire_fence_seqno));
	if (end != INT64_MAX)
		fw_tracks_slice_end(&p->t, track, end);
}

static void put_phase(struct fw_perfetto *p, const struct layer_tracks *l, const char *what,
		      const struct fw_cell *frame, const struct fw_cell *start,
		      const struct fw_cell *duration)
{
	int64_t ts = number(start) + p->first_ns;
	char name[24];
	uint64_t track;

	if (start->type != FW_MS || duration->type != FW_MS || duration->i <= 0)
		return;
	track = lane(p, l, what, ts, ts + duration->i);
	if (!track)
		return;
	fw_tracks_begin(&p->t, track, ts, frame_name(frame, name));
	note(&p->t, "frame_number", CELL(frame_number));
	note(&p->t, "buffer_id", CELL(buffer_id));
	fw_tracks_event_end(&p->t);
	fw_tracks_slice_end(&p->t, track, ts + duration->i);
}

/* Presented: the one moment that is no phase's; of a layer's frame, on a track of its own. */
static void put_present(struct fw_perfetto *p, const struct layer_tracks *l,
			const struct fw_cell *frame)
{
	int64_t ts = number(CELL(present_ms)) + p->first_ns;
	uint64_t track;

	if (CELL(present_ms)->type != FW_MS)
		return;
	track = lane(p, l, "Presented", ts, ts);
	if (!track)
		return;
	if (fence_known(CELL(present_fence_match), CELL(present_fence_context),
			CELL(present_fence_init_to_signal_ms))) {
		fence_mark(&p->t, track, ts, "present fence signaled", CELL(present_fence_context),
			   CELL(present_fence_seqno));
		return;
	}
	fw_tracks_instant(&p->t, track, ts, FW_STR("presented"));
	fw_tracks_event_end(&p->t);
}

static void put_candidate(struct fw_perfetto *p, const struct layer_tracks *l,
			  const struct fw_cell *frame)
{
	static const int noted[] = { FW_C_FRAMES_overrun_ms, FW_C_FRAMES_candidate_ms,
				     FW_C_FRAMES_candidate_share, FW_C_FRAMES_candidate_evidence,
				     FW_C_FRAMES_other_candidates };
	int64_t start = number(CELL(actual_start_ns)), end = number(CELL(actual_end_ns));
	uint64_t track;

	if (CELL(candidate)->type != FW_TEXT || CELL(actual_end_ns)->type != FW_INT)
		return;
	track = lane(p, l, "Candidates", start, end);
	if (!track)
		return;
	fw_tracks_begin(&p->t, track, start, CELL(candidate)->s);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		note(&p->t, fw_frame_table(FW_FRAMES)->columns[noted[i]].name, &frame[noted[i]]);
	fw_tracks_event_end(&p->t);
	fw_tracks_slice_end(&p->t, track, end);
}

static int frames_row(struct fw_sink *sink, const struct fw_cell *frame)
{
	struct fw_perfetto *p = of(sink, FW_FRAMES);
	struct layer_tracks l = {
		.process = process_track(&p->t, number(CELL(pid)), text(CELL(process))),
		.layer = name_hash(text(CELL(layer))),
		.name = text(CELL(layer)),
	};
	struct fw_cell latch = *CELL(queue_ms);

	p->first_ns = number(CELL(actual_start_ns)) - number(CELL(actual_start_ms));
	fw_perfetto_timeline(&p->t, frame, &p->cookie);
	put_frame(p, &l, frame);
	put_candidate(p, &l, frame);
	if (CELL(acquire_ms)->type == FW_MS && number(CELL(acquire_ms)) > number(&latch))
		latch = *CELL(acquire_ms);
	put_phase(p, &l, "app_hold", frame, CELL(dequeue_ms), CELL(app_hold_ms));
	put_phase(p, &l, "producer_fence_wait", frame, CELL(queue_ms),
		  CELL(producer_fence_wait_ms));
	put_phase(p, &l, "acquire_to_latch", frame, &latch, CELL(acquire_to_latch_ms));
	put_phase(p, &l, "latch_to_present", frame, CELL(latch_ms), CELL(latch_to_present_ms));
	put_phase(p, &l, "present_interval", frame, CELL(present_ms), CELL(present_interval_ms));
	put_present(p, &l, frame);
	return p->t.w.err ? fw_writer_flush(&p->t.w) : 0;
}

#undef CELL

/*
 * A thread's track stands in its process where that is certain: a role's process is the frame's,
 * but for the composer and what --role names.
 */
static uint64_t thread_track(struct fw_perfetto *p, int64_t tid, struct fw_str thread)
{
	uint64_t *slot = fw_map_slot(&p->threads, (uint64_t)tid);
	uint64_t parent = fw_tracks_uuid("threads", 0, 0);
	char name[64];

	if (*slot)
		return *slot;
	*slot = fw_tracks_uuid("thread", (uint64_t)tid, 0);
	snprintf(name, sizeof(name), "%.*s%s%" PRId64, FW_STR_ARG(thread), thread.len ? " " : "",
		 tid);
	fw_tracks_track(&p->t, parent, 0, FW_STR("Other threads"));
	fw_tracks_track(&p->t, *slot, parent, fw_str(name));
	return *slot;
}

#define CELL(name) (&row[FW_C_THREADS_##name])

static int threads_row(struct fw_sink *sink, const struct fw_cell *row)
{
	struct fw_perfetto *p = of(sink, FW_THREADS);
	int64_t pid = number(CELL(pid)), tid = number(CELL(tid));
	struct fw_str role = text(CELL(role));
	uint64_t *slot;

	if (tid != pid && (fw_str_eq(role, FW_STR("sf")) || fw_str_eq(role, FW_STR("hwc")))) {
		thread_track(p, tid, text(CELL(thread)));
		return 0;
	}
	slot = fw_map_slot(&p->threads, (uint64_t)tid);
	if (*slot)
		return 0;
	*slot = fw_tracks_uuid("thread", (uint64_t)tid, 0);
	process_track(&p->t, pid, text(CELL(process)));
	fw_tracks_thread(&p->t, *slot, pid, tid, text(CELL(thread)));
	return p->t.w.err ? fw_writer_flush(&p->t.w) : 0;
}

#undef CELL
#define CELL(name) (&row[FW_C_INTERVALS_##name])

/* Who woke it, on the waker's own track. Return: the flow from there. */
static uint64_t put_wake(struct fw_perfetto *p, const struct fw_cell *row, int64_t start)
{
	uint64_t flow = fw_tracks_uuid("wake", (uint64_t)number(CELL(tid)), (uint64_t)start);
	uint64_t waker = thread_track(p, number(CELL(waker_tid)), text(CELL(waker)));
	char name[80];

	snprintf(name, sizeof(name), "wakes %.*s", FW_STR_ARG(text(CELL(thread))));
	fw_tracks_instant(&p->t, waker, start, fw_str(name));
	note(&p->t, "tid", CELL(tid));
	note(&p->t, "interrupt", CELL(waker_irq));
	fw_tracks_flow(&p->t, flow);
	fw_tracks_event_end(&p->t);
	return flow;
}

static void state_name(const struct fw_cell *row, char *buf, size_t size)
{
	struct fw_str function = text(CELL(function)), state = text(CELL(state));
	const char *io = CELL(io_wait)->type == FW_INT && CELL(io_wait)->i ? " io" : "";

	snprintf(buf, size, "%.*s%s%s%.*s", FW_STR_ARG(state), io, function.len ? ": " : "",
		 FW_STR_ARG(function));
}

static void put_state(struct fw_perfetto *p, const struct fw_cell *row, int64_t start, int64_t end)
{
	static const int noted[] = { FW_C_INTERVALS_cpu,       FW_C_INTERVALS_kernel_preempted,
				     FW_C_INTERVALS_waker_tid, FW_C_INTERVALS_waker,
				     FW_C_INTERVALS_irq_ms,    FW_C_INTERVALS_softirq_ms };
	uint64_t track = thread_track(p, number(CELL(tid)), text(CELL(thread)));
	bool woken = fw_str_eq(text(CELL(state)), FW_STR("runnable")) &&
		     CELL(waker_tid)->type == FW_INT && start == number(CELL(start_ns)) &&
		     start > number(CELL(actual_start_ns));
	uint64_t flow = woken ? put_wake(p, row, start) : 0;
	char name[256];

	state_name(row, name, sizeof(name));
	fw_tracks_begin(&p->t, track, start, fw_str(name));
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		note(&p->t, fw_frame_table(FW_INTERVALS)->columns[noted[i]].name, &row[noted[i]]);
	if (flow)
		fw_tracks_flow(&p->t, flow);
	fw_tracks_event_end(&p->t);
	fw_tracks_slice_end(&p->t, track, end);
}

/*
 * Windows of one thread overlap where its frames do, and say the same there: rows come by the
 * start of their window, so what lies before the end of the last one is written already.
 */
static int intervals_row(struct fw_sink *sink, const struct fw_cell *row)
{
	struct fw_perfetto *p = of(sink, FW_INTERVALS);
	uint64_t *covered = fw_map_slot(&p->covered, (uint64_t)number(CELL(tid)));
	int64_t start = FW_MAX(number(CELL(start_ns)), (int64_t)*covered), end;

	if (__builtin_add_overflow(number(CELL(start_ns)), number(CELL(duration_ns)), &end) ||
	    end <= start)
		return 0;
	*covered = (uint64_t)end;
	put_state(p, row, start, end);
	return p->t.w.err ? fw_writer_flush(&p->t.w) : 0;
}

#undef CELL
#define CELL(name) (&row[FW_C_FENCES_##name])

static int fences_row(struct fw_sink *sink, const struct fw_cell *row)
{
	struct fw_perfetto *p = of(sink, FW_FENCES);
	const struct fw_cell *seen[] = { CELL(init_ms), CELL(emit_ms), CELL(enable_signal_ms),
					 CELL(signaled_ms) };
	struct fw_cell cells[FENCE_CELLS] = {
		[FENCE_END] = *CELL(signaled_ms),
		[FENCE_CONTEXT] = *CELL(context),
		[FENCE_SEQNO] = *CELL(seqno),
		[FENCE_DRIVER] = *CELL(driver),
		[FENCE_TIMELINE] = *CELL(timeline),
		[FENCE_STATUS] = *CELL(status),
		[FENCE_INIT] = fw_int(CELL(init_ms)->type == FW_MS),
	};

	if (CELL(context)->type != FW_UINT)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(seen) && cells[FENCE_START].type == FW_NULL; i++)
		cells[FENCE_START] = *seen[i];
	return cells[FENCE_START].type == FW_MS ? fw_rows_add(p->fences, cells) : 0;
}

#undef CELL

static int fence_slice(struct fw_sink *sink, const struct fw_cell *c)
{
	struct fw_perfetto *p =
		(struct fw_perfetto *)((char *)sink - offsetof(struct fw_perfetto, fence_slices));
	struct fw_str driver = text(&c[FENCE_DRIVER]), timeline = text(&c[FENCE_TIMELINE]);
	bool signaled = c[FENCE_END].type == FW_MS && c[FENCE_END].i >= c[FENCE_START].i;
	int64_t start = c[FENCE_START].i + p->first_ns;
	int64_t end = signaled ? c[FENCE_END].i + p->first_ns : INT64_MAX;
	uint64_t parent = fw_tracks_uuid("fences", 0, 0), track;
	char name[256];

	fw_tracks_track(&p->t, parent, 0, FW_STR("Fences"));
	snprintf(name, sizeof(name), "%.*s %.*s", FW_STR_ARG(driver), FW_STR_ARG(timeline));
	track = fw_tracks_lane(&p->t,
			       fw_tracks_uuid("timeline", name_hash(driver), name_hash(timeline)),
			       parent, driver.p ? fw_str(name) : FW_STR("(no name)"), start, end);
	if (!track)
		return 0;
	snprintf(name, sizeof(name), "%" PRIu64 ":%" PRIu64, c[FENCE_CONTEXT].u, c[FENCE_SEQNO].u);
	fw_tracks_begin(&p->t, track, start, fw_str(name));
	note(&p->t, "context", &c[FENCE_CONTEXT]);
	note(&p->t, "seqno", &c[FENCE_SEQNO]);
	note(&p->t, "status", &c[FENCE_STATUS]);
	if (c[FENCE_INIT].i)
		fw_tracks_flow(&p->t, fence_flow(&c[FENCE_CONTEXT], &c[FENCE_SEQNO]));
	fw_tracks_event_end(&p->t);
	if (signaled)
		fw_tracks_slice_end(&p->t, track, end);
	return p->t.w.err ? fw_writer_flush(&p->t.w) : 0;
}

static int recording_row(struct fw_sink *sink, const struct fw_cell *row)
{
	struct fw_perfetto *p = of(sink, FW_RECORDING);

	if (fw_str_eq(text(&row[FW_C_RECORDING_name]), FW_STR("first_ns")))
		fw_str_int(text(&row[FW_C_RECORDING_value]), &p->first_ns);
	return 0;
}

/* A reader of the trace finds the version of the columns that the arguments are named after. */
static void put_version(struct fw_perfetto *p)
{
	uint64_t track = fw_tracks_uuid("framewait", 0, 0);

	fw_tracks_track(&p->t, track, 0, FW_STR("framewait"));
	fw_tracks_instant(&p->t, track, p->first_ns, FW_STR("columns"));
	fw_tracks_note_int(&p->t, "schema", FW_SCHEMA_VERSION);
	fw_tracks_note_text(&p->t, "version", FW_STR(FW_VERSION));
	fw_tracks_event_end(&p->t);
}

static int no_row(struct fw_sink *s, const struct fw_cell *row)
{
	return 0;
}

int fw_perfetto_open(const char *path, struct fw_perfetto **out)
{
	static int (*const rows[FW_FRAME_TABLES])(struct fw_sink *, const struct fw_cell *) = {
		[FW_FRAMES] = frames_row,	[FW_THREADS] = threads_row,
		[FW_FENCES] = fences_row,	[FW_INTERVALS] = intervals_row,
		[FW_RECORDING] = recording_row,
	};
	struct fw_perfetto *p = fw_zalloc(sizeof(*p));
	int err = fw_tracks_open(&p->t, path);

	*out = NULL;
	if (err) {
		free(p);
		return err;
	}
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		p->sinks[t] = fw_row_sink(rows[t] ? rows[t] : no_row);
	p->fence_slices = fw_row_sink(fence_slice);
	p->fences = fw_rows_new(&fence_table);
	*out = p;
	return 0;
}

struct fw_sink *fw_perfetto_sink(struct fw_perfetto *p, enum fw_frame_table t)
{
	return &p->sinks[t];
}

int fw_perfetto_close(struct fw_perfetto *p, int err)
{
	int e;

	if (!err)
		err = fw_rows_emit(p->fences, &p->fence_slices, true);
	if (!err)
		put_version(p);
	if (!err && p->t.dropped)
		fw_warn("%s: %" PRIu64 " slices left out: no time that a trace can have, or more "
			"than %d at once",
			p->t.w.name, p->t.dropped, FW_LANES_MAX);
	fw_rows_free(p->fences);
	fw_map_free(&p->threads);
	fw_map_free(&p->covered);
	e = fw_tracks_close(&p->t);
	free(p);
	return err ? err : e;
}
