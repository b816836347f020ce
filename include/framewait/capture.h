/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FRAMEWAIT_CAPTURE_H
#define FRAMEWAIT_CAPTURE_H

#include <linux/types.h>

/*
 * A capture file (.fwc): the magic, then chunks, little-endian, to the end. Unknown chunk types are
 * skipped. A file that was cut is good up to its last whole chunk; see Documentation/capture.rst.
 */
#define FW_CAPTURE_MAGIC "FWCAPT1\n"
#define FW_CAPTURE_MAGIC_LEN 8

#define FW_CHUNK_TYPE(a, b, c, d)                                                                  \
	((__u32)(a) | (__u32)(b) << 8 | (__u32)(c) << 16 | (__u32)(d) << 24)
#define FW_CHUNK_META                                                                              \
	FW_CHUNK_TYPE('M', 'E', 'T', 'A') /* lines key=value: what was recorded, where */
#define FW_CHUNK_RECS FW_CHUNK_TYPE('R', 'E', 'C', 'S') /* records of framewait/record.h */
#define FW_CHUNK_DONE FW_CHUNK_TYPE('D', 'O', 'N', 'E') /* lines key=value: how it ended */

/* A recorder makes none larger; a reader takes larger ones for damage. */
#define FW_CHUNK_MAX (16u << 20)

/**
 * struct fw_chunk - head of a chunk
 * @len: bytes of payload that follow
 * @crc: CRC32 (zlib's) of the payload
 * @raw_len: 0: the payload is as it is; else it is a zlib stream that inflates to so many bytes
 */
struct fw_chunk {
	__u32 type, len, crc, raw_len;
};

#endif
