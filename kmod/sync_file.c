// SPDX-License-Identifier: GPL-2.0
/*
 * Events on sync_file, which has no tracepoints: kprobes on the functions that every build of the
 * kernel has, since they are exported or stand in a table (facts on android17-6.18: sync_file_alloc
 * and sync_file_merge are inlined there). An absent one costs its event, not the module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-fence-unwrap.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/poll.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>
#include <uapi/linux/sync_file.h>

#include "compat.h"
#include "framewait.h"
#include "trace.h"

#define MERGES_AT_ONCE 64

static void trace_name(struct dma_fence *fence)
{
	char driver[FW_NAME_LEN], timeline[FW_NAME_LEN];

	if (!trace_framewait_name_enabled())
		return;
	fw_compat_fence_names(fence, driver, timeline, sizeof(driver));
	trace_framewait_name(fence->context, driver, timeline);
}

static void trace_members(struct dma_fence *fence, bool merged)
{
	struct dma_fence_unwrap cursor;
	struct dma_fence *member;
	u32 index = 0;

	dma_fence_unwrap_for_each(member, &cursor, fence)
	{
		trace_name(member);
		if (merged)
			trace_framewait_merge(fence->context, fence->seqno, member->context,
					      member->seqno, index);
		else
			trace_framewait_create(fence->context, fence->seqno, member->context,
					       member->seqno, index);
		index++;
	}
}

/* struct sync_file *sync_file_create(struct dma_fence *fence) */
static int on_create(struct kprobe *probe, struct pt_regs *regs)
{
	struct dma_fence *fence = (void *)regs_get_kernel_argument(regs, 0);

	if (fence && (trace_framewait_create_enabled() || trace_framewait_name_enabled()))
		trace_members(fence, false);
	return 0;
}

/*
 * poll() and select() wait in this function's caller; epoll registers itself for later, and its sleep
 * is not this one. The function that registers tells them apart; its name is asked for once.
 */
static bool is_poll(poll_queue_proc proc)
{
	static poll_queue_proc known;
	char name[KSYM_SYMBOL_LEN];

	if (READ_ONCE(known) == proc)
		return true;
	sprint_symbol(name, (unsigned long)proc);
	if (strncmp(name, "__pollwait", strlen("__pollwait")))
		return false;
	WRITE_ONCE(known, proc);
	return true;
}

/* static __poll_t sync_file_poll(struct file *file, poll_table *wait) */
static int on_poll(struct kprobe *probe, struct pt_regs *regs)
{
	struct file *file = (void *)regs_get_kernel_argument(regs, 0);
	poll_table *wait = (void *)regs_get_kernel_argument(regs, 1);
	struct sync_file *sync_file;
	struct dma_fence *fence;
	bool waits;

	if (!trace_framewait_poll_enabled())
		return 0;
	waits = wait && wait->_qproc;
	if (waits && !is_poll(wait->_qproc))
		return 0;
	sync_file = file->private_data;
	fence = sync_file->fence;
	if (waits)
		trace_name(fence);
	trace_framewait_poll(fence->context, fence->seqno, waits,
			     test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags));
	return 0;
}

/* static int sync_file_release(struct inode *inode, struct file *file) */
static int on_release(struct kprobe *probe, struct pt_regs *regs)
{
	struct file *file = (void *)regs_get_kernel_argument(regs, 1);
	struct sync_file *sync_file = file->private_data;
	struct dma_fence *fence = sync_file->fence;

	if (trace_framewait_release_enabled())
		trace_framewait_release(fence->context, fence->seqno,
					test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags));
	return 0;
}

struct merge {
	struct sync_merge_data __user *data;
};

/* static long sync_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg) */
static int on_ioctl(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct merge *m = (void *)ri->data;

	if ((u32)regs_get_kernel_argument(regs, 1) != SYNC_IOC_MERGE ||
	    !(trace_framewait_merge_enabled() || trace_framewait_name_enabled()))
		return 1;
	m->data = (void __user *)regs_get_kernel_argument(regs, 2);
	return 0;
}

/* The new descriptor has just been written to the caller's memory, so it is there to be read. */
static int on_merged(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct merge *m = (void *)ri->data;
	struct sync_merge_data data;
	struct dma_fence *fence;
	unsigned long left;

	if (regs_return_value(regs) || !access_ok(m->data, sizeof(data)))
		return 0;
	pagefault_disable();
	left = __copy_from_user_inatomic(&data, m->data, sizeof(data));
	pagefault_enable();
	fence = left ? NULL : sync_file_get_fence(data.fence);
	if (!fence)
		return 0;
	trace_members(fence, true);
	dma_fence_put(fence);
	return 0;
}

static struct probe {
	struct kprobe kprobe;
	u32 feature;
	bool on;
} probes[] = {
	{ { .symbol_name = "sync_file_create", .pre_handler = on_create }, FRAMEWAIT_HAS_CREATE },
	{ { .symbol_name = "sync_file_poll", .pre_handler = on_poll }, FRAMEWAIT_HAS_POLL },
	{ { .symbol_name = "sync_file_release", .pre_handler = on_release },
	  FRAMEWAIT_HAS_RELEASE },
};

static struct kretprobe merge_probe = {
	.kp.symbol_name = "sync_file_ioctl",
	.entry_handler = on_ioctl,
	.handler = on_merged,
	.data_size = sizeof(struct merge),
	.maxactive = MERGES_AT_ONCE,
};
static bool merge_probe_on;

void fw_sync_file_init(void)
{
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		err = register_kprobe(&probes[i].kprobe);
		probes[i].on = !err;
		if (err)
			pr_notice("no probe on %s: %d\n", probes[i].kprobe.symbol_name, err);
		else
			fw_has(probes[i].feature);
	}
	err = register_kretprobe(&merge_probe);
	merge_probe_on = !err;
	if (err)
		pr_notice("no probe on %s: %d\n", merge_probe.kp.symbol_name, err);
	else
		fw_has(FRAMEWAIT_HAS_MERGE);
}

void fw_sync_file_exit(void)
{
	if (merge_probe_on)
		unregister_kretprobe(&merge_probe);
	for (size_t i = ARRAY_SIZE(probes); i-- > 0;) {
		if (probes[i].on)
			unregister_kprobe(&probes[i].kprobe);
	}
}

u64 fw_sync_file_missed(void)
{
	return merge_probe.nmissed;
}
