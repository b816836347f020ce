// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/csv_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

#define READ_BUF (64 * 1024)
#define NO_BYTE (-1)

struct fw_csv {
	int fd;
	char *path;
	unsigned char in[READ_BUF];
	size_t pos, len;
	char *row; /* cells one after the other, without quotes */
	size_t row_len, row_cap;
	size_t *ends; /* of the cells in @row */
	struct fw_str *cells;
	int n_cells, cells_cap;
	char **names;
	int n_columns;
	uint64_t line, row_line;
	bool unended;
	int err;
};

static int peek_byte(struct fw_csv *c)
{
	ssize_t n;

	if (c->pos < c->len)
		return c->in[c->pos];
	if (c->err)
		return NO_BYTE;
	do {
		n = read(c->fd, c->in, sizeof(c->in));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		c->err = fw_fail(errno, "%s: cannot read: %s", c->path, strerror(errno));
	c->pos = 0;
	c->len = n > 0 ? (size_t)n : 0;
	return n > 0 ? c->in[0] : NO_BYTE;
}

static int next_byte(struct fw_csv *c)
{
	int b = peek_byte(c);

	if (b != NO_BYTE)
		c->pos++;
	if (b == '\n')
		c->line++;
	return b;
}

static int bad(struct fw_csv *c, const char *what)
{
	return fw_fail(EINVAL, "%s: line %" PRIu64 ": %s: not CSV as RFC 4180 has it", c->path,
		       c->line, what);
}

static int put(struct fw_csv *c, int b)
{
	if (c->row_len == FW_CSV_ROW_MAX)
		return bad(c, "a row of more than 1 MiB");
	fw_grow(c->row, c->row_len, c->row_cap);
	c->row[c->row_len++] = (char)b;
	return 0;
}

static int end_cell(struct fw_csv *c)
{
	if (c->n_cells == FW_CSV_COLUMNS_MAX)
		return bad(c, "more than 4096 cells in a row");
	if (c->n_cells == c->cells_cap) {
		c->cells_cap = c->cells_cap ? c->cells_cap * 2 : 64;
		c->ends = fw_realloc(c->ends, (size_t)c->cells_cap, sizeof(*c->ends));
		c->cells = fw_realloc(c->cells, (size_t)c->cells_cap, sizeof(*c->cells));
	}
	c->ends[c->n_cells++] = c->row_len;
	return 0;
}

/* The inside of quotes, up to the closing one. */
static int quoted(struct fw_csv *c)
{
	int b, err = 0;

	while (!err && (b = next_byte(c)) != NO_BYTE) {
		if (b == '"' && peek_byte(c) != '"')
			return 0;
		if (b == '"')
			next_byte(c);
		err = put(c, b);
	}
	if (!err && !c->err)
		err = bad(c, "the file ends within quotes");
	return err ? err : c->err;
}

/* One cell. @sep: set to what ended it: ',', '\n' or NO_BYTE. */
static int cell(struct fw_csv *c, int *sep)
{
	bool had_quotes = false;
	int b, err = 0;

	if (peek_byte(c) == '"') {
		next_byte(c);
		had_quotes = true;
		err = quoted(c);
	}
	while (!err) {
		b = next_byte(c);
		if (b == '\r' && peek_byte(c) == '\n')
			b = next_byte(c);
		if (b == ',' || b == '\n' || b == NO_BYTE)
			break;
		if (had_quotes)
			return bad(c, "text after a closing quote");
		if (b == '"')
			return bad(c, "a quote inside a cell without quotes");
		err = put(c, b);
	}
	if (err || c->err)
		return err ? err : c->err;
	*sep = b;
	return end_cell(c);
}

/* Return: 1 for a row, 0 at the end, negative errno. */
static int read_row(struct fw_csv *c)
{
	size_t from = 0;
	int sep = ',', err = 0;

	c->n_cells = 0;
	c->row_len = 0;
	c->row_line = c->line;
	if (peek_byte(c) == NO_BYTE)
		return c->err;
	while (sep == ',' && !err)
		err = cell(c, &sep);
	if (err)
		return err;
	c->unended = sep == NO_BYTE;
	/* So that an empty cell of an empty row has an address too. */
	fw_grow(c->row, c->row_len, c->row_cap);
	for (int i = 0; i < c->n_cells; i++) {
		c->cells[i] = (struct fw_str){ c->row + from, c->ends[i] - from };
		from = c->ends[i];
	}
	return 1;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_names(struct fw_csv *c)
{
	char **sorted = fw_calloc((size_t)c->n_columns, sizeof(*sorted));
	int err = 0;

	memcpy(sorted, c->names, (size_t)c->n_columns * sizeof(*sorted));
	qsort(sorted, (size_t)c->n_columns, sizeof(*sorted), by_name);
	for (int i = 1; i < c->n_columns && !err; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			err = fw_fail(EINVAL, "%s: the header has two columns named '%.80s'",
				      c->path, sorted[i]);
	free(sorted);
	return err;
}

static int read_header(struct fw_csv *c)
{
	static const char mark[] = "\xef\xbb\xbf";
	int n;

	for (int i = 0; i < 3 && peek_byte(c) == (unsigned char)mark[i]; i++)
		next_byte(c);
	n = read_row(c);
	if (n < 0)
		return n;
	if (!n)
		return fw_fail(EINVAL, "%s: empty; expected CSV with a header", c->path);
	c->names = fw_calloc((size_t)c->n_cells, sizeof(*c->names));
	for (; c->n_columns < c->n_cells; c->n_columns++) {
		struct fw_str s = c->cells[c->n_columns];
		char *name = fw_zalloc(s.len + 1);

		memcpy(name, s.p, s.len);
		c->names[c->n_columns] = name;
	}
	return check_names(c);
}

int fw_csv_open(const char *path, struct fw_csv **out)
{
	struct fw_csv *c = fw_zalloc(sizeof(*c));
	int err;

	c->path = fw_strdup(strcmp(path, "-") ? path : "standard input");
	c->line = 1;
	c->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (c->fd < 0)
		err = fw_fail(errno, "%s: cannot open: %s", c->path, strerror(errno));
	else
		err = read_header(c);
	if (err) {
		fw_csv_close(c);
		return err;
	}
	*out = c;
	return 0;
}

void fw_csv_close(struct fw_csv *c)
{
	if (!c)
		return;
	if (c->fd >= 0)
		close(c->fd);
	for (int i = 0; i < c->n_columns; i++)
		free(c->names[i]);
	free(c->names);
	free(c->row);
	free(c->ends);
	free(c->cells);
	free(c->path);
	free(c);
}

int fw_csv_find(const struct fw_csv *c, const char *name)
{
	for (int i = 0; i < c->n_columns; i++)
		if (!strcmp(c->names[i], name))
			return i;
	return -1;
}

int fw_csv_need(const struct fw_csv *c, const char *name, int *column)
{
	const char *sep = c->n_columns == 1 ? strpbrk(c->names[0], ";\t|") : NULL;
	char has[120] = "";
	size_t len = 0;

	*column = fw_csv_find(c, name);
	if (*column >= 0)
		return 0;
	if (sep)
		return fw_fail(EINVAL,
			       "%s: no column is named %s: what stands between its cells is %s, "
			       "and should be a comma",
			       c->path, name, *sep == '\t' ? "a tab" : (char[]){ *sep, 0 });
	for (int i = 0; i < c->n_columns && len < sizeof(has); i++)
		len += (size_t)snprintf(has + len, sizeof(has) - len, "%s%s", i ? ", " : "",
					c->names[i]);
	return fw_fail(EINVAL, "%s: no column is named %s; it has %s%s", c->path, name, has,
		       len < sizeof(has) ? "" : "...");
}

uint64_t fw_csv_line(const struct fw_csv *c)
{
	return c->row_line;
}

bool fw_csv_unended(const struct fw_csv *c)
{
	return c->unended;
}

int fw_csv_next(struct fw_csv *c, const struct fw_str **cells)
{
	int n = read_row(c);

	if (n <= 0)
		return n;
	if (c->n_cells != c->n_columns)
		return fw_fail(EINVAL,
			       "%s: line %" PRIu64 ": %d cells, but the header has %d columns",
			       c->path, c->row_line, c->n_cells, c->n_columns);
	*cells = c->cells;
	return 1;
}

static bool is_number(struct fw_str s)
{
	size_t i = *s.p == '-' || *s.p == '+', digits = 0, dots = 0;

	for (; i < s.len; i++) {
		digits += s.p[i] >= '0' && s.p[i] <= '9';
		dots += s.p[i] == '.';
	}
	return digits && dots <= 1 && digits + dots + (*s.p == '-' || *s.p == '+') == s.len;
}

bool fw_csv_is_formula(struct fw_str s)
{
	while (s.len && *s.p == '\'') {
		s.p++;
		s.len--;
	}
	return s.len && *s.p && strchr("=+-@\t\r", *s.p) && !is_number(s);
}

struct fw_str fw_csv_unguarded(struct fw_str s)
{
	if (s.len && *s.p == '\'' && fw_csv_is_formula(s))
		return (struct fw_str){ s.p + 1, s.len - 1 };
	return s;
}
