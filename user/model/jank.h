/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_JANK_H
#define FW_MODEL_JANK_H

#include <stdint.h>

#include "base/str.h"

/*
 * SurfaceFlinger's enums in words. Names and rules are trace_processor's
 * (frame_timeline_event_parser.cc, v57.2), so that a row can be compared with the Perfetto UI.
 */

enum fw_jank_bits {
	FW_JANK_SF_SCHEDULING = 2,
	FW_JANK_PREDICTION_ERROR = 4,
	FW_JANK_DISPLAY_HAL = 8,
	FW_JANK_SF_CPU = 16,
	FW_JANK_SF_GPU = 32,
	FW_JANK_APP_DEADLINE = 64,
	FW_JANK_BUFFER_STUFFING = 128,
	FW_JANK_UNKNOWN = 256,
	FW_JANK_SF_STUFFING = 512,
	FW_JANK_DROPPED = 1024,
	FW_JANK_NON_ANIMATING = 2048,
	FW_JANK_APP_RESYNCED = 4096,
	FW_JANK_DISPLAY_NOT_ON = 8192,
	FW_JANK_MODE_CHANGE = 16384,
	FW_JANK_POWER_MODE_CHANGE = 32768,
};

/* Longest text of fw_jank_names(). */
#define FW_JANK_NAMES_MAX 512

/* Names of the set bits joined by ", "; "None" for 1, "Unspecified" for 0. */
struct fw_str fw_jank_names(int32_t mask, char buf[FW_JANK_NAMES_MAX]);

/* Whose jank it is: "Self Jank", "No Jank", ... */
struct fw_str fw_jank_tag_surface(int32_t mask, int32_t present_type);
struct fw_str fw_jank_tag_display(int32_t mask);

/* The "Unspecified ..." name for numbers that are none. */
struct fw_str fw_present_type_name(int32_t type);
struct fw_str fw_prediction_name(int32_t type);
/* "Unknown" for numbers that are none. */
struct fw_str fw_severity_name(int32_t severity);
struct fw_str fw_latched_state_name(int32_t state);

#endif
