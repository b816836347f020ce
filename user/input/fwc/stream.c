// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A capture read as it grows, and a finished one read as if it did: the same events in the same
 * order, and the same ones left out.
 *
 * Each FW_REC_CHECK is the clock of the stream. The watermark after one at T is T - settle_ns; what
 * is older when it is read is late. Events collect in buckets of time, each a sorter that spills,
 * and a bucket is handed on when the watermark has passed its end.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/fwc/fwc.h"

#define BUCKET_BUDGET (1u << 20)
#define TRACE_BUDGET (8u << 20)
#define BUCKET_MIN_NS 50000000u
#define WAIT_MS 50
/* What lasts longer is told of at each check: so no thread's time is untold for longer than one. */
#define CUT_NS 250000000u
/* Of one window; times that need more are no times of one recording. */
#define BUCKETS_MAX 1024u

struct bucket {
	uint64_t index;
	struct fw_sort *sort;
};

/**
 * struct window - the events of some seconds
 * @b: by time
 * @reading: a bucket that is being handed on
 */
struct window {
	uint64_t width;
	struct bucket *b;
	size_t n, cap;
	struct fw_sort *reading;
};

/**
 * struct fwc_stream - where the reading of a stream is
 * @watermark, @ahead_mark: what is older is late, and for marks
 * @pos: in the chunk at hand
 */
struct fwc_stream {
	struct fw_input_live opts;
	uint64_t settle, watermark, ahead_mark;
	struct window main, ahead;
	struct fwc_chunks chunks;
	size_t pos;
	bool in_records, done, ended;
	const struct fwc_item *next_packet; /* of another file; NULL: none was looked at */
	size_t packet_len;
};

static void window_free(struct window *w)
{
	for (size_t i = 0; i < w->n; i++)
		fw_sort_free(w->b[i].sort);
	fw_sort_free(w->reading);
	free(w->b);
}

/* The sorter of the bucket that @ts belongs in; NULL when there are too many. */
static struct fw_sort *bucket_of(struct window *w, uint64_t ts)
{
	uint64_t index = ts / w->width;
	size_t i = w->n;

	while (i && w->b[i - 1].index > index)
		i--;
	if (i && w->b[i - 1].index == index)
		return w->b[i - 1].sort;
	if (w->n == BUCKETS_MAX)
		return NULL;
	fw_grow(w->b, w->n, w->cap);
	memmove(&w->b[i + 1], &w->b[i], (w->n - i) * sizeof(*w->b));
	w->n++;
	w->b[i] = (struct bucket){ index, fw_sort_new(BUCKET_BUDGET, fwc_by_time, NULL) };
	return w->b[i].sort;
}

/* Return: 1 and the next item before @until, 0 when there is none, or a negative errno. */
static int window_next(struct window *w, uint64_t until, const struct fwc_item **it, size_t *len)
{
	for (;;) {
		const void *rec;
		int n = w->reading ? fw_sort_next(w->reading, &rec, len) : 0;

		if (n) {
			*it = rec;
			return n;
		}
		fw_sort_free(w->reading);
		w->reading = NULL;
		if (!w->n || w->b[0].index >= until / w->width)
			return 0;
		w->reading = w->b[0].sort;
		memmove(&w->b[0], &w->b[1], --w->n * sizeof(*w->b));
	}
}

static int window_add(struct fwc *f, struct window *w, const struct fwc_item *it, size_t len)
{
	struct fw_sort *sort = bucket_of(w, it->ts);

	if (sort)
		return fw_sort_add(sort, it, len);
	fw_health_add(f->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
	return 0;
}

int fwc_stream_put(struct fwc *f, struct fwc_item *it, size_t len)
{
	struct fwc_stream *s = f->stream;
	int err = 0;

	/* What a record tells of the time before it stands behind what was handed on. */
	it->ts = FW_MAX(it->ts, s->watermark);
	if (it->type == FW_EV_MARK && s->opts.ahead)
		err = window_add(f, &s->ahead, it, len);
	return err ? err : window_add(f, &s->main, it, len);
}

bool fwc_stream_late(struct fwc *f, uint64_t ts, enum fw_health_id id)
{
	if (!f->stream || ts >= f->stream->watermark)
		return false;
	fw_health_add(f->health, id, FW_HEALTH_NO_IDX, 1);
	return true;
}

/* Marks go ahead of everything else: the end of a frame of theirs is known when its time comes. */
static int run_ahead(struct fwc *f)
{
	struct fwc_stream *s = f->stream;
	const struct fwc_item *it;
	size_t len;
	int n, err = 0;

	while (!err && (n = window_next(&s->ahead, s->ahead_mark, &it, &len)) > 0)
		if (fwc_fill(f, it))
			err = s->opts.ahead(s->opts.ctx, &f->ev);
	return err ? err : n;
}

/*
 * Whoever does one thing for long is told of in pieces, so that all time before the watermark is
 * known when it passes. Threads that are over are forgotten.
 */
static int cut_open(struct fwc *f, uint64_t now)
{
	struct fwc_stream *s = f->stream;
	int err = 0;

	for (size_t i = 0; i < f->n_tails && !err;) {
		struct fwc_tail *t = &f->tails[i];
		bool open = t->have && t->open.waited.start >= t->closed;
		uint64_t from = FW_MAX(t->open.waited.start, t->frontier);

		if (open && from < now && now - from >= CUT_NS && f->sched)
			err = fwc_expand_open(f, t, now);
		if (open || t->closed >= s->watermark || t->open.rec.ts >= s->watermark) {
			i++;
			continue;
		}
		free(t->opinions);
		fw_map_del(&f->tids, t->tid);
		f->n_tails--;
		if (i == f->n_tails)
			continue;
		*t = f->tails[f->n_tails];
		fw_map_set(&f->tids, t->tid, i + 1);
	}
	return err;
}

/* Another file's packets come in when their time has come, as if they had just been written. */
static int take_trace(struct fwc *f, uint64_t now)
{
	struct fwc_stream *s = f->stream;
	const void *rec;
	int n = 1, err = 0;

	while (f->trace_sort && !err) {
		if (!s->next_packet) {
			n = fw_sort_next(f->trace_sort, &rec, &s->packet_len);
			if (n <= 0)
				return n;
			s->next_packet = rec;
		}
		if (s->next_packet->ts > now)
			break;
		err = window_add(f, &s->main, s->next_packet, s->packet_len);
		s->next_packet = NULL;
	}
	return err;
}

static int check(struct fwc *f, uint64_t now)
{
	struct fwc_stream *s = f->stream;
	int err = cut_open(f, now);

	if (!err)
		err = take_trace(f, now);

	if (now > s->settle)
		s->watermark = FW_MAX(s->watermark, now - s->settle);
	if (now > s->settle / 2)
		s->ahead_mark = FW_MAX(s->ahead_mark, now - s->settle / 2);
	return err ? err : run_ahead(f);
}

static int take_record(struct fwc *f, const struct fw_rec *r)
{
	struct fwc_stream *s = f->stream;
	int err = fwc_learn(f, r);

	if (err)
		return err;
	switch (r->type) {
	case FW_REC_CHECK:
		return check(f, r->ts);
	case FW_REC_OPEN:
	case FW_REC_FENCE_NAME:
	case FW_REC_CMDLINE:
	case FW_REC_SYMBOL:
	case FW_REC_CLOCK:
		return 0;
	case FW_REC_MARK:
		if (s->opts.ahead && r->ts < s->ahead_mark) {
			fw_health_add(f->health, FW_H_fw_capture_late, FW_HEALTH_NO_IDX, 1);
			return 0;
		}
		break;
	}
	return fwc_stream_late(f, r->ts, FW_H_fw_capture_late) ? 0 : fwc_expand(f, r);
}

/* Nothing more comes: what was not over is told, and all that waits is handed on. */
static int end(struct fwc *f)
{
	struct fwc_stream *s = f->stream;
	int err = fwc_expand_tails(f);

	/* The other file may go on; what is of this recording was written soon after. */
	if (!err)
		err = take_trace(f, f->last_check + s->settle);
	s->ended = true;
	s->watermark = s->ahead_mark = UINT64_MAX;
	if (!s->done && !f->counted)
		fw_health_add(f->health, FW_H_fw_capture_unfinished, FW_HEALTH_NO_IDX, 1);
	if (!err && s->opts.ahead)
		err = run_ahead(f);
	return err || !s->opts.ahead ? err : s->opts.ahead(s->opts.ctx, NULL);
}

static int take_chunk(struct fwc *f)
{
	struct fwc_stream *s = f->stream;
	int n = fwc_chunks_next(&s->chunks);

	if (n <= 0)
		return n < 0 ? n : end(f);
	s->pos = 0;
	s->in_records = s->chunks.type == FW_CHUNK_RECS;
	if (s->chunks.type == FW_CHUNK_SF)
		return fwc_packets(f, s->chunks.payload, s->chunks.len, true);
	if (s->chunks.type == FW_CHUNK_META)
		return fwc_read_meta(f, &s->chunks);
	if (s->chunks.type == FW_CHUNK_DONE) {
		s->done = true;
		fwc_read_done(f, &s->chunks);
	}
	return 0;
}

/* One record, or one chunk of something else: the watermark moves in small steps. */
static int step(struct fwc *f)
{
	struct fwc_stream *s = f->stream;
	const struct fw_rec *r = s->in_records ? fwc_record(f, &s->chunks, &s->pos) : NULL;

	if (r)
		return take_record(f, r);
	s->in_records = false;
	return take_chunk(f);
}

int fwc_stream_next(struct fwc *f, const struct fwc_item **it, size_t *len)
{
	struct fwc_stream *s = f->stream;

	for (;;) {
		int n = window_next(&s->main, s->watermark, it, len);

		if (n || s->ended)
			return n;
		n = step(f);
		if (n < 0)
			return n;
	}
}

/* The writer says nothing on its pipe but that it has gone. */
static int wait_more(void *ctx)
{
	struct pollfd pfd = { .fd = ((struct fwc *)ctx)->writer, .events = POLLIN };
	struct fwc *f = ctx;
	int err = 0;
	char c;

	if (f->written || (f->stream && f->stream->done))
		return 0;
	if (f->stream && f->stream->opts.idle)
		err = f->stream->opts.idle(f->stream->opts.ctx);
	if (err)
		return err;
	/* What it wrote last is still to be read. */
	if (poll(&pfd, pfd.fd >= 0, WAIT_MS) > 0 && read(pfd.fd, &c, 1) == 0)
		f->written = true;
	return 1;
}

static struct fwc_chunks chunks_of(struct fwc *f)
{
	return (struct fwc_chunks){
		.src = f->src,
		.reader = { .src = f->src },
		.health = f->counted ? NULL : f->health,
		.pos = FW_CAPTURE_MAGIC_LEN,
		.more = f->growing ? wait_more : NULL,
		.ctx = f,
	};
}

int fwc_stream_head(struct fwc *f)
{
	struct fwc_chunks c = chunks_of(f);
	int n;

	c.health = NULL;
	while (!f->meta && (n = fwc_chunks_next(&c)) != 0) {
		if (n > 0 && c.type == FW_CHUNK_META)
			n = fwc_read_meta(f, &c);
		if (n < 0)
			break;
	}
	fwc_chunks_free(&c);
	if (n < 0)
		return n;
	return f->meta ? 0
		       : fw_fail(EPROTO, "%s: the recorder ended before the capture had a head",
				 fw_source_path(f->src));
}

int fwc_stream_start(struct fwc *f, const struct fw_input_live *opts)
{
	struct fwc_stream *s = fw_zalloc(sizeof(*s));

	fwc_stream_free(f);
	f->stream = s;
	s->opts = *opts;
	s->settle = (uint64_t)opts->settle_ns;
	s->main.width = FW_MAX(s->settle / 8, BUCKET_MIN_NS);
	s->ahead.width = s->main.width;
	s->chunks = chunks_of(f);
	/* What a first reading knows beforehand a growing capture does not. */
	fwc_forget(f);
	if (!f->trace)
		return 0;
	f->trace_sort = fw_sort_new(TRACE_BUDGET, fwc_by_time, NULL);
	return fwc_trace_packets(f, true);
}

void fwc_stream_free(struct fwc *f)
{
	struct fwc_stream *s = f->stream;

	if (!s)
		return;
	window_free(&s->main);
	window_free(&s->ahead);
	fw_sort_free(f->trace_sort);
	f->trace_sort = NULL;
	fwc_chunks_free(&s->chunks);
	free(s);
	f->stream = NULL;
}
