/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_WCHAN_BPF_H
#define FW_WCHAN_BPF_H

#include "framewait.bpf.h"

/*
 * The function that @p sleeps in. bpf_get_task_stack() drops the scheduler's own functions, so the
 * first entry is what /proc/PID/wchan would say (kernel/stacktrace.c, 5.15 to 7.2).
 */
static __always_inline u64 wchan_of(struct task_struct *p)
{
	u64 entry = 0;
	long n = bpf_get_task_stack(p, &entry, sizeof(entry), 0);

	return n >= (long)sizeof(entry) ? entry : 0;
}

static __always_inline u32 io_wait_of(struct task_struct *p)
{
	return BPF_CORE_READ_BITFIELD_PROBED(p, in_iowait) ? FW_RSF_IO_KNOWN | FW_RSF_IO_WAIT
							   : FW_RSF_IO_KNOWN;
}

/*
 * Function and io_wait of a sleep that lasted @ns. Unwinding costs more than all the rest, so a
 * short interruptible sleep goes without; a D sleep never does.
 */
static __always_inline u32 sleep_reason(struct task_struct *p, u32 state, u64 ns,
					struct fw_cpu_health *h, struct fw_waited *w)
{
	if (state == FW_RS_SLEEPING && ns < conf.wchan_min_ns)
		return FW_RSF_NO_WCHAN;
	if (state != FW_RS_BLOCKED && state != FW_RS_SLEEPING)
		return 0;
	w->wchan = wchan_of(p);
	if (!w->wchan)
		__sync_fetch_and_add(&h->wchan_failed, 1);
	return state == FW_RS_BLOCKED ? io_wait_of(p) : 0;
}

#endif
