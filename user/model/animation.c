// SPDX-License-Identifier: GPL-2.0-or-later
/* animation - the sections of AnimatorTracer and FolmeTracer */
#include "model/animation.h"

#include "base/mem.h"

static const struct fw_str prefixes[] = { { "Anim", 4 }, { "Folme", 5 } };

const char *fw_animation_source_name(enum fw_animation_source s)
{
	return prefixes[s].p;
}

static struct fw_str skip(struct fw_str s, size_t n)
{
	n = FW_MIN(n, s.len);
	return (struct fw_str){ s.p + n, s.len - n };
}

/* The text up to @sep, which is taken off with it; all of it where there is none. */
static struct fw_str take_first(struct fw_str *s, char sep)
{
	const char *at = s->len ? memchr(s->p, sep, s->len) : NULL;
	struct fw_str first = { s->p, at ? (size_t)(at - s->p) : s->len };

	*s = skip(*s, first.len + 1);
	return first;
}

/* The text behind the last @sep, which is taken off with it; absent where there is none. */
static struct fw_str take_last(struct fw_str *s, char sep)
{
	const char *at = s->len ? memrchr(s->p, sep, s->len) : NULL;
	struct fw_str last;

	if (!at)
		return FW_STR_NONE;
	last = skip(*s, (size_t)(at - s->p) + 1);
	s->len = (size_t)(at - s->p);
	return last;
}

static struct fw_str or_absent(struct fw_str s)
{
	return s.len ? s : FW_STR_NONE;
}

static bool ends_in(struct fw_str s, struct fw_str end)
{
	return s.len >= end.len && !memcmp(s.p + s.len - end.len, end.p, end.len);
}

/* "300ms" */
static bool to_ns(struct fw_str s, int64_t *ns)
{
	int64_t ms;

	if (!ends_in(s, FW_STR("ms")))
		return false;
	s.len -= 2;
	return fw_str_int(s, &ms) && ms >= 0 && !__builtin_mul_overflow(ms, INT64_C(1000000), ns);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Take "+N" off the end: so many properties are not written out. */
static uint32_t take_more(struct fw_str *s)
{
	struct fw_str digits;
	size_t i = s->len;
	int64_t n;

	while (i && is_digit(s->p[i - 1]))
		i--;
	digits = skip(*s, i);
	/* 1e+5 is a value. */
	if (!i || s->p[i - 1] != '+' || (i > 1 && (s->p[i - 2] | 0x20) == 'e') ||
	    !fw_str_int(digits, &n) || n < 0 || n > 100000)
		return 0;
	s->len = i - 1;
	while (s->len &&
	       (s->p[s->len - 1] == ',' || s->p[s->len - 1] == ' ' || s->p[s->len - 1] == ';'))
		s->len--;
	return (uint32_t)n;
}

/* "alpha:0.0->1.0,x:1->2,+3"; a comma within parentheses is none. */
static void read_properties(struct fw_animation *a, struct fw_str s)
{
	struct fw_str first = s;
	const char *arrow;
	int depth = 0;

	if (!s.len)
		return;
	a->n_properties = take_more(&s);
	a->properties = or_absent(s);
	if (!s.len)
		return;
	a->n_properties++;
	first.len = s.len;
	for (size_t i = 0; i < s.len; i++) {
		depth += (s.p[i] == '(' || s.p[i] == '[') - (s.p[i] == ')' || s.p[i] == ']');
		if (depth > 0 || (s.p[i] != ',' && s.p[i] != ';'))
			continue;
		first.len = FW_MIN(first.len, i);
		a->n_properties += i + 1 < s.len;
	}
	a->property = or_absent(take_first(&first, ':'));
	arrow = first.len ? memmem(first.p, first.len, "->", 2) : NULL;
	if (!arrow)
		return;
	a->from = or_absent((struct fw_str){ first.p, (size_t)(arrow - first.p) });
	a->to = or_absent(skip(first, (size_t)(arrow - first.p) + 2));
}

/*
 * "target|properties": a target may hold the separator itself, above all where that is a blank.
 * Properties are what stands behind the last '|', or begin with the first word that has a ':' or
 * an arrow.
 */
static void read_middle(struct fw_animation *a, struct fw_str s, char sep)
{
	struct fw_str target = s, properties;

	if (sep == '|') {
		properties = take_last(&target, sep);
		a->target = or_absent(target);
		read_properties(a, properties);
		return;
	}
	for (size_t i = 0, word = 0; i <= s.len; i++) {
		if (i < s.len && s.p[i] == ' ') {
			word = i + 1;
		} else if (i < s.len && word &&
			   (s.p[i] == ':' ||
			    !memcmp(s.p + i, "->", FW_MIN((size_t)2, s.len - i)))) {
			a->target = or_absent((struct fw_str){ s.p, word - 1 });
			read_properties(a, skip(s, word));
			return;
		}
	}
	properties = take_last(&target, sep);
	a->target = or_absent(target);
	read_properties(a, properties);
}

/* "ease(0.9,0.3)"; with blanks between the fields the ease is the word before the parenthesis. */
static void read_ease(struct fw_animation *a, struct fw_str s)
{
	const char *open = s.len ? memchr(s.p, '(', s.len) : NULL;
	struct fw_str factors;

	a->ease = or_absent(s);
	if (!open)
		return;
	a->ease = or_absent((struct fw_str){ s.p, (size_t)(open - s.p) });
	factors = skip(s, (size_t)(open - s.p) + 1);
	if (factors.len && factors.p[factors.len - 1] == ')')
		factors.len--;
	a->factors = or_absent(factors);
}

/* What is behind the type, of a name that is whole. */
static void read_whole(struct fw_animation *a, struct fw_str s, char sep)
{
	struct fw_str last = s;

	if (a->source == FW_ANIM) {
		struct fw_str span = take_last(&last, sep);

		if (to_ns(span, &a->planned_ns) || sep == '|')
			s = last;
		a->ease = or_absent(take_last(&s, sep));
	} else if (sep == ' ' && s.len && s.p[s.len - 1] == ')' && memrchr(s.p, '(', s.len)) {
		struct fw_str before = { s.p,
					 (size_t)((const char *)memrchr(s.p, '(', s.len) - s.p) };
		size_t at;

		take_last(&before, sep);
		at = FW_MIN(before.len + 1, s.len);
		read_ease(a, skip(s, at));
		s.len = before.len;
	} else {
		read_ease(a, take_last(&s, sep));
	}
	read_middle(a, s, sep);
}

/* The same of a name that was cut: fields as far as there are any, the last one not whole. */
static void read_cut(struct fw_animation *a, struct fw_str s, char sep)
{
	struct fw_str rest = s;

	a->target = or_absent(take_first(&rest, sep));
	read_properties(a, take_first(&rest, sep));
	if (a->source == FW_ANIM)
		a->ease = or_absent(take_first(&rest, sep));
	else if (rest.len)
		read_ease(a, rest);
}

/* Is it the prefix and a separator? Returns the separator, or 0. */
static char separator_of(struct fw_str s, enum fw_animation_source source)
{
	struct fw_str prefix = prefixes[source];

	if (s.len <= prefix.len || !fw_str_starts(s, prefix))
		return 0;
	return s.p[prefix.len] == '|' || s.p[prefix.len] == ' ' ? s.p[prefix.len] : 0;
}

bool fw_animation_parse(struct fw_str name, struct fw_animation *a)
{
	char sep = separator_of(name, FW_ANIM);
	struct fw_str s;

	*a = (struct fw_animation){ .source = FW_ANIM, .planned_ns = FW_ANIMATION_UNKNOWN };
	if (!sep) {
		a->source = FW_FOLME;
		sep = separator_of(name, FW_FOLME);
	}
	if (!sep)
		return false;
	s = skip(name, prefixes[a->source].len + 1);
	a->cut = ends_in(s, FW_STR("...")) || ends_in(s, FW_STR("\xe2\x80\xa6"));
	a->id = take_first(&s, sep);
	if (!a->id.len || (a->cut && !s.len))
		return false;
	a->type = or_absent(take_first(&s, sep));
	if (a->source == FW_ANIM && !fw_str_eq(a->type, FW_STR("Obj")) &&
	    !fw_str_eq(a->type, FW_STR("Val")) && !(a->cut && !s.len))
		return false;
	if (a->cut)
		read_cut(a, s, sep);
	else
		read_whole(a, s, sep);
	return true;
}

static bool is_section(struct fw_str name)
{
	return separator_of(name, FW_ANIM) || separator_of(name, FW_FOLME);
}

int fw_animation_mark(struct fw_str text, struct fw_animation_mark *m)
{
	struct fw_str s = text, cookie, name;
	char phase = s.len > 2 && s.p[1] == '|' ? s.p[0] : 0;
	int64_t pid;

	if (phase != 'S' && phase != 'F' && phase != 'G' && phase != 'H')
		return 0;
	while (s.len && (s.p[s.len - 1] == '\n' || s.p[s.len - 1] == '\0'))
		s.len--;
	s = skip(s, 2);
	*m = (struct fw_animation_mark){ .begin = phase == 'S' || phase == 'G' };
	name = take_first(&s, '|');
	if (!fw_str_int(name, &pid) || pid < 0 || pid > INT32_MAX)
		return is_section(s) ? -1 : 0;
	m->pid = (int32_t)pid;
	if (phase == 'G' || phase == 'H')
		m->track = take_first(&s, '|');
	if (phase != 'H' && !is_section(s))
		return 0;
	name = s;
	cookie = take_last(&name, '|');
	/* H|pid|track|cookie */
	if (phase == 'H' && !cookie.p)
		cookie = s;
	else
		m->name = name;
	if (m->name.p && !is_section(m->name))
		return 0;
	return fw_str_int(cookie, &m->cookie) ? 1 : m->name.p ? -1 : 0;
}
