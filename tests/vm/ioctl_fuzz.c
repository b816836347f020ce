// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls of /dev/framewait with arguments that nobody means: any number, sizes and directions changed,
 * structs of noise and of nearly right values, addresses at the end of a page, from several threads.
 * ioctl_fuzz SECONDS SEED; the kernel's log is read by the script that runs it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../unit/tap.h"
#include "fence_ops.h"

#define THREADS 3
#define DEVS 3

static int devs[DEVS];
static uint64_t end;
static uint64_t calls[THREADS], taken[THREADS];

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* A value at an edge, a small one, one of those that are in use, or noise. */
static uint64_t value(uint64_t *s)
{
	static const uint64_t edges[] = { 0,	      1,	  UINT32_MAX, 1ull << 32, INT64_MAX,
					  1ull << 63, UINT64_MAX, INT32_MAX,  4095,	  4096 };
	uint64_t r = next_random(s);

	switch (r % 4) {
	case 0:
		return edges[(r >> 8) % (sizeof(edges) / sizeof(*edges))];
	case 1:
		return (r >> 8) % 8;
	case 2:
		return (1ull << 32) + (r >> 8) % 4;
	default:
		return next_random(s);
	}
}

static unsigned long command(uint64_t *s)
{
	static const unsigned long known[] = { FRAMEWAIT_IOC_INFO, FRAMEWAIT_IOC_FENCES,
					       FRAMEWAIT_IOC_TIMELINE, FRAMEWAIT_IOC_CREATE,
					       FRAMEWAIT_IOC_SIGNAL };
	uint64_t r = next_random(s);
	unsigned long cmd = known[r % 5];

	if ((r >> 8) % 16 == 0)
		cmd ^= 1ul << (r >> 16) % 32;
	if ((r >> 8) % 64 == 1)
		cmd = (unsigned long)next_random(s);
	return cmd;
}

/* Descriptors below 3, the devices and the last sync_files stay; what else a call made goes. */
static void close_some(uint64_t *s, const void *arg, unsigned long cmd)
{
	const struct framewait_create *c = arg;

	if (cmd == FRAMEWAIT_IOC_CREATE && c->fd > 2 && next_random(s) % 4)
		close(c->fd);
}

static void *run(void *ctx)
{
	long self = (long)ctx;
	uint64_t s = 0x9e3779b97f4a7c15ull * (uint64_t)(self + 1 + atol(getenv("SEED")));
	long page = sysconf(_SC_PAGESIZE);
	char *two =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(two + page, page, PROT_NONE);
	while (mono_ns() < end) {
		unsigned long cmd = command(&s);
		uint64_t r = next_random(&s);
		/* 256 bytes hold every struct; near the end of the page they do not. */
		char *arg = two + page - (r % 8 ? 256 : 8 * (r >> 8) % 128);
		uint64_t *words = (uint64_t *)(two + page - 256);

		for (int i = 0; i < 32; i++)
			words[i] = value(&s);
		if (r % 8 && cmd == FRAMEWAIT_IOC_FENCES) {
			struct framewait_fences *f = (void *)arg;

			f->fd = (int32_t)((r >> 16) % 64);
			f->count = (uint32_t)value(&s);
			f->members = (r >> 24) % 2 ? (uint64_t)(uintptr_t)two : value(&s);
		}
		if ((r >> 32) % 32 == 0)
			arg = (char *)(uintptr_t)value(&s);
		calls[self]++;
		if (!ioctl(devs[(r >> 40) % DEVS], cmd, arg)) {
			taken[self]++;
			if (arg >= two && arg + sizeof(struct framewait_create) <= two + page)
				close_some(&s, arg, cmd);
		}
		if ((r >> 48) % 512 == 0)
			for (int fd = 3 + DEVS + 8; fd < 256; fd++)
				close(fd);
	}
	return NULL;
}

/* A device that is opened and closed with all it holds, while others make calls. */
static void *reopen(void *ctx)
{
	while (mono_ns() < end) {
		int fd = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC), other;
		uint64_t context = 0;

		if (fd < 0)
			continue;
		new_timeline(fd, "reopen", &context);
		other = new_fence(fd, context, 1, 0);
		new_fence(fd, context, 2, FRAMEWAIT_NEVER);
		signal_fence(fd, context, 1, mono_ns() + MS, 0, 0);
		close(fd);
		close(other);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct framewait_info info = { 0 };
	uint64_t n = 0, ok_calls = 0, context = 0;
	pthread_t t[THREADS + 1];

	setenv("SEED", argc > 2 ? argv[2] : "1", 1);
	end = mono_ns() + (uint64_t)(argc > 1 ? atoi(argv[1]) : 10) * 1000 * MS;
	for (int i = 0; i < DEVS; i++)
		devs[i] = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC);
	if (!ok(devs[DEVS - 1] >= 0, "%s opens", FRAMEWAIT_DEVICE))
		return done_testing();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	pthread_create(&t[THREADS], NULL, reopen, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		n += calls[i];
		ok_calls += taken[i];
	}
	ok(n > 1000 && ok_calls > 100, "%llu calls, %llu of them taken", (unsigned long long)n,
	   (unsigned long long)ok_calls);
	for (int i = 0; i < DEVS; i++)
		close(devs[i]);
	devs[0] = open(FRAMEWAIT_DEVICE, O_RDWR | O_CLOEXEC);
	ok(devs[0] >= 0 && !ioctl(devs[0], FRAMEWAIT_IOC_INFO, &info), "the device still answers");
	ok(!new_timeline(devs[0], "after", &context) && new_fence(devs[0], context, 1, 0) >= 0 &&
		   !signal_fence(devs[0], context, 1, 0, 0, 0),
	   "and makes a fence");
	ok(signal_fence(devs[0], context, 1, mono_ns() + 7200000 * MS, 0, 0) == -1 &&
		   errno == EINVAL,
	   "no time more than an hour from now");
	return done_testing();
}
