// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a text: ends, byte order marks, UTF-16, and lines that are too long. */
#include "input/lines.h"

#include <stdlib.h>

#include "../fuzz/harness.h"
#include "tap.h"

static struct fw_source *source(const void *bytes, size_t len)
{
	struct fw_source *src = NULL;

	fw_source_open(harness_file(bytes, len), &src);
	return src;
}

/* All lines, each followed by a '|'. */
static const char *joined(const void *bytes, size_t len)
{
	static char buf[256];
	struct fw_source *src = source(bytes, len);
	struct fw_lines l;
	struct fw_str s;
	size_t n = 0;

	fw_lines_init(&l, src);
	while (fw_lines_next(&l, &s) > 0 && n + s.len + 2 < sizeof(buf)) {
		memcpy(buf + n, s.p, s.len);
		n += s.len;
		buf[n++] = '|';
	}
	buf[n] = '\0';
	fw_lines_free(&l);
	fw_source_close(src);
	return buf;
}

#define LINES(lit) joined(lit, sizeof(lit) - 1)

static void plain(void)
{
	is_str(LINES(""), "", "an empty file has no line");
	is_str(LINES("a\nb\n"), "a|b|", "LF ends a line");
	is_str(LINES("a\r\n\r\nb"), "a||b|", "CR LF does, and so does the end");
	is_str(LINES("\xef\xbb\xbf"
		     "a\n"),
	       "a|", "a byte order mark is left out");
}

static void utf16(void)
{
	is_str(LINES("\xff\xfe"
		     "a\0\r\0\n\0b\0"),
	       "a|b|", "UTF-16 little-endian");
	is_str(LINES("\xfe\xff"
		     "\0a\0\n\0b"),
	       "a|b|", "UTF-16 big-endian");
	is_str(LINES("\xff\xfe"
		     "\xfc\0\xac\x20\x3d\xd8\0\xde\n\0"),
	       "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80|", "two, three and four bytes of UTF-8");
	is_str(LINES("\xff\xfe"
		     "\x3d\xd8"
		     "a\0"),
	       "\xef\xbf\xbd"
	       "a|",
	       "half a pair is U+FFFD");
	is_str(LINES("\xff\xfe"
		     "a\0b"),
	       "a|", "half a unit at the end is nothing");
}

static void too_long(int width)
{
	size_t long_line = 3 * FW_LINE_MAX, n = 0;
	char *text = calloc(long_line + 8, (size_t)width);
	struct fw_source *src;
	struct fw_lines l;
	struct fw_str s;

	if (width == 2)
		memcpy(text, "\xff\xfe", n = 2);
	for (size_t i = 0; i < long_line; i++, n += (size_t)width)
		text[n] = 'x';
	text[n] = '\n';
	text[n + (size_t)width] = 'y';
	n += 2 * (size_t)width;
	src = source(text, n);
	fw_lines_init(&l, src);
	ok(fw_lines_next(&l, &s) == 1 && l.cut && s.len == FW_LINE_MAX / (size_t)width &&
		   s.p[0] == 'x' && s.p[s.len - 1] == 'x',
	   "a line that is too long is cut, %d bytes a unit", width);
	ok(fw_lines_next(&l, &s) == 1 && !l.cut && s.len == 1 && s.p[0] == 'y' && l.number == 2,
	   "the next one is whole");
	is_int(fw_lines_next(&l, &s), 0, "and the last");
	fw_lines_free(&l);
	fw_source_close(src);
	free(text);
}

int main(void)
{
	plain();
	utf16();
	too_long(1);
	too_long(2);
	return done_testing();
}
