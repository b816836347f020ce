// SPDX-License-Identifier: GPL-2.0-or-later
/* FrameTimeline: pairing by cookie, what is missing, what counts twice. */
#include "model/frame_timeline.h"

#include "tap.h"

#define NEEDED (FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_DISPLAY_TOKEN | FW_FT_PID)

static struct fw_health *health;
static struct fw_names *names;
static struct fw_tasks *tasks;
static struct fw_frame_timeline ft;
static char got[1024];

static void done(void *ctx, const struct fw_timeline_frame *f)
{
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%c%jd:%jd+%jd", n ? " " : "", f->actual ? 'a' : 'e',
		 (intmax_t)f->token, (intmax_t)f->ts, (intmax_t)f->dur);
}

static void begin(void)
{
	health = fw_health_new();
	names = fw_names_new();
	tasks = fw_tasks_new(names);
	fw_frame_timeline_init(&ft, tasks, names, health);
	ft.done = done;
	got[0] = '\0';
}

static void finish(void)
{
	fw_frame_timeline_finish(&ft);
	fw_tasks_free(tasks);
	fw_names_free(names);
	fw_health_free(health);
}

static void feed(enum fw_event_type type, int64_t ts, int64_t cookie, int64_t token, uint32_t has)
{
	struct fw_event ev = { .type = type, .ts = ts, .tid = -1 };

	ev.ft = (struct fw_ev_frame_timeline){
		.has = has, .cookie = cookie, .token = token, .pid = 9, .jank_type = 1
	};
	fw_frame_timeline_feed(&ft, &ev);
}

static void start(enum fw_event_type type, int64_t ts, int64_t cookie, int64_t token)
{
	feed(type, ts, cookie, token, NEEDED);
}

static void end(int64_t ts, int64_t cookie)
{
	feed(FW_EV_FRAME_END, ts, cookie, 0, FW_FT_COOKIE);
}

static int64_t errors(void)
{
	return fw_health_sum(health, FW_H_frame_timeline_event_parser_errors);
}

static int64_t unpaired(void)
{
	return fw_health_sum(health, FW_H_frame_timeline_unpaired_end_event);
}

static void pairs(void)
{
	begin();
	start(FW_EV_EXPECTED_SURFACE, 10, 1, 7);
	start(FW_EV_ACTUAL_SURFACE, 12, 2, 7);
	start(FW_EV_ACTUAL_SURFACE, 14, 3, 8);
	end(20, 1);
	end(22, 2);
	end(24, 9);
	is_int(unpaired(), 1, "an end without a start is counted");
	end(26, 2);
	is_int(unpaired(), 2, "so is a second end");
	fw_frame_timeline_finish(&ft);
	is_str(got, "e7:10+10 a7:12+10 a8:14+-1", "starts and ends by cookie; one never ended");
	finish();
}

static void doubles(void)
{
	begin();
	start(FW_EV_EXPECTED_SURFACE, 10, 1, 7);
	start(FW_EV_EXPECTED_SURFACE, 11, 2, 7);
	end(20, 1);
	end(21, 2);
	is_str(got, "e7:10+10", "of one token the first expectation counts");
	is_int(unpaired(), 0, "and the end of the other is no error");
	finish();

	begin();
	start(FW_EV_ACTUAL_SURFACE, 10, 1, 7);
	start(FW_EV_ACTUAL_SURFACE, 11, 1, 8);
	end(20, 1);
	end(30, 1);
	fw_frame_timeline_finish(&ft);
	is_str(got, "a8:11+9 a7:10+-1", "a cookie used again before its end nests");
	finish();
}

static void errors_counted(void)
{
	struct fw_event ev = { .type = FW_EV_FRAME_END, .ts = 5, .tid = -1 };

	begin();
	feed(FW_EV_ACTUAL_SURFACE, 10, 1, 7, NEEDED & ~(uint32_t)FW_FT_DISPLAY_TOKEN);
	feed(FW_EV_ACTUAL_DISPLAY, 10, 1, 7, FW_FT_COOKIE | FW_FT_TOKEN);
	is_int(errors(), 2, "a start needs its cookie, tokens and pid");
	feed(FW_EV_ACTUAL_DISPLAY, 10, 1, 7, FW_FT_COOKIE | FW_FT_TOKEN | FW_FT_PID);
	is_int(errors(), 2, "a display frame has one token");
	feed(FW_EV_ACTUAL_SURFACE, 10, 2, 7, NEEDED | FW_FT_PRESENT_TYPE);
	is_int(errors(), 3, "a present type of 0 is no present type");
	ev.ft.has = FW_FT_EMPTY;
	fw_frame_timeline_feed(&ft, &ev);
	feed(FW_EV_FRAME_END, 10, 0, 0, 0);
	is_int(errors(), 5, "nor does an empty event say anything, nor an end without a cookie");
	feed(FW_EV_ACTUAL_SURFACE, INT64_MAX - 1, 3, 7, NEEDED);
	is_int(errors(), 6, "a time at the end of the axis is refused");
	finish();
}

int main(void)
{
	pairs();
	doubles();
	errors_counted();
	return done_testing();
}
