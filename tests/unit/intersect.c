// SPDX-License-Identifier: GPL-2.0-or-later
/* States inside windows: against a plain double loop, in an order that the sorter must undo. */
#include "table/intersect.h"

#include "tap.h"

#define N 300
#define KEYS 5
#define THREADS 4
#define REST 99

struct item {
	uint32_t utid;
	int64_t start, end;
	uint64_t key;
};

static struct item windows[N], states[N];
static int64_t got[N][KEYS + 1], want[N][KEYS + 1];
static unsigned int state = 1;

static unsigned int rnd(unsigned int n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

static int sum(void *ctx, const void *payload, size_t len, uint64_t key, int64_t ns)
{
	uint32_t i;

	memcpy(&i, payload, sizeof(i));
	got[i][key == REST ? KEYS : key] += ns;
	return 0;
}

static void make(bool overlapping)
{
	int64_t at[THREADS] = { 0 };
	uint32_t i;

	for (i = 0; i < N; i++) {
		windows[i].utid = rnd(THREADS);
		windows[i].start = rnd(5000);
		windows[i].end = windows[i].start + 1 + rnd(400);
		states[i].utid = rnd(THREADS - 1);
		states[i].key = rnd(KEYS);
		states[i].start = overlapping ? rnd(5000) : at[states[i].utid] + rnd(30);
		states[i].end = states[i].start + 1 + rnd(90);
		at[states[i].utid] = states[i].end;
	}
}

static void expect(bool rest)
{
	uint32_t w, k;
	int64_t start, end;

	memset(want, 0, sizeof(want));
	memset(got, 0, sizeof(got));
	for (w = 0; w < N; w++) {
		int64_t left = windows[w].end - windows[w].start;

		for (k = 0; k < N; k++) {
			start = states[k].start > windows[w].start ? states[k].start
								   : windows[w].start;
			end = states[k].end < windows[w].end ? states[k].end : windows[w].end;
			if (states[k].utid != windows[w].utid || end <= start)
				continue;
			want[w][states[k].key] += end - start;
			left -= end - start;
		}
		want[w][KEYS] = rest ? left : 0;
	}
}

static void run(bool rest, const char *what)
{
	struct fw_intersect *x = fw_intersect_new();
	uint32_t i;

	expect(rest);
	for (i = 0; i < N; i++) {
		fw_intersect_window(x, windows[i].utid, windows[i].start, windows[i].end, &i,
				    sizeof(i));
		fw_intersect_state(x, states[i].utid, states[i].start, states[i].end,
				   states[i].key);
	}
	if (rest)
		fw_intersect_rest(x, REST);
	is_int(fw_intersect_run(x, sum, NULL), 0, "%s: swept", what);
	ok(!memcmp(got, want, sizeof(got)), "%s: as a double loop has it", what);
	fw_intersect_free(x);
}

int main(void)
{
	make(false);
	run(false, "states one after the other");
	run(true, "states and what they leave");
	make(true);
	run(false, "states that overlap");
	return done_testing();
}
