/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_PB_H
#define FW_OUTPUT_PB_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/**
 * struct fw_pb - a protobuf message as it is put together; zero-initialise, free(p)
 */
struct fw_pb {
	char *p;
	size_t len, cap;
};

void fw_pb_uint(struct fw_pb *b, uint32_t field, uint64_t v);
/* int32, int64, bool, enum: negative ones take ten bytes. */
void fw_pb_int(struct fw_pb *b, uint32_t field, int64_t v);
void fw_pb_fixed64(struct fw_pb *b, uint32_t field, uint64_t v);
void fw_pb_double(struct fw_pb *b, uint32_t field, double v);
void fw_pb_float(struct fw_pb *b, uint32_t field, float v);
/* A string; what is no UTF-8 becomes U+FFFD, absent text is left out. */
void fw_pb_text(struct fw_pb *b, uint32_t field, struct fw_str s);

/* A message within the message, up to fw_pb_close(); it must stay below 256 MiB. */
size_t fw_pb_open(struct fw_pb *b, uint32_t field);
void fw_pb_close(struct fw_pb *b, size_t opened);

#endif
