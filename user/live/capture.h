/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_CAPTURE_H
#define FW_LIVE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "framewait/record.h"

/**
 * struct fw_capture - writes a capture file, chunk by chunk
 *
 * Records are collected and go out, packed, as one chunk when there are enough of them or when
 * fw_capture_flush() is called. After a failed write the file is cut back to its last whole chunk,
 * and every later call repeats the failure.
 */
struct fw_capture;

/* @path: a file that is replaced, or "-" for standard output. Return: 0, or negative errno. */
int fw_capture_open(const char *path, struct fw_capture **out);
int fw_capture_text(struct fw_capture *c, uint32_t chunk_type, const char *lines);
int fw_capture_record(struct fw_capture *c, const struct fw_rec *r);
/* A chunk of its own, after the records so far; packed unless it is larger than they ever are. */
int fw_capture_chunk(struct fw_capture *c, uint32_t type, const void *payload, size_t len);
/* A record of the collector's, with @text and padding after its @fixed bytes; fills in the size. */
int fw_capture_record_text(struct fw_capture *c, struct fw_rec *r, size_t fixed, const char *text,
			   size_t len);
int fw_capture_flush(struct fw_capture *c);
uint64_t fw_capture_bytes(const struct fw_capture *c);
/* Did a write fail? */
bool fw_capture_failed(const struct fw_capture *c);
/* Flush and close; @c is gone in any case. Return: 0, or the first failure. */
int fw_capture_close(struct fw_capture *c);

#endif
