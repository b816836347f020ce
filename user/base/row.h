/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_ROW_H
#define FW_BASE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Rows of a table, from whoever computes them to whoever writes them. A cell that is FW_NULL is
 * "not known" and prints as nothing; it is never 0.
 */
enum fw_cell_type { FW_NULL, FW_INT, FW_REAL, FW_TEXT, FW_MS, FW_UINT };

struct fw_cell {
	enum fw_cell_type type;
	union {
		uint64_t u; /* FW_UINT: numbers of the kernel that use all 64 bits */
		int64_t i; /* FW_INT; FW_MS: nanoseconds, printed as ms with six decimals, exactly */
		double d;
		struct fw_str s;
	};
};

static inline struct fw_cell fw_null(void)
{
	return (struct fw_cell){ .type = FW_NULL };
}

static inline struct fw_cell fw_int(int64_t i)
{
	return (struct fw_cell){ .type = FW_INT, .i = i };
}

static inline struct fw_cell fw_uint(uint64_t u)
{
	return (struct fw_cell){ .type = FW_UINT, .u = u };
}

static inline struct fw_cell fw_ms(int64_t ns)
{
	return (struct fw_cell){ .type = FW_MS, .i = ns };
}

static inline struct fw_cell fw_real(double d)
{
	return (struct fw_cell){ .type = FW_REAL, .d = d };
}

/* Absent text (s.p == NULL) is FW_NULL; an empty string is text. */
static inline struct fw_cell fw_text(struct fw_str s)
{
	return s.p ? (struct fw_cell){ .type = FW_TEXT, .s = s } : fw_null();
}

static inline struct fw_cell fw_int_if(bool known, int64_t i)
{
	return known ? fw_int(i) : fw_null();
}

static inline struct fw_cell fw_ms_if(bool known, int64_t ns)
{
	return known ? fw_ms(ns) : fw_null();
}

/**
 * struct fw_column - one column, the single place of its definition
 * @name: as in the header; a duration's name ends in its unit (_ns, _ms)
 * @unit: ns, ms, kHz, bytes, count, percent, text, bool, id
 * @type: what its cells are when they are not empty (FW_INT, FW_MS, ...)
 * @meaning: one sentence
 * @source: the events that it is made of
 * @empty: when the cell is empty; NULL when never
 */
struct fw_column {
	const char *name;
	const char *unit;
	enum fw_cell_type type;
	const char *meaning;
	const char *source;
	const char *empty;
};

/**
 * struct fw_table - a table's name and columns
 * @order: column indices, the sort order of the rows, ended by -1; NULL: rows come in order.
 *	NULL cells first, numbers before text, text by its bytes.
 */
struct fw_table {
	const char *name;
	const char *what; /* one sentence: what a row is */
	const struct fw_column *columns;
	int n_columns;
	const int *order;
};

/**
 * struct fw_sink - where rows go
 * @begin: called once before the rows
 * @row: one row of table->n_columns cells; texts are borrowed
 * @end: called once after them, also for a table without rows; flushes
 * Each returns 0 or a negative errno with fw_fail() set.
 */
struct fw_sink {
	int (*begin)(struct fw_sink *s, const struct fw_table *t);
	int (*row)(struct fw_sink *s, const struct fw_cell *cells);
	int (*end)(struct fw_sink *s);
};

/* A sink that takes rows only: nothing happens before and after them. */
struct fw_sink fw_row_sink(int (*row)(struct fw_sink *s, const struct fw_cell *cells));

/**
 * struct fw_tee - a sink whose rows go to two others
 */
struct fw_tee {
	struct fw_sink sink;
	struct fw_sink *to[2];
};

/* @a and @b may be NULL. Return: the sink to give rows to: @t's own, or the one that is not NULL. */
struct fw_sink *fw_tee(struct fw_tee *t, struct fw_sink *a, struct fw_sink *b);

/**
 * struct fw_rows - rows collected in any number, sorted by the table's order when emitted
 */
struct fw_rows;

struct fw_rows *fw_rows_new(const struct fw_table *t);
void fw_rows_free(struct fw_rows *r);
int fw_rows_add(struct fw_rows *r, const struct fw_cell *cells);
/* begin, all rows in order, end; drops adjacent equal rows when @distinct. */
int fw_rows_emit(struct fw_rows *r, struct fw_sink *sink, bool distinct);

/*
 * The same rows while more of them come: those whose first key is below @below, in the order of
 * fw_rows_emit(), no begin and no end. What is taken so is kept in memory until then.
 */
struct fw_rows *fw_rows_new_queue(const struct fw_table *t);
int fw_rows_take(struct fw_rows *r, struct fw_sink *sink, int64_t below);

/* Order of two cells as SQL has it: NULL, numbers, text by bytes. */
int fw_cell_cmp(const struct fw_cell *a, const struct fw_cell *b);

/*
 * A row as bytes, for sorters of one's own. fw_row_encode() returns an internal buffer valid until
 * the next call; fw_row_decode() fills @cells with texts that borrow from @rec.
 */
struct fw_rowbuf {
	char *p;
	size_t len, cap;
};
void fw_row_encode(struct fw_rowbuf *b, const struct fw_cell *cells, int n);
int fw_row_decode(const void *rec, size_t len, struct fw_cell *cells, int n);

#endif
