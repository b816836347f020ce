// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/json_text.h"

#include "base/utf8.h"

static void put_text(struct fw_writer *w, struct fw_str s, const char *also)
{
	fw_writer_char(w, '"');
	while (s.len) {
		size_t n = fw_utf8_len(s);
		unsigned char c = (unsigned char)*s.p;

		if (!n) {
			fw_writer_puts(w, FW_STR("\\ufffd"));
			n = 1;
		} else if (c == '"' || c == '\\') {
			fw_writer_char(w, '\\');
			fw_writer_char(w, (char)c);
		} else if (c == '\n') {
			fw_writer_puts(w, FW_STR("\\n"));
		} else if (c == '\t') {
			fw_writer_puts(w, FW_STR("\\t"));
		} else if (c < 0x20 || c == 0x7f || strchr(also, c)) {
			fw_writer_printf(w, "\\u%04x", c);
		} else if (n == 2 && c == 0xc2 && (unsigned char)s.p[1] < 0xa0) {
			fw_writer_printf(w, "\\u%04x", (unsigned char)s.p[1]);
		} else {
			fw_writer_put(w, s.p, n);
		}
		s.p += n;
		s.len -= n;
	}
	fw_writer_char(w, '"');
}

void fw_json_text(struct fw_writer *w, struct fw_str s)
{
	put_text(w, s, "");
}

void fw_json_text_in_html(struct fw_writer *w, struct fw_str s)
{
	put_text(w, s, "<>&");
}
