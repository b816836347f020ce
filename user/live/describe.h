/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_DESCRIBE_H
#define FW_LIVE_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fw_session;
struct fw_record_stats;

/* Lines key=value for the head of a capture: versions, kernel, device, what is recorded. free(). */
char *fw_describe(struct fw_session *s, uint64_t start, bool marks, const char *sf,
		  const char *note);
/* The same for its end. */
char *fw_describe_end(const struct fw_record_stats *st);

/* What a rung is called: in `framewait check`, and in the head of a capture. */
const char *fw_rung_name(int rung);

/* Is this text of trace_marker the begin of a frame: "B|pid|Choreographer#doFrame 1", or @name? */
bool fw_mark_begins_frame(const char *text, size_t len, const char *name);
/* Does it tell of frames: Choreographer#doFrame, DrawFrames, commit, composite with a number? */
bool fw_mark_is_frames(const char *text, size_t len);

#endif
