/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_PERFETTO_TIMELINE_H
#define FW_OUTPUT_PERFETTO_TIMELINE_H

#include "base/row.h"
#include "output/tracks.h"

/**
 * fw_perfetto_timeline() - a row of frames as the FrameTimeline packets that it was made of
 * @cookie: counts the slices of all rows
 */
void fw_perfetto_timeline(struct fw_tracks *t, const struct fw_cell *frame, uint64_t *cookie);

#endif
