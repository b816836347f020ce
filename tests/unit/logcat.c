// SPDX-License-Identifier: GPL-2.0-or-later
/* The log: every format's head, and what begins and ends an animation. */
#include "input/side/logcat.h"

#include "../fuzz/harness.h"
#include "tap.h"

static struct fw_log_line l;

static bool is(struct fw_str s, const char *want)
{
	if (fw_str_eq(s, fw_str(want)))
		return true;
	diag("got \"%.*s\", want \"%s\"", FW_STR_ARG(s), want ? want : "(absent)");
	return false;
}

/* The head of a line: its ids, tag and message. */
static void head(const char *line, const char *what, int pid, int tid, const char *tag,
		 const char *message)
{
	bool parsed = fw_log_parse(fw_str(line), &l);

	ok(parsed && l.pid == pid && l.tid == tid && is(l.tag, tag) &&
		   (l.is_head || is(l.message, message)),
	   "%s", what);
}

static void formats(void)
{
	head("I/AnimatorTracer( 4200): begin: x", "brief", 4200, -1, "AnimatorTracer", "begin: x");
	head("I( 4200) begin (x)  (AnimatorTracer)", "process", 4200, -1, "AnimatorTracer",
	     "begin (x)");
	head("I/AnimatorTracer: begin: x", "tag", -1, -1, "AnimatorTracer", "begin: x");
	head("I( 4200: 4215) begin  x", "thread", 4200, 4215, NULL, "begin  x");
	head("11-30 10:00:00.123 I/AnimatorTracer( 4200): x", "time", 4200, -1, "AnimatorTracer",
	     "x");
	ok(l.clock == FW_LOG_LOCAL && is(l.when, "11-30 10:00:00.123"), "its time");
	head("11-30 10:00:00.123  4200  4215 I AnimatorTracer: a: b", "threadtime", 4200, 4215,
	     "AnimatorTracer", "a: b");
	head("11-30 10:00:00.123  4200  4215 I Folme  :", "threadtime without a message", 4200,
	     4215, "Folme", "");
	head("[ 11-30 10:00:00.123  4200: 4215 I/AnimatorTracer ]", "long", 4200, 4215,
	     "AnimatorTracer", NULL);
	ok(l.is_head, "whose message follows");
	head("2026-11-30 10:00:00.123  4200-4215  AnimatorTracer          com.example             "
	     "             I  begin x",
	     "Android Studio", 4200, 4215, "AnimatorTracer", "begin x");
}

static void modifiers(void)
{
	head("11-30 10:00:00.123456 10123  4200  4215 I T: x", "uid, usec", 4200, 4215, "T", "x");
	head("11-30 10:00:00.123 u0_a123  4200  4215 I T: x", "a user's name", 4200, 4215, "T",
	     "x");
	head("I/T(10123: 4200): x", "uid in brief", 4200, -1, "T", "x");
	head("I(10123: 4200: 4215) x", "uid in thread", 4200, 4215, NULL, "x");
	head("[ 11-30 10:00:00.123 10123: 4200: 4215 I/T ]", "uid in long", 4200, 4215, "T", NULL);
	head("\x1b[38;5;40m11-30 10:00:00.123  4200  4215 I T: x\x1b[0m", "color", 4200, 4215, "T",
	     "x");
	head("      1700000000.000000005  4200  4215 I T: x", "epoch", 4200, 4215, "T", "x");
	ok(l.clock == FW_LOG_REALTIME && l.ns == INT64_C(1700000000000000005) &&
		   is(l.when, "1700000000.000000005"),
	   "its time");
	head("       123.456  4200  4215 I T: x", "monotonic", 4200, 4215, "T", "x");
	ok(l.clock == FW_LOG_MONOTONIC && l.ns == INT64_C(123456000000), "its time");
	head("2023-11-14 23:13:20.000 +0100  4200  4215 I T: x", "year and zone", 4200, 4215, "T",
	     "x");
	ok(l.clock == FW_LOG_REALTIME && l.ns == INT64_C(1700000000) * 1000000000, "its time");
	for (int i = 0; i < 2; i++) {
		static const char *const lines[] = {
			"9999-12-31 23:59:59.999 -9999  4200  4215 I T: x",
			"0000-01-01 00:00:00.000 +9999  4200  4215 I T: x",
		};

		head(lines[i], "a year that ns do not reach", 4200, 4215, "T", "x");
		ok(l.clock == FW_LOG_LOCAL, "has no time");
	}
}

static void none(void)
{
	static const char *const lines[] = {
		"",
		"--------- beginning of main",
		"begin Anim|1|Obj",
		"X/T( 1): x",
		"I/T( 1) x",
		"11-30 10:00:00.123",
		"13-30 10:00:00.123  1  2 I T: x",
		"[ 11-30 10:00:00.123 ]",
		"99999999999.123  1  2 I T: x",
		"I(1:2:3:4) x",
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (fw_log_parse(fw_str(lines[i]), &l)) {
			diag("%s", lines[i]);
			any = true;
		}
	}
	ok(!any, "what is no line of the log");
}

/* What one message means, in the format tag; NULL: nothing. */
static const char *meaning(const char *message)
{
	static char text[256];
	struct fw_health *health = fw_health_new();
	const struct fw_log_event *ev;
	struct fw_logcat *log;
	struct fw_source *src;
	const char *said = NULL;

	snprintf(text, sizeof(text), "I/AnimatorTracer: %s\n", message);
	fw_source_open(harness_file(text, strlen(text)), &src);
	fw_logcat_open(src, health, &log);
	if (fw_logcat_next(log, &ev) == 1) {
		snprintf(text, sizeof(text), "%s %.*s %.*s", ev->begin ? "begin" : "end",
			 FW_STR_ARG(ev->id), FW_STR_ARG(ev->reason));
		said = text;
	}
	fw_logcat_close(log);
	fw_health_free(health);
	return said;
}

static void meanings(void)
{
	is_str(meaning("begin Anim|12|Obj|EndView|a:0->1|Linear|3ms"), "begin 12 ",
	       "a section's name");
	is_str(meaning("Anim|12|start"), "begin 12 ", "the word behind it");
	is_str(meaning("Animation started, id=7f3a (View)"), "begin 7f3a ", "id=");
	is_str(meaning("[BEGIN] #5 View.alpha"), "begin 5 ", "#");
	is_str(meaning("start 77"), "begin 77 ", "a number");
	is_str(meaning("end id: 9, reason: cancel"), "end 9 cancel", "an end with its reason");
	is_str(meaning("onAnimation finished Anim 12"), "end 12 complete", "finished is complete");
	is_str(meaning("end Anim|12|replaced"), "end 12 replaced", "replaced");
	is_str(meaning("end 12"), "end 12 ", "no reason");
	is_str(meaning("nothing of 12"), NULL, "neither");
	is_str(meaning("begin of nobody"), NULL, "no id");
}

static void blocks(void)
{
	static const char text[] = "[ 11-30 10:00:00.123  40: 41 I/FolmeTracer ]\n"
				   "begin Folme|5|t\n"
				   "java.lang.Throwable\n"
				   "\tat miuix.FolmeTracer.begin(FolmeTracer.java:3)\n"
				   "\tat a.b.C.d(C.java:1)\n\n"
				   "[ 11-30 10:00:00.124  40: 42 I/FolmeTracer ]\n"
				   "begin Folme|6|t\n\n"
				   "[ 11-30 10:00:00.125  40: 41 I/FolmeTracer ]\n"
				   "end Folme|5 complete\n\n";
	struct fw_health *health = fw_health_new();
	const struct fw_log_event *ev;
	struct fw_logcat *log;
	struct fw_source *src;

	fw_source_open(harness_file(text, sizeof(text) - 1), &src);
	fw_logcat_open(src, health, &log);
	ok(fw_logcat_next(log, &ev) == 1 && ev->begin && ev->folme && is(ev->id, "5") &&
		   is(ev->top, "a.b.C.d(C.java:1)") && is(ev->when, "11-30 10:00:00.123") &&
		   is(ev->stack, "miuix.FolmeTracer.begin(FolmeTracer.java:3) < a.b.C.d(C.java:1)"),
	   "a block of the format long; its top is not of the tracer");
	ok(fw_logcat_next(log, &ev) == 1 && !ev->begin && is(ev->id, "5") &&
		   is(ev->reason, "complete") && ev->pid == 40,
	   "its end");
	ok(fw_logcat_next(log, &ev) == 1 && ev->begin && is(ev->id, "6") && !ev->top.p,
	   "another thread's begin, without a stack");
	is_int(fw_logcat_next(log, &ev), 0, "the end");
	is_int(fw_health_sum(health, FW_H_fw_log_unread), 1, "a line of neither is counted");
	fw_logcat_close(log);
	fw_health_free(health);
}

int main(void)
{
	formats();
	modifiers();
	none();
	meanings();
	blocks();
	return done_testing();
}
