/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_TRUTH_H
#define FW_GEN_TRUTH_H

#include <stdio.h>

#include "sim.h"

/* One thread in one frame's window [start, end). */
struct truth_window {
	int64_t surface_token; /* -1: a display frame's thread */
	int64_t display_token;
	const char *role;
	const struct thread *thread;
	int64_t start, end;
	const char *trouble; /* what was injected into this frame; "" */
};

void truth_header(FILE *f);
/* Times in ns; the states and unobserved add up to end - start. */
void truth_row(FILE *f, const struct sim *s, const char *const *symbols,
	       const struct truth_window *w);

#endif
