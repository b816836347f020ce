/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_WAKERS_H
#define FW_LIVE_WAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "framewait/record.h"

/*
 * Names of wakers that are no targets. Nobody says when such a thread ends and its id goes to
 * another, so what is known of one holds for a while only; and there may be as many as there are
 * ids, so when there are too many, all are forgotten.
 */
#define FW_WAKERS 4096
#define FW_WAKER_HOLDS_NS 5000000000ull

struct fw_waker {
	uint64_t until; /* BOOTTIME ns */
	char comm[FW_COMM_LEN]; /* as it was told last; not always terminated */
};

/* Zero-initialise; release with fw_wakers_free(). */
struct fw_wakers {
	struct fw_map place; /* of a thread id, in @known */
	struct fw_waker known[FW_WAKERS];
};

/**
 * fw_wakers_ask() - is it time to look for the name of @tid?
 * @ts: BOOTTIME ns
 * Return: its place, valid until the next call, or NULL: not yet
 */
struct fw_waker *fw_wakers_ask(struct fw_wakers *w, uint32_t tid, uint64_t ts);

/**
 * fw_waker_is_news() - has the thread another name than the one that was told last?
 * @comm: NUL-terminated; told now
 */
bool fw_waker_is_news(struct fw_waker *w, const char *comm);

void fw_wakers_free(struct fw_wakers *w);

#endif
