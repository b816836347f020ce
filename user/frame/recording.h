/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_RECORDING_H
#define FW_FRAME_RECORDING_H

#include "base/row.h"
#include "input/input.h"

/* Rows of the recording table: the schema's version, and what a recording says of itself. */
int fw_recording_emit(const struct fw_recording *rec, struct fw_sink *sink);

#endif
