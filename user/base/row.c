// SPDX-License-Identifier: GPL-2.0-or-later
/* row - rows of tables: comparison, encoding, sorted collection */
#include "base/row.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/sort.h"

#define ROWS_BUDGET (2u << 20)

static int class_of(const struct fw_cell *c)
{
	return c->type == FW_NULL ? 0 : c->type == FW_TEXT ? 2 : 1;
}

/* Beyond what a signed number holds */
static bool is_large(const struct fw_cell *c)
{
	return c->type == FW_UINT && c->u > INT64_MAX;
}

static double as_real(const struct fw_cell *c)
{
	return c->type == FW_REAL ? c->d : c->type == FW_UINT ? (double)c->u : (double)c->i;
}

int fw_cell_cmp(const struct fw_cell *a, const struct fw_cell *b)
{
	int ca = class_of(a), cb = class_of(b);

	if (ca != cb || ca == 0)
		return (ca > cb) - (ca < cb);
	if (ca == 2)
		return fw_str_cmp(a->s, b->s);
	if (a->type == FW_REAL || b->type == FW_REAL) {
		double da = as_real(a), db = as_real(b);

		return (da > db) - (da < db);
	}
	if (is_large(a) || is_large(b))
		return is_large(a) && is_large(b) ? (a->u > b->u) - (a->u < b->u)
						  : is_large(a) - is_large(b);
	return (a->i > b->i) - (a->i < b->i);
}

static int no_begin(struct fw_sink *s, const struct fw_table *t)
{
	return 0;
}

static int no_end(struct fw_sink *s)
{
	return 0;
}

struct fw_sink fw_row_sink(int (*row)(struct fw_sink *s, const struct fw_cell *cells))
{
	return (struct fw_sink){ .begin = no_begin, .row = row, .end = no_end };
}

static int tee_begin(struct fw_sink *s, const struct fw_table *table)
{
	struct fw_tee *t = (struct fw_tee *)s;
	int err = t->to[0]->begin(t->to[0], table);

	return err ? err : t->to[1]->begin(t->to[1], table);
}

static int tee_row(struct fw_sink *s, const struct fw_cell *cells)
{
	struct fw_tee *t = (struct fw_tee *)s;
	int err = t->to[0]->row(t->to[0], cells);

	return err ? err : t->to[1]->row(t->to[1], cells);
}

static int tee_end(struct fw_sink *s)
{
	struct fw_tee *t = (struct fw_tee *)s;
	int err = t->to[0]->end(t->to[0]);

	return err ? err : t->to[1]->end(t->to[1]);
}

struct fw_sink *fw_tee(struct fw_tee *t, struct fw_sink *a, struct fw_sink *b)
{
	*t = (struct fw_tee){ .sink = { .begin = tee_begin, .row = tee_row, .end = tee_end },
			      .to = { a, b } };
	return !a ? b : !b ? a : &t->sink;
}

/* Room for @more bytes. */
static void reserve(struct fw_rowbuf *b, size_t more)
{
	if (b->len + more <= b->cap)
		return;
	b->cap = (b->len + more) * 2;
	b->p = fw_realloc(b->p, b->cap, 1);
}

static void put(struct fw_rowbuf *b, const void *p, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
}

/* A cell's type and number, which there is room for; of a text the number is its length. */
static void put_number(struct fw_rowbuf *b, unsigned char type, int64_t v)
{
	b->p[b->len] = (char)type;
	memcpy(b->p + b->len + 1, &v, sizeof(v));
	b->len += 1 + sizeof(v);
}

static void put_cells(struct fw_rowbuf *b, const struct fw_cell *cells, int n)
{
	const size_t most = 1 + sizeof(int64_t);
	const struct fw_cell *c;

	reserve(b, (size_t)n * most);
	for (c = cells; c < cells + n; c++) {
		if (c->type == FW_NULL) {
			b->p[b->len++] = FW_NULL;
		} else if (c->type != FW_TEXT) {
			put_number(b, (unsigned char)c->type, c->i);
		} else {
			put_number(b, FW_TEXT, (int64_t)c->s.len);
			put(b, c->s.p, c->s.len);
			reserve(b, (size_t)(cells + n - c) * most);
		}
	}
}

void fw_row_encode(struct fw_rowbuf *b, const struct fw_cell *cells, int n)
{
	b->len = 0;
	put_cells(b, cells, n);
}

static const char *get_cell(const char *p, const char *end, struct fw_cell *c)
{
	uint64_t len;

	if (p == end)
		return NULL;
	c->type = (unsigned char)*p++;
	if (c->type == FW_NULL)
		return p;
	if (end - p < 8)
		return NULL;
	if (c->type != FW_TEXT) {
		memcpy(&c->i, p, 8);
		return p + 8;
	}
	memcpy(&len, p, 8);
	p += 8;
	if ((uint64_t)(end - p) < len)
		return NULL;
	c->s = (struct fw_str){ p, len };
	return p + len;
}

static const char *decode(const char *p, const char *end, struct fw_cell *cells, int n)
{
	int i;

	for (i = 0; p && i < n; i++)
		p = get_cell(p, end, &cells[i]);
	return p;
}

int fw_row_decode(const void *rec, size_t len, struct fw_cell *cells, int n)
{
	return decode(rec, (const char *)rec + len, cells, n) ? 0 : -EINVAL;
}

/*
 * A record of fw_rows is its length, the cells that order it, then all cells: comparing looks at
 * the first few only.
 */
struct rec_head {
	uint64_t len;
};

struct queued {
	uint64_t number;
	size_t len;
	char *rec;
};

struct fw_rows {
	const struct fw_table *table;
	int n_keys;
	struct fw_sort *sort; /* NULL: a queue */
	struct queued *heap;
	size_t n, cap;
	uint64_t n_added;
	struct fw_rowbuf buf;
	struct fw_cell *cells;
};

static int cmp_rows(const void *a, const void *b, const void *ctx)
{
	const struct fw_rows *r = ctx;
	const struct rec_head *ha = a, *hb = b;
	const char *pa = (const char *)(ha + 1), *pb = (const char *)(hb + 1);
	struct fw_cell ca, cb;
	int i, c;

	for (i = 0; i < r->n_keys; i++) {
		pa = get_cell(pa, (const char *)a + ha->len, &ca);
		pb = get_cell(pb, (const char *)b + hb->len, &cb);
		if (!pa || !pb)
			return 0;
		c = fw_cell_cmp(&ca, &cb);
		if (c)
			return c;
	}
	return 0;
}

struct fw_rows *fw_rows_new_queue(const struct fw_table *t)
{
	struct fw_rows *r = fw_zalloc(sizeof(*r));

	r->table = t;
	while (t->order && t->order[r->n_keys] >= 0)
		r->n_keys++;
	r->cells = fw_calloc(t->n_columns, sizeof(*r->cells));
	return r;
}

struct fw_rows *fw_rows_new(const struct fw_table *t)
{
	struct fw_rows *r = fw_rows_new_queue(t);

	r->sort = fw_sort_new(ROWS_BUDGET, cmp_rows, r);
	return r;
}

void fw_rows_free(struct fw_rows *r)
{
	if (!r)
		return;
	fw_sort_free(r->sort);
	for (size_t i = 0; i < r->n; i++)
		free(r->heap[i].rec);
	free(r->heap);
	free(r->cells);
	free(r->buf.p);
	free(r);
}

static bool before(const struct fw_rows *r, const struct queued *a, const struct queued *b)
{
	int c = cmp_rows(a->rec, b->rec, r);

	return c ? c < 0 : a->number < b->number;
}

static void push(struct fw_rows *r)
{
	struct queued q = { r->n_added++, r->buf.len, fw_memdup(r->buf.p, r->buf.len) };
	size_t i;

	fw_grow(r->heap, r->n, r->cap);
	for (i = r->n++; i && before(r, &q, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		r->heap[i] = r->heap[(i - 1) / 2];
	r->heap[i] = q;
}

static struct queued pop(struct fw_rows *r)
{
	struct queued top = r->heap[0], last = r->heap[--r->n];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < r->n; i = child) {
		if (child + 1 < r->n && before(r, &r->heap[child + 1], &r->heap[child]))
			child++;
		if (!before(r, &r->heap[child], &last))
			break;
		r->heap[i] = r->heap[child];
	}
	r->heap[i] = last;
	return top;
}

int fw_rows_add(struct fw_rows *r, const struct fw_cell *cells)
{
	struct rec_head head = { 0 };
	int i;

	r->buf.len = 0;
	put(&r->buf, &head, sizeof(head));
	for (i = 0; i < r->n_keys; i++)
		put_cells(&r->buf, &cells[r->table->order[i]], 1);
	put_cells(&r->buf, cells, r->table->n_columns);
	head.len = r->buf.len;
	memcpy(r->buf.p, &head, sizeof(head));
	if (r->sort)
		return fw_sort_add(r->sort, r->buf.p, r->buf.len);
	push(r);
	return 0;
}

static int emit_one(struct fw_rows *r, struct fw_sink *sink, const void *rec, size_t len)
{
	const char *p = (const char *)rec + sizeof(struct rec_head);
	const char *end = (const char *)rec + len;
	int i;

	for (i = 0; p && i < r->n_keys; i++)
		p = get_cell(p, end, &r->cells[0]);
	if (!p || !decode(p, end, r->cells, r->table->n_columns))
		return fw_fail(EIO, "table %s: a row in the temporary file is damaged",
			       r->table->name);
	return sink->row(sink, r->cells);
}

int fw_rows_take(struct fw_rows *r, struct fw_sink *sink, int64_t below)
{
	int err = 0;

	while (r->n && !err) {
		const char *rec = r->heap[0].rec;
		struct fw_cell first;
		struct queued q;

		if (!get_cell(rec + sizeof(struct rec_head), rec + r->heap[0].len, &first) ||
		    (first.type != FW_NULL && first.i >= below))
			break;
		q = pop(r);
		err = emit_one(r, sink, q.rec, q.len);
		free(q.rec);
	}
	return err;
}

int fw_rows_emit(struct fw_rows *r, struct fw_sink *sink, bool distinct)
{
	struct fw_rowbuf last = { 0 };
	const void *rec;
	size_t len;
	int err, more = 0;

	err = sink->begin(sink, r->table);
	while (!err && (more = fw_sort_next(r->sort, &rec, &len)) > 0) {
		if (distinct && last.len == len && !memcmp(last.p, rec, len))
			continue;
		if (distinct) {
			last.len = 0;
			put(&last, rec, len);
		}
		err = emit_one(r, sink, rec, len);
	}
	free(last.p);
	if (!err)
		err = more;
	return err ? err : sink->end(sink);
}
