// SPDX-License-Identifier: GPL-2.0-or-later
/* mark - the text of trace marks */
#include "model/mark.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* Reads fields that end at a '|', a NUL or the end. */
struct fields {
	struct fw_str s;
	size_t at;
};

static struct fw_str next_field(struct fields *f)
{
	size_t start = FW_MIN(f->at, f->s.len), i = start;
	struct fw_str res;

	while (i < f->s.len && f->s.p[i] != '|' && f->s.p[i] != '\0')
		i++;
	res = (struct fw_str){ f->s.p + start, i - start };
	f->at = i + 1;
	return res;
}

static struct fw_str rest(const struct fields *f)
{
	size_t at = FW_MIN(f->at, f->s.len);

	return (struct fw_str){ f->s.p + at, f->s.len - at };
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The whole field as a number, as strtoull() reads it: leading blanks, a sign; too large ones end
 * at the largest. */
static bool magnitude(struct fw_str s, bool *negative, uint64_t *out)
{
	size_t i = 0;
	uint64_t v = 0;

	while (i < s.len && is_space(s.p[i]))
		i++;
	*negative = i < s.len && s.p[i] == '-';
	if (i < s.len && (s.p[i] == '-' || s.p[i] == '+'))
		i++;
	if (i == s.len)
		return false;
	for (; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			v = UINT64_MAX / 10 * 10 + 5;
		if (v >= UINT64_MAX / 10 * 10 + 5)
			v = UINT64_MAX;
	}
	*out = v;
	return true;
}

static bool to_u32(struct fw_str s, uint32_t *out)
{
	bool negative;
	uint64_t v;

	if (!magnitude(s, &negative, &v))
		return false;
	*out = (uint32_t)(negative && v != UINT64_MAX ? -v : v);
	return true;
}

static bool to_i64(struct fw_str s, int64_t *out)
{
	bool negative;
	uint64_t v;

	if (!magnitude(s, &negative, &v))
		return false;
	if (negative)
		*out = v > INT64_MAX ? INT64_MIN : -(int64_t)v;
	else
		*out = v > INT64_MAX ? INT64_MAX : (int64_t)v;
	return true;
}

static enum fw_mark_result parse_begin(struct fields *f, struct fw_mark *m, bool has_tgid)
{
	m->name = rest(f);
	if (m->name.len == 0)
		m->name = FW_STR("[empty slice name]");
	return has_tgid ? FW_MARK_OK : FW_MARK_FAILED;
}

/* A name, then for S, F and C a number. */
static enum fw_mark_result parse_named(struct fields *f, struct fw_mark *m, bool has_tgid)
{
	m->name = next_field(f);
	if (!has_tgid || m->name.len == 0)
		return FW_MARK_FAILED;
	if (m->phase != 'I' && !to_i64(next_field(f), &m->value))
		return FW_MARK_FAILED;
	return FW_MARK_OK;
}

static enum fw_mark_result parse_on_track(struct fields *f, struct fw_mark *m, bool has_tgid)
{
	struct fw_str third, fourth;

	m->track = next_field(f);
	third = next_field(f);
	if (!has_tgid || m->track.len == 0)
		return FW_MARK_FAILED;
	if (m->phase == 'H') {
		fourth = next_field(f);
		return to_i64(fourth.len ? fourth : third, &m->value) ? FW_MARK_OK : FW_MARK_FAILED;
	}
	m->name = third;
	if (third.len == 0)
		return FW_MARK_FAILED;
	if (m->phase == 'G' && !to_i64(next_field(f), &m->value))
		return FW_MARK_FAILED;
	return FW_MARK_OK;
}

enum fw_mark_result fw_mark_parse(struct fw_str text, struct fw_mark *m)
{
	struct fields f = { .s = text.p ? text : FW_STR("") };
	struct fw_str phase;
	bool has_tgid;

	memset(m, 0, sizeof(*m));
	while (f.s.len > 0 && (f.s.p[f.s.len - 1] == '\n' || f.s.p[f.s.len - 1] == '\0'))
		f.s.len--;
	phase = next_field(&f);
	if (phase.len == 0)
		return FW_MARK_FAILED;
	m->phase = phase.p[0];
	has_tgid = to_u32(next_field(&f), &m->tgid);
	switch (m->phase) {
	case 'B':
		return parse_begin(&f, m, has_tgid);
	case 'E':
		return FW_MARK_OK;
	case 'S':
	case 'F':
	case 'C':
	case 'I':
		return parse_named(&f, m, has_tgid);
	case 'N':
	case 'G':
	case 'H':
		return parse_on_track(&f, m, has_tgid);
	default:
		return fw_str_starts(f.s, FW_STR("trace_event_clock_sync:")) ? FW_MARK_IGNORED
									     : FW_MARK_FAILED;
	}
}

void fw_mark_reader_free(struct fw_mark_reader *r)
{
	free(r->buf);
	memset(r, 0, sizeof(*r));
}

static bool is_ascii(struct fw_str s)
{
	size_t i;

	for (i = 0; i < s.len; i++) {
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
	}
	return true;
}

/* The text without the bytes that are not UTF-8. */
static struct fw_str clean(struct fw_mark_reader *r, struct fw_str s)
{
	size_t n = 0, len;

	if (is_ascii(s))
		return s;
	if (r->cap < s.len) {
		r->cap = s.len;
		r->buf = fw_realloc(r->buf, r->cap, 1);
	}
	while (s.len > 0) {
		len = fw_utf8_len(s);
		if (len > 0) {
			memcpy(r->buf + n, s.p, len);
			n += len;
		}
		s.p += len ? len : 1;
		s.len -= len ? len : 1;
	}
	return (struct fw_str){ r->buf, n };
}

/*
 * Marks of drivers. Which process a dpu mark names cannot be trusted except in a counter
 * (b/395779936 in Perfetto's words), so it is left out.
 */
static enum fw_mark_result read_vendor(const struct fw_ev_vendor_mark *v, struct fw_mark *m)
{
	memset(m, 0, sizeof(*m));
	if (v->kind == 0 || !strchr("BECISF", v->kind))
		return FW_MARK_FAILED;
	m->phase = v->kind;
	m->tgid = v->vendor == 'd' && v->kind != 'C' ? 0 : (uint32_t)v->tgid;
	m->name = v->name.p ? v->name : FW_STR("");
	m->value = v->kind == 'C' ? v->value : v->cookie;
	return FW_MARK_OK;
}

enum fw_mark_result fw_mark_read(struct fw_mark_reader *r, const struct fw_event *ev,
				 struct fw_mark *m)
{
	if (ev->type == FW_EV_VENDOR_MARK)
		return read_vendor(&ev->vmark, m);
	return fw_mark_parse(clean(r, ev->mark.text), m);
}
