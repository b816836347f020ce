// SPDX-License-Identifier: GPL-2.0-or-later
/* Wanted threads found among packed thread ids: equal to decoding all and asking for each. */
#include "input/perfetto/wanted.h"

#include "bytes.h"
#include "input/input.h"
#include "tap.h"

#define VALUES 700

static unsigned int state = 1;

static uint32_t rnd(uint32_t below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 8) % below;
}

/* @v with bytes that add nothing: no recorder writes such, a damaged file may. */
static void put_padded(struct bytes *b, uint32_t v, int pad)
{
	bytes_varint(b, v);
	for (; pad; pad--) {
		b->p[b->n - 1] |= (char)0x80;
		bytes_put(b, "", 1);
	}
}

static void fill(struct bytes *b, int32_t *tids, int bits, bool padded)
{
	size_t i;

	/* What stands before a column is its length. */
	b->n = 0;
	bytes_put(b, "\xff\xff", 2);
	for (i = 0; i < VALUES; i++) {
		tids[i] = (int32_t)rnd(1u << (rnd(2) ? bits : FW_MIN(bits, 8)));
		put_padded(b, (uint32_t)tids[i], padded && !rnd(8) ? 1 : 0);
	}
}

/* A message with @b as the thread ids of its switches; the other columns do not matter here. */
static void open_stream(struct pf_stream *s, const struct bytes *b, bool packed)
{
	s->tid = (struct pf_column){ .p = (const uint8_t *)b->p + 2, .len = b->n - 2 };
	s->tid.n = fw_count_varints(s->tid.p, s->tid.len);
	s->n = s->tid.n;
	s->packed = packed;
}

static bool find(struct pf_wanted *w, struct pf_stream *s, const struct fw_interest *in,
		 const int32_t *tids)
{
	size_t n = 0, i;
	bool same = true;

	pf_wanted_set(w, in);
	pf_wanted_find(w, s);
	for (i = 0; i < s->n; i++) {
		if (fw_interest_has(in, tids[i])) {
			same &= n < w->n_hits && w->hits[n] == i;
			n++;
		}
	}
	return same && n == w->n_hits;
}

static void test_find(int bits, size_t wanted, bool padded)
{
	struct fw_interest *in = fw_interest_new();
	struct pf_wanted w = { 0 };
	struct pf_stream s = { 0 };
	struct bytes b = { 0 };
	int32_t tids[VALUES];
	bool same = true;
	size_t i;
	int run;

	for (run = 0; run < 40; run++) {
		fill(&b, tids, bits, padded);
		bytes_put(&b, "\x05\xff\x05\xff\x05\xff\x05\xff\x05\xff\x05\xff\x05\xff\x05\xff",
			  PF_COMPACT_PAD);
		b.n -= PF_COMPACT_PAD;
		for (i = 0; i < wanted; i++)
			fw_interest_add(in, tids[rnd(VALUES)]);
		open_stream(&s, &b, true);
		s.n -= rnd(3);
		same &= find(&w, &s, in, tids);
	}
	ok(same, "%d bits, %zu more wanted each time%s", bits, wanted,
	   padded ? ", some longer than need be" : "");
	free(s.pid);
	free(b.p);
	pf_wanted_free(&w);
	fw_interest_free(in);
}

static void test_first(void)
{
	struct fw_interest *in = fw_interest_new();
	struct pf_wanted w = { 0 };
	struct pf_stream s = { 0 };
	struct bytes b = { 0 };
	const int32_t tids[] = { 5, 5 };

	bytes_put(&b, "\xff\xff\x05\x05", 4);
	bytes_put(&b, "                ", PF_COMPACT_PAD);
	b.n -= PF_COMPACT_PAD;
	fw_interest_add(in, 5);
	open_stream(&s, &b, true);
	ok(find(&w, &s, in, tids), "the first value is found once, whatever stands before it");
	free(b.p);
	pf_wanted_free(&w);
	fw_interest_free(in);
}

int main(void)
{
	test_first();
	for (int bits = 4; bits <= 19; bits += 5) {
		test_find(bits, 0, false);
		test_find(bits, 1, false);
		test_find(bits, 1, true);
		/* More than one looks for. */
		test_find(bits, 60, false);
	}
	return done_testing();
}
