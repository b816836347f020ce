/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_WAKERS_H
#define FW_LIVE_WAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "framewait/record.h"

/*
 * Names of wakers that are no targets. Nobody says when such a thread ends and its id goes to
 * another, so what is known of one holds for a while only; and there may be as many as there
 * are ids, so the last of those that share a place pushes the others out.
 */
#define FW_WAKERS 4096
#define FW_WAKER_HOLDS_NS 5000000000ull

struct fw_waker {
	uint64_t until; /* BOOTTIME ns */
	uint32_t tid;
	char comm[FW_COMM_LEN]; /* as it was told last; not always terminated */
};

/* Zero-initialise. */
struct fw_wakers {
	struct fw_waker slots[FW_WAKERS];
};

/**
 * fw_wakers_ask() - is it time to look for the name of @tid?
 * @ts: BOOTTIME ns; what is older than the last look at this thread is no time to look again
 */
bool fw_wakers_ask(struct fw_wakers *w, uint32_t tid, uint64_t ts);

/**
 * fw_wakers_is_news() - has @tid another name than the one that was told last?
 * @comm: as fw_wakers_ask() led to it, NUL-terminated; told now
 */
bool fw_wakers_is_news(struct fw_wakers *w, uint32_t tid, const char *comm);

#endif
