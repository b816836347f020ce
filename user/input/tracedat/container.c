// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * container - the parts of a trace.dat, one after the other in version 6, by option in version 7
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/tracedat/tracedat.h"

#define MAGIC_LEN 10
#define SECTION_COMPRESSED 1

enum { SECTION_BUFFER = 3, SECTION_HEADER = 16 };
enum {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_HEADER = 16,
	OPTION_FTRACE,
	OPTION_EVENTS,
	OPTION_KALLSYMS,
	OPTION_PRINTK,
	OPTION_CMDLINES,
	OPTION_BUFFER_TEXT,
	OPTION_N
};

/* Where the sections of a version 7 file are. */
struct sections {
	uint64_t at[OPTION_N];
	struct td_span buffers[64];
	uint32_t n_buffers, n_options;
};

static int cut(const struct td_cursor *c, const char *what)
{
	return fw_fail(EPROTO,
		       "%s: trace.dat: the file ends or is damaged at offset %" PRIu64 " within %s",
		       fw_source_path(c->t->src), c->pos, what);
}

static int expect(struct td_cursor *c, const char *word, size_t len)
{
	uint64_t pos = c->pos;
	const uint8_t *p = td_bytes(c, len);

	if (!p)
		return cut(c, word);
	if (memcmp(p, word, len))
		return fw_fail(EPROTO, "%s: trace.dat: at offset %" PRIu64 " expected \"%s\"",
			       fw_source_path(c->t->src), pos, word);
	return 0;
}

/* "header_page", its format, "header_event", and another that says what every kernel does. */
static int read_header_info(struct td *t, struct td_cursor *c)
{
	struct td_span s;
	int err = expect(c, "header_page", 12);

	if (err)
		return err;
	s = td_skip(c, td_u(c, 8));
	if (c->bad)
		return cut(c, "header_page");
	td_header_page(t, s);
	err = expect(c, "header_event", 13);
	if (err)
		return err;
	td_skip(c, td_u(c, 8));
	return c->bad ? cut(c, "header_event") : 0;
}

static int read_formats(struct td *t, struct td_cursor *c)
{
	uint32_t n = (uint32_t)td_u(c, 4);

	for (; n && !c->bad; n--) {
		struct td_span s = td_skip(c, td_u(c, 8));

		if (!c->bad)
			td_format(t, s);
	}
	return c->bad ? cut(c, "the event formats") : 0;
}

static int read_systems(struct td *t, struct td_cursor *c)
{
	uint32_t n = (uint32_t)td_u(c, 4);
	char system[64];
	int err = 0;

	for (; n && !err && td_text(c, system, sizeof(system)); n--)
		err = read_formats(t, c);
	return c->bad && !err ? cut(c, "the event formats") : err;
}

/* A span after its length. */
static int read_span(struct td_cursor *c, unsigned int size, const char *what, struct td_span *out)
{
	*out = td_skip(c, td_u(c, size));
	return c->bad ? cut(c, what) : 0;
}

/*
 * Version 6
 */
static int read_cpu_table(struct td *t, struct td_cursor *c)
{
	int err = 0;

	for (uint32_t cpu = 0; cpu < t->n_cpus && !err; cpu++) {
		struct td_span s = { td_u(c, 8), 0 };

		s.len = td_u(c, 8);
		if (c->bad)
			return cut(c, "the table of cpus");
		err = td_add_stream(t, (int32_t)cpu, s, t->page_size);
	}
	if (!err && t->use_clock) {
		td_clock(t, td_skip(c, td_u(c, 8)));
		t->use_clock = false;
	}
	return err;
}

/* "flyrecord" and where each cpu's pages are. */
static int read_trace_data(struct td *t, struct td_cursor *c)
{
	uint64_t pos = c->pos;
	const uint8_t *p = td_bytes(c, 10);

	if (!p)
		return cut(c, "\"flyrecord\"");
	if (!memcmp(p, "latency  ", 10))
		return fw_fail(ENOTSUP,
			       "%s: trace.dat: of a latency tracer: its data is text; read what "
			       "trace-cmd report prints",
			       fw_source_path(t->src));
	if (memcmp(p, "flyrecord", 10))
		return fw_fail(EPROTO,
			       "%s: trace.dat: at offset %" PRIu64 " expected \"flyrecord\"",
			       fw_source_path(t->src), pos);
	return read_cpu_table(t, c);
}

static int read_options_6(struct td *t, struct td_cursor *c, struct sections *s)
{
	for (;;) {
		uint32_t id = (uint32_t)td_u(c, 2);
		struct td_span o;

		if (c->bad)
			return cut(c, "the options");
		if (id == OPTION_DONE)
			return 0;
		o = td_skip(c, td_u(c, 4));
		if (c->bad)
			return cut(c, "the options");
		if (id == OPTION_BUFFER && s->n_buffers < ARRAY_SIZE(s->buffers))
			s->buffers[s->n_buffers++] = o;
		else
			td_option(t, id, o);
		t->use_clock |= id == OPTION_TRACECLOCK;
	}
}

static int read_version_6(struct td *t, struct td_cursor *c)
{
	struct sections s = { .n_buffers = 0 };
	struct td_span printk;
	const uint8_t *p;
	int err = read_header_info(t, c);

	if (!err)
		err = read_formats(t, c);
	if (!err)
		err = read_systems(t, c);
	if (!err)
		err = read_span(c, 4, "kallsyms", &t->kallsyms);
	if (!err)
		err = read_span(c, 4, "the printk formats", &printk);
	if (!err)
		err = read_span(c, 8, "the saved command lines", &t->cmdlines);
	if (err)
		return err;
	t->n_cpus = (uint32_t)td_u(c, 4);
	if (c->bad || t->n_cpus > TD_CPUS_MAX)
		return cut(c, "the number of cpus");
	p = td_bytes(c, 10);
	if (p && !memcmp(p, "options  ", 10))
		err = read_options_6(t, c, &s);
	else if (p)
		c->pos -= 10;
	if (!err)
		err = read_trace_data(t, c);
	for (uint32_t i = 0; i < s.n_buffers && !err; i++) {
		struct td_cursor b = td_cursor(t, s.buffers[i]);

		b = (struct td_cursor){ .t = t, .pos = td_u(&b, 8), .end = c->end };
		if (b.pos)
			err = read_trace_data(t, &b);
	}
	return err;
}

/*
 * Version 7
 */
static int open_section(struct td *t, uint64_t at, struct td_cursor *out, bool *compressed)
{
	struct td_cursor c = { .t = t, .pos = at, .end = fw_source_size(t->src) };
	uint32_t id = (uint32_t)td_u(&c, 2), flags = (uint32_t)td_u(&c, 2);
	struct td_span s;
	int err = 0;

	td_u(&c, 4);
	s = td_skip(&c, td_u(&c, 8));
	if (c.bad)
		return cut(&c, "a section");
	*compressed = flags & SECTION_COMPRESSED;
	if (*compressed && id != SECTION_BUFFER)
		err = td_unpack_section(t, &s);
	*out = td_cursor(t, s);
	return err;
}

/* Return: where the next options are, 0 for none. */
static uint64_t read_options_7(struct td *t, struct td_cursor *c, struct sections *s)
{
	while (c->pos < c->end && !c->bad) {
		uint32_t id = (uint32_t)td_u(c, 2);
		struct td_span o = td_skip(c, td_u(c, 4));
		struct td_cursor v = td_cursor(t, o);

		if (c->bad)
			break;
		if (id == OPTION_DONE)
			return td_u(&v, 8);
		if (id == OPTION_BUFFER) {
			if (s->n_buffers < ARRAY_SIZE(s->buffers))
				s->buffers[s->n_buffers++] = o;
		} else if (id >= OPTION_HEADER && id < OPTION_N) {
			s->at[id] = td_u(&v, 8);
		} else {
			td_option(t, id, o);
		}
	}
	return 0;
}

/* The rest of a buffer's option has 20 bytes a cpu, after their number, and newer ones a page size. */
static int read_buffer(struct td *t, struct td_span option)
{
	struct td_cursor c = td_cursor(t, option), section;
	uint64_t at = td_u(&c, 8);
	uint32_t page_size = t->page_size, n;
	bool compressed;
	char text[64];
	struct td_span clock;
	int err;

	td_text(&c, text, sizeof(text));
	clock.pos = c.pos;
	td_text(&c, text, sizeof(text));
	clock.len = c.pos - clock.pos;
	if (c.bad)
		return cut(&c, "the option of a buffer");
	td_clock(t, clock);
	if ((c.end - c.pos) % 20 == 8)
		page_size = (uint32_t)td_u(&c, 4);
	n = (uint32_t)td_u(&c, 4);
	if (!at)
		return 0;
	err = open_section(t, at, &section, &compressed);
	for (; n && !err && !c.bad; n--) {
		uint32_t cpu = (uint32_t)td_u(&c, 4);
		struct td_span s = { td_u(&c, 8), 0 };

		s.len = td_u(&c, 8);
		if (s.len > fw_source_size(t->src) || s.pos > fw_source_size(t->src) - s.len)
			return cut(&c, "a cpu's data");
		if (compressed && s.len)
			err = td_unpack_chunks(t, &s);
		if (!err)
			err = td_add_stream(t, (int32_t)FW_MIN(cpu, TD_CPUS_MAX), s, page_size);
	}
	return c.bad && !err ? cut(&c, "the option of a buffer") : err;
}

static int read_section(struct td *t, uint64_t at, int (*fn)(struct td *t, struct td_cursor *c))
{
	struct td_cursor c;
	bool compressed;
	int err;

	if (!at)
		return 0;
	err = open_section(t, at, &c, &compressed);
	return err ? err : fn(t, &c);
}

static int kallsyms_7(struct td *t, struct td_cursor *c)
{
	return read_span(c, 4, "kallsyms", &t->kallsyms);
}

static int cmdlines_7(struct td *t, struct td_cursor *c)
{
	return read_span(c, 8, "the saved command lines", &t->cmdlines);
}

static int read_version_7(struct td *t, struct td_cursor *c)
{
	struct sections s = { .n_buffers = 0 };
	char version[32];
	uint64_t at;
	int err = 0;

	td_text(c, t->compressor, sizeof(t->compressor));
	td_text(c, version, sizeof(version));
	at = td_u(c, 8);
	if (c->bad)
		return cut(c, "the header");
	t->compression = !strcmp(t->compressor, "zlib")	  ? TD_ZLIB
			 : !strcmp(t->compressor, "zstd") ? TD_ZSTD
			 : !strcmp(t->compressor, "none") ? TD_PLAIN
							  : TD_UNKNOWN_COMPRESSION;
	while (at && !err && s.n_options++ < 1024) {
		struct td_cursor o;
		bool compressed;

		err = open_section(t, at, &o, &compressed);
		at = err ? 0 : read_options_7(t, &o, &s);
	}
	if (!err && !s.at[OPTION_HEADER])
		err = fw_fail(EPROTO, "%s: trace.dat: no option says where the headers are",
			      fw_source_path(t->src));
	if (!err)
		err = read_section(t, s.at[OPTION_HEADER], read_header_info);
	if (!err)
		err = read_section(t, s.at[OPTION_FTRACE], read_formats);
	if (!err)
		err = read_section(t, s.at[OPTION_EVENTS], read_systems);
	if (!err)
		err = read_section(t, s.at[OPTION_KALLSYMS], kallsyms_7);
	if (!err)
		err = read_section(t, s.at[OPTION_CMDLINES], cmdlines_7);
	for (uint32_t i = 0; i < s.n_buffers && !err; i++)
		err = read_buffer(t, s.buffers[i]);
	if (!err && !s.n_buffers && s.at[OPTION_BUFFER_TEXT])
		err = fw_fail(ENOTSUP,
			      "%s: trace.dat: of a latency tracer: its data is text; read what "
			      "trace-cmd report prints",
			      fw_source_path(t->src));
	return err;
}

int td_read_container(struct td *t)
{
	struct td_cursor c = { .t = t, .end = fw_source_size(t->src) };
	char version[8];
	int err;

	td_bytes(&c, MAGIC_LEN);
	td_text(&c, version, sizeof(version));
	t->big = td_u(&c, 1) == 1;
	td_u(&c, 1);
	t->page_size = (uint32_t)td_u(&c, 4);
	if (c.bad)
		return cut(&c, "the header");
	if (strcmp(version, "6") && strcmp(version, "7"))
		return fw_fail(ENOTSUP, "%s: trace.dat: version '%s'; framewait reads 6 and 7",
			       fw_source_path(t->src), version);
	t->version = version[0] - '0';
	err = t->version == 6 ? read_version_6(t, &c) : read_version_7(t, &c);
	return err ? err : td_check_streams(t);
}
