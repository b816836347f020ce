// SPDX-License-Identifier: GPL-2.0-or-later
/* /dev/framewait, call by call; runs in a VM with the module loaded. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../unit/tap.h"
#include "fence_ops.h"

#define BIG 0x1234500000000ull

static int dev;

static void test_info(void)
{
	struct framewait_info info = { 0 };
	uint32_t want = FRAMEWAIT_HAS_CREATE | FRAMEWAIT_HAS_MERGE | FRAMEWAIT_HAS_POLL |
			FRAMEWAIT_HAS_RELEASE | FRAMEWAIT_HAS_BLOCKED | FRAMEWAIT_HAS_SW_FENCE;

	ok(!ioctl(dev, FRAMEWAIT_IOC_INFO, &info), "INFO is answered");
	ok(info.version == FRAMEWAIT_VERSION, "version %u", info.version);
	ok(info.features == want, "every feature works on this kernel: %#x", info.features);
	ok(info.blocked_missed == 0 && info.merges_missed == 0, "nothing was missed");
	ok(ioctl(dev, _IO(FRAMEWAIT_IOC_MAGIC, 99)) == -1 && errno == ENOTTY,
	   "an unknown call is refused");
}

static void test_signal(void)
{
	uint64_t context = 0, before, after;
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;
	struct sync_state s;
	int fd;

	ok(!new_timeline(dev, "plain", &context) && context, "a timeline of the kernel's next "
							     "context");
	fd = new_fence(dev, context, 7, 0);
	ok(fd >= 0, "a fence is a sync_file");
	ok(wait_fence(fd, 0) == 0, "not signaled yet");
	ok(!fences_of(dev, fd, &f, m) && f.count == 1, "it is its own only member");
	ok(f.fence.context == context && f.fence.seqno == 7 && m[0].context == context,
	   "context and seqno are what was asked for");
	ok(!strcmp(f.fence.driver, "framewait") && !strcmp(f.fence.timeline, "plain"),
	   "names: %s, %s", f.fence.driver, f.fence.timeline);
	ok(!f.fence.flags && !f.fence.timestamp, "no time before the signal");
	before = mono_ns();
	ok(!signal_fence(dev, context, 7, 0, 0, 0), "signal now");
	after = mono_ns();
	ok(wait_fence(fd, 0) == 1, "poll sees it");
	ok(!sync_state_of(fd, &s) && s.status == 1, "FILE_INFO sees it");
	ok(!fences_of(dev, fd, &f, m) && f.fence.timestamp == s.last && s.last >= before &&
		   s.last <= after,
	   "its time is FILE_INFO's, to the nanosecond");
	ok(f.fence.flags == FRAMEWAIT_FENCE_SIGNALED && !f.fence.error, "signaled without error");
	ok(signal_fence(dev, context, 7, 0, 0, 0) == -1 && errno == ENOENT, "it signals once");
	close(fd);
}

static void test_identity(void)
{
	uint64_t a = BIG, b = BIG + (1ull << 40), low = 77;
	int fa, fb;
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;

	ok(!new_timeline(dev, "a", &a) && a == BIG, "a context above 2^32");
	ok(!new_timeline(dev, "b", &b), "one that differs from it above bit 32 only");
	ok(new_timeline(dev, "c", &a) == -1 && errno == EEXIST, "not twice");
	ok(new_timeline(dev, "low", &low) == -1 && errno == EINVAL, "none that a driver could "
								    "have");
	fa = new_fence(dev, a, UINT64_MAX - 1, 0);
	fb = new_fence(dev, b, UINT64_MAX - 1, 0);
	ok(fa >= 0 && fb >= 0, "equal seqnos of 64 bits in two contexts");
	ok(new_fence(dev, a, UINT64_MAX - 1, 0) == -1 && errno == EEXIST, "not twice in one");
	ok(!signal_fence(dev, b, UINT64_MAX - 1, 0, 0, 0), "one of them signals");
	ok(wait_fence(fa, 0) == 0 && wait_fence(fb, 0) == 1, "and not the other");
	ok(!fences_of(dev, fa, &f, m) && f.fence.context == a && f.fence.seqno == UINT64_MAX - 1,
	   "identities are whole");
	close(fa);
	close(fb);
}

static void test_time_and_error(void)
{
	uint64_t context = 0, at, stamp = 123456789;
	struct sync_state s;
	int fd;

	new_timeline(dev, "time", &context);
	fd = new_fence(dev, context, 1, 0);
	at = mono_ns() + 30 * MS;
	ok(!signal_fence(dev, context, 1, at, 0, 0), "signal at a time");
	ok(signal_fence(dev, context, 1, 0, 0, 0) == -1 && errno == EALREADY, "that time stays");
	ok(wait_fence(fd, 5000) == 1 && !sync_state_of(fd, &s) && s.last >= at,
	   "not before that time");
	close(fd);
	fd = new_fence(dev, context, 2, 0);
	ok(!signal_fence(dev, context, 2, 0, stamp, -EIO), "signal with an error and a stamp");
	ok(!sync_state_of(fd, &s) && s.status == -EIO && s.last == stamp, "both are seen");
	close(fd);
	ok(signal_fence(dev, context, 9, 0, 0, 0) == -1 && errno == ENOENT, "no such fence");
	ok(signal_fence(dev, context, 9, 0, 0, 1) == -1 && errno == EINVAL, "no positive error");
	ok(new_fence(dev, context, 9, 8) == -1 && errno == EINVAL, "no unknown flag");
	ok(new_fence(dev, context + 1, 9, 0) == -1 && errno == ENOENT, "no such timeline");
}

static void test_close(void)
{
	int other = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC), left, never, timed;
	uint64_t context = 0;
	struct sync_state s;

	new_timeline(other, "closing", &context);
	left = new_fence(other, context, 1, 0);
	never = new_fence(other, context, 2, FRAMEWAIT_NEVER);
	timed = new_fence(other, context, 3, 0);
	signal_fence(other, context, 3, mono_ns() + 20 * MS, 0, 0);
	ok(new_fence(dev, context, 4, 0) == -1 && errno == ENOENT,
	   "another open file has other timelines");
	close(other);
	ok(!sync_state_of(left, &s) && s.status == -ENOENT, "closing signals what is left");
	ok(!sync_state_of(never, &s) && s.status == 0, "but not what shall never signal");
	ok(wait_fence(timed, 5000) == 1 && !sync_state_of(timed, &s) && s.status == 1,
	   "a time is kept after closing");
	close(left);
	close(never);
	close(timed);
}

static void test_merge(void)
{
	uint64_t context[3] = { 0 }, last = 0;
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;
	struct sync_state s;
	int fd[3], two, all;

	for (int i = 0; i < 3; i++) {
		new_timeline(dev, "merge", &context[i]);
		fd[i] = new_fence(dev, context[i], 1, 0);
	}
	two = merge_fences(fd[0], fd[1]);
	all = merge_fences(two, fd[2]);
	ok(all >= 0 && !fences_of(dev, all, &f, m) && f.count == 3, "a merged one has 3 members");
	ok(f.fence.context != m[0].context, "and is a fence of its own");
	f.count = 1;
	ok(!ioctl(dev, FRAMEWAIT_IOC_FENCES, &f) && f.count == 3, "room for 1: 3 are counted");
	for (int i = 2; i >= 0; i--)
		signal_fence(dev, context[i], 1, 0, 0, 0);
	ok(wait_fence(all, 5000) == 1, "all members signaled, in reverse");
	for (int i = 0; i < 3; i++) {
		sync_state_of(fd[i], &s);
		if (s.last > last)
			last = s.last;
	}
	ok(!sync_state_of(all, &s) && s.n == 3 && s.last == last,
	   "FILE_INFO of it: the largest of the members");
	f.fd = -1;
	ok(ioctl(dev, FRAMEWAIT_IOC_FENCES, &f) == -1 && errno == EBADF, "not a descriptor");
	f.fd = dev;
	ok(ioctl(dev, FRAMEWAIT_IOC_FENCES, &f) == -1 && errno == EBADF, "not a sync_file");
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	close(two);
	close(all);
}

static void test_vgem(void)
{
	int vgem = open_vgem(), dmabuf = -1, handle, fd;
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;
	struct sync_state s;
	uint32_t fence = 0;

	if (!ok(vgem >= 0, "vgem is there"))
		return;
	handle = new_buffer(vgem, &dmabuf);
	ok(handle >= 0 && !attach_vgem_fence(vgem, handle, &fence),
	   "a fence on a buffer of vgem's");
	fd = export_sync_file(dmabuf);
	ok(fd >= 0 && !fences_of(dev, fd, &f, m) && !strcmp(f.fence.driver, "vgem"),
	   "its sync_file: driver %s, context %llu", f.fence.driver, f.fence.context);
	ok(!signal_vgem_fence(vgem, fence) && !sync_state_of(fd, &s) && s.status == 1,
	   "signaled by vgem");
	ok(!fences_of(dev, fd, &f, m) && f.fence.timestamp == s.last, "its time is FILE_INFO's");
	close(fd);
	close(dmabuf);
	close(vgem);
}

/* What one open file may have of both; the fences go with it. */
static void test_limits(void)
{
	int mine = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC), fd, n = 0;
	uint64_t context = 0, next;

	while (!new_timeline(mine, "limit", (next = 0, &next))) {
		context = next;
		n++;
	}
	ok(n == 1024 && errno == ENOSPC, "%d timelines, and no more", n);
	for (n = 0; (fd = new_fence(mine, context, n + 1, 0)) >= 0; n++)
		close(fd);
	ok(n == 4096 && errno == ENOSPC, "%d fences that have not signaled, and no more", n);
	ok(!signal_fence(mine, context, 1, 0, 0, 0) &&
		   (fd = new_fence(mine, context, n + 1, 0)) >= 0,
	   "one that signals makes room");
	close(fd);
	close(mine);
}

/* Also where the node lets everyone in. */
static void test_privileges(void)
{
	int status = -1;
	pid_t pid;

	chmod(FRAMEWAIT_DEVICE, 0666);
	pid = fork();
	if (!pid) {
		if (setuid(65534))
			_exit(2);
		_exit(open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC) < 0 && errno == EPERM ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	chmod(FRAMEWAIT_DEVICE, 0600);
	ok(!status, "without CAP_PERFMON and CAP_SYS_ADMIN it does not open");
}

int main(void)
{
	dev = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC);
	if (!ok(dev >= 0, "%s opens", FRAMEWAIT_DEVICE))
		return done_testing();
	test_info();
	test_privileges();
	test_limits();
	test_signal();
	test_identity();
	test_time_and_error();
	test_close();
	test_merge();
	test_vgem();
	close(dev);
	return done_testing();
}
