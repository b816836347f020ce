/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_TRACEDAT_H
#define FW_GEN_TRACEDAT_H

#include <stdbool.h>

#include "out.h"

/**
 * struct tracedat_opts - the shape of a trace.dat; what happens in it is always the same
 * @version: 6 or 7
 * @long_size: of the machine that was traced, 4 or 8
 * @compress: of version 7
 */
struct tracedat_opts {
	const char *path;
	int version, long_size;
	bool big;
	enum out_compress compress;
	int frames;
};

void tracedat_generate(const struct tracedat_opts *o);

#endif
