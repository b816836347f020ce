// SPDX-License-Identifier: GPL-2.0-or-later
/* What goes wrong on the app's UI thread, and the realtime thread that takes a CPU away. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "framesim.h"

#define MS INT64_C(1000000)
#define IO_BYTES (2 << 20)
#define IO_FILE_BYTES (16 << 20)

static int io_fd = -1;
static void *io_buf;
static struct {
	struct bell ask, have;
	int64_t ns;
	pthread_mutex_t mutex;
} lock = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void *hold_lock(void *unused)
{
	uint32_t seen = lock.ask.rung;
	char name[16];

	snprintf(name, sizeof(name), "binder:%d_1", getpid());
	name_thread(name);
	be_in_front();
	for (;;) {
		bell_wait(&lock.ask, &seen);
		pthread_mutex_lock(&lock.mutex);
		bell_ring(&lock.have);
		spin_cpu(lock.ns);
		pthread_mutex_unlock(&lock.mutex);
	}
	return unused;
}

static void open_io_file(void)
{
	io_fd = open(opt.io_file, O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
	if (io_fd < 0 || posix_memalign(&io_buf, 4096, IO_BYTES))
		die(opt.io_file);
	for (int at = 0; at < IO_FILE_BYTES; at += IO_BYTES)
		if (pwrite(io_fd, io_buf, IO_BYTES, at) != IO_BYTES)
			die(opt.io_file);
	if (fsync(io_fd))
		die(opt.io_file);
}

void trouble_open(void)
{
	pthread_t t;

	if (inject_any(INJECT_io_wait))
		open_io_file();
	if (inject_any(INJECT_lock_wait) && pthread_create(&t, NULL, hold_lock, NULL))
		die("pthread_create");
}

void pin_thread(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		die("sched_setaffinity");
}

void unpin_thread(pid_t tid)
{
	cpu_set_t set;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		CPU_SET(cpu, &set);
	sched_setaffinity(tid, sizeof(set), &set);
}

void *trouble_thread(void *unused)
{
	uint32_t seen = sim->order.given.rung;
	int64_t end;

	name_thread("competitor");
	be_realtime(COMPETITOR_PRIORITY);
	if (sched_getscheduler(0) != SCHED_FIFO)
		die("preempt and sched_delay need a realtime thread");
	sim->order.tid = (pid_t)syscall(SYS_gettid);
	for (;;) {
		bell_wait(&sim->order.given, &seen);
		end = now_ns() + sim->order.ns;
		if (sim->order.first)
			bell_ring(sim->order.first);
		while (now_ns() < end)
			;
	}
	return unused;
}

void trouble_take_cpu(int64_t ns, struct bell *first)
{
	pin_thread(sim->order.tid, sched_getcpu());
	sim->order.ns = ns;
	sim->order.first = first;
	bell_ring(&sim->order.given);
}

static int64_t lose_cpu(int64_t ns)
{
	int64_t delay = track_delay();

	pin_thread(0, sched_getcpu());
	trouble_take_cpu(ns, NULL);
	spin_cpu(MS / 2);
	unpin_thread(0);
	return track_delay() - delay;
}

/* The parent of a vfork sleeps in D until the child is gone. */
static int64_t sleep_in_d(int64_t ns)
{
	struct timespec ts = { .tv_nsec = ns };
	int64_t slept;
	pid_t pid;

	track_mode(MODE_BLOCKED);
	pid = vfork();
	if (!pid) {
		syscall(SYS_nanosleep, &ts, NULL);
		_exit(0);
	}
	track_mode(MODE_SLEEP);
	slept = track_last();
	waitpid(pid, NULL, 0);
	track_mode(MODE_ACTIVE);
	return slept;
}

static int64_t read_disk(int64_t ns)
{
	int64_t end = now_ns() + 10 * ns, slept = 0;

	for (int64_t i = 1; slept < ns && now_ns() < end; i++) {
		track_mode(MODE_IO);
		if (pread(io_fd, io_buf, IO_BYTES, i * IO_BYTES % IO_FILE_BYTES) != IO_BYTES)
			die(opt.io_file);
		track_mode(MODE_ACTIVE);
		slept += track_last();
	}
	return slept;
}

static int64_t wait_for_lock(int64_t ns)
{
	uint32_t seen = lock.have.rung;

	lock.ns = ns;
	track_mode(MODE_SLEEP);
	bell_ring(&lock.ask);
	bell_wait(&lock.have, &seen);
	pthread_mutex_lock(&lock.mutex);
	pthread_mutex_unlock(&lock.mutex);
	track_mode(MODE_ACTIVE);
	return track_last();
}

void trouble_ui(struct frame *f)
{
	static const struct {
		enum inject kind;
		int64_t (*run)(int64_t ns);
	} troubles[] = {
		{ INJECT_ui_work, compute },	     { INJECT_preempt, lose_cpu },
		{ INJECT_d_sleep, sleep_in_d },	     { INJECT_io_wait, read_disk },
		{ INJECT_lock_wait, wait_for_lock },
	};
	int64_t n;

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
		if (inject_at(troubles[i].kind, f->index, &n))
			f->measured[troubles[i].kind] = troubles[i].run(n * MS);
	if (inject_at(INJECT_stuffing, f->index, NULL))
		f->measured[INJECT_stuffing] = compute(f->period * 13 / 10);
}
