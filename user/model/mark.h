/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_MARK_H
#define FW_MODEL_MARK_H

#include <stdint.h>

#include "base/str.h"
#include "input/event.h"

/*
 * Trace marks: the text that atrace and its users write to trace_marker ("B|1234|name"), and the
 * same thing from the kernel in fields. The grammar is trace_processor's (systrace_parser.h,
 * v57.2).
 */
enum fw_mark_result {
	FW_MARK_OK,
	FW_MARK_FAILED, /* no mark: counted */
	FW_MARK_IGNORED, /* a line that is known to mean nothing */
};

/**
 * struct fw_mark - one mark
 * @phase: B begin, E end, I instant (of the thread); S start, F finish, N instant, G start,
 *	H finish (of the process); C counter
 * @tgid: the process as the writer named it; 0: it named none
 * @name: of the slice or counter
 * @track: N, G, H: the track's name
 * @value: C: the counter's value; S, F, G, H: the cookie
 */
struct fw_mark {
	char phase;
	uint32_t tgid;
	struct fw_str name, track;
	int64_t value;
};

/**
 * fw_mark_parse() - read the text of one mark
 * @m: filled on FW_MARK_OK; its strings borrow from @text
 */
enum fw_mark_result fw_mark_parse(struct fw_str text, struct fw_mark *m);

/**
 * struct fw_mark_reader - room for a mark whose text had to be cleaned; zero-initialise
 */
struct fw_mark_reader {
	char *buf;
	size_t cap;
};

void fw_mark_reader_free(struct fw_mark_reader *r);

/**
 * fw_mark_read() - the mark of an FW_EV_MARK or FW_EV_VENDOR_MARK event
 *
 * Bytes that are not UTF-8 are left out first. Strings of @m borrow from the event or from @r and
 * live until the next call.
 */
enum fw_mark_result fw_mark_read(struct fw_mark_reader *r, const struct fw_event *ev,
				 struct fw_mark *m);

#endif
