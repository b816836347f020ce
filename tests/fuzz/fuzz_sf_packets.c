// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a growing Perfetto file: cut the same whether they come at once or in pieces. */
#include <stdlib.h>

#include "harness.h"
#include "live/sf_packets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	uint64_t packets, bytes, hash, lost;
	bool broken;
};

static void take(struct fw_sf_cut *c, struct outcome *o)
{
	struct fw_str packet;
	uint32_t kinds;

	while (fw_sf_cut_next(c, &packet, &kinds)) {
		o->packets++;
		o->bytes += packet.len;
		o->hash = (o->hash ^ kinds) * 0x100000001b3ull;
		for (size_t i = 0; i < packet.len; i++)
			o->hash = (o->hash ^ (uint8_t)packet.p[i]) * 0x100000001b3ull;
	}
}

static struct outcome cut(const uint8_t *data, size_t size, size_t piece)
{
	struct fw_sf_cut c = { 0 };
	struct outcome o = { 0 };

	for (size_t pos = 0; pos < size; pos += piece) {
		fw_sf_cut_add(&c, data + pos, piece < size - pos ? piece : size - pos);
		take(&c, &o);
	}
	o.broken = c.broken;
	fw_sf_cut_reset(&c);
	o.lost = c.lost;
	fw_sf_cut_free(&c);
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome whole = cut(data, size, size ? size : 1), parts;

	for (size_t piece = 1; piece <= 64; piece *= 4) {
		parts = cut(data, size, piece);
		if (parts.packets != whole.packets || parts.hash != whole.hash ||
		    parts.lost != whole.lost || parts.broken != whole.broken ||
		    parts.bytes + parts.lost > size)
			abort();
	}
	return 0;
}
