// SPDX-License-Identifier: GPL-2.0-or-later
/* sf - SurfaceFlinger's events on their way into a capture */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/mem.h"
#include "framewait/capture.h"
#include "live/atrace.h"
#include "live/capture.h"
#include "live/describe.h"
#include "live/growing.h"
#include "live/perfetto.h"
#include "live/session.h"
#include "live/sf.h"
#include "live/sf_packets.h"
#include "live/sf_watch.h"
#include "live/targets.h"

#define MS 1000000ull
#define BEGIN_MS 1000 /* for perfetto's first bytes */
#define END_MS 700 /* for its end */
#define READ_SIZE (256u << 10)
#define POLL_BYTES (4u << 20) /* of a file that was there before: the rings must not wait for it */
#define CHUNK_BYTES (192u << 10)

enum { TIMELINE, TRACER, N_WATCH };

struct fw_sf {
	struct fw_sf_opts opts;
	struct fw_growing file;
	struct fw_sf_cut cut;
	struct fw_perfetto perfetto;
	struct fw_perfetto_answer answer;
	struct fw_sf_watch watch[N_WATCH];
	size_t n_watch;
	uint8_t *chunk; /* struct fw_sf_packets and packets */
	size_t len, cap;
	uint32_t flags; /* of the chunk to come */
	uint64_t packets, gaps, last_bytes, stop;
	bool behind, tags_held, failed, said_broken, said_start, dead;
};

enum fw_sf_mode fw_sf_choose(void)
{
	struct fw_perfetto_answer a;
	char detail[256];

	fw_perfetto_ask(&a);
	if (a.works)
		return FW_SF_PERFETTO;
	return fw_atrace_possible(detail, sizeof(detail)) ? FW_SF_MARKS : FW_SF_NONE;
}

const char *fw_sf_mode_name(enum fw_sf_mode mode)
{
	static const char *const names[] = { "none", "marks", "file", "perfetto" };

	return names[mode];
}

static void chunk_begin(struct fw_sf *s)
{
	s->len = sizeof(struct fw_sf_packets);
	if (s->cap < s->len) {
		s->cap = CHUNK_BYTES;
		s->chunk = fw_realloc(s->chunk, s->cap, 1);
	}
}

int fw_sf_flush(struct fw_sf *s, struct fw_capture *c)
{
	struct fw_sf_packets head = { .arrival = s->last_bytes, .flags = s->flags };
	size_t len = s->len;

	if (len <= sizeof(head) && !(s->flags & FW_SFF_GAP))
		return 0;
	chunk_begin(s);
	s->flags = 0;
	memcpy(s->chunk, &head, sizeof(head));
	return fw_capture_chunk(c, FW_CHUNK_SF, s->chunk, len);
}

/* What comes now may not follow what came before. */
static int gap(struct fw_sf *s, struct fw_capture *c)
{
	int err = fw_sf_flush(s, c);

	s->gaps++;
	s->flags |= FW_SFF_GAP;
	return err;
}

static int keep(struct fw_sf *s, struct fw_capture *c, struct fw_str packet)
{
	int err = 0;

	if (s->len + packet.len > s->cap) {
		s->cap = (s->len + packet.len) * 2;
		s->chunk = fw_realloc(s->chunk, s->cap, 1);
	}
	memcpy(s->chunk + s->len, packet.p, packet.len);
	s->len += packet.len;
	s->packets++;
	if (s->len >= CHUNK_BYTES)
		err = fw_sf_flush(s, c);
	return err;
}

static void came(struct fw_sf *s, uint32_t kinds)
{
	if (kinds & (FW_SFK_FRAME_TIMELINE | FW_SFK_PACKED))
		fw_sf_watch_came(&s->watch[TIMELINE], s->last_bytes);
	if (kinds & (FW_SFK_FRAME_TRACER | FW_SFK_PACKED))
		fw_sf_watch_came(&s->watch[TRACER], s->last_bytes);
}

static int take_bytes(struct fw_sf *s, struct fw_capture *c, const uint8_t *bytes, size_t n)
{
	bool gzip = n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
	struct fw_str packet;
	uint32_t kinds;
	int err = 0;

	fw_sf_cut_add(&s->cut, bytes, n);
	while (!err && fw_sf_cut_next(&s->cut, &packet, &kinds)) {
		if (!kinds)
			continue;
		came(s, kinds);
		err = keep(s, c, packet);
	}
	if (s->cut.broken && !s->said_broken) {
		s->said_broken = true;
		err = err ? err : gap(s, c);
		fw_warn("%s: %s; nothing of it is read until it begins anew",
			s->opts.path ? s->opts.path : "perfetto's file",
			gzip ? "compressed with gzip, which cannot be followed as it grows"
			     : "what comes now is no Perfetto trace");
	}
	return err;
}

static int new_stream(struct fw_sf *s, struct fw_capture *c, bool anew)
{
	bool counted = s->dead || s->said_broken;
	int err = fw_sf_flush(s, c);

	fw_sf_cut_reset(&s->cut);
	if (s->dead)
		fw_warn("perfetto runs again");
	else if (anew)
		fw_warn("%s was cut or replaced: read from its beginning, what is missing is not "
			"known",
			s->opts.path ? s->opts.path : "perfetto's file");
	if (!err && anew && !counted)
		err = gap(s, c);
	s->dead = s->said_broken = s->said_start = false;
	s->flags |= FW_SFF_NEW;
	return err;
}

/* Up to @budget bytes of what has come. *@all: there is no more. */
static int take(struct fw_sf *s, struct fw_capture *c, uint64_t budget, bool *all)
{
	static uint8_t buf[READ_SIZE];
	enum fw_growth how;
	uint64_t taken = 0;
	ssize_t n = 0;
	int err = 0;

	while (!err && taken < budget) {
		n = fw_growing_read(&s->file, buf, sizeof(buf), &how);
		if (n <= 0)
			break;
		s->last_bytes = fw_boot_ns();
		if (how != FW_GROWN)
			err = new_stream(s, c, how == FW_GROWN_ANEW);
		err = err ? err : take_bytes(s, c, buf, n);
		taken += n;
	}
	if (n < 0) {
		/* The kernel's side goes on. */
		if (!s->failed)
			fw_warn("%s", fw_fail_text());
		fw_fail_clear();
	}
	s->failed = n < 0;
	*all = n <= 0;
	s->behind = !*all;
	/* perfetto and its service have it open: however this process ends, nothing stays. */
	if (taken && s->opts.mode == FW_SF_PERFETTO)
		fw_perfetto_unlink(&s->perfetto);
	return err;
}

static void perfetto_start(struct fw_sf *s)
{
	bool had_one = s->file.had_one;

	fw_growing_close(&s->file);
	if (fw_perfetto_start(&s->perfetto)) {
		if (!s->said_start)
			fw_warn("%s", fw_fail_text());
		s->said_start = true;
		fw_fail_clear();
	}
	fw_growing_init(&s->file, s->perfetto.path, true);
	s->file.had_one = had_one;
}

/* Did the program end of its own accord? Then its rest is read, and it is started again. */
static int look_after_perfetto(struct fw_sf *s, struct fw_capture *c)
{
	bool all = false, first = !s->dead;
	char how[300];
	int err = 0;

	if (s->stop)
		return 0;
	if (fw_perfetto_died(&s->perfetto, how, sizeof(how))) {
		while (!err && !all)
			err = take(s, c, POLL_BYTES, &all);
		if (!err && first)
			err = gap(s, c);
		if (first)
			fw_warn("perfetto ended (%s): frames are missing until it runs again", how);
		s->dead = true;
	}
	if (!err && fw_perfetto_due(&s->perfetto, fw_boot_ns()))
		perfetto_start(s);
	return err;
}

static const char *why_silent(const struct fw_sf *s, uint64_t now)
{
	static char text[512];
	bool perfetto = s->opts.mode == FW_SF_PERFETTO;

	if (perfetto && s->dead)
		return "perfetto does not run";
	if (s->opts.mode == FW_SF_FILE && !fw_growing_there(&s->file)) {
		snprintf(text, sizeof(text), "%s is not there", s->opts.path);
		return text;
	}
	if (s->cut.broken)
		return "the file is no Perfetto trace";
	if (s->opts.mode != FW_SF_MARKS && now > s->last_bytes + 4000 * MS) {
		snprintf(text, sizeof(text), "%s does not grow",
			 perfetto ? "perfetto's file" : s->opts.path);
		return text;
	}
	if (!fw_process_runs("surfaceflinger") && s->opts.mode != FW_SF_FILE)
		return "SurfaceFlinger is not running";
	if (s->opts.mode == FW_SF_MARKS)
		return "nothing is drawn, or the programs do not write marks (framewait check)";
	if (perfetto && (!s->answer.timeline || !s->answer.tracer))
		return "SurfaceFlinger had not registered its data source with traced when the "
		       "recording began";
	if (!perfetto && !s->watch[TIMELINE].seen)
		return "nothing is drawn, or the recording was not asked for SurfaceFlinger's "
		       "data sources (framewait record --sf-config)";
	return "the screen is off, or nothing is drawn";
}

static void watch_silence(struct fw_sf *s)
{
	uint64_t now = fw_boot_ns(), span;
	char names[256];

	span = fw_sf_watch_silent(s->watch, s->n_watch, now, names, sizeof(names));
	if (span)
		fw_warn("%s in %.0f s: %s", names, span / 1e9, why_silent(s, now));
}

int fw_sf_poll(struct fw_sf *s, struct fw_capture *c)
{
	bool all;
	int err = 0;

	if (s->opts.mode == FW_SF_FILE || s->opts.mode == FW_SF_PERFETTO)
		err = take(s, c, POLL_BYTES, &all);
	if (!err && s->opts.mode == FW_SF_PERFETTO)
		err = look_after_perfetto(s, c);
	watch_silence(s);
	return err;
}

void fw_sf_mark(struct fw_sf *s, const char *text, size_t len)
{
	if (s->opts.mode == FW_SF_MARKS && fw_mark_is_frames(text, len))
		fw_sf_watch_came(&s->watch[0], fw_boot_ns());
}

void fw_sf_stop(struct fw_sf *s)
{
	s->stop = fw_boot_ns();
	if (s->opts.mode == FW_SF_PERFETTO)
		fw_perfetto_stop(&s->perfetto);
}

/* perfetto writes its rest and ends; it gets as long as the recording has for its own end. */
static int await_perfetto(struct fw_sf *s, struct fw_capture *c)
{
	uint64_t end = s->stop + END_MS * MS;
	char how[300];
	bool all;
	int err = 0;

	if (s->perfetto.program.pid <= 0)
		return 0;
	while (!err && !fw_perfetto_died(&s->perfetto, how, sizeof(how))) {
		if (fw_boot_ns() >= end) {
			fw_warn("perfetto did not end in %.1f s and is killed: its last packets "
				"are "
				"missing",
				END_MS / 1000.0);
			err = gap(s, c);
			fw_perfetto_end(&s->perfetto);
			break;
		}
		err = take(s, c, POLL_BYTES, &all);
		poll(NULL, 0, 5);
	}
	return err;
}

int fw_sf_finish(struct fw_sf *s, struct fw_capture *c)
{
	uint64_t end = s->stop + END_MS * MS;
	bool all = false;
	int err = 0;

	if (s->opts.mode == FW_SF_PERFETTO)
		err = await_perfetto(s, c);
	if (s->opts.mode == FW_SF_FILE || s->opts.mode == FW_SF_PERFETTO) {
		while (!err && !all && fw_boot_ns() < end + 100 * MS)
			err = take(s, c, POLL_BYTES, &all);
		if (!err && !all) {
			fw_warn("%s grows faster than it can be read: its end is missing",
				s->opts.path ? s->opts.path : "perfetto's file");
			err = gap(s, c);
		}
	}
	fw_sf_cut_reset(&s->cut);
	return err ? err : fw_sf_flush(s, c);
}

/* Until its first bytes stand in the file: then its data sources have been asked to begin. */
static int await_begin(struct fw_sf *s)
{
	uint64_t end = fw_boot_ns() + BEGIN_MS * MS;
	struct stat st;
	char how[300];

	while (!stat(s->perfetto.path, &st) && !st.st_size && fw_boot_ns() < end) {
		if (fw_perfetto_died(&s->perfetto, how, sizeof(how)))
			return fw_fail(EIO, "--sf perfetto: the program perfetto ended: %s", how);
		poll(NULL, 0, 5);
	}
	return 0;
}

static int begin_perfetto(struct fw_sf *s)
{
	int err;

	fw_perfetto_init(&s->perfetto);
	fw_perfetto_ask(&s->answer);
	if (!s->answer.works)
		return fw_fail(ENOENT, "--sf perfetto: %s", s->answer.why);
	err = fw_perfetto_start(&s->perfetto);
	if (err)
		return err;
	fw_growing_init(&s->file, s->perfetto.path, true);
	return await_begin(s);
}

static int begin_marks(struct fw_sf *s)
{
	int ret = fw_atrace_hold();

	s->tags_held = !ret;
	return ret < 0 ? ret : 0;
}

static int begin_file(struct fw_sf *s)
{
	struct stat st;

	fw_growing_init(&s->file, s->opts.path, false);
	if (stat(s->opts.path, &st))
		fw_warn("--sf %s: %s; waiting for it", s->opts.path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		return fw_fail(EINVAL, "--sf %s: not a file that grows", s->opts.path);
	return 0;
}

static void begin_watches(struct fw_sf *s)
{
	uint64_t now = fw_boot_ns();

	if (s->opts.mode == FW_SF_NONE)
		return;
	if (s->opts.mode == FW_SF_MARKS) {
		s->n_watch = 1;
		fw_sf_watch_begin(&s->watch[0],
				  "mark of a frame (Choreographer#doFrame, DrawFrames, commit, "
				  "composite)",
				  now);
		return;
	}
	s->n_watch = N_WATCH;
	fw_sf_watch_begin(&s->watch[TIMELINE], "FrameTimeline packet", now);
	fw_sf_watch_begin(&s->watch[TRACER], "FrameTracer packet", now);
}

int fw_sf_open(const struct fw_sf_opts *o, struct fw_sf **out)
{
	struct fw_sf *s = fw_zalloc(sizeof(*s));
	int err = 0;

	s->opts = *o;
	s->file.fd = -1;
	s->perfetto.program.out = -1;
	chunk_begin(s);
	if (o->mode == FW_SF_PERFETTO)
		err = begin_perfetto(s);
	else if (o->mode == FW_SF_MARKS)
		err = begin_marks(s);
	else if (o->mode == FW_SF_FILE)
		err = begin_file(s);
	if (err) {
		fw_sf_close(s);
		return err;
	}
	begin_watches(s);
	*out = s;
	return 0;
}

void fw_sf_close(struct fw_sf *s)
{
	if (!s)
		return;
	if (s->tags_held && fw_atrace_release() < 0) {
		fw_warn("the atrace tags are not restored: %s", fw_fail_text());
		fw_fail_clear();
	}
	fw_perfetto_end(&s->perfetto);
	fw_growing_close(&s->file);
	fw_sf_cut_free(&s->cut);
	free(s->chunk);
	free(s);
}

enum fw_sf_mode fw_sf_mode(const struct fw_sf *s)
{
	return s->opts.mode;
}

bool fw_sf_behind(const struct fw_sf *s)
{
	return s->behind;
}

uint64_t fw_sf_packets(const struct fw_sf *s)
{
	return s->packets;
}

uint64_t fw_sf_gaps(const struct fw_sf *s)
{
	return s->gaps;
}

uint64_t fw_sf_bytes_lost(const struct fw_sf *s)
{
	return s->cut.lost;
}
