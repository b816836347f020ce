// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "live/wakers.h"

static struct fw_waker *known(struct fw_wakers *w, uint32_t tid)
{
	const uint64_t *place = fw_map_get(&w->place, tid);
	struct fw_waker *k;

	if (place)
		return &w->known[*place];
	if (w->place.n == FW_WAKERS)
		fw_map_free(&w->place);
	k = &w->known[w->place.n];
	*k = (struct fw_waker){ 0 };
	fw_map_set(&w->place, tid, w->place.n);
	return k;
}

struct fw_waker *fw_wakers_ask(struct fw_wakers *w, uint32_t tid, uint64_t ts)
{
	struct fw_waker *k = known(w, tid);

	if (ts < k->until)
		return NULL;
	k->until = ts + FW_WAKER_HOLDS_NS;
	return k;
}

bool fw_waker_is_news(struct fw_waker *w, const char *comm)
{
	if (!strncmp(w->comm, comm, sizeof(w->comm)))
		return false;
	memset(w->comm, 0, sizeof(w->comm));
	memcpy(w->comm, comm, strnlen(comm, sizeof(w->comm)));
	return true;
}

void fw_wakers_free(struct fw_wakers *w)
{
	fw_map_free(&w->place);
}
