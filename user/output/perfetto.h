/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_PERFETTO_H
#define FW_OUTPUT_PERFETTO_H

#include "base/row.h"
#include "frame/columns.h"

/**
 * struct fw_perfetto - the frame tables as a Perfetto trace
 *
 * Tracks of track events: the frames, phases and candidates of each layer, the states of each
 * thread, the fences of each timeline; flows from the thread that wakes to the thread that is
 * woken, and from a fence to the frame that waited for it. SurfaceFlinger's own words stand in
 * FrameTimeline packets beside them. Times are the raw ones of the recording.
 */
struct fw_perfetto;

/**
 * fw_perfetto_open() - begin a trace
 * @path: must not be there yet
 * Return: 0 and *@out, or a negative errno with fw_fail() set.
 */
int fw_perfetto_open(const char *path, struct fw_perfetto **out);
/* The sink of a table; the tables come in the order of enum fw_frame_table. */
struct fw_sink *fw_perfetto_sink(struct fw_perfetto *p, enum fw_frame_table t);
/* Finish and free. @err: of the rows. Return: @err, or a negative errno with fw_fail() set. */
int fw_perfetto_close(struct fw_perfetto *p, int err);

#endif
