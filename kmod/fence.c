// SPDX-License-Identifier: GPL-2.0
/* What a fence is: its identity in 64 bits, names and time. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-fence-unwrap.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "framewait.h"

/**
 * fw_fence_fill() - describe a fence that the caller holds
 * @out: all of it is written
 * @fence: any fence; not NULL
 * Context: any; the stamp is there only once its flag is set, since it shares its place with a list.
 */
void fw_fence_fill(struct framewait_fence *out, struct dma_fence *fence)
{
	memset(out, 0, sizeof(*out));
	out->context = fence->context;
	out->seqno = fence->seqno;
	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags)) {
		out->flags = FRAMEWAIT_FENCE_SIGNALED;
		out->error = fence->error;
		if (test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &fence->flags))
			out->timestamp = ktime_to_ns(fence->timestamp);
	}
	fw_compat_fence_names(fence, out->driver, out->timeline, sizeof(out->driver));
}

static int fill_members(const struct framewait_fences *a, struct dma_fence *fence, u32 *count)
{
	struct framewait_fence __user *to = u64_to_user_ptr(a->members);
	struct dma_fence_unwrap cursor;
	struct framewait_fence one;
	struct dma_fence *member;
	int err = 0;

	*count = 0;
	/* To the end, also after an error: the cursor holds a link of a chain in between. */
	dma_fence_unwrap_for_each(member, &cursor, fence)
	{
		if (*count < a->count && !err) {
			fw_fence_fill(&one, member);
			if (copy_to_user(&to[*count], &one, sizeof(one)))
				err = -EFAULT;
		}
		(*count)++;
	}
	return err;
}

long fw_fence_ioctl(struct framewait_fences __user *arg)
{
	struct framewait_fences a;
	struct dma_fence *fence;
	u32 count;
	int err;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	fence = sync_file_get_fence(a.fd);
	if (!fence)
		return -EBADF;
	err = fill_members(&a, fence, &count);
	fw_fence_fill(&a.fence, fence);
	a.count = count;
	dma_fence_put(fence);
	if (!err && copy_to_user(arg, &a, sizeof(a)))
		err = -EFAULT;
	return err;
}
