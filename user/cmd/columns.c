// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/partition.h"
#include "frame/columns.h"
#include "frame/verdict.h"
#include "metrics/compare.h"
#include "metrics/stat_rows.h"
#include "output/format.h"
#include "output/json_schema.h"
#include "table/side_tables.h"
#include "table/table.h"

enum { OPT_CANDIDATES = 256 };

static const struct fw_option options[] = {
	{ "candidates", OPT_CANDIDATES, NULL,
	  .help = "the rules of the frames' candidate column instead", .group = "Options:" },
	{ "format", 'f', "F",
	  .help = "csv (default), tsv, json, jsonl; json-schema: a JSON Schema of what report -f "
		  "json prints of the table",
	  .values = FW_VALUES_FORMATS " json-schema" },
	FW_OPTIONS_END,
};

struct columns_cmd {
	int format;
	bool candidates, json_schema;
};

static const struct fw_column meta_columns[] = {
	{ "table", "text", FW_TEXT, "table that has the column", "the program", NULL },
	{ "kind", "text", FW_TEXT,
	  "frame: a file of report -o, and report --table; trace: any other report --table, with "
	  "--trace-processor-compat where the name is a frame table's too; dump: what report "
	  "prints of a dump; command: what another command prints, and runs.csv of report "
	  "--partition",
	  "the program", NULL },
	{ "schema", "count", FW_INT, "version of the columns", "the program", NULL },
	{ "column", "text", FW_TEXT, "name as in the header", "the program", NULL },
	{ "unit", "text", FW_TEXT, "unit of the values", "the program", NULL },
	{ "meaning", "text", FW_TEXT, "what the value says", "the program", NULL },
	{ "source", "text", FW_TEXT, "what the value is made of", "the program", NULL },
	{ "empty", "text", FW_TEXT, "when the cell is empty", "the program",
	  "the cell is never empty" },
};

static const struct fw_table meta = { .name = "columns",
				      .what = "a column of a table",
				      .columns = meta_columns,
				      .n_columns = ARRAY_SIZE(meta_columns) };

static const struct fw_column rule_columns[] = {
	{ "candidate", "text", FW_TEXT, "name of the rule", "the program", NULL },
	{ "when", "text", FW_TEXT, "what must hold", "the program", NULL },
	{ "time", "text", FW_TEXT, "what it explains of the overrun", "the program", NULL },
	{ "evidence", "text", FW_TEXT,
	  "columns of the frames table that are listed; * stands for ui_ and render_, or sf_, re_ "
	  "and hwc_",
	  "the program", NULL },
	{ "source", "text", FW_TEXT, "what the rule looks at", "the program", NULL },
};

static const struct fw_table rules = { .name = "candidates",
				       .what = "a rule of the candidate column",
				       .columns = rule_columns,
				       .n_columns = ARRAY_SIZE(rule_columns) };

static const struct fw_table *const commands[] = {
	&fw_run_table, &fw_stat_table, &fw_metric_table, &fw_compare_table, &fw_inspect_table,
	&meta,	       &rules
};

/* The table that report --table prints under that name, but for trace_processor's own rows. */
static const struct fw_table *find_table(const char *name)
{
	enum fw_side_kind kind = fw_side_table_find(name);
	const struct fw_table *t = fw_frame_table_find(name);

	if (!t && kind)
		t = fw_side_table(kind);
	for (size_t i = 0; !t && fw_table_at(i); i++)
		if (!strcmp(fw_table_at(i)->name, name))
			t = fw_table_at(i);
	for (size_t i = 0; !t && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i]->name, name))
			t = commands[i];
	return t;
}

static int emit_table(struct fw_sink *s, const struct fw_table *t, const char *kind)
{
	int err = 0;

	for (int i = 0; i < t->n_columns && !err; i++) {
		const struct fw_column *c = &t->columns[i];
		struct fw_cell cells[ARRAY_SIZE(meta_columns)] = {
			fw_text(fw_str(t->name)),   fw_text(fw_str(kind)),
			fw_int(FW_SCHEMA_VERSION),  fw_text(fw_str(c->name)),
			fw_text(fw_str(c->unit)),   fw_text(fw_str(c->meaning)),
			fw_text(fw_str(c->source)), fw_text(fw_str(c->empty)),
		};

		err = s->row(s, cells);
	}
	return err;
}

/* All tables, or the one of that name. */
static int emit(struct fw_sink *s, const char *name)
{
	int err = s->begin(s, &meta);

	for (int t = 0; t < FW_FRAME_TABLES && !err; t++) {
		const struct fw_table *table = fw_frame_table(t);

		if (!name || !strcmp(name, table->name))
			err = emit_table(s, table, "frame");
	}
	for (int k = FW_SIDE_NONE + 1; fw_side_table(k) && !err; k++)
		if (!name || !strcmp(name, fw_side_table(k)->name))
			err = emit_table(s, fw_side_table(k), "dump");
	for (size_t i = 0; fw_table_at(i) && !err; i++) {
		const struct fw_table *table = fw_table_at(i);

		if (!name || !strcmp(name, table->name))
			err = emit_table(s, table, "trace");
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands) && !err; i++)
		if (!name || !strcmp(name, commands[i]->name))
			err = emit_table(s, commands[i], "command");
	return err ? err : s->end(s);
}

static int emit_rules(struct fw_sink *s)
{
	int err = s->begin(s, &rules);

	for (int v = 0; v < FW_VERDICTS && !err; v++) {
		const struct fw_verdict_rule *r = fw_verdict_rule(v);
		struct fw_cell cells[ARRAY_SIZE(rule_columns)] = {
			fw_text(fw_str(r->name)),   fw_text(fw_str(r->when)),
			fw_text(fw_str(r->time)),   fw_text(fw_str(r->evidence)),
			fw_text(fw_str(r->source)),
		};

		err = s->row(s, cells);
	}
	return err ? err : s->end(s);
}

static int parse_option(void *ctx, int c)
{
	struct columns_cmd *m = ctx;

	if (c == OPT_CANDIDATES) {
		m->candidates = true;
		return FW_EXIT_OK;
	}
	m->json_schema = !strcmp(optarg, "json-schema");
	m->format = fw_format_find(optarg);
	if (m->format < 0 && !m->json_schema)
		return fw_usage("columns", "--format %s: no such format; one of %s, json-schema",
				optarg, fw_format_names());
	return FW_EXIT_OK;
}

static int print(const struct columns_cmd *m, const char *name)
{
	struct fw_sink *s = NULL;
	struct fw_writer w;
	int err = 0, e;

	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	if (m->json_schema) {
		fw_json_schema(&w, find_table(name));
	} else {
		s = fw_format_sink(m->format, &w);
		err = m->candidates ? emit_rules(s) : emit(s, name);
	}
	e = fw_writer_close(&w);
	fw_format_sink_free(s);
	return err ? err : e;
}

static int run(int argc, char **argv)
{
	struct columns_cmd m = { .format = FW_FORMAT_CSV };
	const char *name;
	int err, status;

	if (!fw_options(&fw_command_columns, argc, argv, parse_option, &m, &status))
		return status;
	if (argc - optind > 1)
		return fw_usage("columns", "%s: one table at a time", argv[optind + 1]);
	name = argv[optind];
	if (name && m.candidates)
		return fw_usage("columns", "%s: --candidates takes no table", name);
	if (name && !find_table(name))
		return fw_usage("columns", "%s: no such table", name);
	if (!name && m.json_schema)
		return fw_usage("columns", "--format json-schema: of which table?");
	err = print(&m, name);
	return err ? fw_failed(err) : FW_EXIT_OK;
}

const struct fw_command fw_command_columns = {
	.name = "columns",
	.args = "[TABLE]",
	.what = "every column: name, unit, meaning, source, when empty",
	.usage = "[TABLE] [OPTION...]",
	.about = "Every column of the tables of report and of what other commands print: name, "
		 "unit, meaning, source, and when it is empty.",
	.options = options,
	.words = FW_VALUES_TABLES,
	.run = run,
	.examples = "  $ framewait columns frames\n"
		    "  $ framewait columns -f json\n"
		    "  $ framewait columns frames -f json-schema\n",
};
