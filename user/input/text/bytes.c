// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bytes - the text of a source as lines of UTF-8
 *
 * A shell on the way may have made UTF-16 of it (PowerShell's ">"), or ended lines with CR LF. What
 * follows the line "TRACE:" of atrace -z is one zlib stream.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/text/text.h"

#define RAW (64u << 10)
#define CAP (4 * TX_LINE_MAX)
/*
 * Text of events shrinks to a tenth, a fortieth at most. What grows a thousandfold was made to fill
 * a disk.
 */
#define GROWTH_MAX 256u
#define GROWTH_FREE (32u << 20)

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t unit_at(enum tx_encoding e, const uint8_t *p)
{
	return e == TX_UTF16LE ? (uint32_t)(p[0] | p[1] << 8) : (uint32_t)(p[1] | p[0] << 8);
}

/*
 * Two bytes after two, as long as there is room for the longest character. A half of a pair alone
 * becomes U+FFFD. Return: bytes of @p that are done; all whole units when @last.
 */
static size_t from_utf16(enum tx_encoding e, const uint8_t *p, size_t len, bool last, char *out,
			 size_t cap, size_t *made)
{
	size_t at = 0, n = 0;

	while (len - at >= 2 && cap - n >= 4) {
		uint32_t c = unit_at(e, p + at), low;

		if (c >= 0xd800 && c < 0xdc00) {
			if (len - at < 4 && !last)
				break;
			low = len - at >= 4 ? unit_at(e, p + at + 2) : 0;
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				at += 2;
			} else {
				c = 0xfffd;
			}
		} else if (c >= 0xdc00 && c < 0xe000) {
			c = 0xfffd;
		}
		at += 2;
		n += put_utf8(out + n, c);
	}
	*made = n;
	return at;
}

/* @mark: bytes of the byte order mark. A shell always writes one; without it, every other byte is 0. */
static enum tx_encoding encoding_of(const uint8_t *p, size_t len, size_t *mark)
{
	*mark = 0;
	if (len >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
		*mark = 3;
		return TX_UTF8;
	}
	if (len >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff))) {
		*mark = 2;
		return p[0] == 0xff ? TX_UTF16LE : TX_UTF16BE;
	}
	if (len >= 4 && p[0] && !p[1] && p[2] && !p[3])
		return TX_UTF16LE;
	if (len >= 4 && !p[0] && p[1] && !p[2] && p[3])
		return TX_UTF16BE;
	return TX_UTF8;
}

size_t tx_first_utf8(const uint8_t *p, size_t len, char *out, size_t cap)
{
	size_t mark, n;
	enum tx_encoding e = encoding_of(p, len, &mark);

	if (e != TX_UTF8) {
		from_utf16(e, p + mark, len - mark, false, out, cap, &n);
		return n;
	}
	n = FW_MIN(len - mark, cap);
	memcpy(out, p + mark, n);
	return n;
}

int tx_lines_init(struct tx_lines *l, struct fw_source *src)
{
	uint8_t first[4];
	size_t mark = 0;
	ssize_t n;

	memset(l, 0, sizeof(*l));
	l->src = src;
	n = fw_source_read(src, 0, first, sizeof(first));
	if (n < 0)
		return (int)n;
	l->encoding = encoding_of(first, (size_t)n, &mark);
	l->pos = mark;
	l->buf = fw_zalloc(CAP);
	l->raw = fw_zalloc(RAW);
	return 0;
}

void tx_lines_free(struct tx_lines *l)
{
	if (l->inflating)
		inflateEnd(&l->z);
	free(l->buf);
	free(l->raw);
}

/* Read on into l->raw behind what is left of it. Return: bytes added, 0 at the end. */
static ssize_t fill_raw(struct tx_lines *l)
{
	ssize_t n;

	l->raw_len -= l->raw_at;
	memmove(l->raw, l->raw + l->raw_at, l->raw_len);
	l->raw_at = 0;
	n = fw_source_read(l->src, l->pos, l->raw + l->raw_len, RAW - l->raw_len);
	if (n > 0) {
		l->pos += (uint64_t)n;
		l->raw_len += (size_t)n;
	}
	return n;
}

static int fill_utf16(struct tx_lines *l)
{
	ssize_t n = fill_raw(l);
	size_t made;

	if (n < 0)
		return (int)n;
	l->raw_at += from_utf16(l->encoding, l->raw, l->raw_len, n == 0, l->buf + l->len,
				CAP - l->len, &made);
	l->len += made;
	/* Half a unit may be left. */
	l->eof = n == 0 && !made;
	return 0;
}

/* A terminal between made CR LF of each LF, in the compressed bytes as well. */
static size_t without_cr(uint8_t *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		if (p[i] != '\r' || i + 1 == len || p[i + 1] != '\n')
			p[n++] = p[i];
	return n;
}

static int fill_zlib(struct tx_lines *l)
{
	size_t room = CAP - l->len;
	int ret;

	if (l->raw_at == l->raw_len) {
		ssize_t n = fill_raw(l);

		if (n < 0)
			return (int)n;
		if (n == 0) {
			l->bad_zlib = l->eof = true;
			return 0;
		}
		if (l->drop_cr && n > 1 && l->raw[l->raw_len - 1] == '\r') {
			l->raw_len--;
			l->pos--;
		}
		if (l->drop_cr)
			l->raw_len = without_cr(l->raw, l->raw_len);
	}
	l->z.next_in = l->raw + l->raw_at;
	l->z.avail_in = (uInt)(l->raw_len - l->raw_at);
	l->z.next_out = (Bytef *)l->buf + l->len;
	l->z.avail_out = (uInt)room;
	ret = inflate(&l->z, Z_NO_FLUSH);
	l->raw_at = l->raw_len - l->z.avail_in;
	l->len += room - l->z.avail_out;
	l->inflated += room - l->z.avail_out;
	/* What follows in a file of atrace is an old content of its buffer. */
	if (ret == Z_STREAM_END) {
		l->eof = true;
	} else if ((ret != Z_OK && ret != Z_BUF_ERROR) ||
		   (l->inflated > GROWTH_FREE &&
		    l->inflated / GROWTH_MAX > fw_source_size(l->src))) {
		l->bad_zlib = l->eof = true;
	}
	return 0;
}

/* More text behind l->len; sets l->eof where there is none. */
static int fill(struct tx_lines *l)
{
	ssize_t n;

	memmove(l->buf, l->buf + l->at, l->len - l->at);
	l->len -= l->at;
	l->at = 0;
	if (l->inflating)
		return fill_zlib(l);
	if (l->encoding != TX_UTF8)
		return fill_utf16(l);
	n = fw_source_read(l->src, l->pos, l->buf + l->len, CAP - l->len);
	if (n < 0)
		return (int)n;
	l->pos += (uint64_t)n;
	l->len += (size_t)n;
	l->eof = n == 0;
	return 0;
}

/* The end of the line that begins at l->at, or NULL where it is not in the buffer. */
static char *find_end(struct tx_lines *l)
{
	return l->len > l->at ? memchr(l->buf + l->at, '\n', l->len - l->at) : NULL;
}

int tx_lines_next(struct tx_lines *l, struct fw_str *line, bool *cut)
{
	char *end;
	int err;

	while (!(end = find_end(l)) && !l->eof) {
		if (l->skip) {
			l->at = l->len;
		} else if (l->len - l->at >= TX_LINE_MAX) {
			*line = (struct fw_str){ l->buf + l->at, TX_LINE_MAX };
			l->at = l->len;
			l->skip = *cut = true;
			l->number++;
			return 1;
		}
		err = fill(l);
		if (err)
			return err;
	}
	if (l->skip) {
		l->skip = false;
		l->at = end ? (size_t)(end - l->buf) + 1 : l->len;
		return end ? tx_lines_next(l, line, cut) : 0;
	}
	if (!end && l->at == l->len)
		return 0;
	*line = (struct fw_str){ l->buf + l->at, (end ? (size_t)(end - l->buf) : l->len) - l->at };
	l->at = end ? (size_t)(end - l->buf) + 1 : l->len;
	*cut = line->len > TX_LINE_MAX;
	l->unended = !end;
	line->len = FW_MIN(line->len, TX_LINE_MAX);
	while (line->len && line->p[line->len - 1] == '\r')
		line->len--;
	l->number++;
	return 1;
}

/* RFC 1950: method 8, a window of at most 32 KiB, no dictionary, and the check bits. */
static bool is_zlib(const uint8_t *p)
{
	return (p[0] & 0x0f) == 8 && p[0] >> 4 <= 7 && !(p[1] & 0x20) &&
	       (p[0] << 8 | p[1]) % 31 == 0;
}

int tx_lines_maybe_zlib(struct tx_lines *l, bool crlf)
{
	uint64_t pos = l->pos - (l->len - l->at);
	uint8_t first[2];
	ssize_t n;

	if (l->encoding != TX_UTF8 || l->inflating)
		return 0;
	n = fw_source_read(l->src, pos, first, sizeof(first));
	if (n < 0)
		return (int)n;
	if (n < 2 || !is_zlib(first))
		return 0;
	memset(&l->z, 0, sizeof(l->z));
	if (inflateInit(&l->z) != Z_OK)
		return fw_fail(ENOMEM, "%s: zlib cannot start", fw_source_path(l->src));
	l->inflating = true;
	l->drop_cr = crlf;
	l->pos = pos;
	l->at = l->len = 0;
	l->raw_at = l->raw_len = 0;
	return 1;
}
