// SPDX-License-Identifier: GPL-2.0-or-later
#include "rec.h"

#include <string.h>

#define SERVICE_UID 9999

static const struct {
	int uid, pid;
} writer[SEQ_COUNT] = {
	[SEQ_SERVICE] = { SERVICE_UID, 0 }, [SEQ_FTRACE] = { SERVICE_UID, 820 },
	[SEQ_TREE] = { SERVICE_UID, 820 },  [SEQ_GPU_MEM] = { 1072, 640 },
	[SEQ_FRAME_TRACER] = { 1000, 0 },   [SEQ_FRAME_TIMELINE] = { 1000, 0 },
	[SEQ_GPU_COUNTERS] = { 1072, 650 }, [SEQ_GPU_INTERNED] = { 1072, 651 },
	[SEQ_GPU_STAGES] = { 1072, 652 },
};

void rec_open(struct rec *r, const struct out_opts *opts, int n_cpus)
{
	memset(r, 0, sizeof(*r));
	r->out = out_open(opts);
	r->n_cpus = n_cpus;
	r->sf_pid = 700;
	r->mono_behind = 3600123456789;
	r->real_ahead = 1764500000111222333;
}

struct pw *rec_begin(struct rec *r, enum rec_seq seq)
{
	pw_reset(&r->cur);
	r->cur_seq = seq;
	if (seq != SEQ_SERVICE && !r->started[seq])
		pw_int(&r->cur, PKT_FIRST_ON_SEQUENCE, 1);
	return &r->cur;
}

struct pw *rec_begin_at(struct rec *r, enum rec_seq seq, int64_t ts, int clock)
{
	struct pw *w = rec_begin(r, seq);

	if (clock)
		pw_int(w, PKT_CLOCK_ID, clock);
	pw_int(w, PKT_TIMESTAMP, ts);
	return w;
}

void rec_end(struct rec *r)
{
	enum rec_seq seq = r->cur_seq;
	struct pw *wait = &r->wait[seq];
	uint32_t len;

	/* The service adds who wrote it. */
	pw_int(&r->cur, PKT_TRUSTED_UID, writer[seq].uid);
	pw_int(&r->cur, PKT_SEQUENCE_ID, (int)seq + 1);
	if (seq != SEQ_SERVICE) {
		pw_int(&r->cur, PKT_TRUSTED_PID, writer[seq].pid ? writer[seq].pid : r->sf_pid);
		if (!r->started[seq])
			pw_int(&r->cur, PKT_PREVIOUS_DROPPED, 1);
	}
	r->started[seq] = true;
	r->packets++;
	len = (uint32_t)r->cur.len;
	pw_reserve(wait, len + sizeof(len));
	memcpy(wait->p + wait->len, &len, sizeof(len));
	memcpy(wait->p + wait->len + sizeof(len), r->cur.p, len);
	wait->len += len + sizeof(len);
}

void rec_read_buffers(struct rec *r)
{
	for (int seq = 0; seq < SEQ_COUNT; seq++) {
		struct pw *wait = &r->wait[seq];

		for (size_t at = 0; at < wait->len;) {
			uint32_t len;

			memcpy(&len, wait->p + at, sizeof(len));
			out_packet(r->out, wait->p + at + sizeof(len), len);
			at += sizeof(len) + len;
		}
		pw_reset(wait);
	}
}

uint64_t rec_bytes(const struct rec *r)
{
	uint64_t n = out_bytes(r->out);

	for (int seq = 0; seq < SEQ_COUNT; seq++)
		n += r->wait[seq].len;
	return n;
}

static void snapshot_clock(struct pw *w, int id, int64_t ts)
{
	size_t clock = pw_begin(w, 1);

	pw_int(w, 1, id);
	pw_int(w, 2, ts);
	pw_end(w, clock);
}

void rec_clock_snapshot(struct rec *r, int64_t ts)
{
	struct pw *w = rec_begin(r, SEQ_SERVICE);
	size_t snapshot = pw_begin(w, PKT_CLOCK_SNAPSHOT);
	int64_t mono = ts - r->mono_behind, real = ts + r->real_ahead;

	pw_int(w, 2, CLOCK_ID_BOOTTIME); /* primary_trace_clock */
	snapshot_clock(w, CLOCK_ID_BOOTTIME, ts);
	snapshot_clock(w, 2, real - 3214567); /* REALTIME_COARSE and MONOTONIC_COARSE lag a tick */
	snapshot_clock(w, 4, mono - 3214567);
	snapshot_clock(w, CLOCK_ID_REALTIME, real);
	snapshot_clock(w, CLOCK_ID_MONOTONIC, mono);
	snapshot_clock(w, 5, mono - 4711); /* MONOTONIC_RAW */
	pw_end(w, snapshot);
	rec_end(r);
}

static void data_source(struct pw *w, const char *name, int drain_ms)
{
	static const char *const events[] = {
		"sched/sched_switch",
		"sched/sched_waking",
		"sched/sched_blocked_reason",
		"task/task_newtask",
		"task/task_rename",
		"sched/sched_process_exit",
		"sched/sched_process_free",
		"irq/irq_handler_entry",
		"irq/irq_handler_exit",
		"irq/softirq_entry",
		"irq/softirq_exit",
		"power/cpu_frequency",
		"power/gpu_frequency",
		"gpu_mem/gpu_mem_total",
		"dma_fence/dma_fence_init",
		"dma_fence/dma_fence_signaled",
		"ftrace/print",
	};
	size_t source = pw_begin(w, 2), config = pw_begin(w, 1), ftrace, compact;

	pw_str(w, 1, name);
	if (drain_ms) {
		ftrace = pw_begin(w, 100);
		for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
			pw_str(w, 1, events[i]);
		pw_str(w, 2, "gfx");
		pw_str(w, 2, "view");
		pw_str(w, 3, "*");
		pw_int(w, 10, 8192);
		pw_int(w, 11, drain_ms);
		compact = pw_begin(w, 12);
		pw_int(w, 1, 1);
		pw_end(w, compact);
		pw_int(w, 13, 1); /* symbolize_ksyms */
		pw_end(w, ftrace);
	}
	pw_end(w, config);
	pw_end(w, source);
}

static void trace_config(struct rec *r, int duration_ms, int drain_ms)
{
	struct pw *w = rec_begin(r, SEQ_SERVICE);
	size_t config = pw_begin(w, PKT_TRACE_CONFIG), buffer = pw_begin(w, 1);

	pw_int(w, 1, 65536);
	pw_end(w, buffer);
	if (drain_ms)
		data_source(w, "linux.ftrace", drain_ms);
	data_source(w, "linux.process_stats", 0);
	data_source(w, "android.surfaceflinger.frame", 0);
	data_source(w, "android.surfaceflinger.frametimeline", 0);
	pw_int(w, 3, duration_ms);
	pw_int(w, 8, 1); /* write_into_file */
	pw_int(w, 9, 1000); /* file_write_period_ms */
	pw_end(w, config);
	rec_end(r);
}

static void system_info(struct rec *r)
{
	struct pw *w = rec_begin(r, SEQ_SERVICE);
	size_t info = pw_begin(w, PKT_SYSTEM_INFO), utsname = pw_begin(w, 1);

	pw_str(w, 1, "Linux");
	pw_str(w, 2, "#1 SMP PREEMPT Thu Jan  1 00:00:00 UTC 2026");
	pw_str(w, 3, "6.18.0-android17-0-generated");
	pw_str(w, 4, "aarch64");
	pw_end(w, utsname);
	pw_str(w, 2, "framewait/generated/generated:17/GEN1.260101.001/1:userdebug/dev-keys");
	pw_int(w, 3, 250);
	pw_str(w, 4, "Perfetto v57.2 (framewait-gen)");
	pw_int(w, 5, 37);
	pw_int(w, 6, 4096);
	pw_int(w, 8, r->n_cpus);
	pw_end(w, info);
	rec_end(r);
}

static void service_event(struct rec *r, int64_t ts, uint32_t field)
{
	struct pw *w = rec_begin_at(r, SEQ_SERVICE, ts, 0);
	size_t event = pw_begin(w, PKT_SERVICE_EVENT);

	pw_int(w, field, 1);
	pw_end(w, event);
	rec_end(r);
}

enum { SERVICE_ALL_STARTED = 1, SERVICE_STARTED = 2, SERVICE_FLUSHED = 3, SERVICE_DISABLED = 5 };

static const uint8_t sync_marker[16] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba,
					 0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79 };

void rec_header(struct rec *r, int64_t ts, int duration_ms, int drain_ms)
{
	struct pw *w;
	size_t uuid;

	rec_clock_snapshot(r, ts - 2000000);
	rec_clock_snapshot(r, ts - 1000000);
	w = rec_begin(r, SEQ_SERVICE);
	pw_bytes(w, PKT_SYNC_MARKER, sync_marker, sizeof(sync_marker));
	rec_end(r);
	trace_config(r, duration_ms, drain_ms);
	w = rec_begin(r, SEQ_SERVICE);
	uuid = pw_begin(w, PKT_TRACE_UUID);
	pw_int(w, 1, 0x66726d77616974);
	pw_int(w, 2, ts);
	pw_end(w, uuid);
	rec_end(r);
	system_info(r);
	service_event(r, ts, SERVICE_STARTED);
	service_event(r, ts + 900000, SERVICE_ALL_STARTED);
}

void rec_ftrace_stats(struct rec *r, bool at_end, const uint64_t *events_by_cpu, int64_t ts)
{
	struct pw *w = rec_begin(r, SEQ_FTRACE);
	size_t stats = pw_begin(w, PKT_FTRACE_STATS);

	pw_int(w, 1, at_end ? 2 : 1);
	for (int cpu = 0; cpu < r->n_cpus; cpu++) {
		size_t one = pw_begin(w, 2);

		pw_int(w, 1, cpu);
		pw_int(w, 2, 0); /* entries */
		pw_int(w, 3, 0); /* overrun */
		pw_int(w, 4, 0); /* commit_overrun */
		pw_int(w, 5, 0);
		pw_double(w, 6, (double)(ts - 1000000) / 1e9);
		pw_double(w, 7, (double)ts / 1e9);
		pw_int(w, 8, 0); /* dropped_events */
		pw_int(w, 9, events_by_cpu ? (int64_t)events_by_cpu[cpu] : 0);
		pw_end(w, one);
	}
	if (!at_end)
		pw_str(w, 7, "gpu_mem/gpu_mem_total"); /* failed_ftrace_events */
	pw_end(w, stats);
	rec_end(r);
}

static void trace_stats(struct rec *r)
{
	struct pw *w = rec_begin(r, SEQ_SERVICE);
	size_t stats = pw_begin(w, PKT_TRACE_STATS), buffer = pw_begin(w, 1);
	int64_t bytes = (int64_t)out_bytes(r->out);

	pw_int(w, 1, bytes); /* bytes_written */
	pw_int(w, 2, (int64_t)r->packets); /* chunks_written */
	pw_int(w, 12, 65536 << 10); /* buffer_size */
	pw_int(w, 14, bytes); /* bytes_read */
	pw_int(w, 17, (int64_t)r->packets); /* chunks_read */
	pw_end(w, buffer);
	pw_int(w, 2, 3); /* producers_connected */
	pw_int(w, 4, 6); /* data_sources_registered */
	pw_int(w, 7, 1); /* total_buffers */
	pw_int(w, 12, 1); /* flushes_requested */
	pw_int(w, 13, 1); /* flushes_succeeded */
	pw_int(w, 14, 0); /* flushes_failed */
	pw_int(w, 15, 1); /* final_flush_outcome: succeeded */
	pw_end(w, stats);
	rec_end(r);
}

void rec_close(struct rec *r, int64_t ts)
{
	rec_read_buffers(r);
	service_event(r, ts, SERVICE_FLUSHED);
	trace_stats(r);
	rec_clock_snapshot(r, ts + 500000);
	service_event(r, ts + 600000, SERVICE_DISABLED);
	rec_read_buffers(r);
	out_close(r->out);
	pw_free(&r->cur);
	for (int seq = 0; seq < SEQ_COUNT; seq++)
		pw_free(&r->wait[seq]);
}

void rec_tree_process(struct pw *tree, const struct rec_process *p)
{
	size_t process = pw_begin(tree, 1);

	pw_int(tree, 1, p->pid);
	pw_int(tree, 2, p->ppid);
	pw_str(tree, 3, p->cmdline);
	pw_int(tree, 5, p->uid);
	if (p->kthread)
		pw_int(tree, 8, 1);
	pw_end(tree, process);
}

void rec_tree_thread(struct pw *tree, int tid, int tgid, const char *name)
{
	size_t thread = pw_begin(tree, 2);

	pw_int(tree, 1, tid);
	if (name)
		pw_str(tree, 2, name);
	pw_int(tree, 3, tgid);
	pw_end(tree, thread);
}
