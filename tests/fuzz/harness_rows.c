// SPDX-License-Identifier: GPL-2.0-or-later
#include "harness.h"

#include "base/error.h"
#include "frame/report.h"
#include "input/input.h"
#include "table/side_tables.h"
#include "table/table.h"

struct collector {
	struct fw_sink sink;
	const struct fw_table *table;
	harness_row row;
	void *ctx;
};

static int begin(struct fw_sink *s, const struct fw_table *t)
{
	((struct collector *)s)->table = t;
	return 0;
}

static int row(struct fw_sink *s, const struct fw_cell *cells)
{
	struct collector *c = (struct collector *)s;

	for (int i = 0; i < c->table->n_columns; i++)
		if (cells[i].type == FW_TEXT)
			harness_touch(cells[i].s);
	if (c->row)
		c->row(c->ctx, c->table, cells);
	return 0;
}

static int end(struct fw_sink *s)
{
	return 0;
}

static struct collector collector(harness_row fn, void *ctx)
{
	return (struct collector){ .sink = { begin, row, end }, .row = fn, .ctx = ctx };
}

int harness_report(const char *path, struct fw_health *health, harness_row fn, void *ctx)
{
	struct fw_health *own = health ? NULL : fw_health_new();
	struct fw_roles roles = { { NULL } };
	const struct fw_report_opts opts = { .from_ns = INT64_MIN,
					     .to_ns = INT64_MAX,
					     .roles = &roles };
	struct collector c[FW_FRAME_TABLES];
	struct fw_sink *sinks[FW_FRAME_TABLES];
	struct fw_input *in;
	int err;

	for (int i = 0; i < FW_FRAME_TABLES; i++) {
		c[i] = collector(fn, ctx);
		sinks[i] = &c[i].sink;
	}
	err = fw_input_open(path, health ? health : own, &in);
	if (!err) {
		err = fw_report(in, health ? health : own, &opts, sinks);
		fw_input_close(in);
	}
	fw_fail_clear();
	if (own)
		fw_health_free(own);
	return err;
}

unsigned int harness_n_tables(void)
{
	unsigned int n = 0;

	while (fw_table_at(n))
		n++;
	return 2 * n;
}

void harness_table(const char *path, uint64_t which)
{
	const struct fw_table *t = fw_table_at(which % harness_n_tables() / 2);
	struct fw_health *health = fw_health_new();
	struct collector c = collector(NULL, NULL);
	struct fw_input *in;

	if (!fw_input_open(path, health, &in)) {
		fw_table_run(fw_table_find(t->name), in, health, which & 1, &c.sink);
		fw_input_close(in);
	}
	fw_fail_clear();
	fw_health_free(health);
}

void harness_side(const char *path, enum fw_side_kind kind)
{
	struct fw_health *health = fw_health_new();
	struct collector c = collector(NULL, NULL);
	enum fw_side_kind found;
	struct fw_source *src;

	if (!fw_source_open(path, &src)) {
		fw_side_probe(src, &found);
		fw_side_table_run(kind, src, health, &c.sink);
	}
	fw_fail_clear();
	fw_health_free(health);
}
