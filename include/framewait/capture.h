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
#define FW_CHUNK_PLANES                                                                            \
	FW_CHUNK_TYPE('R', 'E', 'C', 'P') /* struct fw_planes: the same, laid out to be packed */
#define FW_CHUNK_DONE FW_CHUNK_TYPE('D', 'O', 'N', 'E') /* lines key=value: how it ended */

#define FW_CHUNK_SF                                                                                \
	FW_CHUNK_TYPE('S', 'F', 'P', 'K') /* struct fw_sf_packets, then packets of Perfetto */

/* A recorder makes none larger; a reader takes larger ones for damage. */
#define FW_CHUNK_MAX (16u << 20)

/**
 * struct fw_chunk - head of a chunk
 * @len: bytes of payload that follow
 * @crc: CRC32 (zlib's) of the payload
 * @raw_len: 0: the payload is as it is; else it is a frame of Zstandard or a zlib stream that unpacks
 * to so many bytes. The first one begins with FW_CHUNK_ZSTD, the other one never does.
 */
struct fw_chunk {
	__u32 type, len, crc, raw_len;
};

#define FW_CHUNK_ZSTD 0xfd2fb528u
/* A frame that unpacks to more is damage: it can be a ten-thousandth of what it unpacks to. */
#define FW_CHUNK_ZSTD_MAX (1u << 20)

/**
 * struct fw_planes - head of the payload of FW_CHUNK_PLANES
 * @n: records
 *
 * As many bytes follow as the records have; Documentation/capture.rst says where each one stands.
 */
struct fw_planes {
	__u32 n;
	__u32 unused;
};

#define FW_SFF_NEW 1u /* a new stream begins: nothing of the sequences before holds on */
#define FW_SFF_GAP 2u /* packets before these may be missing */

/**
 * struct fw_sf_packets - head of the payload of FW_CHUNK_SF
 * @arrival: when the packets were read, CLOCK_BOOTTIME ns
 * @flags: FW_SFF_*
 *
 * Whole packets follow as they stood in the Perfetto file, each with its tag and length
 * (Trace.packet = 1: 0x0a, a varint), up to the end of the payload; there may be none.
 */
struct fw_sf_packets {
	__u64 arrival;
	__u32 flags;
	__u32 unused;
};

#endif
