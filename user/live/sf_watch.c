// SPDX-License-Identifier: GPL-2.0-or-later
/* sf_watch - silence is said while it lasts, not at the end */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/sf_watch.h"

#define SECOND 1000000000ull
#define LIMIT (5 * SECOND)
#define LIMIT_MAX (640 * SECOND)

void fw_sf_watch_begin(struct fw_sf_watch *w, const char *what, uint64_t now)
{
	*w = (struct fw_sf_watch){ .what = what, .since = now, .limit = LIMIT };
}

void fw_sf_watch_came(struct fw_sf_watch *w, uint64_t now)
{
	if (w->silent && w->seen)
		fw_warn("%s again, after %.1f s", w->what, (now - w->since) / 1e9);
	else if (w->silent)
		fw_warn("the first %s, after %.1f s", w->what, (now - w->since) / 1e9);
	if (w->silent && w->seen)
		w->limit = FW_MIN(w->limit * 2, LIMIT_MAX);
	w->seen = true;
	w->silent = false;
	w->since = now;
}

uint64_t fw_sf_watch_silent(struct fw_sf_watch *w, size_t n, uint64_t now, char *names, size_t size)
{
	uint64_t longest = 0;
	bool due = false;

	for (size_t i = 0; i < n; i++)
		due |= !w[i].silent && now >= w[i].since + w[i].limit;
	names[0] = '\0';
	/* What is about to be said too is said at once. */
	for (size_t i = 0; i < n && due; i++) {
		size_t len = strlen(names);

		if (w[i].silent || now + SECOND < w[i].since + w[i].limit)
			continue;
		w[i].silent = true;
		longest = FW_MAX(longest, now - w[i].since);
		snprintf(names + len, size - len, "%sno %s", len ? " and " : "", w[i].what);
	}
	return longest;
}
