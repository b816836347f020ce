// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/json_text.h"

#include "base/utf8.h"

/* How many characters from the start stand for themselves. */
static size_t plain_len(struct fw_str s, bool html)
{
	size_t n = 0;

	while (n < s.len) {
		unsigned char c = (unsigned char)s.p[n];

		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' ||
		    (html && (c == '<' || c == '>' || c == '&')))
			break;
		n++;
	}
	return n;
}

/* The first character of @s, which does not stand for itself. Return: its bytes. */
static size_t put_special(struct fw_writer *w, struct fw_str s)
{
	size_t n = fw_utf8_len(s);
	unsigned char c = (unsigned char)*s.p;

	if (!n) {
		fw_writer_puts(w, FW_STR("\\ufffd"));
		return 1;
	}
	if (c == '"' || c == '\\') {
		fw_writer_char(w, '\\');
		fw_writer_char(w, (char)c);
	} else if (c == '\n') {
		fw_writer_puts(w, FW_STR("\\n"));
	} else if (c == '\t') {
		fw_writer_puts(w, FW_STR("\\t"));
	} else if (n == 1) {
		fw_writer_printf(w, "\\u%04x", c);
	} else if (c == 0xc2 && (unsigned char)s.p[1] < 0xa0) {
		fw_writer_printf(w, "\\u%04x", (unsigned char)s.p[1]);
	} else {
		fw_writer_put(w, s.p, n);
	}
	return n;
}

static void put_text(struct fw_writer *w, struct fw_str s, bool html)
{
	fw_writer_char(w, '"');
	while (s.len) {
		size_t n = plain_len(s, html);

		if (n)
			fw_writer_put(w, s.p, n);
		else
			n = put_special(w, s);
		s.p += n;
		s.len -= n;
	}
	fw_writer_char(w, '"');
}

void fw_json_text(struct fw_writer *w, struct fw_str s)
{
	put_text(w, s, false);
}

void fw_json_text_in_html(struct fw_writer *w, struct fw_str s)
{
	put_text(w, s, true);
}
