// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * decode - records of the ring buffer into events
 *
 * Names of events and fields: include/trace/events/{sched,task,irq,power,gpu_mem,dma_fence}.h,
 * kernel/trace/trace_entries.h, drivers/gpu/drm/scheduler/gpu_scheduler_trace.h; fence.h and sync.h of
 * kernels before 4.10; drivers/android/binder_trace.h; the trace events of Mali and KGSL.
 */
#include <string.h>

#include "base/mem.h"
#include "input/tracedat/tracedat.h"

enum value { I32, U32, I64, U64, BOOL, STR };

struct target {
	uint8_t value;
	uint16_t offset; /* in struct fw_event */
};

/**
 * struct kind - an event of the kernel
 * @sub: kind within the type
 * @names: of its fields, "new|old" where they changed, "?" before what it may lack; NULL ends
 * @targets: where they go
 */
struct kind {
	const char *name;
	uint8_t type; /* enum fw_event_type */
	uint8_t sub;
	const char *const *names;
	const struct target *targets;
};

#define AT(value, member)                                                                          \
	{                                                                                          \
		value, offsetof(struct fw_event, member)                                           \
	}
#define FIELDS(id, ...) static const char *const n_##id[] = { __VA_ARGS__, NULL }
#define TARGETS(id, ...) static const struct target t_##id[] = { __VA_ARGS__ }

FIELDS(switch, "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid",
       "next_prio");
TARGETS(switch, AT(STR, sw.prev_comm), AT(I32, sw.prev_tid), AT(I32, sw.prev_prio),
	AT(I64, sw.prev_state), AT(STR, sw.next_comm), AT(I32, sw.next_tid), AT(I32, sw.next_prio));
/* The fifth, of old kernels, says whether the thread was woken at all. */
#define SUCCESS 4
FIELDS(wake, "comm", "pid", "?prio", "?target_cpu", "?success");
TARGETS(wake, AT(STR, waking.comm), AT(I32, waking.tid), AT(I32, waking.prio),
	AT(I32, waking.target_cpu), AT(I32, waking.common_flags));
FIELDS(blocked, "pid", "?caller", "?io_wait");
TARGETS(blocked, AT(I32, blocked.tid), AT(U64, blocked.caller), AT(BOOL, blocked.io_wait));
FIELDS(newtask, "pid", "comm", "clone_flags");
TARGETS(newtask, AT(I32, task.tid), AT(STR, task.comm), AT(U64, task.clone_flags));
FIELDS(rename, "pid", "newcomm");
FIELDS(task, "pid", "comm");
TARGETS(task, AT(I32, task.tid), AT(STR, task.comm));
FIELDS(exec, "pid");
FIELDS(fork, "child_pid", "child_comm", "parent_pid");
TARGETS(fork, AT(I32, task.tid), AT(STR, task.comm), AT(I32, task.parent_tid));
FIELDS(irq, "irq", "name");
TARGETS(irq, AT(I32, irq.vec), AT(STR, irq.name));
FIELDS(irq_exit, "irq", "ret");
TARGETS(irq_exit, AT(I32, irq.vec), AT(I32, irq.ret));
FIELDS(softirq, "vec");
FIELDS(cpu_freq, "cpu_id", "state");
FIELDS(gpu_freq, "gpu_id", "state|frequency|gpu_freq");
TARGETS(freq, AT(I32, freq.unit), AT(I64, freq.value));
FIELDS(gpu_mem, "gpu_id", "pid", "size");
TARGETS(gpu_mem, AT(I32, gpu_mem.gpu_id), AT(I32, gpu_mem.pid), AT(U64, gpu_mem.size));
FIELDS(suspend, "?val", "start");
TARGETS(suspend, AT(I64, suspend.val), AT(BOOL, suspend.start));
FIELDS(print, "buf");
TARGETS(print, AT(STR, mark.text));
FIELDS(fence, "driver", "timeline", "context", "seqno");
TARGETS(fence, AT(STR, fence.driver), AT(STR, fence.timeline), AT(U64, fence.context),
	AT(U64, fence.seqno));
TARGETS(old_fence, AT(STR, old_fence.driver), AT(STR, old_fence.timeline),
	AT(U32, old_fence.context), AT(U32, old_fence.seqno));
FIELDS(sync, "name|timeline", "?value");
TARGETS(sync, AT(STR, sync.name), AT(STR, sync.value));
FIELDS(sync_wait, "name", "status", "begin");
TARGETS(sync_wait, AT(STR, sync.name), AT(I32, sync.status), AT(I32, sync.begin));
FIELDS(drm_job, "?entity", "fence", "?name", "?id", "?job_count", "?hw_job_count");
TARGETS(drm_job, AT(U64, drm.entity), AT(U64, drm.fence), AT(STR, drm.ring), AT(U64, drm.id),
	AT(I32, drm.job_count), AT(I32, drm.hw_job_count));
FIELDS(drm_done, "fence");
TARGETS(drm_done, AT(U64, drm.fence));
FIELDS(drm_617, "fence_context", "fence_seqno", "?name", "?dev", "?job_count", "?hw_job_count",
       "?client_id");
TARGETS(drm_617, AT(U64, drm.fence_context), AT(U64, drm.fence_seqno), AT(STR, drm.ring),
	AT(STR, drm.dev), AT(I32, drm.job_count), AT(I32, drm.hw_job_count),
	AT(U64, drm.client_id));
FIELDS(drm_617_done, "fence_context", "fence_seqno");
FIELDS(mali, "info_val1", "info_val2", "kctx_tgid", "kctx_id", "id");
TARGETS(mali, AT(U64, mali.info_val1), AT(U64, mali.info_val2), AT(U32, mali.kctx_tgid),
	AT(U32, mali.kctx_id), AT(U32, mali.id));
FIELDS(kgsl, "id", "timestamp", "?prio", "?inflight", "?ticks", "?start", "?retire");
TARGETS(kgsl, AT(U32, kgsl.id), AT(U32, kgsl.timestamp), AT(U32, kgsl.prio), AT(I32, kgsl.inflight),
	AT(U64, kgsl.ticks), AT(U64, kgsl.start), AT(U64, kgsl.retire));
FIELDS(binder, "debug_id", "to_thread", "reply", "flags");
TARGETS(binder, AT(I32, binder.transaction), AT(I32, binder.to_thread), AT(I32, binder.reply),
	AT(U32, binder.flags));
FIELDS(received, "debug_id");
FIELDS(none, NULL);

static const struct kind kinds[] = {
	{ "sched_switch", FW_EV_SCHED_SWITCH, 0, n_switch, t_switch },
	{ "sched_waking", FW_EV_SCHED_WAKING, 0, n_wake, t_wake },
	{ "sched_wakeup", FW_EV_SCHED_WAKEUP, 0, n_wake, t_wake },
	{ "sched_wakeup_new", FW_EV_SCHED_WAKEUP_NEW, 0, n_wake, t_wake },
	{ "sched_blocked_reason", FW_EV_BLOCKED_REASON, 0, n_blocked, t_blocked },
	{ "task_newtask", FW_EV_TASK_NEWTASK, 0, n_newtask, t_newtask },
	{ "task_rename", FW_EV_TASK_RENAME, 0, n_rename, t_task },
	{ "sched_process_exit", FW_EV_PROCESS_EXIT, 0, n_task, t_task },
	{ "sched_process_free", FW_EV_PROCESS_FREE, 0, n_task, t_task },
	{ "sched_process_exec", FW_EV_PROCESS_EXEC, 0, n_exec, t_task },
	{ "sched_process_fork", FW_EV_PROCESS_FORK, 0, n_fork, t_fork },
	{ "irq_handler_entry", FW_EV_IRQ_ENTRY, 0, n_irq, t_irq },
	{ "irq_handler_exit", FW_EV_IRQ_EXIT, 0, n_irq_exit, t_irq_exit },
	{ "softirq_entry", FW_EV_SOFTIRQ_ENTRY, 0, n_softirq, t_irq },
	{ "softirq_exit", FW_EV_SOFTIRQ_EXIT, 0, n_softirq, t_irq },
	{ "cpu_frequency", FW_EV_CPU_FREQUENCY, 0, n_cpu_freq, t_freq },
	{ "cpu_idle", FW_EV_CPU_IDLE, 0, n_cpu_freq, t_freq },
	{ "gpu_frequency", FW_EV_GPU_FREQUENCY, 0, n_gpu_freq, t_freq },
	{ "kgsl_gpu_frequency", FW_EV_GPU_FREQUENCY, 1, n_gpu_freq, t_freq },
	{ "gpu_mem_total", FW_EV_GPU_MEM_TOTAL, 0, n_gpu_mem, t_gpu_mem },
	{ "suspend_resume", FW_EV_SUSPEND_RESUME, 0, n_suspend, t_suspend },
	{ "print", FW_EV_MARK, 0, n_print, t_print },
	{ "dma_fence_init", FW_EV_DMA_FENCE, FW_DMA_FENCE_INIT, n_fence, t_fence },
	{ "dma_fence_emit", FW_EV_DMA_FENCE, FW_DMA_FENCE_EMIT, n_fence, t_fence },
	{ "dma_fence_enable_signal", FW_EV_DMA_FENCE, FW_DMA_FENCE_ENABLE_SIGNAL, n_fence,
	  t_fence },
	{ "dma_fence_signaled", FW_EV_DMA_FENCE, FW_DMA_FENCE_SIGNALED, n_fence, t_fence },
	{ "dma_fence_destroy", FW_EV_DMA_FENCE, FW_DMA_FENCE_DESTROY, n_fence, t_fence },
	{ "dma_fence_wait_start", FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_START, n_fence, t_fence },
	{ "dma_fence_wait_end", FW_EV_DMA_FENCE, FW_DMA_FENCE_WAIT_END, n_fence, t_fence },
	{ "fence_init", FW_EV_OLD_FENCE, FW_DMA_FENCE_INIT, n_fence, t_old_fence },
	{ "fence_emit", FW_EV_OLD_FENCE, FW_DMA_FENCE_EMIT, n_fence, t_old_fence },
	{ "fence_enable_signal", FW_EV_OLD_FENCE, FW_DMA_FENCE_ENABLE_SIGNAL, n_fence,
	  t_old_fence },
	{ "fence_signaled", FW_EV_OLD_FENCE, FW_DMA_FENCE_SIGNALED, n_fence, t_old_fence },
	{ "fence_destroy", FW_EV_OLD_FENCE, FW_DMA_FENCE_DESTROY, n_fence, t_old_fence },
	{ "sync_timeline", FW_EV_SYNC_TIMELINE, 0, n_sync, t_sync },
	{ "sync_pt", FW_EV_SYNC_PT, 0, n_sync, t_sync },
	{ "sync_wait", FW_EV_SYNC_WAIT, 0, n_sync_wait, t_sync_wait },
	{ "drm_sched_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, n_drm_job, t_drm_job },
	{ "drm_run_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, n_drm_job, t_drm_job },
	{ "drm_sched_process_job", FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, n_drm_done, t_drm_done },
	{ "drm_sched_job_queue", FW_EV_DRM_SCHED, FW_DRM_SCHED_JOB, n_drm_617, t_drm_617 },
	{ "drm_sched_job_run", FW_EV_DRM_SCHED, FW_DRM_SCHED_RUN, n_drm_617, t_drm_617 },
	{ "drm_sched_job_done", FW_EV_DRM_SCHED, FW_DRM_SCHED_DONE, n_drm_617_done, t_drm_617 },
	{ "mali_KCPU_CQS_SET", FW_EV_MALI_KCPU, FW_MALI_CQS_SET, n_mali, t_mali },
	{ "mali_KCPU_CQS_WAIT_START", FW_EV_MALI_KCPU, FW_MALI_CQS_WAIT_START, n_mali, t_mali },
	{ "mali_KCPU_CQS_WAIT_END", FW_EV_MALI_KCPU, FW_MALI_CQS_WAIT_END, n_mali, t_mali },
	{ "mali_KCPU_FENCE_SIGNAL", FW_EV_MALI_KCPU, FW_MALI_FENCE_SIGNAL, n_mali, t_mali },
	{ "mali_KCPU_FENCE_WAIT_START", FW_EV_MALI_KCPU, FW_MALI_FENCE_WAIT_START, n_mali, t_mali },
	{ "mali_KCPU_FENCE_WAIT_END", FW_EV_MALI_KCPU, FW_MALI_FENCE_WAIT_END, n_mali, t_mali },
	{ "adreno_cmdbatch_queued", FW_EV_KGSL, FW_KGSL_QUEUED, n_kgsl, t_kgsl },
	{ "adreno_cmdbatch_submitted", FW_EV_KGSL, FW_KGSL_SUBMITTED, n_kgsl, t_kgsl },
	{ "adreno_cmdbatch_sync", FW_EV_KGSL, FW_KGSL_SYNC, n_kgsl, t_kgsl },
	{ "adreno_cmdbatch_retired", FW_EV_KGSL, FW_KGSL_RETIRED, n_kgsl, t_kgsl },
	{ "binder_transaction", FW_EV_BINDER, FW_BINDER_TRANSACTION, n_binder, t_binder },
	{ "binder_transaction_received", FW_EV_BINDER, FW_BINDER_RECEIVED, n_received, t_binder },
	{ "binder_lock", FW_EV_BINDER, FW_BINDER_LOCK, n_none, NULL },
	{ "binder_locked", FW_EV_BINDER, FW_BINDER_LOCKED, n_none, NULL },
	{ "binder_unlock", FW_EV_BINDER, FW_BINDER_UNLOCK, n_none, NULL },
};

int td_kind_find(struct fw_str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (fw_str_eq(name, fw_str(kinds[i].name)))
			return (int)i;
	return -1;
}

const char *const *td_kind_fields(int kind)
{
	return kinds[kind].names;
}

enum fw_event_type td_kind_type(int kind)
{
	return kinds[kind].type;
}

/* The record at hand. */
struct record {
	const uint8_t *p;
	uint32_t len;
};

static struct record record_of(const struct td_stream *s)
{
	return (struct record){ s->page + s->at, s->len };
}

static bool number(const struct td *t, struct record r, const struct td_field *f, uint64_t *out)
{
	uint64_t v;

	if (!f->has || !f->size || f->size > 8 || (uint32_t)f->offset + f->size > r.len)
		return false;
	v = td_number(t, r.p + f->offset, f->size);
	if (f->is_signed && f->size < 8 && v >> (8 * f->size - 1))
		v |= UINT64_MAX << 8 * f->size;
	*out = v;
	return true;
}

/* The bytes of an array, or of a text to which the field only points. */
static struct fw_str text(const struct td *t, struct record r, const struct td_field *f)
{
	uint32_t at = f->offset, len = f->size;

	if (!f->has || at + len > r.len)
		return FW_STR_NONE;
	if (f->loc) {
		uint32_t loc;

		if (len != 4)
			return FW_STR_NONE;
		loc = (uint32_t)td_number(t, r.p + at, 4);
		at = (loc & 0xffff) + (f->loc == 2 ? at + 4 : 0);
		len = loc >> 16;
	} else if (!len) {
		len = r.len - at;
	}
	if (at > r.len || len > r.len - at)
		return FW_STR_NONE;
	return (struct fw_str){ (const char *)r.p + at, strnlen((const char *)r.p + at, len) };
}

static bool store(const struct td *t, struct record r, const struct td_field *f,
		  const struct target *to, struct fw_event *ev)
{
	char *at = (char *)ev + to->offset;
	struct fw_str s;
	uint32_t low;
	uint64_t v;
	bool truth;

	if (to->value == STR) {
		s = text(t, r, f);
		memcpy(at, &s, sizeof(s));
		return s.p;
	}
	if (!number(t, r, f, &v))
		return false;
	low = (uint32_t)v;
	truth = v != 0;
	if (to->value == BOOL)
		memcpy(at, &truth, sizeof(truth));
	else if (to->value == I32 || to->value == U32)
		memcpy(at, &low, sizeof(low));
	else
		memcpy(at, &v, sizeof(v));
	return true;
}

struct td_event *td_event_of(struct td *t, const struct td_stream *s)
{
	static const struct td_field plain_type = { .size = 2, .has = true };
	uint64_t id, *index;

	if (!number(t, record_of(s), t->type.has ? &t->type : &plain_type, &id))
		return NULL;
	index = fw_map_get(&t->by_id, id);
	return index ? &t->events[*index - 1] : NULL;
}

#define PLAIN_PREEMPTED 0x800

/* The bits of a kernel that is not known as those of before 4.8. */
static int64_t plain_state(const struct td *t, int64_t state)
{
	int64_t plain = (uint64_t)state & t->preempted ? PLAIN_PREEMPTED : 0;

	for (uint32_t i = 0; i < t->n_states; i++)
		if ((uint64_t)state & t->states[i].bit)
			plain |= t->states[i].plain;
	return plain;
}

static void finish_wake(struct td *t, const struct td_event *e, struct record r, uint32_t flags)
{
	uint64_t success = 1;

	/* Of kernels before 4.3: the thread was awake already. */
	if (number(t, r, &e->fields[SUCCESS], &success) && !success)
		t->ev.type = FW_EV_OTHER_FTRACE;
	t->ev.waking.common_flags = (int32_t)flags;
}

static void finish(struct td *t, const struct td_event *e, struct record r, uint32_t flags)
{
	const struct kind *k = &kinds[e->kind];
	struct fw_event *ev = &t->ev;

	switch (k->type) {
	case FW_EV_SCHED_SWITCH:
		if (!t->rec.kernel.p)
			ev->sw.prev_state = plain_state(t, ev->sw.prev_state);
		break;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		finish_wake(t, e, r, flags);
		break;
	case FW_EV_BLOCKED_REASON:
		ev->blocked.has_io_wait = e->fields[2].has;
		ev->blocked.function = td_symbol(t, ev->blocked.caller);
		break;
	case FW_EV_DMA_FENCE:
		ev->fence.in = flags & FW_COMMON_FLAGS_IRQ ? FW_CONTEXT_IRQ : FW_CONTEXT_TASK;
		break;
	case FW_EV_DRM_SCHED:
		ev->drm.v617 = k->targets == t_drm_617;
		break;
	case FW_EV_GPU_FREQUENCY:
		/* Other drivers count in thousandths of its unit. */
		if (k->sub && __builtin_mul_overflow(ev->freq.value, 1000, &ev->freq.value))
			ev->type = FW_EV_OTHER_FTRACE;
		break;
	default:
		break;
	}
}

bool td_decode(struct td *t, const struct td_stream *s, const struct td_event *e)
{
	struct record r = record_of(s);
	uint64_t pid, flags = 0;
	bool whole = true;

	t->ev = (struct fw_event){ .ts = s->ts, .cpu = s->cpu, .tid = -1 };
	if (number(t, r, &t->pid, &pid))
		t->ev.tid = (int32_t)(uint32_t)pid;
	number(t, r, &t->flags, &flags);
	t->ev.type = FW_EV_OTHER_FTRACE;
	if (!e || e->kind < 0)
		return true;
	fw_event_begin(&t->ev, kinds[e->kind].type, kinds[e->kind].sub);
	for (int i = 0; i < TD_FIELDS && kinds[e->kind].names[i]; i++) {
		/* A field that this kernel does not have stays unknown; a record that ends is broken. */
		if (!e->fields[i].has)
			continue;
		whole &= store(t, r, &e->fields[i], &kinds[e->kind].targets[i], &t->ev);
	}
	if (whole)
		finish(t, e, r, (uint32_t)flags);
	return whole;
}
