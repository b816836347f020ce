// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * index - the one pass over the text: lines with their columns into the sorter
 *
 * What a line is decides its start: an event, a note of the kernel or of a tool ("# ...", "CPU:3 [LOST
 * 12 EVENTS]", "cpus=8"), a row of a table of tasks. Everything else is refused, counted, and the
 * first few are kept to be shown.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/progress.h"
#include "input/text/text.h"

static void refuse(struct tx *t, struct fw_str line)
{
	size_t used = t->rec.refused.len, n = FW_MIN(line.len, (size_t)TX_REFUSED_MAX);

	fw_health_add(t->health, FW_H_fw_text_refused, FW_HEALTH_NO_IDX, 1);
	t->tp_refused += !t->unended;
	if (t->refused++ >= TX_REFUSED)
		return;
	snprintf(t->refused_text + used, sizeof(t->refused_text) - used, "line %llu: %.*s%s\n",
		 (unsigned long long)t->number, (int)n, line.p, n < line.len ? "..." : "");
	t->rec.refused = fw_str(t->refused_text);
}

static int add(struct tx *t, struct tx_record *r)
{
	return fw_sort_add(t->sort, r, sizeof(*r) + r->task + r->stamp + r->args);
}

static void put_text(struct tx_record *r, uint32_t *len, struct fw_str s)
{
	memcpy(r->text + r->task + r->stamp + r->args, s.p, s.len);
	*len = (uint32_t)s.len;
}

static int add_task(struct tx *t, enum tx_record_kind kind, int64_t ts, int64_t tid, int64_t of,
		    struct fw_str name)
{
	struct tx_record *r = t->scratch;

	*r = (struct tx_record){
		.ts = ts,
		.kind = (uint8_t)kind,
		.weak = kind == TX_THREAD,
		.cpu = -1,
		.tid = (int32_t)tid,
		.tgid = (int32_t)of,
	};
	put_text(r, &r->task, name);
	return add(t, r);
}

/* A row of the table of tasks; it tells of the time before all events. */
static int task_row(struct tx *t, struct fw_str line)
{
	struct tx_task task;
	int ret = tx_table_line(&t->table, line, &task);

	if (ret < 0)
		refuse(t, line);
	if (ret <= 0)
		return 0;
	t->task_rows++;
	if (task.ppid >= 0)
		return add_task(t, TX_PROCESS, INT64_MIN, task.pid, task.ppid, task.name);
	return add_task(t, TX_THREAD, INT64_MIN, task.tid, task.pid, task.name);
}

/* Names and processes that the lines themselves tell of, where they are new. */
static int learn(struct tx *t, const struct tx_head *h)
{
	struct fw_str task = h->task;
	struct tx_seen *s = &t->seen[(uint32_t)h->tid % TX_SEEN];
	uint32_t name;

	if (!h->tid)
		return 0;
	if (fw_str_eq(task, FW_STR("<...>")))
		task = FW_STR_NONE;
	name = task.p ? (uint32_t)fw_hash_bytes(task.p, task.len) : 0;
	if (s->tid == h->tid && (s->tgid == h->tgid || h->tgid < 0) && (s->name == name || !task.p))
		return 0;
	if (s->tid != h->tid)
		*s = (struct tx_seen){ .tid = h->tid, .tgid = -1 };
	s->tgid = h->tgid < 0 ? s->tgid : h->tgid;
	s->name = task.p ? name : s->name;
	if (!task.p && h->tgid < 0)
		return 0;
	t->tgids += h->tgid >= 0;
	return add_task(t, TX_THREAD, h->ts, h->tid, h->tgid, task.p ? task : FW_STR(""));
}

static int note_loss(struct tx *t, int32_t cpu, int64_t ts)
{
	struct tx_cpu *c = &t->cpus[cpu];

	if (!c->gap)
		return 0;
	*t->scratch = (struct tx_record){
		.ts = ts, .kind = TX_LOST, .cpu = cpu, .tid = -1, .since = c->last
	};
	c->gap = false;
	return add(t, t->scratch);
}

/* "trace_event_clock_sync: parent_ts=12.5" is CLOCK_MONOTONIC at that moment, of a float's precision. */
static void clock_sync(struct tx *t, const struct tx_head *h)
{
	struct fw_str s = h->args, parent = FW_STR("trace_event_clock_sync: parent_ts=");
	struct tx_head mono;
	char line[96];
	int n;

	if (!fw_str_starts(s, FW_STR("trace_event_clock_sync:")))
		return;
	t->marks_sync++;
	if (t->has_mono || !fw_str_starts(s, parent) || s.len - parent.len > 32)
		return;
	/* Read as the time of an event is. */
	n = snprintf(line, sizeof(line), "x-1 [0] %.*s: x: ", (int)(s.len - parent.len),
		     s.p + parent.len);
	if (!tx_head((struct fw_str){ line, (size_t)n }, &mono))
		return;
	t->has_mono = true;
	t->mono_less = h->ts - mono.ts;
}

static void count(struct tx *t, struct fw_str name, size_t bytes)
{
	uint64_t hash = fw_hash_bytes(name.p, name.len), *place = fw_map_get(&t->by_name, hash);
	uint64_t at = place ? *place : 0;

	t->events++;
	t->bytes_events += bytes;
	if (!place && t->n_names + 1 < TX_NAMES && name.len < sizeof(t->names->name)) {
		at = ++t->n_names;
		memcpy(t->names[at].name, name.p, name.len);
		fw_map_set(&t->by_name, hash, at);
	}
	t->names[at].n++;
}

static int event_line(struct tx *t, struct fw_str line, const struct tx_head *h)
{
	const struct tx_event *e = tx_event_find(h->event);
	struct fw_event ev = { 0 };
	struct tx_record *r = t->scratch;
	bool mark = e && e->type == FW_EV_MARK;
	int err;

	/* systrace's own stand-in for a clock that it could not read stands at 0. */
	if (mark && !h->ts && fw_str_starts(h->args, FW_STR("trace_event_clock_sync:")))
		return 0;
	/* One name for what three kernels call in three ways. */
	count(t, mark ? FW_STR("print") : h->event, line.len);
	if (mark)
		clock_sync(t, h);
	if (e && !tx_event_read(e, h->args, &t->how, &ev)) {
		refuse(t, line);
		t->tp_refused -= !t->unended;
		e = NULL;
	}
	t->rec.first_ts = FW_MIN(t->rec.first_ts, h->ts);
	t->rec.last_ts = FW_MAX(t->rec.last_ts, h->ts);
	t->rec.num_cpus = FW_MAX(t->rec.num_cpus, h->cpu + 1);
	err = learn(t, h);
	err = err ? err : note_loss(t, h->cpu, h->ts);
	if (err)
		return err;
	t->cpus[h->cpu].last = FW_MAX(t->cpus[h->cpu].last, h->ts);
	*r = (struct tx_record){
		.ts = h->ts,
		.kind = TX_LINE,
		.unended = t->unended,
		.event = e ? (uint16_t)tx_event_index(e) : TX_OTHER,
		.cpu = h->cpu,
		.tid = h->tid,
		.tgid = h->tgid,
		.common_flags = h->common_flags,
	};
	put_text(r, &r->task, h->task);
	put_text(r, &r->stamp, h->stamp);
	if (e)
		put_text(r, &r->args, h->args);
	return add(t, r);
}

/*
 * "CPU:3 [LOST 12 EVENTS]" of the kernel, "CPU:3 [12 EVENTS DROPPED]" of trace-cmd, either without a
 * number. (print_trace_line(), kernel/trace/trace.c; trace-read.c.)
 */
static bool loss_note(struct tx *t, struct fw_str line)
{
	struct fw_str s = tx_trim(line);
	uint64_t cpu = 0, n = 0;
	size_t i = 4;

	if (!fw_str_starts(s, FW_STR("CPU:")))
		return false;
	for (; i < s.len && s.p[i] >= '0' && s.p[i] <= '9' && cpu < TX_CPUS; i++)
		cpu = cpu * 10 + (uint64_t)(s.p[i] - '0');
	s = (struct fw_str){ s.p + i, s.len - i };
	if (cpu >= TX_CPUS || i == 4 ||
	    (!memmem(s.p, s.len, "LOST", 4) && !memmem(s.p, s.len, "DROPPED", 7)))
		return false;
	for (i = 0; i < s.len; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9' && n < UINT32_MAX)
			n = n * 10 + (uint64_t)(s.p[i] - '0');
	fw_health_add(t->health, FW_H_fw_text_lost, (int)cpu, n ? (int64_t)n : 1);
	t->cpus[cpu].gap = true;
	return true;
}

/* "##### CPU 2 buffer started ####": what that CPU did before was overwritten. */
static bool start_note(struct tx *t, struct fw_str line)
{
	const char *p = memmem(line.p, line.len, "# CPU ", 6);
	unsigned int cpu;
	char number[16];
	size_t n;

	if (!p || !memmem(line.p, line.len, " buffer started", 15))
		return false;
	p += 6;
	n = FW_MIN(line.len - (size_t)(p - line.p), sizeof(number) - 1);
	memcpy(number, p, n);
	number[n] = '\0';
	if (sscanf(number, "%u", &cpu) != 1 || cpu >= TX_CPUS)
		return false;
	t->cpus[cpu].gap = true;
	return true;
}

/* "# entries-in-buffer/entries-written: 116/200   #P:8" */
static void entries_note(struct tx *t, struct fw_str line)
{
	unsigned long long held, written;
	unsigned int cpus;
	char text[128];
	size_t n = FW_MIN(line.len, sizeof(text) - 1);

	memcpy(text, line.p, n);
	text[n] = '\0';
	if (sscanf(text, "# entries-in-buffer/entries-written: %20llu/%20llu #P:%6u", &held,
		   &written, &cpus) != 3)
		return;
	if (cpus < TX_CPUS)
		t->rec.num_cpus = FW_MAX(t->rec.num_cpus, (int32_t)cpus);
	if (written > held && written - held <= INT64_MAX)
		fw_health_add(t->health, FW_H_fw_text_overwritten, FW_HEALTH_NO_IDX,
			      (int64_t)(written - held));
}

/* Lines of tools around the events. */
static bool is_note(struct fw_str line)
{
	static const char *const begins[] = {
		"version = ", "cpus=", "TRACE:", "capturing trace...", "trace-cmd: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (fw_str_starts(line, fw_str(begins[i])))
			return true;
	return fw_str_starts(line, FW_STR("CPU ")) && line.len > 9 &&
	       !memcmp(line.p + line.len - 9, " is empty", 9);
}

/* A line that is no event. Return: whether it is known. */
static bool other_line(struct tx *t, struct fw_str line)
{
	if (!tx_trim(line).len) {
		t->tp_refused += line.len && !t->unended;
		return true;
	}
	if (line.p[0] == '#') {
		if (!start_note(t, line))
			entries_note(t, line);
		return true;
	}
	/* trace_processor counts these among those that it cannot read. */
	if (!is_note(line) && !loss_note(t, line))
		return false;
	if (!fw_str_starts(line, FW_STR("cpus=")) && !fw_str_starts(line, FW_STR("TRACE:")))
		t->tp_refused += !t->unended;
	return true;
}

/* Does another section begin with this line? */
static bool section(struct tx *t, struct fw_str line, bool begins)
{
	if (fw_str_starts(line, FW_STR("PROCESS DUMP"))) {
		t->section = TX_TASKS;
		t->table = (struct tx_table){ 0 };
		return true;
	}
	if (fw_str_starts(line, FW_STR("CGROUP DUMP")) ||
	    (begins && (fw_str_starts(line, FW_STR("{")) || fw_str_starts(line, FW_STR("[{"))))) {
		t->section = TX_IGNORED;
		t->other_blocks++;
		return true;
	}
	if (t->section != TX_EVENTS && fw_str_starts(line, FW_STR("# tracer:")))
		t->section = TX_EVENTS;
	return false;
}

static int data_line(struct tx *t, struct fw_str line, bool cut, bool begins)
{
	struct tx_head h;

	if (section(t, line, begins) || t->section == TX_IGNORED)
		return 0;
	if (t->section == TX_TASKS)
		return task_row(t, line);
	if (!cut && tx_head(line, &h))
		return event_line(t, line, &h);
	if (!other_line(t, line))
		refuse(t, line);
	return 0;
}

static int walk(struct tx *t, struct fw_lines *l)
{
	uint64_t size = fw_source_size(t->src);
	bool begins, first = true, pending = false;
	struct fw_str line;
	int ret;

	while ((ret = fw_lines_next(l, &line)) > 0) {
		bool crlf = !l->cut && l->ended && line.p[line.len] == '\r', data;

		if (first && tx_trim(line).len) {
			t->place = tx_is_page(line) ? TX_PAGE : TX_PLAIN;
			first = false;
		}
		data = tx_page_line(&t->place, &line, &begins);
		if (begins) {
			t->section = TX_EVENTS;
			t->blocks++;
			pending = true;
		}
		t->lines++;
		t->number = l->number;
		t->unended = !l->ended;
		if (!(l->number & 0xfff))
			fw_progress("reading", FW_MIN(l->pos, size), size);
		if (!data)
			continue;
		ret = data_line(t, line, l->cut, pending);
		pending = pending && !line.len;
		if (!ret && t->place == TX_PLAIN && fw_str_eq(line, FW_STR("TRACE:")))
			ret = tx_inflate(t, l, crlf);
		if (ret < 0)
			return ret;
	}
	return ret;
}

/* What was lost last and never followed by an event of its CPU. */
static int finish_loss(struct tx *t)
{
	int err = 0;

	for (int32_t cpu = 0; cpu < TX_CPUS && !err; cpu++)
		err = note_loss(t, cpu, t->rec.last_ts);
	return err;
}

int tx_index(struct tx *t)
{
	struct fw_lines l;
	int err;

	t->scratch = fw_zalloc(sizeof(*t->scratch) + 3 * FW_LINE_MAX);
	t->seen = fw_calloc(TX_SEEN, sizeof(*t->seen));
	t->cpus = fw_calloc(TX_CPUS, sizeof(*t->cpus));
	for (int i = 0; i < TX_CPUS; i++)
		t->cpus[i].last = INT64_MIN;
	err = fw_lines_init(&l, t->src);
	err = err ? err : walk(t, &l);
	fw_progress_clear();
	if (!err)
		err = finish_loss(t);
	if (!err && fw_source_cut(t->src))
		fw_health_add(t->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	fw_lines_free(&l);
	free(t->seen);
	free(t->cpus);
	free(t->scratch);
	t->how.states = tx_states_guess(&t->how);
	return err;
}
