// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/join.h"

#include "base/mem.h"

/* A buffer queue has at most 64 slots: older buffers of the layer were done. */
#define LOOK_AT 64

const char *fw_buffer_match_name(enum fw_buffer_match m)
{
	static const char *const names[] = { "none", "exact", "window", "ambiguous" };

	return names[m];
}

static bool at(int64_t ts, int64_t end)
{
	return ts != FW_NOT_SEEN && ts >= 0 && ts >= end - FW_JOIN_BOUND_NS &&
	       ts - FW_JOIN_BOUND_NS <= end;
}

/* Latched while its fence was pending, a frame ends when its buffer was queued. */
static bool latched_unsignaled(const struct fw_buffer *p)
{
	return p->ts[FW_BUF_LATCH] != FW_NOT_SEEN && (p->ts[FW_BUF_ACQUIRE] == FW_NOT_SEEN ||
						      p->ts[FW_BUF_ACQUIRE] > p->ts[FW_BUF_LATCH]);
}

static bool ends_with(const struct fw_buffer *p, int64_t end)
{
	if (latched_unsignaled(p))
		return at(p->ts[FW_BUF_QUEUE], end);
	return at(fw_buffer_ready(p), end);
}

/* Was the producer at work on it in [start, end)? */
static bool overlaps(const struct fw_buffer *p, int64_t start, int64_t end)
{
	int64_t first = INT64_MAX, last = FW_NOT_SEEN;

	for (int i = FW_BUF_DEQUEUE; i <= FW_BUF_ACQUIRE; i++) {
		if (p->ts[i] == FW_NOT_SEEN)
			continue;
		first = FW_MIN(first, p->ts[i]);
		last = FW_MAX(last, p->ts[i]);
	}
	return last != FW_NOT_SEEN && first < end && last >= start;
}

enum fw_buffer_match fw_join_buffer(struct fw_buffers *b, const struct fw_buffer_wanted *wanted,
				    uint32_t *n, struct fw_buffer **buffer)
{
	struct fw_buffer *p = fw_buffers_get(b, wanted->newest), *exact = NULL, *within = NULL;
	uint32_t n_exact = 0, n_within = 0;

	for (int i = 0; p && i < LOOK_AT; i++, p = fw_buffers_get(b, p->older)) {
		if (wanted->dropped && p->ts[FW_BUF_LATCH] != FW_NOT_SEEN)
			continue;
		if (ends_with(p, wanted->end)) {
			n_exact++;
			exact = p;
		}
		if (overlaps(p, wanted->start, wanted->end)) {
			n_within++;
			within = p;
		}
	}
	*n = n_exact ? n_exact : n_within;
	*buffer = NULL;
	if (*n > 1)
		return FW_BUFFER_AMBIGUOUS;
	*buffer = n_exact ? exact : within;
	return n_exact ? FW_BUFFER_EXACT : n_within ? FW_BUFFER_WINDOW : FW_BUFFER_NONE;
}

/* How many of the layer's buffers waited to be latched when this one was queued. */
static int queue_depth(struct fw_buffers *b, const struct fw_buffer *buffer)
{
	int64_t queued = buffer->ts[FW_BUF_QUEUE];
	const struct fw_buffer *p = fw_buffers_get(b, buffer->older);
	int n = 0;

	if (queued == FW_NOT_SEEN)
		return -1;
	for (int i = 0; p && i < LOOK_AT; i++, p = fw_buffers_get(b, p->older))
		n += p->ts[FW_BUF_QUEUE] != FW_NOT_SEEN && p->ts[FW_BUF_QUEUE] <= queued &&
		     p->ts[FW_BUF_LATCH] > queued;
	return n;
}

static void join_display(struct fw_frames *fs, const struct fw_frame *f, struct fw_join *j)
{
	j->n_displays = fw_frames_display(fs, f->ft.display_token, &j->displayed);
	if (j->n_displays != 1)
		j->displayed = NULL;
	if (fw_expectations_find(&fs->expected, true, 0, f->ft.display_token,
				 &j->display_expected) != 1)
		j->display_expected = NULL;
}

int fw_join_frame(struct fw_frames *fs, struct fw_buffers *b, const struct fw_vsync_marks *marks,
		  bool tracer_seen, const struct fw_frame *f, struct fw_join *j)
{
	struct fw_buffer_wanted wanted = { .newest = f->newest_buffer,
					   .start = f->start,
					   .end = f->end,
					   .dropped = fw_frame_dropped(f) };

	*j = (struct fw_join){ .queue_depth = -1 };
	j->n_expected = fw_expectations_find(&fs->expected, f->display, f->ft.pid, f->ft.token,
					     &j->expected);
	if (j->n_expected != 1)
		j->expected = NULL;
	if (f->display)
		return 0;
	join_display(fs, f, j);
	for (int k = FW_MARK_DO_FRAME; k <= FW_MARK_DRAW_FRAMES; k++)
		j->marks[k] = fw_vsync_marks_find(marks, k, f->ft.pid, f->ft.token);
	j->asked_buffer = tracer_seen && f->plain_layer && f->end != FW_FRAME_OPEN &&
			  (!(f->ft.has & FW_FT_IS_BUFFER) || f->ft.is_buffer);
	if (j->asked_buffer)
		j->buffer_match = fw_join_buffer(b, &wanted, &j->n_buffers, &j->buffer);
	if (j->buffer)
		j->queue_depth = queue_depth(b, j->buffer);
	return j->displayed ? fw_frame_sum(fs, j->displayed) : 0;
}
