/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_PERFETTO_H
#define FW_LIVE_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/helper.h"

/**
 * struct fw_perfetto - the program perfetto, recording SurfaceFlinger for us into a file
 * @path: the file that it writes now
 * @said: the last line that it said
 */
struct fw_perfetto {
	struct fw_helper program;
	char path[256];
	char said[200];
	size_t n_said;
	bool line_over;
	uint64_t started, next_start;
	uint32_t wait_s;
};

/**
 * struct fw_perfetto_answer - what the program and its service say when asked
 * @works: both are there
 * @why: else what is missing, as a sentence
 * @timeline, @tracer: SurfaceFlinger has registered the data source
 */
struct fw_perfetto_answer {
	bool works, timeline, tracer;
	char why[256];
};

/* Ask (perfetto --query); takes as long as the service needs, at most 3 s. */
void fw_perfetto_ask(struct fw_perfetto_answer *a);

void fw_perfetto_init(struct fw_perfetto *p);
/* Start it, with a new file. Return: 0, or a negative errno with fw_fail() set. */
int fw_perfetto_start(struct fw_perfetto *p);
/* Did it end since? Then *@how says how. */
bool fw_perfetto_died(struct fw_perfetto *p, char *how, size_t size);
/* Is it time to start it again? The pause after each early death doubles, up to 8 s. */
bool fw_perfetto_due(const struct fw_perfetto *p, uint64_t now);
/* Ask it to end; fw_perfetto_died() tells when. */
void fw_perfetto_stop(struct fw_perfetto *p);
/* The file has no need of a name any more. */
void fw_perfetto_unlink(struct fw_perfetto *p);
/* Gone now, by force where need be. Return: false where it was. */
bool fw_perfetto_end(struct fw_perfetto *p);

#endif
