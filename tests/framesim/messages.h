/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAMESIM_MESSAGES_H
#define FW_FRAMESIM_MESSAGES_H

#include <stdint.h>
#include <sys/types.h>

/* What goes over the wires, each beside a fence. */

/* App to SurfaceFlinger: a buffer, with its acquire fence. */
struct buffer_msg {
	uint64_t record;
};

/* SurfaceFlinger to app: a buffer is free, with its release fence. */
struct released_msg {
	pid_t pid;
	int layer, slot;
};

/* SurfaceFlinger to composer: show it at a time, after @slow ns of work that it should not need. */
struct compose_msg {
	int64_t token, at, period, slow;
};

/* Back, with the present fence. @slow: as measured */
struct composed_msg {
	int64_t slow;
};

#endif
