/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_INJECT_H
#define FW_FRAMESIM_INJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What can be made to go wrong. INJECT(name, default, unit, column that shows it, what it does) */
#define INJECTIONS                                                                                 \
	INJECT(ui_work, 25, "ms", "ui_running_ms", "the UI thread computes too long")              \
	INJECT(render_work, 25, "ms", "render_running_ms", "RenderThread computes too long")       \
	INJECT(preempt, 20, "ms", "ui_preempted_ms",                                               \
	       "a realtime thread takes the UI thread's CPU")                                      \
	INJECT(sched_delay, 20, "ms", "render_runnable_ms",                                        \
	       "RenderThread is woken, but a realtime thread has its CPU")                         \
	INJECT(d_sleep, 20, "ms", "ui_blocked_nonio_ms", "the UI thread waits in D for a vfork")   \
	INJECT(io_wait, 20, "ms", "ui_blocked_io_ms", "the UI thread reads past the page cache")   \
	INJECT(lock_wait, 20, "ms", "ui_sleeping_ms",                                              \
	       "the UI thread waits for a lock that a running thread of its process holds")        \
	INJECT(fence_wait, 20, "ms", "render_sleeping_ms",                                         \
	       "RenderThread polls the release fence of its buffer")                               \
	INJECT(gpu_late, 25, "ms", "producer_fence_wait_ms", "the GPU signals late")               \
	INJECT(sf_slow, 15, "ms", "sf_running_ms", "SurfaceFlinger computes too long in commit")   \
	INJECT(hwc_slow, 15, "ms", "hwc_running_ms", "the composer computes too long")             \
	INJECT(client_composition, 0, "", "gpu_composition", "RenderEngine composes the frame")    \
	INJECT(display_late, 0, "", "display_jank_type",                                           \
	       "the display shows what it got in time one vsync late")                             \
	INJECT(expired, 0, "", "prediction_type", "SurfaceFlinger knows no prediction any more")   \
	INJECT(drop, 0, "", "present_type", "SurfaceFlinger skips a vsync, then drops the older")  \
	INJECT(stuffing, 5, "frames", "jank_type",                                                 \
	       "the frame is late and so many after it queue behind it")                           \
	INJECT(fence_pending_late, 40, "ms", "acquire_to_latch_status",                            \
	       "latched before its fence, which FrameTracer writes with the buffer's next use")    \
	INJECT(fence_never, 0, "", "producer_fence_wait_status",                                   \
	       "its fence never signals, and the frame is dropped")                                \
	INJECT(two_layers, 0, "", "layer", "the frame draws on two layers")                        \
	INJECT(process_restart, 0, "", "pid", "the app dies and starts again before it")           \
	INJECT(refresh_rate, 90, "Hz", "expected_ms", "the display's rate is this from it on")

enum inject {
#define INJECT(name, n, unit, column, what) INJECT_##name,
	INJECTIONS
#undef INJECT
		INJECT_COUNT
};

const char *inject_name(enum inject k);
const char *inject_column(enum inject k);
void inject_usage(FILE *to);

/* KIND[=N]@FRAME. Exits with 2 when it is none. */
void inject_parse(const char *spec);
/* Is it to happen to frame @index of the app? Its number to @n, which may be NULL. */
bool inject_at(enum inject k, int64_t index, int64_t *n);
/* Is frame @index one of those that stuffing@F=N makes late: F to F + N? */
bool inject_stuffs(int64_t index);
bool inject_any(enum inject k);

#endif
