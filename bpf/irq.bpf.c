// SPDX-License-Identifier: GPL-2.0
/* Interrupt time of each CPU, and the interrupts that a target thread had to bear. */
#include "framewait.bpf.h"

/* The record of one interrupt, when it took time from a target. */
static __always_inline void emit_irq(struct fw_cpu_health *h, struct fw_rec_irq *r)
{
	struct task_struct *cur = bpf_get_current_task_btf();

	if (!cur->pid || !target(cur))
		return;
	r->tid = cur->pid;
	emit(h, FW_REC_IRQ, r, sizeof(*r));
}

static __always_inline int irq_in(u32 vec)
{
	struct fw_cpu_health *h = this_cpu_health();

	if (h && !h->irq_depth++) {
		h->irq_vec = vec;
		h->irq_start = bpf_ktime_get_boot_ns();
	}
	return 0;
}

/* The end of the outermost interrupt closes it; @name is a pointer of the kernel's or NULL. */
static __always_inline int irq_out(int ret, const char *name)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_irq r = {};
	u64 ns;

	if (!h || !h->irq_depth || --h->irq_depth)
		return 0;
	r.rec.ts = bpf_ktime_get_boot_ns();
	r.start = h->irq_start;
	ns = r.rec.ts - r.start;
	h->irq_ns += ns;
	r.vec = h->irq_vec;
	r.kind = FW_IRQ_HARD;
	r.ret = ret;
	if (name)
		bpf_probe_read_kernel_str(r.name, sizeof(r.name), name);
	emit_irq(h, &r);
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(fw_irq_entry, int irq, struct irqaction *action)
{
	return irq_in(irq);
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(fw_irq_exit, int irq, struct irqaction *action, int ret)
{
	return irq_out(ret, action->name);
}

/* x86 has its timer and the calls between CPUs beside the generic handlers. */
#define VECTOR_PROG(name, event, body)                                                             \
	SEC("tp_btf/" #event)                                                                      \
	int BPF_PROG(name, int vector)                                                             \
	{                                                                                          \
		return body;                                                                       \
	}

VECTOR_PROG(fw_timer_in, local_timer_entry, irq_in(vector))
VECTOR_PROG(fw_timer_out, local_timer_exit, irq_out(1, NULL))
VECTOR_PROG(fw_call_in, call_function_single_entry, irq_in(vector))
VECTOR_PROG(fw_call_out, call_function_single_exit, irq_out(1, NULL))

/*
 * Now, and the CPU's hard interrupts until now. They come between any two lines of a softirq's programs:
 * the first look is good only if none ended since. Two in a row is what no CPU could work under.
 */
static __always_inline u64 softirq_now(struct fw_cpu_health *h, u64 *irq)
{
	volatile u64 *sum = &h->irq_ns;
	u64 ts;

	*irq = *sum;
	ts = bpf_ktime_get_boot_ns();
	if (*sum == *irq)
		return ts;
	*irq = *sum;
	return bpf_ktime_get_boot_ns();
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(fw_softirq_in, unsigned int vec)
{
	struct fw_cpu_health *h = this_cpu_health();

	if (!h)
		return 0;
	/* Softirqs do not nest; a depth that is left over is of an exit that was missed. */
	h->softirq_depth = 1;
	h->softirq_start = softirq_now(h, &h->softirq_irq);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(fw_softirq_out, unsigned int vec)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_irq r = {};
	u64 irq;

	if (!h || !h->softirq_depth)
		return 0;
	h->softirq_depth = 0;
	r.rec.ts = softirq_now(h, &irq);
	r.start = h->softirq_start;
	h->softirq_ns += r.rec.ts - r.start - (irq - h->softirq_irq);
	r.vec = vec;
	r.kind = FW_IRQ_SOFT;
	emit_irq(h, &r);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
