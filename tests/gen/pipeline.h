/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_PIPELINE_H
#define FW_GEN_PIPELINE_H

#include "sf.h"
#include "sim.h"

/*
 * Frames as Android makes them: vsync wakes the app's main thread, that wakes the RenderThread,
 * that queues a buffer and starts the GPU; SurfaceFlinger latches the buffer when its fence has
 * signalled, asks the composer, and the display shows it at a later vsync.
 */
#define MAX_READY 8
#define MAX_FRAMES 4096
#define MAX_SHOWN 4
#define SF_OFFSET_NS 2000000 /* from a vsync to SurfaceFlinger's wake */
#define PRESENT_DELAY_NS 30000 /* from a vsync to its present fence */

enum trouble {
	TROUBLE_NONE,
	TROUBLE_PREEMPTED, /* threads of a better priority take the cpus while the ui thread runs */
	TROUBLE_RUNNABLE, /* they have them when the RenderThread is woken */
	TROUBLE_IO, /* the ui thread sleeps in D for a page */
	TROUBLE_LOCK, /* in D for a lock, no I/O */
	TROUBLE_GPU_LATE,
	TROUBLE_SF_LATE,
	TROUBLE_DROPPED, /* SurfaceFlinger skips a vsync and then finds two buffers */
	TROUBLE_STUFFING, /* the same, but shows each in turn, and the app goes on */
	TROUBLE_WAKE_RACE, /* a wake stands before the switch-out that it ends */
	TROUBLE_COUNT
};

extern const char *const trouble_names[TROUBLE_COUNT];

enum symbol { SYM_FOLIO, SYM_RWSEM, SYM_F2FS, SYM_COUNT };
extern const char *const kernel_symbols[SYM_COUNT];

struct app;

/* One frame of an app, from the vsync that asks for it to the display. */
struct frame {
	struct frame *made_before;
	struct app *app;
	struct sf_frame sf;
	enum trouble trouble;
	uint32_t number, buffer_id;
	int64_t vsync, period;
	int64_t queued, acquired; /* 0: not yet */
	uint32_t seqno; /* of its GPU fence */
};

struct app {
	struct sf_layer layer;
	struct thread *ui, *render;
	int every; /* a frame at each nth vsync */
	int64_t ui_ns, render_ns, gpu_ns;
	uint32_t gpu_context;
	bool wanted; /* a vsync came and is not yet handled */
	bool ui_waits; /* for the RenderThread to take the frame */
	int64_t vsync, token, period;
	enum trouble trouble; /* of the next frame */
	struct frame *drawing, *handed,
		*rendering; /* on the ui thread, between, on the RenderThread */
	struct frame *ready[MAX_READY]; /* queued for SurfaceFlinger, oldest first */
	int n_ready;
	uint32_t numbers, seqnos;
	struct thread *loader; /* woken with every fourth frame; may be NULL */
	struct thread *spawn; /* started with the next frame; may be NULL */
};

/* What SurfaceFlinger makes at one vsync. */
struct display {
	struct sf_display sf;
	struct frame *frames[MAX_SHOWN];
	int n_frames;
	int64_t vsync, period;
	uint32_t seqno; /* of its present fence */
	enum trouble trouble;
};

struct pipeline {
	struct sim sim;
	struct ft ft;
	struct rec rec;
	struct app apps[2];
	struct thread *event_thread, *sf, *re, *hwc, *gpu;

	void (*contend)(struct sim *s, void *arg); /* starts the threads that take the cpus */
	int64_t cookie, tokens;
	/* SurfaceFlinger */
	bool sf_wanted, re_wanted, re_done, hwc_wanted, hwc_done;
	bool skip_composition; /* at the next vsync */
	bool drop_older; /* of the buffers that wait, at the next composition */
	int64_t vsync, period, sf_token;
	bool sf_late; /* in the next composition */
	struct display *composing, *to_trace[MAX_SHOWN];
	int n_to_trace;
	uint32_t display_seqno, n_displays_composed;
	int64_t gpu_free;

	struct frame *last_made;
	struct frame *frames[MAX_FRAMES]; /* traced */
	struct display *displays[MAX_FRAMES];
	int n_frames, n_displays;
};

/* Programs of the threads; thread->arg is the app, or the pipeline. */
struct step ui_program(struct sim *s, struct thread *t);
struct step render_program(struct sim *s, struct thread *t);
struct step event_program(struct sim *s, struct thread *t);
struct step sf_program(struct sim *s, struct thread *t);
struct step re_program(struct sim *s, struct thread *t);
struct step hwc_program(struct sim *s, struct thread *t);
struct step gpu_program(struct sim *s, struct thread *t);

/* A vsync, now: the apps in @wanted (bits) are to draw, SurfaceFlinger is to compose. */
void pipeline_vsync(struct pipeline *p, int64_t period, uint32_t wanted);
/* SurfaceFlinger's part of it, SF_OFFSET_NS later. */
void pipeline_sf_vsync(struct pipeline *p);
/* Write what is shown but not yet traced: FrameTimeline comes late. */
void pipeline_trace_shown(struct pipeline *p);

static inline struct pipeline *pipeline_of(struct sim *s)
{
	return (struct pipeline *)s; /* sim is its first member */
}

#endif
