// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader with a filter gives what the reader without one gives, filtered afterwards: also for
 * bundles that overlap in time, whose deltas go backwards, and where a bundle is missing.
 */
#include "input/input.h"

#include "bytes.h"
#include "tap.h"

#define CPUS 3
#define TIDS 40

static unsigned int state;

static unsigned int rnd(unsigned int n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

struct column {
	struct bytes b;
	uint32_t field;
};

/* One bundle of random switches and wakings from @ts on; Return: its last time. */
static int64_t bundle(struct bytes *trace, int cpu, int64_t ts, bool backwards)
{
	struct column c[12] = { 0 };
	struct bytes sched = { 0 }, fb = { 0 }, packet = { 0 };
	int n = 1 + rnd(20), i, k;
	int64_t end = ts;

	for (i = 0; i < n; i++) {
		uint64_t delta = i ? rnd(300) : (uint64_t)ts;

		if (i && backwards && !rnd(6))
			delta = (uint64_t) - (int64_t)rnd(200);
		end += i ? (int64_t)delta : 0;
		bytes_varint(&c[1].b, delta);
		bytes_varint(&c[2].b, rnd(3));
		bytes_varint(&c[3].b, rnd(TIDS));
		bytes_varint(&c[4].b, 100 + rnd(40));
		bytes_varint(&c[6].b, 0);
	}
	for (i = 0; i < n; i++) {
		bytes_varint(&c[7].b, i ? rnd(300) : (uint64_t)ts + rnd(50));
		bytes_varint(&c[8].b, rnd(TIDS));
		bytes_varint(&c[9].b, cpu);
		bytes_varint(&c[10].b, 120);
		bytes_varint(&c[11].b, 0);
	}
	bytes_len(&sched, 5, "name", 4);
	for (k = 1; k < 12; k++) {
		if (c[k].b.n)
			bytes_message(&sched, (uint32_t)k, &c[k].b);
		free(c[k].b.p);
	}
	bytes_int(&fb, 1, (uint64_t)cpu);
	bytes_message(&fb, 4, &sched);
	bytes_message(&packet, 1, &fb);
	bytes_message(trace, 1, &packet);
	free(sched.p);
	free(fb.p);
	free(packet.p);
	return end;
}

struct seen {
	int64_t ts;
	int type, cpu, a, b;
};

struct list {
	struct seen *s;
	size_t n, cap;
};

static void note(struct list *l, struct seen s)
{
	fw_grow(l->s, l->n, l->cap);
	l->s[l->n++] = s;
}

static void read_all(const char *path, struct fw_interest *filter, const struct fw_interest *want,
		     struct list *out)
{
	struct fw_input_opts opts = { .interest = filter };
	struct fw_health *h = fw_health_new();
	const struct fw_event *ev;
	struct fw_input *in;
	int cur[CPUS], i;

	for (i = 0; i < CPUS; i++)
		cur[i] = -1;
	if (fw_input_open(path, h, &in))
		return;
	fw_input_start(in, &opts);
	while (fw_input_next(in, &ev) > 0) {
		bool sw = ev->type == FW_EV_SCHED_SWITCH;
		int a = sw ? ev->sw.prev_tid : ev->waking.tid;
		int b = sw ? ev->sw.next_tid : ev->tid;

		if (!filter) {
			a = sw ? cur[ev->cpu] : a;
			b = sw ? b : cur[ev->cpu];
			cur[ev->cpu] = sw ? b : cur[ev->cpu];
			if (!(a < 0 || fw_interest_has(want, a) ||
			      (sw && fw_interest_has(want, b))))
				continue;
		}
		note(out, (struct seen){ ev->ts, ev->type, ev->cpu, a, b });
	}
	fw_input_close(in);
	fw_health_free(h);
}

static void one(unsigned int seed, bool overlap, bool backwards)
{
	struct fw_interest *want = fw_interest_new();
	struct bytes trace = { 0 };
	struct list whole = { 0 }, filtered = { 0 };
	int64_t ts[CPUS];
	size_t i, same;
	char path[32];
	int cpu;

	state = seed;
	for (cpu = 0; cpu < CPUS; cpu++)
		ts[cpu] = 100000;
	for (i = 0; i < 30; i++) {
		cpu = (int)rnd(CPUS);
		ts[cpu] = bundle(&trace, cpu, ts[cpu] + 1 + rnd(100), backwards && !rnd(4)) + 6000;
		if (overlap && !rnd(3))
			ts[cpu] -= 7000;
	}
	for (i = 0; i < 6; i++)
		fw_interest_add(want, (int)rnd(TIDS));
	if (bytes_file(&trace, path)) {
		ok(false, "a temporary file can be written");
		return;
	}
	read_all(path, NULL, want, &whole);
	read_all(path, want, want, &filtered);
	for (same = 0; same < whole.n && same < filtered.n; same++) {
		if (memcmp(&whole.s[same], &filtered.s[same], sizeof(struct seen)))
			break;
	}
	if (!ok(whole.n && whole.n == filtered.n && same == whole.n,
		"seed %u%s%s: %zu events of interest, filtered %zu", seed,
		overlap ? ", overlapping" : "", backwards ? ", backwards" : "", whole.n,
		filtered.n) &&
	    same < whole.n && same < filtered.n)
		diag("first difference at %zu: time %" PRId64 " and %" PRId64, same,
		     whole.s[same].ts, filtered.s[same].ts);
	unlink(path);
	free(trace.p);
	free(whole.s);
	free(filtered.s);
	fw_interest_free(want);
}

int main(void)
{
	unsigned int seed;

	for (seed = 1; seed <= 60; seed++)
		one(seed, seed % 4 >= 2, seed % 4 == 3);
	return done_testing();
}
