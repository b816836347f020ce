/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_INPUT_H
#define FW_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/health.h"
#include "input/event.h"

#define FW_INTEREST_TIDS (1u << 22)
#define FW_INTEREST_FEW 256

/**
 * struct fw_interest - the threads whose scheduling a consumer wants
 *
 * A filter by tid. Readers may leave out sched_switch events where neither thread is of interest,
 * and wakings and blocked reasons of threads that are not; everything else they deliver. It may
 * grow while events are read: what is added counts from the next event on. Compact sched events
 * then carry the switched-out thread and the waker; without a filter they come as recorded, with
 * prev_tid and the waker -1.
 */
struct fw_interest {
	uint64_t *bits; /* one for each tid below FW_INTEREST_TIDS; larger ones always match */
	/* Is a thread of this name wanted? The answers are kept. May be NULL. */
	bool (*comm_wanted)(void *ctx, struct fw_str comm);
	void *ctx;
	uint32_t generation; /* counts the additions */
	int32_t tids[FW_INTEREST_FEW]; /* the first that were added */
	size_t n_tids; /* all of them */
	struct fw_interest_answer *answers;
};

struct fw_interest *fw_interest_new(void);
/* Everybody: a reader that filters also says who left the CPU and who woke whom. */
struct fw_interest *fw_interest_all(void);
void fw_interest_free(struct fw_interest *i);
void fw_interest_add(struct fw_interest *i, int32_t tid);
/* What comm_wanted says of a name. */
bool fw_interest_comm(struct fw_interest *i, struct fw_str comm);
/* Does the filter let an event through? A thread that is switched to by a wanted name is added. */
bool fw_interest_event(struct fw_interest *i, const struct fw_event *ev);
static inline bool fw_interest_has(const struct fw_interest *i, int32_t tid)
{
	return (uint32_t)tid >= FW_INTEREST_TIDS ||
	       (i->bits[(uint32_t)tid >> 6] >> ((uint32_t)tid & 63) & 1);
}

/**
 * struct fw_recording - what a recording says of itself; strings live as long as the input
 */
struct fw_recording {
	const char *format; /* "perfetto", "perfetto (gzip)" */
	struct fw_str device; /* build fingerprint */
	struct fw_str sysname, kernel, kernel_version, machine;
	int32_t sdk; /* 0: unknown */
	int32_t num_cpus; /* 0: unknown */
	struct fw_str service_version;
	struct fw_str frame_mark; /* captures: the mark that begins a frame, if one was named */
	struct fw_str rungs; /* captures: what the recorder could record there */
	struct fw_str sf; /* captures: where SurfaceFlinger's frames came from */
	bool streamed; /* captures: can be read as they grow, fw_input_opts.live */
	int64_t settle_ns; /* captures: how long the recorder waited for late parts; 0: not said */
	struct fw_str config; /* the TraceConfig message, raw bytes; absent: not recorded */
	struct fw_str ftrace_errors; /* what could not be enabled, one line each */
	struct fw_str refused; /* text: the first lines that could not be read, each on a line */
	uint64_t bytes; /* size of the input */
	const char *trace_clock; /* "BOOTTIME", ... */
	const char *scope; /* what its events can and cannot tell; NULL: frame rows come of them */
	struct fw_str details; /* more that it says of itself, a line each */
	int64_t first_ts; /* earliest event, known after open; INT64_MAX: none */
	int64_t last_ts; /* latest one that was read so far, delivered or filtered; 0: unknown */
};

/**
 * struct fw_input_count - how many of one kind an input holds, for inspect
 */
struct fw_input_count {
	const char *kind; /* "packet" or "clock" */
	const char *name;
	uint64_t n, bytes;
};

struct fw_input;
struct fw_source;

/**
 * struct fw_input_live - a capture as it grows, or as if it did
 * @settle_ns: what comes later than this after its time is left out, and counted; at least 0
 * @ahead: gets each trace mark half of @settle_ns before fw_input_next() does, and NULL when there
 *	are no more; may be NULL
 * @idle: there is nothing to read for now; may be NULL
 */
struct fw_input_live {
	int64_t settle_ns;
	int (*ahead)(void *ctx, const struct fw_event *ev);
	int (*idle)(void *ctx);
	void *ctx;
};

/**
 * struct fw_input_opts - what a consumer wants of an input
 * @wants: bit (1 << enum fw_event_type) for each type to deliver; 0 means all
 * @interest: see struct fw_interest; NULL delivers all scheduling
 * @tp_order: equal timestamps in trace_processor's order, and its dropping rules; otherwise only a
 *	fixed order
 * @tp_compat: of text: the events, times and names that trace_processor's importer makes of it
 * @piece_ns: closed intervals (FW_EV_INTERVAL) of threads off the CPU come in pieces of at most so
 *	long, for consumers that wait only so long for an end; 0: whole
 * @mach_numer, @mach_denom: ns = floor(ticks * numer / denom) for recordings in Mach ticks, instead
 *	of what the recording says of itself; 0: none given
 */
struct fw_input_opts {
	uint64_t wants;
	struct fw_interest *interest;
	bool tp_order, tp_compat;
	int64_t piece_ns;
	const struct fw_input_live *live;
	uint32_t mach_numer, mach_denom;
};

/**
 * fw_input_open() - recognise and index a recording
 * @path: file name, or "-" for standard input (spooled to a temporary file)
 *
 * Reads the file once: framing, clocks, sequence state, and all that is not bulk. The pids that
 * have frames, the process tree and struct fw_recording are known from then on.
 * Return: 0 and *@out, or a negative errno with fw_fail() set (file offset, what was expected).
 */
int fw_input_open(const char *path, struct fw_health *health, struct fw_input **out);
/* The same of a source that is open already; takes it over, closes it on an error. */
int fw_input_open_source(struct fw_source *src, struct fw_health *health, struct fw_input **out);
void fw_input_close(struct fw_input *in);

/**
 * fw_input_open_pair() - a capture, and a Perfetto trace that tells of SurfaceFlinger
 * @src: the capture, as in fw_input_open_source()
 * @trace: file name
 *
 * The trace's packets take the place of those that the capture may have; its kernel events are not
 * read. Their times go through the capture's clock pairs.
 */
int fw_input_open_pair(struct fw_source *src, const char *trace, struct fw_health *health,
		       struct fw_input **out);

/**
 * fw_input_follow() - open a capture that is being written; waits for its head
 * @writer: a pipe's reading end, whose end says that nothing more will be written; -1: its DONE
 *	chunk alone ends it
 *
 * Its events come with fw_input_opts.live only, as they are written.
 */
int fw_input_follow(const char *path, int writer, struct fw_health *health, struct fw_input **out);

const struct fw_recording *fw_input_recording(const struct fw_input *in);

/**
 * fw_input_peek_small() - what can be known before the main reading; rewinds itself
 * @marks: trace marks in any case
 *
 * All events that are not bulk (not ftrace), in time order: frames, the process tree. Then, or
 * among them, the trace marks, in time order too: always with @marks, and where no frame of
 * SurfaceFlinger was among the events. A reader may hand them on in other cases.
 */
int fw_input_peek_small(struct fw_input *in, bool marks,
			int (*fn)(void *ctx, const struct fw_event *ev), void *ctx);

/**
 * fw_input_start() - begin delivering; call once between open and next
 */
int fw_input_start(struct fw_input *in, const struct fw_input_opts *opts);

/**
 * fw_input_next() - the next event in time order
 * Return: 1 and *@ev (valid until the next call), 0 at the end, negative errno.
 */
int fw_input_next(struct fw_input *in, const struct fw_event **ev);

/* Clocks of the programs whose texts stand beside a recording, numbered as Perfetto does. */
enum fw_input_clock { FW_INPUT_REALTIME = 1, FW_INPUT_MONOTONIC = 3 };

/**
 * fw_input_clock() - a time of another clock on the recording's axis
 * @ns: of @clock
 * Return: false where the recording has no pair that places it.
 */
bool fw_input_clock(struct fw_input *in, enum fw_input_clock clock, int64_t ns, int64_t *out);

/* Packets, events and clocks seen: iterate with *@pos = 0. */
bool fw_input_counts(const struct fw_input *in, size_t *pos, struct fw_input_count *out);

#endif
