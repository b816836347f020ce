// SPDX-License-Identifier: GPL-2.0-or-later
/* side_tables - framestats, latency */
#include "table/side_tables.h"

#include <string.h>

#include "base/mem.h"
#include "input/side/framestats.h"
#include "input/side/latency.h"

#define STATS "dumpsys gfxinfo framestats"
#define LATENCY "dumpsys SurfaceFlinger --latency"

enum {
	F_PROCESS,
	F_PID,
	F_WINDOW,
	F_BLOCK,
	F_FIELDS,
	F_TOTAL = F_FIELDS + FW_FS_FIELDS,
	F_DEADLINE_DELTA,
	F_FLAGGED,
	F_STALE,
	F_OTHER,
	F_LINE,
	F_COLUMNS
};

#define UNIT_PLAIN "id"
#define UNIT_ID "id"
#define UNIT_TIME "ns"
#define UNIT_SPAN "ns"
#define EMPTY_PLAIN "the release does not print it"
#define EMPTY_ID "the release does not print it, or there is none"
#define EMPTY_TIME "the release does not print it, or it has not come"
#define EMPTY_SPAN "the release does not print it, or it was not measured"

static const struct fw_column framestats_columns[F_COLUMNS] = {
	[F_PROCESS] = { "process", "text", FW_TEXT, "process of the window", STATS,
			"the dump does not name it" },
	[F_PID] = { "pid", "id", FW_INT, "its pid", STATS, "the dump does not say" },
	[F_WINDOW] = { "window", "text", FW_TEXT, "window that was drawn", STATS,
		       "the dump does not name it" },
	[F_BLOCK] = { "block", "id", FW_INT, "which PROFILEDATA block of the file, from 1", STATS,
		      NULL },
#define X(field, name, kind, column, what)                                                         \
	[F_FIELDS + FW_FS_##                                                                       \
		field] = { #column, UNIT_##kind, FW_INT, name ": " what, STATS, EMPTY_##kind },
	FW_FRAMESTATS_LIST(X)
#undef X
		[F_TOTAL] = { "total_ms", "ms", FW_MS, "from IntendedVsync to FrameCompleted",
			      STATS, "one of the two is empty" },
	[F_DEADLINE_DELTA] = { "deadline_delta_ms", "ms", FW_MS,
			       "FrameCompleted less FrameDeadline: above 0 it was missed", STATS,
			       "one of the two is empty" },
	[F_FLAGGED] = { "flagged", "bool", FW_INT,
			"1: Flags is not 0, the frame says nothing of speed", STATS,
			"the release does not print Flags" },
	[F_STALE] = { "stale_present", "bool", FW_INT,
		      "1: DisplayPresentTime was one of an earlier frame and is left out", STATS,
		      NULL },
	[F_OTHER] = { "other", "text", FW_TEXT, "columns of unknown names, as Name=value", STATS,
		      "all were known" },
	[F_LINE] = { "line", "id", FW_INT, "line of the file", STATS, NULL },
};

enum {
	L_LAYER,
	L_TABLE,
	L_REFRESH,
	L_STATUS,
	L_DESIRED,
	L_ACTUAL,
	L_READY,
	L_LATE,
	L_READY_TO_PRESENT,
	L_SINCE_LAST,
	L_LINE,
	L_COLUMNS
};

static const struct fw_column latency_columns[L_COLUMNS] = {
	[L_LAYER] = { "layer", "text", FW_TEXT,
		      "name above the table, without RequestedLayerState{}", LATENCY,
		      "no text stands above the table" },
	[L_TABLE] = { "table_number", "id", FW_INT, "which table of the file, from 1", LATENCY,
		      NULL },
	[L_REFRESH] = { "refresh_ms", "ms", FW_MS, "refresh period", LATENCY, "not printed" },
	[L_STATUS] = { "status", "text", FW_TEXT,
		       "presented; pending: its present or ready fence has not signalled; "
		       "no-frames: stands for a table without a frame",
		       LATENCY, NULL },
	[L_DESIRED] = { "desired_present_ns", "ns", FW_INT, "when it should have been shown",
			LATENCY, "not said; no-frames" },
	[L_ACTUAL] = { "actual_present_ns", "ns", FW_INT, "when it was", LATENCY,
		       "pending; no-frames" },
	[L_READY] = { "frame_ready_ns", "ns", FW_INT, "when its buffer was ready", LATENCY,
		      "pending; no-frames" },
	[L_LATE] = { "present_delta_ms", "ms", FW_MS, "actual less desired present", LATENCY,
		     "one of the two is empty" },
	[L_READY_TO_PRESENT] = { "ready_to_present_ms", "ms", FW_MS,
				 "from the buffer's being ready to its present", LATENCY,
				 "one of the two is empty" },
	[L_SINCE_LAST] = { "present_interval_ms", "ms", FW_MS,
			   "from the present of the row before to this one", LATENCY,
			   "first row of a table, or one of the two is empty" },
	[L_LINE] = { "line", "id", FW_INT, "line of the file", LATENCY, NULL },
};

static const struct fw_table tables[] = {
	[FW_SIDE_FRAMESTATS] = { "framestats", "one frame of a dump of gfxinfo framestats",
				 framestats_columns, F_COLUMNS, NULL },
	[FW_SIDE_LATENCY] = { "latency", "one frame of a dump of SurfaceFlinger --latency",
			      latency_columns, L_COLUMNS, NULL },
};

const struct fw_table *fw_side_table(enum fw_side_kind kind)
{
	return kind != FW_SIDE_NONE && (size_t)kind < ARRAY_SIZE(tables) ? &tables[kind] : NULL;
}

enum fw_side_kind fw_side_table_find(const char *name)
{
	for (int k = FW_SIDE_NONE + 1; fw_side_table(k); k++)
		if (!strcmp(name, tables[k].name))
			return k;
	return FW_SIDE_NONE;
}

/* @a - @b where both are known; the dump's times are positive. */
static struct fw_cell difference(int64_t a, int64_t b, int64_t unknown)
{
	return fw_ms_if(a != unknown && b != unknown, a != unknown && b != unknown ? a - b : 0);
}

static void framestats_cells(const struct fw_framestats_row *r, struct fw_cell *c)
{
	const int64_t *v = r->value;

	memset(c, 0, F_COLUMNS * sizeof(*c));
	c[F_PROCESS] = fw_text(r->process);
	c[F_PID] = fw_int_if(r->pid >= 0, r->pid);
	c[F_WINDOW] = fw_text(r->window);
	c[F_BLOCK] = fw_int((int64_t)r->block);
	for (int i = 0; i < FW_FS_FIELDS; i++)
		c[F_FIELDS + i] = fw_int_if(v[i] != FW_FS_UNKNOWN, v[i]);
	c[F_TOTAL] = difference(v[FW_FS_COMPLETED], v[FW_FS_INTENDED_VSYNC], FW_FS_UNKNOWN);
	c[F_DEADLINE_DELTA] = difference(v[FW_FS_COMPLETED], v[FW_FS_DEADLINE], FW_FS_UNKNOWN);
	c[F_FLAGGED] = fw_int_if(v[FW_FS_FLAGS] != FW_FS_UNKNOWN, v[FW_FS_FLAGS] != 0);
	c[F_STALE] = fw_int(r->stale_present);
	c[F_OTHER] = fw_text(r->other);
	c[F_LINE] = fw_int((int64_t)r->line);
}

static int run_framestats(struct fw_framestats *f, struct fw_sink *sink)
{
	const struct fw_framestats_row *row;
	struct fw_cell cells[F_COLUMNS];
	int ret = 0, err = sink->begin(sink, &tables[FW_SIDE_FRAMESTATS]);

	while (!err && (ret = fw_framestats_next(f, &row)) > 0) {
		framestats_cells(row, cells);
		err = sink->row(sink, cells);
	}
	err = err ? err : ret;
	return err ? err : sink->end(sink);
}

static void latency_cells(const struct fw_latency_row *r, int64_t last, struct fw_cell *c)
{
	bool pending = r->actual == FW_LATENCY_UNKNOWN || r->ready == FW_LATENCY_UNKNOWN;

	c[L_LAYER] = fw_text(r->layer);
	c[L_TABLE] = fw_int((int64_t)r->table);
	c[L_REFRESH] = fw_ms_if(r->period != FW_LATENCY_UNKNOWN, r->period);
	c[L_STATUS] = fw_text(r->no_frames ? FW_STR("no-frames")
			      : pending	   ? FW_STR("pending")
					   : FW_STR("presented"));
	c[L_DESIRED] = fw_int_if(r->desired != FW_LATENCY_UNKNOWN, r->desired);
	c[L_ACTUAL] = fw_int_if(r->actual != FW_LATENCY_UNKNOWN, r->actual);
	c[L_READY] = fw_int_if(r->ready != FW_LATENCY_UNKNOWN, r->ready);
	c[L_LATE] = difference(r->actual, r->desired, FW_LATENCY_UNKNOWN);
	c[L_READY_TO_PRESENT] = difference(r->actual, r->ready, FW_LATENCY_UNKNOWN);
	c[L_SINCE_LAST] = difference(r->actual, last, FW_LATENCY_UNKNOWN);
	c[L_LINE] = fw_int((int64_t)r->line);
}

static int run_latency(struct fw_latency *l, struct fw_sink *sink)
{
	const struct fw_latency_row *row;
	struct fw_cell cells[L_COLUMNS];
	int64_t last = FW_LATENCY_UNKNOWN;
	uint64_t table = 0;
	int ret = 0, err = sink->begin(sink, &tables[FW_SIDE_LATENCY]);

	while (!err && (ret = fw_latency_next(l, &row)) > 0) {
		latency_cells(row, row->table == table ? last : FW_LATENCY_UNKNOWN, cells);
		table = row->table;
		last = row->actual;
		err = sink->row(sink, cells);
	}
	err = err ? err : ret;
	return err ? err : sink->end(sink);
}

int fw_side_table_run(enum fw_side_kind kind, struct fw_source *src, struct fw_health *health,
		      struct fw_sink *sink)
{
	struct fw_framestats *f = NULL;
	struct fw_latency *l = NULL;
	int err;

	if (kind == FW_SIDE_FRAMESTATS)
		err = fw_framestats_open(src, health, &f);
	else
		err = fw_latency_open(src, health, &l);
	if (err)
		return err;
	err = f ? run_framestats(f, sink) : run_latency(l, sink);
	fw_framestats_close(f);
	fw_latency_close(l);
	return err;
}
