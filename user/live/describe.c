// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "base/str.h"
#include "live/describe.h"
#include "live/helper.h"
#include "live/recorder.h"
#include "version.h"

static const char *const rung_names[FW_RUNG_COUNT] = {
	[FW_RUNG_BTF] = "btf",
	[FW_RUNG_SCHED] = "sched",
	[FW_RUNG_TASK_ITER] = "task_iter",
	[FW_RUNG_IRQ] = "irq",
	[FW_RUNG_CPU_FREQUENCY] = "cpu_frequency",
	[FW_RUNG_FENCE] = "dma_fence",
	[FW_RUNG_FENCE_NAMES] = "dma_fence_names",
	[FW_RUNG_BLOCKED_REASON] = "sched_blocked_reason",
	[FW_RUNG_GPU_FREQUENCY] = "gpu_frequency",
	[FW_RUNG_GPU_MEM] = "gpu_mem",
	[FW_RUNG_SYMBOLS] = "symbols",
	[FW_RUNG_MODULE] = "module",
};

const char *fw_rung_name(int rung)
{
	return rung >= 0 && rung < FW_RUNG_COUNT ? rung_names[rung] : "?";
}

/* @name alone, or followed by a blank and a digit; @alone: the first of the two is enough. */
static bool is_mark(const char *p, size_t left, const char *name, bool alone)
{
	size_t n = strlen(name);

	if (left < n || memcmp(p, name, n))
		return false;
	if (left == n)
		return alone;
	/* "Choreographer#doFrame - resynced to" is no frame. */
	return left > n + 1 && p[n] == ' ' && isdigit((unsigned char)p[n + 1]);
}

/* The name in "B|pid|NAME", and the bytes that are @left from it on; NULL: no begin of a section. */
static const char *section_name(const char *text, size_t len, size_t *left)
{
	const char *bar = len < 4 || memcmp(text, "B|", 2) ? NULL : memchr(text + 2, '|', len - 2);

	if (bar)
		*left = text + len - ++bar;
	return bar;
}

bool fw_mark_begins_frame(const char *text, size_t len, const char *name)
{
	size_t left;
	const char *p = section_name(text, len, &left);

	return p && (is_mark(p, left, "Choreographer#doFrame", false) ||
		     (name && is_mark(p, left, name, true)));
}

bool fw_mark_is_frames(const char *text, size_t len)
{
	static const char *const names[] = { "Choreographer#doFrame", "DrawFrames", "DrawFrame",
					     "commit", "composite" };
	size_t left;
	const char *p = section_name(text, len, &left);

	for (size_t i = 0; p && i < ARRAY_SIZE(names); i++) {
		if (is_mark(p, left, names[i], false))
			return true;
	}
	return false;
}

/* The build of an Android device; empty elsewhere. */
static void fingerprint(char *buf, size_t size)
{
	char *argv[] = { "getprop", "ro.build.fingerprint", NULL };

	if (fw_helper_run(argv, 1000, buf, size))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
}

char *fw_describe(struct fw_session *s, uint64_t start, bool marks, const char *sf,
		  const char *note)
{
	const char *shape = fw_session_blocked_shape(s);
	uint32_t have = fw_session_rungs(s);
	char device[256], rungs[512] = "";
	struct utsname u = { 0 };

	uname(&u);
	fingerprint(device, sizeof(device));
	for (int i = 0; i < FW_RUNG_COUNT; i++) {
		if (have >> i & 1) {
			strcat(rungs, rungs[0] ? "," : "");
			strcat(rungs, fw_rung_name(i));
		}
	}
	if (marks)
		strcat(rungs, ",marks");
	return fw_asprintf("framewait=%s\nrecord_version=%d\nsysname=%s\nkernel=%s\n"
			   "kernel_version=%s\nmachine=%s\ndevice=%s\ncpus=%d\nstart_ns=%llu\n"
			   "rungs=%s\nblocked_reason=%s\nsf=%s\n%s",
			   FW_VERSION, FW_RECORD_VERSION, u.sysname, u.release, u.version,
			   u.machine, device, fw_session_num_cpus(s), (unsigned long long)start,
			   rungs, shape ? shape : "", sf, note ? note : "");
}

char *fw_describe_end(const struct fw_record_stats *st)
{
	return fw_asprintf("end_ns=%llu\nproduced=%llu\nconsumed=%llu\nlost=%llu\nmarks=%llu\n"
			   "marks_lost=%llu\nstorage_failed=%llu\nclock_back=%llu\n"
			   "wchan_failed=%llu\nswitch_missed=%llu\nprog_missed=%llu\n"
			   "sf_packets=%llu\nsf_gaps=%llu\nsf_bytes_lost=%llu\n",
			   (unsigned long long)st->now, (unsigned long long)st->produced,
			   (unsigned long long)st->consumed, (unsigned long long)st->lost,
			   (unsigned long long)st->marks, (unsigned long long)st->marks_lost,
			   (unsigned long long)st->storage_failed,
			   (unsigned long long)st->clock_back, (unsigned long long)st->wchan_failed,
			   (unsigned long long)st->switch_missed, (unsigned long long)st->missed,
			   (unsigned long long)st->sf_packets, (unsigned long long)st->sf_gaps,
			   (unsigned long long)st->sf_bytes_lost);
}
