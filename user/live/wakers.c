// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/map.h"
#include "live/wakers.h"

static struct fw_waker *slot_of(struct fw_wakers *w, uint32_t tid)
{
	return &w->slots[fw_hash_u64(tid) % FW_WAKERS];
}

bool fw_wakers_ask(struct fw_wakers *w, uint32_t tid, uint64_t ts)
{
	struct fw_waker *s = slot_of(w, tid);

	if (s->tid == tid && ts < s->until)
		return false;
	if (s->tid != tid)
		s->comm[0] = '\0';
	s->tid = tid;
	s->until = ts + FW_WAKER_HOLDS_NS;
	return true;
}

bool fw_wakers_is_news(struct fw_wakers *w, uint32_t tid, const char *comm)
{
	struct fw_waker *s = slot_of(w, tid);

	if (s->tid == tid && !strncmp(s->comm, comm, sizeof(s->comm)))
		return false;
	s->tid = tid;
	strncpy(s->comm, comm, sizeof(s->comm));
	return true;
}
