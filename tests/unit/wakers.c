// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of wakers: asked for once in a while, told when they change, in bounded memory. */
#include "live/wakers.h"
#include "tap.h"

#define SEC UINT64_C(1000000000)

int main(void)
{
	static struct fw_wakers w;
	uint64_t ts = 100 * SEC;
	unsigned int asked = 0, told = 0;

	ok(fw_wakers_ask(&w, 7, ts), "a waker that was never seen is looked at");
	ok(fw_wakers_is_news(&w, 7, "kworker/0:1"), "its name is told");
	ok(!fw_wakers_ask(&w, 7, ts + SEC), "a second later it is known");
	ok(fw_wakers_ask(&w, 7, ts + 6 * SEC),
	   "after a while it is looked at again: the id may be another's");
	ok(!fw_wakers_is_news(&w, 7, "kworker/0:1"), "the same name is not told twice");
	ok(fw_wakers_ask(&w, 7, ts + 12 * SEC), "and again");
	ok(fw_wakers_is_news(&w, 7, "sh"), "another name is");
	ok(fw_wakers_is_news(&w, 8, "0123456789abcde"), "a name of full length");
	ok(!fw_wakers_is_news(&w, 8, "0123456789abcde"), "is known too");
	for (uint32_t tid = 1; tid <= 100000; tid++)
		asked += fw_wakers_ask(&w, tid, ts + 20 * SEC);
	ok(asked == 100000, "each of 100,000 threads is asked for its name");
	for (uint32_t tid = 1; tid <= 100000; tid++)
		told += fw_wakers_is_news(&w, tid, "one of many");
	ok(told == 100000, "and has one");
	return done_testing();
}
