/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_SF_WATCH_H
#define FW_LIVE_SF_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fw_sf_watch - has a kind of event come lately?
 * @what: its name in a sentence
 * @limit: silence of so many ns is worth a word; doubles each time, an idle screen is normal
 */
struct fw_sf_watch {
	const char *what;
	uint64_t since, limit;
	bool seen, silent;
};

void fw_sf_watch_begin(struct fw_sf_watch *w, const char *what, uint64_t now);
/* One came; that silence is over is said. */
void fw_sf_watch_came(struct fw_sf_watch *w, uint64_t now);

/**
 * fw_sf_watch_silent() - which of them have become silent?
 * @names: their names as in "no A and no B"
 * Return: for how many ns, or 0 when there is nothing new to say.
 */
uint64_t fw_sf_watch_silent(struct fw_sf_watch *w, size_t n, uint64_t now, char *names,
			    size_t size);

#endif
