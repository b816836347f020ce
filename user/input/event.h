/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_EVENT_H
#define FW_INPUT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * What every input yields. Strings are borrowed until the next fw_input_next(); an absent one has
 * p == NULL. A bit in an event's has field tells which optional values the recording really holds:
 * without it the value is unknown, not 0.
 */
enum fw_event_type {
	FW_EV_NONE,
	/* scheduler */
	FW_EV_SCHED_SWITCH,
	FW_EV_SCHED_WAKING,
	FW_EV_SCHED_WAKEUP,
	FW_EV_SCHED_WAKEUP_NEW,
	FW_EV_BLOCKED_REASON,
	FW_EV_INTERVAL, /* one closed interval, computed by the recorder */
	FW_EV_GENERIC_TASK, /* GenericKernelTaskStateEvent: a thread enters a state */
	/* tasks */
	FW_EV_TASK_NEWTASK,
	FW_EV_TASK_RENAME,
	FW_EV_PROCESS_EXIT,
	FW_EV_PROCESS_FREE,
	FW_EV_PROCESS_FORK,
	FW_EV_PROCESS_EXEC,
	FW_EV_TREE_PROCESS,
	FW_EV_TREE_THREAD,
	FW_EV_PROCESS_STATS, /* a process that the stats poller saw: only its pid */
	FW_EV_THREAD_SEEN, /* a thread that some packet names (log line, perf sample): u.thread */
	/* interrupts, frequency, memory */
	FW_EV_IRQ_ENTRY,
	FW_EV_IRQ_EXIT,
	FW_EV_SOFTIRQ_ENTRY,
	FW_EV_SOFTIRQ_EXIT,
	FW_EV_CPU_FREQUENCY,
	FW_EV_CPU_IDLE,
	FW_EV_GPU_FREQUENCY,
	FW_EV_GPU_MEM_TOTAL,
	FW_EV_SUSPEND_RESUME,
	/* marks */
	FW_EV_MARK, /* text as written to trace_marker */
	FW_EV_VENDOR_MARK, /* sde, dpu, mali, g2d, samsung: already in fields */
	FW_EV_BINDER,
	FW_EV_KERNEL_SLICE, /* a part of a kernel operation on a thread: reclaim, work item, signal */
	/* fences and GPU scheduling */
	FW_EV_DMA_FENCE,
	FW_EV_FENCE_POLL, /* a thread polls a sync_file */
	FW_EV_FENCE_MEMBER, /* of a merged sync_file */
	FW_EV_DRM_SCHED,
	FW_EV_SYNC_TIMELINE,
	FW_EV_SYNC_WAIT,
	FW_EV_SYNC_PT,
	FW_EV_OLD_FENCE, /* fence_init, fence_signaled, ... of kernels before 4.9 */
	FW_EV_MALI_KCPU,
	FW_EV_KGSL,
	/* SurfaceFlinger */
	FW_EV_FRAME_TRACER,
	FW_EV_EXPECTED_SURFACE,
	FW_EV_EXPECTED_DISPLAY,
	FW_EV_ACTUAL_SURFACE,
	FW_EV_ACTUAL_DISPLAY,
	FW_EV_FRAME_END,
	/* GPU data sources */
	FW_EV_GPU_COUNTER,
	FW_EV_GPU_RENDER_STAGE,
	FW_EV_VULKAN_MEMORY,
	FW_EV_VULKAN_API,
	FW_EV_GPU_LOG,
	/* any other ftrace event; only its time, cpu and tid */
	FW_EV_OTHER_FTRACE,
	FW_EV_PRESENTED, /* the foreground device showed a frame at ts; whose it was is not known */
	FW_EV_LOST, /* events of fw_event.cpu (-1: of all) may be missing up to fw_event.ts */
	FW_EV_COUNT
};

/* Flags of struct fw_event */
#define FW_EVF_COMPACT 0x1 /* from compact sched */
#define FW_EVF_LINE 0x4 /* of text: comm and tgid are what the line says of the emitting thread */
#define FW_EVF_EARLY 0x2 /* before the time from which every cpu's buffer is whole */

/* TRACE_FLAG bits of common_flags that mean "in an interrupt". */
#define FW_COMMON_FLAGS_IRQ 0x18

struct fw_ev_switch {
	/* prev_tid is -1 where a compact recording has not shown a switch of this cpu yet. */
	int32_t prev_tid, next_tid;
	int32_t prev_prio, next_prio; /* prev_prio: plain events only */
	int64_t prev_state; /* as recorded */
	struct fw_str prev_comm, next_comm; /* prev_comm: plain events only */
};

struct fw_ev_waking {
	int32_t tid; /* the wakee; the waker is fw_event.tid (-1: unknown) */
	int32_t prio;
	int32_t target_cpu;
	int32_t common_flags; /* -1: not recorded */
	struct fw_str comm;
	struct fw_str waker_comm; /* only where the input knows it without asking the model */
};

struct fw_ev_blocked {
	int32_t tid;
	bool io_wait;
	bool has_io_wait;
	struct fw_str function; /* absent: not named */
	uint64_t caller; /* as recorded: an address or an index; 0 none */
};

/* What is said of one interval, here and in the model. */
#define FW_IVF_KERNEL_PREEMPT 0x1 /* preempted: the kernel printed R+ */
#define FW_IVF_NO_WAKE 0x2 /* a sleep whose wake was not seen: its runnable time is in it */
#define FW_IVF_RACE 0x4 /* runnable: the wake stood before the switch-out */
#define FW_IVF_CUT 0x8 /* not closed yet: cut where the caller asked */
#define FW_IVF_NEW 0x10 /* runnable: a new task */
#define FW_IVF_CAPTURED 0x20 /* closed by the recorder: no interrupt totals to cut it with */
#define FW_IVF_IRQ 0x40 /* captured, running: its interrupt time was measured */
#define FW_IVF_IRQ_WAKE 0x80 /* an interrupt woke it: the waker is whom that interrupted */
#define FW_IVF_CONTINUED 0x100 /* the state began with an interval before */

struct fw_ev_interval {
	int32_t tid;
	int32_t state; /* enum fw_rec_state; the model's has the same numbers */
	int64_t start, end; /* fw_event.ts is the end */
	int32_t cpu; /* running: where; else -1 */
	int32_t waker_tid; /* runnable: who woke it; -1 unknown */
	int32_t io_wait; /* blocked: 0, 1, -1 unknown */
	uint32_t flags; /* FW_IVF_* */
	int64_t irq_ns, softirq_ns; /* running: inside it; -1 not measured */
	struct fw_str function; /* blocked, sleeping: wchan */
};

/* The state numbers of GenericKernelTaskStateEvent; the cpu is fw_event.cpu (0 when absent). */
struct fw_ev_generic_task {
	int32_t tid, state, prio;
	struct fw_str comm;
};

struct fw_ev_task {
	int32_t tid; /* newtask, rename, exit, free, exec: the thread; fork: the child */
	int32_t parent_tid; /* fork */
	uint64_t clone_flags; /* newtask */
	struct fw_str comm; /* rename: the new one */
};

struct fw_ev_tree_process {
	int32_t pid, ppid, uid; /* uid -1: not recorded */
	struct fw_str argv0; /* first cmdline element, uncut; absent: no cmdline recorded */
	int32_t n_cmdline;
	bool cmdline_is_comm, is_kthread;
	int64_t start_from_boot; /* ns; -1 not recorded */
};

struct fw_ev_tree_thread {
	int32_t tid, tgid; /* tgid -1: not known */
	struct fw_str name;
	bool weak; /* any other source knows the name better */
};

struct fw_ev_irq {
	int32_t vec; /* irq number, softirq vector */
	int32_t ret; /* irq exit: 1 handled */
	struct fw_str name; /* irq entry */
};

struct fw_ev_freq {
	int32_t unit; /* cpu or gpu */
	int64_t value; /* kHz; idle: state; kgsl: already kHz */
};

struct fw_ev_gpu_mem {
	int32_t gpu_id;
	int32_t pid; /* 0: all */
	uint64_t size; /* bytes */
};

struct fw_ev_suspend {
	struct fw_str action;
	int64_t val;
	bool start;
};

struct fw_ev_mark {
	struct fw_str text;
};

struct fw_ev_vendor_mark {
	char kind; /* B E C S F I; 0: not understood */
	char vendor; /* 's' sde, 'd' dpu, 'm' mali, 'g' g2d, 'x' samsung, 'z' msm zero, 'l' lwis */
	int32_t tgid;
	struct fw_str name;
	int64_t value; /* counter value */
	int32_t cookie;
};

enum fw_binder_kind {
	FW_BINDER_TRANSACTION,
	FW_BINDER_RECEIVED,
	FW_BINDER_LOCK,
	FW_BINDER_LOCKED,
	FW_BINDER_UNLOCK,
};

struct fw_ev_binder {
	enum fw_binder_kind kind;
	int32_t transaction; /* debug_id */
	int32_t to_thread; /* transaction: 0 any */
	uint32_t flags; /* transaction: 1 one-way */
	int32_t reply; /* transaction: 1 it answers one */
};

struct fw_ev_kernel_slice {
	char op; /* B begin, E end, I instant */
	int32_t tid; /* on whose track; -1: the emitting thread's */
	struct fw_str name; /* end: absent ends any */
	struct fw_str category; /* end: absent ends any */
	char text[32]; /* room for a name that the reader makes */
};

enum fw_context { FW_CONTEXT_UNKNOWN, FW_CONTEXT_TASK, FW_CONTEXT_IRQ };

enum fw_dma_fence_kind {
	FW_DMA_FENCE_INIT,
	FW_DMA_FENCE_EMIT,
	FW_DMA_FENCE_ENABLE_SIGNAL,
	FW_DMA_FENCE_SIGNALED,
	FW_DMA_FENCE_DESTROY,
	FW_DMA_FENCE_WAIT_START,
	FW_DMA_FENCE_WAIT_END,
};

struct fw_ev_dma_fence {
	enum fw_dma_fence_kind kind;
	uint64_t context, seqno;
	struct fw_str driver, timeline;
	int64_t signal_ts; /* the fence's own stamp where the input has it, else -1 */
	int32_t error; /* negative errno that it signaled with; 0 none, or not recorded */
	enum fw_context in; /* where the event came from */
};

/* @tid of the event polls. */
struct fw_ev_fence_poll {
	uint64_t context, seqno;
	struct fw_str comm;
	bool waits; /* is about to sleep until it signals; else it looks again */
	bool signaled;
};

struct fw_ev_fence_member {
	uint64_t context, seqno; /* the merged one */
	uint64_t member_context, member_seqno;
};

enum fw_drm_sched_kind {
	FW_DRM_SCHED_JOB, /* queued: drm_sched_job, drm_sched_job_queue */
	FW_DRM_SCHED_RUN, /* drm_run_job, drm_sched_job_run */
	FW_DRM_SCHED_DONE, /* drm_sched_process_job, drm_sched_job_done */
};

struct fw_ev_drm_sched {
	enum fw_drm_sched_kind kind;
	bool v617; /* the generation of Linux 6.17 */
	uint64_t id, entity, fence; /* fence: pointer of the old generation */
	uint64_t fence_context, fence_seqno; /* new generation */
	struct fw_str ring, dev;
	int32_t job_count, hw_job_count;
	uint64_t client_id;
};

struct fw_ev_sync {
	struct fw_str name; /* timeline or fence */
	struct fw_str value; /* sync_timeline, sync_pt */
	int32_t status; /* sync_wait */
	int32_t begin; /* sync_wait: 1 begin, 0 end */
};

struct fw_ev_old_fence {
	enum fw_dma_fence_kind kind;
	uint32_t context, seqno;
	struct fw_str driver, timeline;
};

enum fw_mali_kcpu_kind {
	FW_MALI_CQS_SET,
	FW_MALI_CQS_WAIT_START,
	FW_MALI_CQS_WAIT_END,
	FW_MALI_FENCE_SIGNAL,
	FW_MALI_FENCE_WAIT_START,
	FW_MALI_FENCE_WAIT_END,
};

struct fw_ev_mali_kcpu {
	enum fw_mali_kcpu_kind kind;
	uint64_t info_val1, info_val2; /* fences: context, seqno */
	uint32_t kctx_tgid, kctx_id, id;
};

enum fw_kgsl_kind { FW_KGSL_QUEUED, FW_KGSL_SUBMITTED, FW_KGSL_SYNC, FW_KGSL_RETIRED };

struct fw_ev_kgsl {
	enum fw_kgsl_kind kind;
	uint32_t id, timestamp, prio;
	uint64_t ticks, start, retire;
	int32_t inflight;
};

/* enum fw_event has bits of FrameTracer */
#define FW_GFX_HAS_TYPE 0x1
#define FW_GFX_HAS_BUFFER 0x2 /* a buffer_event is there at all */
#define FW_GFX_HAS_BUFFER_ID 0x4
#define FW_GFX_HAS_FRAME_NUMBER 0x8

enum fw_gfx_type {
	FW_GFX_UNSPECIFIED,
	FW_GFX_DEQUEUE,
	FW_GFX_QUEUE,
	FW_GFX_POST,
	FW_GFX_ACQUIRE_FENCE,
	FW_GFX_LATCH,
	FW_GFX_HWC_QUEUED,
	FW_GFX_FALLBACK,
	FW_GFX_PRESENT_FENCE,
	FW_GFX_RELEASE_FENCE,
	FW_GFX_MODIFY,
	FW_GFX_DETACH,
	FW_GFX_ATTACH,
	FW_GFX_CANCEL,
};

struct fw_ev_frame_tracer {
	uint32_t has;
	int32_t type;
	uint32_t frame_number, buffer_id;
	uint64_t duration_ns;
	struct fw_str layer;
};

/* has bits of FrameTimeline, in the order of the message's fields */
#define FW_FT_COOKIE 0x1
#define FW_FT_TOKEN 0x2
#define FW_FT_DISPLAY_TOKEN 0x4
#define FW_FT_PID 0x8
#define FW_FT_PRESENT_TYPE 0x10
#define FW_FT_ON_TIME 0x20
#define FW_FT_GPU_COMPOSITION 0x40
#define FW_FT_JANK_TYPE 0x80
#define FW_FT_PREDICTION 0x100
#define FW_FT_IS_BUFFER 0x200
#define FW_FT_SEVERITY 0x400
#define FW_FT_PRESENT_DELAY 0x800
#define FW_FT_JITTER 0x1000
#define FW_FT_SCORE 0x2000
#define FW_FT_JANK_EXP 0x4000
#define FW_FT_PRESENT_EXP 0x8000
#define FW_FT_DEBUG_META 0x10000
#define FW_FT_LATCHED_STATE 0x20000
#define FW_FT_ANIMATION_TIME 0x40000
#define FW_FT_UNSIGNALED_COUNT 0x80000
#define FW_FT_ADDRESSABLE_COUNT 0x100000
/* Not fields of the recording: they count from the top. */
#define FW_FT_FROM_MARKS 0x40000000 /* not of SurfaceFlinger: made from trace marks */
#define FW_FT_EMPTY 0x80000000 /* a frame_timeline_event with none of the five messages */

struct fw_ev_frame_timeline {
	uint32_t has;
	int32_t pid;
	int64_t cookie, token, display_token;
	struct fw_str layer; /* absent: not recorded */
	int32_t present_type, prediction, jank_type, severity;
	int32_t jank_type_exp, present_type_exp;
	int32_t latched_state, unsignaled_count, addressable_count;
	bool on_time, gpu_composition, is_buffer;
	float present_delay_ms, jitter_ms, score, debug_meta, animation_ms;
};

struct fw_ev_gpu_counter {
	int32_t gpu_id;
	uint32_t counter_id;
	struct fw_str name, unit; /* as the vendor described it; absent: it did not */
	double value; /* of the time before fw_event.ts, back to the sample before */
};

struct fw_ev_render_stage {
	int32_t gpu_id;
	uint64_t event_id, duration_ns, hw_queue_id, stage_id, context, render_target;
	uint64_t render_pass, submission_id, command_buffer;
	int32_t pid; /* of the context; -1: not said */
	struct fw_str queue, stage; /* absent: not described */
};

struct fw_ev_vulkan {
	int32_t pid;
	int32_t source, operation, scope; /* memory: enum numbers of the recording */
	uint32_t memory_type;
	uint64_t memory, size, address, heap; /* api: memory is the submission id, size its ns */
	struct fw_str what;
};

struct fw_ev_gpu_log {
	int32_t severity;
	struct fw_str tag, message;
};

struct fw_ev_lost {
	int64_t since; /* the last event of that cpu before; INT64_MIN: none */
};

struct fw_event {
	int64_t ts; /* ns on the recording's time axis */
	uint16_t type; /* enum fw_event_type */
	uint16_t flags;
	int32_t cpu; /* -1: none */
	int32_t tid; /* emitting thread; -1: unknown */
	int32_t tgid; /* with FW_EVF_LINE: its process; -1: unknown */
	struct fw_str comm; /* with FW_EVF_LINE: its name */
	union {
		struct fw_ev_switch sw;
		struct fw_ev_waking waking;
		struct fw_ev_blocked blocked;
		struct fw_ev_interval interval;
		struct fw_ev_generic_task generic;
		struct fw_ev_task task;
		struct fw_ev_tree_process proc;
		struct fw_ev_tree_thread thread;
		struct fw_ev_irq irq;
		struct fw_ev_freq freq;
		struct fw_ev_gpu_mem gpu_mem;
		struct fw_ev_suspend suspend;
		struct fw_ev_mark mark;
		struct fw_ev_vendor_mark vmark;
		struct fw_ev_binder binder;
		struct fw_ev_kernel_slice kslice;
		struct fw_ev_dma_fence fence;
		struct fw_ev_fence_poll poll;
		struct fw_ev_fence_member member;
		struct fw_ev_drm_sched drm;
		struct fw_ev_sync sync;
		struct fw_ev_old_fence old_fence;
		struct fw_ev_mali_kcpu mali;
		struct fw_ev_kgsl kgsl;
		struct fw_ev_frame_tracer gfx;
		struct fw_ev_frame_timeline ft;
		struct fw_ev_gpu_counter gpu_counter;
		struct fw_ev_render_stage stage;
		struct fw_ev_vulkan vulkan;
		struct fw_ev_gpu_log gpu_log;
		struct fw_ev_lost lost;
	};
};

/**
 * fw_event_begin() - what an event is, before its fields are read
 * @ev: its other members are 0
 * @sub: number of the kind within the type (enum fw_dma_fence_kind and the like)
 *
 * What is told from unknown by another value than 0 becomes unknown.
 */
void fw_event_begin(struct fw_event *ev, enum fw_event_type type, uint8_t sub);

#endif
