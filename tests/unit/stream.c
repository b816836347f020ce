// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A capture as it grows: what comes behind the watermark is late, long states come in pieces, and the
 * rows are the same bytes whether the file is there at once or comes in crumbs.
 */
#include "fwc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "base/error.h"
#include "cmd/follow.h"
#include "frame/report.h"
#include "input/source.h"
#include "model/thread_state.h"
#include "tap.h"

#define MS UINT64_C(1000000)
#define SEC UINT64_C(1000000000)
#define T0 (100 * SEC)
#define OFF (5 * SEC) /* BOOTTIME before MONOTONIC */
#define APP 1000
#define RENDER 1001
#define SF 500
#define LAYER "com.example.app/Main#1"

static char path[32];

static struct bytes begin(struct bytes *rec, const char *sf)
{
	struct bytes b = { 0 };
	char meta[200];

	snprintf(meta, sizeof(meta),
		 "record_version=1\nkernel=6.18.0\ncpus=2\nstart_ns=100000000000\nrungs=sched\n"
		 "sf=%s\nsettle_ns=2000000000\n",
		 sf);
	fwc_begin(&b, meta);
	rec_check(rec, T0);
	rec_clock(rec, T0, T0 - OFF);
	rec_task(rec, T0, APP, APP, "com.example.app");
	rec_task(rec, T0, RENDER, APP, "RenderThread");
	rec_task(rec, T0, SF, SF, "surfaceflinger");
	return b;
}

static void save(struct bytes *b)
{
	if (path[0])
		unlink(path);
	bytes_file(b, path);
}

struct seen {
	int64_t ts, start, end;
	int type, tid;
	uint32_t flags;
};

/* Return: how many events there are, or a negative errno. */
static int read_events(struct fw_health *h, int64_t settle_ns, uint64_t wants, struct seen *out,
		       int max)
{
	struct fw_input_live live = { .settle_ns = settle_ns };
	struct fw_input_opts opts = { .wants = wants, .live = settle_ns >= 0 ? &live : NULL };
	const struct fw_event *ev;
	struct fw_input *in;
	int64_t last = INT64_MIN;
	int n = 0, err = fw_input_open(path, h, &in);

	if (!err)
		err = fw_input_start(in, &opts);
	while (!err && (err = fw_input_next(in, &ev)) > 0) {
		if (n < max)
			out[n] = (struct seen){ .ts = ev->ts, .type = ev->type, .tid = ev->tid };
		if (n < max && ev->type == FW_EV_INTERVAL) {
			out[n].start = ev->interval.start;
			out[n].end = ev->interval.end;
			out[n].tid = ev->interval.tid;
			out[n].flags = ev->interval.flags;
		}
		n++;
		err = ev->ts < last ? -EPROTO : 0;
		last = ev->ts;
	}
	fw_input_close(in);
	return err ? err : n;
}

#define WANT(t) (UINT64_C(1) << (t))

static void late(void)
{
	struct bytes rec = { 0 }, sf = { 0 }, b = begin(&rec, "file");
	struct fw_health *h = fw_health_new();
	uint64_t wants = WANT(FW_EV_INTERVAL) | WANT(FW_EV_FRAME_TRACER);
	struct seen ev[16];
	int n;

	rec_ran(&rec, T0 + 1 * MS, T0 + 2 * MS, APP, FW_RS_SLEEPING);
	rec_check(&rec, T0 + 3 * SEC);
	/* The watermark is at 1 s: the first is behind it, the other two are not. */
	rec_ran(&rec, T0 + 900 * MS, T0 + 999 * MS, RENDER, FW_RS_SLEEPING);
	rec_ran(&rec, T0 + 900 * MS, T0 + 1000 * MS, RENDER, FW_RS_SLEEPING);
	rec_ran(&rec, T0 + 1500 * MS, T0 + 1501 * MS, APP, FW_RS_SLEEPING);
	fwc_records(&b, &rec);
	sf_buffer(&sf, T0 - OFF + 999 * MS, 2, LAYER, 1, 1);
	sf_buffer(&sf, T0 - OFF + 1200 * MS, 4, LAYER, 1, 1);
	fwc_packets(&b, T0 + 3 * SEC, 0, &sf);
	rec_check(&rec, T0 + 4 * SEC);
	fwc_records(&b, &rec);
	fwc_chunk(&b, FW_CHUNK_DONE, "end_ns=1\n", 9);
	save(&b);
	n = read_events(h, 2 * (int64_t)SEC, wants, ev, 16);
	is_int(n, 4, "two seconds: what is late is left out");
	is_int(ev[1].ts, (int64_t)(T0 + SEC), "at the watermark is not behind it");
	is_int(ev[2].ts, (int64_t)(T0 + 1200 * MS), "SurfaceFlinger's stand in between, by time");
	is_int(fw_health_sum(h, FW_H_fw_capture_late), 1, "one record was late");
	is_int(fw_health_sum(h, FW_H_fw_sf_late), 1, "one packet was late");
	n = read_events(h, 60 * (int64_t)SEC, wants, ev, 16);
	is_int(n, 6, "a minute: nothing is late");
	n = read_events(h, -1, wants, ev, 16);
	is_int(n, 6, "at once: nothing is");
	is_int(fw_health_sum(h, FW_H_fw_sf_late), 1, "and nothing more was counted");
	n = read_events(h, 0, wants, ev, 16);
	is_int(n, 1, "not a moment: only what stands before the next check");
	fw_health_free(h);
	free(b.p);
	free(rec.p);
	free(sf.p);
}

/* A thread that sleeps for 7 s: its frames need not wait for its wake. */
static void pieces(void)
{
	struct bytes rec = { 0 }, b = begin(&rec, "none");
	struct fw_health *h = fw_health_new();
	int64_t covered = (int64_t)T0 + (int64_t)SEC;
	struct seen ev[16];
	bool whole = true, continued = true, soon = true;
	int n, of_app = 0;

	rec_open(&rec, T0 + SEC + 100 * MS, T0 + SEC, APP, FW_RS_SLEEPING);
	for (uint64_t t = T0 + 1 * SEC; t < T0 + 8 * SEC; t += SEC)
		rec_check(&rec, t + 200 * MS);
	rec_waited(&rec, T0 + SEC, T0 + 8 * SEC, T0 + 8 * SEC + MS, APP, FW_RS_SLEEPING);
	rec_open(&rec, T0 + 8 * SEC + 2 * MS, T0 + 8 * SEC + MS, APP, FW_RS_RUNNING);
	rec_check(&rec, T0 + 9 * SEC);
	fwc_records(&b, &rec);
	save(&b);
	n = read_events(h, 2 * (int64_t)SEC, WANT(FW_EV_INTERVAL), ev, 16);
	for (int i = 0; i < n; i++) {
		whole &= ev[i].start == covered && ev[i].ts == ev[i].end;
		covered = ev[i].end;
		soon &= ev[i].end - ev[i].start <= 1250 * (int64_t)MS;
		of_app += ev[i].tid == APP;
		if (i && ev[i].end <= (int64_t)(T0 + 8 * SEC))
			continued &= (ev[i].flags & FW_IVF_CONTINUED) != 0;
	}
	is_int(n, of_app, "only that thread did something");
	is_int(covered, (int64_t)(T0 + 9 * SEC), "from the sleep to the last check ...");
	ok(whole, "... without a gap and nothing twice");
	ok(soon, "no piece is much longer than from check to check");
	ok(continued && n == 7 + 1 + 1, "the pieces say that they go on: %d", n);
	is_int(fw_health_sum(h, FW_H_fw_capture_unfinished), 1, "the file has no end");
	fw_health_free(h);
	free(b.p);
	free(rec.p);
}

static void give_packets(struct bytes *b, uint64_t ts, struct bytes *sf, struct bytes *all)
{
	if (all) {
		bytes_put(all, sf->p, sf->n);
		fwc_packets(b, ts, 0, sf);
	}
	sf->n = 0;
}

/* Ten seconds of an app at 20 Hz, its packets as late as real ones; @all: the same as a trace. */
static struct bytes app(bool with_sf, struct bytes *all)
{
	struct bytes rec = { 0 }, sf = { 0 }, b = begin(&rec, with_sf ? "file" : "marks");
	char text[64];

	for (uint32_t i = 0; i < 200; i++) {
		uint64_t t = T0 + 100 * MS + i * 50 * MS;

		snprintf(text, sizeof(text), "B|%d|Choreographer#doFrame %u", APP, i + 1);
		rec_text(&rec, FW_REC_MARK, t, APP, text);
		rec_text(&rec, FW_REC_MARK, t + 8 * MS, APP, "E|1000");
		snprintf(text, sizeof(text), "B|%d|DrawFrames %u", APP, i + 1);
		rec_text(&rec, FW_REC_MARK, t + 6 * MS, RENDER, text);
		rec_text(&rec, FW_REC_MARK, t + 20 * MS + i * MS / 20, RENDER, "E|1000");
		rec_ran(&rec, t, t + 8 * MS, APP, FW_RS_SLEEPING);
		rec_waited(&rec, t + 8 * MS, t + 49 * MS, t + 50 * MS, APP, FW_RS_SLEEPING);
		rec_ran(&rec, t + 6 * MS, t + 20 * MS, RENDER, FW_RS_SLEEPING);
		rec_waited(&rec, t + 20 * MS, t + 55 * MS, t + 56 * MS, RENDER, FW_RS_BLOCKED);
		sf_buffer(&sf, t - OFF + MS, 1, LAYER, i % 3, i + 1);
		sf_buffer(&sf, t - OFF + 20 * MS, 2, LAYER, i % 3, i + 1);
		sf_buffer(&sf, t - OFF + 21 * MS, 4, LAYER, i % 3, i + 1);
		sf_buffer(&sf, t - OFF + 30 * MS, 5, LAYER, i % 3, i + 1);
		sf_buffer(&sf, t - OFF + 45 * MS, 8, LAYER, i % 3, i + 1);
		sf_surface(&sf, t, t + 21 * MS, 2 * i + 1, i + 1, 5000 + i, APP, "TX - " LAYER);
		sf_display(&sf, t + 30 * MS, t + 45 * MS, 2 * i + 2, 5000 + i, SF);
		if (i % 7 == 6) {
			fwc_records(&b, &rec);
			give_packets(&b, t + 50 * MS, &sf, with_sf ? all : NULL);
		}
		if (i % 20 == 19)
			rec_check(&rec, t + 60 * MS);
	}
	fwc_records(&b, &rec);
	give_packets(&b, T0 + 11 * SEC, &sf, with_sf ? all : NULL);
	fwc_chunk(&b, FW_CHUNK_DONE, "end_ns=1\n", 9);
	free(rec.p);
	free(sf.p);
	return b;
}

/* What a file that is not there any more held; free() it. */
static char *taken(char *name, size_t *len)
{
	FILE *f = fopen(name, "rb");
	char *p = fw_zalloc(1u << 20);

	*len = f ? fread(p, 1, 1u << 20, f) : 0;
	if (f)
		fclose(f);
	unlink(name);
	return p;
}

/* frames.csv of the capture, by @settle_ns; @trace: NULL, or where its frames stand. */
static char *rows_of(int64_t settle_ns, const char *trace, size_t *len)
{
	struct fw_source *src;
	struct fw_sink *sinks[FW_FRAME_TABLES] = { NULL };
	struct fw_health *h = fw_health_new();
	struct fw_roles roles = { { NULL } };
	struct fw_report_opts opts = {
		.from_ns = INT64_MIN, .to_ns = INT64_MAX, .roles = &roles, .settle_ns = settle_ns
	};
	char out[] = "/tmp/framewait-rows-XXXXXX";
	struct fw_input *in = NULL;
	struct fw_writer w;
	int fd = mkstemp(out), err;

	fw_writer_init(&w, fd, out);
	sinks[FW_FRAMES] = fw_format_sink(FW_FORMAT_CSV, &w);
	err = fw_source_open(path, &src);
	if (!err)
		err = trace ? fw_input_open_pair(src, trace, h, &in)
			    : fw_input_open_source(src, h, &in);
	if (!err)
		err = fw_report(in, h, &opts, sinks);
	is_int(err, 0, "a report of the whole file%s", fw_fail_text());
	fw_input_close(in);
	fw_writer_close(&w);
	close(fd);
	fw_format_sink_free(sinks[FW_FRAMES]);
	fw_health_free(h);
	return taken(out, len);
}

/* The same while the file is written, @step bytes at a time; @whole: up to its end. */
static char *followed(const struct bytes *b, size_t step, size_t whole, int *status, size_t *len)
{
	char out[] = "/tmp/framewait-rows-XXXXXX";
	int to = mkstemp(out), pipes[2], fd;
	pid_t pid;

	unlink(path);
	if (pipe(pipes))
		return NULL;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(pipes[1]);
		dup2(to, STDOUT_FILENO);
		_exit(fw_follow_rows(path, FW_FORMAT_CSV, 2 * (int64_t)SEC, pipes[0]));
	}
	close(pipes[0]);
	close(to);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (size_t at = 0; at < whole; at += step) {
		size_t n = FW_MIN(step, whole - at);

		if (write(fd, b->p + at, n) != (ssize_t)n)
			break;
		if (!at && write(pipes[1], "", 1) != 1)
			break;
		usleep(1000);
	}
	close(fd);
	close(pipes[1]);
	waitpid(pid, status, 0);
	return taken(out, len);
}

/* The packets in a trace of their own, with the capture that has them and with one that has none. */
static void beside(const struct bytes *trace, const char *want, size_t n)
{
	static const int64_t settle[] = { FW_SETTLE_RECORDED, FW_SETTLE_ALL };
	struct bytes b = app(false, NULL);
	char name[32], *rows, *own;
	size_t n_rows, n_own;

	bytes_file(trace, name);
	for (int i = 0; i < 2; i++) {
		own = rows_of(settle[i], NULL, &n_own);
		rows = rows_of(settle[i], name, &n_rows);
		ok(n_rows == n_own && !memcmp(rows, own, n_own), "beside a capture with packets");
		free(own);
		free(rows);
	}
	save(&b);
	rows = rows_of(FW_SETTLE_ALL, name, &n_rows);
	ok(n_rows == n && !memcmp(rows, want, n), "beside a capture without any");
	free(rows);
	free(b.p);
	unlink(name);
}

static void same_bytes(bool with_sf)
{
	struct bytes trace = { 0 }, b = app(with_sf, &trace);
	const char *what = with_sf ? "SurfaceFlinger's frames" : "frames of marks";
	size_t n, n_live, lines = 0;
	char *rows, *live;
	int status = -1;

	save(&b);
	rows = rows_of(FW_SETTLE_RECORDED, NULL, &n);
	for (size_t i = 0; i < n; i++)
		lines += rows[i] == '\n';
	is_int((int64_t)lines, with_sf ? 401 : 201, "%s: a row for each", what);
	live = followed(&b, 777, b.n, &status, &n_live);
	is_int(status, 0, "%s: followed to the end", what);
	ok(n == n_live && !memcmp(rows, live, n), "%s: the same bytes (%zu, %zu)", what, n, n_live);
	free(live);
	live = followed(&b, 5000, b.n / 2, &status, &n_live);
	is_int(status, 0, "%s: the writer is gone: an end too", what);
	ok(n_live > n / 4 && n_live < n, "%s: with the rows so far (%zu)", what, n_live);
	free(live);
	free(rows);
	save(&b);
	rows = rows_of(FW_SETTLE_ALL, NULL, &n_live);
	is_int((int64_t)n_live, (int64_t)n, "%s: and as many when all of it is waited for", what);
	if (with_sf)
		beside(&trace, rows, n_live);
	free(rows);
	free(b.p);
	free(trace.p);
}

int main(int argc, char **argv)
{
	struct bytes all = { 0 }, b;
	FILE *f;

	/* A capture for other tests. */
	if (argc == 3 && !strcmp(argv[1], "--write")) {
		b = app(true, &all);
		f = fopen(argv[2], "wb");
		if (!f || fwrite(b.p, 1, b.n, f) != b.n || fclose(f))
			return 1;
		free(b.p);
		free(all.p);
		return 0;
	}
	late();
	pieces();
	same_bytes(true);
	same_bytes(false);
	unlink(path);
	return done_testing();
}
