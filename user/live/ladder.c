// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/atrace.h"
#include "live/describe.h"
#include "live/ladder.h"
#include "live/marks.h"
#include "live/perfetto.h"
#include "live/programs.h"
#include "live/session.h"
#include "live/targets.h"

#define BPF_FS_MAGIC 0xcafe4a11

static const struct fw_capability of_rung[FW_RUNG_COUNT] = {
	[FW_RUNG_BTF] = { .required = true,
			  .gives = "fits the programs to this kernel",
			  .empty = "everything",
			  .brings = "a kernel with CONFIG_DEBUG_INFO_BTF" },
	[FW_RUNG_SCHED] = { .required = true,
			    .gives = "thread states: sched_switch, sched_waking, fork, exit",
			    .empty = "everything",
			    .brings = "root (CAP_BPF, CAP_PERFMON); Linux 5.15 or later" },
	[FW_RUNG_TASK_ITER] = { .gives = "threads that sleep since before the start or until the "
					 "end",
				.empty = "states of threads that do not move while recording",
				.brings = "Linux 5.15 or later with CONFIG_BPF_SYSCALL" },
	[FW_RUNG_IRQ] = { .gives = "interrupt time within running; wakers that are interrupts",
			  .empty = "*_irq_ms, *_softirq_ms; table irq",
			  .brings = "tracepoints of irq in the kernel's BTF" },
	[FW_RUNG_CPU_FREQUENCY] = { .gives = "CPU frequency",
				    .empty = "*_khz of CPUs",
				    .brings = "CONFIG_CPU_FREQ and a driver that reports it" },
	[FW_RUNG_FENCE] = { .gives = "life of dma fences: context, seqno, signal time",
			    .empty = "acquire_*, present_* fence columns; fences.csv",
			    .brings = "CONFIG_DMA_SHARED_BUFFER with tracepoints" },
	[FW_RUNG_FENCE_NAMES] = { .gives = "driver and timeline of each fence context",
				  .empty = "*_driver, *_timeline",
				  .brings = "tracefs, mounted and readable" },
	[FW_RUNG_BLOCKED_REASON] = { .gives = "a second opinion on what blocked a thread",
				     .empty = "nothing: function and io_wait come from the stack",
				     .brings = "an Android kernel, or framewait.ko" },
	[FW_RUNG_GPU_FREQUENCY] = { .gives = "GPU frequency",
				    .empty = "gpu_*_khz",
				    .brings = "a GPU driver with power/gpu_frequency" },
	[FW_RUNG_GPU_MEM] = { .gives = "GPU memory of each process",
			      .empty = "gpu_mem_*",
			      .brings = "a GPU driver with gpu_mem/gpu_mem_total" },
	[FW_RUNG_SYMBOLS] = { .gives = "names of kernel functions, also under kptr_restrict",
			      .empty = "*_top_function, blocked_function",
			      .brings = "Linux 5.15 or later: BPF programs of type syscall" },
	[FW_RUNG_MODULE] = { .gives = "which fence a thread polls, members of merged fences, a "
				      "second opinion on what blocked a thread",
			     .empty = "*_fence_wait_ms, *_top_fence*; polls and members in "
				      "fences.csv: a wait for a fence is only a sleep",
			     .brings = "insmod framewait.ko" },
};

static void say(struct fw_capability *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->detail, sizeof(c->detail), fmt, ap);
	va_end(ap);
}

/* The programs, loaded and attached once, with nobody as target. */
static void try_programs(struct fw_capability *caps)
{
	struct fw_targets nobody = { 0 };
	struct fw_session_opts opts = { .targets = &nobody, .buffer = 1 };
	struct fw_session *s = NULL;
	struct btf *btf;
	uint32_t have = 0;

	btf = btf__load_vmlinux_btf();
	if (btf)
		have = 1u << FW_RUNG_BTF;
	else
		say(&caps[FW_RUNG_BTF], "/sys/kernel/btf/vmlinux: %s", strerror(errno));
	btf__free(btf);
	if (!fw_session_open(&opts, &s)) {
		have |= fw_session_rungs(s);
		if (have >> FW_RUNG_BLOCKED_REASON & 1)
			say(&caps[FW_RUNG_BLOCKED_REASON], "arguments %s",
			    fw_session_blocked_shape(s));
		if (have >> FW_RUNG_MODULE & 1)
			say(&caps[FW_RUNG_MODULE], "%s",
			    fw_module_has_btf() ? "events by BTF" : "events by raw tracepoint");
		else
			say(&caps[FW_RUNG_MODULE], "framewait.ko is not loaded");
		fw_session_close(s);
	} else {
		say(&caps[FW_RUNG_SCHED], "%s", fw_fail_text());
		fw_fail_clear();
	}
	for (int i = 0; i < FW_RUNG_COUNT; i++) {
		caps[i].have = have >> i & 1;
		if (!caps[i].have && !caps[i].detail[0])
			say(&caps[i],
			    s ? "no such event here, or it cannot be attached" : "not tried");
	}
}

static void try_marks(struct fw_capability *c)
{
	*c = (struct fw_capability){
		.name = "marks",
		.gives = "frames and sections that programs write to trace_marker",
		.empty = "frames of programs without FrameTimeline; --frames",
		.brings = "tracefs mounted, Linux 6.13 or Android's 6.12 (copy_trace_marker); or "
			  "--sf marks, where nobody else traces",
	};
	c->have = fw_marks_possible();
	if (c->have)
		say(c, "a tracefs instance takes a copy: option copy_trace_marker");
	else
		say(c, "%s", fw_fail_text());
	fw_fail_clear();
}

static void try_pin(struct fw_capability *c)
{
	struct statfs fs;

	*c = (struct fw_capability){
		.name = "bpffs",
		.gives = "maps for bpftool (--pin)",
		.empty = "nothing",
		.brings = "mount -t bpf bpf /sys/fs/bpf",
	};
	c->have = !statfs("/sys/fs/bpf", &fs) && (unsigned long)fs.f_type == BPF_FS_MAGIC &&
		  !access("/sys/fs/bpf", W_OK);
	if (!c->have)
		say(c, "/sys/fs/bpf is not a writable bpffs");
}

static void try_traced(struct fw_capability *c)
{
	struct fw_perfetto_answer answer;

	*c = (struct fw_capability){
		.name = "traced",
		.gives = "SurfaceFlinger's FrameTimeline and FrameTracer (--sf perfetto)",
		.empty = "frames of SurfaceFlinger: all token, layer, jank and phase columns",
		.brings = "an Android device with traced running; or --sf FILE",
	};
	fw_perfetto_ask(&answer);
	c->have = answer.works;
	if (!answer.works)
		say(c, "%s", answer.why);
	else if (answer.timeline && answer.tracer)
		say(c, "SurfaceFlinger has registered both data sources");
	else
		say(c, "the service answers, but SurfaceFlinger has registered %s",
		    answer.timeline ? "FrameTimeline only"
		    : answer.tracer ? "FrameTracer only"
				    : "no data source");
}

static void try_atrace(struct fw_capability *c)
{
	*c = (struct fw_capability){
		.name = "atrace",
		.gives = "the tags that make Android's programs write marks (--sf marks)",
		.empty = "marks of Choreographer, hwui and SurfaceFlinger, unless somebody set the "
			 "tags",
		.brings = "Android's getprop and setprop; elsewhere programs write marks as they "
			  "like",
	};
	c->have = fw_atrace_possible(c->detail, sizeof(c->detail));
}

static void try_selinux(struct fw_capability *c)
{
	int fd = open("/sys/fs/selinux/enforce", O_RDONLY | O_CLOEXEC);
	char mode = '0', domain[128] = "";
	ssize_t n;
	int self;

	*c = (struct fw_capability){
		.name = "selinux",
		.have = true,
		.gives = "lets this process load programs",
		.empty = "everything, where it forbids",
		.brings = "adb root on a userdebug build (u:r:su:s0), or setenforce 0",
	};
	if (fd < 0) {
		say(c, "off");
		return;
	}
	if (read(fd, &mode, 1) != 1)
		mode = '?';
	close(fd);
	self = open("/proc/self/attr/current", O_RDONLY | O_CLOEXEC);
	n = self >= 0 ? read(self, domain, sizeof(domain) - 1) : 0;
	if (self >= 0)
		close(self);
	domain[n > 0 ? n : 0] = '\0';
	say(c, "%s, this process is %s", mode == '0' ? "permissive" : "enforcing", domain);
}

static void try_pid_namespace(struct fw_capability *c)
{
	*c = (struct fw_capability){
		.name = "pid_namespace",
		.have = fw_ids_are_the_kernels(),
		.gives = "process ids as the kernel counts them",
		.empty = "states of threads that are named by their id, or are there at the start",
		.brings = "run outside of the container, or in one with the host's ids (docker: "
			  "--pid=host)",
	};
	if (!c->have)
		say(c, "process ids are those of a namespace of its own");
}

size_t fw_ladder(struct fw_capability caps[FW_CAPABILITIES])
{
	static void (*const others[])(struct fw_capability *) = { try_marks,   try_pin,
								  try_traced,  try_atrace,
								  try_selinux, try_pid_namespace };

	_Static_assert(FW_RUNG_COUNT + ARRAY_SIZE(others) == FW_CAPABILITIES, "what is tried fits");
	for (int i = 0; i < FW_RUNG_COUNT; i++) {
		caps[i] = of_rung[i];
		caps[i].name = fw_rung_name(i);
	}
	try_programs(caps);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		others[i](&caps[FW_RUNG_COUNT + i]);
	return FW_CAPABILITIES;
}
