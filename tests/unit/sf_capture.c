// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SurfaceFlinger's packets in a capture: clocks that are piecewise, sequence state across chunks and
 * streams, packets that are none; and the frames' fences by the kernel's own stamps.
 */
#include "fwc_file.h"

#include "frame/report.h"
#include "input/input.h"
#include "tap.h"

#define MS UINT64_C(1000000)
#define SEC UINT64_C(1000000000)
#define T0 (100 * SEC)
#define OFF (5 * SEC) /* BOOTTIME before MONOTONIC */
#define SUSPENDED (30 * SEC)

static char path[32];

static struct bytes begin(struct bytes *records)
{
	struct bytes b = { 0 };

	fwc_begin(&b, "record_version=1\nkernel=6.18.0\ncpus=2\nstart_ns=100000000000\n"
		      "rungs=sched\nsf=file\n");
	rec_check(records, T0);
	rec_clock(records, T0, T0 - OFF);
	fwc_records(&b, records);
	return b;
}

static void finish(struct bytes *b, struct bytes *records, uint64_t end)
{
	rec_check(records, end);
	fwc_records(b, records);
	fwc_chunk(b, FW_CHUNK_DONE, "end_ns=1\n", 9);
	if (path[0])
		unlink(path);
	bytes_file(b, path);
	free(b->p);
	free(records->p);
}

struct seen {
	int64_t ts, stamp;
	int type;
};

static int read_events(struct fw_health *h, struct seen *out, int max)
{
	struct fw_input_opts opts = { .wants = UINT64_C(1) << FW_EV_FRAME_TRACER |
					       UINT64_C(1) << FW_EV_ACTUAL_SURFACE |
					       UINT64_C(1) << FW_EV_FRAME_END |
					       UINT64_C(1) << FW_EV_DMA_FENCE |
					       UINT64_C(1) << FW_EV_TREE_PROCESS };
	const struct fw_event *ev;
	struct fw_input *in;
	int n = 0, err = fw_input_open(path, h, &in);

	if (!err)
		err = fw_input_start(in, &opts);
	while (!err && (err = fw_input_next(in, &ev)) > 0) {
		if (n < max)
			out[n] = (struct seen){ .ts = ev->ts, .type = ev->type };
		if (n < max && ev->type == FW_EV_DMA_FENCE)
			out[n].stamp = ev->fence.signal_ts;
		n++;
		err = 0;
	}
	fw_input_close(in);
	return err ? err : n;
}

/* A suspend in the middle: each stamp goes by the pair of its time. */
static void clocks(void)
{
	struct bytes rec = { 0 }, sf = { 0 }, b = begin(&rec);
	struct fw_health *h = fw_health_new();
	uint64_t mono = T0 - OFF + SEC; /* of the first fence */
	struct seen ev[8];
	int n;

	rec_fence(&rec, T0 + SEC + 3000, 7, 1, mono);
	fwc_records(&b, &rec);
	sf_buffer(&sf, mono, 4, "app", 1, 1);
	fwc_packets(&b, T0 + SEC, 0, &sf);
	rec_clock(&rec, T0 + 2 * SEC + SUSPENDED, mono + SEC);
	rec_fence(&rec, T0 + 3 * SEC + SUSPENDED + 2000, 7, 2, mono + 2 * SEC);
	fwc_records(&b, &rec);
	sf_buffer(&sf, mono + 2 * SEC, 4, "app", 1, 2);
	fwc_packets(&b, T0 + 3 * SEC + SUSPENDED, 0, &sf);
	free(sf.p);
	finish(&b, &rec, T0 + 4 * SEC + SUSPENDED);
	n = read_events(h, ev, 8);
	is_int(n, 4, "two fences, two buffers");
	is_int(ev[0].ts, (int64_t)(T0 + SEC), "before the suspend: the first pair");
	is_int(ev[1].stamp, ev[0].ts, "the fence has the very stamp");
	is_int(ev[2].ts, (int64_t)(T0 + 3 * SEC + SUSPENDED), "after it: the second pair");
	is_int(ev[3].stamp, ev[2].ts, "and so has the fence");
	is_int(fw_health_sum(h, FW_H_fw_sf_packets), 2, "packets are counted");
	fw_health_free(h);
}

/* The default clock of a sequence holds over chunks, and not over the begin of another stream. */
static void sequences(void)
{
	struct bytes rec = { 0 }, sf = { 0 }, p = { 0 }, m = { 0 }, b = begin(&rec);
	struct fw_health *h = fw_health_new();
	struct seen ev[8];
	int n;

	bytes_int(&m, 58, SF_MONOTONIC);
	bytes_int(&p, 10, 1);
	bytes_int(&p, 13, 1); /* incremental state cleared */
	bytes_message(&p, 59, &m);
	bytes_message(&sf, 1, &p);
	fwc_packets(&b, T0, FW_SFF_NEW, &sf);
	bytes_int(&m, 2, 4);
	bytes_int(&m, 5, 1);
	bytes_message(&p, 1, &m);
	sf_packet(&sf, 0, T0 - OFF + SEC, 57, &p);
	fwc_packets(&b, T0 + SEC, 0, &sf);
	bytes_int(&m, 2, 4);
	bytes_int(&m, 5, 1);
	bytes_message(&p, 1, &m);
	sf_packet(&sf, 0, T0 + 2 * SEC, 57, &p);
	fwc_packets(&b, T0 + SEC, FW_SFF_NEW | FW_SFF_GAP, &sf);
	finish(&b, &rec, T0 + 4 * SEC);
	n = read_events(h, ev, 8);
	is_int(n, 2, "both packets");
	is_int(ev[0].ts, (int64_t)(T0 + SEC), "the sequence's clock, named in an earlier chunk");
	is_int(ev[1].ts, (int64_t)(T0 + 2 * SEC), "a new stream: BOOTTIME where none is named");
	is_int(fw_health_sum(h, FW_H_fw_sf_gaps), 1, "the gap is counted");
	fw_health_free(h);
	free(sf.p);
	free(p.p);
	free(m.p);
}

/* Bytes that are no packet cost themselves, not what comes after. */
static void broken(void)
{
	struct bytes rec = { 0 }, sf = { 0 }, b = begin(&rec);
	struct fw_health *h = fw_health_new();
	struct seen ev[8];
	size_t whole;
	int n;

	sf_buffer(&sf, T0 - OFF + SEC, 2, "app", 1, 1);
	whole = sf.n;
	sf_buffer(&sf, T0 - OFF + SEC + MS, 5, "app", 1, 1);
	sf.n -= 3;
	fwc_packets(&b, T0 + SEC, 0, &sf);
	bytes_put(&sf, "\x0a\x04\xff\xff\xff\xff", 6);
	sf_buffer(&sf, T0 - OFF + 2 * SEC, 2, "app", 1, 2);
	fwc_packets(&b, T0 + 2 * SEC, 0, &sf);
	fwc_chunk(&b, FW_CHUNK_SF, "abc", 3);
	finish(&b, &rec, T0 + 4 * SEC);
	n = read_events(h, ev, 8);
	is_int(n, 2, "the whole packets of both chunks");
	is_int(fw_health_sum(h, FW_H_fw_sf_bytes_lost), (int64_t)whole - 3 + 3,
	       "half a packet, and half a head");
	is_int(fw_health_sum(h, FW_H_fw_bad_packets), 1, "a packet that does not decode");
	fw_health_free(h);
	free(sf.p);
}

/* What a table's sink keeps: the column "match" of fences that frames asked for. */
struct matches {
	struct fw_sink sink;
	char match[16][16];
	int n;
};

static int no_row(struct fw_sink *s)
{
	return 0;
}

static int begin_rows(struct fw_sink *s, const struct fw_table *t)
{
	return 0;
}

static int on_row(struct fw_sink *s, const struct fw_cell *c)
{
	struct matches *m = (struct matches *)s;

	if (c[FW_C_FENCES_match].type == FW_TEXT && m->n < 16)
		snprintf(m->match[m->n++], 16, "%.*s", FW_STR_ARG(c[FW_C_FENCES_match].s));
	return 0;
}

static void fences(void)
{
	struct matches m = { .sink = { begin_rows, on_row, no_row } };
	struct fw_sink *sinks[FW_FRAME_TABLES] = { [FW_FENCES] = &m.sink };
	struct bytes rec = { 0 }, sf = { 0 }, b = begin(&rec);
	struct fw_health *h = fw_health_new();
	struct fw_roles roles = { 0 };
	struct fw_report_opts opts = { .from_ns = INT64_MIN, .to_ns = INT64_MAX, .roles = &roles };
	uint64_t mono = T0 - OFF;
	struct fw_input *in;

	rec_fence(&rec, T0 + SEC + 90000, 7, 1, mono + SEC);
	rec_fence(&rec, T0 + SEC + 90000, 8, 1, mono + SEC + 1);
	rec_fence(&rec, T0 + 2 * SEC + 1500, 7, 2, 0);
	rec_fence(&rec, T0 + 3 * SEC + 1500, 17, 3, mono + 3 * SEC);
	rec_fence(&rec, T0 + 3 * SEC + 1600, 18, 3, mono + 3 * SEC);
	rec_fence(&rec, T0 + 4 * SEC + 1500, 0, 1, mono + 4 * SEC);
	fwc_records(&b, &rec);
	for (uint32_t i = 1; i <= 4; i++)
		sf_buffer(&sf, mono + i * SEC, 4, "app", i, i);
	fwc_packets(&b, T0 + 4 * SEC, FW_SFF_NEW, &sf);
	finish(&b, &rec, T0 + 5 * SEC);
	if (!is_int(fw_input_open(path, h, &in), 0, "opens") ||
	    !is_int(fw_report(in, h, &opts, sinks), 0, "reports"))
		return;
	is_int(m.n, 4, "four signal times");
	is_str(m.match[0], "exact", "the stamp, to the nanosecond, however late the event");
	is_str(m.match[1], "near", "no stamp: the event shortly after");
	is_str(m.match[2], "ambiguous", "two fences with one stamp");
	is_str(m.match[3], "none", "the stub is nobody's fence");
	fw_input_close(in);
	fw_health_free(h);
	free(sf.p);
}

int main(void)
{
	clocks();
	sequences();
	broken();
	fences();
	unlink(path);
	return done_testing();
}
