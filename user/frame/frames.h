/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_FRAMES_H
#define FW_FRAME_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "frame/directory.h"
#include "frame/expected.h"
#include "frame/window.h"
#include "input/event.h"

/*
 * The actual frames from their start to the moment when all that belongs to them has come. A frame
 * is settled @settle_ns after its end, at the end of the recording, or when too many wait:
 * then its display frame, its buffer's present and the close of its threads' sleeps are there.
 * Where complete() says so it is settled earlier.
 */
#define FW_SETTLE_NS INT64_C(10000000000)
#define FW_LOOK_NS 10000000 /* how often complete() is asked */
#define FW_PASSED_NS 20000
#define FW_FRAMES_OPEN_MAX 512u /* without an end; more never got theirs */
#define FW_FRAMES_WAITING_MAX 8192u
#define FW_DISPLAY_FRAMES_MAX 2048u /* kept for the surface frames that they show */
#define FW_DISPLAYS_OF_TOKEN_MAX 256u /* counted; real ones are one a display */
#define FW_WINDOWS_MAX 65536u /* of all frames; the oldest are settled for more */
#define FW_FRAME_OPEN INT64_MIN

/**
 * struct fw_frame - one actual frame
 * @wanted: it gets rows; display frames that do not are kept for the surface frames
 * @ft: its start event; the layer's name is in @layer
 * @plain_layer: the layer without "TX - ", as FrameTracer names it
 * @end: FW_FRAME_OPEN: not seen
 */
struct fw_frame {
	struct fw_frame *prev, *next; /* open ones, or those that wait, by end */
	bool display, wanted, settled, loss;
	bool past; /* passed() was called */
	struct fw_ev_frame_timeline ft;
	uint32_t layer, plain_layer, process;
	int64_t start, end;
	struct fw_window *windows;
	bool summed; /* the windows are, and the two below set */
	struct fw_window *thread[FW_ROLES]; /* of several the one that ran longest */
	uint32_t n_threads[FW_ROLES];
	struct fw_frequency gpu_frequency;
	int64_t gpu_from;
	struct fw_gpu_sum *gpu; /* by number of the name, @n_gpu of them, until @gpu_done */
	uint32_t n_gpu;
	bool gpu_done;
	int64_t gpu_mem_total, gpu_mem_process; /* bytes at the end; -1: not known */
	uint64_t older; /* display frames: the one before of the same token */
	uint64_t newest_buffer; /* of its layer when it ended, for whoever joins them */
};

struct fw_frame_list {
	struct fw_frame *first, *last;
	uint32_t n;
};

/**
 * struct fw_frames - the store
 * @wanted: does the frame get rows? Its identity is set
 * @passed: the reading is FW_PASSED_NS past its end: what happened at its end was read
 * @settled: all of it is known; gets every wanted frame once
 * @complete: is nothing missing of it that could still come? NULL: nobody knows
 * @settle_ns: FW_SETTLE_NS, unless the caller changes it
 * @open_ns: a frame that began so long ago never gets its end; 0: there is no such bound
 */
struct fw_frames {
	struct fw_directory *directory;
	struct fw_windows *windows;
	struct fw_names *names;
	struct fw_health *health;
	bool (*wanted)(void *ctx, const struct fw_frame *f);
	void (*passed)(void *ctx, struct fw_frame *f);
	int (*settled)(void *ctx, struct fw_frame *f);
	bool (*complete)(void *ctx, struct fw_frame *f, int64_t now);
	void *ctx;
	int64_t settle_ns, open_ns, next_look;

	struct fw_frame_list open, waiting;
	struct fw_frame *not_passed; /* first of the waiting ones; NULL: none */
	struct fw_expectations expected;
	struct fw_map cookies;
	struct fw_frame **displays; /* ring by number */
	uint64_t n_displays;
	struct fw_map by_display_token;
	int64_t gpu_khz;
	int64_t last_ts;
};

void fw_frames_init(struct fw_frames *fs, struct fw_directory *directory,
		    struct fw_windows *windows, struct fw_names *names, struct fw_health *health);
void fw_frames_free(struct fw_frames *fs);

/* One FrameTimeline or GPU frequency event. Return: 0, or the error of settled(). */
int fw_frames_feed(struct fw_frames *fs, const struct fw_event *ev);
/* The reading is at @now: settle what has waited long enough. */
int fw_frames_advance(struct fw_frames *fs, int64_t now);
/* The start of the earliest frame that is not settled; INT64_MAX: there is none. */
int64_t fw_frames_oldest(const struct fw_frames *fs);
/* The recording ends: settle all. @last_ts: nothing is known after it. */
int fw_frames_finish(struct fw_frames *fs, int64_t last_ts);
/* A thread is followed from now on: frames under way may want it. */
void fw_frames_followed(struct fw_frames *fs, struct fw_track *t, int64_t now);
/* Events between @start and @end were lost. */
void fw_frames_lost(struct fw_frames *fs, int64_t start, int64_t end);

/**
 * fw_frames_display() - the display frames of a token
 * @f: set to one of them
 * Return: how many there are.
 */
uint32_t fw_frames_display(const struct fw_frames *fs, int64_t token, struct fw_frame **f);

/* The layer's name as FrameTracer has it: without "TX - ". */
struct fw_str fw_plain_layer(struct fw_str layer);
bool fw_frame_dropped(const struct fw_frame *f);
/* 1 late, 0 not, -1 SurfaceFlinger does not say. */
int fw_frame_late(const struct fw_frame *f);

/**
 * fw_frame_sum() - account the frame's windows with what is known, and choose the roles' threads
 * Return: 0, or -EPROTO with fw_fail() set: times do not add up.
 */
int fw_frame_sum(struct fw_frames *fs, struct fw_frame *f);

#endif
