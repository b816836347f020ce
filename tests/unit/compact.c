// SPDX-License-Identifier: GPL-2.0-or-later
/* Packed arrays of compact sched: values found by counting equal values found by decoding. */
#include "input/perfetto/compact.h"

#include "bytes.h"
#include "tap.h"

static unsigned int state = 1;

static uint64_t rnd(void)
{
	state = state * 1103515245u + 12345u;
	return (uint64_t)(state >> 8) >> (state % 24);
}

/* A value of one, two, three ... or ten bytes. */
static uint64_t value(int widest)
{
	uint64_t v = rnd();

	return widest == 1 ? v & 0x7f : widest < 10 ? v & ((1ULL << 7 * widest) - 1) : -v;
}

static void test_columns(int widest)
{
	struct bytes b = { 0 };
	struct pf_column c;
	int64_t v[500];
	bool same = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		v[i] = (int64_t)value(widest);
		bytes_varint(&b, (uint64_t)v[i]);
	}
	c = (struct pf_column){ .p = (const uint8_t *)b.p, .len = b.n };
	c.n = fw_count_varints(c.p, c.len);
	is_int((int64_t)c.n, ARRAY_SIZE(v), "%d bytes: values are counted", widest);
	for (i = 0; i < ARRAY_SIZE(v); i += 1 + rnd() % 40)
		same &= pf_column_at(&c, i) == v[i];
	ok(same, "%d bytes: ascending look-ups", widest);
	ok(pf_column_at(&c, 3) == v[3], "%d bytes: and back", widest);
	is_int(pf_column_at(&c, ARRAY_SIZE(v)), 0, "%d bytes: beyond the end", widest);
	free(b.p);
}

static void put_column(struct bytes *m, uint32_t field, const uint64_t *v, size_t n)
{
	struct bytes b = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		bytes_varint(&b, v[i]);
	bytes_message(m, field, &b);
	free(b.p);
}

/* Three switches, with @prios priorities and @comm as the last one's comm index. */
static int decode(struct pf_compact *c, size_t prios, uint64_t comm)
{
	uint64_t ts[] = { 1ULL << 40, 100, 70000 }, st[] = { 0, 1, 256 }, pid[] = { 1, 300, 70000 };
	uint64_t prio[] = { 120, 97, 139 }, comms[] = { 0, 1, comm };
	struct bytes m = { 0 };
	int errors = -1;

	put_column(&m, CS_SWITCH_TS, ts, 3);
	put_column(&m, CS_SWITCH_STATE, st, 3);
	put_column(&m, CS_SWITCH_PID, pid, 3);
	put_column(&m, CS_SWITCH_PRIO, prio, prios);
	bytes_len(&m, CS_INTERN, "a", 1);
	bytes_len(&m, CS_INTERN, "b", 1);
	put_column(&m, CS_SWITCH_COMM, comms, 3);
	bytes_put(&m, "                ", PF_COMPACT_PAD);
	pf_compact_decode(c, (struct fw_str){ m.p, m.n - PF_COMPACT_PAD }, false, &errors);
	is_int((int64_t)c->n_intern, 2, "the names");
	if (c->sw.n == 3) {
		is_int(c->sw.ts[2], (1LL << 40) + 70100, "times add up");
		is_int(c->sw.pid[2], 70000, "pids");
		is_int(pf_column_at(&c->state, 2), 256, "states");
		is_int(pf_column_at(&c->sw.prio, 2), 139, "priorities");
	}
	free(m.p);
	return errors;
}

int main(void)
{
	struct pf_compact c = { 0 };
	int widest;

	for (widest = 1; widest <= 10; widest++)
		test_columns(widest == 8 || widest == 9 ? 7 : widest);
	is_int(decode(&c, 3, 1), 0, "a whole bundle has no errors");
	is_int((int64_t)c.sw.n, 3, "and all its switches");
	is_int(decode(&c, 2, 1), 1, "arrays of unequal length are an error");
	is_int((int64_t)c.sw.n, 2, "the shortest counts");
	is_int(decode(&c, 3, 2), 1, "a comm beyond the table is an error");
	is_int((int64_t)c.sw.n, 2, "that ends the array");
	pf_compact_free(&c);
	return done_testing();
}
