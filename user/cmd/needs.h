/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_NEEDS_H
#define FW_CMD_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct fw_need - what a full frame row is made of, and how to record it
 * @kinds, @names: an input that counts any of these of one of these kinds has it (comma-separated)
 * @columns: what stays empty without it
 * @config: lines of a Perfetto TraceConfig that record it
 * @stream: a capture has it from SurfaceFlinger's stream
 */
struct fw_need {
	const char *what;
	const char *kinds;
	const char *names;
	const char *columns;
	const char *config;
	bool stream;
};

/* Iterate from 0; NULL at the end. */
const struct fw_need *fw_need_at(size_t i);

#endif
