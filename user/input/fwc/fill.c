// SPDX-License-Identifier: GPL-2.0-or-later
/* What the reader keeps of a record, as the event that it stands for. */
#include <string.h>

#include "base/mem.h"
#include "input/fwc/fwc.h"

#define CLONE_THREAD 0x10000

static struct fw_str name_of(struct fwc *f, struct fwc_told *t, uint64_t key)
{
	const uint64_t *id = fw_map_get(&t->now, key);

	if (!id) {
		id = fw_map_get(&t->before, key);
		if (!id)
			return FW_STR_NONE;
		fw_map_set(&t->now, key, *id);
	}
	return fw_names_str(f->names, (uint32_t)*id);
}

static struct fw_str comm_of(const char comm[FW_COMM_LEN])
{
	return (struct fw_str){ comm, strnlen(comm, FW_COMM_LEN) };
}

static void fill_interval(struct fwc *f, struct fw_event *ev, const struct fwc_interval *iv)
{
	ev->interval = (struct fw_ev_interval){
		.tid = iv->tid,
		.state = iv->state,
		.start = (int64_t)iv->start,
		.end = (int64_t)iv->end,
		.cpu = iv->state == FW_RS_RUNNING ? ev->cpu : -1,
		.waker_tid = iv->waker,
		.io_wait = iv->io_wait,
		.flags = iv->iv_flags,
		.irq_ns = iv->irq_ns,
		.softirq_ns = iv->softirq_ns,
		.function = iv->wchan ? name_of(f, &f->symbols, iv->wchan) : FW_STR_NONE,
	};
}

/* prev_state as tracefs of 4.14 and later prints it. */
static int64_t raw_state(uint32_t state)
{
	static const int64_t raw[] = {
		[FW_RS_SLEEPING] = 1, [FW_RS_BLOCKED] = 2,   [FW_RS_STOPPED] = 4,
		[FW_RS_IDLE] = 0x80,  [FW_RS_PARKED] = 0x40, [FW_RS_DEAD] = 0x10,
		[FW_RS_NEW] = 0,
	};
	uint32_t what = state & FW_RS_MASK;

	if (what == FW_RS_PREEMPTED)
		return state & FW_RSF_KERNEL_PREEMPT ? 0x100 : 0;
	if (state & FW_RSF_TRACED)
		return 8;
	return what < ARRAY_SIZE(raw) ? raw[what] : 0;
}

static void fill_switch(struct fw_event *ev, const struct fwc_switch *sw)
{
	ev->sw = (struct fw_ev_switch){
		.prev_tid = sw->prev_tid,
		.next_tid = sw->next_tid,
		.prev_prio = 120,
		.next_prio = 120,
		.prev_state = raw_state(sw->prev_state),
	};
}

static void fill_waking(struct fw_event *ev, const struct fw_waited *w)
{
	ev->waking = (struct fw_ev_waking){
		.tid = (int32_t)w->tid,
		.prio = 120,
		.target_cpu = -1,
		.common_flags = w->state & FW_RSF_WAKER_IRQ ? FW_COMMON_FLAGS_IRQ : 0,
	};
}

static void fill_blocked(struct fwc *f, struct fw_event *ev, const struct fw_waited *w)
{
	ev->blocked = (struct fw_ev_blocked){
		.tid = (int32_t)w->tid,
		.io_wait = fwc_io_wait(w->state) == 1,
		.has_io_wait = fwc_io_wait(w->state) >= 0,
		.function = name_of(f, &f->symbols, w->wchan),
		.caller = w->wchan,
	};
}

static void fill_process(struct fwc *f, struct fw_event *ev, const struct fw_rec_task *t)
{
	struct fw_str cmdline = name_of(f, &f->cmdlines, t->tgid);

	ev->proc = (struct fw_ev_tree_process){
		.pid = (int32_t)t->tgid,
		.ppid = (int32_t)t->ppid,
		.uid = t->uid > INT32_MAX ? -1 : (int32_t)t->uid,
		.argv0 = cmdline,
		.n_cmdline = cmdline.p ? 1 : 0,
		.start_from_boot = t->tid == t->tgid ? (int64_t)t->start_boottime : -1,
	};
	/* Only a leader's own name stands for the process. */
	if (!cmdline.p && t->tid == t->tgid) {
		ev->proc.argv0 = comm_of(t->comm);
		ev->proc.cmdline_is_comm = true;
		ev->proc.is_kthread = true;
	}
}

static void fill_task(struct fwc *f, struct fw_event *ev, const struct fw_rec_task *t)
{
	switch (ev->type) {
	case FW_EV_TREE_PROCESS:
		fill_process(f, ev, t);
		return;
	case FW_EV_TREE_THREAD:
		ev->thread = (struct fw_ev_tree_thread){ .tid = (int32_t)t->tid,
							 .tgid = (int32_t)t->tgid,
							 .name = comm_of(t->comm) };
		return;
	}
	ev->task = (struct fw_ev_task){
		.tid = (int32_t)t->tid,
		.parent_tid = (int32_t)t->parent_tid,
		.clone_flags = t->tid != t->tgid ? CLONE_THREAD : 0,
		.comm = comm_of(t->comm),
	};
}

static void fill_irq(struct fw_event *ev, const struct fw_rec_irq *r)
{
	ev->irq = (struct fw_ev_irq){ .vec = (int32_t)r->vec, .ret = r->ret };
	if (r->kind == FW_IRQ_HARD)
		ev->irq.name = comm_of(r->name);
}

/* Some recorders knew the low half of a context only. */
static struct fw_str fence_name(struct fwc *f, struct fwc_told *names, uint64_t context)
{
	struct fw_str s = name_of(f, names, context);

	return s.p ? s : name_of(f, names, (uint32_t)context);
}

static void fill_fence(struct fwc *f, struct fw_event *ev, const struct fw_rec_fence *r)
{
	static const enum fw_dma_fence_kind kinds[] = {
		[FW_FENCE_INIT] = FW_DMA_FENCE_INIT,
		[FW_FENCE_EMIT] = FW_DMA_FENCE_EMIT,
		[FW_FENCE_ENABLE_SIGNAL] = FW_DMA_FENCE_ENABLE_SIGNAL,
		[FW_FENCE_SIGNALED] = FW_DMA_FENCE_SIGNALED,
		[FW_FENCE_DESTROY] = FW_DMA_FENCE_DESTROY,
		[FW_FENCE_WAIT_START] = FW_DMA_FENCE_WAIT_START,
		[FW_FENCE_WAIT_END] = FW_DMA_FENCE_WAIT_END,
	};
	uint64_t stamp = 0;

	ev->fence = (struct fw_ev_dma_fence){
		.kind = r->op < ARRAY_SIZE(kinds) ? kinds[r->op] : FW_DMA_FENCE_DESTROY,
		.context = r->context,
		.seqno = r->seqno,
		.driver = fence_name(f, &f->fence_driver, r->context),
		.timeline = fence_name(f, &f->fence_timeline, r->context),
		.signal_ts = r->stamp && fwc_to_boot(f, r->stamp, &stamp) ? (int64_t)stamp : -1,
		.error = r->error,
		.in = !(r->flags & FW_FENCEF_CONTEXT_KNOWN) ? FW_CONTEXT_UNKNOWN
		      : r->flags & FW_FENCEF_IRQ	    ? FW_CONTEXT_IRQ
							    : FW_CONTEXT_TASK,
	};
}

static void fill_poll(struct fw_event *ev, const struct fw_rec_fence_poll *r)
{
	ev->poll = (struct fw_ev_fence_poll){
		.context = r->context,
		.seqno = r->seqno,
		.comm = comm_of(r->comm),
		.waits = r->flags & FW_POLLF_WAITS,
		.signaled = r->flags & FW_POLLF_SIGNALED,
	};
}

static void fill_member(struct fw_event *ev, const struct fw_rec_fence_member *r)
{
	ev->member = (struct fw_ev_fence_member){ r->context, r->seqno, r->member_context,
						  r->member_seqno };
}

static void fill_freq(struct fw_event *ev, const struct fw_rec_freq *r)
{
	ev->freq = (struct fw_ev_freq){ (int32_t)r->unit, (int64_t)r->khz };
}

static void fill_gpu_mem(struct fw_event *ev, const struct fw_rec_gpu_mem *r)
{
	ev->gpu_mem = (struct fw_ev_gpu_mem){ (int32_t)r->gpu_id, (int32_t)r->pid, r->size };
}

static bool fill_mark(struct fw_event *ev, const struct fw_rec_text *r)
{
	ev->mark.text = fwc_text(&r->rec, sizeof(*r), r->len);
	return ev->mark.text.p;
}

/* The name of a thread that is no target. */
static bool fill_comm(struct fw_event *ev, const struct fw_rec_text *r)
{
	ev->task = (struct fw_ev_task){ .tid = (int32_t)r->tid,
					.comm = fwc_text(&r->rec, sizeof(*r), r->len) };
	return ev->task.comm.p;
}

static bool fill_packet(struct fwc *f, const void *packet)
{
	pf_small_begin(&f->small, packet, NULL);
	f->small.ts = f->ev.ts;
	f->in_small = true;
	return fwc_packet_next(f);
}

/* Return: is it of scheduling? */
static bool fill_sched(struct fwc *f, struct fw_event *ev, const void *p)
{
	switch (ev->type) {
	case FW_EV_INTERVAL:
		fill_interval(f, ev, p);
		return true;
	case FW_EV_SCHED_SWITCH:
		fill_switch(ev, p);
		return true;
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP_NEW:
		fill_waking(ev, p);
		return true;
	case FW_EV_BLOCKED_REASON:
		fill_blocked(f, ev, p);
		return true;
	}
	return false;
}

bool fwc_fill(struct fwc *f, const struct fwc_item *it)
{
	const void *p = it + 1;
	struct fw_event *ev = &f->ev;

	*ev = (struct fw_event){
		.ts = (int64_t)it->ts, .type = (uint16_t)it->type, .cpu = it->cpu, .tid = it->tid
	};
	if (fill_sched(f, ev, p))
		return true;
	switch (it->type) {
	case FWC_PACKET:
		return fill_packet(f, p);
	case FW_EV_IRQ_ENTRY:
	case FW_EV_IRQ_EXIT:
	case FW_EV_SOFTIRQ_ENTRY:
	case FW_EV_SOFTIRQ_EXIT:
		fill_irq(ev, p);
		return true;
	case FW_EV_CPU_FREQUENCY:
	case FW_EV_GPU_FREQUENCY:
		fill_freq(ev, p);
		return true;
	case FW_EV_GPU_MEM_TOTAL:
		fill_gpu_mem(ev, p);
		return true;
	case FW_EV_DMA_FENCE:
		fill_fence(f, ev, p);
		return true;
	case FW_EV_FENCE_POLL:
		fill_poll(ev, p);
		return true;
	case FW_EV_FENCE_MEMBER:
		fill_member(ev, p);
		return true;
	case FW_EV_MARK:
		return fill_mark(ev, p);
	case FW_EV_LOST:
		ev->lost.since = (int64_t)((const struct fw_rec_loss *)p)->from;
		return true;
	case FW_EV_TASK_RENAME:
		return fill_comm(ev, p);
	}
	fill_task(f, ev, p);
	return true;
}
