// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/side.h"

struct fw_str fw_side_match_name(enum fw_side_match m)
{
	static const char *const names[] = { NULL, "none", "exact", "near", "ambiguous" };

	return fw_str(names[m]);
}

int64_t fw_side_place(struct fw_input *in, struct fw_health *health, int64_t monotonic)
{
	int64_t placed;

	if (monotonic == FW_SIDE_UNKNOWN)
		return FW_SIDE_UNKNOWN;
	if (fw_input_clock(in, FW_INPUT_MONOTONIC, monotonic, &placed))
		return placed;
	fw_health_add(health, FW_H_fw_side_no_clock, FW_HEALTH_NO_IDX, 1);
	return FW_SIDE_UNKNOWN;
}
