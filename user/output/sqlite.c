// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/sqlite.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#ifdef FW_NO_SQLITE

int fw_sqlite_open(const char *path, struct fw_sqlite **out)
{
	*out = NULL;
	return fw_fail(ENOTSUP, "--format sqlite: this framewait was built without SQLite; write "
				"csv, or report the recording on another machine");
}

struct fw_sink *fw_sqlite_sink(struct fw_sqlite *s, enum fw_frame_table t)
{
	return NULL;
}

int fw_sqlite_close(struct fw_sqlite *s, int err)
{
	return err;
}

#else

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"

/* "fwdb", for file(1). */
#define APPLICATION_ID 0x66776462

struct table_sink {
	struct fw_sink sink;
	struct fw_sqlite *s;
	sqlite3_stmt *insert;
	int n_columns;
};

struct fw_sqlite {
	sqlite3 *db;
	char *path;
	struct table_sink tables[FW_FRAME_TABLES];
};

static int failed(struct fw_sqlite *s)
{
	int code = sqlite3_errcode(s->db);

	return fw_fail(code == SQLITE_FULL ? ENOSPC : EIO, "%s: cannot write: %s", s->path,
		       sqlite3_errmsg(s->db));
}

static int run_sql(struct fw_sqlite *s, const char *sql)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(s);
}

static int prepare(struct fw_sqlite *s, const char *sql, sqlite3_stmt **out)
{
	return sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : failed(s);
}

static int step(struct fw_sqlite *s, sqlite3_stmt *stmt)
{
	int ret = sqlite3_step(stmt);

	if (ret != SQLITE_DONE)
		return failed(s);
	return sqlite3_reset(stmt) == SQLITE_OK ? 0 : failed(s);
}

/*
 * No type at all for FW_UINT: with INTEGER what is above 2^63 - 1 would become a REAL and lose
 * digits.
 */
static const char *sql_type(const struct fw_column *c)
{
	switch (c->type) {
	case FW_INT:
		return " INTEGER";
	case FW_MS:
	case FW_REAL:
		return " REAL";
	case FW_TEXT:
		return " TEXT";
	case FW_UINT:
	case FW_NULL:
		break;
	}
	return "";
}

/* Where @name stands in the table, -1: it has no such column. */
static int column_of(const struct fw_table *t, const char *name)
{
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, name))
			return i;
	return -1;
}

static bool refers_to_frames(const struct fw_table *t)
{
	return t != fw_frame_table(FW_FRAMES) && column_of(t, "role") >= 0;
}

static int create_table(struct fw_sqlite *s, const struct fw_table *t)
{
	sqlite3_str *sql = sqlite3_str_new(s->db);
	char *text;
	int err;

	sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" (", t->name);
	if (t == fw_frame_table(FW_FRAMES))
		sqlite3_str_appendall(sql, "frame_id INTEGER PRIMARY KEY, ");
	else if (refers_to_frames(t))
		sqlite3_str_appendall(sql, "frame_id INTEGER REFERENCES frames(frame_id), ");
	for (int i = 0; i < t->n_columns; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"%s", i ? ", " : "", t->columns[i].name,
				    sql_type(&t->columns[i]));
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	err = run_sql(s, text);
	sqlite3_free(text);
	return err;
}

/* The frame that a row of threads or intervals belongs to; of several none is it. */
static void append_frame_of(sqlite3_str *sql, const struct fw_table *t)
{
	static const char *const key[] = { "actual_start_ns", "kind",	       "pid",
					   "layer",	      "surface_token", "display_token" };

	sqlite3_str_appendall(
		sql, "(SELECT CASE count(*) WHEN 1 THEN max(frame_id) END FROM frames WHERE ");
	for (size_t i = 0; i < ARRAY_SIZE(key); i++)
		sqlite3_str_appendf(sql, "%s\"%w\" IS ?%d", i ? " AND " : "", key[i],
				    column_of(t, key[i]) + 1);
	sqlite3_str_appendall(sql, "), ");
}

static int prepare_insert(struct table_sink *ts, const struct fw_table *t)
{
	sqlite3_str *sql = sqlite3_str_new(ts->s->db);
	char *text;
	int err;

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES (", t->name);
	if (t == fw_frame_table(FW_FRAMES))
		sqlite3_str_appendall(sql, "NULL, ");
	else if (refers_to_frames(t))
		append_frame_of(sql, t);
	for (int i = 0; i < t->n_columns; i++)
		sqlite3_str_appendf(sql, "%s?%d", i ? ", " : "", i + 1);
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	err = prepare(ts->s, text, &ts->insert);
	sqlite3_free(text);
	return err;
}

static int table_begin(struct fw_sink *sink, const struct fw_table *t)
{
	struct table_sink *ts = (struct table_sink *)sink;

	ts->n_columns = t->n_columns;
	return prepare_insert(ts, t);
}

static int bind_text(sqlite3_stmt *stmt, int i, struct fw_str text)
{
	char *buf;
	struct fw_str s = fw_utf8_clean(text, &buf);
	int ret = sqlite3_bind_text64(stmt, i, s.p, s.len, SQLITE_TRANSIENT, SQLITE_UTF8);

	free(buf);
	return ret;
}

static int bind_uint(sqlite3_stmt *stmt, int i, uint64_t u)
{
	char text[24];

	if (u <= INT64_MAX)
		return sqlite3_bind_int64(stmt, i, (int64_t)u);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)u);
	return sqlite3_bind_text(stmt, i, text, -1, SQLITE_TRANSIENT);
}

static int bind_cell(sqlite3_stmt *stmt, int i, const struct fw_cell *c)
{
	switch (c->type) {
	case FW_INT:
		return sqlite3_bind_int64(stmt, i, c->i);
	case FW_UINT:
		return bind_uint(stmt, i, c->u);
	case FW_MS:
		return sqlite3_bind_double(stmt, i, (double)c->i / 1e6);
	case FW_REAL:
		return isfinite(c->d) ? sqlite3_bind_double(stmt, i, c->d)
				      : sqlite3_bind_null(stmt, i);
	case FW_TEXT:
		return bind_text(stmt, i, c->s);
	case FW_NULL:
		break;
	}
	return sqlite3_bind_null(stmt, i);
}

static int table_row(struct fw_sink *sink, const struct fw_cell *cells)
{
	struct table_sink *ts = (struct table_sink *)sink;

	for (int i = 0; i < ts->n_columns; i++)
		if (bind_cell(ts->insert, i + 1, &cells[i]) != SQLITE_OK)
			return failed(ts->s);
	return step(ts->s, ts->insert);
}

static int table_end(struct fw_sink *sink)
{
	struct table_sink *ts = (struct table_sink *)sink;
	int ret = sqlite3_finalize(ts->insert);

	ts->insert = NULL;
	return ret == SQLITE_OK ? 0 : failed(ts->s);
}

struct fw_sink *fw_sqlite_sink(struct fw_sqlite *s, enum fw_frame_table t)
{
	return &s->tables[t].sink;
}

static int create_tables(struct fw_sqlite *s)
{
	char pragmas[128];
	int err = 0;

	/* The file has no name of its own until it is whole: nothing is there to roll back to. */
	snprintf(pragmas, sizeof(pragmas),
		 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
		 "PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN",
		 APPLICATION_ID, FW_SCHEMA_VERSION);
	err = run_sql(s, pragmas);
	for (int t = 0; t < FW_FRAME_TABLES && !err; t++)
		err = create_table(s, fw_frame_table(t));
	return err ? err : run_sql(s, "CREATE INDEX frames_start ON frames(actual_start_ns, pid)");
}

int fw_sqlite_open(const char *path, struct fw_sqlite **out)
{
	struct fw_sqlite *s = fw_zalloc(sizeof(*s));
	int err = 0, fd;

	*out = NULL;
	s->path = fw_strdup(path);
	for (int t = 0; t < FW_FRAME_TABLES; t++) {
		s->tables[t].sink = (struct fw_sink){ .begin = table_begin,
						      .row = table_row,
						      .end = table_end };
		s->tables[t].s = s;
	}
	/* SQLite would follow a link, or take what is there. */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		err = fw_fail(errno, "%s: cannot create: %s", path, strerror(errno));
	else if (close(fd) ||
		 sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		err = fw_fail(EIO, "%s: cannot create: %s", path, sqlite3_errmsg(s->db));
	if (!err)
		err = create_tables(s);
	if (err)
		return fw_sqlite_close(s, err);
	*out = s;
	return 0;
}

static int document(struct fw_sqlite *s)
{
	sqlite3_stmt *insert = NULL;
	int err = run_sql(s, "CREATE TABLE columns (\"table\" TEXT NOT NULL, \"column\" TEXT NOT "
			     "NULL, schema INTEGER NOT NULL, unit TEXT NOT NULL, meaning TEXT NOT "
			     "NULL, source TEXT NOT NULL, \"empty\" TEXT, "
			     "PRIMARY KEY (\"table\", \"column\"))");

	if (!err)
		err = prepare(s, "INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?, ?)", &insert);
	for (int t = 0; t < FW_FRAME_TABLES && !err; t++) {
		const struct fw_table *table = fw_frame_table(t);

		for (int i = 0; i < table->n_columns && !err; i++) {
			const struct fw_column *c = &table->columns[i];

			sqlite3_bind_text(insert, 1, table->name, -1, SQLITE_STATIC);
			sqlite3_bind_text(insert, 2, c->name, -1, SQLITE_STATIC);
			sqlite3_bind_int(insert, 3, FW_SCHEMA_VERSION);
			sqlite3_bind_text(insert, 4, c->unit, -1, SQLITE_STATIC);
			sqlite3_bind_text(insert, 5, c->meaning, -1, SQLITE_STATIC);
			sqlite3_bind_text(insert, 6, c->source, -1, SQLITE_STATIC);
			sqlite3_bind_text(insert, 7, c->empty, -1, SQLITE_STATIC);
			err = step(s, insert);
		}
	}
	sqlite3_finalize(insert);
	return err;
}

int fw_sqlite_close(struct fw_sqlite *s, int err)
{
	if (!err)
		err = document(s);
	for (int i = 0; fw_sqlite_views[i] && !err; i++)
		err = run_sql(s, fw_sqlite_views[i]);
	if (!err)
		err = run_sql(s, "COMMIT");
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		sqlite3_finalize(s->tables[t].insert);
	if (sqlite3_close(s->db) != SQLITE_OK && !err)
		err = fw_fail(EIO, "%s: cannot write: %s", s->path, sqlite3_errmsg(s->db));
	free(s->path);
	free(s);
	return err;
}

#endif
