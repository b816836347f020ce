/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_ANIMATIONS_H
#define FW_FRAME_ANIMATIONS_H

#include "base/health.h"
#include "frame/frames.h"
#include "model/animation.h"

/*
 * Which animations ran while a frame was made. A section runs from its begin to its end; one that
 * has no end to the end of the recording, or until its ID begins again in the process. What has
 * ended is kept until no frame is unsettled that it may concern.
 */
#define FW_ANIMATIONS_OPEN_MAX 1024u
#define FW_ANIMATIONS_KEPT_MAX 8192u
#define FW_ANIMATIONS_NAMED 8 /* in the text of a frame */
#define FW_ANIMATIONS_TEXT 1024
/* The kernel takes no longer mark: TRACE_MARKER_MAX_SIZE, kernel/trace/trace.c. */
#define FW_ANIMATION_NAME_MAX 4096u

enum fw_animation_status {
	FW_ANIMATION_OPEN,
	FW_ANIMATION_CLOSED,
	FW_ANIMATION_RESTARTED,
	FW_ANIMATION_NO_BEGIN,
};

/**
 * struct fw_animation_run - one section
 * @said: what its name says; borrows from @name
 * @start, @end: FW_ANIMATION_UNKNOWN: not seen
 * @until: it counts for frames up to here
 * @frames, @janky: of its process while it ran; @judged: those of which it is known
 * @uncounted: frames that it concerns were settled before it was known
 */
struct fw_animation_run {
	struct fw_animation_run *prev, *next;
	enum fw_animation_status status;
	int32_t pid;
	struct fw_animation said;
	int64_t cookie, start, end, until;
	uint32_t frames, janky, judged;
	int64_t longest, longest_token, longest_start; /* longest: FW_ANIMATION_UNKNOWN: none */
	bool uncounted;
	size_t track_len, name_len;
	char *name; /* the track, then the name */
};

struct fw_animation_list {
	struct fw_animation_run *first, *last;
	uint32_t n;
};

/**
 * struct fw_animations - the store; zero-initialise but for the first members
 * @first_ts: the recording's first event
 * @settle_ns: frames that ended longer ago are settled
 * @done: a section is complete, with all its frames; the run is freed behind it
 */
struct fw_animations {
	struct fw_health *health;
	int64_t first_ts;
	const int64_t *settle_ns;
	int (*done)(void *ctx, const struct fw_animation_run *a);
	void *ctx;

	struct fw_animation_list open, ended;
	bool seen;
	int64_t next_look;
};

void fw_animations_free(struct fw_animations *as);
/* One FW_EV_MARK event. Return: 0, or the error of done(). */
int fw_animations_feed(struct fw_animations *as, const struct fw_event *ev);

/**
 * fw_animations_frame() - a frame is settled
 * @n: set to how many ran in its window
 * @text: room for the names of the first FW_ANIMATIONS_NAMED of them
 * Return: the names, absent: none
 */
struct fw_str fw_animations_frame(struct fw_animations *as, const struct fw_frame *f, uint32_t *n,
				  char text[FW_ANIMATIONS_TEXT]);

/* The reading is at @now; give what no frame of @fs can concern any more. */
int fw_animations_advance(struct fw_animations *as, const struct fw_frames *fs, int64_t now);
/* The recording ends: give all. */
int fw_animations_finish(struct fw_animations *as);

const char *fw_animation_status_name(enum fw_animation_status s);

#endif
