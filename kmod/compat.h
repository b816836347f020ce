/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FRAMEWAIT_COMPAT_H
#define FRAMEWAIT_COMPAT_H

/*
 * What differs between Linux 6.1 and 7.3, in one place. Read in 6.1.192, 6.12.95, 6.18 (android17) and
 * 7.2.13. A version is the one in which mainline made the change; Documentation/module.rst says which
 * of them were compiled and which were only read.
 */
#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/version.h>

/*
 * The names may be freed a grace period after the signal since 6.17, where dma_fence_driver_name() and
 * dma_fence_timeline_name() say these words of a signaled fence; those functions are not on the lists of
 * android17-6.18 that were read. Before, the fence's own operations answer as long as someone holds it. In
 * 7.2 a signal may take the operations away.
 */
static inline void fw_compat_fence_names(struct dma_fence *fence, char *driver, char *timeline,
					 size_t size)
{
	const struct dma_fence_ops *ops;

	rcu_read_lock();
	ops = (const struct dma_fence_ops __force *)READ_ONCE(fence->ops);
	if (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0) &&
	    (!ops || test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))) {
		strscpy(driver, "detached-driver", size);
		strscpy(timeline, "signaled-timeline", size);
	} else {
		strscpy(driver, ops->get_driver_name(fence), size);
		strscpy(timeline, ops->get_timeline_name(fence), size);
	}
	rcu_read_unlock();
}

/* 64-bit sequence numbers: a flag of the operations until 6.17, then a flag of the fence. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define FW_COMPAT_OPS_SEQNO64
#define fw_compat_fence_init dma_fence_init64
#else
#define FW_COMPAT_OPS_SEQNO64 .use_64bit_seqno = true,
#define fw_compat_fence_init dma_fence_init
#endif

/* hrtimer_setup() came in 6.13; hrtimer_init() went in 6.16. */
static inline void fw_compat_timer_setup(struct hrtimer *timer,
					 enum hrtimer_restart (*fn)(struct hrtimer *))
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	timer->function = fn;
#endif
}

/*
 * A fence with a stamp of its own. The lists of android17-6.18 that were read do not have
 * dma_fence_signal_timestamp(), so a trimmed kernel does without.
 */
#if defined(CONFIG_TRIM_UNUSED_KSYMS) || defined(FW_COMPAT_TRIMMED)
#define FW_COMPAT_HAS_STAMP false
static inline void fw_compat_signal_at(struct dma_fence *fence, u64 stamp)
{
	dma_fence_signal(fence);
}
#else
#define FW_COMPAT_HAS_STAMP true
static inline void fw_compat_signal_at(struct dma_fence *fence, u64 stamp)
{
	dma_fence_signal_timestamp(fence, ns_to_ktime(stamp));
}
#endif

/* stack_trace_save_tsk() is exported since 6.6; before, its address is asked for once. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define FW_COMPAT_FIND_STACK_TRACE
#endif

#endif
