// SPDX-License-Identifier: GPL-2.0-or-later
#include "fence.h"

#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

#include "../vm/fence_ops.h"
#include "framesim.h"

void fence_timeline_open(struct fence_timeline *t, const char *name)
{
	*t = (struct fence_timeline){ .device = -1 };
	if (!opt.timers)
		t->device = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC);
	if (t->device >= 0 && new_timeline(t->device, name, &t->context))
		die(FRAMEWAIT_DEVICE);
}

static struct fence timer_fence(int64_t at)
{
	struct fence f = { .fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), .at = at };
	struct itimerspec when = { .it_value = { .tv_sec = at / 1000000000,
						 .tv_nsec = at % 1000000000 } };

	if (f.fd < 0 ||
	    (at != FENCE_NEVER && timerfd_settime(f.fd, TFD_TIMER_ABSTIME, &when, NULL)))
		die("timerfd");
	return f;
}

struct fence fence_new(struct fence_timeline *t, int64_t at)
{
	struct fence f = { .at = at, .sync_file = true };
	bool never = at == FENCE_NEVER;

	if (t->device < 0)
		return timer_fence(at);
	f.fd = new_fence(t->device, t->context, ++t->seqno, 0);
	if (f.fd < 0 ||
	    (!never && signal_fence(t->device, t->context, t->seqno, (uint64_t)at, 0, 0)))
		die(FRAMEWAIT_DEVICE);
	return f;
}

int64_t fence_signaled(const struct fence *f)
{
	struct sync_state s;

	if (f->fd < 0)
		return 1;
	if (!f->sync_file)
		return f->at <= now_ns() ? f->at : 0;
	if (sync_state_of(f->fd, &s))
		die("SYNC_IOC_FILE_INFO");
	return s.status ? (int64_t)s.last : 0;
}

bool fence_wait(const struct fence *f, int ms)
{
	if (f->fd < 0)
		return true;
	return wait_fence(f->fd, ms) == 1;
}

struct fence fence_dup(const struct fence *f)
{
	struct fence copy = *f;

	if (f->fd >= 0)
		copy.fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	return copy;
}

void fence_close(struct fence *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

union control {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

bool send_with_fence(int sock, const void *msg, size_t len, const struct fence *f)
{
	struct iovec iov[2] = { { (void *)f, sizeof(*f) }, { (void *)msg, len } };
	union control c = { 0 };
	struct msghdr h = { .msg_iov = iov, .msg_iovlen = 2 };

	if (f->fd >= 0) {
		h.msg_control = c.buf;
		h.msg_controllen = sizeof(c.buf);
		c.align = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
					    .cmsg_level = SOL_SOCKET,
					    .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(&c.align), &f->fd, sizeof(int));
	}
	return sendmsg(sock, &h, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

long recv_with_fence(int sock, void *msg, size_t len, struct fence *f, bool wait)
{
	struct iovec iov[2] = { { f, sizeof(*f) }, { msg, len } };
	union control c;
	struct msghdr h = {
		.msg_iov = iov, .msg_iovlen = 2, .msg_control = c.buf, .msg_controllen = sizeof(c)
	};
	ssize_t n;

	do {
		n = recvmsg(sock, &h, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
	} while (n < 0 && errno == EINTR);
	if (n <= (ssize_t)sizeof(*f))
		return n < 0 ? -1 : 0;
	f->fd = -1;
	if (h.msg_controllen >= CMSG_LEN(sizeof(int)) && c.align.cmsg_type == SCM_RIGHTS)
		memcpy(&f->fd, CMSG_DATA(&c.align), sizeof(int));
	return n - (ssize_t)sizeof(*f);
}
