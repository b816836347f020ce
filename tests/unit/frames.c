// SPDX-License-Identifier: GPL-2.0-or-later
/* The store of frames: when they are settled, what they are joined to, and its bounds. */
#include "frame/frames.h"

#include <stdlib.h>

#include "tap.h"

#define SEC INT64_C(1000000000)
#define PID 5
#define SF 711

struct fixture {
	struct fw_names *names;
	struct fw_health *health;
	struct fw_interest *interest;
	struct fw_cpus cpus;
	struct fw_thread_states m;
	struct fw_windows ws;
	struct fw_roles roles;
	struct fw_directory d;
	struct fw_frames fs;
	int settled, open, displays;
	struct fw_frame last; /* copy of the last one settled */
	int64_t last_running, last_unobserved;
	uint32_t n_displays;
	bool nothing_wanted;
};

static void emit(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	fw_windows_account(&((struct fixture *)ctx)->ws, (struct fw_track *)t, iv);
}

static bool wanted(void *ctx, const struct fw_frame *f)
{
	return !((struct fixture *)ctx)->nothing_wanted;
}

static bool process_wanted(void *ctx, const struct fw_proc *p)
{
	return true;
}

static void passed(void *ctx, struct fw_frame *f)
{
	f->newest_buffer++;
}

static int settled(void *ctx, struct fw_frame *f)
{
	struct fixture *x = ctx;
	struct fw_frame *display = NULL;
	enum fw_role role = f->display ? FW_ROLE_SF : FW_ROLE_UI;

	x->settled++;
	x->open += f->end == FW_FRAME_OPEN;
	x->displays += f->display;
	x->last = *f;
	x->last_running = x->last_unobserved = -1;
	if (f->thread[role]) {
		x->last_running = f->thread[role]->ns[FW_FIG_RUNNING];
		x->last_unobserved = f->thread[role]->ns[FW_FIG_UNOBSERVED];
	}
	if (!f->display)
		x->n_displays = fw_frames_display(&x->fs, f->ft.display_token, &display);
	return 0;
}

static void followed(void *ctx, struct fw_track *t, int64_t now)
{
	fw_frames_followed(&((struct fixture *)ctx)->fs, t, now);
}

static struct fw_event timeline(int type, int64_t ts, int64_t cookie, int64_t token,
				int64_t display)
{
	bool surface = type == FW_EV_ACTUAL_SURFACE || type == FW_EV_EXPECTED_SURFACE;
	struct fw_event ev = { .ts = ts, .type = type, .cpu = -1, .tid = -1 };

	ev.ft.has = FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_PID | (surface ? FW_FT_DISPLAY_TOKEN : 0);
	ev.ft.cookie = cookie;
	ev.ft.token = token;
	ev.ft.display_token = display;
	ev.ft.pid = surface ? PID : SF;
	ev.ft.layer = surface ? FW_STR("TX - layer#1") : FW_STR_NONE;
	return ev;
}

static struct fixture *make(void)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct fw_event ev;

	f->names = fw_names_new();
	f->health = fw_health_new();
	f->interest = fw_interest_new();
	fw_thread_states_init(&f->m, &f->cpus, f->names, f->health);
	f->m.emit = emit;
	f->m.ctx = f;
	f->ws = (struct fw_windows){ .machine = &f->m, .cpus = &f->cpus, .names = f->names };
	fw_directory_init(&f->d, &f->roles, f->names, &f->m, &f->ws);
	f->d.followed = followed;
	f->d.ctx = f;
	fw_frames_init(&f->fs, &f->d, &f->ws, f->names, f->health);
	f->fs.wanted = wanted;
	f->fs.passed = passed;
	f->fs.settled = settled;
	f->fs.ctx = f;
	ev = timeline(FW_EV_ACTUAL_SURFACE, 0, 0, 0, 0);
	fw_directory_peek(&f->d, &ev);
	ev = timeline(FW_EV_ACTUAL_DISPLAY, 0, 0, 0, 0);
	fw_directory_peek(&f->d, &ev);
	fw_directory_begin(&f->d, f->interest, process_wanted, NULL);
	return f;
}

static void unmake(struct fixture *f)
{
	fw_frames_free(&f->fs);
	fw_directory_free(&f->d);
	fw_thread_states_free(&f->m);
	fw_cpus_free(&f->cpus);
	fw_interest_free(f->interest);
	fw_health_free(f->health);
	fw_names_free(f->names);
	is_int(f->ws.n, 0, "no window is left over");
	free(f);
}

static void feed(struct fixture *f, struct fw_event ev)
{
	fw_frames_advance(&f->fs, ev.ts);
	fw_frames_feed(&f->fs, &ev);
}

static void start(struct fixture *f, int type, int64_t ts, int64_t cookie, int64_t token,
		  int64_t display)
{
	feed(f, timeline(type, ts, cookie, token, display));
}

static void end(struct fixture *f, int64_t ts, int64_t cookie)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_FRAME_END };

	ev.ft.has = FW_FT_COOKIE;
	ev.ft.cookie = cookie;
	feed(f, ev);
}

static void sched(struct fixture *f, int64_t ts, int32_t prev, int32_t next, const char *comm)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_SCHED_SWITCH, .cpu = 0, .tid = prev };

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_state = 1;
	ev.sw.next_comm = fw_str(comm);
	fw_directory_feed(&f->d, &ev);
	fw_thread_states_feed(&f->m, &ev);
}

static void life(void)
{
	struct fixture *f = make();

	start(f, FW_EV_EXPECTED_SURFACE, SEC, 1, 100, 200);
	start(f, FW_EV_ACTUAL_SURFACE, SEC, 2, 100, 200);
	sched(f, SEC + 100, 0, PID, "main");
	sched(f, SEC + 400, PID, 0, "swapper");
	end(f, SEC + 1000, 1);
	end(f, SEC + 2000, 2);
	start(f, FW_EV_ACTUAL_DISPLAY, SEC + 3000, 3, 200, 0);
	end(f, SEC + 4000, 3);
	fw_frames_advance(&f->fs, SEC + 2000 + FW_SETTLE_NS);
	is_int(f->settled, 0, "a frame waits for what belongs to it");
	fw_frames_advance(&f->fs, SEC + 2001 + FW_SETTLE_NS);
	is_int(f->settled, 1, "10 s after its end it is settled");
	is_int(f->last.end - f->last.start, 2000, "with its end");
	is_int(f->last_running, 300, "its ui thread's time");
	is_int(f->last_unobserved, 100, "and what nobody saw");
	is_int(f->n_displays, 1, "its display frame is there");
	is_int((int64_t)f->last.newest_buffer, 1, "its end was passed once");
	ok(fw_str_eq(fw_names_str(f->names, f->last.plain_layer), FW_STR("layer#1")),
	   "the layer as FrameTracer calls it");
	fw_frames_finish(&f->fs, 20 * SEC);
	is_int(f->settled, 2, "at the end of the recording all are");
	end(f, 21 * SEC, 2);
	is_int(fw_health_sum(f->health, FW_H_frame_timeline_unpaired_end_event), 1,
	       "a second end ends nothing, and is counted");
	unmake(f);
}

static void wrong(void)
{
	struct fixture *f = make();
	struct fw_event ev = timeline(FW_EV_ACTUAL_SURFACE, SEC, 1, 1, 1);

	ev.ft.has &= ~FW_FT_DISPLAY_TOKEN;
	feed(f, ev);
	ev = timeline(FW_EV_ACTUAL_DISPLAY, SEC, 1, 1, 1);
	ev.ft.has &= ~FW_FT_PID;
	feed(f, ev);
	ev.ft.has = FW_FT_EMPTY;
	feed(f, ev);
	is_int(fw_health_sum(f->health, FW_H_frame_timeline_event_parser_errors), 3,
	       "events without a required field are refused and counted");
	f->nothing_wanted = true;
	start(f, FW_EV_ACTUAL_SURFACE, SEC, 7, 1, 1);
	start(f, FW_EV_ACTUAL_DISPLAY, SEC, 8, 1, 1);
	end(f, 2 * SEC, 7);
	end(f, 2 * SEC, 8);
	fw_frames_finish(&f->fs, 3 * SEC);
	is_int(f->settled, 0, "frames that nobody wants have no rows");
	is_int(fw_health_sum(f->health, FW_H_frame_timeline_unpaired_end_event), 0,
	       "but their ends are theirs");
	unmake(f);
}

static void bounds(void)
{
	struct fixture *f = make();
	struct fw_frame *display;

	for (uint32_t i = 0; i < FW_FRAMES_OPEN_MAX + 10; i++)
		start(f, FW_EV_ACTUAL_SURFACE, SEC + i, i, i, i);
	is_int(f->open, 10, "of too many frames without an end the oldest are given up");
	end(f, 2 * SEC, 3);
	is_int(fw_health_sum(f->health, FW_H_frame_timeline_unpaired_end_event), 1,
	       "an end that comes later ends nothing");
	for (uint32_t i = 0; i < FW_DISPLAY_FRAMES_MAX + 10; i++) {
		start(f, FW_EV_ACTUAL_DISPLAY, 3 * SEC + i, 100000 + i, i < 300 ? 7 : 1000 + i, 0);
		if (i % 2)
			end(f, 3 * SEC + i, 100000 + i);
	}
	is_int(fw_frames_display(&f->fs, 7, &display), FW_DISPLAYS_OF_TOKEN_MAX,
	       "display frames of one token are counted up to a bound");
	ok(f->displays >= 10, "the oldest display frames are settled for new ones");
	fw_frames_finish(&f->fs, 10 * SEC);
	is_int(f->settled, FW_FRAMES_OPEN_MAX + 10 + FW_DISPLAY_FRAMES_MAX + 10,
	       "each frame is settled once");
	unmake(f);
}

static void late_threads(void)
{
	struct fixture *f = make();
	struct fw_event born = { .ts = SEC + 10, .type = FW_EV_TASK_NEWTASK, .cpu = 0, .tid = PID };

	born.task.tid = 77;
	born.task.clone_flags = 0x10000;
	start(f, FW_EV_ACTUAL_SURFACE, SEC, 1, 1, 1);
	fw_directory_feed(&f->d, &born);
	fw_thread_states_feed(&f->m, &born);
	sched(f, SEC + 20, 0, 77, "main");
	sched(f, SEC + 30, 77, 0, "swapper");
	sched(f, SEC + 40, 0, 77, "RenderThread");
	sched(f, SEC + 60, 77, 78, "Binder");
	end(f, SEC + 100, 1);
	fw_frames_finish(&f->fs, 2 * SEC);
	is_int(f->last.n_threads[FW_ROLE_RENDER], 1, "a RenderThread that was born in the frame");
	is_int(f->last.n_threads[FW_ROLE_UI], 1, "beside the ui thread");
	unmake(f);

	f = make();
	start(f, FW_EV_ACTUAL_SURFACE, SEC, 1, 1, 1);
	born.task.tid = 79;
	fw_directory_feed(&f->d, &born);
	fw_thread_states_feed(&f->m, &born);
	sched(f, SEC + 20, 0, 79, "RenderThread");
	sched(f, SEC + 30, 79, 0, "swapper");
	sched(f, SEC + 40, 0, 79, "hwuiTask0");
	end(f, SEC + 100, 1);
	fw_frames_finish(&f->fs, 2 * SEC);
	is_int(f->last.n_threads[FW_ROLE_RENDER], 0, "one that bore its parent's name is none");
	unmake(f);
}

int main(void)
{
	life();
	wrong();
	bounds();
	late_threads();
	return done_testing();
}
