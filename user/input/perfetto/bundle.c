// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bundle - pass one over an FtraceEventBundle: where its events are and when they begin
 *
 * Rules: ftrace_tokenizer.cc, v57.2 (facts/perfetto.md 3.3, 3.6 and 6).
 */
#include "input/perfetto/perfetto.h"

#include <errno.h>

#include "base/error.h"
#include "base/mem.h"

bool pf_event_head(struct fw_str msg, struct pf_event_head *h)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	*h = (struct pf_event_head){ .pid = -1 };
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire == FW_WIRE_LEN) {
			if (h->id)
				continue;
			h->id = f.id;
			h->payload = f.s;
		} else if (f.wire == FW_WIRE_VARINT && f.id == FE_TIMESTAMP) {
			h->ts = f.v;
			h->has_ts = true;
		} else if (f.wire == FW_WIRE_VARINT && f.id == FE_PID) {
			h->pid = (int32_t)f.v;
			h->has_pid = true;
		} else if (f.wire == FW_WIRE_VARINT && f.id == FE_COMMON_FLAGS) {
			h->common_flags = (int32_t)f.v;
		}
	}
	return ret == 0;
}

/* Note one event of a bundle, and count what is wrong with it. */
static void see_event(struct pf *p, struct pf_bundle *b, struct fw_str msg)
{
	struct pf_event_head h;

	if (!pf_event_head(msg, &h)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return;
	}
	if (!h.has_ts) {
		fw_health_add(p->health, FW_H_ftrace_bundle_tokenizer_errors, FW_HEALTH_NO_IDX, 1);
		return;
	}
	if (!h.id) {
		fw_health_add(p->health, FW_H_ftrace_missing_event_id, FW_HEALTH_NO_IDX, 1);
		return;
	}
	if (!h.has_pid)
		return;
	p->counts.ftrace[FW_MIN(h.id, PF_FTRACE_IDS - 1u)]++;
	b->marks |= h.id == FE_PRINT;
	b->min_ts = b->n_events ? FW_MIN(b->min_ts, (int64_t)h.ts) : (int64_t)h.ts;
	b->max_ts = b->n_events ? FW_MAX(b->max_ts, (int64_t)h.ts) : (int64_t)h.ts;
	b->n_events++;
}

static void set_bundle_field(struct pf_bundle *b, const struct fw_pb_field *f)
{
	switch (f->id) {
	case FB_CPU:
		b->has_cpu = true;
		b->cpu = f->v < PF_MAX_CPUS ? (int32_t)f->v : -1;
		break;
	case FB_LOST_EVENTS:
		b->lost = f->v;
		break;
	case FB_CLOCK:
		b->clock = (uint32_t)f->v;
		break;
	case FB_FTRACE_TS:
		b->ftrace_ts = f->v;
		break;
	case FB_BOOT_TS:
		b->boot_ts = f->v;
		break;
	case FB_PREV_END_TS:
	case FB_LAST_READ_TS:
		if (!b->has_prev_end || f->id == FB_PREV_END_TS)
			b->prev_end = f->v;
		b->has_prev_end = true;
		break;
	}
}

static bool read_bundle(struct pf *p, struct fw_str msg, struct pf_bundle *b)
{
	struct fw_pb pb = fw_pb_of(msg);
	const char *at = msg.p;
	struct fw_pb_field f;
	int ret;

	memset(b, 0, sizeof(*b));
	for (; (ret = fw_pb_next(&pb, &f)) > 0; at = (const char *)pb.p) {
		if (f.wire == FW_WIRE_VARINT) {
			set_bundle_field(b, &f);
		} else if (f.wire == FW_WIRE_LEN && f.id == FB_COMPACT_SCHED) {
			b->compact = f.s;
		} else if (f.wire == FW_WIRE_LEN && f.id == FB_EVENT) {
			if (!b->events.p)
				b->events.p = at;
			b->events.len = (size_t)((const char *)pb.p - b->events.p);
			see_event(p, b, f.s);
		}
	}
	return ret == 0;
}

/* The clock of a bundle's timestamps; 0 where it is not known. */
static uint64_t bundle_clock(struct pf *p, struct pf_seq *s, const struct pf_bundle *b)
{
	struct fw_clock_value pair[2];
	uint64_t key = fw_clock_key(CLK_SEQ_FIRST, s->id);

	switch (b->clock) {
	case FCLK_UNSPECIFIED:
		return CLK_BOOTTIME;
	case FCLK_MONO_RAW:
		return CLK_MONOTONIC_RAW;
	case FCLK_GLOBAL:
	case FCLK_LOCAL:
		break;
	default:
		return 0;
	}
	if (b->ftrace_ts && b->boot_ts && b->ftrace_ts != s->ftrace_ts) {
		s->ftrace_ts = b->ftrace_ts;
		pair[0] = (struct fw_clock_value){ .key = key, .value = (int64_t)b->ftrace_ts };
		pair[1] = (struct fw_clock_value){ .key = CLK_BOOTTIME,
						   .value = (int64_t)b->boot_ts };
		if (fw_clock_snapshot(p->clock, pair, 2))
			fw_health_add(p->health, FW_H_invalid_clock_snapshots, FW_HEALTH_NO_IDX, 1);
	}
	return key;
}

/*
 * The queue of a cpu's events of one kind. The first event of cpu N makes the queues of all cpus
 * up to N; at equal times an earlier queue goes first (trace_sorter.cc).
 */
static uint32_t rank_of(struct pf *p, enum pf_kind kind, int cpu)
{
	while ((int)p->n_ranked[kind] <= cpu)
		p->rank[kind][p->n_ranked[kind]++] = ++p->next_rank;
	return p->rank[kind][cpu];
}

/* @n: how many events are lost where the clock cannot be placed. */
static bool to_trace(struct pf *p, uint64_t clock, int64_t ts, uint64_t n, int64_t *out)
{
	static const enum fw_health_id ids[] = {
		[FW_CLOCK_UNKNOWN_SOURCE] = FW_H_clock_sync_failure_unknown_source_clock,
		[FW_CLOCK_UNKNOWN_TARGET] = FW_H_clock_sync_failure_unknown_target_clock,
		[FW_CLOCK_NO_PATH] = FW_H_clock_sync_failure_no_path,
	};
	enum fw_clock_result r = fw_clock_to_trace(p->clock, clock, ts, FW_CLOCK_ALL, out);

	if (r != FW_CLOCK_OK)
		fw_health_add(p->health, ids[r], FW_HEALTH_NO_IDX, (int64_t)n);
	return r == FW_CLOCK_OK;
}

/* The earliest time of a bundle so far; false where the clock cannot be placed. */
static bool note_first(struct pf *p, struct pf_run *run, int64_t raw_ts, uint64_t n)
{
	int64_t ts;

	if (!to_trace(p, run->clock, raw_ts, n, &ts))
		return false;
	run->ts = FW_MIN(run->ts, ts);
	return true;
}

static void add_plain(struct pf *p, const struct pf_bundle *b, struct pf_run *run, const char *base)
{
	int64_t last;

	if (!note_first(p, run, b->min_ts, b->n_events))
		return;
	run->plain = (uint32_t)(b->events.p - base);
	run->plain_len = (uint32_t)b->events.len;
	run->rank[PF_PLAIN] = rank_of(p, PF_PLAIN, run->cpu);
	if (to_trace(p, run->clock, b->max_ts, 0, &last))
		p->max_ts = FW_MAX(p->max_ts, last);
}

static bool first_value(struct fw_str packed, int64_t *out)
{
	const uint8_t *b = (const uint8_t *)packed.p;
	uint64_t v;

	if (!packed.len || !fw_varint(b, b + packed.len, &v))
		return false;
	*out = (int64_t)v;
	return true;
}

static size_t count_values(struct fw_str packed)
{
	return fw_count_varints((const uint8_t *)packed.p, packed.len);
}

/* Are the lower or the upper four bytes all bytes that another one follows? */
static bool half_continues(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, 8);
	w &= FW_CONTINUE_BITS;
	return (uint32_t)w == (uint32_t)FW_CONTINUE_BITS || w >> 32 == FW_CONTINUE_BITS >> 32;
}

/*
 * The earliest time of a stream. Its first value, but for deltas below zero: those have ten bytes,
 * nine of them in a row that are not the last of their varint. Such a run fills half a word, in
 * the words from the start on or in the last one. Only where half a word is filled, which large
 * deltas do too, the stream is decoded.
 */
static int64_t earliest(struct fw_str deltas, int64_t first)
{
	const uint8_t *b = (const uint8_t *)deltas.p, *end = b + deltas.len;
	uint64_t v, ts = 0;
	bool large = false;
	size_t i;

	/* The first value is a time, not a delta, and large. */
	b = fw_varint(b, end, &v);
	if (!b || end - b < 10)
		return first;
	for (i = 0; (ptrdiff_t)i + 8 <= end - b; i += 8)
		large |= half_continues(b + i);
	if (!large && !half_continues(end - 8))
		return first;
	ts = v;
	while (b && b < end) {
		b = fw_varint(b, end, &v);
		ts += b ? v : 0;
		first = FW_MIN(first, (int64_t)ts);
	}
	return first;
}

static void add_compact(struct pf *p, const struct pf_bundle *b, struct pf_run *run,
			const char *base)
{
	struct pf_compact_view v;
	int64_t sw = 0, wk = 0;
	size_t n_sw, n_wk;
	bool has_sw, has_wk;

	if (b->compact.len > PF_MAX_COMPACT || !pf_compact_view(b->compact, &v)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return;
	}
	has_sw = first_value(v.arrays[CS_SWITCH_TS], &sw);
	has_wk = first_value(v.arrays[CS_WAKING_TS], &wk);
	n_sw = count_values(v.arrays[CS_SWITCH_TS]);
	n_wk = count_values(v.arrays[CS_WAKING_TS]);
	if (has_sw && !note_first(p, run, earliest(v.arrays[CS_SWITCH_TS], sw), n_sw + n_wk))
		return;
	if (has_wk && !note_first(p, run, earliest(v.arrays[CS_WAKING_TS], wk), n_wk))
		return;
	if (!has_sw && !has_wk)
		return;
	p->counts.compact_switch += count_values(v.arrays[CS_SWITCH_PID]);
	p->counts.compact_waking += count_values(v.arrays[CS_WAKING_PID]);
	run->compact = (uint32_t)(b->compact.p - base);
	run->compact_len = (uint32_t)b->compact.len;
	run->rank[PF_SWITCH] = has_sw ? rank_of(p, PF_SWITCH, run->cpu) : 0;
	run->rank[PF_WAKING] = has_wk ? rank_of(p, PF_WAKING, run->cpu) : 0;
	p->last_compact[run->cpu] = *run;
}

/* Keep the span that holds what there is. */
static int add_run(struct pf *p, struct pf_run *run)
{
	uint32_t start = UINT32_MAX, end = 0;

	if (run->plain_len) {
		start = run->plain;
		end = run->plain + run->plain_len;
	}
	if (run->compact_len) {
		start = FW_MIN(start, run->compact);
		end = FW_MAX(end, run->compact + run->compact_len);
	}
	if (!end)
		return 0;
	run->pos += start;
	run->len = end - start;
	run->plain -= FW_MIN(start, run->plain);
	run->compact -= FW_MIN(start, run->compact);
	run->arrival = p->arrival++;
	(*fw_map_slot(&p->counts.clocks, (uint32_t)run->clock))++;
	if (run->ts >= 0)
		p->rec.first_ts = FW_MIN(p->rec.first_ts, run->ts);
	return fw_sort_add(p->runs, run, sizeof(*run));
}

static void note_early(struct pf *p, const struct pf_bundle *b, uint64_t clock)
{
	int64_t t;

	if (p->cpu_seen[b->cpu])
		return;
	p->cpu_seen[b->cpu] = true;
	if (b->has_prev_end && to_trace(p, clock, (int64_t)b->prev_end, 0, &t))
		p->early_until = FW_MAX(p->early_until, t);
}

int pf_bundle(struct pf *p, struct pf_seq *s, struct fw_str msg, uint64_t pos, int machine)
{
	struct pf_run run = { .ts = INT64_MAX, .pos = pos, .gen = s->gen };
	struct pf_bundle b;

	if (!read_bundle(p, msg, &b)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	run.clock = bundle_clock(p, s, &b);
	run.snapshots = fw_clock_count(p->clock);
	if (!b.has_cpu || b.cpu < 0 || !run.clock) {
		fw_health_add(p->health, FW_H_ftrace_bundle_tokenizer_errors, FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	run.cpu = b.cpu;
	run.cpu_number = b.cpu + machine * PF_MACHINE_CPUS;
	if (b.lost)
		fw_health_set(p->health, FW_H_ftrace_cpu_has_data_loss, b.cpu, 1);
	note_early(p, &b, run.clock);
	run.lost = b.lost;
	run.marks = b.marks;
	if (b.compact.p)
		add_compact(p, &b, &run, msg.p);
	if (b.n_events)
		add_plain(p, &b, &run, msg.p);
	return add_run(p, &run);
}

bool pf_compact_view(struct fw_str msg, struct pf_compact_view *v)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	memset(v, 0, sizeof(*v));
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire != FW_WIRE_LEN || f.id >= ARRAY_SIZE(v->arrays))
			continue;
		v->arrays[f.id] = f.s;
	}
	return ret == 0;
}

static int64_t last_of(struct fw_str deltas)
{
	const uint8_t *b = (const uint8_t *)deltas.p, *end = fw_bytes_end(deltas);
	uint64_t v, ts = 0;

	while (b && b < end) {
		b = fw_varint(b, end, &v);
		ts += b ? v : 0;
	}
	return (int64_t)ts;
}

int pf_measure_compact(struct pf *p)
{
	struct fw_reader w = { .src = p->src };
	struct pf_compact_view v;
	const uint8_t *bytes;
	int64_t last, t;
	size_t have;
	int cpu, err = 0;

	for (cpu = 0; cpu < PF_MAX_CPUS && !err; cpu++) {
		struct pf_run *run = &p->last_compact[cpu];

		if (!run->compact_len)
			continue;
		bytes = fw_reader_at(&w, run->pos + run->compact, run->compact_len, &have);
		if (!bytes)
			err = -EIO;
		if (!err && have >= run->compact_len &&
		    pf_compact_view((struct fw_str){ (const char *)bytes, run->compact_len }, &v)) {
			last = FW_MAX(last_of(v.arrays[CS_SWITCH_TS]),
				      last_of(v.arrays[CS_WAKING_TS]));
			if (to_trace(p, run->clock, last, 0, &t))
				p->max_ts = FW_MAX(p->max_ts, t);
		}
		run->compact_len = 0;
	}
	fw_reader_free(&w);
	return err;
}
