// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/jank.h"

#include "base/mem.h"

enum {
	SF_BITS = FW_JANK_SF_SCHEDULING | FW_JANK_PREDICTION_ERROR | FW_JANK_DISPLAY_HAL |
		  FW_JANK_SF_CPU | FW_JANK_SF_GPU,
	APP_BITS = FW_JANK_APP_DEADLINE | FW_JANK_APP_RESYNCED | FW_JANK_UNKNOWN,
};

#define PRESENT_DROPPED 4

/* In the order in which the names are joined, which is not the numeric one. */
static const struct {
	int32_t bit;
	struct fw_str name;
} bits[] = {
	{ FW_JANK_SF_SCHEDULING, { "SurfaceFlinger Scheduling", 25 } },
	{ FW_JANK_PREDICTION_ERROR, { "Prediction Error", 16 } },
	{ FW_JANK_DISPLAY_HAL, { "Display HAL", 11 } },
	{ FW_JANK_SF_CPU, { "SurfaceFlinger CPU Deadline Missed", 34 } },
	{ FW_JANK_SF_GPU, { "SurfaceFlinger GPU Deadline Missed", 34 } },
	{ FW_JANK_APP_DEADLINE, { "App Deadline Missed", 19 } },
	{ FW_JANK_APP_RESYNCED, { "App Resynced Jitter", 19 } },
	{ FW_JANK_BUFFER_STUFFING, { "Buffer Stuffing", 15 } },
	{ FW_JANK_UNKNOWN, { "Unknown Jank", 12 } },
	{ FW_JANK_SF_STUFFING, { "SurfaceFlinger Stuffing", 23 } },
	{ FW_JANK_DROPPED, { "Dropped Frame", 13 } },
	{ FW_JANK_NON_ANIMATING, { "Non Animating", 13 } },
	{ FW_JANK_DISPLAY_NOT_ON, { "Display not ON", 14 } },
	{ FW_JANK_MODE_CHANGE, { "ModeChange in progress", 22 } },
	{ FW_JANK_POWER_MODE_CHANGE, { "PowerModeChange in progress", 27 } },
};

struct fw_str fw_jank_names(int32_t mask, char buf[FW_JANK_NAMES_MAX])
{
	struct fw_str out = { buf, 0 };

	if (mask == 0)
		return FW_STR("Unspecified");
	if (mask == 1)
		return FW_STR("None");
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		if (!(mask & bits[i].bit))
			continue;
		if (out.len) {
			memcpy(buf + out.len, ", ", 2);
			out.len += 2;
		}
		memcpy(buf + out.len, bits[i].name.p, bits[i].name.len);
		out.len += bits[i].name.len;
	}
	return out;
}

struct fw_str fw_jank_tag_surface(int32_t mask, int32_t present_type)
{
	if (mask == 0)
		return FW_STR("Unspecified");
	if (mask & APP_BITS)
		return FW_STR("Self Jank");
	if (mask & SF_BITS)
		return FW_STR("Other Jank");
	if (mask == FW_JANK_BUFFER_STUFFING)
		return FW_STR("Buffer Stuffing");
	if (mask == FW_JANK_SF_STUFFING)
		return FW_STR("SurfaceFlinger Stuffing");
	if (present_type == PRESENT_DROPPED)
		return FW_STR("Dropped Frame");
	if (mask == FW_JANK_NON_ANIMATING || mask == FW_JANK_DISPLAY_NOT_ON ||
	    mask == FW_JANK_POWER_MODE_CHANGE)
		return FW_STR("Non-perceivable Jank");
	return FW_STR("No Jank");
}

struct fw_str fw_jank_tag_display(int32_t mask)
{
	if (mask == 0)
		return FW_STR("Unspecified");
	if (mask & SF_BITS)
		return FW_STR("Self Jank");
	if (mask == FW_JANK_SF_STUFFING)
		return FW_STR("SurfaceFlinger Stuffing");
	if (mask == FW_JANK_DROPPED)
		return FW_STR("Dropped Frame");
	if (mask == FW_JANK_NON_ANIMATING || mask == FW_JANK_DISPLAY_NOT_ON ||
	    mask == FW_JANK_POWER_MODE_CHANGE)
		return FW_STR("Non-perceivable Jank");
	return FW_STR("No Jank");
}

struct fw_str fw_present_type_name(int32_t type)
{
	static const char *const names[] = { "Unspecified Present", "On-time Present",
					     "Late Present",	    "Early Present",
					     "Dropped Frame",	    "Unknown Present" };

	return fw_str(names[(uint32_t)type < ARRAY_SIZE(names) ? type : 0]);
}

struct fw_str fw_prediction_name(int32_t type)
{
	static const char *const names[] = { "Unspecified Prediction", "Valid Prediction",
					     "Expired Prediction", "Unknown Prediction" };

	return fw_str(names[(uint32_t)type < ARRAY_SIZE(names) ? type : 0]);
}

struct fw_str fw_severity_name(int32_t severity)
{
	static const char *const names[] = { "Unknown", "None", "Partial", "Full" };

	return fw_str(names[(uint32_t)severity < ARRAY_SIZE(names) ? severity : 0]);
}

struct fw_str fw_latched_state_name(int32_t state)
{
	static const char *const names[] = { "Unknown", "Latched Signaled", "Latched Unsignaled",
					     "Delayed Latch Fence Unsignaled" };

	return fw_str(names[(uint32_t)state < ARRAY_SIZE(names) ? state : 0]);
}
