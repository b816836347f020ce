/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_REPORT_H
#define FW_CMD_REPORT_H

#include "cmd/frame_options.h"
#include "cmd/gate.h"
#include "input/input.h"
#include "output/file.h"
#include "output/format.h"
#include "table/side_tables.h"
#include "table/table.h"

/* The command line of framewait report. */
struct fw_report_cmd {
	const char *dir;
	const char *table;
	int format; /* -1: summary */
	enum fw_file_format file; /* one file with all tables, @dir */
	bool html; /* a page, to the file @dir */
	const char *columns, *partition;
	struct fw_csv_style csv;
	bool csv_styled;
	bool tp_compat, strict;
	struct fw_gate *gate;
	const char *trace; /* of SurfaceFlinger, beside the capture */
	bool frame_filter; /* an option that only the frame tables know was given */
	struct fw_frame_options frames;
	char **inputs;
	int n_inputs;
};

/*
 * The canned table to print, or NULL. A name that a frame table has too is the frame table's, but
 * for trace_processor's own rows.
 */
const struct fw_table_def *fw_report_canned(const struct fw_report_cmd *r);

/* What is on standard output is the summary, and no rows are written. */
bool fw_report_summarizes(const struct fw_report_cmd *r);

/* The last part of a path: what outputs of several inputs are named after. */
const char *fw_report_name(const char *path);

/**
 * fw_report_write() - the rows of one recording, in the form and to the place that were asked for
 * @path: of the recording
 * @in: opened, not started
 * @run: gets the frames too, and is finished; NULL: not measured
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_report_write(const struct fw_report_cmd *r, const char *path, struct fw_input *in,
		    struct fw_health *health, struct fw_run *run);
/* The table of a dump, printed; @src is closed. Return: as fw_report_write(). */
int fw_report_write_side(const struct fw_report_cmd *r, enum fw_side_kind kind,
			 struct fw_source *src, struct fw_health *health);

#endif
