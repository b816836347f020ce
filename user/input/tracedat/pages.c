// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages - the kernel's ring buffer, page by page (kernel/trace/ring_buffer.c)
 *
 * A page is a time, the length of its data, and events, each behind a word of type or length (5 bits)
 * and time since the one before (27 bits).
 */
#include <string.h>

#include "base/mem.h"
#include "input/tracedat/tracedat.h"

#define DATA_MAX 28 /* type_len up to here is a length in words */
#define PADDING 29
#define TIME_EXTEND 30
#define TIME_STAMP 31
#define DELTA_BITS 27
#define COMMIT_MASK ((UINT64_C(1) << 27) - 1)
#define MISSED_EVENTS (UINT64_C(1) << 31)
#define STAMP_TOP (UINT64_C(0x1f) << 59) /* not in an absolute time stamp */

void td_stream_start(struct td_stream *s)
{
	s->next_page = s->pos;
	s->next = s->data_end = 0;
	s->last = INT64_MIN;
	s->lost = s->has_event = false;
}

/* The first of several readings counts. */
static void td_count(struct td *t, enum fw_health_id id)
{
	if (t->indexing)
		fw_health_add(t->health, id, FW_HEALTH_NO_IDX, 1);
}

static void bad_page(struct td *t, struct td_stream *s)
{
	td_count(t, FW_H_fw_bad_packets);
	s->next = s->data_end = 0;
}

/* Return: 1 for a page, 0 at the end, negative errno. */
static int read_page(struct td *t, struct td_stream *s)
{
	uint64_t commit;
	ssize_t n;

	if (s->next_page >= s->end || s->end - s->next_page < t->data_offset)
		return 0;
	if (!s->page)
		s->page = fw_zalloc(s->page_size);
	n = fw_source_read(t->src, s->next_page, s->page,
			   FW_MIN((uint64_t)s->page_size, s->end - s->next_page));
	if (n < (ssize_t)t->data_offset)
		return n < 0 ? (int)n : 0;
	s->next_page += s->page_size;
	s->stamp = td_number(t, s->page, 8);
	commit = td_number(t, s->page + 8, t->commit_size);
	s->next = t->data_offset;
	s->lost |= (commit & MISSED_EVENTS) != 0;
	commit &= COMMIT_MASK;
	if (commit > (uint64_t)n - t->data_offset)
		bad_page(t, s);
	else
		s->data_end = t->data_offset + (uint32_t)commit;
	return 1;
}

/* The 59 bits of an absolute stamp with the upper ones of the time before. */
static uint64_t absolute(uint64_t stamp, uint64_t before)
{
	uint64_t ts = stamp | (before & STAMP_TOP);

	return ts < before && before - ts > UINT64_C(1) << 58 ? ts + (UINT64_C(1) << 59) : ts;
}

static bool word_at(const struct td *t, const struct td_stream *s, uint32_t at, uint32_t *out)
{
	if (s->data_end < 4 || at > s->data_end - 4)
		return false;
	*out = (uint32_t)td_number(t, s->page + at, 4);
	return true;
}

/*
 * Go over one entry of the page. Return: 1 when it is an event, 0 when it is not, -1 when the page
 * has no more.
 */
static int next_entry(struct td *t, struct td_stream *s)
{
	uint32_t word, type, array = 0;
	uint64_t delta, len;

	if (!word_at(t, s, s->next, &word))
		return -1;
	type = t->big ? word >> DELTA_BITS : word & 31;
	delta = t->big ? word & COMMIT_MASK : word >> 5;
	s->at = s->next + 4;
	if ((type == 0 || type > DATA_MAX) && !word_at(t, s, s->at, &array)) {
		if (type != PADDING)
			bad_page(t, s);
		return -1;
	}
	switch (type) {
	case TIME_EXTEND:
		s->stamp += ((uint64_t)array << DELTA_BITS) + delta;
		s->next = s->at + 4;
		return 0;
	case TIME_STAMP:
		s->stamp = absolute(((uint64_t)array << DELTA_BITS) + delta, s->stamp);
		s->next = s->at + 4;
		return 0;
	case PADDING:
		/* Without a time the rest of the page is empty; with one an event was taken back. */
		if (!delta)
			return -1;
		len = array;
		break;
	case 0:
		s->at += 4;
		len = array < 4 ? UINT32_MAX : ((uint64_t)array - 4 + 3) & ~UINT64_C(3);
		break;
	default:
		len = (uint64_t)type * 4;
	}
	s->stamp += delta;
	if (len > s->data_end - s->at) {
		bad_page(t, s);
		return -1;
	}
	s->len = (uint32_t)len;
	s->next = s->at + s->len;
	return type != PADDING;
}

/* Return: has a raw time a place on the axis? */
static bool place(const struct td *t, uint64_t raw, int64_t *ns)
{
	unsigned __int128 v = raw;

	if (t->has_tsc) {
		if (raw < t->tsc_offset)
			return false;
		v = ((unsigned __int128)(raw - t->tsc_offset) * t->tsc_mult) >> t->tsc_shift;
	}
	return v <= INT64_MAX && !__builtin_add_overflow((int64_t)v, t->offset, ns) && *ns >= 0;
}

int td_stream_next(struct td *t, struct td_stream *s)
{
	int ret;

	if (s->has_event)
		s->last = s->ts;
	s->has_event = false;
	for (;;) {
		while ((ret = next_entry(t, s)) == 0)
			;
		if (ret > 0) {
			if (!place(t, s->stamp, &s->ts)) {
				td_count(t, FW_H_trace_sorter_negative_timestamp_dropped);
				continue;
			}
			if (s->ts < s->last) {
				td_count(t, FW_H_fw_late_events);
				continue;
			}
			s->has_event = true;
			return 1;
		}
		ret = read_page(t, s);
		if (ret <= 0)
			return ret;
	}
}
