/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_EXPECTED_H
#define FW_FRAME_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/*
 * What SurfaceFlinger expected of frames: the last FW_EXPECTED_MAX predictions. Each layer of a
 * frame writes the prediction of its token again; the same prediction counts once, and the first
 * of them is it, as in trace_processor.
 */
#define FW_EXPECTED_MAX 16384u
#define FW_EXPECTED_OPEN INT64_MIN
/* Each layer converts the prediction to BOOTTIME anew: 0.5 us apart on a real device. */
#define FW_EXPECTED_SAME_NS 10000

/**
 * struct fw_expected - one prediction
 * @end: ns; FW_EXPECTED_OPEN: not seen
 */
struct fw_expected {
	uint64_t older; /* of the same frame; 0 none */
	int64_t token, start, end, cookie;
	int32_t pid;
	bool display;
};

/* Zero-initialise; release with fw_expectations_free(). */
struct fw_expectations {
	struct fw_expected *ring;
	uint64_t n; /* how many ever; the newest has this number */
	struct fw_map newest;
};

void fw_expectations_free(struct fw_expectations *e);
/**
 * fw_expectations_add() - a prediction begins
 * @evicted: set to the cookie of the one that is forgotten for it
 * Return: its number, never 0. *@evicted holds when it is above FW_EXPECTED_MAX.
 */
uint64_t fw_expectations_add(struct fw_expectations *e, const struct fw_expected *x,
			     int64_t *evicted);
/* By number; NULL when it is forgotten. */
struct fw_expected *fw_expectations_get(const struct fw_expectations *e, uint64_t number);
/**
 * fw_expectations_find() - the predictions for a frame
 * @pid: ignored for display frames
 * @x: set to one of them
 * Return: how many different ones there are.
 */
uint32_t fw_expectations_find(const struct fw_expectations *e, bool display, int32_t pid,
			      int64_t token, const struct fw_expected **x);

#endif
