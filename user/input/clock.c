// SPDX-License-Identifier: GPL-2.0-or-later
/* clock - times of one clock on the axis of another */
#include "input/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#define CLK_BOOTTIME 6
#define CLK_TRACE_FILE 11
#define MAX_HOPS 4
#define MAX_CLOCKS 32 /* of one snapshot */

/* The properties of a clock that must not change, and where an incremental one stands. */
struct clock_info {
	uint64_t key;
	uint64_t unit_ns;
	bool incremental;
	bool backwards; /* went backwards: no source any more */
	int64_t last_ns;
	uint32_t newest; /* the last series that has it */
};

struct series {
	size_t n_clocks;
	uint32_t clocks[MAX_CLOCKS]; /* indices of clock_info */
	int64_t *ns; /* n_rows x n_clocks */
	uint32_t *serial; /* of each row */
	size_t n_rows, rows_cap;
};

struct hop {
	uint32_t series;
	uint32_t from, to; /* columns */
};

struct path {
	bool valid;
	uint32_t src, limit, snapshots;
	int n;
	struct hop hops[MAX_HOPS];
};

struct fw_clock {
	struct clock_info *info;
	uint32_t n_info, info_cap;
	struct fw_map by_key; /* to index of info */
	struct series *series;
	uint32_t n_series, series_cap;
	struct fw_map by_clocks; /* hash of a series' keys to its index; the last of equal hashes */
	uint32_t n_snapshots;
	uint64_t trace_key;
	bool trace_fixed;
	struct path path; /* the last one looked for */
};

struct fw_clock *fw_clock_new(void)
{
	struct fw_clock *c = fw_zalloc(sizeof(*c));

	c->trace_key = CLK_BOOTTIME;
	return c;
}

void fw_clock_free(struct fw_clock *c)
{
	uint32_t i;

	if (!c)
		return;
	for (i = 0; i < c->n_series; i++) {
		free(c->series[i].ns);
		free(c->series[i].serial);
	}
	free(c->series);
	free(c->info);
	fw_map_free(&c->by_key);
	fw_map_free(&c->by_clocks);
	free(c);
}

static int64_t scale(int64_t value, uint64_t unit)
{
	return (int64_t)((uint64_t)value * (unit ? unit : 1));
}

static struct clock_info *find_info(const struct fw_clock *c, uint64_t key)
{
	uint64_t *at = fw_map_get(&c->by_key, key);

	return at ? &c->info[*at] : NULL;
}

static uint32_t info_index(struct fw_clock *c, const struct fw_clock_value *v)
{
	uint64_t *at = fw_map_get(&c->by_key, v->key);

	if (at)
		return (uint32_t)*at;
	fw_grow(c->info, c->n_info, c->info_cap);
	c->info[c->n_info] = (struct clock_info){
		.key = v->key,
		.unit_ns = v->unit_ns,
		.incremental = v->incremental,
	};
	fw_map_set(&c->by_key, v->key, c->n_info);
	return c->n_info++;
}

/* What a snapshot may not do; clock_tracker.cc AddSnapshot. */
static bool values_ok(const struct fw_clock *c, const struct fw_clock_value *v, size_t n)
{
	const struct clock_info *info;
	size_t i, j;

	if (n > MAX_CLOCKS)
		return false;
	for (i = 0; i < n; i++) {
		bool scoped = (uint32_t)v[i].key >= 64 && (uint32_t)v[i].key < 128;

		for (j = 0; j < i; j++) {
			if (v[j].key == v[i].key)
				return false;
		}
		if (v[i].incremental && !scoped)
			return false;
		info = find_info(c, v[i].key);
		if (info &&
		    (info->unit_ns != v[i].unit_ns || info->incremental != v[i].incremental))
			return false;
		if (v[i].key == c->trace_key && v[i].unit_ns > 1)
			return false;
	}
	return true;
}

static bool has_clocks(const struct fw_clock *c, const struct series *s,
		       const struct fw_clock_value *v, size_t n)
{
	size_t k;

	for (k = 0; k < n && s->n_clocks == n; k++) {
		if (c->info[s->clocks[k]].key != v[k].key)
			return false;
	}
	return s->n_clocks == n;
}

static struct series *find_series(struct fw_clock *c, const struct fw_clock_value *v, size_t n)
{
	uint64_t hash = n, *at;
	struct series *s;
	size_t k;

	for (k = 0; k < n; k++)
		hash = fw_hash_u64(hash * 31 + v[k].key);
	at = fw_map_get(&c->by_clocks, hash);
	if (at && has_clocks(c, &c->series[*at], v, n))
		return &c->series[*at];
	fw_grow(c->series, c->n_series, c->series_cap);
	s = &c->series[c->n_series];
	memset(s, 0, sizeof(*s));
	s->n_clocks = n;
	for (k = 0; k < n; k++) {
		s->clocks[k] = info_index(c, &v[k]);
		c->info[s->clocks[k]].newest = c->n_series;
	}
	fw_map_set(&c->by_clocks, hash, c->n_series++);
	return s;
}

int fw_clock_snapshot(struct fw_clock *c, const struct fw_clock_value *v, size_t n)
{
	struct series *s;
	int64_t *last;
	size_t k;

	if (!n || !values_ok(c, v, n))
		return n ? -EINVAL : 0;
	s = find_series(c, v, n);
	last = s->n_rows ? &s->ns[(s->n_rows - 1) * n] : NULL;
	for (k = 0; last && k < n; k++) {
		if (v[k].key == c->trace_key && scale(v[k].value, v[k].unit_ns) < last[k])
			return -EINVAL;
	}
	for (k = 0; last && k < n; k++) {
		if (scale(v[k].value, v[k].unit_ns) < last[k])
			c->info[s->clocks[k]].backwards = true;
	}
	if (s->n_rows == s->rows_cap) {
		s->rows_cap = s->rows_cap ? s->rows_cap * 2 : 16;
		s->ns = fw_realloc(s->ns, s->rows_cap * n, sizeof(*s->ns));
		s->serial = fw_realloc(s->serial, s->rows_cap, sizeof(*s->serial));
	}
	for (k = 0; k < n; k++) {
		s->ns[s->n_rows * n + k] = scale(v[k].value, v[k].unit_ns);
		c->info[s->clocks[k]].last_ns = s->ns[s->n_rows * n + k];
	}
	s->serial[s->n_rows++] = c->n_snapshots++;
	return 0;
}

uint32_t fw_clock_count(const struct fw_clock *c)
{
	return c->n_snapshots;
}

void fw_clock_set_trace(struct fw_clock *c, uint64_t key)
{
	if (!c->trace_fixed)
		c->trace_key = key;
}

uint64_t fw_clock_trace(const struct fw_clock *c)
{
	return c->trace_key;
}

int64_t fw_clock_ns(struct fw_clock *c, uint64_t key, uint64_t value)
{
	struct clock_info *info = find_info(c, key);
	int64_t ns;

	if (!info)
		return (int64_t)value;
	ns = scale((int64_t)value, info->unit_ns);
	if (info->incremental) {
		ns = (int64_t)((uint64_t)ns + (uint64_t)info->last_ns);
		info->last_ns = ns;
	}
	return ns;
}

/* Rows of a series that were known after @limit snapshots; serials ascend. */
static size_t rows_within(const struct series *s, uint32_t limit)
{
	size_t lo = 0, hi = s->n_rows;

	if (limit == FW_CLOCK_ALL)
		return hi;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->serial[mid] < limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct search {
	uint32_t clock; /* index of info */
	int parent; /* in the queue, -1 for the source */
	int depth;
	struct hop hop;
};

/* The column of a clock in a series, or -1. */
static int column(const struct series *s, uint32_t clock)
{
	size_t k;

	for (k = 0; k < s->n_clocks; k++) {
		if (s->clocks[k] == clock)
			return (int)k;
	}
	return -1;
}

/* Breadth first from queue[at]: append the clocks that one more hop reaches, by ascending key. */
static int expand(const struct fw_clock *c, struct search *q, int at, int n, uint8_t *seen,
		  uint32_t limit)
{
	int first = n, i, col;
	uint32_t si;
	size_t k;

	for (si = c->n_series; si-- > 0;) {
		const struct series *s = &c->series[si];

		col = column(s, q[at].clock);
		if (col < 0 || !rows_within(s, limit))
			continue;
		for (k = 0; k < s->n_clocks; k++) {
			if (seen[s->clocks[k]])
				continue;
			seen[s->clocks[k]] = 1;
			for (i = n++;
			     i > first && c->info[q[i - 1].clock].key > c->info[s->clocks[k]].key;
			     i--)
				q[i] = q[i - 1];
			q[i] = (struct search){ .clock = s->clocks[k],
						.parent = at,
						.depth = q[at].depth + 1,
						.hop = { si, (uint32_t)col, (uint32_t)k } };
		}
	}
	return n;
}

/* The usual case, which needs no search: the newest series of the source has the target too. */
static bool direct_path(struct fw_clock *c, uint32_t src, uint32_t dst, uint32_t limit)
{
	const struct series *s = &c->series[c->info[src].newest];
	int from = column(s, src), to = column(s, dst);

	if (from < 0 || to < 0 || c->info[src].backwards || !rows_within(s, limit))
		return false;
	c->path = (struct path){
		.valid = true,
		.src = src,
		.limit = limit,
		.snapshots = c->n_snapshots,
		.n = 1,
		.hops = { { c->info[src].newest, (uint32_t)from, (uint32_t)to } },
	};
	return true;
}

static bool find_path(struct fw_clock *c, uint32_t src, uint32_t dst, uint32_t limit)
{
	struct search *q = fw_calloc(c->n_info + 1, sizeof(*q));
	uint8_t *seen = fw_calloc(c->n_info + 1, 1);
	struct path *p = &c->path;
	int at, n = 1, i;

	*p = (struct path){ .src = src, .limit = limit, .snapshots = c->n_snapshots };
	q[0] = (struct search){ .clock = src, .parent = -1 };
	seen[src] = 1;
	for (at = 0; at < n && q[at].clock != dst; at++) {
		if (q[at].depth < MAX_HOPS && !c->info[q[at].clock].backwards)
			n = expand(c, q, at, n, seen, limit);
	}
	if (at < n) {
		p->valid = true;
		p->n = q[at].depth;
		for (i = p->n; i-- > 0; at = q[at].parent)
			p->hops[i] = q[at].hop;
	}
	free(q);
	free(seen);
	return p->valid;
}

static int64_t take_hop(const struct fw_clock *c, const struct hop *h, int64_t ns, uint32_t limit)
{
	const struct series *s = &c->series[h->series];
	size_t lo = 0, hi = rows_within(s, limit);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->ns[mid * s->n_clocks + h->from] <= ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	lo = lo ? lo - 1 : 0;
	return (int64_t)((uint64_t)ns - (uint64_t)s->ns[lo * s->n_clocks + h->from] +
			 (uint64_t)s->ns[lo * s->n_clocks + h->to]);
}

enum fw_clock_result fw_clock_to_trace(struct fw_clock *c, uint64_t key, int64_t ns, uint32_t limit,
				       int64_t *out)
{
	uint64_t *src, *dst;
	int i;

	c->trace_fixed = true;
	*out = ns;
	if (key == c->trace_key)
		return FW_CLOCK_OK;
	src = fw_map_get(&c->by_key, key);
	/* Without a snapshot that says otherwise the file's own clock is tied to BOOTTIME. */
	if (!src && key == CLK_TRACE_FILE && c->trace_key == CLK_BOOTTIME)
		return FW_CLOCK_OK;
	if (!src)
		return FW_CLOCK_UNKNOWN_SOURCE;
	dst = fw_map_get(&c->by_key, c->trace_key);
	if (!dst)
		return FW_CLOCK_UNKNOWN_TARGET;
	if (!c->path.valid || c->path.src != *src || c->path.limit != limit ||
	    c->path.snapshots != c->n_snapshots) {
		if (!direct_path(c, (uint32_t)*src, (uint32_t)*dst, limit) &&
		    !find_path(c, (uint32_t)*src, (uint32_t)*dst, limit))
			return FW_CLOCK_NO_PATH;
	}
	for (i = 0; i < c->path.n; i++)
		*out = take_hop(c, &c->path.hops[i], *out, limit);
	return FW_CLOCK_OK;
}
