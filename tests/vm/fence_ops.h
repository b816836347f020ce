/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TESTS_FENCE_OPS_H
#define FW_TESTS_FENCE_OPS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "framewait/uapi.h"

/*
 * Fences as a program of a device has them: software ones of framewait.ko, vgem's, and what
 * sync_file says of them. All return a descriptor or 0, or -1 with errno.
 */
#define MS 1000000ull
#define MEMBERS_MAX 8

static inline uint64_t mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
}

static inline int new_timeline(int dev, const char *name, uint64_t *context)
{
	struct framewait_timeline a = { .context = *context };

	snprintf(a.name, sizeof(a.name), "%s", name);
	if (ioctl(dev, FRAMEWAIT_IOC_TIMELINE, &a))
		return -1;
	*context = a.context;
	return 0;
}

static inline int new_fence(int dev, uint64_t context, uint64_t seqno, uint32_t flags)
{
	struct framewait_create a = { .context = context, .seqno = seqno, .flags = flags };

	return ioctl(dev, FRAMEWAIT_IOC_CREATE, &a) ? -1 : a.fd;
}

static inline int signal_fence(int dev, uint64_t context, uint64_t seqno, uint64_t at,
			       uint64_t stamp, int error)
{
	struct framewait_signal a = {
		.context = context, .seqno = seqno, .at = at, .stamp = stamp, .error = error
	};

	return ioctl(dev, FRAMEWAIT_IOC_SIGNAL, &a);
}

static inline int merge_fences(int a, int b)
{
	struct sync_merge_data m = { .name = "merged", .fd2 = b };

	return ioctl(a, SYNC_IOC_MERGE, &m) ? -1 : m.fence;
}

/**
 * struct sync_state - SYNC_IOC_FILE_INFO
 * @status: 1 signaled, 0 not yet, negative errno
 * @last: the largest stamp of the members, as SurfaceFlinger takes it
 */
struct sync_state {
	int status;
	unsigned int n;
	struct sync_fence_info members[MEMBERS_MAX];
	uint64_t last;
};

static inline int sync_state_of(int fd, struct sync_state *s)
{
	struct sync_file_info info = { .num_fences = MEMBERS_MAX,
				       .sync_fence_info = (uintptr_t)s->members };

	memset(s, 0, sizeof(*s));
	if (ioctl(fd, SYNC_IOC_FILE_INFO, &info))
		return -1;
	s->status = info.status;
	s->n = info.num_fences;
	for (unsigned int i = 0; i < s->n && i < MEMBERS_MAX; i++) {
		if (s->members[i].timestamp_ns > s->last)
			s->last = s->members[i].timestamp_ns;
	}
	return 0;
}

/* What the module says: @members has room for MEMBERS_MAX. */
static inline int fences_of(int dev, int fd, struct framewait_fences *f,
			    struct framewait_fence *members)
{
	*f = (struct framewait_fences){ .fd = fd,
					.count = MEMBERS_MAX,
					.members = (uintptr_t)members };
	return ioctl(dev, FRAMEWAIT_IOC_FENCES, f);
}

static inline int wait_fence(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms);
}

/* As far as it is used here of the kernel's drm/drm.h, drm_mode.h and vgem_drm.h, stable since 4.9. */
struct drm_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

struct drm_mode_create_dumb {
	uint32_t height, width, bpp, flags;
	uint32_t handle, pitch;
	uint64_t size;
};

struct drm_prime_handle {
	uint32_t handle, flags;
	int32_t fd;
};

struct drm_gem_close {
	uint32_t handle, pad;
};

struct drm_vgem_fence_attach {
	uint32_t handle, flags, out_fence, pad;
};

struct drm_vgem_fence_signal {
	uint32_t fence, flags;
};

#define VGEM_FENCE_WRITE 1
#define DRM_IOCTL_VERSION _IOWR('d', 0x00, struct drm_version)
#define DRM_IOCTL_GEM_CLOSE _IOW('d', 0x09, struct drm_gem_close)
#define DRM_IOCTL_PRIME_HANDLE_TO_FD _IOWR('d', 0x2d, struct drm_prime_handle)
#define DRM_IOCTL_VGEM_FENCE_ATTACH _IOWR('d', 0x41, struct drm_vgem_fence_attach)
#define DRM_IOCTL_VGEM_FENCE_SIGNAL _IOW('d', 0x42, struct drm_vgem_fence_signal)
#define DRM_IOCTL_MODE_CREATE_DUMB _IOWR('d', 0xb2, struct drm_mode_create_dumb)

/* The card whose driver is vgem, or -1. */
static inline int open_vgem(void)
{
	for (int i = 0; i < 4; i++) {
		char path[32], name[16] = "";
		struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "vgem"))
			return fd;
		close(fd);
	}
	errno = ENODEV;
	return -1;
}

/* A buffer of vgem's: its handle, and a dma-buf in @dmabuf. */
static inline int new_buffer(int vgem, int *dmabuf)
{
	struct drm_mode_create_dumb dumb = { .width = 64, .height = 64, .bpp = 32 };
	struct drm_prime_handle prime;

	if (ioctl(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &dumb))
		return -1;
	prime = (struct drm_prime_handle){ .handle = dumb.handle, .flags = O_CLOEXEC | O_RDWR };
	if (ioctl(vgem, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
		return -1;
	*dmabuf = prime.fd;
	return dumb.handle;
}

/* The number by which vgem signals it goes to @out. */
static inline int attach_vgem_fence(int vgem, int handle, uint32_t *out)
{
	struct drm_vgem_fence_attach a = { .handle = handle, .flags = VGEM_FENCE_WRITE };

	if (ioctl(vgem, DRM_IOCTL_VGEM_FENCE_ATTACH, &a))
		return -1;
	*out = a.out_fence;
	return 0;
}

static inline int signal_vgem_fence(int vgem, uint32_t fence)
{
	struct drm_vgem_fence_signal s = { .fence = fence };

	return ioctl(vgem, DRM_IOCTL_VGEM_FENCE_SIGNAL, &s);
}

static inline int export_sync_file(int dmabuf)
{
	struct dma_buf_export_sync_file e = { .flags = DMA_BUF_SYNC_READ };

	return ioctl(dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &e) ? -1 : e.fd;
}

#endif
