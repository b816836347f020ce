/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_VERDICT_H
#define FW_FRAME_VERDICT_H

#include "frame/columns.h"

/*
 * In which direction to look for what made a frame late: candidates with their evidence, never
 * more. They are judged by the cells of the frame's row alone, so that whoever has the row can
 * check them. verdicts.def holds the rules.
 */
enum fw_verdict {
#define VERDICT(name, when, time, evidence, source) FW_VERDICT_##name,
#include "frame/verdicts.def"
#undef VERDICT
	FW_VERDICTS
};

/* A rule that explains less than this part of the overrun is no candidate. */
#define FW_VERDICT_PART 10
/* Nor is one that explains less than this, ns. */
#define FW_VERDICT_MIN_NS 100000
/* What SurfaceFlinger does not call late is late by more than this, ns. */
#define FW_VERDICT_MISSED_NS 1000000

/**
 * struct fw_verdict_rule - one line of verdicts.def
 */
struct fw_verdict_rule {
	const char *name, *when, *time, *evidence, *source;
};

const struct fw_verdict_rule *fw_verdict_rule(enum fw_verdict v);
/* By name, or -1. */
int fw_verdict_find(struct fw_str name);

/**
 * fw_verdict_cells() - fill overrun_ms and the candidate columns of a row
 * @cells: a row of the frames table, all other cells filled; the texts that are set hold until the
 *	next call
 *
 * A frame that is not late gets none.
 */
void fw_verdict_cells(struct fw_cell cells[FW_C_FRAMES_COUNT]);

#endif
