/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_FWC_FWC_H
#define FW_INPUT_FWC_FWC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/sort.h"
#include "base/str.h"
#include "framewait/capture.h"
#include "framewait/record.h"
#include "input/format.h"
#include "input/perfetto/perfetto.h"

struct fwc_bytes {
	uint8_t *p;
	size_t cap;
};

/**
 * struct fwc_chunks - reads the chunks of a capture one after the other
 * @type, @payload: of the chunk at hand, unpacked; records in planes are FW_CHUNK_RECS by now
 * @more: where no whole chunk stands yet: 1 look again, 0 there is none, or a negative errno
 */
struct fwc_chunks {
	struct fw_source *src;
	struct fw_reader reader;
	struct fw_health *health; /* NULL: damage was counted already */
	uint64_t pos;
	uint32_t type;
	const uint8_t *payload;
	size_t len;
	struct fwc_bytes raw, planes;
	int (*more)(void *ctx);
	void *ctx;
};

/* Return: 1 for a chunk, 0 at the end (or where the file is cut), negative errno. */
int fwc_chunks_next(struct fwc_chunks *c);
void fwc_chunks_free(struct fwc_chunks *c);

/**
 * struct fwc_tail - what a thread was last known to do
 * @open: valid when @have
 * @closed: end of its last closed interval
 * @opinions: why it was blocked, as long as only one source has said so; see opinion.c
 */
struct fwc_tail {
	bool have;
	uint32_t tid;
	uint64_t closed;
	uint64_t frontier; /* in a stream: up to here its time was handed on */
	struct fw_rec_open open;
	struct fwc_opinions *opinions;
};

/**
 * struct fwc_told - names that the records tell, by a number: ids of fwc.names
 *
 * In a stream so many of the last ones are kept as @now may hold, and of those before it the ones
 * that were asked for since.
 */
struct fwc_told {
	struct fw_map now, before;
};

/* What is asked for decides how scheduling comes: see fwc_expand(). */
enum fwc_sched { FWC_SCHED_NONE, FWC_SCHED_INTERVALS, FWC_SCHED_EVENTS };

/**
 * struct fwc - an open capture
 * @names: kernel functions, names of fences' drivers and timelines, comms; live as long as this
 * @symbols: address -> id in names
 * @fence_driver, @fence_timeline: context -> id
 * @cmdlines: pid -> id
 * @tails: tid -> index + 1 in tail
 */
struct fwc {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_recording rec;
	char *meta;
	struct fw_names *names;
	struct fwc_told symbols, fence_driver, fence_timeline, cmdlines;
	struct fw_map tids;
	struct fwc_tail *tails;
	size_t n_tails, tails_cap;
	uint64_t last_check, first_ts;
	bool have_irq; /* interrupt time was measured */
	bool growing; /* it is being written */
	bool written; /* and its writer has gone */
	int writer; /* see fw_input_follow() */
	/* BOOTTIME and MONOTONIC at one moment, where the difference became another */
	struct fwc_pair {
		uint64_t boot, mono;
	} * pairs;
	size_t n_pairs, pairs_cap;
	uint64_t boot_less_real; /* BOOTTIME - REALTIME, of the last clock record */
	uint64_t n_records[FW_REC_END], n_bytes[FW_REC_END];
	/* SurfaceFlinger's packets */
	struct pf *sf; /* NULL: none were met */
	struct fw_source *trace; /* a file that has them; NULL: this one */
	struct fw_sort *trace_sort; /* where they go before their time has come; see stream.c */
	bool keep_packets; /* they go into the sorter */
	bool counted; /* the capture was read once: what is met was counted */
	bool peeking;
	struct fw_health *unheard; /* for what was counted */
	/* delivering */
	struct fw_sort *sort;
	enum fwc_sched sched;
	uint64_t wants, piece_ns, pieces;
	const struct fw_interest *interest;
	struct fwc_stream *stream; /* NULL: everything at once, through @sort */
	struct fw_event ev;
	struct fwc_item *put; /* an item on its way into the sorter */
	size_t put_cap;
	struct pf_small_iter small; /* the packet whose events come next */
	bool in_small;
};

/* Of an item's type: a packet of SurfaceFlinger, struct pf_small follows. */
#define FWC_PACKET FW_EV_COUNT

/* An item of the sorter: one event, in the order of @ts. */
struct fwc_item {
	uint64_t ts;
	uint32_t type; /* enum fw_event_type */
	int32_t cpu;
	int32_t tid;
	int32_t flags; /* of the event's own meaning */
	/* the record, or for scheduling one of the structs below, follows */
};

struct fwc_interval {
	int32_t tid, state;
	uint64_t start, end;
	int32_t waker, io_wait;
	uint32_t iv_flags;
	uint32_t unused;
	int64_t irq_ns, softirq_ns;
	uint64_t wchan;
};

struct fwc_switch {
	int32_t prev_tid, next_tid;
	uint32_t prev_state; /* FW_RS_* */
	uint32_t unused;
};

/* Of a state: 1, 0, or -1 for not known. */
static inline int32_t fwc_io_wait(uint32_t state)
{
	return state & FW_RSF_IO_KNOWN ? !!(state & FW_RSF_IO_WAIT) : -1;
}

/* An item goes to where the events are kept in order. Return: 0, or a negative errno. */
int fwc_put(struct fwc *f, struct fwc_item it, const void *payload, size_t len);
/* Put the events of one record there. Return: 0, or a negative errno. */
int fwc_expand(struct fwc *f, const struct fw_rec *r);
/* The same for what threads were doing when the capture ended. */
int fwc_expand_tails(struct fwc *f);
/* Turn an item into f->ev. Return: false for an item that is no event after all. */
bool fwc_fill(struct fwc *f, const struct fwc_item *it);

/* Text after a record's fixed part, checked against its size; absent when it does not fit. */
struct fw_str fwc_text(const struct fw_rec *r, size_t fixed, uint32_t len);

/* What a record says of names, clocks, and the state of threads. */
int fwc_learn(struct fwc *f, const struct fw_rec *r);
/* What a thread was last known to do; made when there is nothing yet. */
struct fwc_tail *fwc_tail(struct fwc *f, uint32_t tid);
/* Forget what was learnt. */
void fwc_forget(struct fwc *f);
/* The record at *@pos of the chunk at hand, moving it on; NULL: no whole one comes any more. */
const struct fw_rec *fwc_record(struct fwc *f, const struct fwc_chunks *c, size_t *pos);
/* The lines of META and DONE. */
int fwc_read_meta(struct fwc *f, const struct fwc_chunks *c);
void fwc_read_done(struct fwc *f, const struct fwc_chunks *c);
/* Order of items: by time, the kernel's side first, so that the order of two sources is nothing. */
int fwc_by_time(const void *a, const void *b, const void *ctx);

/* stream.c: a capture as it grows, or as if it did */
int fwc_stream_start(struct fwc *f, const struct fw_input_live *opts);
void fwc_stream_free(struct fwc *f);
/* Wait for the META chunk of a capture that is being written. */
int fwc_stream_head(struct fwc *f);
/* Return: 1 and the next item in order of time, 0 at the end, or a negative errno. */
int fwc_stream_next(struct fwc *f, const struct fwc_item **it, size_t *len);
int fwc_stream_put(struct fwc *f, struct fwc_item *it, size_t len);
/* Is an event of that time too late? Counts it. */
bool fwc_stream_late(struct fwc *f, uint64_t ts, enum fw_health_id id);
/* The state that a thread is in at @check, as far as nobody was told. */
int fwc_expand_open(struct fwc *f, struct fwc_tail *t, uint64_t check);

/* clock.c: the capture's own pairs, piecewise by time. */
void fwc_pair(struct fwc *f, uint64_t boot, uint64_t mono);
/* MONOTONIC to BOOTTIME ns; false where there is no pair. */
bool fwc_to_boot(const struct fwc *f, uint64_t mono, uint64_t *boot);
bool fwc_clock(void *state, enum fw_input_clock clock, int64_t ns, int64_t *out);

/* sf.c */
/**
 * fwc_packets() - the packets of one chunk
 * @keep: put their events into the sorter; else only count what there is
 */
int fwc_packets(struct fwc *f, const uint8_t *payload, size_t len, bool keep);
/* The same of @f->trace, all of them. */
int fwc_trace_packets(struct fwc *f, bool keep);
void fwc_packets_free(struct fwc *f);
/* The next event of the packet at hand that is wanted; false when it has no more. */
bool fwc_packet_next(struct fwc *f);

/* A sleep that ended at @ts, and an event that says why a sleep was; in the file's order. */
void fwc_opinion_waited(struct fwc *f, struct fwc_tail *t, const struct fw_waited *w, uint64_t ts);
void fwc_opinion_blocked(struct fwc *f, struct fwc_tail *t, const struct fw_rec_blocked *b);

#endif
