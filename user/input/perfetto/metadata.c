// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * metadata - what the recording says of itself: system, statistics, clocks
 *
 * Which statistic counts what: facts/perfetto.md section 7 (storage/stats.h, v57.2).
 */
#include "input/perfetto/perfetto.h"

#include <stdlib.h>

#include "base/mem.h"

static struct fw_str keep(struct pf *p, struct fw_str s)
{
	return fw_names_str(p->names, fw_names_id(p->names, s));
}

static bool utsname(struct pf *p, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire != FW_WIRE_LEN)
			continue;
		if (f.id == 1)
			p->rec.sysname = keep(p, f.s);
		else if (f.id == 2)
			p->rec.kernel_version = keep(p, f.s);
		else if (f.id == 3)
			p->rec.kernel = keep(p, f.s);
		else if (f.id == 4)
			p->rec.machine = keep(p, f.s);
	}
	return ret == 0;
}

bool pf_system_info(struct pf *p, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN) {
			if (!utsname(p, f.s))
				return false;
		} else if (f.id == 2 && f.wire == FW_WIRE_LEN) {
			p->rec.device = keep(p, f.s);
		} else if (f.id == 4 && f.wire == FW_WIRE_LEN) {
			p->rec.service_version = keep(p, f.s);
		} else if (f.id == 5 && f.wire == FW_WIRE_VARINT) {
			p->rec.sdk = (int32_t)f.v;
		} else if (f.id == 8 && f.wire == FW_WIRE_VARINT) {
			p->rec.num_cpus = (int32_t)f.v;
		}
	}
	return ret == 0;
}

static bool buffer_stats(struct pf *p, struct fw_str msg, int idx)
{
	static const struct {
		uint32_t field;
		enum fw_health_id id;
	} map[] = {
		{ 3, FW_H_traced_buf_chunks_overwritten },
		{ 18, FW_H_traced_buf_chunks_discarded },
		{ 6, FW_H_traced_buf_patches_failed },
		{ 19, FW_H_traced_buf_trace_writer_packet_loss },
		{ 9, FW_H_traced_buf_abi_violations },
	};
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	size_t i;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		for (i = 0; i < ARRAY_SIZE(map); i++) {
			if (f.id == map[i].field && f.wire == FW_WIRE_VARINT)
				fw_health_set(p->health, map[i].id, idx, (int64_t)f.v);
		}
	}
	return ret == 0;
}

static bool writer_stats(struct pf *p, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	uint64_t seq = 0, buffer = 0;
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			seq = f.v;
		else if (f.id == 4 && f.wire == FW_WIRE_VARINT)
			buffer = f.v;
	}
	fw_map_set(&p->writer_buffer, seq, buffer);
	return ret == 0;
}

bool pf_trace_stats(struct pf *p, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int idx = 0, ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		bool ok = true;

		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			ok = buffer_stats(p, f.s, idx++);
		else if (f.id == 18 && f.wire == FW_WIRE_LEN)
			ok = writer_stats(p, f.s);
		else if (f.id == 14 && f.wire == FW_WIRE_VARINT)
			fw_health_set(p->health, FW_H_traced_flushes_failed, FW_HEALTH_NO_IDX,
				      (int64_t)f.v);
		else if (f.id == 15 && f.wire == FW_WIRE_VARINT)
			fw_health_set(p->health, FW_H_traced_final_flush_failed, FW_HEALTH_NO_IDX,
				      f.v == 2);
		if (!ok)
			return false;
	}
	return ret == 0;
}

/* Packets after a loss are known by sequence, and told by the buffer that the sequence wrote to. */
void pf_finish_stats(struct pf *p)
{
	uint32_t i;

	for (i = 0; i < p->n_seqs; i++) {
		uint64_t *buffer = fw_map_get(&p->writer_buffer, p->seqs[i].id);

		if (p->seqs[i].dropped)
			fw_health_add(p->health, FW_H_traced_buf_sequence_packet_loss,
				      buffer ? (int)*buffer : FW_HEALTH_NO_IDX,
				      (int64_t)p->seqs[i].dropped);
	}
}

static void delta(struct pf *p, struct fw_map *begin, bool start, int cpu, uint64_t value,
		  enum fw_health_id id)
{
	uint64_t *b;

	if (start) {
		fw_map_set(begin, (uint32_t)cpu, value);
		return;
	}
	b = fw_map_get(begin, (uint32_t)cpu);
	if (b)
		fw_health_set(p->health, id, cpu, (int64_t)(value - *b));
}

static bool cpu_stats(struct pf *p, struct fw_str msg, bool start)
{
	struct fw_pb pb = fw_pb_of(msg);
	uint64_t v[10] = { 0 };
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id < ARRAY_SIZE(v) && f.wire == FW_WIRE_VARINT)
			v[f.id] = f.v;
	}
	delta(p, &p->overrun_begin, start, (int)v[1], v[3], FW_H_ftrace_cpu_overrun_delta);
	delta(p, &p->commit_begin, start, (int)v[1], v[4], FW_H_ftrace_cpu_commit_overrun_delta);
	delta(p, &p->dropped_begin, start, (int)v[1], v[8], FW_H_ftrace_cpu_dropped_events_delta);
	return ret == 0;
}

#define MAX_SETUP_TEXT 8192

/* One line for each event or category that could not be enabled. */
static void setup_error(struct pf *p, const char *what, struct fw_str name)
{
	char *all;

	if (p->rec.ftrace_errors.len + name.len > MAX_SETUP_TEXT)
		return;
	all = fw_asprintf("%.*s%s: %.*s\n", FW_STR_ARG(p->rec.ftrace_errors), what,
			  FW_STR_ARG(name));

	p->rec.ftrace_errors = keep(p, fw_str(all));
	free(all);
}

bool pf_ftrace_stats(struct pf *p, struct pf_seq *s, struct fw_str msg)
{
	static const char *const errors[14] = {
		[5] = "atrace",
		[6] = "unknown ftrace event",
		[7] = "ftrace event that failed to enable",
		[13] = "exclusive feature",
	};
	struct fw_pb pb = fw_pb_of(msg);
	bool start = false, told = s->setup_errors_seen;
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			start = f.v == 1;
		else if (f.id == 8 && f.wire == FW_WIRE_VARINT && f.v)
			p->preserve_ftrace = true;
	}
	for (pb = fw_pb_of(msg); ret == 0 && fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 2 && f.wire == FW_WIRE_LEN) {
			if (!cpu_stats(p, f.s, start))
				return false;
		} else if (start && !told && f.id < ARRAY_SIZE(errors) && errors[f.id] &&
			   f.wire == FW_WIRE_LEN && f.s.len) {
			s->setup_errors_seen = true;
			fw_health_add(p->health, FW_H_ftrace_setup_errors, FW_HEALTH_NO_IDX, 1);
			setup_error(p, errors[f.id], f.s);
		}
	}
	return ret == 0;
}

#define MAX_CLOCKS 64

static bool one_clock(struct fw_str msg, uint32_t seq, struct fw_clock_value *out)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	uint32_t id = 0;
	int ret;

	*out = (struct fw_clock_value){ 0 };
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire != FW_WIRE_VARINT)
			continue;
		if (f.id == 1)
			id = (uint32_t)f.v;
		else if (f.id == 2)
			out->value = (int64_t)f.v;
		else if (f.id == 3)
			out->incremental = f.v;
		else if (f.id == 4)
			out->unit_ns = f.v;
	}
	out->key = fw_clock_key(id, seq);
	return ret == 0;
}

/* Which clock becomes the time axis; clock_tracker.cc and proto_trace_reader.cc. */
static void choose_trace_clock(struct pf *p, const struct fw_clock_value *v, size_t n,
			       uint32_t primary)
{
	bool boot = false, file = false;
	size_t i;

	for (i = 0; i < n; i++) {
		boot |= v[i].key == CLK_BOOTTIME;
		file |= v[i].key == CLK_TRACE_FILE;
	}
	if (primary)
		p->default_clock = primary;
	/* Of packets that are handed on the axis is the caller's. */
	if (p->on_small)
		return;
	if (primary)
		fw_clock_set_trace(p->clock, primary);
	else if (boot && !file)
		fw_clock_set_trace(p->clock, CLK_BOOTTIME);
	else if (file)
		fw_clock_set_trace(p->clock, CLK_TRACE_FILE);
}

bool pf_clock_snapshot(struct pf *p, struct pf_seq *s, struct fw_str msg)
{
	struct fw_clock_value values[MAX_CLOCKS];
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	uint32_t primary = 0;
	size_t n = 0;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN && n < MAX_CLOCKS) {
			if (!one_clock(f.s, s->id, &values[n++]))
				return false;
		} else if (f.id == 2 && f.wire == FW_WIRE_VARINT) {
			primary = (uint32_t)f.v;
		}
	}
	if (ret)
		return false;
	choose_trace_clock(p, values, n, primary);
	if (fw_clock_snapshot(p->clock, values, n))
		fw_health_add(p->health, FW_H_invalid_clock_snapshots, FW_HEALTH_NO_IDX, 1);
	return true;
}
