// SPDX-License-Identifier: GPL-2.0-or-later
/* Phases of buffers: missing, early and doubled events; memory that goes with the buffer. */
#include "model/frame_tracer.h"

#include "tap.h"

static struct fw_health *health;
static struct fw_names *names;
static struct fw_frame_tracer g;
static char got[2048];

static void done(void *ctx, const struct fw_buffer_slice *s)
{
	static const char *const phases[] = { "event", "app", "gpu", "sf", "display" };
	size_t n = strlen(got);

	if (s->phase != FW_PHASE_NONE)
		snprintf(got + n, sizeof(got) - n, "%s%s%u:%jd+%jd=%jd/%u", n ? " " : "",
			 phases[s->phase], s->buffer_id, (intmax_t)s->ts, (intmax_t)s->dur,
			 (intmax_t)s->name, s->frame_number);
}

static void begin(bool tp_keys)
{
	health = fw_health_new();
	names = fw_names_new();
	fw_frame_tracer_init(&g, names, health);
	g.tp_keys = tp_keys;
	g.done = done;
	got[0] = '\0';
}

static void finish(void)
{
	fw_frame_tracer_finish(&g);
	fw_names_free(names);
	fw_health_free(health);
}

static void put_on(const char *layer, int64_t ts, uint32_t buffer, enum fw_gfx_type type,
		   uint32_t frame)
{
	struct fw_event ev = { .type = FW_EV_FRAME_TRACER, .ts = ts, .tid = -1 };

	ev.gfx = (struct fw_ev_frame_tracer){
		.has = FW_GFX_HAS_TYPE | FW_GFX_HAS_BUFFER | FW_GFX_HAS_BUFFER_ID,
		.type = type,
		.buffer_id = buffer,
		.frame_number = frame,
		.layer = fw_str(layer),
	};
	fw_frame_tracer_feed(&g, &ev);
}

static void put(int64_t ts, enum fw_gfx_type type, uint32_t frame)
{
	put_on("L", ts, 1, type, frame);
}

static void a_life(void)
{
	begin(false);
	put(10, FW_GFX_DEQUEUE, 0);
	put(20, FW_GFX_QUEUE, 7);
	put(30, FW_GFX_ACQUIRE_FENCE, 7);
	put(40, FW_GFX_LATCH, 7);
	put(50, FW_GFX_PRESENT_FENCE, 7);
	is_int(g.states.n + g.buffers.n, 0, "nothing is kept of a buffer that was shown");
	fw_frame_tracer_finish(&g);
	is_str(got, "app1:10+10=7/7 gpu1:20+10=7/7 sf1:40+10=7/7 display0:50+-1=7/7",
	       "the phases of one frame");
	finish();
}

static void odd_orders(void)
{
	begin(false);
	put(10, FW_GFX_DEQUEUE, 0);
	put(15, FW_GFX_ACQUIRE_FENCE, 0);
	put(20, FW_GFX_QUEUE, 7);
	is_str(got, "app1:10+10=7/7", "a fence before the queue: nobody waits for it");
	finish();

	begin(false);
	put(10, FW_GFX_DEQUEUE, 0);
	put(10, FW_GFX_ACQUIRE_FENCE, 0);
	put(20, FW_GFX_QUEUE, 7);
	fw_frame_tracer_finish(&g);
	is_str(got, "app1:10+10=7/7 gpu1:20+-1=7/7", "one at the dequeue itself is an older one");
	finish();

	begin(false);
	put(10, FW_GFX_DEQUEUE, 0);
	put(20, FW_GFX_DEQUEUE, 0);
	put(30, FW_GFX_QUEUE, 8);
	fw_frame_tracer_finish(&g);
	is_str(got, "app1:20+10=8/8 app1:10+-1=0/0 gpu1:30+-1=8/8",
	       "of two dequeues the queue ends the last one");
	finish();

	begin(false);
	put(10, FW_GFX_DEQUEUE, 0);
	put(20, FW_GFX_LATCH, 9);
	fw_frame_tracer_finish(&g);
	is_str(got, "app1:10+-1=0/0 sf1:20+-1=9/9",
	       "a latch without its queue leaves the app's open");
	finish();
}

static void keys(void)
{
	begin(true);
	put_on("2x", 10, 1, FW_GFX_DEQUEUE, 0);
	put_on("x", 20, 12, FW_GFX_QUEUE, 5);
	fw_frame_tracer_finish(&g);
	ok(strstr(got, "app1:10+-1=5/0") != NULL,
	   "trace_processor takes 1 of 2x and 12 of x for one");
	finish();

	begin(false);
	put_on("2x", 10, 1, FW_GFX_DEQUEUE, 0);
	put_on("x", 20, 12, FW_GFX_QUEUE, 5);
	fw_frame_tracer_finish(&g);
	ok(strstr(got, "app1:10+-1=10/0") != NULL, "framewait does not");
	finish();
}

static void counts(void)
{
	struct fw_event ev = { .type = FW_EV_FRAME_TRACER, .ts = 5 };

	begin(false);
	fw_frame_tracer_feed(&g, &ev);
	is_int(fw_health_sum(health, FW_H_graphics_frame_event_parser_errors), 0,
	       "an event without a buffer event is none");
	ev.gfx.has = FW_GFX_HAS_BUFFER;
	fw_frame_tracer_feed(&g, &ev);
	is_int(fw_health_sum(health, FW_H_graphics_frame_event_parser_errors), 1,
	       "a buffer without an id is an error");
	put(10, FW_GFX_PRESENT_FENCE, 1);
	is_int(fw_health_sum(health, FW_H_graphics_frame_event_parser_errors), 2,
	       "every type but four counts as one");
	finish();
}

int main(void)
{
	a_life();
	odd_orders();
	keys();
	counts();
	return done_testing();
}
