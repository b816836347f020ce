/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_GPU_H
#define FW_FRAME_GPU_H

#include "base/health.h"
#include "base/map.h"
#include "frame/frames.h"

/*
 * What the GPU did in the window of each frame. Counters, stages and contexts have names that only
 * the recording knows: each gets a number when it is first seen, and each frame under way a sum for
 * it. Sums become rows when the frame has ended, so that memory does not grow with the recording.
 *
 * An event of time t belongs to the frames with start < t <= end: a counter's sample is of the time
 * before it. A stage's time counts as far as it lies in the window.
 */
#define FW_GPU_NAMES_MAX 1024u
#define FW_GPU_FLIGHT_MAX 65536u /* submissions and waits without an end that are remembered */
#define FW_GPU_TEXT_MAX 512u
#define FW_GPU_PROCESSES_MAX 65536u /* whose memory is remembered */

enum fw_gpu_source {
	FW_GPU_COUNTER,
	FW_GPU_BUSY, /* all stages of a GPU */
	FW_GPU_QUEUE, /* all stages on a hardware queue */
	FW_GPU_STAGE,
	FW_GPU_CONTEXT, /* all stages of a graphics context */
	FW_GPU_KGSL,
	FW_GPU_MALI,
	FW_GPU_VULKAN_MEMORY,
	FW_GPU_LOG,
	FW_GPU_SOURCES
};

/**
 * struct fw_gpu_name - one counter, stage, queue, context, ...
 * @gpu: -1: not recorded
 * @pid: whose it is; -1: not said
 * @id: the recording's number of it, where @has_id
 * @covered: of stages: until when one of them runs, as far as was read
 * @level: of memory: bytes that are allocated now, of what was recorded
 */
struct fw_gpu_name {
	enum fw_gpu_source source;
	int32_t gpu, pid;
	bool has_id;
	uint64_t id;
	uint32_t name, unit;
	int64_t covered;
	double level;
};

/**
 * struct fw_gpu_sum - one of them in one window
 * @n: events
 * @n_values: of them with a value
 * @busy: ns in which at least one of the stages ran
 * @covered: up to here it is summed, maybe beyond the end of the window
 * @text: of the log: its last message; NULL: none
 */
struct fw_gpu_sum {
	uint32_t n, n_values;
	char *text;
	double sum, min, max, last;
	bool running;
	int64_t busy, covered;
};

/**
 * struct fw_gpu - the sums
 * @row: gets each name that has something in a frame's window, when the frame has ended; NULL:
 *	only memory totals are kept
 */
struct fw_gpu {
	struct fw_frames *frames;
	struct fw_names *pool;
	struct fw_health *health;
	void (*row)(void *ctx, const struct fw_frame *f, const struct fw_gpu_name *name,
		    const struct fw_gpu_sum *sum);
	void *ctx;

	struct fw_gpu_name *names;
	uint32_t n_names, names_cap;
	struct fw_map by_hash;
	struct fw_map queued, submitted, waits; /* when */
	struct fw_map mem; /* bytes by pid, of the first GPU; 0: all */
};

void fw_gpu_free(struct fw_gpu *g);
/* One event of the GPU: gpu_events.c. */
void fw_gpu_feed(struct fw_gpu *g, const struct fw_event *ev);
/* The frame has ended, or never will, and the reading is past its end: make its rows. */
void fw_gpu_close(struct fw_gpu *g, struct fw_frame *f);
/* Of a frame that is given up. */
void fw_gpu_drop(struct fw_frame *f);

const char *fw_gpu_source_name(enum fw_gpu_source s);

/*
 * For gpu_events.c. Frames that ended before @ts are closed first.
 */
void fw_gpu_advance(struct fw_gpu *g, int64_t ts);
/**
 * fw_gpu_name() - the number of a counter, stage, ...
 * @like: what it is; its name and unit are not set
 * Return: its index, -1 where there are too many (counted).
 */
int fw_gpu_name(struct fw_gpu *g, const struct fw_gpu_name *like, struct fw_str name,
		struct fw_str unit);
/* @value: NULL: the event has none. */
void fw_gpu_sample(struct fw_gpu *g, int name, int64_t ts, const double *value);
/* A message: of @text no more than FW_GPU_TEXT_MAX bytes are kept. */
void fw_gpu_message(struct fw_gpu *g, int name, int64_t ts, const char *text);
void fw_gpu_stage(struct fw_gpu *g, int name, int64_t start, int64_t end);

#endif
