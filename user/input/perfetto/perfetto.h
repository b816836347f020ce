/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_PERFETTO_PERFETTO_H
#define FW_INPUT_PERFETTO_PERFETTO_H

#include "base/map.h"
#include "base/proto.h"
#include "base/sort.h"
#include "base/wire.h"
#include "input/clock.h"
#include "input/format.h"
#include "input/perfetto/decode.h"

/*
 * The reader in two passes. The first reads the file once from front to back: framing, sequence
 * state, clocks, and all packets that are not ftrace, which it keeps sorted by time; of each ftrace
 * bundle it notes only where it is and when it begins. The second merges the bundles by time and
 * decodes each when its turn comes. So events come in exact order whatever the order of the file,
 * and memory holds no more than the bundles that overlap the present moment.
 */
#define PF_MAX_CPUS 1024 /* ftrace_tokenizer.cc refuses more */
#define PF_MACHINE_CPUS 4096 /* cpus of machine n are numbered from n times this */
#define PF_MAX_PACKET (32u << 20)
#define PF_MAX_COMPACT (8u << 20) /* decoding takes twelve times as much */
#define PF_FTRACE_IDS 1024

enum pf_intern {
	PF_SYMBOLS,
	PF_CONTEXTS,
	PF_SPECS,
	PF_COUNTER_DESCS,
	PF_EVENT_NAMES,
	PF_CATEGORIES,
	PF_INTERN_N
};

/* What one incremental-state interval of a sequence has interned; ids of pf->names. */
struct pf_gen {
	struct fw_map ids[PF_INTERN_N];
};

struct pf_seq {
	uint32_t id;
	uint32_t gen; /* index of gens */
	uint32_t default_clock; /* 0: none */
	uint64_t default_track; /* of track events that name none */
	bool valid; /* incremental state */
	bool seen;
	bool setup_errors_seen;
	uint64_t dropped; /* packets after a loss, but for the first */
	uint64_t ftrace_ts; /* the last pair of a bundle's own clock */
};

/*
 * Where one bundle's events are; the record of pf->runs. Its plain events and its compact ones
 * stand within one span, which is read at once.
 */
struct pf_run {
	int64_t ts; /* first event, trace time */
	uint64_t arrival;
	uint64_t pos;
	uint32_t len;
	uint32_t plain, plain_len; /* within the span; length 0: none */
	uint32_t compact, compact_len;
	uint32_t rank[3]; /* by enum pf_kind: order at equal times */
	int32_t cpu;
	int32_t cpu_number; /* as told outside: of other machines 4096 apart */
	uint32_t gen;
	uint32_t snapshots; /* clock snapshots known when it was read */
	uint64_t clock;
	uint16_t lost; /* events were lost before this bundle */
	uint16_t marks; /* trace marks are among its plain events */
};

enum pf_kind { PF_PLAIN, PF_SWITCH, PF_WAKING, PF_KINDS };

/* One packet that is not ftrace; the record of pf->small, the payload follows. */
struct pf_small {
	int64_t ts;
	uint64_t arrival;
	uint32_t field; /* of TracePacket */
	uint32_t gen;
	uint64_t clock; /* deferred packets: the clock and value still to be converted */
	uint32_t len;
	uint32_t pad;
	char bytes[];
};

/* What pass one finds out about a bundle. */
struct pf_bundle {
	int32_t cpu;
	bool has_cpu, lost, has_prev_end, marks;
	uint32_t clock;
	uint64_t ftrace_ts, boot_ts, prev_end;
	struct fw_str compact;
	struct fw_str events; /* from the first event field to the last */
	int64_t min_ts, max_ts; /* of the events, raw */
	uint32_t n_events; /* with a time, a pid and a payload */
};

/* Events of one bundle as packed arrays. */
struct pf_compact_view {
	struct fw_str arrays[13]; /* by field number */
};

struct pf_counts {
	uint64_t packets[TP_MAX_PAYLOAD], packet_bytes[TP_MAX_PAYLOAD];
	uint64_t compact_switch, compact_waking;
	uint64_t ftrace[PF_FTRACE_IDS]; /* by id; the last one counts all above */
	struct fw_map clocks; /* timestamps by clock id */
};

struct pf_merge;

/**
 * struct pf - the reader of a trace, or of packets that come one after the other
 * @src: the trace; NULL: packets are given to pf_feed()
 * @on_small: gets each packet that is not ftrace as soon as its time is known, and ftrace is passed
 *	over; NULL: they are collected for pass two
 * @place: with @on_small: puts a time on the axis, before any snapshot of the packets is asked;
 *	false where it does not know the clock. The axis is BOOTTIME whatever the packets say
 */
struct pf {
	struct fw_source *src;
	int (*on_small)(void *ctx, const struct pf_small *rec);
	bool (*place)(void *ctx, uint64_t clock, int64_t *ns);
	void *ctx;
	struct fw_health *health;
	struct fw_recording rec;
	struct fw_names *names;
	struct fw_clock *clock;
	uint32_t default_clock; /* of packets that name none; 0: the time axis itself */

	struct pf_seq *seqs;
	uint32_t n_seqs, seqs_cap;
	struct fw_map seq_by_id;
	struct pf_gen *gens; /* 0 stays empty */
	uint32_t n_gens, gens_cap;

	struct fw_sort *runs;
	struct fw_sort *small;
	struct fw_sort *deferred;
	struct pf_small *scratch; /* a packet on its way into small */
	size_t scratch_cap;
	uint64_t n_packets; /* that decode */
	uint64_t arrival;
	int64_t max_ts; /* latest time seen, for packets without one */
	struct pf_run last_compact[PF_MAX_CPUS]; /* not yet part of max_ts; compact_len 0: none */

	uint32_t n_ranked[PF_KINDS]; /* cpus that have a rank */
	uint32_t rank[PF_KINDS][PF_MAX_CPUS];
	uint32_t next_rank;

	bool cpu_seen[PF_MAX_CPUS];
	int64_t early_until; /* events before it are not whole on every cpu */
	int64_t tracing_started; /* INT64_MIN: not said */
	bool preserve_ftrace;
	struct fw_map overrun_begin, dropped_begin, commit_begin; /* by cpu */
	struct fw_map tracks; /* uuid to tid, of tracks that are a thread's */
	struct fw_map machines; /* machine_id to number */
	struct fw_map writer_buffer; /* sequence to buffer */

	struct pf_counts counts;
	struct pf_merge *merge;
};

/* perfetto.c; @src may be NULL and stays the caller's */
struct pf *pf_new(struct fw_source *src, struct fw_health *health);
void pf_free(struct pf *p);
/* Another stream begins: sequences and clocks start over. Only with @on_small. */
void pf_restart(struct pf *p);
/* Packets that were seen, by field of TracePacket: as fw_input_counts(). */
bool pf_count_packets(const struct pf *p, size_t *pos, struct fw_input_count *out);

/* index.c: pass one */
int pf_index(struct pf *p);
/* All packets of a trace, for @p->on_small. */
int pf_read(struct pf *p, struct fw_source *src);
/* Whole packets, each with its tag and length. Return: 0, or a negative errno. */
int pf_feed(struct pf *p, struct fw_str packets);

/* packet.c: one packet of pass one; @pos is where its bytes are */
int pf_packet(struct pf *p, struct fw_str packet, uint64_t pos);
int pf_retry_deferred(struct pf *p);

/* track.c: slices that a process writes on its threads' tracks */
struct pf_track_event {
	uint64_t track;
	uint32_t category; /* in pf->names */
	uint32_t op; /* B E I */
	char name[];
};
bool pf_track_descriptor(struct pf *p, struct fw_str msg);
/**
 * pf_track_event() - the short form of a TrackEvent that is kept for pass two
 * Return: the length of *@out (to free), 0 where there is nothing to keep.
 */
size_t pf_track_event(struct pf *p, const struct pf_seq *s, struct fw_str msg, char **out);
bool pf_track_slice(const struct pf *p, struct fw_str kept, struct fw_event *ev);
bool pf_thread_descriptor(struct fw_str track_descriptor, struct fw_event *ev);

/* sequence.c */
struct pf_seq *pf_seq(struct pf *p, uint32_t id);
void pf_seq_cleared(struct pf *p, struct pf_seq *s);
bool pf_interned_data(struct pf *p, struct pf_seq *s, struct fw_str msg);
/* The interned bytes, or FW_STR_NONE. */
struct fw_str pf_interned(const struct pf *p, uint32_t gen, enum pf_intern kind, uint64_t iid);

/* metadata.c: what the recording says of itself */
bool pf_system_info(struct pf *p, struct fw_str msg);
bool pf_trace_stats(struct pf *p, struct fw_str msg);
bool pf_ftrace_stats(struct pf *p, struct pf_seq *s, struct fw_str msg);
bool pf_clock_snapshot(struct pf *p, struct pf_seq *s, struct fw_str msg);
void pf_finish_stats(struct pf *p);

/* bundle.c */
int pf_bundle(struct pf *p, struct pf_seq *s, struct fw_str msg, uint64_t pos, int machine);
bool pf_compact_view(struct fw_str msg, struct pf_compact_view *v);
/* The time of the latest event of the bundles in last_compact goes into max_ts. */
int pf_measure_compact(struct pf *p);
/**
 * pf_event_head() - the fields that every FtraceEvent has
 * Return: false where the bytes are no message.
 */
struct pf_event_head {
	bool has_ts, has_pid;
	uint64_t ts;
	int32_t pid, common_flags;
	uint32_t id; /* 0: no payload */
	struct fw_str payload;
};
bool pf_event_head(struct fw_str msg, struct pf_event_head *h);

/* gpu.c: what GPU packets say of the ones after them */
struct pf_gpu {
	struct fw_map counters; /* by gpu and counter; described inline */
	struct fw_map interned; /* the same, of the interned descriptor that was last asked for */
	bool has_interned;
	uint32_t interned_gen;
	uint64_t interned_iid;
	int32_t interned_gpu;
	struct fw_map specs; /* names of hardware queues and stages by number */
	struct fw_map contexts; /* pid by graphics context */
};

/* small.c: events of a packet that is not ftrace */
struct pf_small_iter {
	struct fw_str payload; /* empty: done */
	uint32_t field, gen;
	int stage;
	struct fw_pb pb;
	int64_t ts;
	int32_t gpu_id;
	const struct fw_map *counters; /* that describe the packet's */
	struct pf_gpu *gpu; /* borrowed */
};
void pf_small_begin(struct pf_small_iter *it, const struct pf_small *rec, struct pf_gpu *gpu);
/* Return: true and *@ev, or false when the packet has no more. */
bool pf_small_next(struct pf *p, struct pf_small_iter *it, struct fw_event *ev);
bool pf_small_field(uint32_t field);

void pf_gpu_free(struct pf_gpu *g);
/* Return: true and *@ev, or false when the packet has no more. */
bool pf_gpu_counter_next(struct pf *p, struct pf_small_iter *it, struct fw_event *ev);
/* Return: false for a packet that only describes what comes, and for bytes that are no message. */
bool pf_render_stage(struct pf *p, struct pf_small_iter *it, struct fw_event *ev);
bool pf_vulkan_memory(struct fw_str msg, struct fw_event *ev);
bool pf_vulkan_api(struct fw_str msg, struct fw_event *ev);
bool pf_gpu_log(struct fw_str msg, struct fw_event *ev);

/* merge.c: pass two */
int pf_merge_start(struct pf *p, const struct fw_input_opts *opts);
int pf_merge_next(struct pf *p, const struct fw_event **ev);
void pf_merge_free(struct pf *p);
/* All trace marks, in time order, instead of a merge. */
int pf_marks(struct pf *p, int (*fn)(void *ctx, const struct fw_event *ev), void *ctx);

#endif
