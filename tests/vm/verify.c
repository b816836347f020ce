// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What play wrote of its fences against fences.csv of a recording of it:
 *   verify TRUTH FENCES.CSV module|alone|others
 */
#include <stdlib.h>

#include "../unit/tap.h"

#define COLUMNS_MAX 64
#define ROWS_MAX 256

struct csv {
	char *text;
	char *name[COLUMNS_MAX];
	int n_columns, n;
	char *cell[ROWS_MAX][COLUMNS_MAX];
};

static char *slurp(const char *path)
{
	static const size_t max = 1 << 20;
	FILE *in = fopen(path, "r");
	char *text = calloc(1, max);

	if (!in || !text || !fread(text, 1, max - 1, in)) {
		perror(path);
		exit(1);
	}
	fclose(in);
	return text;
}

/* No cell of these files is quoted. */
static int split(char *line, char **cell, int max)
{
	int n = 0;

	for (char *p = line; p && n < max; n++) {
		cell[n] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = '\0';
	}
	return n;
}

static void read_csv(struct csv *c, const char *path)
{
	char *save, *line;

	c->text = slurp(path);
	line = strtok_r(c->text, "\n", &save);
	c->n_columns = split(line, c->name, COLUMNS_MAX);
	while ((line = strtok_r(NULL, "\n", &save)) && c->n < ROWS_MAX)
		split(line, c->cell[c->n++], COLUMNS_MAX);
}

static const char *get(const struct csv *c, int row, const char *column)
{
	for (int i = 0; i < c->n_columns; i++) {
		if (!strcmp(c->name[i], column))
			return c->cell[row][i] ? c->cell[row][i] : "";
	}
	fprintf(stderr, "no column %s\n", column);
	exit(1);
}

/* The only row of that fence, or -1. */
static int find(const struct csv *c, const char *context, const char *seqno)
{
	int found = -1;

	for (int i = 0; i < c->n; i++) {
		if (strcmp(get(c, i, "context"), context) || strcmp(get(c, i, "seqno"), seqno))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static bool is(const struct csv *c, int row, const char *column, const char *want)
{
	if (!strcmp(get(c, row, column), want))
		return true;
	diag("%s is \"%s\", not \"%s\"", column, get(c, row, column), want);
	return false;
}

static bool known(const struct csv *c, int row, const char *column)
{
	if (*get(c, row, column))
		return true;
	diag("%s is empty", column);
	return false;
}

/* In the VM, which never was suspended, BOOTTIME and MONOTONIC are the same. */
static void check_fence(const struct csv *c, char **t)
{
	int row = find(c, t[3], t[4]);
	const char *id = t[2];

	if (!ok(row >= 0, "%s %s:%s has one row", id, t[3], t[4]))
		return;
	ok(is(c, row, "driver", t[1]) && is(c, row, "timeline", t[2]), "%s %s:%s: its names", id,
	   t[3], t[4]);
	if (!strcmp(t[5], "0")) {
		ok(is(c, row, "status", "pending") && is(c, row, "signaled_ms", ""),
		   "%s %s:%s is pending", id, t[3], t[4]);
		return;
	}
	ok(is(c, row, "stamp_ns", t[5]), "%s %s:%s: signaled when FILE_INFO says, %s", id, t[3],
	   t[4], t[5]);
	ok(is(c, row, "error", strcmp(t[6], "0") ? t[6] : "") &&
		   is(c, row, "status", strcmp(t[6], "0") ? "error" : "signaled"),
	   "%s %s:%s: its error", id, t[3], t[4]);
	ok(known(c, row, "init_ms") && known(c, row, "signaled_ms") &&
		   known(c, row, "destroy_ms") && known(c, row, "init_to_signal_ms") &&
		   known(c, row, "signaled_in") && known(c, row, "signaled_tid"),
	   "%s %s:%s: the whole life", id, t[3], t[4]);
}

static void check_poll(const struct csv *c, char **t, bool seen)
{
	int row = find(c, t[3], t[4]);
	double ms, waited = strtod(t[5], NULL) / 1e6;

	if (!ok(row >= 0, "%s %s:%s, which is polled, has one row", t[2], t[3], t[4]))
		return;
	if (!seen) {
		ok(is(c, row, "polls", "") && is(c, row, "poll_ms", "") &&
			   is(c, row, "poll_tid", ""),
		   "nobody is said to have polled it");
		return;
	}
	ms = strtod(get(c, row, "poll_ms"), NULL);
	ok(is(c, row, "polls", "1") && is(c, row, "poll_tid", t[6]), "thread %s polled it once",
	   t[6]);
	ok(ms > 0 && ms <= waited, "for %.3f ms of the %.3f ms that its poll() took", ms, waited);
	ok(is(c, row, "poll_thread", "play"), "by name");
}

static void check_member(const struct csv *c, char **t, bool module)
{
	int row = find(c, t[3], t[4]);
	char id[64];

	if (row < 0)
		return;
	snprintf(id, sizeof(id), "%s:%s", get(c, row, "merged_context"),
		 get(c, row, "merged_seqno"));
	ok(!strcmp(id, module ? t[6] : ":"), "%s:%s as a member: %s", t[3], t[4], id);
}

int main(int argc, char **argv)
{
	bool module = argc == 4 && !strcmp(argv[3], "module");
	bool others = argc == 4 && !strcmp(argv[3], "others");
	struct csv c = { 0 };
	char *save, *t[8], *line;
	int lines = 0;

	if (argc != 4)
		return 2;
	read_csv(&c, argv[2]);
	for (line = strtok_r(slurp(argv[1]), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (split(line, t, 8) != 7)
			continue;
		lines++;
		if (!strcmp(t[0], "fence"))
			check_fence(&c, t);
		else if (!strcmp(t[0], "poll"))
			check_poll(&c, t, module);
		else if (!strcmp(t[0], "member"))
			check_member(&c, t, module || others);
	}
	ok(lines > 40, "%d facts to check", lines);
	return done_testing();
}
