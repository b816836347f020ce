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

static int walk(struct pf *p, struct fw_reader *w, uint64_t start, uint64_t end, bool inflated);

static int zlib_packet(struct pf *p, struct fw_str in, bool *ok)
{
	uint8_t *out = fw_zalloc(CHUNK);
	z_stream z = { 0 };
	uint64_t total = 0;
	int ret = Z_OK, err = 0;

	*ok = inflateInit2(&z, 15 + 32) == Z_OK;
	z.next_in = (uint8_t *)in.p;
	z.avail_in = (uInt)in.len;
	while (*ok && !err && ret != Z_STREAM_END) {
		z.next_out = out;
		z.avail_out = CHUNK;
		ret = inflate(&z, Z_NO_FLUSH);
		total += CHUNK - z.avail_out;
		*ok = (ret == Z_OK || ret == Z_STREAM_END) && total <= MAX_INFLATED;
		if (ret == Z_OK && !z.avail_in && z.avail_out)
			*ok = false;
		if (total <= MAX_INFLATED)
			err = fw_source_add(p->src, out, CHUNK - z.avail_out);
	}
	inflateEnd(&z);
	free(out);
	return err;
}

static int zstd_packet(struct pf *p, struct fw_str in, bool *ok)
{
	ZSTD_inBuffer zin = { in.p, in.len, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	uint8_t *out = fw_zalloc(CHUNK);
	uint64_t total = 0;
	size_t ret = 1;
	int err = 0;

	*ok = z != NULL;
	while (*ok && !err && ret) {
		ZSTD_outBuffer zout = { out, CHUNK, 0 };

		ret = ZSTD_decompressStream(z, &zout, &zin);
		*ok = !ZSTD_isError(ret);
		total += *ok ? zout.pos : 0;
		*ok &= total <= MAX_INFLATED;
		/* Nothing in, nothing out, and still not at the end: the frame is cut. */
		if (*ok && ret && zin.pos == zin.size && zout.pos < zout.size)
			*ok = false;
		if (zout.pos && total <= MAX_INFLATED)
			err = fw_source_add(p->src, out, zout.pos);
	}
	ZSTD_freeDStream(z);
	free(out);
	return err;
}

/* Return: 1 when the packet was a compressed one, 0 when not, negative errno. */
static int compressed(struct pf *p, struct fw_str packet, bool inflated)
{
	uint64_t start = fw_source_inflated_end(p->src);
	struct fw_pb pb = fw_pb_of(packet);
	struct fw_reader w = { .src = p->src };
	struct fw_pb_field f;
	bool ok = true;
	int err;

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
	err = f.id == TP_COMPRESSED ? zlib_packet(p, f.s, &ok) : zstd_packet(p, f.s, &ok);
	if (!ok)
		fw_health_add(p->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	if (!err)
		err = walk(p, &w, start, fw_source_inflated_end(p->src), true);
	fw_reader_free(&w);
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
	fw_health_add(p->health, FW_H_fw_truncated_bytes, FW_HEALTH_NO_IDX, (int64_t)(end - pos));
}

static int walk(struct pf *p, struct fw_reader *w, uint64_t start, uint64_t end, bool inflated)
{
	struct fw_str packet;
	const uint8_t *b;
	struct frame f;
	uint64_t pos;
	size_t have;
	int err = 0;

	for (pos = start; !err && pos < end; pos = f.body + f.len) {
		if (!inflated)
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
		packet = (struct fw_str){ (const char *)b, f.len };
		err = maybe_compressed(packet) ? compressed(p, packet, inflated) : 0;
		if (!err)
			err = pf_packet(p, packet, f.body);
		err = FW_MIN(err, 0);
	}
	return err;
}

int pf_index(struct pf *p)
{
	struct fw_reader w = { .src = p->src };
	int err;

	err = walk(p, &w, 0, fw_source_size(p->src), false);
	fw_reader_free(&w);
	if (!err && fw_source_cut(p->src))
		fw_health_add(p->health, FW_H_fw_bad_compressed, FW_HEALTH_NO_IDX, 1);
	if (!err)
		err = pf_retry_deferred(p);
	pf_finish_stats(p);
	return err;
}
