/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_METRICS_RUN_H
#define FW_METRICS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/row.h"
#include "metrics/frame_sums.h"
#include "metrics/metrics.h"

/**
 * struct fw_run - the metrics of one run: a recording, a frames.csv, or a column of numbers
 *
 * A run has series: each layer, and the screen. A layer's frames were presented when its present
 * fences signaled (FrameTracer); without those, when the display frame that shows them ended. A
 * frame of the screen was presented when it ended. Dropped frames, and frames of a layer without a
 * new buffer, are no presented frames; several at one time are one.
 *
 * The run's own totals are the FTimes of its main series, the layer with the most presented frames
 * (the screen where no layer has any), and the frames of all layers (of the screen where there are
 * none).
 */
struct fw_run;

#define FW_RUN_SERIES_MAX 256 /* those beyond only count in the run's totals */

/**
 * struct fw_run_opts
 * @layer: glob that present fences of layers without frames must match; NULL: all
 * @only_framed: only layers that have frames: a process was chosen
 * @from_ns, @to_ns: present fences in [from, to), ns since the recording's start
 * @no_presents: the frames are a choice that has gaps: no FTimes
 * @whole_ms: the whole time of rates; 0: the sum of the FTimes
 * @draws: totals to make, the first of the run itself, the others drawn from it; at least 1
 * @random: for draws after the first
 */
struct fw_run_opts {
	const char *layer;
	bool only_framed, no_presents;
	int64_t from_ns, to_ns;
	double whole_ms;
	int draws;
	struct fw_random *random;
};

/**
 * struct fw_run_facts - what is known of where a run comes from
 * @schema: version of the columns; 0: not known
 * @device, @kernel: NULL: not known
 * @lost: 1 the recording lost data, 0 it did not, -1 not known
 * @refused: values of a column that are no times
 * @cut: a CSV file ends in a row without a line end
 * @no_mach: a Mach timebase was given, but its times are no Mach ticks
 */
struct fw_run_facts {
	int schema;
	char *device, *kernel;
	int lost;
	uint64_t refused;
	bool cut, no_mach;
};

void fw_run_facts_free(struct fw_run_facts *f);

struct fw_run *fw_run_new(const struct fw_run_opts *opts);
void fw_run_free(struct fw_run *r);

/* For rows of the frames table, then of the fences table; they live as long as @r. */
struct fw_sink *fw_run_frames(struct fw_run *r);
struct fw_sink *fw_run_fences(struct fw_run *r);
/* A frame presented at @ns, of a program without layers. Return: 0, or as fw_sort_add(). */
int fw_run_present(struct fw_run *r, int64_t ns);
/* An FTime, a point of a column, in order; see struct fw_ftimes. */
int fw_run_ftime(struct fw_run *r, double ms);
void fw_run_point(struct fw_run *r, double fps);

/* After all rows. Return: 0, or a negative errno with fw_fail() set. */
int fw_run_finish(struct fw_run *r);

/* @draws totals. */
const struct fw_totals *fw_run_totals(const struct fw_run *r);

enum fw_basis {
	FW_BASIS_NONE, /* no presented frames */
	FW_BASIS_PRESENT_FENCE,
	FW_BASIS_DISPLAY_FRAME,
	FW_BASIS_EVENT, /* presented-frame events */
	FW_BASIS_COLUMN,
};

const char *fw_basis_name(enum fw_basis b);

/**
 * struct fw_series - one series, for printing; texts live as long as the run
 * @scope: layer, screen, program or column
 */
struct fw_series {
	const char *scope;
	struct fw_str process, layer;
	enum fw_basis basis;
	const struct fw_totals *totals;
};

int fw_run_n_series(const struct fw_run *r);
/* In order of presented frames, the most first. */
struct fw_series fw_run_series(const struct fw_run *r, int i);
/* The main one, or -1: nothing was presented. */
int fw_run_main(const struct fw_run *r);
/* Layers beyond FW_RUN_SERIES_MAX whose rows came. */
bool fw_run_more_series(const struct fw_run *r);

#endif
