// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/jank.h"

#include "base/mem.h"

enum {
	SF_SCHEDULING = 2,
	PREDICTION_ERROR = 4,
	DISPLAY_HAL = 8,
	SF_CPU = 16,
	SF_GPU = 32,
	APP_DEADLINE = 64,
	BUFFER_STUFFING = 128,
	UNKNOWN_JANK = 256,
	SF_STUFFING = 512,
	DROPPED = 1024,
	NON_ANIMATING = 2048,
	APP_RESYNCED = 4096,
	DISPLAY_NOT_ON = 8192,
	MODE_CHANGE = 16384,
	POWER_MODE_CHANGE = 32768,
	SF_BITS = SF_SCHEDULING | PREDICTION_ERROR | DISPLAY_HAL | SF_CPU | SF_GPU,
	APP_BITS = APP_DEADLINE | APP_RESYNCED | UNKNOWN_JANK,
};

#define PRESENT_DROPPED 4

/* In the order in which the names are joined, which is not the numeric one. */
static const struct {
	int32_t bit;
	struct fw_str name;
} bits[] = {
	{ SF_SCHEDULING, { "SurfaceFlinger Scheduling", 25 } },
	{ PREDICTION_ERROR, { "Prediction Error", 16 } },
	{ DISPLAY_HAL, { "Display HAL", 11 } },
	{ SF_CPU, { "SurfaceFlinger CPU Deadline Missed", 34 } },
	{ SF_GPU, { "SurfaceFlinger GPU Deadline Missed", 34 } },
	{ APP_DEADLINE, { "App Deadline Missed", 19 } },
	{ APP_RESYNCED, { "App Resynced Jitter", 19 } },
	{ BUFFER_STUFFING, { "Buffer Stuffing", 15 } },
	{ UNKNOWN_JANK, { "Unknown Jank", 12 } },
	{ SF_STUFFING, { "SurfaceFlinger Stuffing", 23 } },
	{ DROPPED, { "Dropped Frame", 13 } },
	{ NON_ANIMATING, { "Non Animating", 13 } },
	{ DISPLAY_NOT_ON, { "Display not ON", 14 } },
	{ MODE_CHANGE, { "ModeChange in progress", 22 } },
	{ POWER_MODE_CHANGE, { "PowerModeChange in progress", 27 } },
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
	if (mask == BUFFER_STUFFING)
		return FW_STR("Buffer Stuffing");
	if (mask == SF_STUFFING)
		return FW_STR("SurfaceFlinger Stuffing");
	if (present_type == PRESENT_DROPPED)
		return FW_STR("Dropped Frame");
	if (mask == NON_ANIMATING || mask == DISPLAY_NOT_ON || mask == POWER_MODE_CHANGE)
		return FW_STR("Non-perceivable Jank");
	return FW_STR("No Jank");
}

struct fw_str fw_jank_tag_display(int32_t mask)
{
	if (mask == 0)
		return FW_STR("Unspecified");
	if (mask & SF_BITS)
		return FW_STR("Self Jank");
	if (mask == SF_STUFFING)
		return FW_STR("SurfaceFlinger Stuffing");
	if (mask == DROPPED)
		return FW_STR("Dropped Frame");
	if (mask == NON_ANIMATING || mask == DISPLAY_NOT_ON || mask == POWER_MODE_CHANGE)
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
