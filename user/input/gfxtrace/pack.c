// SPDX-License-Identifier: GPL-2.0-or-later
/* pack - the chunks of a ProtoPack 2.0 file, one after the other */
#include "input/gfxtrace/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wire.h"

#define VARINT_MAX 10
#define NAME_MAX 512

void gx_pack_init(struct gx_pack *p, struct fw_source *src, struct fw_names *names)
{
	*p = (struct gx_pack){ .src = src, .reader.src = src, .names = names, .pos = GX_MAGIC_LEN };
	p->end = fw_source_size(src);
	fw_grow(p->types, p->n_types, p->types_cap);
	p->types[p->n_types++] = (struct gx_type){ .name = FW_STR("") };
}

void gx_pack_free(struct gx_pack *p)
{
	free(p->types);
	fw_map_free(&p->open);
	fw_reader_free(&p->reader);
}

static int64_t zigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* A varint within [*@pos, @end). Return: 1, 0 when it does not end there, negative errno. */
static int varint_at(struct gx_pack *p, uint64_t *pos, uint64_t end, uint64_t *out)
{
	size_t have, room = (size_t)FW_MIN(end - *pos, (uint64_t)VARINT_MAX);
	const uint8_t *b, *after;

	if (!room)
		return 0;
	b = fw_reader_at(&p->reader, *pos, room, &have);
	if (!b)
		return -EIO;
	after = fw_varint(b, b + FW_MIN(have, room), out);
	if (!after)
		return 0;
	*pos += (uint64_t)(after - b);
	return 1;
}

static int stop(struct gx_pack *p, const char *why)
{
	p->stopped = why;
	return 0;
}

/* Is [@pos, @end) a message? Counts the fields of number @field. Return: 1, 0 for no, negative errno. */
static int check_message(struct gx_pack *p, uint64_t pos, uint64_t end, uint32_t field, uint32_t *n)
{
	uint64_t tag, v;
	int ret;

	while (pos < end) {
		ret = varint_at(p, &pos, end, &tag);
		if (ret <= 0 || !(tag >> 3))
			return ret < 0 ? ret : 0;
		v = 0;
		switch (tag & 7) {
		case FW_WIRE_VARINT:
		case FW_WIRE_LEN:
			ret = varint_at(p, &pos, end, &v);
			if (ret <= 0)
				return ret;
			if ((tag & 7) == FW_WIRE_VARINT)
				v = 0;
			break;
		case FW_WIRE_FIXED64:
			v = 8;
			break;
		case FW_WIRE_FIXED32:
			v = 4;
			break;
		default:
			return 0;
		}
		if (v > end - pos)
			return 0;
		pos += v;
		*n += tag >> 3 == field;
	}
	return 1;
}

/* The name, and a DescriptorProto: its fields are its field 2. */
static int read_type(struct gx_pack *p, struct gx_chunk *c, uint64_t pos, uint64_t end)
{
	struct gx_type t = { .n = 0 };
	char name[NAME_MAX + 1] = "";
	uint64_t len;
	const uint8_t *b;
	size_t have;
	int ret = varint_at(p, &pos, end, &len);

	if (ret < 0)
		return ret;
	if (!ret || !len || len > NAME_MAX || len > end - pos)
		return stop(p, "the name of a type is damaged");
	if (p->n_types >= GX_TYPES_MAX)
		return stop(p, "there are too many types");
	b = fw_reader_at(&p->reader, pos, len, &have);
	if (!b || have < len)
		return b ? stop(p, "it cannot be read") : -EIO;
	memcpy(name, b, len);
	t.name = fw_names_str(p->names, fw_names_id(p->names, (struct fw_str){ name, len + 1 }));
	t.name.len = len;
	ret = check_message(p, pos + len, end, 2, &t.fields);
	if (ret <= 0)
		return ret < 0 ? ret : stop(p, "the description of a type is damaged");
	fw_grow(p->types, p->n_types, p->types_cap);
	p->types[p->n_types++] = t;
	c->kind = GX_TYPE;
	c->pos = pos + len;
	c->len = end - c->pos;
	return 1;
}

/* The depth of the object that a chunk belongs to: -1 for a root, -2 for one that is not open. */
static int64_t parent_depth(const struct gx_pack *p, int64_t parent)
{
	uint64_t *depth;

	if (parent >= 0)
		return -1;
	depth = fw_map_get(&p->open, p->n_chunks + (uint64_t)parent);
	return depth ? (int64_t)*depth : -2;
}

static int read_object(struct gx_pack *p, struct gx_chunk *c, int64_t parent, int64_t type,
		       uint64_t pos, uint64_t end)
{
	int64_t above = parent_depth(p, parent);
	uint64_t number = type < 0 ? 0 - (uint64_t)type : (uint64_t)type;
	uint32_t n = 0;
	int ret;

	if (above == -2)
		return stop(p, "an object's parent is none that may have children");
	if (!number) {
		c->kind = GX_END;
		p->n_ends++;
		fw_map_del(&p->open, p->n_chunks + (uint64_t)parent);
		return 1;
	}
	if (number >= p->n_types)
		return stop(p, "an object is of a type that was not described");
	ret = check_message(p, pos, end, 0, &n);
	if (ret <= 0)
		return ret < 0 ? ret : stop(p, "an object is no protobuf message");
	c->kind = GX_OBJECT;
	c->type = (uint32_t)number;
	c->depth = (uint32_t)(above + 1);
	c->pos = pos;
	c->len = end - pos;
	if (type < 0 && p->open.n >= GX_OPEN_MAX)
		return stop(p, "too many objects may have children yet");
	if (type < 0)
		fw_map_set(&p->open, p->n_chunks, c->depth);
	p->types[number].n++;
	p->types[number].bytes += c->len;
	p->n_objects++;
	p->n_roots += !c->depth;
	p->max_depth = FW_MAX(p->max_depth, c->depth);
	return 1;
}

int gx_pack_next(struct gx_pack *p, struct gx_chunk *c)
{
	uint64_t pos = p->pos, v, parent = 0, type = 0, end;
	int64_t size;
	int ret;

	if (p->stopped || pos >= p->end)
		return 0;
	*c = (struct gx_chunk){ .at = pos };
	ret = varint_at(p, &pos, p->end, &v);
	if (ret <= 0)
		return ret < 0 ? ret : stop(p, "the size of a chunk is cut");
	size = zigzag(v);
	if (!size)
		return stop(p, "a chunk has no size");
	v = size < 0 ? 0 - (uint64_t)size : (uint64_t)size;
	if (v > p->end - pos)
		return stop(p, size < 0 ? "the description of a type is cut" : "an object is cut");
	end = pos + v;
	if (size < 0) {
		ret = read_type(p, c, pos, end);
	} else {
		/* What a chunk is too short for is 0. */
		ret = varint_at(p, &pos, end, &parent);
		if (ret > 0)
			ret = varint_at(p, &pos, end, &type);
		ret = ret < 0 ? ret : read_object(p, c, zigzag(parent), zigzag(type), pos, end);
	}
	if (ret > 0) {
		p->n_chunks++;
		p->pos = end;
	}
	return ret;
}
