// SPDX-License-Identifier: GPL-2.0-or-later
/* A growing Perfetto file is cut into whole packets; what is no packet is counted to the byte. */
#include "live/sf_packets.h"

#include "base/proto.h"
#include "bytes.h"
#include "tap.h"

static struct fw_sf_cut cut;
static struct fw_str packet;
static uint32_t kinds;

static void add_packet(struct bytes *b, uint32_t field)
{
	struct bytes packet = { 0 };

	bytes_int(&packet, TP_TIMESTAMP, 5);
	bytes_len(&packet, field, "abc", 3);
	bytes_message(b, TRACE_PACKET, &packet);
	free(packet.p);
}

static void add(const struct bytes *b, size_t from, size_t to)
{
	fw_sf_cut_add(&cut, b->p + from, to - from);
}

static void test_kinds(void)
{
	static const struct {
		uint32_t field, kinds;
	} of[] = {
		{ TP_FRAME_TIMELINE, FW_SFK_FRAME_TIMELINE },
		{ TP_GRAPHICS_FRAME, FW_SFK_FRAME_TRACER },
		{ TP_COMPRESSED, FW_SFK_PACKED },
		{ TP_CLOCK_SNAPSHOT, FW_SFK_STATE },
		{ TP_PROCESS_TREE, FW_SFK_STATE },
		{ TP_FTRACE_EVENTS, 0 },
		{ TP_TRACK_EVENT, 0 },
	};
	struct bytes b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(of); i++)
		add_packet(&b, of[i].field);
	add(&b, 0, b.n);
	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		ok(fw_sf_cut_next(&cut, &packet, &kinds), "field %u: a packet", of[i].field);
		is_int(kinds, of[i].kinds, "field %u: its kinds", of[i].field);
	}
	ok(!fw_sf_cut_next(&cut, &packet, &kinds), "and no more");
	fw_sf_cut_free(&cut);
	free(b.p);
}

static void test_half(void)
{
	struct bytes b = { 0 };
	size_t first;

	add_packet(&b, TP_FRAME_TIMELINE);
	first = b.n;
	add_packet(&b, TP_GRAPHICS_FRAME);
	for (size_t i = 0; i + 1 < first; i++) {
		add(&b, i, i + 1);
		ok(!fw_sf_cut_next(&cut, &packet, &kinds), "%zu bytes: not whole", i + 1);
	}
	add(&b, first - 1, b.n - 1);
	ok(fw_sf_cut_next(&cut, &packet, &kinds) && packet.len == first &&
		   !memcmp(packet.p, b.p, first),
	   "whole with its last byte");
	ok(!fw_sf_cut_next(&cut, &packet, &kinds), "the next one waits");
	fw_sf_cut_reset(&cut);
	is_int(cut.lost, b.n - 1 - first, "half a packet at the end of a stream is lost");
	add(&b, 0, first);
	ok(fw_sf_cut_next(&cut, &packet, &kinds), "the next stream begins with a packet");
	fw_sf_cut_free(&cut);
	free(b.p);
}

static void test_foreign(void)
{
	struct bytes b = { 0 };
	char *big = fw_zalloc(FW_SF_PACKET_MAX + 1);
	size_t from, first;

	bytes_int(&b, 2, 77);
	bytes_len(&b, 3, "no packet", 9);
	add_packet(&b, TP_FRAME_TIMELINE);
	first = b.n;
	add(&b, 0, b.n);
	ok(fw_sf_cut_next(&cut, &packet, &kinds) && kinds == FW_SFK_FRAME_TIMELINE,
	   "other fields of Trace are passed over");
	is_int(cut.lost, 0, "and are no loss");
	bytes_len(&b, TRACE_PACKET, big, FW_SF_PACKET_MAX + 1);
	from = b.n;
	add(&b, first, first + 100);
	ok(!fw_sf_cut_next(&cut, &packet, &kinds), "a packet that is too large");
	is_int(cut.lost, 100, "counts as it comes");
	add_packet(&b, TP_GRAPHICS_FRAME);
	add(&b, first + 100, b.n);
	ok(fw_sf_cut_next(&cut, &packet, &kinds) && kinds == FW_SFK_FRAME_TRACER,
	   "what follows it is read");
	is_int(cut.lost, from - first, "it counts to its last byte");
	fw_sf_cut_free(&cut);
	free(big);
	free(b.p);
}

static void test_broken(void)
{
	static const char *const bad[] = { "\x0b", "\x00\x00", "\x08\x01",
					   "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
					   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" };
	static const size_t len[] = { 1, 2, 2, 10, 11 };
	struct bytes b = { 0 };

	add_packet(&b, TP_FRAME_TIMELINE);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		add(&b, 0, b.n);
		fw_sf_cut_add(&cut, bad[i], len[i]);
		ok(fw_sf_cut_next(&cut, &packet, &kinds), "bad bytes %zu: the packet before", i);
		ok(!fw_sf_cut_next(&cut, &packet, &kinds) && cut.broken, "bad bytes %zu: broken",
		   i);
		add(&b, 0, b.n);
		ok(!fw_sf_cut_next(&cut, &packet, &kinds), "bad bytes %zu: and stays so", i);
		is_int(cut.lost, len[i] + b.n, "bad bytes %zu: all are counted", i);
		fw_sf_cut_free(&cut);
	}
	free(b.p);
}

int main(void)
{
	test_kinds();
	test_half();
	test_foreign();
	test_broken();
	return done_testing();
}
