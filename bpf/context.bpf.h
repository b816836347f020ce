/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_CONTEXT_BPF_H
#define FW_CONTEXT_BPF_H

#include "framewait.bpf.h"

#define PREEMPT_COUNT_IRQ 0xff0100 /* NMI, hard interrupt, serving a softirq */

/*
 * arm64 has the count in thread_info. On x86 it is a variable of each CPU, which only kernels with
 * KALLSYMS_ALL let a program reach: there our own interrupt programs keep count.
 */
static __always_inline bool in_interrupt(void)
{
	struct fw_cpu_health *h;

	if (conf.count_in_thread_info) {
		struct task_struct *cur = bpf_get_current_task_btf();

		return cur->thread_info.preempt_count & PREEMPT_COUNT_IRQ;
	}
	h = this_cpu_health();
	return h && (h->irq_depth || h->softirq_depth);
}

#endif
