// SPDX-License-Identifier: GPL-2.0-or-later
/* Predictions, buffers and marks of frames. */
#include "frame/join.h"

#include "tap.h"

static uint64_t expect(struct fw_expectations *e, bool display, int32_t pid, int64_t token,
		       int64_t start, int64_t end)
{
	struct fw_expected x = { .token = token, .start = start, .end = end, .pid = pid };
	int64_t evicted;

	x.display = display;
	return fw_expectations_add(e, &x, &evicted);
}

static void predictions(void)
{
	struct fw_expectations e = { 0 };
	const struct fw_expected *x = NULL;
	uint64_t first;

	first = expect(&e, false, 5, 100, 1000000, 21000000);
	expect(&e, false, 5, 100, 1000538, 21000538);
	expect(&e, false, 6, 100, 5000000, 9000000);
	is_int(fw_expectations_find(&e, false, 5, 100, &x), 1,
	       "two layers write one prediction, half a microsecond apart");
	is_int(x->start, 1000000, "the first of them is it");
	is_int(fw_expectations_find(&e, false, 6, 100, &x), 1, "another process has its own");
	is_int(x->end, 9000000, "with its end");
	is_int(fw_expectations_find(&e, false, 7, 100, &x), 0, "a third has none");
	expect(&e, false, 5, 100, 8000000, 21000000);
	is_int(fw_expectations_find(&e, false, 5, 100, &x), 2, "different ones count");
	expect(&e, true, 711, 100, 1000000, 2000000);
	expect(&e, true, 711, 100, 1000000, 2000000);
	is_int(fw_expectations_find(&e, true, 0, 100, &x), 2, "those of the display all count");
	for (uint32_t i = 0; i < FW_EXPECTED_MAX; i++)
		expect(&e, false, 9, 1000 + i, 0, 1);
	ok(!fw_expectations_get(&e, first), "the oldest are forgotten");
	is_int(fw_expectations_find(&e, false, 5, 100, &x), 0, "and no longer found");
	is_int(fw_expectations_find(&e, false, 9, 1000, &x), 1, "the others are");
	fw_expectations_free(&e);
}

static struct fw_buffer *tracer(struct fw_buffers *b, int64_t ts, int type, uint32_t id,
				uint32_t number)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_FRAME_TRACER };

	ev.gfx.has = FW_GFX_HAS_TYPE | FW_GFX_HAS_BUFFER | FW_GFX_HAS_BUFFER_ID;
	ev.gfx.type = type;
	ev.gfx.buffer_id = id;
	ev.gfx.frame_number = number;
	return fw_buffers_feed(b, &ev, 1);
}

static bool phase(const struct fw_buffer *b, enum fw_buffer_phase_id id,
		  enum fw_phase_status status, int64_t ns)
{
	struct fw_buffer_phase p = fw_buffer_phase(b, id);

	return p.status == status && p.ns == ns;
}

static void phases(void)
{
	struct fw_buffers b = { 0 };
	struct fw_buffer *one, *two, *three;

	one = tracer(&b, 100, FW_GFX_DEQUEUE, 1, 7);
	ok(tracer(&b, 200, FW_GFX_QUEUE, 1, 7) == one, "events go by buffer and frame number");
	ok(phase(one, FW_APP_HOLD, FW_PHASE_CLOSED, 100), "app_hold is closed by the queue");
	ok(phase(one, FW_PRODUCER_FENCE_WAIT, FW_PHASE_OPEN, 0), "the fence wait is open");
	ok(phase(one, FW_ACQUIRE_TO_LATCH, FW_PHASE_ABSENT, 0), "what did not begin is absent");
	tracer(&b, 250, FW_GFX_ACQUIRE_FENCE, 1, 7);
	tracer(&b, 300, FW_GFX_LATCH, 1, 7);
	two = tracer(&b, 310, FW_GFX_DEQUEUE, 2, 8);
	tracer(&b, 320, FW_GFX_ACQUIRE_FENCE, 2, 8);
	tracer(&b, 330, FW_GFX_QUEUE, 2, 8);
	tracer(&b, 400, FW_GFX_PRESENT_FENCE, 1, 7);
	ok(phase(one, FW_PRODUCER_FENCE_WAIT, FW_PHASE_CLOSED, 50), "queue to signal");
	ok(phase(one, FW_ACQUIRE_TO_LATCH, FW_PHASE_CLOSED, 50), "signal to latch");
	ok(phase(one, FW_LATCH_TO_PRESENT, FW_PHASE_CLOSED, 100), "latch to present");
	ok(phase(one, FW_PRESENT_INTERVAL, FW_PHASE_OPEN, 0), "until the next one it is open");
	ok(phase(two, FW_PRODUCER_FENCE_WAIT, FW_PHASE_EARLY_ACQUIRE, 0),
	   "a signal before the queue is no wait");
	tracer(&b, 330, FW_GFX_LATCH, 2, 8);
	ok(phase(two, FW_ACQUIRE_TO_LATCH, FW_PHASE_ZERO, 0), "both at one time is zero");
	tracer(&b, 500, FW_GFX_PRESENT_FENCE, 2, 8);
	ok(phase(one, FW_PRESENT_INTERVAL, FW_PHASE_CLOSED, 100), "to the layer's next present");
	three = tracer(&b, 600, FW_GFX_DEQUEUE, 1, 9);
	ok(three != one, "the buffer's next round is another");
	tracer(&b, 610, FW_GFX_QUEUE, 1, 9);
	tracer(&b, 620, FW_GFX_LATCH, 1, 9);
	tracer(&b, 630, FW_GFX_ACQUIRE_FENCE, 1, 9);
	ok(phase(three, FW_ACQUIRE_TO_LATCH, FW_PHASE_EARLY_LATCH, 0), "latched before its signal");
	ok(tracer(&b, 635, FW_GFX_FALLBACK, 1, 7) == one, "a late event goes to its frame number");
	ok(!tracer(&b, 640, FW_GFX_RELEASE_FENCE, 1, 9), "a release is no part of the way");
	ok(tracer(&b, 650, FW_GFX_QUEUE, 5, 0) &&
		   tracer(&b, 660, FW_GFX_QUEUE, 5, 0) != fw_buffers_get(&b, 4),
	   "a second queue without a number is another buffer");
	fw_buffers_free(&b);
}

static enum fw_buffer_match buffer_in(struct fw_buffers *b, uint64_t newest, int64_t start,
				      int64_t end, uint32_t *n, struct fw_buffer **p)
{
	return fw_join_buffer(
		b, &(struct fw_buffer_wanted){ .newest = newest, .start = start, .end = end }, n,
		p);
}

static void buffer_not_waited_for(void)
{
	struct fw_buffers b = { 0 };
	struct fw_buffer_wanted dropped = { 3, 500000, 9000000, true };
	struct fw_buffer *p;
	uint32_t n;

	for (uint32_t i = 1; i <= 3; i++) {
		tracer(&b, i * 1000000, FW_GFX_DEQUEUE, i, i);
		tracer(&b, i * 1000000 + 500000, FW_GFX_QUEUE, i, i);
	}
	tracer(&b, 2000000, FW_GFX_LATCH, 1, 1);
	is_int(buffer_in(&b, 3, 500000, 1500500, &n, &p), FW_BUFFER_EXACT,
	       "latched before its fence: queued when the frame ended");
	tracer(&b, 8000000, FW_GFX_ACQUIRE_FENCE, 1, 1);
	is_int(buffer_in(&b, 3, 500000, 1500500, &n, &p), FW_BUFFER_EXACT,
	       "also when its fence is known later");
	ok(n == 1 && p && p->frame_number == 1, "it is that buffer");
	tracer(&b, 4000000, FW_GFX_ACQUIRE_FENCE, 3, 3);
	tracer(&b, 5000000, FW_GFX_LATCH, 3, 3);
	is_int(fw_join_buffer(&b, &dropped, &n, &p), FW_BUFFER_WINDOW,
	       "a dropped frame has the one that was not latched");
	ok(n == 1 && p && p->frame_number == 2, "it is that one");
	fw_buffers_free(&b);
}

static void buffer_of_frame(void)
{
	struct fw_buffers b = { 0 };
	struct fw_buffer *p;
	uint32_t n;

	tracer(&b, 1000000, FW_GFX_DEQUEUE, 1, 1);
	tracer(&b, 2000000, FW_GFX_QUEUE, 1, 1);
	tracer(&b, 3000000, FW_GFX_ACQUIRE_FENCE, 1, 1);
	is_int(buffer_in(&b, 1, 500000, 3000999, &n, &p), FW_BUFFER_EXACT,
	       "ready when the frame ended");
	ok(n == 1 && p && p->frame_number == 1, "it is that buffer");
	is_int(buffer_in(&b, 1, 500000, 3020000, &n, &p), FW_BUFFER_WINDOW,
	       "20 us off: only by the window");
	is_int(buffer_in(&b, 1, 3500000, 4000000, &n, &p), FW_BUFFER_NONE, "before the window");
	ok(!p && !n, "there is none");
	tracer(&b, 2500000, FW_GFX_DEQUEUE, 2, 2);
	tracer(&b, 2600000, FW_GFX_QUEUE, 2, 2);
	is_int(buffer_in(&b, 2, 500000, 9000000, &n, &p), FW_BUFFER_AMBIGUOUS, "two in the window");
	ok(!p && n == 2, "none is named");
	is_int(buffer_in(&b, 2, 500000, 3000000, &n, &p), FW_BUFFER_EXACT, "unless one is exact");
	is_int(buffer_in(&b, 0, 500000, 3000000, &n, &p), FW_BUFFER_NONE,
	       "a layer without buffers");
	fw_buffers_free(&b);
}

static void mark(struct fw_vsync_marks *m, int64_t ts, int32_t tid, const char *text)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_MARK, .tid = tid };

	ev.mark.text = fw_str(text);
	fw_vsync_marks_feed(m, &ev);
}

static void marks(void)
{
	struct fw_vsync_marks m = { 0 };
	const struct fw_vsync_mark *p;

	mark(&m, 90, 10, "B|10|before");
	mark(&m, 100, 10, "B|10|Choreographer#doFrame 77");
	mark(&m, 110, 10, "B|10|Choreographer#doFrame - resynced to 78 in 31.2ms");
	mark(&m, 120, 10, "E|10");
	mark(&m, 130, 11, "B|10|DrawFrames 77");
	mark(&m, 140, 11, "E|10");
	mark(&m, 200, 10, "E");
	mark(&m, 300, 11, "B|10|DrawFrames 77 again");
	mark(&m, 305, 11, "E|10");
	mark(&m, 310, 11, "B|10|DrawFrames 79x");
	p = fw_vsync_marks_find(&m, FW_MARK_DO_FRAME, 10, 77);
	ok(p && p->start == 100 && p->ns == 100 && p->count == 1 && !p->open,
	   "doFrame by its id, through what is nested in it");
	p = fw_vsync_marks_find(&m, FW_MARK_DRAW_FRAMES, 10, 77);
	ok(p && p->count == 2 && p->ns == 15, "DrawFrames of one id add up");
	ok(!fw_vsync_marks_find(&m, FW_MARK_DO_FRAME, 10, 78), "a resync is no frame");
	ok(!fw_vsync_marks_find(&m, FW_MARK_DRAW_FRAMES, 10, 79), "nor is another word");
	ok(!fw_vsync_marks_find(&m, FW_MARK_DO_FRAME, 11, 77), "nor another process's");
	mark(&m, 400, 10, "B|10|Choreographer#doFrame 80");
	p = fw_vsync_marks_find(&m, FW_MARK_DO_FRAME, 10, 80);
	ok(p && p->open == 1, "a mark without an end is open");
	fw_vsync_marks_free(&m);
}

int main(void)
{
	predictions();
	phases();
	buffer_of_frame();
	buffer_not_waited_for();
	marks();
	return done_testing();
}
