// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace - payloads of FtraceEvent
 *
 * Field numbers: protos/perfetto/trace/ftrace/{sched,task,irq,power,gpu_mem,dma_fence,fence,sync,
 * gpu_scheduler,mali,kgsl,sde,dpu,g2d,samsung,ftrace}.proto at v57.2. The adreno_cmdbatch events
 * are numbered in the order of the kernel's format.
 */
#include "input/perfetto/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define AT(member) offsetof(struct fw_event, member)
#define F(id, kind, member)                                                                        \
	{                                                                                          \
		id, FW_FILL_##kind, AT(member), 0                                                  \
	}
#define END                                                                                        \
	{                                                                                          \
		0, 0, 0, 0                                                                         \
	}

/* A vendor's way of telling begin from end, gathered before it becomes a mark. */
struct vendor_mark {
	int32_t pid;
	struct fw_str trace_name, name;
	uint32_t trace_begin, type;
	int32_t value;
	int64_t wide_value;
	uint32_t has;
};

#define VM_HAS_TYPE 1
#define VM_HAS_BEGIN 2
#define V(id, kind, member, has)                                                                   \
	{                                                                                          \
		id, FW_FILL_##kind, offsetof(struct vendor_mark, member), has                      \
	}

static const struct fw_fill f_switch[] = {
	F(1, STR, sw.prev_comm), F(2, I32, sw.prev_tid),
	F(3, I32, sw.prev_prio), F(4, I64, sw.prev_state),
	F(5, STR, sw.next_comm), F(6, I32, sw.next_tid),
	F(7, I32, sw.next_prio), END,
};
static const struct fw_fill f_wake[] = {
	F(1, STR, waking.comm),
	F(2, I32, waking.tid),
	F(3, I32, waking.prio),
	F(5, I32, waking.target_cpu),
	END,
};
static const struct fw_fill f_blocked[] = {
	F(1, I32, blocked.tid),
	F(2, U64, blocked.caller),
	F(3, BOOL, blocked.io_wait),
	END,
};
static const struct fw_fill f_newtask[] = {
	F(1, I32, task.tid),
	F(2, STR, task.comm),
	F(3, U64, task.clone_flags),
	END,
};
static const struct fw_fill f_rename[] = { F(1, I32, task.tid), F(3, STR, task.comm), END };
static const struct fw_fill f_task[] = { F(1, STR, task.comm), F(2, I32, task.tid), END };
static const struct fw_fill f_exec[] = { F(2, I32, task.tid), END };
static const struct fw_fill f_fork[] = {
	F(2, I32, task.parent_tid),
	F(3, STR, task.comm),
	F(4, I32, task.tid),
	END,
};
static const struct fw_fill f_irq_entry[] = { F(1, I32, irq.vec), F(2, STR, irq.name), END };
static const struct fw_fill f_irq_exit[] = { F(1, I32, irq.vec), F(2, I32, irq.ret), END };
static const struct fw_fill f_softirq[] = { F(1, I32, irq.vec), END };
static const struct fw_fill f_cpu_freq[] = { F(1, I64, freq.value), F(2, I32, freq.unit), END };
static const struct fw_fill f_gpu_freq[] = { F(1, I32, freq.unit), F(2, I64, freq.value), END };
static const struct fw_fill f_kgsl_freq[] = { F(1, I64, freq.value), F(2, I32, freq.unit), END };
static const struct fw_fill f_gpu_mem[] = {
	F(1, I32, gpu_mem.gpu_id),
	F(2, I32, gpu_mem.pid),
	F(3, U64, gpu_mem.size),
	END,
};
static const struct fw_fill f_suspend[] = {
	F(1, STR, suspend.action),
	F(2, I64, suspend.val),
	F(3, BOOL, suspend.start),
	END,
};
static const struct fw_fill f_print[] = { F(2, STR, mark.text), END };
static const struct fw_fill f_dma_fence[] = {
	F(1, U32, fence.context),
	F(2, STR, fence.driver),
	F(3, U32, fence.seqno),
	F(4, STR, fence.timeline),
	END,
};
static const struct fw_fill f_old_fence[] = {
	F(1, U32, old_fence.context),
	F(2, STR, old_fence.driver),
	F(3, U32, old_fence.seqno),
	F(4, STR, old_fence.timeline),
	END,
};
static const struct fw_fill f_sync_timeline[] = {
	F(1, STR, sync.name),
	F(2, STR, sync.value),
	END,
};
static const struct fw_fill f_sync_wait[] = {
	F(1, STR, sync.name),
	F(2, I32, sync.status),
	F(3, I32, sync.begin),
	END,
};
static const struct fw_fill f_drm_sched[] = {
	F(1, U64, drm.entity),
	F(2, U64, drm.fence),
	F(3, I32, drm.hw_job_count),
	F(4, U64, drm.id),
	F(5, I32, drm.job_count),
	F(6, STR, drm.ring),
	END,
};
static const struct fw_fill f_drm_process[] = { F(1, U64, drm.fence), END };
static const struct fw_fill f_drm_617[] = {
	F(1, STR, drm.ring),	      F(2, I32, drm.hw_job_count),
	F(3, I32, drm.job_count),     F(4, STR, drm.dev),
	F(5, U64, drm.fence_context), F(6, U64, drm.fence_seqno),
	F(7, U64, drm.client_id),     END,
};
static const struct fw_fill f_drm_617_done[] = {
	F(1, U64, drm.fence_context),
	F(2, U64, drm.fence_seqno),
	END,
};
static const struct fw_fill f_mali_cqs[] = {
	F(1, U32, mali.id),	 F(2, U64, mali.info_val1), F(3, U64, mali.info_val2),
	F(4, U32, mali.kctx_id), F(5, U32, mali.kctx_tgid), END,
};
static const struct fw_fill f_mali_fence[] = {
	F(1, U64, mali.info_val1), F(2, U64, mali.info_val2), F(3, U32, mali.kctx_tgid),
	F(4, U32, mali.kctx_id),   F(5, U32, mali.id),	      END,
};
static const struct fw_fill f_kgsl_queued[] = {
	F(1, U32, kgsl.id),
	F(2, U32, kgsl.timestamp),
	F(5, U32, kgsl.prio),
	END,
};
static const struct fw_fill f_kgsl_submitted[] = {
	F(1, U32, kgsl.id),    F(2, U32, kgsl.timestamp), F(3, I32, kgsl.inflight),
	F(5, U64, kgsl.ticks), F(8, U32, kgsl.prio),	  END,
};
static const struct fw_fill f_kgsl_sync[] = {
	F(1, U32, kgsl.id),
	F(2, U32, kgsl.timestamp),
	F(3, U64, kgsl.ticks),
	F(4, U32, kgsl.prio),
	END,
};
static const struct fw_fill f_kgsl_retired[] = {
	F(1, U32, kgsl.id),
	F(2, U32, kgsl.timestamp),
	F(3, I32, kgsl.inflight),
	F(6, U64, kgsl.start),
	F(7, U64, kgsl.retire),
	F(8, U32, kgsl.prio),
	END,
};

static const struct fw_fill f_binder[] = {
	F(1, I32, binder.transaction),
	F(4, I32, binder.to_thread),
	F(5, I32, binder.reply),
	F(7, U32, binder.flags),
	END,
};
static const struct fw_fill f_binder_lock[] = { END };
static const struct fw_fill v_zero[] = {
	V(1, U32, type, VM_HAS_TYPE),
	V(2, STR, name, 0),
	V(3, I32, pid, 0),
	V(4, I64, wide_value, 0),
	END,
};
static const struct fw_fill v_lwis[] = {
	V(2, U32, type, VM_HAS_TYPE),
	V(3, I32, pid, 0),
	V(4, STR, name, 0),
	V(5, I64, wide_value, 0),
	END,
};
static const struct fw_fill v_mdss[] = {
	V(1, I32, pid, 0),
	V(2, STR, trace_name, 0),
	V(3, U32, trace_begin, VM_HAS_BEGIN),
	END,
};

static const struct fw_fill v_sde[] = {
	V(1, I32, pid, 0),
	V(2, STR, trace_name, 0),
	V(3, U32, type, VM_HAS_TYPE),
	V(4, I32, value, 0),
	V(5, U32, trace_begin, VM_HAS_BEGIN),
	END,
};
static const struct fw_fill v_dpu[] = {
	V(1, I32, pid, 0),
	V(2, STR, trace_name, 0),
	V(3, U32, trace_begin, VM_HAS_BEGIN),
	V(4, STR, name, 0),
	V(5, U32, type, VM_HAS_TYPE),
	V(6, I32, value, 0),
	END,
};
static const struct fw_fill v_mali[] = {
	V(1, STR, name, 0),
	V(2, I32, pid, 0),
	V(3, U32, type, VM_HAS_TYPE),
	V(4, I32, value, 0),
	END,
};
static const struct fw_fill v_g2d[] = {
	V(1, I32, pid, 0),
	V(4, STR, name, 0),
	V(5, U32, type, VM_HAS_TYPE),
	V(6, I32, value, 0),
	END,
};
static const struct fw_fill v_samsung[] = {
	V(1, I32, pid, 0),
	V(2, STR, trace_name, 0),
	V(3, U32, trace_begin, VM_HAS_BEGIN),
	V(4, U32, type, VM_HAS_TYPE),
	V(5, I32, value, 0),
	END,
};

/**
 * struct ftrace_id - one event of FtraceEvent
 * @sub: number of the kind within the type (enum fw_dma_fence_kind and the like), or the
 *	vendor's letter of a vendor mark
 */
struct ftrace_id {
	uint16_t id;
	uint8_t type;
	uint8_t sub;
	const struct fw_fill *fields;
	const char *name;
};

static const struct ftrace_id ids[] = {
	{ 3, FW_EV_MARK, 0, f_print, "print" },
	{ 4, FW_EV_SCHED_SWITCH, 0, f_switch, "sched_switch" },
	{ 11, FW_EV_CPU_FREQUENCY, 0, f_cpu_freq, "cpu_frequency" },
	{ 13, FW_EV_CPU_IDLE, 0, f_cpu_freq, "cpu_idle" },
	{ 17, FW_EV_SCHED_WAKEUP, 0, f_wake, "sched_wakeup" },
	{ 18, FW_EV_BLOCKED_REASON, 0, f_blocked, "sched_blocked_reason" },
	{ 20, FW_EV_SCHED_WAKING, 0, f_wake, "sched_waking" },
	{ 24, FW_EV_SOFTIRQ_ENTRY, 0, f_softirq, "softirq_entry" },
	{ 25, FW_EV_SOFTIRQ_EXIT, 0, f_softirq, "softirq_exit" },
	{ 36, FW_EV_IRQ_ENTRY, 0, f_irq_entry, "irq_handler_entry" },
	{ 37, FW_EV_IRQ_EXIT, 0, f_irq_exit, "irq_handler_exit" },
	{ 38, FW_EV_SYNC_PT, 0, f_sync_timeline, "sync_pt" },
	{ 39, FW_EV_SYNC_TIMELINE, 0, f_sync_timeline, "sync_timeline" },
	{ 40, FW_EV_SYNC_WAIT, 0, f_sync_wait, "sync_wait" },
	{ 46, FW_EV_KERNEL_SLICE, 'B', NULL, "mm_vmscan_direct_reclaim_begin" },
	{ 47, FW_EV_KERNEL_SLICE, 'E', NULL, "mm_vmscan_direct_reclaim_end" },
	{ 50, FW_EV_BINDER, FW_BINDER_TRANSACTION, f_binder, "binder_transaction" },
	{ 51, FW_EV_BINDER, FW_BINDER_RECEIVED, f_binder, "binder_transaction_received" },
	{ 53, FW_EV_BINDER, FW_BINDER_LOCK, f_binder_lock, "binder_lock" },
	{ 54, FW_EV_BINDER, FW_BINDER_LOCKED, f_binder_lock, "binder_locked" },
	{ 55, FW_EV_BINDER, FW_BINDER_UNLOCK, f_binder_lock, "binder_unlock" },
	{ 57, FW_EV_KERNEL_SLICE, 'E', NULL, "workqueue_execute_end" },
	{ 58, FW_EV_KERNEL_SLICE, 'B', NULL, "workqueue_execute_start" },
	{ 80, FW_EV_VENDOR_MARK, 'p', v_mdss, "mdss_tracing_mark_write" },
	{ 113, FW_EV_SUSPEND_RESUME, 0, f_suspend, "suspend_resume" },
	{ 114, FW_EV_SCHED_WAKEUP_NEW, 0, f_wake, "sched_wakeup_new" },
	{ 235, FW_EV_TASK_NEWTASK, 0, f_newtask, "task_newtask" },
	{ 236, FW_EV_TASK_RENAME, 0, f_rename, "task_rename" },
	{ 237, FW_EV_PROCESS_EXEC, 0, f_exec, "sched_process_exec" },
	{ 238, FW_EV_PROCESS_EXIT, 0, f_task, "sched_process_exit" },
	{ 239, FW_EV_PROCESS_FORK, 0, f_fork, "sched_process_fork" },
	{ 240, FW_EV_PROCESS_FREE, 0, f_task, "sched_process_free" },
	{ 316, FW_EV_OLD_FENCE, FW_DMA_FENCE_INIT, f_old_fence, "fence_init" },
	{ 317, FW_EV_OLD_FENCE, FW_DMA_FENCE_DESTROY, f_old_fence, "fence_destroy" },
	{ 318, FW_EV_OLD_FENCE, FW_DMA_FENCE_ENABLE_SIGNAL, f_old_fence, "fence_enable_signal" },
	{ 319, FW_EV_OLD_FENCE, FW_DMA_FENCE_SIGNALED, f_old_fence, "fence_signaled" },
	{ 324, FW_EV_KERNEL_SLICE, 'I', NULL, "signal_deliver" },
	{ 325, FW_EV_KERNEL_SLICE, 'I', NULL, "signal_generate" },
	{ 331, FW_EV_VENDOR_MARK, 'z', v_zero, "zero" },
	{ 332, FW_EV_GPU_FREQUENCY, 0, f_gpu_freq, "gpu_frequency" },
	{ 333, FW_EV_VENDOR_MARK, 's', v_sde, "sde_tracing_mark_write" },
	{ 334, FW_EV_KERNEL_SLICE, 'I', NULL, "mark_victim" },
	{ 338, FW_EV_KERNEL_SLICE, 'B', NULL, "scm_call_start" },
	{ 339, FW_EV_KERNEL_SLICE, 'E', NULL, "scm_call_end" },
	{ 340, FW_EV_GPU_MEM_TOTAL, 0, f_gpu_mem, "gpu_mem_total" },
	{ 348, FW_EV_VENDOR_MARK, 'd', v_dpu, "dpu_tracing_mark_write" },
	{ 349, FW_EV_VENDOR_MARK, 'g', v_g2d, "g2d_tracing_mark_write" },
	{ 350, FW_EV_VENDOR_MARK, 'm', v_mali, "mali_tracing_mark_write" },
	{ 411, FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, f_drm_sched, "drm_sched_job" },
	{ 412, FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, f_drm_sched, "drm_run_job" },
	{ 413, FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, f_drm_process, "drm_sched_process_job" },
	{ 414, FW_EV_DMA_FENCE, FW_DMA_FENCE_INIT, f_dma_fence, "dma_fence_init" },
	{ 415, FW_EV_DMA_FENCE, FW_DMA_FENCE_EMIT, f_dma_fence, "dma_fence_emit" },
	{ 416, FW_EV_DMA_FENCE, FW_DMA_FENCE_SIGNALED, f_dma_fence, "dma_fence_signaled" },
	{ 417, FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_START, f_dma_fence, "dma_fence_wait_start" },
	{ 418, FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_END, f_dma_fence, "dma_fence_wait_end" },
	{ 443, FW_EV_KERNEL_SLICE, 'B', NULL, "mm_shrink_slab_start" },
	{ 444, FW_EV_KERNEL_SLICE, 'E', NULL, "mm_shrink_slab_end" },
	{ 467, FW_EV_VENDOR_MARK, 'l', v_lwis, "lwis_tracing_mark_write" },
	{ 470, FW_EV_MALI_KCPU, FW_MALI_CQS_SET, f_mali_cqs, "mali_KCPU_CQS_SET" },
	{ 471, FW_EV_MALI_KCPU, FW_MALI_CQS_WAIT_START, f_mali_cqs, "mali_KCPU_CQS_WAIT_START" },
	{ 472, FW_EV_MALI_KCPU, FW_MALI_CQS_WAIT_END, f_mali_cqs, "mali_KCPU_CQS_WAIT_END" },
	{ 473, FW_EV_MALI_KCPU, FW_MALI_FENCE_SIGNAL, f_mali_fence, "mali_KCPU_FENCE_SIGNAL" },
	{ 474, FW_EV_MALI_KCPU, FW_MALI_FENCE_WAIT_START, f_mali_fence,
	  "mali_KCPU_FENCE_WAIT_START" },
	{ 475, FW_EV_MALI_KCPU, FW_MALI_FENCE_WAIT_END, f_mali_fence, "mali_KCPU_FENCE_WAIT_END" },
	{ 484, FW_EV_VENDOR_MARK, 'x', v_samsung, "samsung_tracing_mark_write" },
	{ 509, FW_EV_GPU_FREQUENCY, 1, f_kgsl_freq, "kgsl_gpu_frequency" },
	{ 534, FW_EV_KGSL, FW_KGSL_QUEUED, f_kgsl_queued, "kgsl_adreno_cmdbatch_queued" },
	{ 535, FW_EV_KGSL, FW_KGSL_SUBMITTED, f_kgsl_submitted, "kgsl_adreno_cmdbatch_submitted" },
	{ 536, FW_EV_KGSL, FW_KGSL_SYNC, f_kgsl_sync, "kgsl_adreno_cmdbatch_sync" },
	{ 537, FW_EV_KGSL, FW_KGSL_RETIRED, f_kgsl_retired, "kgsl_adreno_cmdbatch_retired" },
	{ 592, FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, f_drm_617_done, "drm_sched_job_done" },
	{ 593, FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, f_drm_617, "drm_sched_job_queue" },
	{ 594, FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, f_drm_617, "drm_sched_job_run" },
};

static const struct ftrace_id *find(uint32_t id)
{
	size_t lo = 0, hi = ARRAY_SIZE(ids);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (ids[mid].id == id)
			return &ids[mid];
		if (ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

enum fw_event_type fw_ftrace_type(uint32_t id)
{
	const struct ftrace_id *d = find(id);

	return d ? d->type : FW_EV_OTHER_FTRACE;
}

const char *fw_ftrace_name(uint32_t id)
{
	const struct ftrace_id *d = find(id);

	return d ? d->name : NULL;
}

/* The flags of the msm kernel's "zero" event; systrace_parser.cc ParseZeroEvent. */
static char zero_kind(uint32_t flags)
{
	return flags & 1 ? 'B' : flags & 2 ? 'E' : flags & 4 ? 'C' : 0;
}

/*
 * Which letter a vendor's record means; 0: none. Some have a letter, some a flag, sde either
 * (ftrace_parser.cc, systrace_parser.cc ParseKernelTracingMarkWrite).
 */
static char vendor_kind(char vendor, const struct vendor_mark *m)
{
	switch (vendor) {
	case 'z':
		return zero_kind(m->type);
	case 's':
		if (!(m->has & (VM_HAS_TYPE | VM_HAS_BEGIN)))
			return 0;
		break;
	case 'p':
		if (!(m->has & VM_HAS_BEGIN))
			return 0;
		break;
	case 'x':
		if (!(m->has & VM_HAS_TYPE))
			return 0;
		if (m->type == 0)
			return 'E';
		break;
	default:
		if (m->type == 0)
			return 0;
		break;
	}
	if (m->type == 0)
		return m->trace_begin ? 'B' : 'E';
	return m->type < 128 && strchr("BECI", (int)m->type) ? (char)m->type : 0;
}

static bool decode_vendor(const struct ftrace_id *d, struct fw_str payload, struct fw_event *ev)
{
	struct vendor_mark m = { 0 };

	if (!fw_fill(payload, d->fields, &m, offsetof(struct vendor_mark, has)))
		return false;
	ev->vmark = (struct fw_ev_vendor_mark){
		.kind = vendor_kind((char)d->sub, &m),
		.vendor = (char)d->sub,
		.tgid = m.pid,
		.name = m.name.p ? m.name : m.trace_name,
		.value = m.value ? m.value : m.wide_value,
		.cookie = m.value,
	};
	return true;
}

/* The number in one field of a message; 0 where it is absent. */
static bool number_field(struct fw_str payload, uint16_t id, uint64_t *out)
{
	const struct fw_fill field[] = { { id, FW_FILL_U64, 0, 0 }, END };

	*out = 0;
	return fw_fill(payload, field, out, FW_FILL_NO_HAS);
}

/* A piece of kernel work on a thread, or something that happens to one. */
static bool decode_kernel_slice(const struct ftrace_id *d, struct fw_str payload,
				struct fw_event *ev, uint64_t *symbol)
{
	struct fw_ev_kernel_slice *k = &ev->kslice;
	uint64_t v;

	k->op = (char)d->sub;
	k->tid = -1;
	switch (d->id) {
	case 57:
		k->category = FW_STR("workqueue");
		return true;
	case 58:
		k->category = FW_STR("workqueue");
		return number_field(payload, 2, symbol);
	case 46:
		k->name = FW_STR("mm_vmscan_direct_reclaim");
		return true;
	case 324:
		k->name = FW_STR("signal_deliver");
		return true;
	case 325:
		k->name = FW_STR("signal_generate");
		break;
	case 334:
		k->name = FW_STR("mem.oom_kill");
		break;
	case 338:
		if (!number_field(payload, 2, &v))
			return false;
		k->name.p = k->text;
		k->name.len = (size_t)snprintf(k->text, sizeof(k->text), "scm id=%#" PRIx64, v);
		return true;
	case 443:
		k->name = FW_STR("mm_vmscan_shrink_slab");
		return true;
	default:
		return true;
	}
	/* On the track of the thread that it happens to. */
	if (!number_field(payload, d->id == 325 ? 4 : 1, &v))
		return false;
	k->tid = (int32_t)(uint32_t)v;
	return true;
}

bool fw_decode_ftrace(uint32_t id, struct fw_str payload, struct fw_event *ev, uint64_t *symbol)
{
	const struct ftrace_id *d = find(id);

	*symbol = 0;
	ev->type = d ? d->type : FW_EV_OTHER_FTRACE;
	if (!d)
		return true;
	if (d->type == FW_EV_VENDOR_MARK)
		return decode_vendor(d, payload, ev);
	if (d->type == FW_EV_KERNEL_SLICE)
		return decode_kernel_slice(d, payload, ev, symbol);
	fw_event_begin(ev, d->type, d->sub);
	if (d->type == FW_EV_BLOCKED_REASON)
		ev->blocked.has_io_wait = true;
	if (d->type == FW_EV_DRM_SCHED)
		ev->drm.v617 = d->id > 500;
	if (!fw_fill(payload, d->fields, ev, FW_FILL_NO_HAS))
		return false;
	if (d->type == FW_EV_BLOCKED_REASON)
		*symbol = (uint32_t)ev->blocked.caller;
	/* Other drivers count in thousandths of its unit; ftrace_parser.cc does the same. */
	if (d->type == FW_EV_GPU_FREQUENCY && d->sub)
		ev->freq.value *= 1000;
	return true;
}
