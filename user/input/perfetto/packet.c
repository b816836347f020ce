// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * packet - one TracePacket of pass one
 *
 * The order in which a packet's parts count is proto_trace_reader.cc's: state cleared or dropped,
 * defaults, interned data, clock snapshot, statistics, service event, then the payload.
 */
#include "input/perfetto/perfetto.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

/* The fields of a packet, each where it stands. */
struct packet {
	uint64_t ts;
	bool has_ts, cleared, needs_state;
	uint32_t clock_id, seq_id, flags, dropped;
	uint64_t machine_id;
	struct fw_str defaults, interned, snapshot, trace_stats, service, config;
	uint32_t field; /* the payload's */
	struct fw_str payload;
};

static bool is_payload(uint32_t id)
{
	return id == TP_FTRACE_EVENTS || id == TP_FTRACE_STATS || id == TP_SYSTEM_INFO ||
	       pf_small_field(id);
}

/* Fields with a module of the importer that framewait does not read: they too end the search. */
static bool is_foreign_payload(uint32_t id)
{
	return id == 7 || id == 46 || id == 47 || id == 67 || id == 70 || id == 78 || id == 93 ||
	       id == 94;
}

static void set_len_field(struct packet *k, const struct fw_pb_field *f)
{
	switch (f->id) {
	case TP_DEFAULTS:
		k->defaults = f->s;
		break;
	case TP_INTERNED_DATA:
		k->interned = f->s;
		break;
	case TP_CLOCK_SNAPSHOT:
		k->snapshot = f->s;
		break;
	case TP_TRACE_STATS:
		k->trace_stats = f->s;
		break;
	case TP_SERVICE_EVENT:
		k->service = f->s;
		break;
	case TP_TRACE_CONFIG:
		k->config = f->s;
		break;
	default:
		if (!k->field && (is_payload(f->id) || is_foreign_payload(f->id))) {
			k->field = f->id;
			k->payload = f->s;
		}
	}
}

static void set_varint_field(struct packet *k, const struct fw_pb_field *f)
{
	switch (f->id) {
	case TP_TIMESTAMP:
		k->ts = f->v;
		k->has_ts = true;
		break;
	case TP_SEQUENCE_ID:
		k->seq_id = (uint32_t)f->v;
		break;
	case TP_SEQUENCE_FLAGS:
		k->flags = (uint32_t)f->v;
		break;
	case TP_STATE_CLEARED:
		k->cleared = f->v;
		break;
	case TP_PREVIOUS_DROPPED:
		k->dropped = f->v != 0;
		break;
	case TP_CLOCK_ID:
		k->clock_id = (uint32_t)f->v;
		break;
	case TP_MACHINE_ID:
		k->machine_id = f->v;
		break;
	}
}

static bool read_packet(struct pf *p, struct fw_str bytes, struct packet *k)
{
	struct fw_pb pb = fw_pb_of(bytes);
	struct fw_pb_field f;
	int ret;

	memset(k, 0, sizeof(*k));
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.wire == FW_WIRE_LEN) {
			set_len_field(k, &f);
			if (f.id < TP_MAX_PAYLOAD) {
				p->counts.packets[f.id]++;
				p->counts.packet_bytes[f.id] += f.s.len;
			}
		} else if (f.wire == FW_WIRE_VARINT) {
			set_varint_field(k, &f);
		}
	}
	k->cleared |= k->flags & SEQ_CLEARED;
	k->needs_state = k->flags & SEQ_NEEDS_STATE;
	return ret == 0;
}

static uint64_t default_track(struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	uint64_t uuid = 0;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == TE_TRACK_UUID && f.wire == FW_WIRE_VARINT)
			uuid = f.v;
	}
	return uuid;
}

static bool read_defaults(struct pf_seq *s, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	s->default_clock = 0;
	s->default_track = 0;
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == TP_CLOCK_ID && f.wire == FW_WIRE_VARINT)
			s->default_clock = (uint32_t)f.v;
		else if (f.id == DEFAULTS_TRACK_EVENT && f.wire == FW_WIRE_LEN)
			s->default_track = default_track(f.s);
	}
	return ret == 0;
}

static bool read_service(struct pf *p, const struct packet *k)
{
	struct fw_pb pb = fw_pb_of(k->service);
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		/* The packet's own time, unconverted; ftrace_parser.cc compares it as it is. */
		if (f.id == 2 && f.wire == FW_WIRE_VARINT && f.v && k->has_ts)
			p->tracing_started = (int64_t)k->ts;
	}
	return ret == 0;
}

static void count_clock_failure(struct pf *p, enum fw_clock_result r)
{
	static const enum fw_health_id ids[] = {
		[FW_CLOCK_UNKNOWN_SOURCE] = FW_H_clock_sync_failure_unknown_source_clock,
		[FW_CLOCK_UNKNOWN_TARGET] = FW_H_clock_sync_failure_unknown_target_clock,
		[FW_CLOCK_NO_PATH] = FW_H_clock_sync_failure_no_path,
	};

	fw_health_add(p->health, ids[r], FW_HEALTH_NO_IDX, 1);
	fw_health_add(p->health, FW_H_clock_sync_failure_undeferrable_packet_loss, FW_HEALTH_NO_IDX,
		      1);
}

static int add_small(struct pf *p, struct pf_small *rec, bool has_ts)
{
	if (rec->ts < 0) {
		fw_health_add(p->health, FW_H_trace_sorter_negative_timestamp_dropped,
			      FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	p->max_ts = FW_MAX(p->max_ts, rec->ts);
	/* Descriptors are sent with no time or with time 0: they do not begin the recording. */
	if (has_ts && rec->ts > 0) {
		p->rec.first_ts = FW_MIN(p->rec.first_ts, rec->ts);
		p->rec.last_ts = FW_MAX(p->rec.last_ts, rec->ts);
	}
	return p->on_small ? p->on_small(p->ctx, rec)
			   : fw_sort_add(p->small, rec, sizeof(*rec) + rec->len);
}

/* Put a record on the time axis, or keep it until all snapshots are known. */
static int place_small(struct pf *p, struct pf_small *rec)
{
	enum fw_clock_result r;

	if (p->place && p->place(p->ctx, rec->clock, &rec->ts))
		return add_small(p, rec, true);
	r = fw_clock_to_trace(p->clock, rec->clock, rec->ts, FW_CLOCK_ALL, &rec->ts);
	if (r == FW_CLOCK_OK)
		return add_small(p, rec, true);
	if (!p->on_small)
		return fw_sort_add(p->deferred, rec, sizeof(*rec) + rec->len);
	count_clock_failure(p, r);
	return 0;
}

/* A record in the one place for them; valid until the next one. */
static struct pf_small *new_small(struct pf *p, const struct pf_seq *s, uint32_t field,
				  struct fw_str payload)
{
	size_t need = sizeof(struct pf_small) + payload.len;
	struct pf_small *rec;

	if (need > p->scratch_cap) {
		p->scratch_cap = need * 2;
		p->scratch = fw_realloc(p->scratch, p->scratch_cap, 1);
	}
	rec = p->scratch;
	*rec = (struct pf_small){
		.arrival = p->arrival++,
		.field = field,
		.gen = s->gen,
		.len = (uint32_t)payload.len,
	};
	if (payload.len)
		memcpy(rec->bytes, payload.p, payload.len);
	return rec;
}

static int small_packet(struct pf *p, struct pf_seq *s, const struct packet *k)
{
	struct pf_small *rec = new_small(p, s, k->field, k->payload);
	uint32_t id = k->clock_id ? k->clock_id : s->default_clock;
	int err;

	if (k->has_ts) {
		id = id ? id : p->default_clock;
		rec->clock = id ? fw_clock_key(id, s->id) : fw_clock_trace(p->clock);
		(*fw_map_slot(&p->counts.clocks, id ? id : rec->clock))++;
		rec->ts = fw_clock_ns(p->clock, rec->clock, k->ts);
		err = place_small(p, rec);
	} else {
		err = pf_measure_compact(p);
		rec->ts = p->max_ts;
		err = err ? err : add_small(p, rec, false);
	}
	return err;
}

/* Each line of the log has a time of its own (field 5), on the wall clock. */
static int log_packet(struct pf *p, struct pf_seq *s, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg), line;
	struct fw_pb_field f, g;
	struct pf_small *rec;
	int err = 0;

	while (!err && fw_pb_next(&pb, &f) > 0) {
		if (f.id != 1 || f.wire != FW_WIRE_LEN)
			continue;
		rec = new_small(p, s, TP_ANDROID_LOG, f.s);
		rec->clock = CLK_REALTIME;
		for (line = fw_pb_of(f.s); fw_pb_next(&line, &g) > 0;) {
			if (g.id == 5 && g.wire == FW_WIRE_VARINT)
				rec->ts = (int64_t)g.v;
		}
		err = place_small(p, rec);
	}
	return err;
}

/* Packets whose clock had no snapshot yet when they were read: now all snapshots are known. */
int pf_retry_deferred(struct pf *p)
{
	enum fw_clock_result r;
	const void *at;
	size_t len;
	int ret;

	while ((ret = fw_sort_next(p->deferred, &at, &len)) > 0) {
		struct pf_small *rec = fw_memdup(at, len);

		r = fw_clock_to_trace(p->clock, rec->clock, rec->ts, FW_CLOCK_ALL, &rec->ts);
		if (r == FW_CLOCK_OK)
			ret = add_small(p, rec, true);
		else
			count_clock_failure(p, r);
		free(rec);
		if (ret < 0)
			return ret;
	}
	return ret;
}

/* The number of a machine: 0 for the host, the others in order of appearance. */
static int machine_number(struct pf *p, uint64_t id)
{
	uint64_t *n;

	if (!id)
		return 0;
	fw_health_add(p->health, FW_H_fw_other_machine_packets, FW_HEALTH_NO_IDX, 1);
	n = fw_map_slot(&p->machines, id);
	if (!*n)
		*n = p->machines.n;
	return (int)*n;
}

static int track_event(struct pf *p, struct pf_seq *s, struct packet k)
{
	char *kept = NULL;
	int err = 0;

	k.payload.len = pf_track_event(p, s, k.payload, &kept);
	k.payload.p = kept;
	if (kept)
		err = small_packet(p, s, &k);
	free(kept);
	return err;
}

static int payload(struct pf *p, struct pf_seq *s, const struct packet *k, const char *base,
		   uint64_t pos)
{
	int machine = machine_number(p, k->machine_id);
	bool ok = true;

	switch (k->field) {
	case TP_FTRACE_EVENTS:
		if (p->on_small)
			return 0;
		return pf_bundle(p, s, k->payload, pos + (uint64_t)(k->payload.p - base), machine);
	case TP_FTRACE_STATS:
		ok = pf_ftrace_stats(p, s, k->payload);
		break;
	case TP_SYSTEM_INFO:
		ok = pf_system_info(p, k->payload);
		break;
	case TP_ANDROID_LOG:
		return log_packet(p, s, k->payload);
	case TP_TRACK_EVENT:
		return track_event(p, s, *k);
	case TP_TRACK_DESCRIPTOR:
		ok = pf_track_descriptor(p, k->payload);
		if (ok)
			return small_packet(p, s, k);
		break;
	default:
		if (pf_small_field(k->field))
			return small_packet(p, s, k);
	}
	if (!ok)
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
	return 0;
}

/* State, defaults and interned data; Return: false where they do not decode. */
static bool sequence_parts(struct pf *p, struct pf_seq *s, const struct packet *k)
{
	if (k->dropped && s->seen)
		s->dropped++;
	s->seen = true;
	if (k->cleared)
		pf_seq_cleared(p, s);
	else if (k->dropped)
		s->valid = false;
	if (k->defaults.p && !read_defaults(s, k->defaults))
		return false;
	if (!k->interned.p)
		return true;
	if (s->valid)
		return pf_interned_data(p, s, k->interned);
	fw_health_add(p->health, FW_H_interned_data_skipped_incremental_state_invalid,
		      FW_HEALTH_NO_IDX, 1);
	return true;
}

int pf_packet(struct pf *p, struct fw_str bytes, uint64_t pos)
{
	struct packet k;
	struct pf_seq *s;
	bool ok;

	if (!read_packet(p, bytes, &k)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	p->n_packets++;
	s = pf_seq(p, k.seq_id);
	ok = sequence_parts(p, s, &k);
	if (ok && k.snapshot.p) {
		ok = pf_clock_snapshot(p, s, k.snapshot);
		goto out;
	}
	if (ok && k.trace_stats.p)
		ok = pf_trace_stats(p, k.trace_stats);
	if (ok && k.service.p) {
		ok = read_service(p, &k);
		goto out;
	}
	if (ok && k.needs_state && !s->valid) {
		fw_health_add(p->health, FW_H_packet_skipped_seq_needs_incremental_state_invalid,
			      FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	if (ok && k.config.p)
		p->rec.config = fw_names_str(p->names, fw_names_id(p->names, k.config));
	if (ok)
		return payload(p, s, &k, bytes.p, pos);
out:
	if (!ok)
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
	return 0;
}
