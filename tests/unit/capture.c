// SPDX-License-Identifier: GPL-2.0-or-later
/* A capture with known records comes out as known events; a cut or changed one never crashes. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "framewait/capture.h"
#include "input/input.h"
#include "live/capture.h"
#include "tap.h"

#define WANT(t) (UINT64_C(1) << (t))
#define MS INT64_C(1000000)
#define T0 (1000 * MS)

static char path[] = "/tmp/framewait-capture-XXXXXX";

static void put_waited(struct fw_capture *c, uint64_t ts, struct fw_waited w)
{
	struct fw_rec_waited r = {
		.rec = { .size = sizeof(r), .type = FW_REC_WAITED, .cpu = 1, .ts = ts },
		.waited = w,
	};

	fw_capture_record(c, &r.rec);
}

static void put_ran(struct fw_capture *c, uint64_t ts, uint32_t tid, uint32_t state, uint64_t start)
{
	struct fw_rec_ran r = {
		.rec = { .size = sizeof(r), .type = FW_REC_RAN, .cpu = 1, .ts = ts },
		.ran = { .tid = tid, .state = state, .start = start, .irq_ns = 7, .softirq_ns = 9 },
	};

	fw_capture_record(c, &r.rec);
}

static void put_open(struct fw_capture *c, uint64_t ts, uint32_t tid, uint32_t state,
		     uint64_t start)
{
	struct fw_rec_open r = {
		.rec = { .size = sizeof(r), .type = FW_REC_OPEN, .ts = ts },
		.waited = { .tid = tid, .state = state, .start = start },
	};

	fw_capture_record(c, &r.rec);
}

static void put_symbol(struct fw_capture *c, uint64_t addr, const char *name)
{
	struct fw_rec_symbol r = { .rec = { .type = FW_REC_SYMBOL },
				   .addr = addr,
				   .len = strlen(name) };

	fw_capture_record_text(c, &r.rec, sizeof(r), name, r.len);
}

static void put_check(struct fw_capture *c, uint64_t ts)
{
	struct fw_rec r = { .size = sizeof(r), .type = FW_REC_CHECK, .ts = ts };

	fw_capture_record(c, &r);
}

static void put_loss(struct fw_capture *c, uint64_t ts, uint64_t from, uint64_t n)
{
	struct fw_rec_loss r = {
		.rec = { .size = sizeof(r), .type = FW_REC_LOSS, .cpu = 1, .ts = ts },
		.from = from,
		.n = n,
	};

	fw_capture_record(c, &r.rec);
}

/*
 * Thread 10: blocked with io_wait 5 to 8 ms, woken by 20, runs from 9 ms to 10, then sleeps. Thread
 * 11: its wake stood before its switch-out. Thread 12: stopped all the time. The records stand
 * out of order, as rings of several CPUs give them.
 */
static void write_capture(bool end)
{
	struct fw_capture *c;

	if (fw_capture_open(path, &c))
		return;
	fw_capture_text(
		c, FW_CHUNK_META,
		"record_version=1\nkernel=6.18.0\ncpus=2\nstart_ns=1000000000\nrungs=sched,irq\n");
	put_ran(c, T0 + 10 * MS, 10, FW_RS_SLEEPING, T0 + 9 * MS);
	put_open(c, T0 + 11 * MS, 10, FW_RS_SLEEPING, T0 + 10 * MS);
	put_open(c, T0 + 2 * MS, 12, FW_RS_STOPPED | FW_RSF_SNAPSHOT, T0);
	fw_capture_flush(c);
	put_waited(c, T0 + 9 * MS,
		   (struct fw_waited){ .tid = 10,
				       .state = FW_RS_BLOCKED | FW_RSF_IO_KNOWN | FW_RSF_IO_WAIT,
				       .start = T0 + 5 * MS,
				       .wake = T0 + 8 * MS,
				       .waker = 20,
				       .wchan = 0xffff0001 });
	put_waited(c, T0 + 4 * MS,
		   (struct fw_waited){ .tid = 11,
				       .state = FW_RS_BLOCKED | FW_RSF_WAKE_RACE,
				       .start = T0 + 3 * MS,
				       .wake = T0 + 3 * MS,
				       .waker = 10 });
	put_symbol(c, 0xffff0001, "submit_bio_wait");
	put_loss(c, T0 + 15 * MS, T0 + 12 * MS, 5);
	put_check(c, T0 + 20 * MS);
	if (end)
		fw_capture_text(c, FW_CHUNK_DONE, "end_ns=1020000000\nwchan_failed=3\n");
	fw_capture_close(c);
}

static int read_events(struct fw_health *health, uint64_t wants, int64_t piece_ns,
		       struct fw_ev_interval *iv, int max, char names[][32])
{
	struct fw_input_opts opts = { .wants = wants, .piece_ns = piece_ns };
	const struct fw_event *ev;
	struct fw_input *in;
	int64_t last = INT64_MIN;
	int n = 0, err = fw_input_open(path, health, &in);

	if (err)
		return err;
	err = fw_input_start(in, &opts);
	while (!err && (err = fw_input_next(in, &ev)) > 0) {
		err = ev->ts < last ? -EPROTO : 0;
		last = ev->ts;
		if (ev->type == FW_EV_INTERVAL && n < max) {
			iv[n] = ev->interval;
			snprintf(names[n], 32, "%.*s", FW_STR_ARG(ev->interval.function));
		}
		n++;
	}
	fw_input_close(in);
	return err ? err : n;
}

static void known(void)
{
	struct fw_health *h = fw_health_new();
	struct fw_ev_interval iv[16];
	char name[16][32];
	int n;

	write_capture(true);
	n = read_events(h, WANT(FW_EV_INTERVAL), 0, iv, 16, name);
	is_int(n, 6, "six intervals");
	is_int(iv[0].state, FW_RS_RUNNABLE, "a wake before its switch-out: no sleep is left");
	ok(iv[0].tid == 11 && iv[0].start == T0 + 3 * MS && iv[0].end == T0 + 4 * MS,
	   "and runnable begins at the switch-out");
	ok(iv[1].tid == 10 && iv[1].state == FW_RS_BLOCKED && iv[1].io_wait == 1 &&
		   iv[1].end == T0 + 8 * MS,
	   "blocked with io_wait until the wake");
	ok(!strcmp(name[1], "submit_bio_wait"), "in its function, named after it was used");
	ok(iv[2].state == FW_RS_RUNNABLE && iv[2].waker_tid == 20, "then runnable, by its waker");
	ok(iv[3].state == FW_RS_RUNNING && iv[3].irq_ns == 7 && iv[3].softirq_ns == 9,
	   "then running, with its interrupts");
	ok(iv[4].end == T0 + 20 * MS && iv[5].end == T0 + 20 * MS,
	   "what was not over holds until the last check");
	is_int(fw_health_sum(h, FW_H_fw_ring_lost), 5, "losses are counted");
	is_int(fw_health_sum(h, FW_H_fw_wchan_failed), 3, "and what the recorder counted");
	is_int(fw_health_sum(h, FW_H_fw_capture_unfinished), 0, "it has an end");
	n = read_events(h, WANT(FW_EV_INTERVAL), 4 * MS, iv, 16, name);
	is_int(n, 6 + 2 + 4, "long sleeps in pieces: 10 ms in 3, 20 ms in 5");
	fw_health_free(h);
}

static void events(void)
{
	struct fw_health *h = fw_health_new();
	int n;

	n = read_events(h, WANT(FW_EV_SCHED_SWITCH), 0, NULL, 0, NULL);
	is_int(n, 3, "as events: a switch for each record of one");
	n = read_events(h, WANT(FW_EV_SCHED_WAKING) | WANT(FW_EV_BLOCKED_REASON), 0, NULL, 0, NULL);
	is_int(n, 4, "and a wake and a reason for each blocked sleep");
	n = read_events(h, WANT(FW_EV_LOST), 0, NULL, 0, NULL);
	is_int(n, 1, "and one loss");
	fw_health_free(h);
}

/* A chunk that is no records is counted as one of a wrong checksum is; what stands around it holds. */
static void no_records(void)
{
	struct fw_health *h = fw_health_new();
	struct fw_ev_interval iv[1];
	char name[1][32];
	struct fw_capture *c;

	if (fw_capture_open(path, &c))
		return;
	fw_capture_text(c, FW_CHUNK_META, "record_version=1\nstart_ns=1000000000\nrungs=sched\n");
	put_ran(c, T0 + 2 * MS, 10, FW_RS_SLEEPING, T0 + 1 * MS);
	fw_capture_chunk(c, FW_CHUNK_PLANES, "no records", 10);
	put_ran(c, T0 + 4 * MS, 10, FW_RS_SLEEPING, T0 + 3 * MS);
	fw_capture_close(c);
	is_int(read_events(h, WANT(FW_EV_INTERVAL), 0, iv, 1, name), 2, "before it and after it");
	is_int(fw_health_sum(h, FW_H_fw_bad_packets), 1, "and one bad chunk");
	fw_health_free(h);
}

/* Each cut, and each byte changed: an answer or an error, in bounded time. */
static void damaged(void)
{
	struct fw_ev_interval iv[16];
	char name[16][32];
	uint8_t buf[4096];
	FILE *f = fopen(path, "rb");
	size_t len = fread(buf, 1, sizeof(buf), f);
	int answers = 0;

	fclose(f);
	for (size_t i = 0; i < 2 * len; i++) {
		struct fw_health *h = fw_health_new();
		size_t cut = i < len ? i : len;

		f = fopen(path, "wb");
		if (i >= len)
			buf[i - len] ^= 0x41;
		fwrite(buf, 1, cut, f);
		fclose(f);
		answers += read_events(h, WANT(FW_EV_INTERVAL), MS, iv, 16, name) >= 0;
		fw_fail_clear();
		if (i >= len)
			buf[i - len] ^= 0x41;
		fw_health_free(h);
	}
	ok(answers > 100, "cuts and changes: %d of %zu still give an answer", answers, 2 * len);
}

int main(void)
{
	struct fw_health *h = fw_health_new();
	struct fw_ev_interval iv[1];
	char name[1][32];

	close(mkstemp(path));
	known();
	events();
	write_capture(false);
	read_events(h, WANT(FW_EV_INTERVAL), 0, iv, 1, name);
	is_int(fw_health_sum(h, FW_H_fw_capture_unfinished), 1, "without an end: it says so");
	fw_health_free(h);
	damaged();
	no_records();
	unlink(path);
	return done_testing();
}
