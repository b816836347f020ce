/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_SLICES_H
#define FW_MODEL_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/str.h"

/*
 * Stacks of slices, with trace_processor's rules of nesting (slice_tracker.cc, v57.2). A slice is
 * handed on when it can no longer change: when it leaves its stack. Those that never end are handed
 * on at the end of the recording, open.
 */
#define FW_SLICE_OPEN (-1)
#define FW_SLICE_MAX_DEPTH 512

/**
 * struct fw_slice - one slice of a track
 * @seq: order in which slices began
 * @dur: ns, or FW_SLICE_OPEN
 * @name: absent where the owner names the slice by @num
 * @category: 0 none; an end that names one ends only slices of it
 * @num, @arg: the owner's
 * @data: the owner's; it is freed by whoever gets the slice
 */
struct fw_slice {
	int64_t ts, dur;
	uint64_t seq;
	struct fw_str name;
	uint32_t category;
	uint32_t depth;
	int64_t num, arg;
	void *data;
};

/**
 * struct fw_track - one stack; zero-initialise
 * @owner, @kind: the owner's
 */
struct fw_track {
	uint64_t owner;
	uint32_t kind;
	uint32_t n, cap;
	struct fw_slice *stack;
	char *names; /* the names of the stack's slices, one after the other */
	size_t names_len, names_cap;
	bool unnestable; /* a slice that begins inside another is left out */
};

/**
 * struct fw_slices - what the tracks of one kind share
 * @done: gets each slice once; the name is valid during the call
 * @seq: slices so far; several kinds may share one counter
 */
struct fw_slices {
	struct fw_health *health;
	void (*done)(void *ctx, struct fw_track *t, const struct fw_slice *s);
	void *ctx;
	uint64_t *seq;
};

/* What to begin: dur FW_SLICE_OPEN, or the length of a whole slice. */
struct fw_slice_start {
	int64_t ts, dur;
	struct fw_str name;
	uint32_t category;
	int64_t num, arg;
	void *data;
};

/**
 * fw_slice_begin() - begin a slice, or put a whole one
 * Return: true when it is on the stack or was handed on; false when the rules drop it (its data
 * is then still the caller's).
 */
bool fw_slice_begin(struct fw_slices *sl, struct fw_track *t, const struct fw_slice_start *start);

/* The topmost slice that is still open and matches; NULL when there is none. */
struct fw_slice *fw_slice_open(struct fw_track *t, struct fw_str name, uint32_t category);

/**
 * fw_slice_end() - end the topmost open slice that matches
 * @name: absent matches any; @category: 0 matches any
 * Return: true when there was one.
 */
bool fw_slice_end(struct fw_slices *sl, struct fw_track *t, int64_t ts, struct fw_str name,
		  uint32_t category);

/* Hand on all that is left, and free the track's memory. */
void fw_track_finish(struct fw_slices *sl, struct fw_track *t);

#endif
