// SPDX-License-Identifier: GPL-2.0-or-later
/* Conversions between clocks; the rules are of facts about clock_synchronizer.h, v57.2. */
#include "input/clock.h"

#include "tap.h"

enum { REALTIME = 1, MONO = 3, RAW = 5, BOOT = 6 };

static int pair(struct fw_clock *c, uint64_t k1, int64_t v1, uint64_t k2, int64_t v2)
{
	struct fw_clock_value v[] = { { .key = k1, .value = v1 }, { .key = k2, .value = v2 } };

	return fw_clock_snapshot(c, v, 2);
}

static int64_t to_trace(struct fw_clock *c, uint64_t key, int64_t ns)
{
	int64_t out = 0;

	return fw_clock_to_trace(c, key, ns, FW_CLOCK_ALL, &out) == FW_CLOCK_OK ? out : -1;
}

static void test_offsets(void)
{
	struct fw_clock *c = fw_clock_new();
	int64_t out;

	is_int(fw_clock_to_trace(c, MONO, 5, FW_CLOCK_ALL, &out), FW_CLOCK_UNKNOWN_SOURCE,
	       "without a snapshot a clock is unknown");
	is_int(to_trace(c, BOOT, 5), 5, "but the trace clock is itself");
	pair(c, BOOT, 1000, MONO, 400);
	pair(c, BOOT, 2000, MONO, 1300);
	is_int(to_trace(c, MONO, 410), 1010, "offset of the first snapshot");
	is_int(to_trace(c, MONO, 1299), 1899, "holds until the second");
	is_int(to_trace(c, MONO, 1300), 2000, "and from there on the second's");
	is_int(to_trace(c, MONO, 100), 700, "before the first one, the first one's");
	is_int(fw_clock_to_trace(c, MONO, 1400, 1, &out), FW_CLOCK_OK, "held to one snapshot");
	is_int(out, 2000, "a later one does not count");
	fw_clock_free(c);
}

static void test_hops(void)
{
	struct fw_clock *c = fw_clock_new();
	int64_t out;

	pair(c, BOOT, 1000, MONO, 400);
	pair(c, MONO, 500, RAW, 50);
	is_int(to_trace(c, RAW, 60), 1110, "two hops");
	pair(c, REALTIME, 9, 128, 1);
	is_int(fw_clock_to_trace(c, REALTIME, 9, FW_CLOCK_ALL, &out), FW_CLOCK_NO_PATH,
	       "clocks that share no snapshot have no path");
	fw_clock_free(c);
}

static void test_backwards(void)
{
	struct fw_clock *c = fw_clock_new();

	pair(c, BOOT, 1000, MONO, 400);
	ok(pair(c, BOOT, 900, MONO, 500) < 0, "the trace clock may not go backwards");
	is_int(to_trace(c, MONO, 520), 1120, "and such a snapshot is not used");
	is_int(pair(c, BOOT, 2000, MONO, 300), 0, "another clock may");
	is_int(to_trace(c, MONO, 520), -1, "but is no source any more");
	fw_clock_free(c);
}

static void test_contradictions(void)
{
	struct fw_clock *c = fw_clock_new();
	struct fw_clock_value twice[] = { { .key = MONO, .value = 1 },
					  { .key = MONO, .value = 2 } };
	struct fw_clock_value delta = { .key = MONO, .value = 1, .incremental = true };
	struct fw_clock_value unit[] = { { .key = RAW, .value = 1, .unit_ns = 10 },
					 { .key = BOOT, .value = 7 } };

	ok(fw_clock_snapshot(c, twice, 2) < 0, "a clock stands once in a snapshot");
	ok(fw_clock_snapshot(c, &delta, 1) < 0, "only a sequence's clock is incremental");
	is_int(fw_clock_snapshot(c, unit, 2), 0, "a clock may count in tens of ns");
	is_int(fw_clock_ns(c, RAW, 3), 30, "its values are scaled");
	unit[0].unit_ns = 100;
	ok(fw_clock_snapshot(c, unit, 2) < 0, "but not change its unit");
	fw_clock_free(c);
}

static void test_incremental(void)
{
	struct fw_clock *c = fw_clock_new();
	uint64_t key = fw_clock_key(64, 7);
	struct fw_clock_value v[] = {
		{ .key = BOOT, .value = 5000 },
		{ .key = key, .value = 100, .unit_ns = 10, .incremental = true },
	};

	ok(key != fw_clock_key(64, 8), "a sequence's clock is its own");
	is_int((int64_t)fw_clock_key(MONO, 7), MONO, "a builtin clock is everyone's");
	fw_clock_snapshot(c, v, 2);
	is_int(to_trace(c, key, fw_clock_ns(c, key, 1)), 5010, "first delta");
	is_int(to_trace(c, key, fw_clock_ns(c, key, 2)), 5030, "second delta adds");
	fw_clock_free(c);
}

static void test_trace_clock(void)
{
	struct fw_clock *c = fw_clock_new();

	fw_clock_set_trace(c, MONO);
	pair(c, BOOT, 1000, MONO, 400);
	is_int(to_trace(c, BOOT, 1020), 420, "the recording may name another time axis");
	fw_clock_set_trace(c, BOOT);
	is_int((int64_t)fw_clock_trace(c), MONO, "which stays after the first conversion");
	fw_clock_free(c);
}

static void test_absurd(void)
{
	struct fw_clock *c = fw_clock_new();
	struct fw_clock_value many[64];
	int64_t out;
	int i;

	for (i = 0; i < 64; i++)
		many[i] = (struct fw_clock_value){ .key = 200 + (uint64_t)i, .value = i };
	ok(fw_clock_snapshot(c, many, 64) < 0, "a snapshot of too many clocks is refused");
	pair(c, BOOT, INT64_MAX, MONO, INT64_MIN);
	is_int(fw_clock_to_trace(c, MONO, INT64_MAX, FW_CLOCK_ALL, &out), FW_CLOCK_OK,
	       "extreme values wrap, they do not trap");
	fw_clock_free(c);
}

int main(void)
{
	test_offsets();
	test_hops();
	test_backwards();
	test_contradictions();
	test_incremental();
	test_trace_clock();
	test_absurd();
	return done_testing();
}
