/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_GFXTRACE_PACK_H
#define FW_INPUT_GFXTRACE_PACK_H

#include "base/map.h"
#include "base/str.h"
#include "input/source.h"

/*
 * ProtoPack 2.0, the container of AGI and GAPID (gapid: core/data/pack/README.md): a magic of 16
 * bytes, then chunks behind their size. A size below zero describes the next type; one above is an
 * object, whose parent is an earlier one that is still open, or the end of such a one's children.
 */
#define GX_MAGIC "ProtoPack\r\n2.0\n"
#define GX_MAGIC_LEN 16 /* with the NUL */
#define GX_TYPES_MAX 65536
#define GX_OPEN_MAX (1u << 20)
#define GX_HEADER_MAX (1u << 20) /* of an object whose fields are read */

/**
 * struct gx_chunk - one chunk
 * @type: an object's, from 1; 0: the end of @parent's children
 * @depth: of an object: 0 a root
 * @pos, @len: of its message
 */
struct gx_chunk {
	enum { GX_TYPE, GX_OBJECT, GX_END } kind;
	uint32_t type;
	uint32_t depth;
	uint64_t at, pos, len;
};

struct gx_type {
	struct fw_str name; /* NUL behind it */
	uint64_t n, bytes;
	uint32_t fields;
};

/**
 * struct gx_pack - a pack as far as it was read
 * @types: by number; 0 is none
 * @stopped: why it went no further than @pos, NULL: it is whole
 */
struct gx_pack {
	struct fw_source *src;
	struct fw_reader reader;
	struct fw_names *names;
	struct gx_type *types;
	uint32_t n_types, types_cap;
	struct fw_map open; /* objects that may have children yet: number of the chunk to depth */
	uint64_t pos, end;
	uint64_t n_chunks, n_objects, n_roots, n_ends;
	uint32_t max_depth;
	const char *stopped;
};

void gx_pack_init(struct gx_pack *p, struct fw_source *src, struct fw_names *names);
void gx_pack_free(struct gx_pack *p);
/* The next chunk. Return: 1, 0 at the end (see @stopped), or a negative errno. */
int gx_pack_next(struct gx_pack *p, struct gx_chunk *c);

#endif
