// SPDX-License-Identifier: GPL-2.0-or-later
/* interest - the threads whose scheduling a consumer wants */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "input/input.h"

/* Names are as long as the kernel's at most, and mostly the same ones. */
#define ANSWERS 4096

struct fw_interest_answer {
	uint64_t name[2]; /* padded with zeros; both 0: free */
	bool yes;
};

struct fw_interest *fw_interest_new(void)
{
	struct fw_interest *i = fw_zalloc(sizeof(*i));

	i->bits = fw_calloc(FW_INTEREST_TIDS / 64, sizeof(*i->bits));
	i->answers = fw_calloc(ANSWERS, sizeof(*i->answers));
	return i;
}

struct fw_interest *fw_interest_all(void)
{
	struct fw_interest *i = fw_interest_new();

	memset(i->bits, 0xff, FW_INTEREST_TIDS / 8);
	i->n_tids = FW_INTEREST_TIDS;
	return i;
}

void fw_interest_free(struct fw_interest *i)
{
	if (!i)
		return;
	free(i->bits);
	free(i->answers);
	free(i);
}

void fw_interest_add(struct fw_interest *i, int32_t tid)
{
	uint32_t t = (uint32_t)tid;

	if (t >= FW_INTEREST_TIDS || fw_interest_has(i, tid))
		return;
	i->bits[t >> 6] |= 1ULL << (t & 63);
	if (i->n_tids < ARRAY_SIZE(i->tids))
		i->tids[i->n_tids] = tid;
	i->n_tids++;
	i->generation++;
}

/*
 * A name of one to sixteen bytes as two numbers, padded with zeros. By loads of fixed size: what is
 * stored by bytes and loaded by words waits for the stores.
 */
static void load_name(struct fw_str s, uint64_t name[2])
{
	uint64_t last = 0;
	size_t i;

	name[0] = name[1] = 0;
	if (s.len < 8) {
		for (i = 0; i < s.len; i++)
			name[0] |= (uint64_t)(uint8_t)s.p[i] << 8 * i;
		return;
	}
	memcpy(&name[0], s.p, 8);
	memcpy(&last, s.p + s.len - 8, 8);
	if (s.len > 8)
		name[1] = last >> 8 * (16 - s.len);
}

bool fw_interest_comm(struct fw_interest *i, struct fw_str comm)
{
	struct fw_interest_answer *a;
	uint64_t name[2];

	if (!i->comm_wanted || !comm.p)
		return false;
	if (!comm.len || comm.len > sizeof(name))
		return i->comm_wanted(i->ctx, comm);
	load_name(comm, name);
	a = &i->answers[fw_hash_u64(name[0] ^ name[1] * 31) % ANSWERS];
	if (a->name[0] != name[0] || a->name[1] != name[1]) {
		memcpy(a->name, name, sizeof(name));
		a->yes = i->comm_wanted(i->ctx, comm);
	}
	return a->yes;
}

bool fw_interest_event(struct fw_interest *i, const struct fw_event *ev)
{
	switch (ev->type) {
	case FW_EV_SCHED_SWITCH:
		if (fw_interest_comm(i, ev->sw.next_comm))
			fw_interest_add(i, ev->sw.next_tid);
		return fw_interest_has(i, ev->sw.prev_tid) || fw_interest_has(i, ev->sw.next_tid);
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		return fw_interest_has(i, ev->waking.tid);
	case FW_EV_BLOCKED_REASON:
		return fw_interest_has(i, ev->blocked.tid);
	}
	return true;
}
