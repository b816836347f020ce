// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits for fences by poll(), as framewait.ko's events tell them; the exact offset of BOOTTIME. */
#include "base/health.h"
#include "live/boot_offset.h"
#include "model/fence_wait.h"
#include "tap.h"

#define MS 1000000

static struct fw_names *names;
static struct fw_health *health;
static struct fw_fences fences;
static struct fw_fence_waits waits;

static void begin(void)
{
	fw_fences_init(&fences, names, health);
	fw_fence_waits_init(&waits, &fences);
}

static void end(void)
{
	fw_fence_waits_free(&waits);
	fw_fences_finish(&fences);
}

static void fence(int64_t ts, enum fw_dma_fence_kind kind, uint64_t context, uint64_t seqno)
{
	struct fw_event ev = {
		.ts = ts,
		.type = FW_EV_DMA_FENCE,
		.tid = 9,
		.fence = { .kind = kind, .context = context, .seqno = seqno, .signal_ts = -1 }
	};

	fw_fences_feed(&fences, &ev);
}

static void member(uint64_t context, uint64_t seqno, uint64_t of)
{
	struct fw_event ev = { .type = FW_EV_FENCE_MEMBER,
			       .member = { .context = of,
					   .seqno = 1,
					   .member_context = context,
					   .member_seqno = seqno } };

	fw_fences_feed(&fences, &ev);
}

static void look(int64_t ts, int32_t tid, uint64_t context, bool first, bool signaled)
{
	struct fw_event ev = { .ts = ts,
			       .type = FW_EV_FENCE_POLL,
			       .tid = tid,
			       .poll = { .context = context,
					 .seqno = 1,
					 .comm = fw_str("play"),
					 .waits = first,
					 .signaled = signaled } };

	fw_fence_waits_feed(&waits, &ev);
}

static uint64_t slept_for(int32_t tid, int64_t start, int64_t end_, const char *function)
{
	const struct fw_fence *f = fw_fence_waits_sleep(&waits, tid, start, end_, fw_str(function));

	return f ? f->context : 0;
}

static void test_one(void)
{
	const struct fw_fence *f;

	begin();
	fence(0, FW_DMA_FENCE_INIT, 5, 1);
	look(10 * MS, 1, 5, true, false);
	fence(30 * MS, FW_DMA_FENCE_SIGNALED, 5, 1);
	ok(slept_for(2, 11 * MS, 30 * MS, "poll_schedule_timeout") == 0,
	   "another thread's sleep is its own");
	ok(slept_for(1, 9 * MS, 10 * MS, "poll_schedule_timeout") == 0, "nor one before the poll");
	ok(slept_for(1, 11 * MS, 31 * MS, "poll_schedule_timeout.constprop.0") == 5,
	   "the sleep between two looks is for that fence");
	look(32 * MS, 1, 5, false, true);
	ok(slept_for(1, 33 * MS, 40 * MS, "") == 0, "not the one after");
	f = fw_fences_find(&fences, 5, 1);
	ok(f && f->polls == 1 && f->poll_ns == 22 * MS && f->poller == 1 &&
		   f->poller_name == fw_names_id(names, fw_str("play")),
	   "the fence knows who polled it for how long");
	end();
}

static void test_not_poll(void)
{
	begin();
	fence(0, FW_DMA_FENCE_INIT, 5, 1);
	look(10 * MS, 1, 5, true, false);
	ok(slept_for(1, 11 * MS, 12 * MS, "ep_poll") == 0, "a sleep elsewhere is not for it");
	look(20 * MS, 1, 5, true, true);
	ok(slept_for(1, 21 * MS, 22 * MS, "do_poll") == 0,
	   "one that has signaled keeps nobody waiting");
	end();
}

static void test_several(void)
{
	begin();
	for (uint64_t c = 5; c <= 7; c++)
		fence(0, FW_DMA_FENCE_INIT, c, 1);
	for (uint64_t c = 5; c <= 7; c++)
		look(10 * MS, 1, c, true, false);
	fence(20 * MS, FW_DMA_FENCE_SIGNALED, 6, 1);
	fence(40 * MS, FW_DMA_FENCE_SIGNALED, 7, 1);
	ok(slept_for(1, 11 * MS, 21 * MS, "do_poll") == 6, "of several the one that ended it");
	for (uint64_t c = 5; c <= 7; c++)
		look(22 * MS, 1, c, false, c == 6);
	look(23 * MS, 1, 5, true, false);
	ok(slept_for(1, 24 * MS, 25 * MS, "do_poll") == 5, "the next call is on its own");
	end();
}

static void test_merged(void)
{
	begin();
	fence(0, FW_DMA_FENCE_INIT, 5, 1);
	fence(0, FW_DMA_FENCE_INIT, 6, 1);
	fence(1, FW_DMA_FENCE_INIT, 90, 1);
	member(5, 1, 90);
	member(6, 1, 90);
	look(10 * MS, 1, 90, true, false);
	fence(20 * MS, FW_DMA_FENCE_SIGNALED, 6, 1);
	fence(30 * MS, FW_DMA_FENCE_SIGNALED, 5, 1);
	fence(31 * MS, FW_DMA_FENCE_SIGNALED, 90, 1);
	ok(slept_for(1, 11 * MS, 32 * MS, "do_poll") == 5,
	   "of a merged one, the member that signaled last");
	end();
}

static void test_kernel_wait(void)
{
	const struct fw_fence *f;

	begin();
	fence(0, FW_DMA_FENCE_INIT, 5, 1);
	fence(10 * MS, FW_DMA_FENCE_WAIT_START, 5, 1);
	fence(13 * MS, FW_DMA_FENCE_WAIT_END, 5, 1);
	fence(20 * MS, FW_DMA_FENCE_WAIT_END, 5, 1);
	f = fw_fences_find(&fences, 5, 1);
	ok(f && f->kernel_waits == 1 && f->kernel_wait_ns == 3 * MS, "a wait inside the kernel");
	end();
}

static void test_many(void)
{
	begin();
	for (int32_t tid = 1; tid <= 3 * (int32_t)FW_FENCE_WAITS_MAX; tid++)
		look(tid, tid, 5, true, false);
	ok(waits.n == FW_FENCE_WAITS_MAX, "threads are forgotten before memory grows");
	end();
}

static void test_boot_offset(void)
{
	static const char list[] = "Timer List Version: v0.9\n\ncpu: 0\n clock 0:\n  .offset:     "
				   "0 nsecs\n clock 2:\n  .index:      2\n  .offset:     "
				   "123456789012 nsecs\nactive timers:\n clock 3:\n  .offset:     "
				   "7 nsecs\n";
	int64_t off = 0;

	ok(fw_boot_offset_parse(list, &off) && off == 123456789012, "the offset of clock 2");
	ok(!fw_boot_offset_parse(" clock 2:\n  .index: 2\n clock 3:\n  .offset: 7 nsecs\n", &off),
	   "not another clock's");
	ok(!fw_boot_offset_parse(" clock 2:\n  .offset: 7", &off), "not a cut one");
	ok(!fw_boot_offset_parse("", &off), "not nothing");
}

int main(void)
{
	names = fw_names_new();
	health = fw_health_new();
	test_one();
	test_not_poll();
	test_several();
	test_merged();
	test_kernel_wait();
	test_many();
	test_boot_offset();
	fw_health_free(health);
	fw_names_free(names);
	return done_testing();
}
