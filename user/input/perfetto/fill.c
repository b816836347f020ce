// SPDX-License-Identifier: GPL-2.0-or-later
/* fill - messages into structs, by description */
#include "input/perfetto/decode.h"

#include "base/wire.h"

static bool wire_fits(const struct fw_pb_field *f, unsigned int kind)
{
	switch (kind) {
	case FW_FILL_STR:
		return f->wire == FW_WIRE_LEN;
	case FW_FILL_F32:
		return f->wire == FW_WIRE_FIXED32;
	case FW_FILL_U64:
		return f->wire == FW_WIRE_VARINT || f->wire == FW_WIRE_FIXED64;
	default:
		return f->wire == FW_WIRE_VARINT;
	}
}

static void store(const struct fw_pb_field *f, unsigned int kind, char *at)
{
	uint32_t low = (uint32_t)f->v;
	bool truth = f->v != 0;

	switch (kind) {
	case FW_FILL_I32:
	case FW_FILL_U32:
	case FW_FILL_F32:
		memcpy(at, &low, sizeof(low));
		break;
	case FW_FILL_I64:
	case FW_FILL_U64:
		memcpy(at, &f->v, sizeof(f->v));
		break;
	case FW_FILL_BOOL:
		memcpy(at, &truth, sizeof(truth));
		break;
	case FW_FILL_STR:
		memcpy(at, &f->s, sizeof(f->s));
		break;
	}
}

bool fw_fill(struct fw_str msg, const struct fw_fill *fields, void *out, size_t has_offset)
{
	struct fw_pb pb = fw_pb_of(msg);
	const struct fw_fill *d;
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		for (d = fields; d->id && d->id != f.id; d++)
			;
		if (!d->id || !wire_fits(&f, d->kind))
			continue;
		store(&f, d->kind, (char *)out + d->offset);
		if (d->has && has_offset != FW_FILL_NO_HAS)
			*(uint32_t *)((char *)out + has_offset) |= d->has;
	}
	return ret == 0;
}
