// SPDX-License-Identifier: GPL-2.0-or-later
/* input - recognise a recording and hand on its events */
#include "input/input.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/format.h"

#define PROBE_BYTES 4096

struct fw_input {
	const struct fw_format *format;
	void *state;
};

static const struct fw_format *const formats[] = {
	&fw_format_perfetto, &fw_format_fwc,	  &fw_format_text,
	&fw_format_kdebug,   &fw_format_tracedat, &fw_format_gfxtrace,
};

static const struct fw_format *detect(const uint8_t *p, size_t len)
{
	const struct fw_format *best = NULL;
	int best_score = 0, score;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		score = formats[i]->probe(p, len);
		if (score > best_score) {
			best_score = score;
			best = formats[i];
		}
	}
	return best;
}

/* How often a byte stands in a line of text; -1: it is none. *@p becomes the next line. */
static int times_in_line(const uint8_t **p, const uint8_t *end, char c)
{
	int n = 0;

	for (; *p < end && **p != '\n'; (*p)++) {
		if (**p < ' ' && **p != '\t' && **p != '\r')
			return -1;
		n += **p == c;
	}
	*p += *p < end;
	return n;
}

/*
 * Two lines of as many cells, or one that goes on beyond what is at hand; and no JSON, which has
 * commas too.
 */
static bool is_csv(const uint8_t *p, size_t len)
{
	static const char separators[] = ",;\t";

	for (const char *c = separators; *c && *p != '{' && *p != '['; c++) {
		const uint8_t *at = p, *end = p + len;
		int n = times_in_line(&at, end, *c);

		if (n > 0 && (at < end ? times_in_line(&at, end, *c) == n : len == PROBE_BYTES))
			return true;
	}
	return false;
}

/* A page of this program's own: to the reader of text it is a systrace page. */
static bool is_own_page(const uint8_t *p, size_t len)
{
	static const char title[] = "<title>framewait</title>";

	return len && p[0] == '<' && memmem(p, len, title, sizeof(title) - 1);
}

/* What is no recording, and what to do with it. NULL: unknown. */
static const char *stranger(const uint8_t *p, size_t len)
{
	static const char sqlite[16] = "SQLite format 3";

	if (len >= sizeof(sqlite) && !memcmp(p, sqlite, sizeof(sqlite)))
		return "is an SQLite database, which framewait writes and sqlite3 reads";
	if (is_own_page(p, len))
		return "is a page of framewait report, for a browser; name the recording that it "
		       "was made of";
	if (is_csv(p, len))
		return "is CSV, not a recording; framewait stat and compare read a frames.csv, "
		       "and stat --column NAME reads a column of any other";
	return NULL;
}

static int not_understood(const struct fw_source *src, const uint8_t *p, size_t len)
{
	const char *what = len ? stranger(p, len) : NULL;

	if (!len)
		return fw_fail(EINVAL, "%s: is empty; name a recording", fw_source_path(src));
	if (what)
		return fw_fail(EINVAL, "%s: %s", fw_source_path(src), what);
	if (p[0] == 0x0a)
		return fw_fail(EINVAL,
			       "%s: not understood: at offset 1 expected the length of a Perfetto "
			       "trace packet",
			       fw_source_path(src));
	return fw_fail(EINVAL,
		       "%s: not understood: at offset 0 expected a Perfetto trace packet (byte "
		       "0x0a), a framewait capture (FWCAPT1), a trace.dat, an iOS CoreProfile "
		       "RAW v2 file, a .gfxtrace or ftrace text, found 0x%02x",
		       fw_source_path(src), p[0]);
}

int fw_input_open(const char *path, struct fw_health *health, struct fw_input **out)
{
	struct fw_source *src;
	int err = fw_source_open(path, &src);

	return err ? err : fw_input_open_source(src, health, out);
}

int fw_input_open_source(struct fw_source *src, struct fw_health *health, struct fw_input **out)
{
	uint8_t first[PROBE_BYTES];
	const struct fw_format *format;
	struct fw_input *in;
	void *state = NULL;
	ssize_t n;
	int err;

	n = fw_source_read(src, 0, first, sizeof(first));
	format = n > 0 && !is_own_page(first, n) ? detect(first, n) : NULL;
	if (n < 0)
		err = (int)n;
	else if (!format)
		err = not_understood(src, first, n);
	else
		err = format->open(src, health, &state);
	if (err) {
		fw_source_close(src);
		return err;
	}
	in = fw_zalloc(sizeof(*in));
	in->format = format;
	in->state = state;
	*out = in;
	return 0;
}

static struct fw_input *make_fwc(void *state)
{
	struct fw_input *in = fw_zalloc(sizeof(*in));

	in->format = &fw_format_fwc;
	in->state = state;
	return in;
}

/* Is it of that format? Else an error that says what was wanted. */
static int expect(struct fw_source *src, const struct fw_format *f, const char *what)
{
	uint8_t first[PROBE_BYTES];
	ssize_t n = fw_source_read(src, 0, first, sizeof(first));

	if (n < 0)
		return (int)n;
	return f->probe(first, (size_t)n)
		       ? 0
		       : fw_fail(EINVAL, "%s: is no %s", fw_source_path(src), what);
}

int fw_input_open_pair(struct fw_source *src, const char *trace, struct fw_health *health,
		       struct fw_input **out)
{
	int err = expect(src, &fw_format_fwc, "framewait capture, which --sf needs");
	struct fw_source *sf = NULL;
	void *state;

	if (!err)
		err = fw_source_open(trace, &sf);
	if (!err)
		err = expect(sf, &fw_format_perfetto, "Perfetto trace");
	if (!err)
		err = fw_fwc_open(src, sf, health, &state);
	if (err) {
		fw_source_close(src);
		fw_source_close(sf);
		return err;
	}
	*out = make_fwc(state);
	return 0;
}

int fw_input_follow(const char *path, int writer, struct fw_health *health, struct fw_input **out)
{
	struct fw_source *src;
	void *state = NULL;
	int err = fw_source_open(path, &src);

	if (err)
		return err;
	err = fw_fwc_follow(src, writer, health, &state);
	if (err) {
		fw_source_close(src);
		return err;
	}
	*out = make_fwc(state);
	return 0;
}

void fw_input_close(struct fw_input *in)
{
	if (!in)
		return;
	in->format->close(in->state);
	free(in);
}

const struct fw_recording *fw_input_recording(const struct fw_input *in)
{
	return in->format->recording(in->state);
}

int fw_input_peek_small(struct fw_input *in, bool marks,
			int (*fn)(void *ctx, const struct fw_event *ev), void *ctx)
{
	return in->format->peek_small(in->state, marks, fn, ctx);
}

int fw_input_start(struct fw_input *in, const struct fw_input_opts *opts)
{
	return in->format->start(in->state, opts);
}

int fw_input_next(struct fw_input *in, const struct fw_event **ev)
{
	return in->format->next(in->state, ev);
}

bool fw_input_counts(const struct fw_input *in, size_t *pos, struct fw_input_count *out)
{
	return in->format->counts(in->state, pos, out);
}

bool fw_input_clock(struct fw_input *in, enum fw_input_clock clock, int64_t ns, int64_t *out)
{
	return in->format->clock && in->format->clock(in->state, clock, ns, out);
}
