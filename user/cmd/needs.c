// SPDX-License-Identifier: GPL-2.0-or-later
/* needs - what a full frame row is made of, and how to record it */
#include "cmd/needs.h"

#include "base/mem.h"

#define FTRACE(event)                                                                              \
	"data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: \"" event   \
	"\" } } }"

static const struct fw_need needs[] = {
	{ "frames (FrameTimeline)", "packet", "frame_timeline_event",
	  "surface and display frames (frames of trace marks do without)",
	  "data_sources { config { name: \"android.surfaceflinger.frametimeline\" } }", true },
	{ "buffers (FrameTracer)", "packet", "graphics_frame_event",
	  "buffer events, the five phases, fence matches",
	  "data_sources { config { name: \"android.surfaceflinger.frame\" } }", true },
	{ "processes and threads", "packet,part",
	  "process_tree,rows of a table of tasks,threads with their process",
	  "process and thread names; which threads belong to a frame",
	  "data_sources { config { name: \"linux.process_stats\" process_stats_config { "
	  "scan_all_processes_on_start: true record_thread_names: true } } }",
	  false },
	{ "context switches", "event", "sched_switch", "all thread states",
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"sched/sched_switch\" compact_sched { enabled: true } } } }",
	  false },
	{ "wakes", "event", "sched_waking,sched_wakeup", "runnable time, wakers",
	  FTRACE("sched/sched_waking"), false },
	{ "blocked reasons", "event", "sched_blocked_reason",
	  "io_wait of blocked time, blocking functions",
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"sched/sched_blocked_reason\" symbolize_ksyms: true } } }",
	  false },
	{ "new and ending tasks", "event", "task_newtask", "threads that were made while recording",
	  FTRACE("task/task_newtask"), false },
	{ "interrupts", "event", "irq_handler_entry", "irq time within running",
	  FTRACE("irq/irq_handler_entry"), false },
	{ "softirqs", "event", "softirq_entry", "softirq time within running",
	  FTRACE("irq/softirq_entry"), false },
	{ "cpu frequency", "event", "cpu_frequency", "cpu frequency columns",
	  FTRACE("power/cpu_frequency"), false },
	{ "gpu frequency", "event", "gpu_frequency,kgsl_gpu_frequency", "gpu frequency columns",
	  FTRACE("power/gpu_frequency"), false },
	{ "gpu memory", "event,packet,record", "gpu_mem_total,gpu_mem_total_event,gpu_mem",
	  "gpu_mem_*_bytes",
	  "data_sources { config { name: \"android.gpu.memory\" } } "
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"gpu_mem/gpu_mem_total\" } } }",
	  false },
	{ "gpu counters", "packet", "gpu_counter_event", "counter rows of the gpu table",
	  "data_sources { config { name: \"gpu.counters\" gpu_counter_config { "
	  "counter_period_ns: 1000000 counter_ids: 1 } } }",
	  false },
	{ "gpu render stages", "packet", "gpu_render_stage_event",
	  "gpu, queue, stage and context rows of the gpu table",
	  "data_sources { config { name: \"gpu.renderstages\" } }", false },
	{ "gpu submissions", "event",
	  "kgsl_adreno_cmdbatch_retired,mali_KCPU_FENCE_WAIT_END,mali_KCPU_CQS_WAIT_END",
	  "kgsl and mali rows of the gpu table",
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"kgsl/*\" ftrace_events: \"mali/*\" } } }",
	  false },
	{ "vulkan memory", "packet", "vulkan_memory_event", "vulkan_memory rows of the gpu table",
	  "data_sources { config { name: \"vulkan.memory_tracker\" vulkan_memory_config { "
	  "track_driver_memory_usage: true track_device_memory_usage: true } } }",
	  false },
	{ "gpu log", "packet", "gpu_log", "log rows of the gpu table",
	  "data_sources { config { name: \"gpu.log\" } }", false },
	{ "fences", "event", "dma_fence_signaled,fence_signaled",
	  "driver, timeline, context and seqno of a frame's fences",
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"dma_fence/dma_fence_init\" ftrace_events: \"dma_fence/dma_fence_signaled\" } } }",
	  false },
	{ "trace marks", "event", "print", "doFrame and DrawFrames marks",
	  "data_sources { config { name: \"linux.ftrace\" ftrace_config { ftrace_events: "
	  "\"ftrace/print\" atrace_categories: \"gfx\" atrace_categories: \"view\" atrace_apps: "
	  "\"*\" } } }",
	  false },
};

const struct fw_need *fw_need_at(size_t i)
{
	return i < ARRAY_SIZE(needs) ? &needs[i] : NULL;
}
