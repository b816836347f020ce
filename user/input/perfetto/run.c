// SPDX-License-Identifier: GPL-2.0-or-later
/* run - one open bundle of the merge: decoding, choosing, delivering */
#include "input/perfetto/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

void pf_run_free(struct pf_open *r)
{
	pf_compact_free(&r->c);
	free(r->sw.list);
	free(r->sw.before);
	free(r->sw.before_comm);
	free(r->wk.list);
	free(r->wk.before);
	free(r->wk.before_comm);
	free(r->plain);
	free(r->bytes);
	free(r);
}

/* So many names of a bundle are looked for one by one; of more, each switch is looked at. */
#define SCANNED_NAMES 16

static size_t first_at(const int64_t *ts, size_t n, int64_t from)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (ts[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int cmp_by_ts(const void *a, const void *b, void *arg)
{
	const int64_t *ts = arg;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;

	if (ts[ia] != ts[ib])
		return ts[ia] < ts[ib] ? -1 : 1;
	return (ia > ib) - (ia < ib);
}

static void todo_room(struct pf_todo *t, size_t n, bool before)
{
	if (n > t->list_cap) {
		free(t->list);
		t->list_cap = n + n / 2;
		t->list = fw_calloc(t->list_cap, sizeof(*t->list));
	}
	if (before && n > t->before_cap) {
		free(t->before);
		free(t->before_comm);
		t->before_cap = n + n / 2;
		t->before = fw_calloc(t->before_cap, sizeof(*t->before));
		t->before_comm = fw_calloc(t->before_cap, sizeof(*t->before_comm));
	}
}

/* Everything from @from on, in time order. */
static void todo_all(struct pf_todo *t, const struct pf_stream *s, int64_t from)
{
	uint32_t i;

	t->n = s->n;
	t->all = !s->unsorted;
	if (t->all) {
		t->pos = FW_MAX((size_t)t->taken, first_at(s->ts, s->n, from));
		return;
	}
	todo_room(t, s->n, false);
	t->n = t->pos = 0;
	for (i = 0; i < s->n; i++) {
		if (s->ts[i] >= from)
			t->list[t->n++] = i;
	}
	qsort_r(t->list, t->n, sizeof(*t->list), cmp_by_ts, s->ts);
}

static struct fw_str comm_at(const struct pf_open *r, int64_t index)
{
	return index >= 0 && (uint64_t)index < r->c.n_intern ? r->c.intern[index] : FW_STR_NONE;
}

/* The threads of one name; its index is looked for as a byte where indices are bytes. */
static void add_comm(struct fw_interest *in, struct pf_open *r, size_t from, size_t comm)
{
	struct pf_column *c = &r->c.sw.comm;
	const uint8_t *hit;
	size_t i;

	if (c->n == c->len && comm < 128) {
		for (i = from; i < r->c.sw.n; i = (size_t)(hit - c->p) + 1) {
			hit = memchr(c->p + i, (int)comm, r->c.sw.n - i);
			if (!hit)
				return;
			fw_interest_add(in, pf_stream_tid(&r->c.sw, (size_t)(hit - c->p)));
		}
		return;
	}
	for (i = from; i < r->c.sw.n; i++) {
		if ((uint64_t)pf_column_at(c, i) == comm)
			fw_interest_add(in, pf_stream_tid(&r->c.sw, i));
	}
}

/* Threads that interest by their name are found before the switches are looked through. */
static void add_by_comm(struct pf *p, struct pf_open *r, size_t from)
{
	struct fw_interest *in = p->merge->interest;
	size_t wanted[SCANNED_NAMES], n = 0, i;

	for (i = 0; i < r->c.n_intern && n <= SCANNED_NAMES; i++) {
		if (!fw_interest_comm(in, r->c.intern[i]))
			continue;
		if (n < SCANNED_NAMES)
			wanted[n] = i;
		n++;
	}
	for (i = 0; i < n && n <= SCANNED_NAMES; i++)
		add_comm(in, r, from, wanted[i]);
	for (i = from; i < r->c.sw.n && n > SCANNED_NAMES; i++) {
		if (fw_interest_comm(in, comm_at(r, pf_column_at(&r->c.sw.comm, i))))
			fw_interest_add(in, pf_stream_tid(&r->c.sw, i));
	}
}

/* The switches to and from interesting threads. */
static void select_switches(struct pf_wanted *w, struct pf_open *r, size_t from)
{
	size_t end = r->c.sw.n, n = 0, k, i;
	uint32_t *list = r->sw.list;

	if (!from && end && (r->cur0 < 0 || fw_interest_has(w->in, r->cur0)))
		list[n++] = 0;
	pf_wanted_find(w, &r->c.sw);
	for (k = 0; k < w->n_hits; k++) {
		for (i = w->hits[k]; i < end && i <= w->hits[k] + 1; i++) {
			if (i >= from && (!n || list[n - 1] < i))
				list[n++] = (uint32_t)i;
		}
	}
	r->sw.n = n;
	r->sw.pos = 0;
}

/* Wakings of interesting threads, each with the thread that ran on the cpu. */
static void select_wakings(struct pf_wanted *w, struct pf_open *r, size_t from)
{
	const int64_t *sw_ts = r->c.sw.ts, *ts = r->c.wk.ts;
	size_t j = 0, n = 0, k, i;

	pf_wanted_find(w, &r->c.wk);
	for (k = 0; k < w->n_hits; k++) {
		i = w->hits[k];
		if (i < from)
			continue;
		while (j < r->c.sw.n && sw_ts[j] <= ts[i])
			j++;
		r->wk.list[n] = (uint32_t)i;
		r->wk.before[n] = j ? pf_stream_tid(&r->c.sw, j - 1) : r->cur0;
		r->wk.before_comm[n] = j ? (int32_t)pf_column_at(&r->c.sw.comm, j - 1) : -1;
		n++;
	}
	r->wk.n = n;
	r->wk.pos = 0;
}

void pf_run_select(struct pf *p, struct pf_open *r, int64_t from)
{
	struct fw_interest *in = p->merge->interest;
	struct pf_wanted *w = &p->merge->wanted;
	size_t sw, wk;

	if (!r->filtered || r->late) {
		pf_stream_unpack(&r->c.sw);
		pf_stream_unpack(&r->c.wk);
		todo_all(&r->sw, &r->c.sw, from);
		todo_all(&r->wk, &r->c.wk, from);
		return;
	}
	sw = FW_MAX((size_t)r->sw.taken, first_at(r->c.sw.ts, r->c.sw.n, from));
	wk = FW_MAX((size_t)r->wk.taken, first_at(r->c.wk.ts, r->c.wk.n, from));
	add_by_comm(p, r, sw);
	r->generation = in->generation;
	r->sw.all = r->wk.all = false;
	todo_room(&r->sw, r->c.sw.n, false);
	todo_room(&r->wk, r->c.wk.n, true);
	pf_wanted_set(w, in);
	select_switches(w, r, sw);
	select_wakings(w, r, wk);
}

void pf_run_make_late(struct pf *p, struct pf_open *r)
{
	struct pf_merge *m = p->merge;
	size_t i = first_at(r->c.sw.ts, r->c.sw.n, m->now);

	if (r->late)
		return;
	i = FW_MAX(i, (size_t)r->sw.taken);
	m->cpus[r->rec.cpu].cur = i ? pf_stream_tid(&r->c.sw, i - 1) : r->cur0;
	r->late = true;
	pf_run_select(p, r, m->now);
}

static void count_dropped(struct pf *p, const struct pf_stream *s)
{
	struct pf_merge *m = p->merge;
	int64_t early = 0, negative = 0;
	size_t i;

	for (i = 0; i < s->n && (s->unsorted || s->ts[i] < FW_MAX(m->drop_before, 0)); i++) {
		negative += s->ts[i] < 0;
		early += s->ts[i] >= 0 && s->ts[i] < m->drop_before;
	}
	if (early)
		fw_health_add(p->health, FW_H_ftrace_packet_before_tracing_start, FW_HEALTH_NO_IDX,
			      early);
	if (negative)
		fw_health_add(p->health, FW_H_trace_sorter_negative_timestamp_dropped,
			      FW_HEALTH_NO_IDX, negative);
}

static void convert(struct pf *p, const struct pf_run *rec, struct pf_stream *s)
{
	size_t i;

	if (rec->clock == fw_clock_trace(p->clock))
		return;
	for (i = 0; i < s->n; i++) {
		fw_clock_to_trace(p->clock, rec->clock, s->ts[i], rec->snapshots, &s->ts[i]);
		s->unsorted |= i && s->ts[i] < s->ts[i - 1];
	}
}

static int64_t stream_end(const struct pf_stream *s)
{
	int64_t end = INT64_MIN;
	size_t i;

	if (s->n && !s->unsorted)
		return s->ts[s->n - 1];
	for (i = 0; i < s->n; i++)
		end = FW_MAX(end, s->ts[i]);
	return end;
}

static void open_compact(struct pf *p, struct pf_open *r)
{
	struct pf_merge *m = p->merge;
	struct pf_cpu *cpu = &m->cpus[r->rec.cpu];
	struct fw_str msg = { (const char *)r->bytes + r->rec.compact, r->rec.compact_len };
	int errors = 0;

	if (!pf_compact_decode(&r->c, msg, m->interest != NULL, &errors))
		r->c.sw.n = r->c.wk.n = 0;
	if (errors)
		fw_health_add(p->health, FW_H_compact_sched_has_parse_errors, FW_HEALTH_NO_IDX,
			      errors);
	convert(p, &r->rec, &r->c.sw);
	convert(p, &r->rec, &r->c.wk);
	count_dropped(p, &r->c.sw);
	count_dropped(p, &r->c.wk);
	r->end = FW_MAX(stream_end(&r->c.sw), stream_end(&r->c.wk));
	r->filtered = m->interest != NULL;
	r->late = r->filtered && (r->c.sw.unsorted || r->c.wk.unsorted);
	r->sw.taken = r->wk.taken = 0;
	if (r->filtered && cpu->until > r->rec.ts) {
		pf_merge_overlap(p, r->rec.cpu);
		r->late = true;
	}
	cpu->until = FW_MAX(cpu->until, r->end);
	r->cur0 = cpu->cur;
	pf_run_select(p, r, FW_MAX(m->drop_before, 0));
	if (r->filtered && !r->late && r->c.sw.n)
		cpu->cur = pf_stream_tid(&r->c.sw, r->c.sw.n - 1);
	cpu->last_ts = FW_MAX(cpu->last_ts, r->end);
	p->rec.last_ts = FW_MAX(p->rec.last_ts, r->end);
}

static int cmp_plain(const void *a, const void *b)
{
	const struct pf_plain *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

/* Note one event; what is wrong with it was counted in pass one. */
static void add_plain(struct pf *p, struct pf_open *r, struct fw_str msg, bool *sorted)
{
	struct pf_merge *m = p->merge;
	struct pf_event_head h;
	int64_t ts;

	if (!pf_event_head(msg, &h) || !h.has_ts || !h.id || !h.has_pid)
		return;
	ts = (int64_t)h.ts;
	if (r->rec.clock != fw_clock_trace(p->clock))
		fw_clock_to_trace(p->clock, r->rec.clock, ts, r->rec.snapshots, &ts);
	if (ts < 0 || ts < m->drop_before) {
		fw_health_add(p->health,
			      ts < 0 ? FW_H_trace_sorter_negative_timestamp_dropped
				     : FW_H_ftrace_packet_before_tracing_start,
			      FW_HEALTH_NO_IDX, 1);
		return;
	}
	*sorted &= !r->n_plain || r->plain[r->n_plain - 1].ts <= ts;
	fw_grow(r->plain, r->n_plain, r->plain_cap);
	r->plain[r->n_plain++] = (struct pf_plain){
		.ts = ts,
		.off = (uint32_t)(msg.p - (const char *)r->bytes),
		.len = (uint32_t)msg.len,
	};
}

static void open_plain(struct pf *p, struct pf_open *r)
{
	struct fw_pb pb = { r->bytes + r->rec.plain, r->bytes + r->rec.plain + r->rec.plain_len };
	struct pf_cpu *cpu = &p->merge->cpus[r->rec.cpu];
	struct fw_pb_field f;
	bool sorted = true;

	r->n_plain = r->plain_pos = 0;
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == FB_EVENT && f.wire == FW_WIRE_LEN)
			add_plain(p, r, f.s, &sorted);
	}
	if (!sorted)
		qsort(r->plain, r->n_plain, sizeof(*r->plain), cmp_plain);
	if (!r->n_plain)
		return;
	cpu->last_ts = FW_MAX(cpu->last_ts, r->plain[r->n_plain - 1].ts);
	p->rec.last_ts = FW_MAX(p->rec.last_ts, r->plain[r->n_plain - 1].ts);
}

int pf_run_open(struct pf *p, struct pf_open *r)
{
	size_t need = (size_t)r->rec.len + PF_COMPACT_PAD;
	ssize_t n;

	if (need > r->bytes_cap) {
		free(r->bytes);
		r->bytes_cap = need + need / 2;
		r->bytes = fw_calloc(r->bytes_cap, 1);
	}
	n = fw_source_read(p->src, r->rec.pos, r->bytes, r->rec.len);
	if (n < 0)
		return (int)n;
	if ((size_t)n < r->rec.len)
		return fw_fail(EIO, "%s: became shorter while it was read", fw_source_path(p->src));
	r->since = p->merge->cpus[r->rec.cpu].last_ts;
	r->n_plain = r->plain_pos = 0;
	if (r->rec.compact_len)
		open_compact(p, r);
	if (r->rec.plain_len)
		open_plain(p, r);
	return 0;
}

static bool todo_peek(const struct pf_open *r, const struct pf_todo *t, const struct pf_stream *s,
		      int64_t *ts)
{
	if (t->pos < t->n) {
		*ts = s->ts[t->all ? t->pos : t->list[t->pos]];
		return true;
	}
	/* Stay open to the end: the interest may grow to threads that were left out. */
	if (r->filtered && !r->late && t->pos == t->n && s->n) {
		*ts = s->ts[s->n - 1];
		return true;
	}
	return false;
}

bool pf_run_peek(const struct pf_open *r, int kind, int64_t *ts)
{
	if (kind != PF_PLAIN && !r->rec.compact_len)
		return false;
	if (kind == PF_SWITCH)
		return todo_peek(r, &r->sw, &r->c.sw, ts);
	if (kind == PF_WAKING)
		return todo_peek(r, &r->wk, &r->c.wk, ts);
	if (r->plain_pos == r->n_plain)
		return false;
	*ts = r->plain[r->plain_pos].ts;
	return true;
}

static void begin_event(struct pf *p, const struct pf_open *r, int64_t ts)
{
	struct fw_event *ev = &p->merge->ev;

	memset(ev, 0, sizeof(*ev));
	ev->ts = ts;
	ev->cpu = r->rec.cpu_number;
	ev->tid = -1;
	if (ts < p->early_until)
		ev->flags = FW_EVF_EARLY;
}

static bool take_switch(struct pf *p, struct pf_open *r)
{
	struct pf_merge *m = p->merge;
	struct pf_todo *t = &r->sw;
	uint32_t i = t->all ? (uint32_t)t->pos : t->list[t->pos];
	struct fw_event *ev = &m->ev;
	int32_t next, prev = -1;

	t->pos++;
	t->taken = i + 1;
	if (r->filtered && !r->late)
		prev = i ? pf_stream_tid(&r->c.sw, i - 1) : r->cur0;
	next = pf_stream_tid(&r->c.sw, i);
	if (r->late) {
		prev = m->cpus[r->rec.cpu].cur;
		m->cpus[r->rec.cpu].cur = next;
		if (fw_interest_comm(m->interest, comm_at(r, pf_column_at(&r->c.sw.comm, i))))
			fw_interest_add(m->interest, next);
		if (prev >= 0 && !fw_interest_has(m->interest, prev) &&
		    !fw_interest_has(m->interest, next))
			return false;
	}
	begin_event(p, r, r->c.sw.ts[i]);
	ev->type = FW_EV_SCHED_SWITCH;
	ev->flags |= FW_EVF_COMPACT;
	ev->sw.prev_tid = prev;
	ev->sw.prev_state = pf_column_at(&r->c.state, i);
	ev->sw.next_tid = next;
	ev->sw.next_prio = (int32_t)pf_column_at(&r->c.sw.prio, i);
	ev->sw.next_comm = comm_at(r, pf_column_at(&r->c.sw.comm, i));
	return m->wants >> FW_EV_SCHED_SWITCH & 1;
}

static bool take_waking(struct pf *p, struct pf_open *r)
{
	struct pf_merge *m = p->merge;
	struct pf_todo *t = &r->wk;
	uint32_t i = t->all ? (uint32_t)t->pos : t->list[t->pos];
	struct fw_event *ev = &m->ev;
	size_t at = t->pos++;

	t->taken = i + 1;
	if (r->late && !fw_interest_has(m->interest, pf_stream_tid(&r->c.wk, i)))
		return false;
	begin_event(p, r, r->c.wk.ts[i]);
	ev->type = FW_EV_SCHED_WAKING;
	ev->flags |= FW_EVF_COMPACT;
	if (r->late) {
		ev->tid = m->cpus[r->rec.cpu].cur;
	} else if (r->filtered) {
		ev->tid = t->before[at];
		ev->waking.waker_comm = comm_at(r, t->before_comm[at]);
	}
	ev->waking.tid = pf_stream_tid(&r->c.wk, i);
	ev->waking.prio = (int32_t)pf_column_at(&r->c.wk.prio, i);
	ev->waking.target_cpu = (int32_t)pf_column_at(&r->c.target_cpu, i);
	ev->waking.common_flags = (int32_t)pf_column_at(&r->c.flags, i);
	ev->waking.comm = comm_at(r, pf_column_at(&r->c.wk.comm, i));
	return m->wants >> FW_EV_SCHED_WAKING & 1;
}

/* A blocked reason without a known function stays without; a work item shows its number. */
static void name_symbol(struct pf *p, uint32_t gen, uint64_t iid)
{
	struct pf_merge *m = p->merge;
	struct fw_str name = pf_interned(p, gen, PF_SYMBOLS, iid);

	if (m->ev.type == FW_EV_BLOCKED_REASON) {
		m->ev.blocked.function = name;
		return;
	}
	if (!name.p) {
		snprintf(m->hex, sizeof(m->hex), "0x%llx", (unsigned long long)iid);
		name = fw_str(m->hex);
	}
	m->ev.kslice.name = name;
}

static bool take_plain(struct pf *p, struct pf_open *r)
{
	struct pf_merge *m = p->merge;
	const struct pf_plain *e = &r->plain[r->plain_pos++];
	struct fw_str msg = { (const char *)r->bytes + e->off, e->len };
	struct fw_event *ev = &m->ev;
	struct pf_event_head h;
	unsigned int type;
	uint64_t symbol;

	pf_event_head(msg, &h);
	type = h.id < PF_FTRACE_IDS ? m->ftrace_types[h.id] : FW_EV_OTHER_FTRACE;
	if (!(m->wants >> type & 1))
		return false;
	begin_event(p, r, e->ts);
	ev->tid = h.pid;
	if (!fw_decode_ftrace(h.id, h.payload, ev, &symbol)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	if (m->interest && !fw_interest_event(m->interest, ev))
		return false;
	if (symbol)
		name_symbol(p, r->rec.gen, symbol);
	return true;
}

bool pf_run_take(struct pf *p, struct pf_open *r, int kind)
{
	struct pf_todo *t = kind == PF_SWITCH ? &r->sw : &r->wk;

	if (kind == PF_PLAIN)
		return take_plain(p, r);
	if (t->pos == t->n) {
		/* The end marker of a filtered stream. */
		t->pos = t->n + 1;
		return false;
	}
	return kind == PF_SWITCH ? take_switch(p, r) : take_waking(p, r);
}
