/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_OUT_H
#define FW_GEN_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "pw.h"

enum out_compress { OUT_PLAIN, OUT_ZLIB, OUT_ZSTD };

/**
 * struct out_opts - the shape of the file
 * @path: "-" for standard output
 * @gzip: the whole file is a gzip stream
 * @compress: packets go into compressed_packets (field 50) or zstd_compressed_packets (133)
 */
struct out_opts {
	const char *path;
	bool gzip;
	enum out_compress compress;
};

struct out;

/* A failed open, write or close ends the program with a message. */
struct out *out_open(const struct out_opts *opts);
void out_packet(struct out *o, const uint8_t *p, size_t len);
uint64_t out_bytes(const struct out *o); /* of packets, before any compression */
/* Write what is there, but for the last @keep bytes. */
void out_flush(struct out *o, size_t keep);
void out_close(struct out *o);

#endif
