// SPDX-License-Identifier: GPL-2.0-or-later
/* Whatever the order that records of two CPUs come in, the states of a thread add up to each span. */
#include <stdlib.h>

#include "live/tally.h"
#include "tap.h"

#define N 4000
#define SPAN 10000u
#define TID 7

union rec {
	struct fw_rec rec;
	struct fw_rec_ran ran;
	struct fw_rec_waited waited;
	struct fw_rec_open open;
};

static union rec recs[N];

/* A thread that runs, sleeps and waits for a CPU, without a gap; in order of time. */
static void make_records(uint64_t now)
{
	for (int i = 0; i < N; i++) {
		uint64_t start = now;

		now += 1 + (uint64_t)(rand() % 900);
		if (i % 2) {
			recs[i].ran = (struct fw_rec_ran){
				.rec = { .size = sizeof(recs[i].ran),
					 .type = FW_REC_RAN,
					 .ts = now },
				.ran = { .tid = TID, .start = start, .state = FW_RS_SLEEPING },
			};
		} else {
			recs[i].waited = (struct fw_rec_waited){
				.rec = { .size = sizeof(recs[i].waited),
					 .type = FW_REC_WAITED,
					 .ts = now },
				.waited = { .tid = TID,
					    .start = start,
					    .wake = rand() % 3 ? start + (now - start) / 2 : 0,
					    .state = FW_RS_SLEEPING },
			};
		}
	}
}

/* All up to @to, and some of later, in no order. */
static int add_until(struct fw_tally *t, int from, uint64_t to)
{
	int end = from, order[64], n;

	while (end < N && (recs[end].rec.ts <= to || rand() % 3))
		end++;
	while (from < end) {
		n = end - from < 64 ? end - from : 64;
		for (int i = 0; i < n; i++) {
			int k = rand() % (i + 1);

			order[i] = order[k];
			order[k] = from + i;
		}
		for (int i = 0; i < n; i++)
			fw_tally_add(t, &recs[order[i]].rec);
		from += n;
	}
	return end;
}

static uint64_t sum_of(const struct fw_tally_row *r)
{
	return r->running + r->runnable + r->preempted + r->sleeping + r->blocked + r->other;
}

static void check_spans(void)
{
	struct fw_tally *t = fw_tally_new();
	uint64_t from = 1000000, first = from - 5000;
	struct fw_tally_row *rows;
	int at = 0, wrong = 0, spans = 0;

	make_records(first);
	fw_tally_begin(t, from);
	for (; at < N - 100; from += SPAN) {
		fw_tally_end(t, from + SPAN);
		at = add_until(t, at, from + SPAN);
		if (fw_tally_take(t, &rows) != 1 || sum_of(rows) != SPAN)
			wrong++;
		free(rows);
		spans++;
	}
	ok(spans > 100, "%d spans", spans);
	is_int(wrong, 0, "each is the sum of the states, to the nanosecond");
	fw_tally_free(t);
}

/* A snapshot tells of a sleep that goes on; one that is older than what is known tells nothing. */
static void check_open(void)
{
	struct fw_tally *t = fw_tally_new();
	struct fw_rec_open open = {
		.rec = { .size = sizeof(open), .type = FW_REC_OPEN, .ts = 900 },
		.waited = { .tid = TID, .start = 100, .state = FW_RS_SLEEPING },
	};
	struct fw_rec_waited waited = {
		.rec = { .size = sizeof(waited), .type = FW_REC_WAITED, .ts = 1200 },
		.waited = { .tid = TID, .start = 100, .state = FW_RS_SLEEPING },
	};
	struct fw_tally_row *rows;

	fw_tally_begin(t, 1000);
	fw_tally_add(t, &waited.rec);
	fw_tally_add(t, &open.rec);
	fw_tally_end(t, 2000);
	is_int(fw_tally_take(t, &rows), 1, "one thread");
	is_int(rows->sleeping, 200, "what was before the first span counts nowhere");
	is_int(rows->running, 800, "an older snapshot changes nothing");
	free(rows);
	open.rec.ts = 3100;
	open.waited.start = 2500;
	open.waited.wake = 3050;
	fw_tally_end(t, 3000);
	fw_tally_add(t, &open.rec);
	fw_tally_take(t, &rows);
	is_int(rows->sleeping, 500, "a sleep that goes on counts until the end of the span");
	is_int(rows->runnable, 0, "and its wake after that end does not");
	free(rows);
	fw_tally_free(t);
}

int main(void)
{
	srand(1);
	check_spans();
	check_open();
	return done_testing();
}
