// SPDX-License-Identifier: GPL-2.0-or-later
/* compact - compact_sched messages into arrays */
#include "input/perfetto/compact.h"

#include <stdlib.h>

#include "base/mem.h"

/* The bits of up to four bytes of a varint, in both halves of a word. */
static inline uint64_t join_bits(uint64_t w)
{
	return (w & 0x0000007f0000007f) | (w >> 1 & 0x00003f8000003f80) |
	       (w >> 2 & 0x001fc000001fc000) | (w >> 3 & 0x0fe000000fe00000);
}

/*
 * One varint of up to four bytes without a branch on its length: deltas and pids have two or three
 * bytes about equally often, which no branch predictor likes. Needs four readable bytes.
 * Return: the byte after it, or NULL for a longer one.
 */
static inline const uint8_t *short_varint(const uint8_t *p, uint64_t *out)
{
	uint32_t w, stop;

	memcpy(&w, p, 4);
	stop = ~w & (uint32_t)FW_CONTINUE_BITS;
	if (__builtin_expect(!stop, 0))
		return NULL;
	*out = join_bits(w & (stop ^ (stop - 1)));
	return p + (__builtin_ctz(stop) >> 3) + 1;
}

/*
 * Two of them from one load: where the next begins is known in half the time. Needs eight readable
 * bytes.
 */
static inline const uint8_t *short_varints(const uint8_t *p, uint64_t out[2])
{
	uint64_t w, stops, later, joined;
	uint32_t first, second;
	int length;

	memcpy(&w, p, 8);
	stops = ~w & FW_CONTINUE_BITS;
	later = stops & (stops - 1);
	if (__builtin_expect(!(uint32_t)stops || !later, 0))
		return NULL;
	length = __builtin_ctzll(stops) + 1;
	first = (uint32_t)stops;
	second = (uint32_t)(stops >> length);
	if (__builtin_expect(!second, 0))
		return NULL;
	joined = join_bits((w & (first ^ (first - 1))) | (w >> length & (second ^ (second - 1)))
								 << 32);
	out[0] = (uint32_t)joined;
	out[1] = joined >> 32;
	return p + (__builtin_ctzll(later) >> 3) + 1;
}

static inline const uint8_t *any_varint(const uint8_t *p, const uint8_t *end, uint64_t *out)
{
	const uint8_t *q = short_varint(p, out);

	return __builtin_expect(q != NULL, 1) ? q : fw_varint(p, end, out);
}

static size_t count_values(struct fw_str packed)
{
	return fw_count_varints((const uint8_t *)packed.p, packed.len);
}

int64_t pf_column_at(struct pf_column *c, size_t i)
{
	const uint8_t *p;
	uint64_t v;
	size_t k;

	if (i >= c->n)
		return 0;
	if (c->n == c->len)
		return c->p[i];
	if (i < c->at)
		c->at = c->at_byte = 0;
	p = c->p + c->at_byte;
	for (k = i - c->at; k >= 8; k -= fw_count_varints_of_8(p), p += 8)
		;
	/* The last step may have ended within a value. */
	while (p > c->p && (p[-1] & 0x80))
		p--;
	for (; k; k--) {
		while (*p++ & 0x80)
			;
	}
	c->at = i;
	c->at_byte = (size_t)(p - c->p);
	return fw_varint(p, c->p + c->len, &v) ? (int64_t)v : 0;
}

static void *room(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	free(p);
	*cap = n + n / 2;
	return fw_calloc(*cap, size);
}

/*
 * Times as sums of deltas; Return: how many decode. There are @n bytes that end a varint, so that
 * as many can be read without looking for the end each time.
 */
static size_t decode_times(struct pf_stream *s, struct fw_str packed, size_t n)
{
	const uint8_t *p = (const uint8_t *)packed.p, *end = fw_bytes_end(packed), *q;
	uint64_t v, ts, two[2], negative = 0;
	int64_t *out;
	size_t i;

	out = s->ts = room(s->ts, &s->ts_cap, n, sizeof(*s->ts));
	s->unsorted = false;
	p = n ? any_varint(p, end, &ts) : NULL;
	if (!p)
		return 0;
	out[0] = (int64_t)ts;
	for (i = 1; i < n; i++) {
		for (; i + 2 <= n && (q = short_varints(p, two)); p = q, i += 2) {
			out[i] = (int64_t)(ts + two[0]);
			ts += two[0] + two[1];
			out[i + 1] = (int64_t)ts;
		}
		if (i == n)
			break;
		p = any_varint(p, end, &v);
		if (!p)
			break;
		negative |= v;
		ts += v;
		out[i] = (int64_t)ts;
	}
	s->unsorted = negative >> 63;
	return i;
}

static size_t decode_pids(struct pf_stream *s)
{
	const uint8_t *p = s->tid.p, *end = p ? p + s->tid.len : NULL, *q;
	uint64_t v, two[2];
	int32_t *out;
	size_t i;

	out = s->pid = room(s->pid, &s->pid_cap, s->tid.n, sizeof(*s->pid));
	for (i = 0; i < s->tid.n; i++) {
		for (; i + 2 <= s->tid.n && (q = short_varints(p, two)); p = q, i += 2) {
			out[i] = (int32_t)two[0];
			out[i + 1] = (int32_t)two[1];
		}
		if (i == s->tid.n)
			break;
		p = any_varint(p, end, &v);
		if (!p)
			break;
		out[i] = (int32_t)v;
	}
	return i;
}

static size_t open_column(struct pf_column *c, struct fw_str packed)
{
	*c = (struct pf_column){ .p = (const uint8_t *)packed.p, .len = packed.len };
	c->n = count_values(packed);
	return c->n;
}

/*
 * Have all values three bytes at most? Then every byte that ends a value ends one that decodes, and
 * none is beyond FW_INTEREST_TIDS. Looks at the pad too: what it finds there costs time only.
 */
static bool short_values(const struct pf_column *c)
{
	uint64_t a, b, third, long_ones = 0;
	size_t i;

	for (i = 0; i < c->len; i += 8) {
		memcpy(&a, c->p + i, 8);
		memcpy(&b, c->p + i + 1, 8);
		memcpy(&third, c->p + i + 2, 8);
		long_ones |= a & b & third;
	}
	return !(long_ones & FW_CONTINUE_BITS);
}

static size_t open_tids(struct pf_stream *s, struct fw_str packed, bool pack)
{
	open_column(&s->tid, packed);
	s->packed = pack && short_values(&s->tid);
	return s->packed ? s->tid.n : decode_pids(s);
}

void pf_stream_unpack(struct pf_stream *s)
{
	if (s->packed)
		decode_pids(s);
	s->packed = false;
}

/* The first index whose comm is beyond the table. */
static size_t comms_within(struct pf_column *comm, size_t n, size_t n_intern)
{
	size_t i;
	uint8_t most = 0;

	if (comm->n == comm->len) {
		for (i = 0; i < comm->len; i++)
			most = FW_MAX(most, comm->p[i]);
		if (most < n_intern)
			return n;
	}
	for (i = 0; i < n; i++) {
		if ((uint64_t)pf_column_at(comm, i) >= n_intern)
			break;
	}
	return i;
}

/*
 * Cut the stream where its shortest array ends or a comm is unknown.
 * Return: whether anything was cut.
 */
static bool finish(struct pf_stream *s, const size_t *lengths, size_t n_lengths, size_t n_intern)
{
	size_t n = lengths[0], i;
	bool cut = false;

	for (i = 1; i < n_lengths; i++) {
		cut |= lengths[i] != lengths[0];
		n = FW_MIN(n, lengths[i]);
	}
	s->n = comms_within(&s->comm, n, n_intern);
	return cut || s->n < n;
}

static bool decode_switches(struct pf_compact *c, const struct fw_str *a, bool pack)
{
	size_t len[5];

	len[0] = decode_times(&c->sw, a[CS_SWITCH_TS], count_values(a[CS_SWITCH_TS]));
	len[1] = open_column(&c->state, a[CS_SWITCH_STATE]);
	len[2] = open_tids(&c->sw, a[CS_SWITCH_PID], pack);
	len[3] = open_column(&c->sw.prio, a[CS_SWITCH_PRIO]);
	len[4] = open_column(&c->sw.comm, a[CS_SWITCH_COMM]);
	return finish(&c->sw, len, ARRAY_SIZE(len), c->n_intern);
}

static bool decode_wakings(struct pf_compact *c, const struct fw_str *a, bool pack)
{
	size_t len[5];

	len[0] = decode_times(&c->wk, a[CS_WAKING_TS], count_values(a[CS_WAKING_TS]));
	len[1] = open_tids(&c->wk, a[CS_WAKING_PID], pack);
	len[2] = open_column(&c->target_cpu, a[CS_WAKING_CPU]);
	len[3] = open_column(&c->wk.prio, a[CS_WAKING_PRIO]);
	len[4] = open_column(&c->wk.comm, a[CS_WAKING_COMM]);
	/* Recorders before Android 12 have no flags; a missing one counts as 0. */
	open_column(&c->flags, a[CS_WAKING_FLAGS]);
	return finish(&c->wk, len, ARRAY_SIZE(len), c->n_intern);
}

bool pf_compact_decode(struct pf_compact *c, struct fw_str msg, bool pack, int *errors)
{
	struct pf_compact_view v;
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	c->n_intern = 0;
	if (!pf_compact_view(msg, &v))
		return false;
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id != CS_INTERN || f.wire != FW_WIRE_LEN)
			continue;
		fw_grow(c->intern, c->n_intern, c->intern_cap);
		c->intern[c->n_intern++] = f.s;
	}
	*errors = decode_switches(c, v.arrays, pack);
	*errors += decode_wakings(c, v.arrays, pack);
	return true;
}

void pf_compact_free(struct pf_compact *c)
{
	free(c->sw.ts);
	free(c->sw.pid);
	free(c->wk.ts);
	free(c->wk.pid);
	free(c->intern);
}
