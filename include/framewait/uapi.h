/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */
#ifndef FRAMEWAIT_UAPI_H
#define FRAMEWAIT_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/*
 * /dev/framewait, of framewait.ko. All structs have the same layout in 32 and 64 bits; what is not
 * used must be 0. Times are CLOCK_MONOTONIC ns, as SYNC_IOC_FILE_INFO reports them. Whoever opens it
 * needs CAP_PERFMON or CAP_SYS_ADMIN.
 */
#define FRAMEWAIT_DEVICE "/dev/framewait"
#define FRAMEWAIT_VERSION 1
#define FRAMEWAIT_NAME_LEN 32

/* Bits of framewait_info.features: what this kernel let the module have. */
#define FRAMEWAIT_HAS_CREATE (1u << 0)
#define FRAMEWAIT_HAS_MERGE (1u << 1)
#define FRAMEWAIT_HAS_POLL (1u << 2)
#define FRAMEWAIT_HAS_RELEASE (1u << 3)
#define FRAMEWAIT_HAS_BLOCKED (1u << 4)
#define FRAMEWAIT_HAS_SW_FENCE (1u << 5)

/**
 * struct framewait_info - FRAMEWAIT_IOC_INFO
 * @version: FRAMEWAIT_VERSION of the module
 * @features: FRAMEWAIT_HAS_*
 * @merges_missed: merges that came while too many others were under way
 * @blocked_missed: uninterruptible sleeps that found no place to be remembered
 */
struct framewait_info {
	__u32 version;
	__u32 features;
	__u64 merges_missed;
	__u64 blocked_missed;
};

#define FRAMEWAIT_FENCE_SIGNALED 1u

/**
 * struct framewait_fence - one fence
 * @context, @seqno: its identity, in 64 bits
 * @timestamp: when it signaled; 0 not yet
 * @flags: FRAMEWAIT_FENCE_*
 * @error: negative errno that it signaled with, else 0
 * @driver, @timeline: after the signal Linux 6.17 and later say "detached-driver" and
 *	"signaled-timeline"
 */
struct framewait_fence {
	__u64 context;
	__u64 seqno;
	__u64 timestamp;
	__u32 flags;
	__s32 error;
	char driver[FRAMEWAIT_NAME_LEN];
	char timeline[FRAMEWAIT_NAME_LEN];
};

/**
 * struct framewait_fences - FRAMEWAIT_IOC_FENCES: what is behind a sync_file
 * @fd: the sync_file
 * @count: in: room at @members; out: members that there are, which may be more
 * @members: address of an array of struct framewait_fence; 0 with @count 0
 * @fence: out: the fence of the sync_file itself; an array or chain if it has several members
 */
struct framewait_fences {
	__s32 fd;
	__u32 count;
	__u64 members;
	struct framewait_fence fence;
};

/**
 * struct framewait_timeline - FRAMEWAIT_IOC_TIMELINE: make a timeline, which lives as long as the
 * open file
 * @context: in: 0 for a new one of the kernel, or at least 2^32, which no driver gets; out: the context
 * @name: its fences' timeline name
 *
 * When the file is closed, fences that have not signaled do so with -ENOENT, unless they were made with
 * FRAMEWAIT_NEVER.
 */
struct framewait_timeline {
	__u64 context;
	char name[FRAMEWAIT_NAME_LEN];
};

#define FRAMEWAIT_NEVER 1u

/**
 * struct framewait_create - FRAMEWAIT_IOC_CREATE: make a fence
 * @context: a timeline of this open file
 * @seqno: of no fence there that has not signaled
 * @flags: FRAMEWAIT_NEVER: only FRAMEWAIT_IOC_SIGNAL signals it, closing the device does not
 * @fd: out: a sync_file
 */
struct framewait_create {
	__u64 context;
	__u64 seqno;
	__u32 flags;
	__s32 fd;
};

/**
 * struct framewait_signal - FRAMEWAIT_IOC_SIGNAL
 * @context, @seqno: a fence of this open file
 * @at: signal at this time, from a timer interrupt, at most an hour from now; 0 now
 * @stamp: the fence's timestamp, as hardware gives one; 0 the time of the signal. Not where the kernel's
 *	exports are trimmed (GKI): EOPNOTSUPP
 * @error: 0 or a negative errno to signal with
 *
 * Errors: ENOENT no such fence or it has signaled, EALREADY it has a time.
 */
struct framewait_signal {
	__u64 context;
	__u64 seqno;
	__u64 at;
	__u64 stamp;
	__s32 error;
	__u32 unused;
};

#define FRAMEWAIT_IOC_MAGIC 0xfa
#define FRAMEWAIT_IOC_INFO _IOR(FRAMEWAIT_IOC_MAGIC, 0, struct framewait_info)
#define FRAMEWAIT_IOC_FENCES _IOWR(FRAMEWAIT_IOC_MAGIC, 1, struct framewait_fences)
#define FRAMEWAIT_IOC_TIMELINE _IOWR(FRAMEWAIT_IOC_MAGIC, 2, struct framewait_timeline)
#define FRAMEWAIT_IOC_CREATE _IOWR(FRAMEWAIT_IOC_MAGIC, 3, struct framewait_create)
#define FRAMEWAIT_IOC_SIGNAL _IOW(FRAMEWAIT_IOC_MAGIC, 4, struct framewait_signal)

#endif
