/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_FENCE_H
#define FW_FRAMESIM_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Fences that a device signals: the software fences of framewait.ko where it is loaded, which are
 * sync_files, else timers, which poll() alike.
 */
#define FENCE_NEVER INT64_MAX

/**
 * struct fence - as it goes from process to process
 * @fd: -1 none, which counts as signaled
 * @at: when it is to signal
 */
struct fence {
	int fd;
	int64_t at;
	bool sync_file;
};

/* One timeline of the device: fences signal in their own order. */
struct fence_timeline {
	int device;
	uint64_t context, seqno;
};

#define NO_FENCE ((struct fence){ .fd = -1 })

void fence_timeline_open(struct fence_timeline *t, const char *name);
/* A fence that signals @at a time, or FENCE_NEVER. */
struct fence fence_new(struct fence_timeline *t, int64_t at);
/* When it signaled, 0 not yet. Without a fence 1. */
int64_t fence_signaled(const struct fence *f);
/* Wait for at most @ms, -1 for ever. True: it has signaled. */
bool fence_wait(const struct fence *f, int ms);
struct fence fence_dup(const struct fence *f);
void fence_close(struct fence *f);

/* One datagram with a fence (or NO_FENCE) beside it. False: the other end is gone, or full. */
bool send_with_fence(int sock, const void *msg, size_t len, const struct fence *f);
/* Return: bytes of the message, 0 the other end is gone, -1 none is there (with @wait false). */
long recv_with_fence(int sock, void *msg, size_t len, struct fence *f, bool wait);

#endif
