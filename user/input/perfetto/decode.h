/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_PERFETTO_DECODE_H
#define FW_INPUT_PERFETTO_DECODE_H

#include <stddef.h>

#include "base/str.h"
#include "input/event.h"

/* How a field's value lands in a struct. */
enum fw_fill_kind {
	FW_FILL_I32,
	FW_FILL_U32,
	FW_FILL_I64,
	FW_FILL_U64,
	FW_FILL_BOOL,
	FW_FILL_F32,
	FW_FILL_STR,
};

/**
 * struct fw_fill - where one field of a message goes
 * @id: field number
 * @offset: of the member in the struct that is filled
 * @has: bit to set in the struct's has member, 0 for none
 */
struct fw_fill {
	uint16_t id;
	uint8_t kind;
	uint16_t offset;
	uint32_t has;
};

/* What a description's has_offset is when the struct has no such member. */
#define FW_FILL_NO_HAS SIZE_MAX

/**
 * fw_fill() - read a message into a struct by a description
 * @fields: ended by an id of 0
 * @has_offset: of the uint32_t has member, or FW_FILL_NO_HAS
 *
 * Unknown fields and fields of another wire type are passed over; the last of a repeated field
 * wins, as protobuf has it. Strings borrow from @msg.
 * Return: false where the bytes are no message.
 */
bool fw_fill(struct fw_str msg, const struct fw_fill *fields, void *out, size_t has_offset);

/**
 * fw_decode_ftrace() - payload of an FtraceEvent into an event
 * @id: its field number
 * @ev: type and union are set; ts, cpu, tid are the caller's
 * @symbol: set to the interned id of the kernel function that the event names, 0 for none
 * Return: false where the payload does not decode. An id that framewait does not know becomes
 * FW_EV_OTHER_FTRACE.
 */
bool fw_decode_ftrace(uint32_t id, struct fw_str payload, struct fw_event *ev, uint64_t *symbol);

/* The event type that fw_decode_ftrace() makes of an id, without looking at a payload. */
enum fw_event_type fw_ftrace_type(uint32_t id);

/* Name of an ftrace event id, or NULL. */
const char *fw_ftrace_name(uint32_t id);

/* FrameTracer, FrameTimeline, GenericKernelTaskState packets. */
bool fw_decode_graphics_frame(struct fw_str payload, struct fw_event *ev);
bool fw_decode_frame_timeline(struct fw_str payload, struct fw_event *ev);
bool fw_decode_generic_task(struct fw_str payload, struct fw_event *ev);

#endif
