// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page - which lines of a systrace page are trace data
 *
 * Two forms: blocks <script class="trace-data" type="application/text">, one for each source of
 * data (since 2013), and before them one string of the page's program, linuxPerfData = "...", whose
 * lines end in \n\.
 */
#include <strings.h>

#include "base/mem.h"
#include "input/text/text.h"

bool tx_is_page(struct fw_str first)
{
	static const char *const begins[] = { "<!doctype html", "<html", "<!-- begin trace" };

	first = tx_trim(first);
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++) {
		size_t n = strlen(begins[i]);

		if (first.len >= n && !strncasecmp(first.p, begins[i], n))
			return true;
	}
	return false;
}

/* What follows @mark in a line; absent when it does not hold it. */
static struct fw_str after(struct fw_str line, const char *mark)
{
	const char *p = memmem(line.p, line.len, mark, strlen(mark));

	if (!p)
		return FW_STR_NONE;
	p += strlen(mark);
	return (struct fw_str){ p, line.len - (size_t)(p - line.p) };
}

/*
 * The rest of a line behind the tag that opens a block of data. The page's own program holds the tag
 * too, in the middle of its lines.
 */
static struct fw_str in_block(struct fw_str line)
{
	struct fw_str tag = tx_trim(line), rest;
	const char *close = tag.len ? memchr(tag.p, '>', tag.len) : NULL;

	if (!close || !fw_str_starts(tag, FW_STR("<script")))
		return FW_STR_NONE;
	rest = (struct fw_str){ close + 1, tag.len - (size_t)(close + 1 - tag.p) };
	tag.len = (size_t)(close - tag.p);
	return after(tag, "trace-data").p ? rest : FW_STR_NONE;
}

/* The program that shows the page names the variable too: only a string that goes on counts. */
static struct fw_str in_string(struct fw_str line)
{
	struct fw_str rest = after(line, "linuxPerfData");

	rest = rest.p ? tx_trim(rest) : rest;
	if (!rest.len || rest.p[0] != '=')
		return FW_STR_NONE;
	rest = tx_trim((struct fw_str){ rest.p + 1, rest.len - 1 });
	if (!rest.len || rest.p[0] != '"' || rest.p[rest.len - 1] != '\\')
		return FW_STR_NONE;
	return (struct fw_str){ rest.p + 1, rest.len - 1 };
}

/* A line of a string without its \n\; the last one ends in ";. */
static bool string_line(enum tx_place *place, struct fw_str *line)
{
	if (line->len && line->p[line->len - 1] == '\\') {
		line->len--;
	} else {
		const char *end = memrchr(line->p, '"', line->len);

		*place = TX_PAGE;
		if (end)
			line->len = (size_t)(end - line->p);
	}
	if (line->len >= 2 && line->p[line->len - 1] == 'n' && line->p[line->len - 2] == '\\')
		line->len -= 2;
	return line->len > 0;
}

bool tx_page_line(enum tx_place *place, struct fw_str *line, bool *begins)
{
	const char *end;
	struct fw_str rest;

	*begins = false;
	switch (*place) {
	case TX_PLAIN:
		return true;
	case TX_SCRIPT:
		return string_line(place, line);
	case TX_BLOCK:
		end = memmem(line->p, line->len, "</script>", 9);
		if (!end)
			return true;
		*place = TX_PAGE;
		line->len = (size_t)(end - line->p);
		return tx_trim(*line).len > 0;
	case TX_PAGE:
		break;
	}
	rest = in_block(*line);
	if (rest.p) {
		*place = TX_BLOCK;
	} else {
		rest = in_string(*line);
		if (!rest.p)
			return false;
		*place = TX_SCRIPT;
	}
	*begins = true;
	*line = rest;
	if (*place == TX_BLOCK) {
		bool again;

		return rest.len && tx_page_line(place, line, &again) && line->len;
	}
	return string_line(place, line);
}
