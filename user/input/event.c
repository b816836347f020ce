// SPDX-License-Identifier: GPL-2.0-or-later
/* event - what events begin as, and names of their types */
#include "input/event.h"

static const char *const names[FW_EV_COUNT] = {
	[FW_EV_NONE] = "none",
	[FW_EV_SCHED_SWITCH] = "sched_switch",
	[FW_EV_SCHED_WAKING] = "sched_waking",
	[FW_EV_SCHED_WAKEUP] = "sched_wakeup",
	[FW_EV_SCHED_WAKEUP_NEW] = "sched_wakeup_new",
	[FW_EV_BLOCKED_REASON] = "sched_blocked_reason",
	[FW_EV_INTERVAL] = "interval",
	[FW_EV_GENERIC_TASK] = "generic_kernel_task_state",
	[FW_EV_TASK_NEWTASK] = "task_newtask",
	[FW_EV_TASK_RENAME] = "task_rename",
	[FW_EV_PROCESS_EXIT] = "sched_process_exit",
	[FW_EV_PROCESS_FREE] = "sched_process_free",
	[FW_EV_PROCESS_FORK] = "sched_process_fork",
	[FW_EV_PROCESS_EXEC] = "sched_process_exec",
	[FW_EV_TREE_PROCESS] = "process_tree process",
	[FW_EV_TREE_THREAD] = "process_tree thread",
	[FW_EV_PROCESS_STATS] = "process_stats",
	[FW_EV_THREAD_SEEN] = "thread seen",
	[FW_EV_IRQ_ENTRY] = "irq_handler_entry",
	[FW_EV_IRQ_EXIT] = "irq_handler_exit",
	[FW_EV_SOFTIRQ_ENTRY] = "softirq_entry",
	[FW_EV_SOFTIRQ_EXIT] = "softirq_exit",
	[FW_EV_CPU_FREQUENCY] = "cpu_frequency",
	[FW_EV_CPU_IDLE] = "cpu_idle",
	[FW_EV_GPU_FREQUENCY] = "gpu_frequency",
	[FW_EV_GPU_MEM_TOTAL] = "gpu_mem_total",
	[FW_EV_SUSPEND_RESUME] = "suspend_resume",
	[FW_EV_MARK] = "print",
	[FW_EV_VENDOR_MARK] = "vendor mark",
	[FW_EV_BINDER] = "binder",
	[FW_EV_KERNEL_SLICE] = "kernel work",
	[FW_EV_DMA_FENCE] = "dma_fence",
	[FW_EV_FENCE_POLL] = "framewait_poll",
	[FW_EV_FENCE_MEMBER] = "framewait_merge",
	[FW_EV_DRM_SCHED] = "drm_sched",
	[FW_EV_SYNC_TIMELINE] = "sync_timeline",
	[FW_EV_SYNC_WAIT] = "sync_wait",
	[FW_EV_SYNC_PT] = "sync_pt",
	[FW_EV_OLD_FENCE] = "fence",
	[FW_EV_MALI_KCPU] = "mali_KCPU",
	[FW_EV_KGSL] = "kgsl_adreno_cmdbatch",
	[FW_EV_FRAME_TRACER] = "FrameTracer",
	[FW_EV_EXPECTED_SURFACE] = "expected surface frame",
	[FW_EV_EXPECTED_DISPLAY] = "expected display frame",
	[FW_EV_ACTUAL_SURFACE] = "actual surface frame",
	[FW_EV_ACTUAL_DISPLAY] = "actual display frame",
	[FW_EV_FRAME_END] = "frame end",
	[FW_EV_GPU_COUNTER] = "gpu counter",
	[FW_EV_GPU_RENDER_STAGE] = "gpu render stage",
	[FW_EV_VULKAN_MEMORY] = "vulkan memory",
	[FW_EV_VULKAN_API] = "vulkan api",
	[FW_EV_GPU_LOG] = "gpu log",
	[FW_EV_OTHER_FTRACE] = "other ftrace",
	[FW_EV_PRESENTED] = "presented frame",
	[FW_EV_LOST] = "lost events",
};

void fw_event_begin(struct fw_event *ev, enum fw_event_type type, uint8_t sub)
{
	ev->type = type;
	switch (type) {
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		ev->waking.common_flags = -1;
		break;
	case FW_EV_DMA_FENCE:
		ev->fence.kind = sub;
		ev->fence.signal_ts = -1;
		break;
	case FW_EV_OLD_FENCE:
		ev->old_fence.kind = sub;
		break;
	case FW_EV_DRM_SCHED:
		ev->drm.kind = sub;
		break;
	case FW_EV_MALI_KCPU:
		ev->mali.kind = sub;
		break;
	case FW_EV_KGSL:
		ev->kgsl.kind = sub;
		break;
	case FW_EV_BINDER:
		ev->binder.kind = sub;
		break;
	default:
		break;
	}
}

const char *fw_event_name(enum fw_event_type type)
{
	return (unsigned int)type < FW_EV_COUNT && names[type] ? names[type] : "unknown";
}
