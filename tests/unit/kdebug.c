// SPDX-License-Identifier: GPL-2.0-or-later
/* iOS CoreProfile RAW v2: what is a frame, what is not, and what is refused. */
#include <endian.h>
#include <unistd.h>

#include "base/error.h"
#include "bytes.h"
#include "input/input.h"
#include "tap.h"

#define FRAME 0x31800318u
#define MHZ24 24000000u

static void put_u32(struct bytes *b, uint32_t v)
{
	v = htole32(v);
	bytes_put(b, &v, 4);
}

static void put_u64(struct bytes *b, uint64_t v)
{
	v = htole64(v);
	bytes_put(b, &v, 8);
}

static void put_zeros(struct bytes *b, size_t n)
{
	while (n--)
		bytes_put(b, "", 1);
}

static void put_header(struct bytes *b, uint32_t threads, uint64_t frequency)
{
	b->n = 0;
	put_u32(b, 0x55aa0200);
	put_u32(b, threads);
	put_zeros(b, 12);
	put_u32(b, 1);
	put_u64(b, frequency);
	put_zeros(b, 256);
}

static void put_record(struct bytes *b, uint64_t time, uint32_t debugid, uint32_t cpu,
		       uint64_t unused)
{
	put_u64(b, time);
	put_zeros(b, 32);
	put_u64(b, 1957);
	put_u32(b, debugid);
	put_u32(b, cpu);
	put_u64(b, unused);
}

/* The records begin at the next multiple of 64. */
static void put_run(struct bytes *b, uint64_t time, int n)
{
	put_zeros(b, (64 - b->n % 64) % 64);
	for (int i = 0; i < n; i++)
		put_record(b, time + (uint64_t)i, 0x25010000, 0, 0);
}

struct result {
	int err;
	struct fw_health *health;
	int64_t frames[64], lost[64], since[64];
	int n_frames, n_lost;
	int64_t first, last;
	char said[512];
};

static struct result run(const struct bytes *b, uint32_t numer, uint32_t denom)
{
	const struct fw_input_opts opts = { .mach_numer = numer, .mach_denom = denom };
	struct result r = { .health = fw_health_new() };
	const struct fw_event *ev;
	struct fw_input *in;
	char path[32];

	fw_fail_clear();
	if (bytes_file(b, path))
		return (struct result){ .err = -1 };
	r.err = fw_input_open(path, r.health, &in);
	if (!r.err) {
		r.err = fw_input_start(in, &opts);
		while (!r.err && (r.err = fw_input_next(in, &ev)) > 0) {
			r.err = 0;
			if (ev->type == FW_EV_PRESENTED && r.n_frames < 64) {
				r.frames[r.n_frames++] = ev->ts;
			} else if (ev->type == FW_EV_LOST && r.n_lost < 64) {
				r.since[r.n_lost] = ev->lost.since;
				r.lost[r.n_lost++] = ev->ts;
			}
		}
		r.first = fw_input_recording(in)->first_ts;
		r.last = fw_input_recording(in)->last_ts;
		fw_input_close(in);
	}
	snprintf(r.said, sizeof(r.said), "%s", fw_fail_text());
	unlink(path);
	return r;
}

static int64_t count(const struct result *r, enum fw_health_id id)
{
	return fw_health_sum(r->health, id);
}

static void refused(const struct bytes *b, const char *because, const char *what)
{
	struct result r = run(b, 0, 0);

	ok(r.err < 0 && strstr(r.said, because), "%s: %s", what, r.said);
	fw_health_free(r.health);
}

static void classes(struct bytes *b)
{
	struct result r;

	put_header(b, 3, MHZ24);
	put_zeros(b, 3 * 32);
	put_zeros(b, 4096);
	put_run(b, 1000, 4);
	put_record(b, 2000, FRAME, 1, 0);
	put_record(b, 2001, FRAME | 1, 1, 0);
	put_record(b, 2002, 0x31800400, 1, 0);
	put_record(b, 2003, FRAME, 64, 0);
	put_record(b, 2004, FRAME, 1, 7);
	put_record(b, 2005, 0, 1, 0);
	put_record(b, 0, FRAME, 1, 0);
	put_record(b, 1999, FRAME, 1, 0);
	put_record(b, 2002, FRAME, 63, 0);
	put_record(b, 3000, 0x07020008, 0, 0);
	put_record(b, 3001, FRAME, 0, 0);
	put_zeros(b, 63);
	r = run(b, 0, 0);
	is_int(r.err, 0, "a file of every class is read");
	is_int(r.n_frames, 3, "frames are what has that debugid and is plausible and in order");
	is_int(r.frames[0], 83333, "2000 ticks of 24 MHz are 83333.3 ns, rounded down");
	is_int(r.frames[1], 83416, "equal times are in order");
	is_int(r.frames[2], 125041, "a frame after the loss");
	is_int(r.n_lost, 1, "one loss");
	is_int(r.lost[0], 125000, "at its record");
	is_int(r.since[0], 83416, "since the record before it");
	is_int(r.first, 83333, "the recording begins with its first frame");
	is_int(r.last, 125041, "and ends with its last");
	is_int(count(&r, FW_H_fw_kd_unknown), 2, "unknown");
	is_int(count(&r, FW_H_fw_kd_rejected), 4, "rejected");
	is_int(count(&r, FW_H_fw_kd_out_of_order), 1, "out of order");
	is_int(count(&r, FW_H_fw_kd_missing), 1, "missing");
	is_int(count(&r, FW_H_fw_truncated_bytes), 63, "bytes behind the last whole record");
	is_int(count(&r, FW_H_fw_kd_metadata_bytes), 4096, "bytes before the first record");
	ok(fw_health_lost(r.health), "data was lost");
	fw_health_free(r.health);
}

static void timebase(struct bytes *b)
{
	struct result r;

	put_header(b, 0, 0);
	put_run(b, 1000, 4);
	put_record(b, 3000, FRAME, 0, 0);
	put_record(b, UINT64_MAX, FRAME, 0, 0);
	refused(b, "--mach-timebase", "no frequency in the header");
	r = run(b, 125, 3);
	is_int(r.err, 0, "given, it is used");
	is_int(r.n_frames, 1, "a time beyond the axis is no frame");
	is_int(r.frames[0], 125000, "floor(ticks * numer / denom)");
	is_int(count(&r, FW_H_fw_kd_rejected), 1, "but a rejected record");
	fw_health_free(r.health);

	put_header(b, 0, MHZ24);
	put_run(b, 1000, 4);
	put_record(b, 3000, FRAME, 0, 0);
	r = run(b, 1, 1);
	is_int(r.frames[0], 3000, "what is given stands above the header");
	fw_health_free(r.health);
}

static void finding(struct bytes *b)
{
	struct result r;

	put_header(b, 1, MHZ24);
	put_zeros(b, 32);
	put_run(b, 1000, 3);
	refused(b, "no run of 4", "three records are no run");
	put_header(b, 0, MHZ24);
	put_run(b, 1000, 3);
	put_record(b, 900, FRAME, 0, 0);
	for (int i = 0; i < 4; i++)
		put_record(b, 950 + (uint64_t)i, FRAME, 0, 0);
	r = run(b, 0, 0);
	is_int(count(&r, FW_H_fw_kd_metadata_bytes), 32 + 3 * 64,
	       "a run in which time goes back begins after that");
	is_int(r.n_frames, 5, "its frames");
	fw_health_free(r.health);

	put_header(b, 0, MHZ24);
	put_zeros(b, (8 << 20) - 256);
	put_run(b, 1000, 4);
	r = run(b, 0, 0);
	is_int(r.err, 0, "a run just within 8 MiB");
	fw_health_free(r.health);
	put_header(b, 0, MHZ24);
	put_zeros(b, (8 << 20) + 64);
	put_run(b, 1000, 40);
	refused(b, "8 MiB", "a run behind 8 MiB");
}

int main(void)
{
	struct bytes b = { 0 };

	classes(&b);
	timebase(&b);
	finding(&b);
	put_header(&b, 0, MHZ24);
	b.n = 287;
	refused(&b, "offset 287, within its header", "short");
	put_header(&b, 1000, MHZ24);
	put_run(&b, 1000, 8);
	refused(&b, "a map of 1000 threads", "a thread count that the file cannot hold");
	put_header(&b, UINT32_MAX, MHZ24);
	put_run(&b, 1000, 8);
	refused(&b, "a map of 4294967295 threads", "the largest thread count");
	put_header(&b, 0, MHZ24);
	refused(&b, "no run", "nothing behind the header");
	free(b.p);
	return done_testing();
}
