// SPDX-License-Identifier: GPL-2.0-or-later
/* text - ftrace text behind the input interface */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/text/text.h"

#define SORT_BUDGET (8u << 20)
#define PROBE_LINES 200
/* parent_ts is a float: of a device that is up for days its last bit is a quarter of a second. */
#define MONO_SLACK 1000000000

/* How surely is one whole line of it text that this reader knows? */
static int score_line(struct fw_str line)
{
	struct tx_head h;

	if (fw_str_starts(line, FW_STR("# tracer:")))
		return 90;
	if (tx_head(line, &h))
		return 85;
	if (fw_str_eq(line, FW_STR("TRACE:")) || fw_str_starts(line, FW_STR("PROCESS DUMP")))
		return 82;
	if (fw_str_starts(line, FW_STR("cpus=")) || fw_str_starts(line, FW_STR("version = ")))
		return 60;
	return 0;
}

static int probe(const uint8_t *p, size_t len)
{
	size_t n;
	char *text = fw_lines_first(p, len, &n);
	struct fw_str all = { text, n };
	int best = tx_is_page(all) ? 70 : 0;

	for (int i = 0; i < PROBE_LINES && all.len; i++) {
		const char *end = memchr(all.p, '\n', all.len);
		struct fw_str line = { all.p, end ? (size_t)(end - all.p) : all.len };
		int score;

		all.p += line.len + (end != NULL);
		all.len -= line.len + (end != NULL);
		/* Binary data: what looks like a line further down is a coincidence. */
		if (line.len && memchr(line.p, '\0', line.len))
			break;
		score = score_line(tx_trim(line));
		best = FW_MAX(best, score);
	}
	free(text);
	return best;
}

static int by_time(const void *a, const void *b, const void *ctx)
{
	int64_t x = ((const struct tx_record *)a)->ts, y = ((const struct tx_record *)b)->ts;

	return (x > y) - (x < y);
}

static void tx_close(void *state)
{
	struct tx *t = state;

	fw_sort_free(t->sort);
	fw_map_free(&t->by_name);
	fw_source_close(t->src);
	free(t);
}

/* A text does not say which clock its times are of; its marks may. */
static void describe_clock(struct tx *t)
{
	if (!t->has_mono)
		snprintf(t->clock, sizeof(t->clock),
			 "of a clock without a name, taken as BOOTTIME");
	else if (t->mono_less > MONO_SLACK)
		snprintf(t->clock, sizeof(t->clock),
			 "BOOTTIME (parent_ts: about %.1f s more than MONOTONIC)",
			 (double)t->mono_less / 1e9);
	else
		snprintf(t->clock, sizeof(t->clock),
			 "MONOTONIC or BOOTTIME (parent_ts: about the same)");
	t->rec.trace_clock = t->clock;
}

static const char *format_name(const struct tx *t)
{
	if (t->place != TX_PLAIN)
		return fw_source_gzip(t->src) ? "systrace page (gzip)" : "systrace page";
	if (t->zlib)
		return "ftrace text (atrace -z)";
	return fw_source_gzip(t->src) ? "ftrace text (gzip)" : "ftrace text";
}

/* A file that only begins like one of this format. */
static int check_holds(const struct tx *t)
{
	if (t->place != TX_PLAIN && !t->blocks)
		return fw_fail(EINVAL,
			       "%s: is an HTML page without trace data; a systrace page has it in "
			       "<script class=\"trace-data\">",
			       fw_source_path(t->src));
	if (!fw_sort_count(t->sort) && t->refused)
		return fw_fail(
			EINVAL,
			"%s: not understood: it begins like ftrace text, but none of its %llu "
			"lines is an event",
			fw_source_path(t->src), (unsigned long long)t->lines);
	return 0;
}

static int tx_open(struct fw_source *src, struct fw_health *health, void **state)
{
	struct tx *t = fw_zalloc(sizeof(*t));
	int err;

	t->src = src;
	t->health = health;
	memcpy(t->names[0].name, "other", 6);
	t->sort = fw_sort_new(SORT_BUDGET, by_time, NULL);
	t->rec.first_ts = INT64_MAX;
	err = tx_index(t);
	err = err ? err : check_holds(t);
	if (err) {
		t->src = NULL; /* stays the caller's */
		tx_close(t);
		return err;
	}
	t->rec.format = format_name(t);
	t->rec.bytes = fw_source_file_size(src);
	describe_clock(t);
	*state = t;
	return 0;
}

static const struct fw_recording *tx_recording(const void *state)
{
	return &((const struct tx *)state)->rec;
}

static int tx_start(void *state, const struct fw_input_opts *opts)
{
	struct tx *t = state;

	t->wants = opts->wants ? opts->wants : ~UINT64_C(0);
	t->tp = t->how.tp = opts->tp_compat;
	if (t->tp && t->tp_refused)
		fw_health_add(t->health, FW_H_systrace_parse_failure, FW_HEALTH_NO_IDX,
			      (int64_t)t->tp_refused);
	fw_sort_rewind(t->sort);
	return 0;
}

/* trace_processor reads the time as a double and cuts it (systrace_line_tokenizer.cc). */
static int64_t tp_time(struct fw_str stamp)
{
	char text[64];
	size_t n = FW_MIN(stamp.len, sizeof(text) - 1);
	double ns;

	memcpy(text, stamp.p, n);
	text[n] = '\0';
	ns = strtod(text, NULL) * 1e9;
	return ns < 0x1p63 ? (int64_t)ns : INT64_MAX;
}

static void fill_task(struct tx *t, const struct tx_record *r, struct fw_str name)
{
	struct fw_event *ev = &t->ev;

	if (r->kind == TX_PROCESS) {
		ev->type = FW_EV_TREE_PROCESS;
		ev->proc = (struct fw_ev_tree_process){
			.pid = r->tid,
			.ppid = r->tgid,
			.uid = -1,
			.argv0 = name,
			.n_cmdline = 2, /* the name is whole: nothing of it is an argument */
			.start_from_boot = -1,
		};
		return;
	}
	ev->type = FW_EV_TREE_THREAD;
	ev->thread = (struct fw_ev_tree_thread){ .tid = r->tid,
						 .tgid = r->tgid,
						 .name = name.len ? name : FW_STR_NONE,
						 .weak = r->weak };
}

static void fill_line(struct tx *t, const struct tx_record *r)
{
	const struct tx_event *e = tx_event_at(r->event);
	struct fw_str task = { r->text, r->task }, stamp = { r->text + r->task, r->stamp };
	struct fw_str args = { stamp.p + r->stamp, r->args };
	struct fw_event *ev = &t->ev;

	if (t->tp) {
		ev->ts = tp_time(stamp);
		ev->flags = FW_EVF_LINE;
		ev->comm = fw_str_eq(task, FW_STR("<...>")) ? FW_STR_NONE : task;
		ev->tgid = r->tgid;
	}
	if (!e || (t->tp && !e->tp) || !tx_event_read(e, args, &t->how, ev)) {
		ev->type = FW_EV_OTHER_FTRACE;
		return;
	}
	if (ev->type == FW_EV_SCHED_WAKING || ev->type == FW_EV_SCHED_WAKEUP ||
	    ev->type == FW_EV_SCHED_WAKEUP_NEW)
		ev->waking.common_flags = t->tp ? -1 : r->common_flags;
}

/* Return: whether the record is an event that is wanted. */
static bool fill(struct tx *t, const struct tx_record *r)
{
	t->ev = (struct fw_event){ .ts = r->ts, .cpu = r->cpu, .tid = r->tid, .tgid = -1 };
	switch (r->kind) {
	case TX_LINE:
		/* trace_processor waits for its end. */
		if (t->tp && r->unended)
			return false;
		fill_line(t, r);
		/* The line names its thread, whatever its event. */
		return t->tp || t->wants >> t->ev.type & 1;
	case TX_LOST:
		/* trace_processor goes on over a loss. */
		if (t->tp)
			return false;
		t->ev.type = FW_EV_LOST;
		t->ev.lost.since = r->since;
		break;
	default:
		t->ev.tid = -1;
		/* trace_processor takes them from the lines. */
		if (t->tp && r->ts != INT64_MIN)
			return false;
		fill_task(t, r, (struct fw_str){ r->text, r->task });
		/* Its times are not exact: what stands before all of them stands at 0. */
		if (r->ts == INT64_MIN)
			t->ev.ts = t->tp || t->rec.first_ts == INT64_MAX ? 0 : t->rec.first_ts;
	}
	return t->wants >> t->ev.type & 1;
}

static int tx_next(void *state, const struct fw_event **ev)
{
	struct tx *t = state;
	const void *rec;
	size_t len;
	int ret;

	while ((ret = fw_sort_next(t->sort, &rec, &len)) > 0) {
		if (!fill(t, rec))
			continue;
		*ev = &t->ev;
		return 1;
	}
	return ret;
}

/* Tasks and marks: who draws, and when. */
static int tx_peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
			 void *ctx)
{
	struct fw_input_opts opts = {
		.wants = UINT64_C(1) << FW_EV_TREE_PROCESS | UINT64_C(1) << FW_EV_TREE_THREAD |
			 UINT64_C(1) << FW_EV_MARK,
	};
	const struct fw_event *ev;
	int err = tx_start(state, &opts);

	while (!err && (err = tx_next(state, &ev)) > 0)
		err = fn(ctx, ev);
	return err;
}

/* Events by name, then what else there is. */
static bool tx_counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	const struct tx *t = state;
	const struct fw_input_count more[] = {
		{ "part", "event lines", t->events, t->bytes_events },
		{ "part", "rows of a table of tasks", t->task_rows, 0 },
		{ "part", "threads with their process", t->tgids, 0 },
		{ "part", "sections of other data", t->other_blocks, 0 },
		{ "part", "trace_event_clock_sync marks", t->marks_sync, 0 },
	};

	for (; *pos < TX_NAMES; (*pos)++) {
		const struct tx_name *name = &t->names[*pos];

		if (!name->n)
			continue;
		*out = (struct fw_input_count){ "event", name->name, name->n, 0 };
		(*pos)++;
		return true;
	}
	for (; *pos < TX_NAMES + ARRAY_SIZE(more); (*pos)++) {
		*out = more[*pos - TX_NAMES];
		if (!out->n)
			continue;
		(*pos)++;
		return true;
	}
	return false;
}

const struct fw_format fw_format_text = {
	.name = "ftrace text",
	.probe = probe,
	.open = tx_open,
	.close = tx_close,
	.recording = tx_recording,
	.peek_small = tx_peek_small,
	.start = tx_start,
	.next = tx_next,
	.counts = tx_counts,
};
