// SPDX-License-Identifier: GPL-2.0
/*
 * The life of dma fences. (context, seqno) come from the struct in 64 bits, never from the record,
 * which cuts them to 32; the names once for each context from dma_fence_init, since after the
 * signal even the kernel calls it "detached-driver".
 */
#include "context.bpf.h"
#include "fence_names.bpf.h"

/* The stamp shares its place with a list until the flag is set; 7.2 sets it after the event. */
static __always_inline u64 stamp_of(struct dma_fence *f)
{
	u64 bit = bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_TIMESTAMP_BIT);

	return f->flags >> bit & 1 ? f->timestamp : 0;
}

static __always_inline bool by_target(void)
{
	return conf.fences_all || target(bpf_get_current_task_btf());
}

/* Is it one to record? Remembers what is known of it, for bpftool and for its later events. */
static __always_inline bool track(struct dma_fence *f, u32 op, u64 ts)
{
	struct fw_fence_key key = { .context = f->context, .seqno = f->seqno };
	struct fw_fence_life *known, fresh = {};

	if (op == FW_FENCE_INIT) {
		if (!by_target())
			return false;
		fresh.init = ts;
		fresh.init_tid = (u32)bpf_get_current_pid_tgid();
		bpf_map_update_elem(&fences, &key, &fresh, BPF_ANY);
		return true;
	}
	known = bpf_map_lookup_elem(&fences, &key);
	if (!known) {
		if (op != FW_FENCE_WAIT_START || !by_target())
			return conf.fences_all;
		bpf_map_update_elem(&fences, &key, &fresh, BPF_ANY);
		return true;
	}
	if (op == FW_FENCE_ENABLE_SIGNAL)
		known->enable_signal = ts;
	if (op == FW_FENCE_SIGNALED) {
		known->signaled = ts;
		known->error = f->error;
	}
	if (op == FW_FENCE_DESTROY)
		bpf_map_delete_elem(&fences, &key);
	return true;
}

static __always_inline int on_fence(struct dma_fence *f, u32 op)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_fence r = {};

	/* Context 0 is the stub that repeats another fence's stamp. */
	if (!h || !f || !f->context)
		return 0;
	if (op == FW_FENCE_INIT)
		h->fence_context = f->context;
	r.rec.ts = bpf_ktime_get_boot_ns();
	if (!track(f, op, r.rec.ts))
		return 0;
	r.context = f->context;
	r.seqno = f->seqno;
	r.op = op;
	r.tid = (u32)bpf_get_current_pid_tgid();
	if (conf.irqs || conf.count_in_thread_info)
		r.flags = FW_FENCEF_CONTEXT_KNOWN | (in_interrupt() ? FW_FENCEF_IRQ : 0);
	if (op == FW_FENCE_SIGNALED || op == FW_FENCE_DESTROY) {
		r.stamp = stamp_of(f);
		r.error = f->error;
	}
	emit(h, FW_REC_FENCE, &r, sizeof(r));
	return 0;
}

#define FENCE_PROG(name, event, op)                                                                \
	SEC("tp_btf/" #event)                                                                      \
	int BPF_PROG(name, struct dma_fence *f)                                                    \
	{                                                                                          \
		return on_fence(f, op);                                                            \
	}

FENCE_PROG(fw_fence_init, dma_fence_init, FW_FENCE_INIT)
FENCE_PROG(fw_fence_emit, dma_fence_emit, FW_FENCE_EMIT)
FENCE_PROG(fw_fence_enable, dma_fence_enable_signal, FW_FENCE_ENABLE_SIGNAL)
FENCE_PROG(fw_fence_signal, dma_fence_signaled, FW_FENCE_SIGNALED)
FENCE_PROG(fw_fence_free, dma_fence_destroy, FW_FENCE_DESTROY)
FENCE_PROG(fw_fence_wait, dma_fence_wait_start, FW_FENCE_WAIT_START)
FENCE_PROG(fw_fence_done, dma_fence_wait_end, FW_FENCE_WAIT_END)

/* include/trace/events/dma_fence.h: the same record since 4.9 */
struct fence_record {
	u64 common;
	u32 driver_loc, timeline_loc;
	u32 context, seqno;
};

/*
 * Only the record has the names: the programs cannot call the fence's ops. It has 32 bits of the
 * context; the other half is that of the program above, which runs just before in the same event.
 */
SEC("tracepoint/dma_fence/dma_fence_init")
int fw_fence_names(struct fence_record *ctx)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_fence_names names = {};
	u64 context = ctx->context;

	if (!h)
		return 0;
	if ((u32)h->fence_context == (u32)context)
		context = h->fence_context;
	if (!context || bpf_map_lookup_elem(&fence_names, &context))
		return 0;
	bpf_probe_read_kernel_str(names.driver, sizeof(names.driver),
				  (void *)ctx + (ctx->driver_loc & 0xffff));
	bpf_probe_read_kernel_str(names.timeline, sizeof(names.timeline),
				  (void *)ctx + (ctx->timeline_loc & 0xffff));
	emit_fence_names(h, context, &names);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
