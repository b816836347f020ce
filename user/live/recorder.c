// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "framewait/capture.h"
#include "live/boot_offset.h"
#include "live/capture.h"
#include "live/describe.h"
#include "live/marks.h"
#include "live/recorder.h"
#include "live/targets.h"
#include "live/wakers.h"

#define POLL_MS 50
#define SECOND 1000000000ull
#define MARK_MAX 4096

/* What is known of a thread id. */
enum { UNKNOWN, TARGET, DYING };

struct held_mark {
	struct fw_mark mark;
	char *text;
};

struct fw_recorder {
	struct fw_recorder_opts opts;
	struct fw_session *session;
	struct fw_capture *capture;
	struct fw_marks *marks;
	struct fw_sf *sf;
	struct fw_map symbols; /* address: the number that stands for it, from 1 */
	struct fw_map tids;
	struct fw_wakers wakers;
	uint64_t n_named; /* of @symbols */
	uint32_t *dead; /* DYING since this round */
	size_t n_dead, dead_cap;
	struct held_mark *held;
	size_t n_held, held_cap;
	uint64_t start, last_poll, last_second, this_second, next_second;
	struct fw_cpu_health *health;
	uint64_t *lost; /* per CPU, as of the last poll */
	uint64_t consumed, n_marks, n_frames;
	uint32_t targets;
	uint64_t cpu_before; /* CPU time of loading, which is no cost of recording */
	bool new_process; /* a thread became a target on its own: its siblings must follow */
	bool stopped;
	bool boot_offset_known;
	int64_t boot_offset; /* BOOTTIME less MONOTONIC, ns */
	int err;
};

static uint64_t number_of(struct fw_recorder *r, uint64_t addr)
{
	uint64_t *number = fw_map_slot(&r->symbols, addr);

	if (!*number)
		*number = r->symbols.n;
	return *number;
}

/* Records with the address of a function. */
union fw_rec_addr {
	struct fw_rec rec;
	struct fw_rec_waited waited;
	struct fw_rec_switch sw;
	struct fw_rec_open open;
	struct fw_rec_blocked blocked;
};

/* Where the kernel lies in memory stays in this process: a capture has numbers for its addresses. */
static const struct fw_rec *without_address(struct fw_recorder *r, const struct fw_rec *rec,
					    union fw_rec_addr *copy)
{
	__u64 *addr;

	switch (rec->type) {
	case FW_REC_WAITED:
	case FW_REC_SWITCH:
	case FW_REC_OPEN:
		addr = &copy->waited.waited.wchan;
		break;
	case FW_REC_BLOCKED:
		addr = &copy->blocked.caller;
		break;
	default:
		return rec;
	}
	if (rec->size > sizeof(*copy))
		return rec;
	memcpy(copy, rec, rec->size);
	if (!*addr)
		return rec;
	*addr = number_of(r, *addr);
	return &copy->rec;
}

static void put(struct fw_recorder *r, const struct fw_rec *rec)
{
	union fw_rec_addr copy;

	if (r->opts.on_record)
		r->opts.on_record(r->opts.ctx, rec);
	if (r->capture && !r->err)
		r->err = fw_capture_record(r->capture, without_address(r, rec, &copy));
}

static void put_text(struct fw_recorder *r, int type, uint32_t tid, uint64_t ts, uint32_t cpu,
		     const char *text, size_t len)
{
	struct fw_rec_text t = {
		.rec = { .type = type, .ts = ts, .cpu = cpu },
		.tid = tid,
		.len = len,
	};

	if (r->capture && !r->err)
		r->err = fw_capture_record_text(r->capture, &t.rec, sizeof(t), text, len);
}

static void note_symbol(struct fw_recorder *r, uint64_t addr, uint64_t ts)
{
	struct fw_rec_symbol s = { .rec = { .type = FW_REC_SYMBOL, .ts = ts } };
	char name[128];

	if (!addr || !r->capture)
		return;
	s.addr = number_of(r, addr);
	if (s.addr <= r->n_named)
		return;
	r->n_named = s.addr;
	if (!fw_session_symbol(r->session, addr, name, sizeof(name)))
		return;
	s.len = strlen(name);
	if (!r->err)
		r->err = fw_capture_record_text(r->capture, &s.rec, sizeof(s), name, s.len);
}

/* One line of a small file of /proc. Return: its length, 0 when there is none. */
static size_t read_proc(uint32_t tid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/%s", tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n <= 0)
		return 0;
	buf[n] = '\0';
	n = strlen(buf);
	if (n && buf[n - 1] == '\n')
		buf[--n] = '\0';
	return n;
}

static void note_waker(struct fw_recorder *r, const struct fw_waited *w, uint64_t ts)
{
	struct fw_waker *known;
	char comm[64];
	size_t len;

	if (!w->wake || !w->waker || fw_map_get(&r->tids, w->waker))
		return;
	known = fw_wakers_ask(&r->wakers, w->waker, ts);
	if (!known)
		return;
	len = read_proc(w->waker, "comm", comm, sizeof(comm));
	if (len && fw_waker_is_news(known, comm))
		put_text(r, FW_REC_COMM, w->waker, ts, 0, comm, len);
}

static void note_waited(struct fw_recorder *r, const struct fw_waited *w, uint64_t ts)
{
	note_symbol(r, w->wchan, ts);
	note_waker(r, w, ts);
}

static void note_cmdline(struct fw_recorder *r, uint32_t pid, uint64_t ts)
{
	char cmdline[1024];
	size_t len = read_proc(pid, "cmdline", cmdline, sizeof(cmdline));

	if (len)
		put_text(r, FW_REC_CMDLINE, pid, ts, 0, cmdline, len);
}

static void note_task(struct fw_recorder *r, const struct fw_rec_task *t)
{
	uint64_t *known = fw_map_slot(&r->tids, t->tid);

	if (t->op == FW_TASK_EXIT) {
		if (*known == TARGET && r->targets)
			r->targets--;
		*known = DYING;
		fw_grow(r->dead, r->n_dead, r->dead_cap);
		r->dead[r->n_dead++] = t->tid;
		return;
	}
	if ((t->op == FW_TASK_EXEC || t->op == FW_TASK_RENAME) && *known != TARGET)
		r->new_process = true;
	if (*known != TARGET)
		r->targets++;
	*known = TARGET;
	if (t->tid == t->tgid && t->op != FW_TASK_FORK)
		note_cmdline(r, t->tgid, t->rec.ts);
}

static int on_record(void *ctx, const struct fw_rec *rec)
{
	struct fw_recorder *r = ctx;

	r->consumed++;
	put(r, rec);
	switch (rec->type) {
	case FW_REC_WAITED:
	case FW_REC_SWITCH:
	case FW_REC_OPEN:
		note_waited(r, &((const struct fw_rec_waited *)rec)->waited, rec->ts);
		break;
	case FW_REC_TASK:
		note_task(r, (const struct fw_rec_task *)rec);
		break;
	case FW_REC_BLOCKED:
		note_symbol(r, ((const struct fw_rec_blocked *)rec)->caller, rec->ts);
		break;
	}
	return r->err;
}

/* Kept until the records that came meanwhile have told whose thread it was. */
static int on_mark(void *ctx, const struct fw_mark *m)
{
	struct fw_recorder *r = ctx;
	struct held_mark *h;

	fw_grow(r->held, r->n_held, r->held_cap);
	h = &r->held[r->n_held++];
	h->mark = *m;
	h->mark.len = m->len < MARK_MAX ? m->len : MARK_MAX;
	h->text = fw_memdup(m->text, h->mark.len);
	return 0;
}

static void put_marks(struct fw_recorder *r)
{
	for (size_t i = 0; i < r->n_held; i++) {
		const struct fw_mark *m = &r->held[i].mark;
		const uint64_t *known = fw_map_get(&r->tids, m->tid);

		if (known && (*known == TARGET || *known == DYING)) {
			r->n_marks++;
			if (fw_mark_begins_frame(r->held[i].text, m->len, r->opts.frame_mark))
				r->n_frames++;
			fw_sf_mark(r->sf, r->held[i].text, m->len);
			put_text(r, FW_REC_MARK, m->tid, m->ts, m->cpu, r->held[i].text, m->len);
		}
		free(r->held[i].text);
	}
	r->n_held = 0;
}

/* Marks that a thread wrote at its end are read after its exit: it is known one round longer. */
static void forget_dead(struct fw_recorder *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t *known = fw_map_get(&r->tids, r->dead[i]);

		if (known && *known == DYING)
			fw_map_del(&r->tids, r->dead[i]);
	}
	r->n_dead -= n;
	if (r->n_dead)
		memmove(r->dead, r->dead + n, r->n_dead * sizeof(*r->dead));
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * SECOND + ts.tv_nsec;
}

/*
 * Where the kernel tells the difference between the two clocks, the pair is exact: a fence is known by
 * its stamp. It changes only while the machine is suspended.
 */
static void make_exact(struct fw_recorder *r, struct fw_rec_clock *c)
{
	int64_t measured = (int64_t)(c->rec.ts - c->monotonic), off;

	for (int try = 0; try < 2; try++) {
		off = measured - r->boot_offset;
		if (r->boot_offset_known && off <= (int64_t)c->error && off >= -(int64_t)c->error) {
			c->monotonic = c->rec.ts - (uint64_t)r->boot_offset;
			return;
		}
		r->boot_offset_known = fw_boot_offset(&r->boot_offset);
	}
}

/* The tightest of a few readings: one of them may have been interrupted. */
static void put_clock(struct fw_recorder *r)
{
	struct fw_rec_clock best = { .error = UINT64_MAX };

	for (int i = 0; i < 5; i++) {
		struct fw_rec_clock c = {
			.rec = { .size = sizeof(c), .type = FW_REC_CLOCK, .ts = fw_boot_ns() },
		};

		c.monotonic = clock_ns(CLOCK_MONOTONIC);
		c.realtime = clock_ns(CLOCK_REALTIME);
		c.error = fw_boot_ns() - c.rec.ts;
		if (c.error < best.error)
			best = c;
	}
	make_exact(r, &best);
	put(r, &best.rec);
}

static uint64_t lost_of(const struct fw_cpu_health *h)
{
	uint64_t n = 0;

	for (int i = 0; i < FW_REC_KERNEL_END; i++)
		n += h->lost[i];
	return n;
}

/* The time in which a CPU lost records goes into the capture. */
static void note_losses(struct fw_recorder *r, uint64_t now)
{
	int err = fw_session_health(r->session, r->health);

	if (err) {
		r->err = r->err ? r->err : err;
		return;
	}
	for (int cpu = 0; cpu < fw_session_num_cpus(r->session); cpu++) {
		uint64_t lost = lost_of(&r->health[cpu]);
		struct fw_rec_loss l = {
			.rec = { .size = sizeof(l), .type = FW_REC_LOSS, .ts = now, .cpu = cpu },
			.from = r->last_second, /* a batch can be that old */
			.n = lost - r->lost[cpu],
		};

		if (l.n)
			put(r, &l.rec);
		r->lost[cpu] = lost;
	}
}

static int drain(struct fw_recorder *r)
{
	uint64_t now = fw_boot_ns();
	size_t dead_before = r->n_dead;
	int err = r->marks ? fw_marks_read(r->marks, on_mark, r) : 0;

	if (err >= 0)
		err = fw_session_consume(r->session, on_record, r);
	put_marks(r);
	forget_dead(r, dead_before);
	if (err < 0)
		return err;
	note_losses(r, now);
	r->last_poll = now;
	if (!r->err)
		r->err = fw_sf_poll(r->sf, r->capture);
	if (r->new_process) {
		r->new_process = false;
		err = fw_session_snapshot(r->session);
	}
	return r->err ? r->err : err < 0 ? err : 0;
}

/* States of the threads that did not move, clocks, and all of it to the file. */
static int each_second(struct fw_recorder *r)
{
	struct fw_rec check = { .size = sizeof(check), .type = FW_REC_CHECK };
	int err;

	check.ts = fw_boot_ns();
	r->last_second = r->this_second;
	r->this_second = check.ts;
	err = fw_session_flush(r->session);
	if (!err)
		err = fw_session_checkpoint(r->session);
	if (!err)
		err = drain(r);
	if (err)
		return err;
	/* What arrived before the check stands before it. */
	r->err = fw_sf_flush(r->sf, r->capture);
	put(r, &check);
	put_clock(r);
	if (r->capture && !r->err)
		r->err = fw_capture_flush(r->capture);
	return r->err;
}

static int begin(struct fw_recorder *r)
{
	char *head;
	int err;

	if (r->opts.path) {
		err = fw_capture_open(r->opts.path, &r->capture);
		if (err)
			return err;
	}
	r->start = r->last_poll = r->last_second = r->this_second = fw_boot_ns();
	r->next_second = r->start + SECOND;
	if (!r->capture)
		return 0;
	head = fw_describe(r->session, r->start, r->marks != NULL,
			   fw_sf_mode_name(fw_sf_mode(r->sf)), r->opts.note);
	err = fw_capture_text(r->capture, FW_CHUNK_META, head);
	free(head);
	/* What stood in a file before the recording cannot be late: it comes before the first check. */
	if (!err)
		err = drain(r);
	while (!err && fw_sf_behind(r->sf))
		err = drain(r);
	return err ? err : each_second(r);
}

/* Marks are for whoever has them; where SurfaceFlinger's frames were asked for, they must come. */
static int open_streams(struct fw_recorder *r)
{
	static const struct fw_sf_opts none = { .mode = FW_SF_NONE };
	int err = 0;

	if (r->opts.marks)
		err = fw_marks_open(r->opts.sf.mode == FW_SF_MARKS, &r->marks);
	if (err && r->opts.sf.mode == FW_SF_MARKS && !r->opts.sf.automatic)
		return err;
	fw_fail_clear();
	err = fw_sf_open(&r->opts.sf, &r->sf);
	if (!err || !r->opts.sf.automatic)
		return err;
	fw_warn("%s; the recording has no frames of SurfaceFlinger", fw_fail_text());
	fw_fail_clear();
	return fw_sf_open(&none, &r->sf);
}

int fw_recorder_open(const struct fw_recorder_opts *o, struct fw_recorder **out, bool *unwritable)
{
	struct fw_recorder *r = fw_zalloc(sizeof(*r));
	int err;

	r->opts = *o;
	if (!fw_ids_are_the_kernels())
		fw_warn("process ids here are those of a PID namespace of its own, not the "
			"kernel's: states of threads that are named by id stay unknown; record "
			"from outside of it (docker: --pid=host)");
	err = open_streams(r);
	if (!err)
		err = fw_session_open(&o->session, &r->session);
	if (!err) {
		r->health = fw_calloc(fw_session_num_cpus(r->session), sizeof(*r->health));
		r->lost = fw_calloc(fw_session_num_cpus(r->session), sizeof(*r->lost));
		r->cpu_before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		err = begin(r);
		if (err && unwritable)
			*unwritable = o->path && (!r->capture || fw_capture_failed(r->capture));
	}
	if (err) {
		fw_recorder_close(r);
		return err;
	}
	*out = r;
	return 0;
}

int fw_recorder_poll(struct fw_recorder *r)
{
	uint64_t now = fw_boot_ns();

	if (now < r->next_second)
		return drain(r);
	while (r->next_second <= now)
		r->next_second += SECOND;
	return each_second(r);
}

int fw_recorder_catch_up(struct fw_recorder *r)
{
	r->next_second = fw_boot_ns() + SECOND;
	return each_second(r);
}

int fw_recorder_interval_ms(const struct fw_recorder *r)
{
	return POLL_MS;
}

int fw_recorder_stop(struct fw_recorder *r)
{
	struct fw_record_stats st;
	char *tail;
	int err;

	if (r->stopped)
		return 0;
	r->stopped = true;
	fw_sf_stop(r->sf);
	err = each_second(r);
	fw_session_detach(r->session);
	if (!err)
		err = fw_session_flush(r->session);
	if (!err)
		err = drain(r);
	if (!err)
		err = fw_sf_finish(r->sf, r->capture);
	if (err || !r->capture)
		return err;
	fw_recorder_stats(r, &st);
	tail = fw_describe_end(&st);
	err = fw_capture_text(r->capture, FW_CHUNK_DONE, tail);
	free(tail);
	return err;
}

struct fw_session *fw_recorder_session(struct fw_recorder *r)
{
	return r->session;
}

void fw_recorder_stats(struct fw_recorder *r, struct fw_record_stats *out)
{
	struct fw_prog_cost cost;
	size_t pos = 0;

	*out = (struct fw_record_stats){
		.start = r->start,
		.now = r->last_poll,
		.consumed = r->consumed,
		.marks = r->n_marks,
		.frames = r->n_frames,
		.marks_lost = r->marks ? fw_marks_lost(r->marks) : 0,
		.bytes = r->capture ? fw_capture_bytes(r->capture) : 0,
		.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - r->cpu_before,
		.targets = r->targets,
		.sf = fw_sf_mode(r->sf),
		.sf_packets = fw_sf_packets(r->sf),
		.sf_gaps = fw_sf_gaps(r->sf),
		.sf_bytes_lost = fw_sf_bytes_lost(r->sf),
	};
	for (int cpu = 0; cpu < fw_session_num_cpus(r->session); cpu++) {
		const struct fw_cpu_health *h = &r->health[cpu];

		for (int i = 0; i < FW_REC_KERNEL_END; i++)
			out->produced += h->produced[i];
		out->lost += lost_of(h);
		out->storage_failed += h->storage_failed;
		out->clock_back += h->clock_back;
		out->wchan_failed += h->wchan_failed;
		out->switch_missed += h->switch_missed;
	}
	while (fw_session_next_cost(r->session, &pos, &cost)) {
		out->prog_ns += cost.ns;
		out->prog_runs += cost.runs;
		out->missed += cost.missed;
	}
}

int fw_recorder_close(struct fw_recorder *r)
{
	int err = 0;

	if (!r)
		return 0;
	fw_sf_close(r->sf);
	fw_marks_close(r->marks);
	fw_session_close(r->session);
	if (r->capture)
		err = fw_capture_close(r->capture);
	fw_map_free(&r->symbols);
	fw_map_free(&r->tids);
	fw_wakers_free(&r->wakers);
	free(r->dead);
	free(r->held);
	free(r->health);
	free(r->lost);
	free(r);
	return err;
}
