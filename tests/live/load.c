// SPDX-License-Identifier: GPL-2.0-or-later
/* load - workloads whose scheduling is known beforehand, for the tests of live recording */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int gettid_(void)
{
	return (int)syscall(SYS_gettid);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void name(const char *s)
{
	prctl(PR_SET_NAME, s, 0, 0, 0);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
}

static void spin_ms(int ms)
{
	uint64_t end = now() + ms * 1000000ull;

	while (now() < end)
		;
}

/* The parent of a vfork sleeps in D state until the child is gone. */
static void run_vfork(int n)
{
	name("fw-vfork");
	for (int i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (!pid) {
			usleep(2000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Reads past the page cache: D state with io_wait. */
static void run_direct(const char *path, int n)
{
	int fd = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);
	void *buf = NULL;

	name("fw-direct");
	if (fd < 0 || posix_memalign(&buf, 4096, 4096))
		die(path);
	memset(buf, 1, 4096);
	for (int i = 0; i < n; i++) {
		if (pwrite(fd, buf, 4096, i * 4096L) != 4096)
			die("pwrite");
	}
	fsync(fd);
	for (int i = 0; i < n; i++) {
		if (pread(fd, buf, 4096, (i * 7919L % n) * 4096) != 4096)
			die("pread");
	}
	close(fd);
	unlink(path);
}

/* Two that want one CPU: each is preempted by the other. */
static void run_spin(int ms)
{
	pid_t pid = fork();

	pin(0);
	name(pid ? "fw-spin-a" : "fw-spin-b");
	spin_ms(ms);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void run_sleep(int n)
{
	struct timespec ts = { 0, 3000000 };

	name("fw-sleep");
	for (int i = 0; i < n; i++)
		nanosleep(&ts, NULL);
}

static _Atomic int turn;

static void futex_wait(int while_value)
{
	syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, while_value, NULL, NULL, 0);
}

static void futex_play(int me, int n, int pause_us)
{
	for (int i = 0; i < n; i++) {
		while (turn != me)
			futex_wait(!me);
		if (pause_us)
			usleep(pause_us);
		turn = !me;
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *futex_other(void *arg)
{
	name("fw-pong");
	futex_play(1, *(int *)arg, 0);
	return NULL;
}

/* @pause_us: before each turn of fw-ping, for a run that lasts */
static void run_futex(int n, int pause_us)
{
	pthread_t t;

	name("fw-ping");
	pin(0);
	if (pthread_create(&t, NULL, futex_other, &n))
		die("pthread_create");
	futex_play(0, n, pause_us);
	pthread_join(t, NULL);
}

static void *map_unmap(void *arg)
{
	int n = *(int *)arg;

	name("fw-mmap");
	for (int i = 0; i < n; i++) {
		size_t len = 64 * 4096;
		char *p =
			mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			die("mmap");
		for (size_t k = 0; k < len; k += 4096)
			p[k] = 1;
		munmap(p, len);
	}
	return NULL;
}

static void run_mmap(int n)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++) {
		if (pthread_create(&t[i], NULL, map_unmap, &n))
			die("pthread_create");
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void *nothing(void *arg)
{
	return arg;
}

static void run_threads(int n)
{
	pthread_t t[16];

	name("fw-threads");
	for (int i = 0; i < n; i += 16) {
		for (int k = 0; k < 16; k++) {
			if (pthread_create(&t[k], NULL, nothing, NULL))
				die("pthread_create");
		}
		for (int k = 0; k < 16; k++)
			pthread_join(t[k], NULL);
	}
}

/* The same process id twice, by setting the one that was given last. */
static void run_reuse(int n)
{
	pid_t first = 0;

	name("fw-parent");
	for (int i = 0; i < n; i++) {
		FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");
		pid_t pid;

		if (!f)
			die("ns_last_pid");
		if (first)
			fprintf(f, "%d", first - 1);
		fclose(f);
		pid = fork();
		if (!pid) {
			char me[32];

			snprintf(me, sizeof(me), "fw-life-%d", i);
			name(me);
			usleep(20000);
			spin_ms(5);
			_exit(0);
		}
		if (!first)
			first = pid;
		waitpid(pid, NULL, 0);
		printf("pid %d\n", pid);
	}
}

/* What the kernel itself says of this thread at one moment. */
struct account {
	unsigned long long boot_ns, ran, waited;
	bool schedstat;
	long rusage_us;
};

static void take_account(struct account *a)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	struct timespec ts;
	struct rusage u;

	a->schedstat = f && fscanf(f, "%llu %llu", &a->ran, &a->waited) == 2;
	if (f)
		fclose(f);
	getrusage(RUSAGE_THREAD, &u);
	a->rusage_us = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + u.ru_utime.tv_usec +
		       u.ru_stime.tv_usec;
	clock_gettime(CLOCK_BOOTTIME, &ts);
	a->boot_ns = ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Mixed work, and the difference that it made in the kernel's accounts. */
static void run_account(int ms)
{
	uint64_t end = now() + ms * 1000000ull;
	struct account a, b;

	name("fw-account");
	take_account(&a);
	while (now() < end) {
		spin_ms(3);
		usleep(1000);
	}
	take_account(&b);
	printf("tid %d from %llu to %llu rusage_us %ld ", gettid_(), a.boot_ns, b.boot_ns,
	       b.rusage_us - a.rusage_us);
	if (a.schedstat && b.schedstat)
		printf("schedstat %llu %llu\n", b.ran - a.ran, b.waited - a.waited);
	else
		puts("no schedstat");
}

static double cpu_us(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e6 + u->ru_utime.tv_usec +
	       u->ru_stime.tv_usec;
}

/* Until @i are due, at @per_ms each ms since @start. */
static void keep_pace(uint64_t start, int i, int per_ms)
{
	uint64_t due = start + (uint64_t)(i / per_ms) * 1000000;
	struct timespec ts = { due / 1000000000u, due % 1000000000u };

	if (i % per_ms == 0)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/*
 * One byte back and forth through two pipes: 2 switches and 2 wakes a round trip. Prints the time
 * of one in us, by the clock and in CPU time, which others on the machine disturb less.
 * @per_ms: so many each ms, or 0: as fast as it goes
 */
static void run_pipe(int n, int cpu, int per_ms)
{
	int a[2], b[2];
	char c = 0;
	struct rusage self, child;
	uint64_t start, wall;
	pid_t pid;

	if (pipe(a) || pipe(b))
		die("pipe");
	if (cpu >= 0)
		pin(cpu);
	name("fw-pipe-a");
	pid = fork();
	if (!pid) {
		name("fw-pipe-b");
		for (int i = 0; i < n; i++) {
			if (read(a[0], &c, 1) != 1 || write(b[1], &c, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	start = now();
	for (int i = 0; i < n; i++) {
		if (write(a[1], &c, 1) != 1 || read(b[0], &c, 1) != 1)
			die("pipe");
		if (per_ms)
			keep_pace(start, i, per_ms);
	}
	wall = now() - start;
	wait4(pid, NULL, 0, &child);
	getrusage(RUSAGE_SELF, &self);
	printf("%.4f %.4f\n", (double)wall / n / 1000, (cpu_us(&self) + cpu_us(&child)) / n);
}

static void mark(int fd, const char *fmt, int id)
{
	char text[128];
	int n = snprintf(text, sizeof(text), fmt, getpid(), id);

	if (write(fd, text, n) != n)
		die("trace_marker");
}

static int marker_fd(void)
{
	int fd = open("/sys/kernel/tracing/trace_marker", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		die("trace_marker");
	return fd;
}

struct render {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	int wanted, done, fd;
};

static void *render(void *arg)
{
	struct render *r = arg;

	name("RenderThread");
	pthread_mutex_lock(&r->lock);
	while (r->done >= 0) {
		if (r->wanted > r->done) {
			int id = r->done + 1;

			pthread_mutex_unlock(&r->lock);
			mark(r->fd, "B|%d|DrawFrames %d", id);
			spin_ms(1);
			usleep(1500);
			mark(r->fd, "E|%d", id);
			pthread_mutex_lock(&r->lock);
			r->done = id;
			pthread_cond_broadcast(&r->cond);
		} else {
			pthread_cond_wait(&r->cond, &r->lock);
		}
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* An app as Android's: a frame each 16 ms on the main thread, drawn by RenderThread. */
static void run_frames(int n)
{
	struct render r = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0,
			    marker_fd() };
	pthread_t t;

	name("fw-frames");
	if (pthread_create(&t, NULL, render, &r))
		die("pthread_create");
	for (int i = 1; i <= n; i++) {
		mark(r.fd, "B|%d|Choreographer#doFrame %d", i);
		spin_ms(2);
		/* Every tenth frame waits for something that it should not. */
		if (i % 10 == 0)
			usleep(20000);
		pthread_mutex_lock(&r.lock);
		r.wanted = i;
		pthread_cond_broadcast(&r.cond);
		while (r.done < i)
			pthread_cond_wait(&r.cond, &r.lock);
		pthread_mutex_unlock(&r.lock);
		mark(r.fd, "E|%d", i);
		usleep(8000);
	}
	pthread_mutex_lock(&r.lock);
	r.done = -1;
	pthread_cond_broadcast(&r.cond);
	pthread_mutex_unlock(&r.lock);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(what, "vfork"))
		run_vfork(n);
	else if (!strcmp(what, "direct") && argc > 3)
		run_direct(argv[3], n);
	else if (!strcmp(what, "spin"))
		run_spin(n);
	else if (!strcmp(what, "sleep"))
		run_sleep(n);
	else if (!strcmp(what, "futex"))
		run_futex(n, argc > 3 ? atoi(argv[3]) : 0);
	else if (!strcmp(what, "mmap"))
		run_mmap(n);
	else if (!strcmp(what, "threads"))
		run_threads(n);
	else if (!strcmp(what, "reuse"))
		run_reuse(n);
	else if (!strcmp(what, "account"))
		run_account(n);
	else if (!strcmp(what, "pipe"))
		run_pipe(n, argc > 3 ? atoi(argv[3]) : -1, argc > 4 ? atoi(argv[4]) : 0);
	else if (!strcmp(what, "frames"))
		run_frames(n);
	else {
		fputs("usage: load WORKLOAD NUMBER [FILE, CPU or PAUSE [TRIPS_PER_MS]]\n", stderr);
		return 2;
	}
	return 0;
}
