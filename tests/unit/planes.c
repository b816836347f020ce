// SPDX-License-Identifier: GPL-2.0-or-later
/* Records in planes: out comes what went in, whatever it was; what is no such payload is refused. */
#include <stdlib.h>
#include <string.h>

#include "base/planes.h"
#include "fwc_file.h"
#include "tap.h"

#define FULL (256u << 10)

static _Alignas(8) uint8_t records[FULL], was[FULL], back[FULL + 8];
static uint8_t planes[FULL + sizeof(struct fw_planes)];
static uint64_t seed = 1;

static uint32_t some(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Half of the words are near each other, as times and thread ids are. */
static void fill(uint8_t *p, size_t size)
{
	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t v = (uint64_t)some(1u << 31) << 40 ^ some(1u << 31);

		if (some(2))
			v = some(4) ? 1000000 + some(1000) : 0;
		memcpy(p + i, &v, 8);
	}
}

static size_t add(size_t len, unsigned int type, size_t size)
{
	struct fw_rec *r = (struct fw_rec *)(records + len);

	fill(records + len, size);
	/* Times that are as the record's own. */
	for (size_t at = 16; at < size; at += 8)
		if (!some(8))
			memcpy(records + len + at, &r->ts, sizeof(r->ts));
	r->size = (uint16_t)size;
	r->type = (uint8_t)type;
	return len + size;
}

/* Each type, known or not, as short and as long as can be; @max bytes at most. */
static size_t mixed(size_t max)
{
	size_t len = 0;

	for (;;) {
		unsigned int type = some(3) ? 1 + some(FW_REC_END) : some(256);
		size_t size = 16 + 8 * some(some(8) ? 16 : some(8) ? 64 : 8189);

		if (type == FW_REC_SWITCH && some(8))
			size = sizeof(struct fw_rec_switch);
		if (len + size > max)
			return len;
		len = add(len, type, size);
	}
}

/* The room is of exactly that size, so that a sanitizer sees what goes beyond it. */
static bool unpacks(const uint8_t *in, size_t n)
{
	uint8_t *from = malloc(n ? n : 1), *to = malloc(n ? n : 1);
	bool is;

	memcpy(from, in, n);
	is = fw_planes_unpack(from, n, to);
	if (is)
		memcpy(back, to, n - sizeof(struct fw_planes));
	free(from);
	free(to);
	return is;
}

static bool same(size_t len)
{
	size_t n;

	memcpy(was, records, len);
	n = fw_planes_pack(records, len, planes);
	return n == len + sizeof(struct fw_planes) && unpacks(planes, n) && !memcmp(back, was, len);
}

static void round_trips(void)
{
	bool is = true;

	for (int i = 0; i < 200; i++)
		is = is && same(mixed(1 + some(some(4) ? 4096 : FULL)));
	ok(is, "records of all types and sizes");
	for (unsigned int type = 0; type < 256; type++)
		for (size_t size = 16; size < 200; size += 8)
			is = is && same(add(0, type, size));
	ok(is, "one record, of each type and size");
	ok(same(add(0, 200, UINT16_MAX - 7)), "the longest one");
	ok(same(0), "no record");
	for (size_t len = 0; len < FULL;)
		len = add(len, FW_REC_CHECK, 16);
	ok(same(FULL), "as many as there is room for");
}

/* What the times become: see Documentation/capture.rst. */
static void known(void)
{
	struct fw_rec_waited waited = {
		.rec = { .size = sizeof(waited), .type = FW_REC_WAITED, .ts = 5000 },
		.waited = { .tid = 7, .start = 4000, .wake = 4900 },
	};
	struct fw_rec_ran ran = {
		.rec = { .size = sizeof(ran), .type = FW_REC_RAN, .ts = 5300 },
		.ran = { .tid = 7, .start = 5000 },
	};
	size_t ran_at = sizeof(struct fw_planes) + 2 * 8, waited_at = ran_at + 8 * 4;

	memcpy(records, &waited, sizeof(waited));
	memcpy(records + sizeof(waited), &ran, sizeof(ran));
	ok(same(sizeof(waited) + sizeof(ran)), "a thread waits, then runs");
	is_int(planes[8], sizeof(waited), "first bytes of all records");
	is_int(planes[9], sizeof(ran), "next to each other");
	is_int(planes[8 + 2 * 2], FW_REC_WAITED, "then third bytes");
	is_int(planes[ran_at] | planes[ran_at + 1] << 8, 300, "the time since the record before");
	is_int(planes[ran_at + 2 * 8], 0, "it ran since it came to the CPU");
	is_int(planes[waited_at + 2 * 8] | planes[waited_at + 2 * 8 + 1] << 8, 1000,
	       "a first interval: how long it was");
	is_int(planes[waited_at + 3 * 8], 100, "and how long before its end the wake was");
}

static void refused(void)
{
	size_t len = add(add(0, FW_REC_RAN, 40), FW_REC_MARK, 64), n;
	int held = 0;

	memcpy(was, records, len);
	((struct fw_rec *)was)->size = 44;
	memcpy(records, was, len);
	is_int(fw_planes_pack(records, len, planes), 0, "a size that is no multiple of 8");
	ok(!memcmp(records, was, len), "leaves all as it was");
	len = add(add(0, FW_REC_RAN, 40), FW_REC_MARK, 64);
	is_int(fw_planes_pack(records, len - 8, planes), 0, "a record that is cut");
	is_int(fw_planes_pack(records, 44, planes), 0, "and the head of one");

	n = fw_planes_pack(records, len, planes);
	ok(unpacks(planes, n), "what was packed can be unpacked");
	for (size_t i = 0; i < n; i++)
		held += unpacks(planes, i);
	is_int(held, 0, "but no part of it");
	planes[n] = 0;
	ok(!unpacks(planes, n + 1) && !unpacks(planes, n + 8), "nor more than it");
	for (size_t bit = 0; bit < 32; bit++) {
		planes[bit / 8] ^= 1u << bit % 8;
		held += unpacks(planes, n);
		planes[bit / 8] ^= 1u << bit % 8;
	}
	is_int(held, 0, "nor as another number of records");
}

/* Few of them are refused for their first record, some are taken. */
static void anything(void)
{
	int held = 0;

	for (int i = 0; i < 100000; i++) {
		struct fw_planes head = { .n = some(10) };
		size_t n = sizeof(head) + 8 * some(20);

		fill(planes, n);
		for (size_t j = 0; j < head.n && some(20); j++) {
			planes[sizeof(head) + j] = (uint8_t)(16 + 8 * some(3));
			planes[sizeof(head) + head.n + j] = 0;
		}
		if (!some(10))
			head.n = some(1u << 31);
		memcpy(planes, &head, sizeof(head));
		held += unpacks(planes, n);
	}
	ok(held > 0 && held < 100000, "of any bytes %d were records", held);
}

/* The chunks of the capture @from with their records in planes, for other tests. */
static int convert(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	struct fw_chunk h;
	struct bytes b = { 0 };

	if (!in || !out || fread(back, FW_CAPTURE_MAGIC_LEN, 1, in) != 1)
		return 1;
	bytes_put(&b, back, FW_CAPTURE_MAGIC_LEN);
	while (fread(&h, sizeof(h), 1, in) == 1) {
		size_t n;

		if (h.len > FULL || h.raw_len || fread(records, 1, h.len, in) != h.len)
			return 1;
		n = h.type == FW_CHUNK_RECS ? fw_planes_pack(records, h.len, planes) : 0;
		if (n)
			fwc_chunk(&b, FW_CHUNK_PLANES, planes, n);
		else
			fwc_chunk(&b, h.type, records, h.len);
	}
	if (fwrite(b.p, 1, b.n, out) != b.n || fclose(out))
		return 1;
	fclose(in);
	free(b.p);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--convert"))
		return convert(argv[2], argv[3]);
	round_trips();
	known();
	refused();
	anything();
	return done_testing();
}
