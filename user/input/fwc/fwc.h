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
#include "input/clock.h"
#include "input/format.h"

/**
 * struct fwc_chunks - reads the chunks of a capture one after the other
 * @payload: of the chunk at hand, inflated
 */
struct fwc_chunks {
	struct fw_source *src;
	struct fw_reader reader;
	struct fw_health *health; /* NULL: damage was counted already */
	uint64_t pos;
	uint32_t type;
	uint8_t *payload;
	size_t len, cap;
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
	uint64_t closed;
	struct fw_rec_open open;
	struct fwc_opinions *opinions;
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
	struct fw_map symbols, fence_driver, fence_timeline, cmdlines, tids;
	struct fwc_tail *tails;
	size_t n_tails, tails_cap;
	uint64_t last_check, first_ts;
	bool have_irq; /* interrupt time was measured */
	struct fw_clock *clock; /* all clock records */
	int64_t boot_less_mono; /* BOOTTIME - MONOTONIC, of the last clock record */
	uint64_t n_records[FW_REC_END], n_bytes[FW_REC_END];
	/* delivering */
	struct fw_sort *sort;
	enum fwc_sched sched;
	uint64_t wants, piece_ns, pieces;
	const struct fw_interest *interest;
	struct fw_event ev;
};

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

/* Put the events of one record into the sorter. Return: 0, or a negative errno. */
int fwc_expand(struct fwc *f, const struct fw_rec *r);
/* The same for what threads were doing when the capture ended. */
int fwc_expand_tails(struct fwc *f);
/* Turn an item into f->ev. Return: false for an item that is no event after all. */
bool fwc_fill(struct fwc *f, const struct fwc_item *it, size_t len);

/* Text after a record's fixed part, checked against its size; absent when it does not fit. */
struct fw_str fwc_text(const struct fw_rec *r, size_t fixed, uint32_t len);

/* The smallest size of a record of this type; 0: not a type of this version. */
size_t fwc_record_size(unsigned int type);

/* A sleep that ended at @ts, and an event that says why a sleep was; in the file's order. */
void fwc_opinion_waited(struct fwc *f, struct fwc_tail *t, const struct fw_waited *w, uint64_t ts);
void fwc_opinion_blocked(struct fwc *f, struct fwc_tail *t, const struct fw_rec_blocked *b);

#endif
