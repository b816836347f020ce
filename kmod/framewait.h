/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FRAMEWAIT_H
#define FRAMEWAIT_H

#include <linux/types.h>

#include <framewait/uapi.h>

struct dma_fence;
struct file;
struct tracepoint;

/* main.c */
void fw_has(u32 feature);
u32 fw_features(void);
struct tracepoint *fw_find_tracepoint(const char *name);

/* device.c */
int fw_device_init(void);
void fw_device_exit(void);

/* fence.c */
void fw_fence_fill(struct framewait_fence *out, struct dma_fence *fence);
long fw_fence_ioctl(struct framewait_fences __user *arg);

/* sync_file.c */
#ifdef CONFIG_FRAMEWAIT_SYNC_FILE
void fw_sync_file_init(void);
void fw_sync_file_exit(void);
u64 fw_sync_file_missed(void);
#else
static inline void fw_sync_file_init(void)
{
}

static inline void fw_sync_file_exit(void)
{
}

static inline u64 fw_sync_file_missed(void)
{
	return 0;
}
#endif

/* blocked.c */
#ifdef CONFIG_FRAMEWAIT_BLOCKED_REASON
int fw_blocked_init(void);
void fw_blocked_exit(void);
u64 fw_blocked_missed(void);
#else
static inline int fw_blocked_init(void)
{
	return 0;
}

static inline void fw_blocked_exit(void)
{
}

static inline u64 fw_blocked_missed(void)
{
	return 0;
}
#endif

/* sw_fence.c */
#ifdef CONFIG_FRAMEWAIT_SW_FENCE
int fw_sw_open(struct file *file);
void fw_sw_release(struct file *file);
long fw_sw_ioctl(struct file *file, unsigned int cmd, void __user *arg);
void fw_sw_exit(void);
#else
static inline int fw_sw_open(struct file *file)
{
	return 0;
}

static inline void fw_sw_release(struct file *file)
{
}

static inline long fw_sw_ioctl(struct file *file, unsigned int cmd, void __user *arg)
{
	return -ENOTTY;
}

static inline void fw_sw_exit(void)
{
}
#endif

#endif
