/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_TOP_BUFFER_H
#define FW_LIVE_TOP_BUFFER_H

/**
 * struct fw_top_buffer - the trace buffer that all users of tracefs share, borrowed
 *
 * Before copy_trace_marker, marks stand in no other one. It is taken only while nobody traces into it
 * (no event on, tracer "nop") and by one recording at a time; its clock is boot meanwhile, and a change
 * of clock empties it. Whoever reads trace_pipe beside it shares the marks with it.
 */
struct fw_top_buffer;

/* Return: 0, or -EBUSY and the like with fw_fail() set. Changes nothing. */
int fw_top_buffer_possible(void);
int fw_top_buffer_take(struct fw_top_buffer **out);
/* As it was before; NULL is allowed. */
void fw_top_buffer_give_back(struct fw_top_buffer *b);

#endif
