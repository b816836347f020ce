// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kdebug - iOS CoreProfile recordings (RAW v2 with kd_buf records): when frames were presented
 *
 * A header of 288 bytes, a thread map of 32 bytes for each thread, anything, then records of 64
 * bytes up to the end (xnu: bsd/sys/kdebug_private.h, RAW_header and kd_buf of 64-bit devices).
 * Nothing says where the records begin. They are looked for, and what is no whole and plausible
 * record is counted and left out: a frame too few can be told from the counts, one too many cannot.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"
#include "input/format.h"

#define MAGIC 0x55aa0200u
#define HEADER_SIZE 288
#define THREAD_SIZE 32
#define RECORD_SIZE 64
#define SEARCH_BYTES (8u << 20)
#define RUN_MIN 4 /* records that make a run */
#define RUN_MAX 32 /* records that are looked at for one */
#define MAX_CPUS 64
#define NS_PER_S UINT64_C(1000000000)
#define MAX_FREQUENCY (UINT64_C(1000) * NS_PER_S)

#define DEBUGID_PRESENTED 0x31800318u
#define DEBUGID_LOST 0x07020008u /* TRACE_LOST_EVENTS: the buffer was full before this record */
/* Class 0x31, subclass 0x80: the other events of what shows frames. */
#define DEBUGID_DISPLAY 0x31800000u
#define DEBUGID_SUBCLASS_MASK 0xffff0000u

/* What becomes of a record. */
enum kd_class {
	ACCEPTED, /* a presented frame */
	UNKNOWN, /* of the same subclass, but not the one that is known to mean a frame */
	IGNORED, /* of anything else */
	REJECTED, /* no plausible record, or a frame whose time does not fit the axis */
	OUT_OF_ORDER, /* plausible, but before a record that stands before it */
	MISSING, /* says that records before it were lost */
	CLASSES
};

struct record {
	uint64_t time, unused;
	uint32_t debugid, cpu;
};

struct kdebug {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_recording rec;
	struct fw_reader reader;
	uint32_t n_threads;
	uint64_t frequency; /* of the header; 0: not said */
	uint64_t numer, denom; /* ns of a tick; denom 0: unknown */
	uint64_t first_record, end;
	uint64_t first_frame, last_frame; /* ticks; first 0: none */
	uint64_t n[CLASSES];
	char details[160];
	/* delivering */
	uint64_t pos, last_time, wants;
	struct fw_event ev;
};

static uint32_t u32_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static struct record record_at(const uint8_t *p)
{
	return (struct record){ .time = u64_at(p),
				.debugid = u32_at(p + 48),
				.cpu = u32_at(p + 52),
				.unused = u64_at(p + 56) };
}

static bool plausible(const struct record *r)
{
	return r->time && r->time <= INT64_MAX && r->debugid && r->cpu < MAX_CPUS && !r->unused;
}

static bool to_ns(const struct kdebug *k, uint64_t ticks, int64_t *ns)
{
	unsigned __int128 v;

	if (!k->denom)
		return false;
	v = (unsigned __int128)ticks * k->numer / k->denom;
	*ns = (int64_t)v;
	return v <= INT64_MAX;
}

static enum kd_class classify(struct kdebug *k, const struct record *r)
{
	int64_t ns;

	if (!plausible(r))
		return REJECTED;
	if (r->time < k->last_time)
		return OUT_OF_ORDER;
	k->last_time = r->time;
	if (r->debugid == DEBUGID_LOST)
		return MISSING;
	if (r->debugid == DEBUGID_PRESENTED)
		return !k->denom || to_ns(k, r->time, &ns) ? ACCEPTED : REJECTED;
	return (r->debugid & DEBUGID_SUBCLASS_MASK) == DEBUGID_DISPLAY ? UNKNOWN : IGNORED;
}

/* The next whole record. Return: 1, 0 at the end, negative errno. */
static int next_record(struct kdebug *k, struct record *r)
{
	const uint8_t *p;
	size_t have;

	if (k->end - k->pos < RECORD_SIZE)
		return 0;
	p = fw_reader_at(&k->reader, k->pos, RECORD_SIZE, &have);
	if (!p)
		return -EIO;
	if (have < RECORD_SIZE)
		return 0;
	*r = record_at(p);
	k->pos += RECORD_SIZE;
	return 1;
}

/*
 * Do records stand at @p: RUN_MIN at least, in order of time, of RUN_MAX at most? Those behind a run
 * are classified one by one: that one of them is bad does not make those before it metadata.
 */
static bool run_at(const uint8_t *p, size_t have)
{
	size_t most = FW_MIN(have / RECORD_SIZE, (size_t)RUN_MAX), n;
	uint64_t last = 0;

	for (n = 0; n < most; n++) {
		struct record r = record_at(p + n * RECORD_SIZE);

		if (!plausible(&r) || r.time < last)
			break;
		last = r.time;
	}
	return n >= RUN_MIN;
}

static int find_records(struct kdebug *k, uint64_t threads_end)
{
	uint64_t pos = (threads_end + RECORD_SIZE - 1) / RECORD_SIZE * RECORD_SIZE;
	uint64_t limit = threads_end + SEARCH_BYTES;
	const uint8_t *p;
	size_t have;

	for (; pos <= limit && pos < k->end; pos += RECORD_SIZE) {
		p = fw_reader_at(&k->reader, pos, RUN_MAX * RECORD_SIZE, &have);
		if (!p)
			return -EIO;
		if (!run_at(p, have))
			continue;
		k->first_record = pos;
		fw_health_add(k->health, FW_H_fw_kd_metadata_bytes, FW_HEALTH_NO_IDX,
			      (int64_t)(pos - threads_end));
		return 0;
	}
	return fw_fail(
		EPROTO,
		"%s: iOS CoreProfile RAW v2: no run of %d kd_buf records within 8 MiB of the "
		"thread map's end at offset %" PRIu64,
		fw_source_path(k->src), RUN_MIN, threads_end);
}

static int read_header(struct kdebug *k)
{
	const uint8_t *p;
	uint64_t threads_end;
	size_t have;

	p = fw_reader_at(&k->reader, 0, HEADER_SIZE, &have);
	if (!p)
		return -EIO;
	if (have < HEADER_SIZE)
		return fw_fail(EPROTO,
			       "%s: iOS CoreProfile RAW v2: the file ends at offset %zu, within "
			       "its header of %d bytes",
			       fw_source_path(k->src), have, HEADER_SIZE);
	k->n_threads = u32_at(p + 4);
	k->frequency = u64_at(p + 24);
	threads_end = HEADER_SIZE + (uint64_t)k->n_threads * THREAD_SIZE;
	if (threads_end > k->end)
		return fw_fail(EPROTO,
			       "%s: iOS CoreProfile RAW v2: a map of %" PRIu32
			       " threads would end at offset %" PRIu64 ", but the file does at "
			       "%" PRIu64,
			       fw_source_path(k->src), k->n_threads, threads_end, k->end);
	return find_records(k, threads_end);
}

/* Ticks a second as the ns of one, in lowest terms: 24 MHz is 125/3. */
static void use_frequency(struct kdebug *k)
{
	uint64_t a = NS_PER_S, b = k->frequency, t;

	if (!b || b > MAX_FREQUENCY)
		return;
	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	k->numer = NS_PER_S / a;
	k->denom = k->frequency / a;
}

static void set_times(struct kdebug *k)
{
	int64_t ns;

	k->rec.first_ts = INT64_MAX;
	k->rec.last_ts = 0;
	if (!k->first_frame)
		return;
	if (to_ns(k, k->first_frame, &ns))
		k->rec.first_ts = ns;
	if (to_ns(k, k->last_frame, &ns))
		k->rec.last_ts = ns;
}

static void begin(struct kdebug *k)
{
	k->pos = k->first_record;
	k->last_time = 0;
}

/* All classes are counted before anything is delivered. */
static int count_records(struct kdebug *k)
{
	static const enum fw_health_id ids[CLASSES] = {
		[UNKNOWN] = FW_H_fw_kd_unknown,
		[REJECTED] = FW_H_fw_kd_rejected,
		[OUT_OF_ORDER] = FW_H_fw_kd_out_of_order,
		[MISSING] = FW_H_fw_kd_missing,
	};
	struct record r;
	int ret;

	begin(k);
	while ((ret = next_record(k, &r)) > 0) {
		enum kd_class c = classify(k, &r);

		k->n[c]++;
		if (c == ACCEPTED) {
			k->first_frame = k->first_frame ? k->first_frame : r.time;
			k->last_frame = r.time;
		}
		fw_progress("reading", k->pos, k->end);
	}
	if (ret < 0)
		return ret;
	for (int c = 0; c < CLASSES; c++)
		if (c != ACCEPTED && c != IGNORED)
			fw_health_add(k->health, ids[c], FW_HEALTH_NO_IDX, (int64_t)k->n[c]);
	fw_health_add(k->health, FW_H_fw_truncated_bytes, FW_HEALTH_NO_IDX,
		      (int64_t)(k->end - k->pos));
	set_times(k);
	return 0;
}

static void describe(struct kdebug *k)
{
	int n = snprintf(k->details, sizeof(k->details), "threads  %" PRIu32 " in the thread map\n",
			 k->n_threads);

	if (k->denom)
		n += snprintf(k->details + n, sizeof(k->details) - (size_t)n,
			      "timebase %" PRIu64 "/%" PRIu64 " ns a tick (the header says %" PRIu64
			      " ticks a second)\n",
			      k->numer, k->denom, k->frequency);
	k->rec.details = (struct fw_str){ k->details, (size_t)n };
}

static int probe(const uint8_t *p, size_t len)
{
	return len >= 4 && u32_at(p) == MAGIC ? 100 : 0;
}

static void close_file(void *state)
{
	struct kdebug *k = state;

	fw_progress_clear();
	fw_reader_free(&k->reader);
	if (k->src)
		fw_source_close(k->src);
	free(k);
}

static int open_file(struct fw_source *src, struct fw_health *health, void **state)
{
	struct kdebug *k = fw_zalloc(sizeof(*k));
	int err;

	k->src = src;
	k->health = health;
	k->reader.src = src;
	k->end = fw_source_size(src);
	k->rec.format = "iOS CoreProfile RAW v2 (presented frames only)";
	k->rec.bytes = fw_source_file_size(src);
	k->rec.sysname = FW_STR("Darwin");
	err = read_header(k);
	if (!err) {
		use_frequency(k);
		k->rec.trace_clock = k->denom ? "Mach absolute time"
					      : "Mach ticks of unknown length (the header does not "
						"say how many a second)";
		k->rec.scope = "of the frames it tells only when the foreground device presented "
			       "them: no\n"
			       "process, no thread states, no fences. framewait stat makes frame "
			       "times of it.";
		describe(k);
		err = count_records(k);
	}
	if (err) {
		k->src = NULL; /* stays the caller's */
		close_file(k);
		return err;
	}
	*state = k;
	return 0;
}

static const struct fw_recording *recording(const void *state)
{
	return &((const struct kdebug *)state)->rec;
}

static int peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
		      void *ctx)
{
	return 0;
}

static int start(void *state, const struct fw_input_opts *opts)
{
	struct kdebug *k = state;

	k->wants = opts->wants ? opts->wants : ~UINT64_C(0);
	if (opts->mach_numer && opts->mach_denom) {
		k->numer = opts->mach_numer;
		k->denom = opts->mach_denom;
		set_times(k);
	}
	if (!k->denom && k->n[ACCEPTED] && k->wants >> FW_EV_PRESENTED & 1)
		return fw_fail(
			EINVAL,
			"%s: iOS CoreProfile RAW v2: the header does not say how long a Mach "
			"tick is; give --mach-timebase NUMER/DENOM (125/3 on most devices)",
			fw_source_path(k->src));
	begin(k);
	return 0;
}

/* Return: whether the record at hand is an event that is wanted. */
static bool fill(struct kdebug *k, enum kd_class c, const struct record *r, uint64_t before)
{
	int64_t ns, since;

	if (c != ACCEPTED && c != MISSING)
		return false;
	if (!to_ns(k, r->time, &ns)) {
		if (k->denom)
			fw_health_add(k->health, FW_H_fw_kd_rejected, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	k->ev = (struct fw_event){ .ts = ns, .cpu = (int32_t)r->cpu, .tid = -1 };
	k->ev.type = c == ACCEPTED ? FW_EV_PRESENTED : FW_EV_LOST;
	if (c == MISSING) {
		k->ev.cpu = -1;
		k->ev.lost.since = before && to_ns(k, before, &since) ? since : INT64_MIN;
	}
	return k->wants >> k->ev.type & 1;
}

static int next(void *state, const struct fw_event **ev)
{
	struct kdebug *k = state;
	struct record r;
	int ret;

	while ((ret = next_record(k, &r)) > 0) {
		uint64_t before = k->last_time;

		if (fill(k, classify(k, &r), &r, before)) {
			*ev = &k->ev;
			return 1;
		}
	}
	return ret;
}

static bool counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	static const char *const names[CLASSES] = {
		[ACCEPTED] = "accepted: a presented frame",
		[UNKNOWN] = "unknown: of the display, but not known to be a frame",
		[IGNORED] = "ignored: of anything else",
		[REJECTED] = "rejected: not plausible",
		[OUT_OF_ORDER] = "out of order: earlier than one before it",
		[MISSING] = "missing: says that others were lost",
	};
	const struct kdebug *k = state;
	size_t i = *pos;

	if (i >= CLASSES)
		return false;
	(*pos)++;
	*out = (struct fw_input_count){ "record", names[i], k->n[i], k->n[i] * RECORD_SIZE };
	return true;
}

const struct fw_format fw_format_kdebug = {
	.name = "kdebug",
	.probe = probe,
	.open = open_file,
	.close = close_file,
	.recording = recording,
	.peek_small = peek_small,
	.start = start,
	.next = next,
	.counts = counts,
};
