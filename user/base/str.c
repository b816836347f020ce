// SPDX-License-Identifier: GPL-2.0-or-later
/* str - borrowed and interned strings */
#include "base/str.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

int fw_str_cmp(struct fw_str a, struct fw_str b)
{
	size_t n = FW_MIN(a.len, b.len);
	int c;

	if (!a.p || !b.p)
		return !!a.p - !!b.p;
	c = n ? memcmp(a.p, b.p, n) : 0;
	if (c)
		return c;
	return (a.len > b.len) - (a.len < b.len);
}

bool fw_str_glob(struct fw_str s, const char *pattern)
{
	char *z;
	bool hit;

	if (!s.p)
		return false;
	z = fw_zalloc(s.len + 1);
	memcpy(z, s.p, s.len);
	hit = !fnmatch(pattern, z, FNM_NOESCAPE);
	free(z);
	return hit;
}

bool fw_str_uint(struct fw_str s, uint64_t *out)
{
	uint64_t v = 0;

	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned int d = (unsigned char)s.p[i] - '0';

		if (d > 9 || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*out = v;
	return true;
}

bool fw_str_int(struct fw_str s, int64_t *out)
{
	bool sign = s.len && (s.p[0] == '-' || s.p[0] == '+'), neg = sign && s.p[0] == '-';
	uint64_t v;

	if (!s.len || !fw_str_uint((struct fw_str){ s.p + sign, s.len - sign }, &v) ||
	    v > (uint64_t)INT64_MAX + neg)
		return false;
	*out = neg ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

bool fw_str_ms(struct fw_str s, int64_t *ns)
{
	const char *dot = s.len ? memchr(s.p, '.', s.len) : NULL;
	struct fw_str whole = { s.p, dot ? (size_t)(dot - s.p) : s.len };
	int64_t ms, frac = 0, unit = 100000;

	if (!fw_str_int(whole, &ms) || __builtin_mul_overflow(ms, INT64_C(1000000), ns))
		return false;
	for (const char *p = dot ? dot + 1 : s.p + s.len; p < s.p + s.len; p++, unit /= 10) {
		if (*p < '0' || *p > '9' || !unit)
			return false;
		frac += (*p - '0') * unit;
	}
	return !__builtin_add_overflow(*ns, *s.p == '-' ? -frac : frac, ns);
}

bool fw_str_real(struct fw_str s, double *out)
{
	char buf[64], *end;

	/* strtod() also takes blanks, hexadecimal, inf and nan. No locale is ever set. */
	if (!s.len || s.len >= sizeof(buf))
		return false;
	memcpy(buf, s.p, s.len);
	buf[s.len] = 0;
	if (strspn(buf, "+-.0123456789eE") != s.len)
		return false;
	*out = strtod(buf, &end);
	return end == buf + s.len && isfinite(*out);
}

#define CHUNK (64 << 10)

struct chunk {
	struct chunk *next;
	size_t used, cap;
	char bytes[];
};

struct fw_names {
	struct fw_str *strs; /* by id; 0 is absent */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing, 0 is free */
	uint32_t n_slots;
	struct chunk *chunks;
};

struct fw_names *fw_names_new(void)
{
	struct fw_names *n = fw_zalloc(sizeof(*n));

	fw_grow(n->strs, n->n, n->cap);
	n->strs[n->n++] = FW_STR_NONE;
	n->n_slots = 256;
	n->slots = fw_calloc(n->n_slots, sizeof(*n->slots));
	return n;
}

void fw_names_free(struct fw_names *n)
{
	struct chunk *c, *next;

	if (!n)
		return;
	for (c = n->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(n->strs);
	free(n->slots);
	free(n);
}

static char *names_store(struct fw_names *n, struct fw_str s)
{
	struct chunk *c = n->chunks;
	char *p;

	if (!c || c->cap - c->used < s.len) {
		size_t cap = FW_MAX((size_t)CHUNK, s.len);

		c = fw_zalloc(sizeof(*c) + cap);
		c->cap = cap;
		c->next = n->chunks;
		n->chunks = c;
	}
	p = c->bytes + c->used;
	if (s.len)
		memcpy(p, s.p, s.len);
	c->used += s.len;
	return p;
}

static uint32_t *names_slot(const struct fw_names *n, struct fw_str s)
{
	uint32_t mask = n->n_slots - 1;
	uint32_t i = fw_hash_bytes(s.p, s.len) & mask;

	while (n->slots[i] && !fw_str_eq(n->strs[n->slots[i]], s))
		i = (i + 1) & mask;
	return &n->slots[i];
}

static void names_rehash(struct fw_names *n)
{
	uint32_t id;

	free(n->slots);
	n->n_slots *= 2;
	n->slots = fw_calloc(n->n_slots, sizeof(*n->slots));
	for (id = 1; id < n->n; id++)
		*names_slot(n, n->strs[id]) = id;
}

bool fw_names_find(const struct fw_names *n, struct fw_str s, uint32_t *id)
{
	*id = s.p ? *names_slot(n, s) : 0;
	return *id || !s.p;
}

uint32_t fw_names_id(struct fw_names *n, struct fw_str s)
{
	uint32_t *slot;

	if (!s.p)
		return 0;
	slot = names_slot(n, s);
	if (*slot)
		return *slot;
	fw_grow(n->strs, n->n, n->cap);
	n->strs[n->n] = (struct fw_str){ names_store(n, s), s.len };
	*slot = n->n++;
	if (n->n * 2 > n->n_slots)
		names_rehash(n);
	return n->n - 1;
}

struct fw_str fw_names_str(const struct fw_names *n, uint32_t id)
{
	return id < n->n ? n->strs[id] : FW_STR_NONE;
}
