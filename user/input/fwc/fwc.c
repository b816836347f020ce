// SPDX-License-Identifier: GPL-2.0-or-later
/* fwc - a capture of framewait record as an input like any other */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/fwc/fwc.h"

#define SORT_BUDGET (8u << 20)
#define TOLD_MAX 65536u

static const struct {
	const char *name;
	size_t size;
} record_types[FW_REC_END] = {
	[FW_REC_RAN] = { "ran", sizeof(struct fw_rec_ran) },
	[FW_REC_WAITED] = { "waited", sizeof(struct fw_rec_waited) },
	[FW_REC_SWITCH] = { "switch", sizeof(struct fw_rec_switch) },
	[FW_REC_OPEN] = { "open", sizeof(struct fw_rec_open) },
	[FW_REC_TASK] = { "task", sizeof(struct fw_rec_task) },
	[FW_REC_IRQ] = { "irq", sizeof(struct fw_rec_irq) },
	[FW_REC_FREQ] = { "frequency", sizeof(struct fw_rec_freq) },
	[FW_REC_FENCE] = { "fence", sizeof(struct fw_rec_fence) },
	[FW_REC_FENCE_NAME] = { "fence_name", sizeof(struct fw_rec_fence_name) },
	[FW_REC_BLOCKED] = { "blocked_reason", sizeof(struct fw_rec_blocked) },
	[FW_REC_GPU_MEM] = { "gpu_mem", sizeof(struct fw_rec_gpu_mem) },
	[FW_REC_FENCE_POLL] = { "fence_poll", sizeof(struct fw_rec_fence_poll) },
	[FW_REC_FENCE_MEMBER] = { "fence_member", sizeof(struct fw_rec_fence_member) },
	[FW_REC_MARK] = { "mark", sizeof(struct fw_rec_text) },
	[FW_REC_CMDLINE] = { "cmdline", sizeof(struct fw_rec_text) },
	[FW_REC_COMM] = { "comm", sizeof(struct fw_rec_text) },
	[FW_REC_SYMBOL] = { "symbol", sizeof(struct fw_rec_symbol) },
	[FW_REC_LOSS] = { "loss", sizeof(struct fw_rec_loss) },
	[FW_REC_CLOCK] = { "clock", sizeof(struct fw_rec_clock) },
	[FW_REC_CHECK] = { "check", sizeof(struct fw_rec) },
};

/* The smallest size of a record of this type; 0: not a type of this version. */
static size_t record_size(unsigned int type)
{
	return type < FW_REC_END ? record_types[type].size : 0;
}

struct fw_str fwc_text(const struct fw_rec *r, size_t fixed, uint32_t len)
{
	if (len > r->size - fixed)
		return FW_STR_NONE;
	return (struct fw_str){ (const char *)r + fixed, len };
}

const struct fw_rec *fwc_record(struct fwc *f, const struct fwc_chunks *c, size_t *pos)
{
	while (*pos < c->len) {
		const struct fw_rec *r = (const struct fw_rec *)(c->payload + *pos);
		size_t want;

		if (c->len - *pos < sizeof(*r) || r->size < sizeof(*r) || r->size % 8 ||
		    r->size > c->len - *pos) {
			if (c->health)
				fw_health_add(c->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
			break;
		}
		want = record_size(r->type);
		*pos += r->size;
		if (want && r->size >= want && r->ts <= INT64_MAX)
			return r;
	}
	*pos = c->len;
	return NULL;
}

/* Each record of the chunk at hand; what is no record ends the chunk. */
static int each_record(struct fwc *f, const struct fwc_chunks *c,
		       int (*fn)(struct fwc *f, const struct fw_rec *r))
{
	const struct fw_rec *r;
	size_t pos = 0;
	int err = 0;

	while (!err && (r = fwc_record(f, c, &pos)))
		err = fn(f, r);
	return err;
}

struct fwc_tail *fwc_tail(struct fwc *f, uint32_t tid)
{
	uint64_t *slot = fw_map_slot(&f->tids, tid);

	if (!*slot) {
		fw_grow(f->tails, f->n_tails, f->tails_cap);
		f->tails[f->n_tails++] = (struct fwc_tail){ .tid = tid };
		*slot = f->n_tails;
	}
	return &f->tails[*slot - 1];
}

static void closed_at(struct fwc *f, uint32_t tid, uint64_t ts)
{
	struct fwc_tail *t = fwc_tail(f, tid);

	if (ts > t->closed)
		t->closed = ts;
}

static void waited_until(struct fwc *f, const struct fw_waited *w, uint64_t ts)
{
	closed_at(f, w->tid, ts);
	if (!f->counted)
		fwc_opinion_waited(f, fwc_tail(f, w->tid), w, ts);
}

static void set_name(struct fwc *f, struct fwc_told *t, uint64_t key, struct fw_str s)
{
	if (!s.p || !s.len)
		return;
	if (f->stream && t->now.n >= TOLD_MAX) {
		fw_map_free(&t->before);
		t->before = t->now;
		t->now = (struct fw_map){ 0 };
	}
	fw_map_set(&t->now, key, fw_names_id(f->names, s));
}

static void told_free(struct fwc_told *t)
{
	fw_map_free(&t->now);
	fw_map_free(&t->before);
}

static struct fw_str fixed_str(const char *p, size_t size)
{
	return (struct fw_str){ p, strnlen(p, size) };
}

static void index_open(struct fwc *f, const struct fw_rec_open *o)
{
	struct fwc_tail *t = fwc_tail(f, o->waited.tid);

	if (t->have && t->open.rec.ts >= o->rec.ts)
		return;
	t->have = true;
	t->open = *o;
}

static void count_record(struct fwc *f, const struct fw_rec *r)
{
	const struct fw_rec_loss *loss = (const void *)r;
	const struct fw_rec_blocked *blocked = (const void *)r;

	f->n_records[r->type]++;
	f->n_bytes[r->type] += r->size;
	if (r->type == FW_REC_LOSS)
		fw_health_add(f->health, FW_H_fw_ring_lost, (int)r->cpu, (int64_t)loss->n);
	else if (r->type == FW_REC_BLOCKED)
		fwc_opinion_blocked(f, fwc_tail(f, blocked->tid), blocked);
}

int fwc_learn(struct fwc *f, const struct fw_rec *r)
{
	const struct fw_rec_text *text = (const void *)r;
	const struct fw_rec_switch *sw = (const void *)r;
	const struct fw_rec_symbol *sym = (const void *)r;
	const struct fw_rec_fence_name *fence = (const void *)r;

	if (!f->counted)
		count_record(f, r);
	if (r->type < FW_REC_KERNEL_END && r->ts < f->first_ts)
		f->first_ts = r->ts;
	if (r->ts > (uint64_t)f->rec.last_ts)
		f->rec.last_ts = r->ts;
	switch (r->type) {
	case FW_REC_RAN:
		closed_at(f, ((const struct fw_rec_ran *)r)->ran.tid, r->ts);
		break;
	case FW_REC_SWITCH:
		closed_at(f, sw->ran.tid, r->ts);
		waited_until(f, &sw->waited, r->ts);
		break;
	case FW_REC_WAITED:
		waited_until(f, &sw->waited, r->ts);
		break;
	case FW_REC_OPEN:
		index_open(f, (const struct fw_rec_open *)r);
		break;
	case FW_REC_SYMBOL:
		set_name(f, &f->symbols, sym->addr, fwc_text(r, sizeof(*sym), sym->len));
		break;
	case FW_REC_CMDLINE:
		set_name(f, &f->cmdlines, text->tid, fwc_text(r, sizeof(*text), text->len));
		break;
	case FW_REC_FENCE_NAME:
		set_name(f, &f->fence_driver, fence->context,
			 fixed_str(fence->driver, sizeof(fence->driver)));
		set_name(f, &f->fence_timeline, fence->context,
			 fixed_str(fence->timeline, sizeof(fence->timeline)));
		break;
	case FW_REC_CLOCK:
		fwc_pair(f, r->ts, ((const struct fw_rec_clock *)r)->monotonic);
		f->boot_less_real = r->ts - ((const struct fw_rec_clock *)r)->realtime;
		break;
	case FW_REC_CHECK:
		if (r->ts > f->last_check)
			f->last_check = r->ts;
		break;
	}
	return 0;
}

/* The value of "key=" in lines, absent when there is none. */
static struct fw_str line_value(const char *lines, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = lines; p && *p;) {
		const char *end = strchr(p, '\n');
		size_t n = end ? (size_t)(end - p) : strlen(p);

		if (n > len && !strncmp(p, key, len) && p[len] == '=' && n > len + 1)
			return (struct fw_str){ p + len + 1, n - len - 1 };
		p = end ? end + 1 : NULL;
	}
	return FW_STR_NONE;
}

static int64_t line_number(const char *lines, const char *key)
{
	int64_t n;

	return fw_str_int(line_value(lines, key), &n) && n > 0 ? n : 0;
}

/* Is @word one of the words of @list, which are separated by commas? */
static bool has_word(struct fw_str list, const char *word)
{
	size_t n = strlen(word), start = 0;

	for (size_t i = 0; i <= list.len; i++) {
		if (i < list.len && list.p[i] != ',')
			continue;
		if (i - start == n && !memcmp(list.p + start, word, n))
			return true;
		start = i + 1;
	}
	return false;
}

int fwc_read_meta(struct fwc *f, const struct fwc_chunks *c)
{
	int64_t version;

	if (f->meta)
		return 0;
	f->meta = fw_zalloc(c->len + 1);
	memcpy(f->meta, c->payload, c->len);
	version = line_number(f->meta, "record_version");
	if (version != FW_RECORD_VERSION)
		return fw_fail(EPROTO, "%s: records of version %lld, this program reads %d",
			       fw_source_path(f->src), (long long)version, FW_RECORD_VERSION);
	f->rec.device = line_value(f->meta, "device");
	f->rec.sysname = line_value(f->meta, "sysname");
	f->rec.kernel = line_value(f->meta, "kernel");
	f->rec.kernel_version = line_value(f->meta, "kernel_version");
	f->rec.machine = line_value(f->meta, "machine");
	f->rec.service_version = line_value(f->meta, "framewait");
	f->rec.num_cpus = (int32_t)FW_MIN(line_number(f->meta, "cpus"), INT32_MAX);
	f->rec.first_ts = line_number(f->meta, "start_ns");
	f->rec.frame_mark = line_value(f->meta, "frame_mark");
	f->rec.rungs = line_value(f->meta, "rungs");
	f->rec.sf = f->trace ? FW_STR("file") : line_value(f->meta, "sf");
	f->rec.settle_ns = line_number(f->meta, "settle_ns");
	f->have_irq = has_word(f->rec.rungs, "irq");
	return 0;
}

void fwc_read_done(struct fwc *f, const struct fwc_chunks *c)
{
	static const struct {
		const char *key;
		enum fw_health_id id;
	} counters[] = {
		{ "marks_lost", FW_H_fw_marks_lost },
		{ "storage_failed", FW_H_fw_storage_failed },
		{ "prog_missed", FW_H_fw_prog_missed },
		{ "clock_back", FW_H_fw_clock_back },
		{ "wchan_failed", FW_H_fw_wchan_failed },
		{ "switch_missed", FW_H_fw_switch_missed },
		{ "sf_bytes_lost", FW_H_fw_sf_bytes_lost },
	};
	char *lines = fw_zalloc(c->len + 1);
	uint64_t end;

	memcpy(lines, c->payload, c->len);
	for (size_t i = 0; i < ARRAY_SIZE(counters) && !f->counted; i++)
		fw_health_add(f->health, counters[i].id, FW_HEALTH_NO_IDX,
			      line_number(lines, counters[i].key));
	end = line_number(lines, "end_ns");
	if (end && end < f->last_check + 1000000000u && end > (uint64_t)f->rec.last_ts)
		f->rec.last_ts = end;
	free(lines);
}

static int index_all(struct fwc *f)
{
	struct fwc_chunks c = {
		.src = f->src,
		.reader = { .src = f->src },
		.health = f->health,
		.pos = FW_CAPTURE_MAGIC_LEN,
	};
	bool done = false;
	int err;

	while ((err = fwc_chunks_next(&c)) > 0) {
		if (c.type == FW_CHUNK_META)
			err = fwc_read_meta(f, &c);
		else if (c.type == FW_CHUNK_RECS)
			err = each_record(f, &c, fwc_learn);
		else if (c.type == FW_CHUNK_SF)
			err = fwc_packets(f, c.payload, c.len, false);
		else if (c.type == FW_CHUNK_DONE)
			done = true, fwc_read_done(f, &c);
		if (err < 0)
			break;
	}
	fwc_chunks_free(&c);
	if (err < 0)
		return err;
	if (!f->meta)
		return fw_fail(EPROTO,
			       "%s: the capture has no head; was it cut within its first "
			       "bytes?",
			       fw_source_path(f->src));
	if (!done)
		fw_health_add(f->health, FW_H_fw_capture_unfinished, FW_HEALTH_NO_IDX, 1);
	err = f->trace ? fwc_trace_packets(f, false) : 0;
	if (err)
		return err;
	f->counted = true;
	if (!f->rec.first_ts)
		f->rec.first_ts = f->first_ts == UINT64_MAX ? INT64_MAX : (int64_t)f->first_ts;
	return 0;
}

void fwc_forget(struct fwc *f)
{
	fwc_packets_free(f);
	/* The times of another file's packets were all asked for at once. */
	if (!f->trace)
		f->n_pairs = 0;
	told_free(&f->symbols);
	told_free(&f->fence_driver);
	told_free(&f->fence_timeline);
	told_free(&f->cmdlines);
	fw_map_free(&f->tids);
	for (size_t i = 0; i < f->n_tails; i++)
		free(f->tails[i].opinions);
	f->n_tails = 0;
	f->last_check = 0;
}

static void fwc_close(void *state)
{
	struct fwc *f = state;

	fwc_stream_free(f);
	if (f->sort)
		fw_sort_free(f->sort);
	fwc_forget(f);
	fw_health_free(f->unheard);
	free(f->pairs);
	free(f->put);
	fw_names_free(f->names);
	free(f->tails);
	free(f->meta);
	fw_source_close(f->src);
	fw_source_close(f->trace);
	free(f);
}

static struct fwc *make(struct fw_source *src, struct fw_health *health)
{
	struct fwc *f = fw_zalloc(sizeof(*f));

	f->src = src;
	f->health = health;
	f->names = fw_names_new();
	f->first_ts = UINT64_MAX;
	f->writer = -1;
	f->rec.format = "framewait capture";
	f->rec.trace_clock = "BOOTTIME";
	f->rec.streamed = true;
	f->rec.bytes = fw_source_file_size(src);
	return f;
}

static int opened(struct fwc *f, int err, void **state)
{
	if (err) {
		f->src = f->trace = NULL; /* stay the caller's */
		fwc_close(f);
		return err;
	}
	*state = f;
	return 0;
}

int fw_fwc_open(struct fw_source *src, struct fw_source *sf, struct fw_health *health, void **state)
{
	struct fwc *f = make(src, health);

	f->trace = sf;
	return opened(f, index_all(f), state);
}

static int fwc_open(struct fw_source *src, struct fw_health *health, void **state)
{
	return fw_fwc_open(src, NULL, health, state);
}

int fw_fwc_follow(struct fw_source *src, int writer, struct fw_health *health, void **state)
{
	struct fwc *f = make(src, health);

	f->growing = true;
	f->writer = writer;
	return opened(f, fwc_stream_head(f), state);
}

static int fwc_probe(const uint8_t *p, size_t len)
{
	return len >= FW_CAPTURE_MAGIC_LEN && !memcmp(p, FW_CAPTURE_MAGIC, FW_CAPTURE_MAGIC_LEN)
		       ? 100
		       : 0;
}

static const struct fw_recording *fwc_recording(const void *state)
{
	return &((const struct fwc *)state)->rec;
}

static int fill_sort(struct fwc *f)
{
	struct fwc_chunks c = {
		.src = f->src,
		.reader = { .src = f->src },
		.pos = FW_CAPTURE_MAGIC_LEN,
	};
	int err;

	if (f->sf)
		pf_restart(f->sf);
	while ((err = fwc_chunks_next(&c)) > 0) {
		if (c.type == FW_CHUNK_RECS)
			err = each_record(f, &c, fwc_expand);
		else if (c.type == FW_CHUNK_SF)
			err = fwc_packets(f, c.payload, c.len, true);
		if (err < 0)
			break;
	}
	fwc_chunks_free(&c);
	if (err >= 0 && f->trace)
		err = fwc_trace_packets(f, true);
	return err < 0 ? err : fwc_expand_tails(f);
}

int fwc_put(struct fwc *f, struct fwc_item it, const void *payload, size_t len)
{
	if (sizeof(it) + len > f->put_cap) {
		f->put_cap = 2 * (sizeof(it) + len);
		f->put = fw_realloc(f->put, f->put_cap, 1);
	}
	*f->put = it;
	memcpy(f->put + 1, payload, len);
	if (f->trace_sort && it.type == FWC_PACKET)
		return fw_sort_add(f->trace_sort, f->put, sizeof(it) + len);
	return f->stream ? fwc_stream_put(f, f->put, sizeof(it) + len)
			 : fw_sort_add(f->sort, f->put, sizeof(it) + len);
}

/* The kernel's side first at equal times, so that the order of two files does not matter. */
int fwc_by_time(const void *a, const void *b, const void *ctx)
{
	const struct fwc_item *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->type == FWC_PACKET) - (y->type == FWC_PACKET);
}

static int fwc_start(void *state, const struct fw_input_opts *opts)
{
	struct fwc *f = state;

	f->wants = opts->wants ? opts->wants : ~UINT64_C(0) & ~(UINT64_C(1) << FW_EV_SCHED_SWITCH);
	f->interest = opts->interest;
	f->piece_ns = opts->piece_ns > 0 ? (uint64_t)opts->piece_ns : 0;
	f->pieces = 0;
	f->sched = FWC_SCHED_NONE;
	if (f->wants >> FW_EV_INTERVAL & 1)
		f->sched = FWC_SCHED_INTERVALS;
	else if (f->wants >> FW_EV_SCHED_SWITCH & 1 || f->wants >> FW_EV_SCHED_WAKING & 1)
		f->sched = FWC_SCHED_EVENTS;
	if (f->sort)
		fw_sort_free(f->sort);
	f->sort = NULL;
	if (opts->live)
		return fwc_stream_start(f, opts->live);
	f->sort = fw_sort_new(SORT_BUDGET, fwc_by_time, NULL);
	return fill_sort(f);
}

static int fwc_next(void *state, const struct fw_event **ev)
{
	struct fwc *f = state;
	const struct fwc_item *it;
	const void *rec = NULL;
	size_t len;
	int n;

	*ev = &f->ev;
	if (fwc_packet_next(f))
		return 1;
	do {
		n = f->stream ? fwc_stream_next(f, &it, &len) : fw_sort_next(f->sort, &rec, &len);
		if (n <= 0)
			return n;
	} while (!fwc_fill(f, f->stream ? it : rec));
	return 1;
}

/* All that is not scheduling: the process tree, names, marks, SurfaceFlinger's frames. */
static int fwc_peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
			  void *ctx)
{
	struct fwc *f = state;
	struct fw_input_opts opts = {
		.wants = UINT64_C(1) << FW_EV_TREE_PROCESS | UINT64_C(1) << FW_EV_TREE_THREAD |
			 UINT64_C(1) << FW_EV_MARK | UINT64_C(1) << FW_EV_FRAME_TRACER |
			 UINT64_C(1) << FW_EV_EXPECTED_SURFACE |
			 UINT64_C(1) << FW_EV_EXPECTED_DISPLAY |
			 UINT64_C(1) << FW_EV_ACTUAL_SURFACE | UINT64_C(1) << FW_EV_ACTUAL_DISPLAY |
			 UINT64_C(1) << FW_EV_FRAME_END,
	};
	const struct fw_event *ev;
	int err = fwc_start(f, &opts);

	f->peeking = true;
	while (!err && (err = fwc_next(f, &ev)) > 0)
		err = fn(ctx, ev);
	f->peeking = f->in_small = false;
	fw_sort_free(f->sort);
	f->sort = NULL;
	return err;
}

static bool fwc_counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	const struct fwc *f = state;

	bool any;
	size_t at;

	for (; *pos < FW_REC_END; (*pos)++) {
		if (!f->n_records[*pos])
			continue;
		*out = (struct fw_input_count){ "record", record_types[*pos].name,
						f->n_records[*pos], f->n_bytes[*pos] };
		(*pos)++;
		return true;
	}
	at = *pos - FW_REC_END;
	any = f->sf && pf_count_packets(f->sf, &at, out);
	*pos = at + FW_REC_END;
	return any;
}

const struct fw_format fw_format_fwc = {
	.name = "framewait capture",
	.probe = fwc_probe,
	.open = fwc_open,
	.close = fwc_close,
	.recording = fwc_recording,
	.peek_small = fwc_peek_small,
	.start = fwc_start,
	.next = fwc_next,
	.counts = fwc_counts,
	.clock = fwc_clock,
};
