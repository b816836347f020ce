// SPDX-License-Identifier: GPL-2.0-or-later
/* lines - the lines of a text file, whatever its encoding */
#include "input/lines.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

/* A unit of UTF-16 becomes at most so many bytes of UTF-8. */
#define UTF8_OF_UNIT 3

/* The encoding, by the byte order mark; the text begins behind it. */
static void set_code(struct fw_lines *l, const uint8_t *mark, size_t n)
{
	if (n >= 2 && mark[0] == 0xff && mark[1] == 0xfe)
		l->code = FW_TEXT_UTF16LE;
	else if (n >= 2 && mark[0] == 0xfe && mark[1] == 0xff)
		l->code = FW_TEXT_UTF16BE;
	if (l->code)
		l->pos = 2;
	else if (n >= 3 && mark[0] == 0xef && mark[1] == 0xbb && mark[2] == 0xbf)
		l->pos = 3;
}

int fw_lines_init(struct fw_lines *l, struct fw_source *src)
{
	uint8_t mark[3];
	ssize_t n = fw_source_read(src, 0, mark, sizeof(mark));

	*l = (struct fw_lines){ .reader.src = src };
	if (n < 0)
		return (int)n;
	set_code(l, mark, (size_t)n);
	return 0;
}

void fw_lines_free(struct fw_lines *l)
{
	fw_reader_free(&l->reader);
	free(l->text);
	l->text = NULL;
}

static uint32_t unit_at(const struct fw_lines *l, const uint8_t *p)
{
	return l->code == FW_TEXT_UTF16LE ? (uint32_t)p[0] | (uint32_t)p[1] << 8
					  : (uint32_t)p[0] << 8 | (uint32_t)p[1];
}

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* @n whole units as UTF-8; half a surrogate pair is U+FFFD. */
static struct fw_str from_utf16(struct fw_lines *l, const uint8_t *p, size_t n)
{
	size_t len = 0;

	if (!l->text)
		l->text = fw_zalloc(FW_LINE_MAX * UTF8_OF_UNIT);
	for (size_t i = 0; i < n; i++) {
		uint32_t c = unit_at(l, p + 2 * i), low = 0;

		if (c >= 0xd800 && c < 0xdc00 && i + 1 < n)
			low = unit_at(l, p + 2 * (i + 1));
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i++;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		len += put_utf8(l->text + len, c);
	}
	return (struct fw_str){ l->text, len };
}

/* Units up to the LF, or all @n; *@found says which. */
static size_t units_to_lf(const struct fw_lines *l, const uint8_t *p, size_t n, bool *found)
{
	size_t i = 0;

	if (!l->code) {
		const uint8_t *lf = memchr(p, '\n', n);

		*found = lf;
		return lf ? (size_t)(lf - p) : n;
	}
	while (i < n && unit_at(l, p + 2 * i) != '\n')
		i++;
	*found = i < n;
	return i;
}

/* Pass over the rest of a line that is too long. */
static int skip_rest(struct fw_lines *l, size_t size)
{
	bool found = false;
	size_t have, n;

	while (!found) {
		const uint8_t *p = fw_reader_at(&l->reader, l->pos, size, &have);

		if (!p)
			return -EIO;
		if (have < size)
			return 0;
		n = units_to_lf(l, p, have / size, &found);
		l->pos += (n + found) * size;
	}
	return 0;
}

int fw_lines_next(struct fw_lines *l, struct fw_str *line)
{
	size_t size = l->code ? 2 : 1, have, n;
	const uint8_t *p = fw_reader_at(&l->reader, l->pos, FW_LINE_MAX, &have);
	bool found;
	int err = 0;

	if (!p)
		return -EIO;
	/* Half a unit at the end is nothing. */
	if (have < size)
		return 0;
	n = units_to_lf(l, p, FW_MIN(have / size, (size_t)FW_LINE_MAX / size), &found);
	l->ended = found;
	l->cut = !found && n * size == FW_LINE_MAX;
	l->pos += (n + found) * size;
	l->number++;
	*line = l->code ? from_utf16(l, p, n) : (struct fw_str){ (const char *)p, n };
	if (l->cut) {
		/* The buffer is about to be used again. */
		if (!l->text)
			l->text = fw_zalloc(FW_LINE_MAX * UTF8_OF_UNIT);
		if (line->p != l->text)
			memcpy(l->text, line->p, line->len);
		line->p = l->text;
		err = skip_rest(l, size);
	}
	if (line->len && line->p[line->len - 1] == '\r')
		line->len--;
	return err ? err : 1;
}

char *fw_lines_first(const uint8_t *p, size_t len, size_t *n)
{
	struct fw_lines l = { 0 };

	set_code(&l, p, len);
	p += l.pos;
	len -= l.pos;
	if (!l.code) {
		*n = len;
		return fw_memdup(p, len);
	}
	*n = from_utf16(&l, p, len / 2).len;
	return l.text;
}
