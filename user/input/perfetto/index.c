// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * index - pass one: framing and compressed packets
 *
 * A trace is fields 0x0a (packet), length, bytes; other fields are passed over. What cannot be
 * framed, and a packet that the file's end cuts, are counted and end the reading there.
 */
#include "input/perfetto/perfetto.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"

#define HEAD 32 /* a tag and a length at most */
#define CHUNK (256u << 10)
#define MAX_INFLATED PF_MAX_PACKET /* of one packet: more is a bomb, not a trace */

/* One field of the outermost message. */
struct frame {
	uint64_t body, len; /* position and length; len of a skipped scalar counts its bytes */
	bool is_packet;
};

/* Return: 1 for a field, 0 where none begins. */
static int read_frame(const uint8_t *b, size_t have, uint64_t pos, struct frame *f)
{
	const uint8_t *q, *end = b + have;
	uint64_t tag, v;

	q = fw_varint(b, end, &tag);
	if (!q || !(tag >> 3))
		return 0;
	f->is_packet = tag == (TRACE_PACKET << 3 | FW_WIRE_LEN);
	f->len = 0;
	switch (tag & 7) {
	case FW_WIRE_VARINT:
		q = fw_varint(q, end, &v);
		break;
	case FW_WIRE_FIXED64:
		f->len = 8;
		break;
	case FW_WIRE_FIXED32:
		f->len = 4;
		break;
	case FW_WIRE_LEN:
		q = fw_varint(q, end, &f->len);
		break;
	default:
		return 0;
	}
	if (!q)
		return 0;
	f->body = pos + (uint64_t)(q - b);
	return 1;
}

/* Room for inflated bytes of one packet. */
struct inflated {
	uint8_t *p;
	size_t len, cap;
};

/* The next CHUNK bytes of it; false where there would be too many. */
static bool room(struct inflated *out)
{
	if (out->len + CHUNK > MAX_INFLATED)
		return false;
	if (out->len + CHUNK > out->cap) {
		out->cap = FW_MAX(2 * out->cap, out->len + CHUNK);
		out->p = fw_realloc(out->p, out->cap, 1);
	}
	return true;
}

static bool zlib_packet(struct fw_str in, struct inflated *out)
{
	z_stream z = { .next_in = (uint8_t *)in.p, .avail_in = (uInt)in.len };
	bool ok = inflateInit2(&z, 15 + 32) == Z_OK;
	int ret = Z_OK;

	while (ok && ret != Z_STREAM_END) {
		ok = room(out);
		if (!ok)
			break;
		z.next_out = out->p + out->len;
		z.avail_out = CHUNK;
		ret = inflate(&z, Z_NO_FLUSH);
		out->len += CHUNK - z.avail_out;
		ok = ret == Z_STREAM_END || (ret == Z_OK && (z.avail_in || !z.avail_out));
	}
	inflateEnd(&z);
	return ok;
}

static bool zstd_packet(struct fw_str in, struct inflated *out)
{
	ZSTD_inBuffer zin = { in.p, in.len, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	bool ok = z != NULL;
	size_t ret = 1;

	while (ok && ret) {
		ZSTD_outBuffer zout = { NULL, CHUNK, 0 };

		ok = room(out);
		if (!ok)
			break;
		zout.dst = out->p + out->len;
		ret = ZSTD_decompressStream(z, &zout, &zin);
		out->len += zout.pos;
		/* Nothing in, nothing out, and still not at the end: the frame is cut. */
		ok = !ZSTD_isError(ret) && !(ret && zin.pos == zin.size && zout.pos < zout.size);
	}
	ZSTD_freeDStream(z);
	return ok;
}

static int walk_bytes(struct pf *p, struct fw_str bytes, uint64_t at, bool inflated);

/* Return: 1 when the packet was a compressed one, 0 when not, negative errno. */
static int compressed(struct pf *p, struct fw_str packet, bool inflated)
{
	struct fw_pb pb = fw_pb_of(packet);
	struct inflated out = { 0 };
	struct fw_pb_field f;
	uint64_t at = 0;
	int err = 0;

	do {
		if (fw_pb_next(&pb, &f) <= 0)
			return 0;
	} while (f.wire != FW_WIRE_LEN || (f.id != TP_COMPRESSED && f.id != TP_ZSTD_COMPRESSED));
	p->counts.packets[f.id]++;
	p->counts.packet_bytes[f.id] += f.s.len;
	if (inflated) {
		/* Compressed within compressed is not allowed; proto_trace_tokenizer.cc. */
		fw_health_add(p->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
		return 1;
	}
	if (!(f.id == TP_COMPRESSED ? zlib_packet(f.s, &out) : zstd_packet(f.s, &out)))
		fw_health_add(p->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	/* Bundles of it are read again in pass two. */
	if (p->src) {
		at = fw_source_inflated_end(p->src);
		err = fw_source_add(p->src, out.p, out.len);
	}
	if (!err && out.len)
		err = walk_bytes(p, (struct fw_str){ (const char *)out.p, out.len }, at, true);
	free(out.p);
	return err ? err : 1;
}

/* A compressed packet shows itself by its first field. */
static bool maybe_compressed(struct fw_str packet)
{
	const uint8_t *b = (const uint8_t *)packet.p;

	return packet.len > 2 && ((b[0] == 0x92 && b[1] == 0x03) || (b[0] == 0xaa && b[1] == 0x08));
}

static void cut(struct pf *p, uint64_t pos, uint64_t end)
{
	fw_health_add(p->health, p->on_small ? FW_H_fw_sf_bytes_lost : FW_H_fw_truncated_bytes,
		      FW_HEALTH_NO_IDX, (int64_t)(end - pos));
}

static int one_packet(struct pf *p, struct fw_str packet, uint64_t pos, bool inflated)
{
	int err = maybe_compressed(packet) ? compressed(p, packet, inflated) : 0;

	return err < 0 ? err : FW_MIN(pf_packet(p, packet, pos), 0);
}

static int walk_bytes(struct pf *p, struct fw_str bytes, uint64_t at, bool inflated)
{
	const uint8_t *b = (const uint8_t *)bytes.p;
	struct frame f;
	uint64_t pos;
	int err = 0;

	for (pos = 0; !err && pos < bytes.len; pos = f.body + f.len) {
		if (!read_frame(b + pos, bytes.len - pos, pos, &f) || f.len > bytes.len - f.body) {
			cut(p, pos, bytes.len);
			break;
		}
		if (f.is_packet && f.len)
			err = one_packet(p, (struct fw_str){ bytes.p + f.body, f.len }, at + f.body,
					 inflated);
	}
	return err;
}

static int walk(struct pf *p, struct fw_reader *w, uint64_t end)
{
	const uint8_t *b;
	struct frame f;
	uint64_t pos;
	size_t have;
	int err = 0;

	for (pos = 0; !err && pos < end; pos = f.body + f.len) {
		fw_progress("reading", pos, 2 * end);
		b = fw_reader_at(w, pos, HEAD, &have);
		if (!b)
			return -EIO;
		have = FW_MIN((uint64_t)have, end - pos);
		if (!read_frame(b, have, pos, &f) || f.len > end - f.body) {
			cut(p, pos, end);
			break;
		}
		if (!f.is_packet || !f.len)
			continue;
		if (f.len > PF_MAX_PACKET) {
			fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
			continue;
		}
		b = fw_reader_at(w, f.body, f.len, &have);
		if (!b)
			return -EIO;
		if (have < f.len) {
			cut(p, pos, end);
			break;
		}
		err = one_packet(p, (struct fw_str){ (const char *)b, f.len }, f.body, false);
	}
	return err;
}

int pf_feed(struct pf *p, struct fw_str packets)
{
	return walk_bytes(p, packets, 0, false);
}

int pf_read(struct pf *p, struct fw_source *src)
{
	struct fw_reader w = { .src = src };
	int err = walk(p, &w, fw_source_size(src));

	fw_reader_free(&w);
	if (!err && fw_source_cut(src))
		fw_health_add(p->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	if (!err && !p->n_packets && fw_source_size(src))
		err = fw_fail(EINVAL,
			      "%s: not understood: it begins like a Perfetto trace, but "
			      "no whole packet is in its %llu bytes",
			      fw_source_path(src), (unsigned long long)fw_source_size(src));
	return err;
}

int pf_index(struct pf *p)
{
	int err = pf_read(p, p->src);

	if (!err)
		err = pf_retry_deferred(p);
	pf_finish_stats(p);
	return err;
}
