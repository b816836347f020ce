// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events - the arguments of each event, as the kernel's TP_printk() writes them
 *
 * include/trace/events/{irq,power,gpu_mem,dma_fence,workqueue,signal,vmscan}.h, fence.h and sync.h of
 * kernels before 4.10, drivers/android/binder_trace.h, drivers/gpu/drm/scheduler/
 * gpu_scheduler_trace.h.
 */
#include "base/mem.h"
#include "input/text/text.h"

#define AT(type, member) offsetof(struct type, member)
#define F(key, kind, member)                                                                       \
	{                                                                                          \
		key, TX_##kind, true, AT(fw_event, member)                                         \
	}
#define END                                                                                        \
	{                                                                                          \
		NULL, TX_END, false, 0                                                             \
	}

static const struct tx_field f_fork[] = {
	F("pid", I32, task.parent_tid),
	F("child_comm", STR, task.comm),
	F("child_pid", I32, task.tid),
	END,
};
static const struct tx_field f_exec[] = { F("pid", I32, task.tid), END };
static const struct tx_field f_irq_entry[] = {
	F("irq", I32, irq.vec),
	F("name", STR, irq.name),
	END,
};
static const struct tx_field f_softirq[] = { F("vec", I32, irq.vec), END };
static const struct tx_field f_cpu_freq[] = {
	F("state", I64, freq.value),
	F("cpu_id", I32, freq.unit),
	END,
};
static const struct tx_field f_gpu_mem[] = {
	F("gpu_id", I32, gpu_mem.gpu_id),
	F("pid", I32, gpu_mem.pid),
	F("size", U64, gpu_mem.size),
	END,
};
static const struct tx_field f_dma_fence[] = {
	F("driver", STR, fence.driver),
	F("timeline", STR, fence.timeline),
	F("context", U64, fence.context),
	F("seqno", U64, fence.seqno),
	END,
};
static const struct tx_field f_sync[] = {
	F("name", STR, sync.name),
	F("value", STR, sync.value),
	END,
};
static const struct tx_field f_sync_wait[] = {
	F("name", STR, sync.name),
	F("state", I32, sync.status),
	END,
};
static const struct tx_field f_received[] = { F("transaction", I32, binder.transaction), END };
static const struct tx_field f_drm_process[] = { F("fence", HEX, drm.fence), END };
static const struct tx_field f_pid[] = { F("pid", I32, kslice.tid), END };

/* Before the text of a mark stands the function that wrote it, or its address. */
static struct fw_str without_writer(struct fw_str s)
{
	const char *colon = s.len ? memchr(s.p, ':', FW_MIN(s.len, 64)) : NULL;
	struct fw_str writer = { s.p, colon ? (size_t)(colon - s.p) : 0 };

	if (!colon || (size_t)(colon + 1 - s.p) >= s.len || colon[1] != ' ')
		return s;
	if (!fw_str_starts(writer, FW_STR("0x")) &&
	    !fw_str_eq(writer, FW_STR("tracing_mark_write")))
		return s;
	return tx_trim((struct fw_str){ colon + 1, s.len - writer.len - 1 });
}

static TX_READER(read_mark)
{
	ev->mark.text = e->sub && !how->tp ? without_writer(args) : args;
	return true;
}

static TX_READER(read_irq_exit)
{
	struct irq_args {
		struct fw_str ret;
		int32_t irq;
	} a;
	static const struct tx_field fields[] = {
		{ "irq", TX_I32, true, AT(irq_args, irq) },
		{ "ret", TX_WORD, true, AT(irq_args, ret) },
		END,
	};

	if (!tx_fields(args, fields, &a))
		return false;
	ev->irq = (struct fw_ev_irq){ .vec = a.irq };
	ev->irq.ret = fw_str_eq(a.ret, FW_STR("handled")) || fw_str_eq(a.ret, FW_STR("1"));
	return true;
}

/* Either order, and two words for the number. */
static TX_READER(read_gpu_freq)
{
	static const struct tx_field kernel[] = {
		F("gpu_id", I32, freq.unit),
		F("frequency", I64, freq.value),
		END,
	};
	static const struct tx_field state_last[] = {
		F("gpu_id", I32, freq.unit),
		F("state", I64, freq.value),
		END,
	};
	static const struct tx_field state_first[] = {
		F("state", I64, freq.value),
		F("gpu_id", I32, freq.unit),
		END,
	};
	static const struct tx_field kgsl[] = {
		F("gpu_freq", I64, freq.value),
		F("gpu_id", I32, freq.unit),
		END,
	};

	if (e->sub)
		return tx_fields(args, kgsl, ev) &&
		       !__builtin_mul_overflow(ev->freq.value, 1000, &ev->freq.value);
	return tx_fields(args, kernel, ev) || tx_fields(args, state_first, ev) ||
	       tx_fields(args, state_last, ev);
}

/* "ACTION[VALUE] begin" */
static TX_READER(read_suspend)
{
	const char *open = args.len ? memrchr(args.p, '[', args.len) : NULL;
	const char *close = open ? memchr(open, ']', args.len - (size_t)(open - args.p)) : NULL;
	struct fw_str word;

	if (!close ||
	    !fw_str_int((struct fw_str){ open + 1, (size_t)(close - open - 1) }, &ev->suspend.val))
		return false;
	word = tx_trim((struct fw_str){ close + 1, args.len - (size_t)(close + 1 - args.p) });
	ev->suspend.action = (struct fw_str){ args.p, (size_t)(open - args.p) };
	ev->suspend.start = fw_str_eq(word, FW_STR("begin"));
	return ev->suspend.start || fw_str_eq(word, FW_STR("end"));
}

static TX_READER(read_old_fence)
{
	struct fw_event f = { .type = FW_EV_DMA_FENCE };

	if (!tx_fields(args, f_dma_fence, &f))
		return false;
	ev->old_fence.context = (uint32_t)f.fence.context;
	ev->old_fence.seqno = (uint32_t)f.fence.seqno;
	ev->old_fence.driver = f.fence.driver;
	ev->old_fence.timeline = f.fence.timeline;
	return true;
}

/* "begin name=... state=1" */
static TX_READER(read_sync_wait)
{
	ev->sync.begin = fw_str_starts(args, FW_STR("begin "));
	return ev->sync.begin || fw_str_starts(args, FW_STR("end "));
}

static TX_READER(read_binder)
{
	struct binder_args {
		uint64_t flags;
		int32_t transaction, to_thread, reply;
	} a;
	static const struct tx_field fields[] = {
		{ "transaction", TX_I32, true, AT(binder_args, transaction) },
		{ "dest_thread", TX_I32, true, AT(binder_args, to_thread) },
		{ "reply", TX_I32, true, AT(binder_args, reply) },
		{ "flags", TX_HEX, true, AT(binder_args, flags) },
		END,
	};

	if (!tx_fields(args, fields, &a))
		return false;
	ev->binder.transaction = a.transaction;
	ev->binder.to_thread = a.to_thread;
	ev->binder.flags = (uint32_t)a.flags;
	ev->binder.reply = a.reply;
	return true;
}

/* "work struct ffff...: function name" */
static TX_READER(read_work)
{
	const char *p = memmem(args.p, args.len, "function ", 9);

	if (!p)
		return false;
	p += 9;
	ev->kslice.name = (struct fw_str){ p, args.len - (size_t)(p - args.p) };
	if (!how->tp)
		for (size_t i = 0; i < ev->kslice.name.len; i++)
			if (ev->kslice.name.p[i] == ' ')
				ev->kslice.name.len = i;
	return true;
}

/* "entity=..., id=12, fence=..., ring=name, job count:1, hw job count:0" */
static TX_READER(read_drm_job)
{
	static const struct tx_field fields[] = {
		F("entity", HEX, drm.entity),
		{ "id", TX_U64, false, AT(fw_event, drm.id) },
		F("fence", HEX, drm.fence),
		F("ring", WORD, drm.ring),
		END,
	};

	return tx_fields(args, fields, ev);
}

static bool context_and_seqno(struct fw_str s, struct fw_ev_drm_sched *drm)
{
	const char *colon = s.len ? memchr(s.p, ':', s.len) : NULL;

	return colon &&
	       fw_str_uint((struct fw_str){ s.p, (size_t)(colon - s.p) }, &drm->fence_context) &&
	       fw_str_uint((struct fw_str){ colon + 1, s.len - (size_t)(colon + 1 - s.p) },
			   &drm->fence_seqno);
}

/* Since Linux 6.17: "dev=..., fence=12:34, ring=name, job count:1, ...", or "fence=12:34 signaled". */
static TX_READER(read_drm_617)
{
	struct drm_args {
		struct fw_str dev, fence, ring;
	} a = { .dev = FW_STR_NONE };
	static const struct tx_field fields[] = {
		{ "dev", TX_WORD, false, AT(drm_args, dev) },
		{ "fence", TX_WORD, true, AT(drm_args, fence) },
		{ "ring", TX_WORD, false, AT(drm_args, ring) },
		END,
	};

	if (!tx_fields(args, fields, &a) || !context_and_seqno(a.fence, &ev->drm))
		return false;
	ev->drm.dev = a.dev;
	ev->drm.ring = a.ring;
	return true;
}

/* By name. */
static const struct tx_event events[] = {
	{ "0", FW_EV_MARK, 0, true, NULL, read_mark },
	{ "binder_lock", FW_EV_BINDER, FW_BINDER_LOCK, true, NULL, NULL },
	{ "binder_locked", FW_EV_BINDER, FW_BINDER_LOCKED, true, NULL, NULL },
	{ "binder_transaction", FW_EV_BINDER, FW_BINDER_TRANSACTION, true, NULL, read_binder },
	{ "binder_transaction_received", FW_EV_BINDER, FW_BINDER_RECEIVED, true, f_received, NULL },
	{ "binder_unlock", FW_EV_BINDER, FW_BINDER_UNLOCK, true, NULL, NULL },
	{ "cpu_frequency", FW_EV_CPU_FREQUENCY, 0, true, f_cpu_freq, NULL },
	{ "cpu_idle", FW_EV_CPU_IDLE, 0, true, f_cpu_freq, NULL },
	{ "dma_fence_destroy", FW_EV_DMA_FENCE, FW_DMA_FENCE_DESTROY, false, f_dma_fence, NULL },
	{ "dma_fence_emit", FW_EV_DMA_FENCE, FW_DMA_FENCE_EMIT, false, f_dma_fence, NULL },
	{ "dma_fence_enable_signal", FW_EV_DMA_FENCE, FW_DMA_FENCE_ENABLE_SIGNAL, false,
	  f_dma_fence, NULL },
	{ "dma_fence_init", FW_EV_DMA_FENCE, FW_DMA_FENCE_INIT, false, f_dma_fence, NULL },
	{ "dma_fence_signaled", FW_EV_DMA_FENCE, FW_DMA_FENCE_SIGNALED, false, f_dma_fence, NULL },
	{ "dma_fence_wait_end", FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_END, false, f_dma_fence, NULL },
	{ "dma_fence_wait_start", FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_START, false, f_dma_fence,
	  NULL },
	{ "drm_run_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, false, NULL, read_drm_job },
	{ "drm_sched_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, false, NULL, read_drm_job },
	{ "drm_sched_job_done", FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, false, NULL, read_drm_617 },
	{ "drm_sched_job_queue", FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, false, NULL, read_drm_617 },
	{ "drm_sched_job_run", FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, false, NULL, read_drm_617 },
	{ "drm_sched_process_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, false, f_drm_process, NULL },
	{ "fence_destroy", FW_EV_OLD_FENCE, FW_DMA_FENCE_DESTROY, false, NULL, read_old_fence },
	{ "fence_enable_signal", FW_EV_OLD_FENCE, FW_DMA_FENCE_ENABLE_SIGNAL, false, NULL,
	  read_old_fence },
	{ "fence_init", FW_EV_OLD_FENCE, FW_DMA_FENCE_INIT, false, NULL, read_old_fence },
	{ "fence_signaled", FW_EV_OLD_FENCE, FW_DMA_FENCE_SIGNALED, false, NULL, read_old_fence },
	{ "gpu_frequency", FW_EV_GPU_FREQUENCY, 0, false, NULL, read_gpu_freq },
	{ "gpu_mem_total", FW_EV_GPU_MEM_TOTAL, 0, false, f_gpu_mem, NULL },
	{ "irq_handler_entry", FW_EV_IRQ_ENTRY, 0, false, f_irq_entry, NULL },
	{ "irq_handler_exit", FW_EV_IRQ_EXIT, 0, false, NULL, read_irq_exit },
	{ "kgsl_gpu_frequency", FW_EV_GPU_FREQUENCY, 1, false, NULL, read_gpu_freq },
	{ "mark_victim", FW_EV_KERNEL_SLICE, 'I', false, f_pid, NULL },
	{ "mm_shrink_slab_end", FW_EV_KERNEL_SLICE, 'E', false, NULL, NULL },
	{ "mm_shrink_slab_start", FW_EV_KERNEL_SLICE, 'B', false, NULL, NULL },
	{ "mm_vmscan_direct_reclaim_begin", FW_EV_KERNEL_SLICE, 'B', false, NULL, NULL },
	{ "mm_vmscan_direct_reclaim_end", FW_EV_KERNEL_SLICE, 'E', false, NULL, NULL },
	{ "print", FW_EV_MARK, 1, true, NULL, read_mark },
	{ "sched_blocked_reason", FW_EV_BLOCKED_REASON, 0, true, NULL, tx_read_blocked },
	{ "sched_process_exec", FW_EV_PROCESS_EXEC, 0, false, f_exec, NULL },
	{ "sched_process_exit", FW_EV_PROCESS_EXIT, 0, false, NULL, tx_read_task },
	{ "sched_process_fork", FW_EV_PROCESS_FORK, 0, false, f_fork, NULL },
	{ "sched_process_free", FW_EV_PROCESS_FREE, 0, false, NULL, tx_read_task },
	{ "sched_switch", FW_EV_SCHED_SWITCH, 0, true, NULL, tx_read_switch },
	{ "sched_wakeup", FW_EV_SCHED_WAKEUP, 0, false, NULL, tx_read_wake },
	{ "sched_wakeup_new", FW_EV_SCHED_WAKEUP_NEW, 0, false, NULL, tx_read_wake },
	{ "sched_waking", FW_EV_SCHED_WAKING, 0, true, NULL, tx_read_wake },
	{ "signal_deliver", FW_EV_KERNEL_SLICE, 'I', false, NULL, NULL },
	{ "signal_generate", FW_EV_KERNEL_SLICE, 'I', false, f_pid, NULL },
	{ "softirq_entry", FW_EV_SOFTIRQ_ENTRY, 0, false, f_softirq, NULL },
	{ "softirq_exit", FW_EV_SOFTIRQ_EXIT, 0, false, f_softirq, NULL },
	{ "suspend_resume", FW_EV_SUSPEND_RESUME, 0, false, NULL, read_suspend },
	{ "sync_pt", FW_EV_SYNC_PT, 0, false, f_sync, NULL },
	{ "sync_timeline", FW_EV_SYNC_TIMELINE, 0, false, f_sync, NULL },
	{ "sync_wait", FW_EV_SYNC_WAIT, 0, false, f_sync_wait, read_sync_wait },
	{ "task_newtask", FW_EV_TASK_NEWTASK, 0, false, NULL, tx_read_newtask },
	{ "task_rename", FW_EV_TASK_RENAME, 0, false, NULL, tx_read_rename },
	{ "tracing_mark_write", FW_EV_MARK, 0, true, NULL, read_mark },
	{ "workqueue_execute_end", FW_EV_KERNEL_SLICE, 'E', true, NULL, NULL },
	{ "workqueue_execute_start", FW_EV_KERNEL_SLICE, 'B', true, NULL, read_work },
};

const struct tx_event *tx_event_find(struct fw_str name)
{
	size_t lo = 0, hi = ARRAY_SIZE(events);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = fw_str_cmp(name, fw_str(events[mid].name));

		if (!c)
			return &events[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

const struct tx_event *tx_event_at(uint32_t index)
{
	return index < ARRAY_SIZE(events) ? &events[index] : NULL;
}

uint32_t tx_event_index(const struct tx_event *e)
{
	return (uint32_t)(e - events);
}

/* What a piece of kernel work is called; fields and reader may know better. */
static void name_slice(const struct tx_event *e, struct fw_ev_kernel_slice *k)
{
	k->op = (char)e->sub;
	k->tid = -1;
	if (fw_str_starts(fw_str(e->name), FW_STR("workqueue")))
		k->category = FW_STR("workqueue");
	else if (!strncmp(e->name, "mm_vmscan", 9) && e->sub == 'B')
		k->name = FW_STR("mm_vmscan_direct_reclaim");
	else if (!strncmp(e->name, "mm_shrink", 9) && e->sub == 'B')
		k->name = FW_STR("mm_vmscan_shrink_slab");
	else if (!strcmp(e->name, "mark_victim"))
		k->name = FW_STR("mem.oom_kill");
	else if (e->sub == 'I')
		k->name = fw_str(e->name);
}

bool tx_event_read(const struct tx_event *e, struct fw_str args, struct tx_how *how,
		   struct fw_event *ev)
{
	fw_event_begin(ev, e->type, e->sub);
	if (e->type == FW_EV_DRM_SCHED)
		ev->drm.v617 = e->read == read_drm_617;
	if (e->type == FW_EV_KERNEL_SLICE)
		name_slice(e, &ev->kslice);
	if (e->fields && !tx_fields(args, e->fields, ev))
		return false;
	return !e->read || e->read(e, args, how, ev);
}
