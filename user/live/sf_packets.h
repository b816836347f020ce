/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_SF_PACKETS_H
#define FW_LIVE_SF_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* A larger packet is passed over: one packet must fit into a chunk. */
#define FW_SF_PACKET_MAX (8u << 20)
/* None is so large: traced holds a packet in its buffers. */
#define FW_SF_PACKET_ABSURD (1u << 30)

/* What a packet holds. */
#define FW_SFK_FRAME_TIMELINE 1u
#define FW_SFK_FRAME_TRACER 2u
#define FW_SFK_PACKED 4u /* compressed packets: of what kind is not known */
#define FW_SFK_STATE 8u /* clocks, names, statistics, state of a sequence */
/* A packet without any of these is of no use for frames. */

/**
 * struct fw_sf_cut - cuts the bytes of a growing Perfetto file into whole packets
 * @lost: bytes so far that made no packet
 * @broken: bytes came that are no Trace message: nothing after them can be cut
 */
struct fw_sf_cut {
	uint8_t *buf;
	size_t pos, len, cap;
	uint64_t skip; /* bytes of a packet that is too large, or of another field, still to come */
	bool skip_lost; /* ... and they are a packet's */
	uint64_t lost;
	bool broken;
};

/* Give it the bytes that follow. */
void fw_sf_cut_add(struct fw_sf_cut *c, const void *bytes, size_t len);

/**
 * fw_sf_cut_next() - the next whole packet
 * @packet: with its tag and length; valid until the next call of fw_sf_cut_add()
 * @kinds: FW_SFK_*
 * Return: false: the next one has not come whole yet.
 */
bool fw_sf_cut_next(struct fw_sf_cut *c, struct fw_str *packet, uint32_t *kinds);

/* Another stream begins: half a packet at the end of the old one is lost. */
void fw_sf_cut_reset(struct fw_sf_cut *c);
void fw_sf_cut_free(struct fw_sf_cut *c);

#endif
