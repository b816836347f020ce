// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utf8.h"

#include "base/mem.h"

#define REPLACEMENT FW_STR("\xef\xbf\xbd") /* U+FFFD */

size_t fw_utf8_len(struct fw_str s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	unsigned char lo = 0x80, hi = 0xbf;
	size_t n;

	if (!s.len)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (s.len < n)
		return 0;
	if (p[0] == 0xe0)
		lo = 0xa0;
	else if (p[0] == 0xed)
		hi = 0x9f;
	else if (p[0] == 0xf0)
		lo = 0x90;
	else if (p[0] == 0xf4)
		hi = 0x8f;
	if (p[1] < lo || p[1] > hi)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

bool fw_utf8_prints(struct fw_str s, size_t *n)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t len = fw_utf8_len(s);

	*n = len ? len : 1;
	if (len < 2)
		return len && p[0] >= 0x20 && p[0] != 0x7f;
	if (p[0] == 0xc2)
		return p[1] >= 0xa0;
	if (p[0] != 0xe2)
		return true;
	return !(p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) &&
	       !(p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

/* Bytes of the character at the start of @s, 0 when it is none that belongs into a text. */
static size_t char_len(struct fw_str s)
{
	return *s.p ? fw_utf8_len(s) : 0;
}

struct fw_str fw_utf8_clean(struct fw_str s, char **buf)
{
	size_t i, n = 0;

	*buf = NULL;
	for (i = 0; i < s.len && (unsigned char)(s.p[i] - 1) < 0x7f; i++)
		;
	if (i == s.len)
		return s;
	*buf = fw_calloc(s.len, 3);
	while (s.len) {
		size_t len = char_len(s);
		struct fw_str c = len ? (struct fw_str){ s.p, len } : REPLACEMENT;

		memcpy(*buf + n, c.p, c.len);
		n += c.len;
		s.p += len ? len : 1;
		s.len -= len ? len : 1;
	}
	return (struct fw_str){ *buf, n };
}
