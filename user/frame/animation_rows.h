/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_ANIMATION_ROWS_H
#define FW_FRAME_ANIMATION_ROWS_H

#include "frame/animations.h"
#include "frame/rows.h"
#include "input/input.h"

/*
 * The rows of the animations table: sections and what the log says, joined by source and ID when
 * all are known. A section's log is the one of its ID in its process. Where an ID was used more
 * than once there, times decide if the recording's clocks place all of them, else the order
 * if there are as many logs as sections; else it is ambiguous, and nothing is joined.
 */
struct fw_animation_rows;

/* A log's begin and its section's are no further apart, where times decide. */
#define FW_ANIMATION_LOG_NS INT64_C(100000000)

struct fw_animation_rows *fw_animation_rows_new(void);
void fw_animation_rows_free(struct fw_animation_rows *r);

int fw_animation_rows_section(struct fw_animation_rows *r, const struct fw_row_context *rc,
			      const struct fw_animation_run *a);
/**
 * fw_animation_rows_log() - read a log
 * @in: its clocks place the log's times
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_animation_rows_log(struct fw_animation_rows *r, const char *path, struct fw_input *in,
			  struct fw_health *health);

/* Join and add all rows to @rows. Return: 0, or a negative errno with fw_fail() set. */
int fw_animation_rows_emit(struct fw_animation_rows *r, struct fw_rows *rows);

#endif
