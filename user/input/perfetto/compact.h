/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_PERFETTO_COMPACT_H
#define FW_INPUT_PERFETTO_COMPACT_H

#include "input/perfetto/perfetto.h"

/* Bytes that must be readable (not meaningful) after a compact_sched message. */
#define PF_COMPACT_PAD 16

/*
 * One packed array. Where every value takes one byte, which is the rule for states, priorities and
 * comm indices, the bytes are the values. Else values are found by counting varints from the last
 * one asked for: they are asked for in ascending order, and few of them.
 */
struct pf_column {
	const uint8_t *p;
	size_t len, n;
	size_t at, at_byte; /* index and position of the last value asked for */
};

/* The value of an index; 0 beyond the end. */
int64_t pf_column_at(struct pf_column *c, size_t i);

struct pf_stream {
	size_t n;
	int64_t *ts;
	bool packed; /* thread ids stand in tid only, not in pid */
	struct pf_column tid; /* next_pid, or the wakee */
	int32_t *pid; /* the same */
	size_t ts_cap, pid_cap;
	bool unsorted;
	struct pf_column prio, comm;
};

/**
 * struct pf_compact - the switches and wakings of one bundle
 */
struct pf_compact {
	struct pf_stream sw, wk;
	struct pf_column state; /* of sw */
	struct pf_column target_cpu, flags; /* of wk */
	struct fw_str *intern;
	size_t n_intern, intern_cap;
};

/**
 * pf_compact_decode() - a compact_sched message into arrays
 * @msg: followed by PF_COMPACT_PAD readable bytes; strings and columns borrow from it
 * @pack: leave thread ids packed where pf_wanted_find() can read them
 * @errors: set to the number of array groups (0 to 2) that end early: unequal lengths, a comm
 *	index beyond the table, or values that do not decode (ftrace_tokenizer.cc)
 * Return: false where the bytes are no message.
 */
bool pf_compact_decode(struct pf_compact *c, struct fw_str msg, bool pack, int *errors);
void pf_compact_free(struct pf_compact *c);
/* Thread ids as an array from now on. */
void pf_stream_unpack(struct pf_stream *s);

static inline int32_t pf_stream_tid(struct pf_stream *s, size_t i)
{
	return s->packed ? (int32_t)pf_column_at(&s->tid, i) : s->pid[i];
}

#endif
