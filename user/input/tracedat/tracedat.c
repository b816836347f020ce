// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat - the reader of trace-cmd's trace.dat behind the input interface */
#include "input/tracedat/tracedat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"

static int probe(const uint8_t *p, size_t len)
{
	return len >= 10 && !memcmp(p, "\x17\x08\x44tracing", 10) ? 100 : 0;
}

static void close_trace(void *state)
{
	struct td *t = state;

	fw_progress_clear();
	for (uint32_t i = 0; i < t->n_streams; i++)
		free(t->streams[i].page);
	free(t->streams);
	free(t->heap);
	free(t->events);
	free(t->tasks);
	free(t->symbols);
	free(t->details);
	fw_map_free(&t->by_id);
	fw_map_free(&t->task_of);
	fw_map_free(&t->callers);
	fw_names_free(t->names);
	fw_reader_free(&t->reader);
	if (t->src)
		fw_source_close(t->src);
	free(t);
}

/* Clocks that count ns; the others cannot be placed on an axis of ns. */
static int check_clock(struct td *t)
{
	static const char *const ns[] = { "local",    "global", "perf", "mono",
					  "mono_raw", "boot",	"tai",	"" };

	for (size_t i = 0; i < ARRAY_SIZE(ns); i++)
		if (!strcmp(t->clock, ns[i]))
			return 0;
	if (t->has_tsc)
		return 0;
	return fw_fail(ENOTSUP,
		       "%s: trace.dat: its clock, %s, does not count ns; record with trace-cmd "
		       "record -C boot",
		       fw_source_path(t->src), t->clock);
}

/* What a CPU's stream holds, and where it begins and ends. */
static int index_stream(struct td *t, struct td_stream *s)
{
	struct td_event *e;
	int ret;

	td_stream_start(s);
	while ((ret = td_stream_next(t, s)) > 0) {
		e = td_event_of(t, s);
		if (e)
			e->n++;
		if (!e || !td_decode(t, s, e))
			fw_health_add(t->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		if (s->lost)
			fw_health_add(t->health, FW_H_ftrace_cpu_has_data_loss, s->cpu, 1);
		s->lost = false;
		t->rec.first_ts = FW_MIN(t->rec.first_ts, s->ts);
		t->rec.last_ts = FW_MAX(t->rec.last_ts, s->ts);
	}
	return ret;
}

static int index_all(struct td *t)
{
	int err = 0;

	t->rec.first_ts = INT64_MAX;
	t->indexing = true;
	for (uint32_t i = 0; i < t->n_streams && !err; i++) {
		err = index_stream(t, &t->streams[i]);
		fw_progress("reading", i + 1, t->n_streams);
	}
	t->indexing = false;
	return err;
}

static void describe(struct td *t)
{
	t->details =
		fw_asprintf("writer   %s endian, version %d, %s%" PRIu32 " threads named, %s\n",
			    t->big ? "big" : "little", t->version,
			    t->compression == TD_ZSTD	? "compressed by zstd, "
			    : t->compression == TD_ZLIB ? "compressed by zlib, "
							: "",
			    t->n_tasks,
			    t->tgids.len ? "their processes saved" : "their processes not saved");
	t->rec.details = fw_str(t->details);
}

static int open_trace(struct fw_source *src, struct fw_health *health, void **state)
{
	struct td *t = fw_zalloc(sizeof(*t));
	int err;

	t->src = src;
	t->health = health;
	t->reader.src = src;
	t->names = fw_names_new();
	err = td_read_container(t);
	if (!err)
		err = check_clock(t);
	if (!err)
		err = index_all(t);
	if (err) {
		t->src = NULL; /* stays the caller's */
		close_trace(t);
		return err;
	}
	td_read_tasks(t);
	t->rec.format = "trace.dat of trace-cmd";
	t->rec.bytes = fw_source_file_size(src);
	t->rec.trace_clock = *t->clock ? t->clock : "local";
	describe(t);
	*state = t;
	return 0;
}

static const struct fw_recording *recording(const void *state)
{
	return &((const struct td *)state)->rec;
}

/*
 * A heap of the streams that have events, by time; at equal times the CPU of the lower place in the
 * file is first.
 */
static bool before(const struct td *t, uint32_t a, uint32_t b)
{
	int64_t x = t->streams[a].ts, y = t->streams[b].ts;

	return x != y ? x < y : a < b;
}

static void sift_down(struct td *t, uint32_t i)
{
	uint32_t moved = t->heap[i], child;

	for (; (child = 2 * i + 1) < t->n_heap; i = child) {
		if (child + 1 < t->n_heap && before(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (!before(t, t->heap[child], moved))
			break;
		t->heap[i] = t->heap[child];
	}
	t->heap[i] = moved;
}

static int fill_heap(struct td *t)
{
	int ret;

	t->heap = fw_realloc(t->heap, t->n_streams + 1, sizeof(*t->heap));
	t->n_heap = 0;
	for (uint32_t i = 0; i < t->n_streams; i++) {
		td_stream_start(&t->streams[i]);
		ret = td_stream_next(t, &t->streams[i]);
		if (ret < 0)
			return ret;
		if (ret)
			t->heap[t->n_heap++] = i;
	}
	for (uint32_t i = t->n_heap / 2; i-- > 0;)
		sift_down(t, i);
	return 0;
}

static bool wanted(const struct td *t, enum fw_event_type type)
{
	return t->wants >> type & 1;
}

static int start(void *state, const struct fw_input_opts *opts)
{
	struct td *t = state;

	t->wants = opts->wants ? opts->wants : ~UINT64_C(0);
	t->interest = opts->interest;
	t->next_task = 0;
	t->task_named = false;
	t->advance = false;
	return fill_heap(t);
}

/*
 * The tables of threads, as of the recording's start: to which process each belongs, and what it is
 * called until a switch says otherwise.
 */
static bool next_task(struct td *t)
{
	while (t->next_task < t->n_tasks) {
		const struct td_task *task = &t->tasks[t->next_task];

		t->ev = (struct fw_event){ .ts = t->rec.first_ts, .cpu = -1, .tid = -1 };
		if (!t->task_named) {
			t->task_named = true;
			t->ev.type = FW_EV_TREE_THREAD;
			t->ev.thread.tid = task->tid;
			t->ev.thread.tgid = task->tgid;
			if (task->tgid > 0 && wanted(t, FW_EV_TREE_THREAD))
				return true;
		}
		t->task_named = false;
		t->next_task++;
		t->ev.type = FW_EV_TASK_RENAME;
		t->ev.task = (struct fw_ev_task){ .tid = task->tid,
						  .comm = fw_names_str(t->names, task->name) };
		if (task->name && wanted(t, FW_EV_TASK_RENAME))
			return true;
	}
	return false;
}

/* The event of the earliest stream. Return: whether it is to be delivered. */
static bool take(struct td *t)
{
	struct td_stream *s = &t->streams[t->heap[0]];
	struct td_event *e;

	if (s->lost) {
		s->lost = false;
		t->ev = (struct fw_event){
			.type = FW_EV_LOST, .ts = s->ts, .cpu = s->cpu, .tid = -1
		};
		t->ev.lost.since = s->last;
		return wanted(t, FW_EV_LOST);
	}
	t->advance = true;
	e = td_event_of(t, s);
	if (!wanted(t, e && e->kind >= 0 ? td_kind_type(e->kind) : FW_EV_OTHER_FTRACE))
		return false;
	return e && td_decode(t, s, e) && wanted(t, t->ev.type) &&
	       (!t->interest || fw_interest_event(t->interest, &t->ev));
}

/* The event that was taken last borrows from its stream's page: only now it may go on. */
static int advance(struct td *t)
{
	int ret;

	if (!t->advance)
		return 0;
	t->advance = false;
	ret = td_stream_next(t, &t->streams[t->heap[0]]);
	if (ret < 0)
		return ret;
	if (!ret)
		t->heap[0] = t->heap[--t->n_heap];
	if (t->n_heap)
		sift_down(t, 0);
	return 0;
}

static int next(void *state, const struct fw_event **ev)
{
	struct td *t = state;
	int err;

	*ev = &t->ev;
	if (next_task(t))
		return 1;
	for (;;) {
		err = advance(t);
		if (err)
			return err;
		if (!t->n_heap)
			return 0;
		if (take(t))
			return 1;
	}
}

/* The tables of threads and the marks. */
static int peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
		      void *ctx)
{
	const struct fw_input_opts opts = { .wants = UINT64_C(1) << FW_EV_TREE_THREAD |
						     UINT64_C(1) << FW_EV_TASK_RENAME |
						     UINT64_C(1) << FW_EV_MARK };
	const struct fw_event *ev;
	int ret = start(state, &opts);

	while (!ret && (ret = next(state, &ev)) > 0)
		ret = fn(ctx, ev);
	return ret;
}

static bool counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	const struct td *t = state;

	for (; *pos < t->n_events; (*pos)++) {
		const struct td_event *e = &t->events[*pos];

		if (!e->n)
			continue;
		*out = (struct fw_input_count){ "event", fw_names_str(t->names, e->name).p, e->n,
						0 };
		(*pos)++;
		return true;
	}
	if (*pos > t->n_events || !t->n_tgids)
		return false;
	*out = (struct fw_input_count){ "part", "threads with their process", t->n_tgids, 0 };
	(*pos)++;
	return true;
}

const struct fw_format fw_format_tracedat = {
	.name = "trace.dat",
	.probe = probe,
	.open = open_trace,
	.close = close_trace,
	.recording = recording,
	.peek_small = peek_small,
	.start = start,
	.next = next,
	.counts = counts,
};
