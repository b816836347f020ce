// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A producer and a consumer of fences, and what else keeps a kernel busy, for tests in a VM.
 *   play FILE      plays, and writes what is true of it to FILE, a line each:
 *                  fence,DRIVER,TIMELINE,CONTEXT,SEQNO,STAMP,ERROR   STAMP 0: never signaled
 *                  member,DRIVER,TIMELINE,CONTEXT,SEQNO,STAMP,CONTEXT:SEQNO of the merged one
 *                  poll,DRIVER,TIMELINE,CONTEXT,SEQNO,NS,TID     a thread waited so long for it
 *   play --vfork N     sleeps N times in D: vfork waits for its child
 *   play --hold S      keeps /dev/framewait open for S seconds
 *   play --keep S      keeps only a fence for S seconds
 *   play --load S      fences of vgem's and sleeps in D, for S seconds
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "fence_ops.h"

#define FRAMES 12
#define DISPLAY_CONTEXT (5ull << 33)

struct play {
	FILE *out;
	int dev;
	uint64_t gpu, display;
	/* for the consumer */
	int fd;
	uint64_t waited;
	_Atomic pid_t tid;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int must(int result, const char *what)
{
	if (result < 0)
		die(what);
	return result;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&ts, NULL);
}

static void *consume(void *arg)
{
	struct play *p = arg;
	uint64_t from = mono_ns();

	p->tid = syscall(SYS_gettid);
	if (wait_fence(p->fd, 10000) != 1)
		die("poll");
	p->waited = mono_ns() - from;
	return NULL;
}

static bool sleeps(pid_t tid)
{
	char path[64], stat[256] = "", *end;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	in = fopen(path, "r");
	if (!in)
		return false;
	end = fgets(stat, sizeof(stat), in) ? strrchr(stat, ')') : NULL;
	fclose(in);
	return end && !strncmp(end, ") S", 3);
}

/* Returns when it sleeps in poll(): an emulated machine takes its time. */
static pthread_t start_consumer(struct play *p, int fd)
{
	pthread_t thread;

	p->fd = fd;
	p->tid = 0;
	if (pthread_create(&thread, NULL, consume, p))
		die("pthread_create");
	while (!p->tid || !sleeps(p->tid))
		sleep_ns(MS);
	return thread;
}

/* What the module says of the fence behind @fd, as a line of the file. */
static void note(struct play *p, const char *kind, int fd, const char *rest)
{
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;
	struct sync_state s;

	must(fences_of(p->dev, fd, &f, m), "FRAMEWAIT_IOC_FENCES");
	must(sync_state_of(fd, &s), "SYNC_IOC_FILE_INFO");
	fprintf(p->out, "%s,%s,%s,%llu,%llu,%llu,%s\n", kind, f.fence.driver, f.fence.timeline,
		f.fence.context, f.fence.seqno, (unsigned long long)s.last, rest);
}

/* Names must be read before the signal: newer kernels forget them then. */
struct named {
	int fd;
	struct framewait_fence before;
};

static void begin(struct play *p, struct named *n, int fd)
{
	struct framewait_fence m[MEMBERS_MAX];
	struct framewait_fences f;

	n->fd = must(fd, "a fence");
	must(fences_of(p->dev, fd, &f, m), "FRAMEWAIT_IOC_FENCES");
	n->before = f.fence;
}

static void line(struct play *p, const char *kind, const struct named *n, uint64_t number,
		 const char *rest)
{
	fprintf(p->out, "%s,%s,%s,%llu,%llu,%llu,%s\n", kind, n->before.driver, n->before.timeline,
		n->before.context, n->before.seqno, (unsigned long long)number, rest);
}

static void end(struct play *p, struct named *n)
{
	struct sync_state s;
	char error[16];

	must(sync_state_of(n->fd, &s), "SYNC_IOC_FILE_INFO");
	snprintf(error, sizeof(error), "%d", s.status < 0 ? s.status : 0);
	line(p, "fence", n, s.last, error);
	close(n->fd);
}

static void end_poll(struct play *p, const struct named *n, pthread_t thread)
{
	char tid[16];

	pthread_join(thread, NULL);
	snprintf(tid, sizeof(tid), "%d", p->tid);
	line(p, "poll", n, p->waited, tid);
}

/* A frame: two fences of one seqno, the later one's signal first; someone waits for the earlier. */
static void frame(struct play *p, uint64_t seqno)
{
	struct named gpu, display;
	pthread_t thread;

	begin(p, &gpu, new_fence(p->dev, p->gpu, seqno, 0));
	begin(p, &display, new_fence(p->dev, p->display, seqno, 0));
	thread = start_consumer(p, gpu.fd);
	if (seqno % 2)
		must(signal_fence(p->dev, p->gpu, seqno, mono_ns() + 30 * MS, 0, 0), "signal");
	sleep_ns(10 * MS);
	must(signal_fence(p->dev, p->display, seqno, 0, 0, 0), "signal");
	if (seqno % 2 == 0)
		must(signal_fence(p->dev, p->gpu, seqno, 0, 0, 0), "signal");
	end_poll(p, &gpu, thread);
	end(p, &gpu);
	end(p, &display);
}

static void out_of_order(struct play *p)
{
	struct named n[4];

	for (int i = 0; i < 4; i++)
		begin(p, &n[i], new_fence(p->dev, p->gpu, 50 + i, 0));
	for (int i = 3; i >= 0; i--)
		must(signal_fence(p->dev, p->gpu, 50 + i, 0, 0, 0), "signal");
	for (int i = 0; i < 4; i++)
		end(p, &n[i]);
}

static void merged(struct play *p)
{
	struct named gpu, display, both;
	char id[64];
	pthread_t thread;

	begin(p, &gpu, new_fence(p->dev, p->gpu, 100, 0));
	begin(p, &display, new_fence(p->dev, p->display, 100, 0));
	begin(p, &both, merge_fences(gpu.fd, display.fd));
	thread = start_consumer(p, both.fd);
	sleep_ns(10 * MS);
	must(signal_fence(p->dev, p->display, 100, 0, 0, 0), "signal");
	sleep_ns(10 * MS);
	must(signal_fence(p->dev, p->gpu, 100, 0, 0, 0), "signal");
	end_poll(p, &both, thread);
	snprintf(id, sizeof(id), "%llu:%llu", both.before.context, both.before.seqno);
	note(p, "member", gpu.fd, id);
	note(p, "member", display.fd, id);
	end(p, &gpu);
	end(p, &display);
	close(both.fd);
}

static void special(struct play *p)
{
	struct named error, never, twin[2];
	uint64_t stamp, large = 1ull << 63 | 5;

	begin(p, &error, new_fence(p->dev, p->gpu, 200, 0));
	must(signal_fence(p->dev, p->gpu, 200, 0, 0, -EIO), "signal");
	end(p, &error);
	begin(p, &twin[0], new_fence(p->dev, p->gpu, 400, 0));
	begin(p, &twin[1], new_fence(p->dev, p->display, 400, 0));
	stamp = mono_ns();
	must(signal_fence(p->dev, p->gpu, 400, 0, stamp, 0), "signal");
	must(signal_fence(p->dev, p->display, 400, 0, stamp, 0), "signal");
	end(p, &twin[0]);
	end(p, &twin[1]);
	begin(p, &never, new_fence(p->dev, p->gpu, 300, FRAMEWAIT_NEVER));
	end(p, &never);
	must(new_timeline(p->dev, "large", &large), "timeline");
	begin(p, &error, new_fence(p->dev, large, UINT64_MAX - 1, 0));
	must(signal_fence(p->dev, large, UINT64_MAX - 1, 0, 0, 0), "signal");
	end(p, &error);
}

static void long_wait(struct play *p)
{
	struct named n;
	pthread_t thread;

	begin(p, &n, new_fence(p->dev, p->gpu, 500, 0));
	thread = start_consumer(p, n.fd);
	must(signal_fence(p->dev, p->gpu, 500, mono_ns() + 20 * MS, 0, 0), "signal");
	end_poll(p, &n, thread);
	end(p, &n);
}

static void with_vgem(struct play *p)
{
	int vgem = open_vgem(), dmabuf = -1, handle;
	pthread_t thread;
	struct named n;
	uint32_t fence;

	if (vgem < 0)
		return;
	for (int i = 0; i < 3; i++) {
		handle = must(new_buffer(vgem, &dmabuf), "a buffer");
		must(attach_vgem_fence(vgem, handle, &fence), "attach");
		begin(p, &n, export_sync_file(dmabuf));
		thread = start_consumer(p, n.fd);
		sleep_ns(5 * MS);
		must(signal_vgem_fence(vgem, fence), "signal");
		end_poll(p, &n, thread);
		end(p, &n);
		close(dmabuf);
	}
	close(vgem);
}

static int play(const char *path)
{
	struct play p = { .display = DISPLAY_CONTEXT };

	p.out = fopen(path, "w");
	p.dev = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC);
	if (!p.out || p.dev < 0)
		die(path);
	must(new_timeline(p.dev, "gpu", &p.gpu), "timeline");
	must(new_timeline(p.dev, "display", &p.display), "timeline");
	for (uint64_t i = 1; i <= FRAMES; i++)
		frame(&p, i);
	out_of_order(&p);
	merged(&p);
	special(&p);
	long_wait(&p);
	with_vgem(&p);
	close(p.dev);
	return fclose(p.out) ? 1 : 0;
}

static void vforks(int n)
{
	while (n-- > 0) {
		pid_t pid = vfork();

		if (!pid) {
			usleep(2000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static int hold(int seconds, bool only_fence)
{
	int dev = must(open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC), FRAMEWAIT_DEVICE);
	uint64_t context = 0;

	must(new_timeline(dev, "kept", &context), "timeline");
	if (only_fence) {
		must(new_fence(dev, context, 1, FRAMEWAIT_NEVER), "a fence");
		close(dev);
	}
	sleep(seconds);
	return 0;
}

static void load(int seconds)
{
	uint64_t until = mono_ns() + seconds * 1000 * MS;
	int vgem = must(open_vgem(), "vgem"), dmabuf, handle, fd, both;
	uint32_t fence;

	while (mono_ns() < until) {
		handle = must(new_buffer(vgem, &dmabuf), "a buffer");
		must(attach_vgem_fence(vgem, handle, &fence), "attach");
		fd = must(export_sync_file(dmabuf), "export");
		wait_fence(fd, 1);
		both = must(merge_fences(fd, fd), "merge");
		must(signal_vgem_fence(vgem, fence), "signal");
		wait_fence(both, 1000);
		close(both);
		close(fd);
		close(dmabuf);
		ioctl(vgem, DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){ .handle = handle });
		vforks(1);
	}
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (argc == 2)
		return play(argv[1]);
	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "--vfork"))
		vforks(n);
	else if (!strcmp(argv[1], "--load"))
		load(n);
	else if (!strcmp(argv[1], "--hold") || !strcmp(argv[1], "--keep"))
		return hold(n, !strcmp(argv[1], "--keep"));
	else
		return 2;
	return 0;
}
