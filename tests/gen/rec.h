/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_REC_H
#define FW_GEN_REC_H

#include <stdbool.h>
#include <stdint.h>

#include "out.h"

/* TracePacket fields in use (protos/perfetto/trace/trace_packet.proto, v57). */
enum packet_field {
	PKT_FTRACE_EVENTS = 1,
	PKT_PROCESS_TREE = 2,
	PKT_TRUSTED_UID = 3,
	PKT_CLOCK_SNAPSHOT = 6,
	PKT_TIMESTAMP = 8,
	PKT_SEQUENCE_ID = 10,
	PKT_INTERNED_DATA = 12,
	PKT_SEQUENCE_FLAGS = 13,
	PKT_TRACE_CONFIG = 33,
	PKT_FTRACE_STATS = 34,
	PKT_TRACE_STATS = 35,
	PKT_SYNC_MARKER = 36,
	PKT_PREVIOUS_DROPPED = 42,
	PKT_SYSTEM_INFO = 45,
	PKT_GPU_COUNTER = 52,
	PKT_RENDER_STAGE = 53,
	PKT_GRAPHICS_FRAME = 57,
	PKT_CLOCK_ID = 58,
	PKT_VULKAN_MEMORY = 62,
	PKT_GPU_LOG = 63,
	PKT_SERVICE_EVENT = 69,
	PKT_GPU_MEM_TOTAL = 71,
	PKT_FRAME_TIMELINE = 76,
	PKT_TRUSTED_PID = 79,
	PKT_FIRST_ON_SEQUENCE = 87,
	PKT_TRACE_UUID = 89,
};

enum clock_id { CLOCK_ID_REALTIME = 1, CLOCK_ID_MONOTONIC = 3, CLOCK_ID_BOOTTIME = 6 };

#define SEQ_STATE_CLEARED 1
#define SEQ_NEEDS_STATE 2

/* One packet sequence for each writer. */
enum rec_seq {
	SEQ_SERVICE,
	SEQ_FTRACE,
	SEQ_TREE,
	SEQ_GPU_MEM,
	SEQ_FRAME_TRACER,
	SEQ_FRAME_TIMELINE,
	SEQ_GPU_COUNTERS,
	SEQ_GPU_INTERNED,
	SEQ_GPU_STAGES,
	SEQ_COUNT
};

/**
 * struct rec - a recording in the making
 *
 * Packets wait in a buffer of their sequence until the service reads the buffers, and then go to
 * the file sequence by sequence: so a file is not in time order, like a real one.
 */
struct rec {
	struct out *out;
	int n_cpus, sf_pid;
	int64_t mono_behind; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC: the time spent suspended */
	int64_t real_ahead; /* CLOCK_REALTIME - CLOCK_BOOTTIME */
	struct pw cur; /* the packet being written */
	enum rec_seq cur_seq;
	bool started[SEQ_COUNT];
	struct pw wait[SEQ_COUNT]; /* (u32 length, bytes) of whole packets */
	uint64_t packets;
};

void rec_open(struct rec *r, const struct out_opts *opts, int n_cpus);

/* Begin a packet of a sequence; fields are added to the writer that comes back. */
struct pw *rec_begin(struct rec *r, enum rec_seq seq);
void rec_end(struct rec *r);
/* A packet with a timestamp; @clock 0 leaves the default clock of the packet. */
struct pw *rec_begin_at(struct rec *r, enum rec_seq seq, int64_t ts, int clock);

/*
 * What the service writes first: clocks, config, device, and that tracing has started at @ts.
 * @drain_ms: 0 without ftrace
 */
void rec_header(struct rec *r, int64_t ts, int duration_ms, int drain_ms);
void rec_clock_snapshot(struct rec *r, int64_t ts);
void rec_ftrace_stats(struct rec *r, bool at_end, const uint64_t *events_by_cpu, int64_t ts);
/* The service reads its buffers: all that waits goes to the file. */
void rec_read_buffers(struct rec *r);
/* Bytes of packets that are in the file or wait for it. */
uint64_t rec_bytes(const struct rec *r);
/* Statistics and end of tracing; writes what waits and closes the file. */
void rec_close(struct rec *r, int64_t ts);

/* One entry of a process tree. @n is 1, or more threads of one process with the main one first. */
struct rec_process {
	int pid, ppid, uid;
	const char *cmdline;
	bool kthread;
};
void rec_tree_process(struct pw *tree, const struct rec_process *p);
void rec_tree_thread(struct pw *tree, int tid, int tgid, const char *name);

#endif
