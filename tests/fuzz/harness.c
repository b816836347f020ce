// SPDX-License-Identifier: GPL-2.0-or-later
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/input.h"

static void die(const char *what)
{
	perror(what);
	abort();
}

const char *harness_file(const void *bytes, size_t len)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("framewait-input", MFD_CLOEXEC);
		if (fd < 0)
			die("memfd_create");
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, bytes, len, 0) != (ssize_t)len)
		die("memfd");
	return path;
}

const char *harness_file_as(const void *magic, size_t n, const void *bytes, size_t len)
{
	char *copy = fw_zalloc(FW_MAX(len, n));
	const char *path;

	memcpy(copy, bytes, len);
	memcpy(copy, magic, n);
	path = harness_file(copy, FW_MAX(len, n));
	free(copy);
	return path;
}

void harness_touch(struct fw_str s)
{
	static volatile uint64_t sum;

	for (size_t i = 0; i < s.len; i++)
		sum += (uint8_t)s.p[i];
}

static void touch_event(const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		harness_touch(ev->sw.next_comm);
		harness_touch(ev->sw.prev_comm);
		break;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		harness_touch(ev->waking.comm);
		break;
	case FW_EV_BLOCKED_REASON:
		harness_touch(ev->blocked.function);
		break;
	case FW_EV_TREE_PROCESS:
		harness_touch(ev->proc.argv0);
		break;
	case FW_EV_TREE_THREAD:
		harness_touch(ev->thread.name);
		break;
	case FW_EV_TASK_NEWTASK:
	case FW_EV_TASK_RENAME:
	case FW_EV_PROCESS_EXIT:
	case FW_EV_PROCESS_FREE:
	case FW_EV_PROCESS_FORK:
		harness_touch(ev->task.comm);
		break;
	case FW_EV_KERNEL_SLICE:
		harness_touch(ev->kslice.name);
		break;
	case FW_EV_DRM_SCHED:
		harness_touch(ev->drm.ring);
		harness_touch(ev->drm.dev);
		break;
	case FW_EV_OLD_FENCE:
		harness_touch(ev->old_fence.driver);
		harness_touch(ev->old_fence.timeline);
		break;
	case FW_EV_SUSPEND_RESUME:
		harness_touch(ev->suspend.action);
		break;
	case FW_EV_IRQ_ENTRY:
		harness_touch(ev->irq.name);
		break;
	case FW_EV_MARK:
		harness_touch(ev->mark.text);
		break;
	case FW_EV_DMA_FENCE:
		harness_touch(ev->fence.driver);
		harness_touch(ev->fence.timeline);
		break;
	case FW_EV_FRAME_TRACER:
		harness_touch(ev->gfx.layer);
		break;
	case FW_EV_EXPECTED_SURFACE:
	case FW_EV_ACTUAL_SURFACE:
		harness_touch(ev->ft.layer);
		break;
	case FW_EV_GPU_LOG:
		harness_touch(ev->gpu_log.tag);
		harness_touch(ev->gpu_log.message);
		break;
	}
}

struct harness_events harness_read(const char *path, bool tp_order, struct fw_health *health)
{
	struct fw_health *own = health ? NULL : fw_health_new();
	const struct fw_input_opts opts = { .tp_order = tp_order, .tp_compat = tp_order };
	struct harness_events r = { .ordered = true };
	const struct fw_event *ev;
	struct fw_input *in;
	int64_t last = INT64_MIN;

	r.err = fw_input_open(path, health ? health : own, &in);
	if (!r.err) {
		r.err = fw_input_start(in, &opts);
		while (!r.err && (r.err = fw_input_next(in, &ev)) > 0) {
			r.err = 0;
			r.n++;
			r.ordered &= ev->ts >= last;
			last = ev->ts;
			if (ev->flags & FW_EVF_LINE)
				harness_touch(ev->comm);
			touch_event(ev);
		}
		fw_input_close(in);
	}
	fw_fail_clear();
	if (own)
		fw_health_free(own);
	return r;
}
