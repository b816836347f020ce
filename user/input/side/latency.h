/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SIDE_LATENCY_H
#define FW_INPUT_SIDE_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/str.h"
#include "input/source.h"

/*
 * What "dumpsys SurfaceFlinger --latency LAYER" prints: a line with the refresh period, then a
 * row a frame with three times in ns of CLOCK_MONOTONIC: desired present, actual present, frame
 * ready. A row of zeros is an empty slot of the ring, INT64_MAX a fence that has not signalled
 * (FrameTracker.cpp). The dump does not name its layer: a line of text above a table does, as
 * scripts write it, be it a name, "Layer: NAME" or the command itself.
 */
#define FW_LATENCY_UNKNOWN INT64_MIN

/**
 * struct fw_latency_row - one frame, or one table without frames; texts live until the next call
 * @layer: without "RequestedLayerState{" and what it says behind the name; absent: not named
 * @table: number of the table in the file, from 1
 * @period: refresh period; FW_LATENCY_UNKNOWN: not printed
 * @no_frames: stands for a table that holds nothing: the three times are unknown
 */
struct fw_latency_row {
	struct fw_str layer;
	uint64_t line, table;
	int64_t period, desired, actual, ready;
	bool no_frames;
};

struct fw_latency;

/**
 * fw_latency_probe() - do these lines begin such a dump?
 * @state: 0 before the first line
 * Return: 1 yes, 0 it may still be one, -1 no.
 */
int fw_latency_probe(struct fw_str line, int *state);

/* Takes @src over, also where it fails. Return: 0, or a negative errno with fw_fail() set. */
int fw_latency_open(struct fw_source *src, struct fw_health *health, struct fw_latency **out);
void fw_latency_close(struct fw_latency *l);
/* Return: 1 and *@row, 0 at the end, or a negative errno with fw_fail() set. */
int fw_latency_next(struct fw_latency *l, const struct fw_latency_row **row);

/* The layer that a text names: see struct fw_latency_row. */
struct fw_str fw_latency_layer(struct fw_str text);

#endif
