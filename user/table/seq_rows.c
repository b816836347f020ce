// SPDX-License-Identifier: GPL-2.0-or-later
/* seq_rows - rows with an unseen number that orders equal ones */
#include "table/seq_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct fw_seq_rows {
	const struct fw_table *seen;
	struct fw_table table; /* with one more column */
	struct fw_column *columns;
	int *order;
	struct fw_rows *rows;
	struct fw_cell *cells;
	struct fw_sink sink; /* what fw_rows writes to */
	struct fw_sink *to;
};

struct fw_seq_rows *fw_seq_rows_new(const struct fw_table *t)
{
	struct fw_seq_rows *r = fw_zalloc(sizeof(*r));
	int n = t->n_columns, keys = 0;

	while (t->order && t->order[keys] >= 0)
		keys++;
	r->seen = t;
	r->columns = fw_calloc((size_t)n + 1, sizeof(*r->columns));
	memcpy(r->columns, t->columns, (size_t)n * sizeof(*r->columns));
	r->columns[n] = (struct fw_column){ .name = "seq", .unit = "id", .type = FW_INT };
	r->order = fw_calloc((size_t)keys + 2, sizeof(*r->order));
	if (keys)
		memcpy(r->order, t->order, (size_t)keys * sizeof(*r->order));
	r->order[keys] = n;
	r->order[keys + 1] = -1;
	r->table = *t;
	r->table.columns = r->columns;
	r->table.n_columns = n + 1;
	r->table.order = r->order;
	r->cells = fw_calloc((size_t)n + 1, sizeof(*r->cells));
	r->rows = fw_rows_new(&r->table);
	return r;
}

void fw_seq_rows_free(struct fw_seq_rows *r)
{
	if (!r)
		return;
	fw_rows_free(r->rows);
	free(r->cells);
	free(r->order);
	free(r->columns);
	free(r);
}

int fw_seq_rows_add(struct fw_seq_rows *r, const struct fw_cell *cells, uint64_t seq)
{
	int n = r->seen->n_columns;

	memcpy(r->cells, cells, (size_t)n * sizeof(*cells));
	r->cells[n] = fw_int((int64_t)seq);
	return fw_rows_add(r->rows, r->cells);
}

static struct fw_seq_rows *of_sink(struct fw_sink *s)
{
	return (struct fw_seq_rows *)((char *)s - offsetof(struct fw_seq_rows, sink));
}

static int pass_begin(struct fw_sink *s, const struct fw_table *t)
{
	struct fw_seq_rows *r = of_sink(s);

	return r->to->begin(r->to, r->seen);
}

static int pass_row(struct fw_sink *s, const struct fw_cell *cells)
{
	struct fw_seq_rows *r = of_sink(s);

	return r->to->row(r->to, cells);
}

static int pass_end(struct fw_sink *s)
{
	struct fw_seq_rows *r = of_sink(s);

	return r->to->end(r->to);
}

int fw_seq_rows_emit(struct fw_seq_rows *r, struct fw_sink *sink)
{
	r->sink = (struct fw_sink){ .begin = pass_begin, .row = pass_row, .end = pass_end };
	r->to = sink;
	return fw_rows_emit(r->rows, &r->sink, false);
}
