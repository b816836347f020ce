// SPDX-License-Identifier: GPL-2.0
/* /dev/framewait: see framewait/uapi.h */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "framewait.h"

/* The node may have been given to others; what fences say of other processes is not theirs to ask. */
static int device_open(struct inode *inode, struct file *file)
{
	if (!perfmon_capable())
		return -EPERM;
	return fw_sw_open(file);
}

static int device_release(struct inode *inode, struct file *file)
{
	fw_sw_release(file);
	return 0;
}

static long info_ioctl(void __user *arg)
{
	struct framewait_info info = {
		.version = FRAMEWAIT_VERSION,
		.features = fw_features(),
		.merges_missed = fw_sync_file_missed(),
		.blocked_missed = fw_blocked_missed(),
	};

	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *p = (void __user *)arg;

	switch (cmd) {
	case FRAMEWAIT_IOC_INFO:
		return info_ioctl(p);
	case FRAMEWAIT_IOC_FENCES:
		return fw_fence_ioctl(p);
	default:
		return fw_sw_ioctl(file, cmd, p);
	}
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "framewait",
	.fops = &device_fops,
	.mode = 0600,
};

int fw_device_init(void)
{
	if (IS_ENABLED(CONFIG_FRAMEWAIT_SW_FENCE))
		fw_has(FRAMEWAIT_HAS_SW_FENCE);
	return misc_register(&device);
}

void fw_device_exit(void)
{
	misc_deregister(&device);
}
