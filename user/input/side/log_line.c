// SPDX-License-Identifier: GPL-2.0-or-later
/* log_line - the head of a line of logcat, in any format */
#include "input/side/logcat.h"

#include <time.h>

#include "base/mem.h"

#define NS INT64_C(1000000000)
/* Seconds since 1970 of a device that logs, and since boot of any: three years. */
#define EPOCH_FROM 100000000

struct scan {
	struct fw_str s;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_level(char c)
{
	return c && memchr("VDIWEFS", c, 7);
}

static char at(const struct scan *p, size_t i)
{
	return i < p->s.len ? p->s.p[i] : '\0';
}

static void skip(struct scan *p, size_t n)
{
	n = FW_MIN(n, p->s.len);
	p->s.p += n;
	p->s.len -= n;
}

static void skip_blanks(struct scan *p)
{
	while (at(p, 0) == ' ' || at(p, 0) == '\t')
		skip(p, 1);
}

static bool take(struct scan *p, char c)
{
	if (at(p, 0) != c || !p->s.len)
		return false;
	skip(p, 1);
	return true;
}

/* Digits, at least @min of them and at most @max. */
static bool take_digits(struct scan *p, size_t min, size_t max, int64_t *v)
{
	struct fw_str s = { p->s.p, 0 };

	while (s.len < max && is_digit(at(p, s.len)))
		s.len++;
	if (s.len < min || !fw_str_int(s, v))
		return false;
	skip(p, s.len);
	return true;
}

static bool take_id(struct scan *p, int32_t *id)
{
	int64_t v;

	if (!take_digits(p, 1, 10, &v) || v > INT32_MAX)
		return false;
	*id = (int32_t)v;
	return true;
}

/* Digits behind the point, as ns. */
static bool take_fraction(struct scan *p, int64_t *ns)
{
	size_t before = p->s.len;

	if (!take(p, '.') || !take_digits(p, 3, 9, ns))
		return false;
	for (size_t n = before - p->s.len - 1; n < 9; n++)
		*ns *= 10;
	return true;
}

/* "+0800", seconds. */
static bool take_zone(struct scan *p, int64_t *seconds)
{
	struct scan q = *p;
	int64_t hhmm;
	bool minus;

	skip_blanks(&q);
	minus = at(&q, 0) == '-';
	if ((!minus && at(&q, 0) != '+') || !is_digit(at(&q, 1)))
		return false;
	skip(&q, 1);
	if (!take_digits(&q, 4, 4, &hhmm) || is_digit(at(&q, 0)))
		return false;
	*seconds = (hhmm / 100 * 60 + hhmm % 100) * 60 * (minus ? -1 : 1);
	*p = q;
	return true;
}

static bool take_date(struct scan *p, struct tm *tm, bool *has_year)
{
	int64_t v;

	*has_year = is_digit(at(p, 2)) && at(p, 4) == '-';
	if (*has_year) {
		if (!take_digits(p, 4, 4, &v) || !take(p, '-'))
			return false;
		tm->tm_year = (int)v - 1900;
	}
	if (!take_digits(p, 2, 2, &v) || !take(p, '-') || v < 1 || v > 12)
		return false;
	tm->tm_mon = (int)v - 1;
	if (!take_digits(p, 2, 2, &v) || v < 1 || v > 31)
		return false;
	tm->tm_mday = (int)v;
	return true;
}

static bool take_clock(struct scan *p, struct tm *tm, int64_t *ns)
{
	int64_t h, m, s;

	if (!take_digits(p, 2, 2, &h) || !take(p, ':') || !take_digits(p, 2, 2, &m) ||
	    !take(p, ':') || !take_digits(p, 2, 2, &s) || !take_fraction(p, ns))
		return false;
	tm->tm_hour = (int)h;
	tm->tm_min = (int)m;
	tm->tm_sec = (int)s;
	return h < 24 && m < 60 && s <= 60;
}

/* "[YYYY-]MM-DD HH:MM:SS.mmm[ +hhmm]" */
static bool take_wall(struct scan *p, struct fw_log_line *l)
{
	struct tm tm = { 0 };
	struct scan q = *p;
	int64_t ns, zone, s;
	bool has_year;

	if (!take_date(&q, &tm, &has_year) || !take(&q, ' '))
		return false;
	skip_blanks(&q);
	if (!take_clock(&q, &tm, &ns))
		return false;
	l->clock = FW_LOG_LOCAL;
	if (take_zone(&q, &zone) && has_year) {
		s = (int64_t)timegm(&tm) - zone;
		/* The years that ns since 1970 reach. */
		if (s >= 0 && s < INT64_MAX / NS) {
			l->clock = FW_LOG_REALTIME;
			l->ns = s * NS + ns;
		}
	}
	l->when = fw_str_trim((struct fw_str){ p->s.p, (size_t)(q.s.p - p->s.p) });
	*p = q;
	return true;
}

/* "1700000000.123" or "  12345.678": since 1970, or since boot. */
static bool take_seconds(struct scan *p, struct fw_log_line *l)
{
	struct scan q = *p;
	int64_t s, ns;

	skip_blanks(&q);
	if (!take_digits(&q, 1, 10, &s) || !take_fraction(&q, &ns) || at(&q, 0) != ' ')
		return false;
	/* Below 2262, where ns since 1970 end. */
	if (s > INT64_MAX / NS - 1)
		return false;
	l->clock = s >= EPOCH_FROM ? FW_LOG_REALTIME : FW_LOG_MONOTONIC;
	l->ns = s * NS + ns;
	l->when = fw_str_trim((struct fw_str){ p->s.p, (size_t)(q.s.p - p->s.p) });
	*p = q;
	return true;
}

/* A user's number or name ("u0_a123"), and the blanks behind it. */
static bool take_user(struct scan *p)
{
	size_t n = 0;

	while (at(p, n) && at(p, n) != ' ' && at(p, n) != ':' && at(p, n) != ')')
		n++;
	if (!n)
		return false;
	skip(p, n);
	return true;
}

/* "PID TID L TAG : message" behind the time, perhaps with a user before it. */
static bool threadtime(struct scan p, struct fw_log_line *l, bool user)
{
	const char *colon;

	skip_blanks(&p);
	if (user && !take_user(&p))
		return false;
	skip_blanks(&p);
	if (!take_id(&p, &l->pid) || at(&p, 0) != ' ')
		return false;
	skip_blanks(&p);
	if (!take_id(&p, &l->tid) || !take(&p, ' ') || !is_level(at(&p, 0)) || at(&p, 1) != ' ')
		return false;
	skip(&p, 2);
	colon = memmem(p.s.p, p.s.len, ": ", 2);
	if (!colon && p.s.len && p.s.p[p.s.len - 1] == ':')
		colon = p.s.p + p.s.len - 1;
	if (!colon)
		return false;
	l->tag = fw_str_trim((struct fw_str){ p.s.p, (size_t)(colon - p.s.p) });
	skip(&p, l->tag.len);
	skip(&p, (size_t)(colon - p.s.p) + 2);
	l->message = p.s;
	return true;
}

/* "PID-TID TAG PACKAGE L message", as Android Studio copies it. */
static bool studio(struct scan p, struct fw_log_line *l)
{
	struct fw_str word;

	skip_blanks(&p);
	if (!take_id(&p, &l->pid) || !take(&p, '-') || !take_id(&p, &l->tid) || !take(&p, ' '))
		return false;
	skip_blanks(&p);
	l->tag = (struct fw_str){ p.s.p, 0 };
	for (int words = 0; words < 3; words++) {
		word = (struct fw_str){ p.s.p, 0 };
		while (word.len < p.s.len && p.s.p[word.len] != ' ')
			word.len++;
		if (!word.len)
			return false;
		if (words == 0)
			l->tag = word;
		skip(&p, word.len);
		skip_blanks(&p);
	}
	l->message = p.s;
	return word.len == 1 && is_level(word.p[0]);
}

/* "(PID)", "(USER:PID)", "(PID:TID)", "(USER:PID:TID)": the numbers in it, -1 for a user's name. */
static bool parenthesis(struct scan *p, int32_t ids[3], int *n)
{
	struct scan q = *p;

	*n = 0;
	if (!take(&q, '('))
		return false;
	do {
		skip_blanks(&q);
		ids[*n] = -1;
		if (!take_id(&q, &ids[*n]) && (*n || !take_user(&q)))
			return false;
	} while (++*n < 3 && take(&q, ':'));
	if (!take(&q, ')'))
		return false;
	*p = q;
	return true;
}

/* "L/TAG: message" and "L/TAG( PID): message" */
static bool slash(struct scan p, struct fw_log_line *l)
{
	size_t n = 2;
	int32_t ids[3];
	int count;

	if (!is_level(at(&p, 0)) || at(&p, 1) != '/')
		return false;
	while (at(&p, n) && at(&p, n) != '(' && at(&p, n) != ':')
		n++;
	l->tag = fw_str_trim((struct fw_str){ p.s.p + 2, n - 2 });
	skip(&p, n);
	if (parenthesis(&p, ids, &count))
		l->pid = ids[count - 1];
	if (!take(&p, ':'))
		return false;
	take(&p, ' ');
	l->message = p.s;
	return true;
}

/* "L( PID) message  (TAG)" and "L( PID: TID) message" */
static bool no_slash(struct scan p, struct fw_log_line *l)
{
	int32_t ids[3];
	const char *open;
	int count;

	if (!is_level(at(&p, 0)))
		return false;
	skip(&p, 1);
	if (!parenthesis(&p, ids, &count) || !take(&p, ' '))
		return false;
	l->message = p.s;
	open = p.s.len ? memrchr(p.s.p, '(', p.s.len) : NULL;
	if (open && open >= p.s.p + 2 && open[-1] == ' ' && open[-2] == ' ' &&
	    p.s.p[p.s.len - 1] == ')') {
		size_t start = (size_t)(open - p.s.p);

		l->tag = (struct fw_str){ open + 1, p.s.len - start - 2 };
		l->message = fw_str_trim((struct fw_str){ p.s.p, start });
		l->pid = ids[count - 1];
		return true;
	}
	l->pid = ids[count == 3];
	l->tid = count > 1 ? ids[count - 1] : -1;
	return true;
}

/* "[ TIME  [USER:] PID: TID L/TAG ]" */
static bool long_head(struct scan p, struct fw_log_line *l)
{
	int32_t ids[3];
	int n = 0;

	if (!take(&p, '[') || !take(&p, ' ') || (!take_wall(&p, l) && !take_seconds(&p, l)))
		return false;
	for (; n < 3; n++) {
		skip_blanks(&p);
		if (is_level(at(&p, 0)) && at(&p, 1) == '/')
			break;
		ids[n] = -1;
		if (!take_id(&p, &ids[n]) && !take_user(&p))
			return false;
		take(&p, ':');
	}
	skip_blanks(&p);
	if (n < 2 || !is_level(at(&p, 0)) || at(&p, 1) != '/' || p.s.p[p.s.len - 1] != ']')
		return false;
	l->pid = ids[n - 2];
	l->tid = ids[n - 1];
	skip(&p, 2);
	l->tag = fw_str_trim((struct fw_str){ p.s.p, p.s.len - 1 });
	l->is_head = true;
	return true;
}

/* Modifier color: "\e[38;5;75m" before a line, "\e[0m" behind. */
static struct fw_str without_colour(struct fw_str s)
{
	const char *end;

	while (s.len && s.p[0] == 0x1b && (end = memchr(s.p, 'm', FW_MIN(s.len, (size_t)16)))) {
		s.len -= (size_t)(end - s.p) + 1;
		s.p = end + 1;
	}
	end = s.len ? memrchr(s.p, 0x1b, s.len) : NULL;
	if (end && s.p[s.len - 1] == 'm' && end + 1 < s.p + s.len && end[1] == '[')
		s.len = (size_t)(end - s.p);
	return s;
}

bool fw_log_parse(struct fw_str line, struct fw_log_line *l)
{
	struct scan p = { without_colour(line) };
	const struct fw_log_line none = { .pid = -1, .tid = -1 };
	struct fw_log_line timed = none;

	*l = none;
	if (long_head(p, l))
		return true;
	if (take_wall(&p, &timed) || take_seconds(&p, &timed)) {
		*l = timed;
		if (threadtime(p, l, false))
			return true;
		*l = timed;
		if (threadtime(p, l, true))
			return true;
		*l = timed;
		if (studio(p, l))
			return true;
		skip_blanks(&p);
	}
	*l = timed;
	if (slash(p, l))
		return true;
	*l = timed;
	return no_slash(p, l);
}
