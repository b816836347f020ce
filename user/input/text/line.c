// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * line - the columns of an event line
 *
 *	TASK-PID    TGID   CPU#  FLAGS   TIMESTAMP  FUNCTION
 *	foo bar-12 (    7) [003] d.h2.. 1234.567890: sched_switch: ...
 *
 * TGID and FLAGS may be absent. A task's name may hold anything, so the line is read from the CPU
 * outwards: the first [DIGITS] that has a pid on its left and a time on its right.
 */
#include <string.h>

#include "input/text/text.h"

#define FLAGS_MAX 8
#define TGID_MAX 16
#define WORD_MAX 1024 /* the kernel's names end below */
#define NS 1000000000

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct fw_str tx_trim(struct fw_str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

static bool id_of(struct fw_str s, int32_t *out)
{
	uint64_t v;

	if (!fw_str_uint(s, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

static size_t back_over_blanks(struct fw_str line, size_t end)
{
	while (end && is_blank(line.p[end - 1]))
		end--;
	return end;
}

/* What stands left of the CPU: "TASK-PID", perhaps "(TGID)". */
static bool left_of_cpu(struct fw_str line, size_t open, struct tx_head *h)
{
	size_t end = back_over_blanks(line, open), start;

	h->tgid = -1;
	if (end && line.p[end - 1] == ')') {
		struct fw_str in;

		/* A line of many brackets is not looked through again for each. */
		for (start = --end; start && line.p[start - 1] != '(' && end - start < TGID_MAX;)
			start--;
		if (!start || line.p[start - 1] != '(')
			return false;
		in = tx_trim((struct fw_str){ line.p + start, end - start });
		if (!id_of(in, &h->tgid) && (!in.len || in.p[0] != '-'))
			return false;
		end = back_over_blanks(line, start - 1);
	}
	for (start = end; start && is_digit(line.p[start - 1]);)
		start--;
	if (!start || line.p[start - 1] != '-' ||
	    !id_of((struct fw_str){ line.p + start, end - start }, &h->tid))
		return false;
	h->task = tx_trim((struct fw_str){ line.p, start - 1 });
	return true;
}

/* Seconds with a fraction of any length, exact to the nanosecond. */
static bool time_of(struct fw_str s, int64_t *ns)
{
	const char *dot = memchr(s.p, '.', s.len);
	struct fw_str whole, part;
	uint64_t sec, frac;

	if (!dot)
		return false;
	whole = (struct fw_str){ s.p, (size_t)(dot - s.p) };
	part = (struct fw_str){ dot + 1, s.len - whole.len - 1 };
	if (part.len > 9)
		part.len = 9;
	if (!fw_str_uint(whole, &sec) || !fw_str_uint(part, &frac) || sec >= INT64_MAX / NS)
		return false;
	for (size_t i = part.len; i < 9; i++)
		frac *= 10;
	*ns = (int64_t)(sec * NS + frac);
	return true;
}

/*
 * What TRACE_FLAG_HARDIRQ and _SOFTIRQ were: the third letter (trace_print_lat_fmt(), kernel/trace/
 * trace_output.c), which has been the same since 2.6.
 */
static int32_t flags_of(struct fw_str s)
{
	if (s.len < 3)
		return -1;
	switch (s.p[2]) {
	case 'h':
	case 'Z':
		return 0x08;
	case 's':
		return 0x10;
	case 'H':
		return 0x18;
	}
	return 0;
}

static struct fw_str next_word(struct fw_str *s)
{
	struct fw_str w;

	while (s->len && is_blank(s->p[0])) {
		s->p++;
		s->len--;
	}
	w = (struct fw_str){ s->p, 0 };
	while (w.len < s->len && w.len < WORD_MAX && !is_blank(w.p[w.len]))
		w.len++;
	s->p += w.len;
	s->len -= w.len;
	return w;
}

static bool is_stamp(struct fw_str w, struct tx_head *h)
{
	if (w.len < 4 || w.p[w.len - 1] != ':' || !is_digit(w.p[0]))
		return false;
	h->stamp = (struct fw_str){ w.p, w.len - 1 };
	return time_of(h->stamp, &h->ts);
}

/* "name: arguments", or of the function tracer "function <-caller". */
static bool function_of(struct fw_str s, struct tx_head *h)
{
	struct fw_str w = next_word(&s);
	const char *colon = w.len ? memchr(w.p, ':', w.len) : NULL;

	if (colon) {
		h->event = (struct fw_str){ w.p, (size_t)(colon - w.p) };
		s.p -= w.len - h->event.len - 1;
		s.len += w.len - h->event.len - 1;
		h->args = tx_trim(s);
		return h->event.len > 0;
	}
	h->event = FW_STR("function");
	h->args = tx_trim(s);
	return w.len && fw_str_starts(h->args, FW_STR("<-"));
}

static bool right_of_cpu(struct fw_str s, struct tx_head *h)
{
	struct fw_str w = next_word(&s);

	h->common_flags = -1;
	if (!is_stamp(w, h)) {
		if (!w.len || w.len > FLAGS_MAX)
			return false;
		h->common_flags = flags_of(w);
		if (!is_stamp(next_word(&s), h))
			return false;
	}
	return function_of(s, h);
}

bool tx_head(struct fw_str line, struct tx_head *h)
{
	size_t at = 0;

	while (at < line.len) {
		const char *open = memchr(line.p + at, '[', line.len - at);
		size_t start, end;

		if (!open)
			return false;
		start = (size_t)(open - line.p) + 1;
		for (end = start; end < line.len && is_digit(line.p[end]);)
			end++;
		at = start;
		if (end == start || end >= line.len || line.p[end] != ']')
			continue;
		if (!left_of_cpu(line, start - 1, h) ||
		    !id_of((struct fw_str){ line.p + start, end - start }, &h->cpu) ||
		    h->cpu >= TX_CPUS)
			continue;
		if (right_of_cpu((struct fw_str){ line.p + end + 1, line.len - end - 1 }, h))
			return true;
	}
	return false;
}
