// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of wakers: asked for once in a while, told when they change, in bounded memory. */
#include "live/wakers.h"
#include "tap.h"

#define SEC UINT64_C(1000000000)

static struct fw_wakers w;

static bool is_news(uint32_t tid, uint64_t ts, const char *comm)
{
	struct fw_waker *k = fw_wakers_ask(&w, tid, ts);

	return k && fw_waker_is_news(k, comm);
}

static void one(void)
{
	uint64_t ts = 100 * SEC;

	ok(is_news(7, ts, "kworker/0:1"),
	   "a waker that was never seen is looked at, its name told");
	ok(!fw_wakers_ask(&w, 7, ts + SEC), "a second later it is known");
	ok(!is_news(7, ts + 6 * SEC, "kworker/0:1"), "the same name is not told twice");
	ok(!fw_wakers_ask(&w, 7, ts + 7 * SEC), "though it was looked at: the id may be another's");
	ok(is_news(7, ts + 12 * SEC, "sh"), "another name is");
	ok(is_news(8, ts, "0123456789abcde"), "a name of full length");
	ok(!is_news(8, ts + 6 * SEC, "0123456789abcde"), "is known too");
}

static void many(void)
{
	uint64_t ts = 200 * SEC;
	unsigned int asked = 0;

	for (int turn = 0; turn < 100; turn++)
		for (uint32_t tid = 10000; tid < 12000; tid++)
			asked += fw_wakers_ask(&w, tid, ts) != NULL;
	ok(asked == 2000, "threads in turns are asked once each, whatever their ids");
	asked = 0;
	for (uint32_t tid = 20000; tid < 120000; tid++)
		asked += is_news(tid, ts, "one of many");
	ok(asked == 100000, "each of 100,000 threads has a name");
	ok(w.place.n <= FW_WAKERS, "and no more of them are known than there is room for");
}

int main(void)
{
	one();
	many();
	fw_wakers_free(&w);
	return done_testing();
}
