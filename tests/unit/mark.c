// SPDX-License-Identifier: GPL-2.0-or-later
/* The grammar of trace marks: what each phase needs, and what is none. */
#include "model/mark.h"

#include "tap.h"

static struct fw_mark m;

static enum fw_mark_result parse(const char *text)
{
	return fw_mark_parse((struct fw_str){ text, strlen(text) }, &m);
}

static bool named(const char *name)
{
	return fw_str_eq(m.name, fw_str(name));
}

static void thread_marks(void)
{
	ok(parse("B|12|a|b\n") == FW_MARK_OK && m.phase == 'B' && m.tgid == 12 && named("a|b"),
	   "B keeps a | in its name");
	ok(parse("B|12|") == FW_MARK_OK && named("[empty slice name]"), "B without a name");
	ok(parse("B||x") == FW_MARK_FAILED && parse("B|1x|x") == FW_MARK_FAILED,
	   "B needs a number for its process");
	ok(parse("E") == FW_MARK_OK && m.tgid == 0, "E alone ends");
	ok(parse("E|77") == FW_MARK_OK && m.tgid == 77, "E of a process");
	ok(parse("Extra|5") == FW_MARK_OK && m.phase == 'E', "only the first letter counts");
	ok(parse("I|3|now|later") == FW_MARK_OK && named("now"), "I ends its name at a |");
	ok(parse("I|3|") == FW_MARK_FAILED, "I needs a name");
}

static void process_marks(void)
{
	ok(parse("S|3|load|-9") == FW_MARK_OK && m.value == -9 && named("load"), "S with a cookie");
	ok(parse("F|3|load|x") == FW_MARK_FAILED && parse("F|3|load|") == FW_MARK_FAILED,
	   "F needs a number");
	ok(parse("N|3|track|name") == FW_MARK_OK && named("name") &&
		   fw_str_eq(m.track, FW_STR("track")),
	   "N on a track");
	ok(parse("N|3|track|") == FW_MARK_FAILED && parse("N|3||name") == FW_MARK_FAILED,
	   "N needs both names");
	ok(parse("G|3|track|name|8") == FW_MARK_OK && m.value == 8, "G with a cookie");
	ok(parse("H|3|track|8") == FW_MARK_OK && m.value == 8, "H without a name");
	ok(parse("H|3|track|name|9") == FW_MARK_OK && m.value == 9, "H with a name");
	ok(parse("H|3|track|name") == FW_MARK_FAILED, "H needs a cookie");
	ok(parse("C|3|heap|123|Blob") == FW_MARK_OK && m.value == 123, "C with a group behind it");
	ok(parse("C|3|heap|1.5") == FW_MARK_FAILED, "C needs a whole number");
	ok(parse("C|3|heap|9999999999999999999") == FW_MARK_OK && m.value == INT64_MAX &&
		   parse("C|3|heap|-9999999999999999999") == FW_MARK_OK && m.value == INT64_MIN,
	   "C ends at the largest numbers");
}

static void no_marks(void)
{
	ok(parse("") == FW_MARK_FAILED && parse("\n") == FW_MARK_FAILED, "nothing is no mark");
	ok(fw_mark_parse(FW_STR_NONE, &m) == FW_MARK_FAILED, "nor is a text that is absent");
	ok(parse("hello world") == FW_MARK_FAILED, "text is no mark");
	ok(parse("trace_event_clock_sync: parent_ts=1") == FW_MARK_IGNORED,
	   "the clock's line is passed over");
	ok(fw_mark_parse((struct fw_str){ "C|1|a\0|5\0\n", 9 }, &m) == FW_MARK_FAILED,
	   "a NUL ends a field");
}

static void events(void)
{
	struct fw_mark_reader r = { 0 };
	struct fw_event ev = { .type = FW_EV_MARK };

	ev.mark.text = FW_STR("B|1|gr\xc3\xbc\xff\xc3n");
	ok(fw_mark_read(&r, &ev, &m) == FW_MARK_OK && named("gr\xc3\xbcn"),
	   "bytes that are not UTF-8 are left out");
	ev.type = FW_EV_VENDOR_MARK;
	ev.vmark = (struct fw_ev_vendor_mark){ .kind = 'B', .vendor = 'd', .tgid = 4 };
	ok(fw_mark_read(&r, &ev, &m) == FW_MARK_OK && m.tgid == 0,
	   "dpu: the process is not trusted");
	ev.vmark.kind = 'C';
	ev.vmark.value = 6;
	ok(fw_mark_read(&r, &ev, &m) == FW_MARK_OK && m.tgid == 4 && m.value == 6,
	   "dpu: but in a counter");
	ev.vmark.kind = 0;
	ok(fw_mark_read(&r, &ev, &m) == FW_MARK_FAILED, "a vendor's record that says nothing");
	fw_mark_reader_free(&r);
}

int main(void)
{
	thread_marks();
	process_marks();
	no_marks();
	events();
	return done_testing();
}
