// SPDX-License-Identifier: GPL-2.0-or-later
/* inspect - what a recording holds, and what it lacks for a full frame row */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/needs.h"
#include "cmd/options.h"
#include "input/input.h"
#include "input/side/side.h"
#include "output/format.h"
#include "output/terminal.h"

static const struct fw_option options[] = {
	{ "format", 'f', "F",
	  .help = "csv, tsv, json, jsonl: the counts as a table; default: for people",
	  .group = "Options:", .values = FW_VALUES_FORMATS },
	FW_OPTIONS_END,
};

static const struct fw_column columns[] = {
	{ "kind", "text", FW_TEXT,
	  "packet, part (of a text or trace.dat), record, object, event, clock, health, detail (a "
	  "line that the recording says of "
	  "itself), or need (what a frame row is made of)",
	  "the recording", NULL },
	{ "name", "text", FW_TEXT, "name of the packet, event, clock, counter or need",
	  "the recording", NULL },
	{ "n", "count", FW_INT, "how many; of a need, how many there are of its events",
	  "the recording", "details" },
	{ "bytes", "bytes", FW_INT, "bytes of the payloads", "the recording",
	  "all but packets, parts, records and objects" },
	{ "columns", "text", FW_TEXT, "what stays empty without it", "the program",
	  "all but needs" },
	{ "config", "text", FW_TEXT, "TraceConfig lines that record it", "the program",
	  "all but needs" },
};

const struct fw_table fw_inspect_table = {
	.name = "inspect",
	.what = "one kind of thing that a recording holds or lacks",
	.columns = columns,
	.n_columns = ARRAY_SIZE(columns),
};

static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *p;

	for (p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		if (!strncmp(p, name, len) && (p[len] == ',' || !p[len]))
			return true;
	}
	return false;
}

static uint64_t count_need(const struct fw_input *in, const struct fw_need *need)
{
	struct fw_input_count c;
	uint64_t n = 0;
	size_t pos = 0;

	while (fw_input_counts(in, &pos, &c)) {
		if (in_list(need->kinds, c.kind) && in_list(need->names, c.name))
			n += c.n;
	}
	return n;
}

static int emit_row(struct fw_sink *s, const char *kind, struct fw_str name, struct fw_cell n,
		    struct fw_cell bytes, const struct fw_need *need)
{
	struct fw_cell cells[ARRAY_SIZE(columns)] = {
		fw_text(fw_str(kind)),
		fw_text(name),
		n,
		bytes,
		need ? fw_text(fw_str(need->columns)) : fw_null(),
		need ? fw_text(fw_str(need->config)) : fw_null(),
	};

	return s->row(s, cells);
}

/* The next line of @lines, without its end; absent after the last. */
static struct fw_str next_line(struct fw_str *lines)
{
	const char *end = lines->len ? memchr(lines->p, '\n', lines->len) : NULL;
	struct fw_str line = *lines;

	if (!lines->len)
		return FW_STR_NONE;
	if (end)
		line.len = (size_t)(end - lines->p);
	lines->p += line.len + (end ? 1 : 0);
	lines->len -= line.len + (end ? 1 : 0);
	return line;
}

static int emit_table(const struct fw_input *in, const struct fw_health *h, struct fw_sink *s)
{
	const struct fw_recording *rec = fw_input_recording(in);
	struct fw_str details = rec->details, line;
	int err = s->begin(s, &fw_inspect_table), idx;
	const struct fw_need *need;
	struct fw_input_count c;
	enum fw_health_id id;
	size_t pos = 0;
	int64_t v;

	while (!err && (line = next_line(&details)).p)
		err = emit_row(s, "detail", line, fw_null(), fw_null(), NULL);
	while (!err && fw_input_counts(in, &pos, &c)) {
		err = emit_row(s, c.kind, fw_str(c.name), fw_int((int64_t)c.n),
			       fw_int_if(c.bytes, (int64_t)c.bytes), NULL);
	}
	for (pos = 0; !err && fw_health_next(h, &pos, &id, &idx, &v);)
		err = emit_row(s, "health", fw_str(fw_health_name(id)), fw_int(v), fw_null(), NULL);
	for (pos = 0; !err && !rec->scope && (need = fw_need_at(pos)); pos++)
		err = emit_row(s, "need", fw_str(need->what), fw_int((int64_t)count_need(in, need)),
			       fw_null(), need);
	return err ? err : s->end(s);
}

static void print_about(struct fw_writer *w, const char *path, const struct fw_recording *r)
{
	struct fw_str details = r->details, line;

	fw_terminal_text(w, fw_str(path), 80);
	fw_writer_printf(w, ": %s, %" PRIu64 " bytes\n", r->format, r->bytes);
	if (r->device.p) {
		fw_writer_printf(w, "device   ");
		fw_terminal_text(w, r->device, 88);
		fw_writer_char(w, '\n');
	}
	if (r->kernel.p) {
		fw_writer_printf(w, "kernel   ");
		fw_terminal_text(w, r->kernel, 88);
		fw_writer_char(w, '\n');
	}
	if (r->trace_clock)
		fw_writer_printf(w, "clock    times are %s\n", r->trace_clock);
	while ((line = next_line(&details)).p) {
		fw_terminal_text(w, line, 97);
		fw_writer_char(w, '\n');
	}
}

static void print_counts(struct fw_writer *w, const struct fw_input *in, const char *kind,
			 const char *title)
{
	struct fw_input_count c;
	bool any = false;
	size_t pos = 0;

	while (fw_input_counts(in, &pos, &c)) {
		if (strcmp(c.kind, kind))
			continue;
		if (!any)
			fw_writer_printf(w, "\n%s\n", title);
		any = true;
		fw_writer_printf(w, "  %12" PRIu64 "  %s", c.n, c.name);
		if (c.bytes)
			fw_writer_printf(w, " (%" PRIu64 " bytes)", c.bytes);
		fw_writer_char(w, '\n');
	}
}

static void print_health(struct fw_writer *w, const struct fw_health *h)
{
	static const char *const severity[] = { "", "error: ", "loss: " };
	enum fw_health_id id;
	size_t pos = 0;
	int64_t v;
	int idx;

	fw_writer_printf(w, "\nhealth\n");
	while (fw_health_next(h, &pos, &id, &idx, &v)) {
		fw_writer_printf(w, "  %12" PRId64 "  %s%s", v, severity[fw_health_severity(id)],
				 fw_health_name(id));
		if (idx != FW_HEALTH_NO_IDX)
			fw_writer_printf(w, "[%d]", idx);
		fw_writer_printf(w, ": %s\n", fw_health_what(id));
	}
	if (!pos)
		fw_writer_printf(w, "  nothing was lost and nothing refused\n");
}

/* The first lines of a text that could not be read; print_health() tells how many there are. */
static void print_refused(struct fw_writer *w, struct fw_str lines)
{
	fw_writer_printf(w, "\nthe first lines that could not be read\n");
	while (lines.len) {
		const char *end = memchr(lines.p, '\n', lines.len);
		size_t n = end ? (size_t)(end - lines.p) : lines.len;

		fw_writer_printf(w, "  ");
		fw_terminal_text(w, (struct fw_str){ lines.p, n }, 200);
		fw_writer_char(w, '\n');
		n += end != NULL;
		lines = (struct fw_str){ lines.p + n, lines.len - n };
	}
}

/* A capture has no configuration to be changed; the recorder found out what there was. */
static void print_rungs(struct fw_writer *w, struct fw_str rungs)
{
	fw_writer_printf(
		w, "\nwhat the recorder had there (framewait check says what others bring)\n  ");
	fw_terminal_text(w, rungs, (int)FW_MIN(rungs.len, 200));
	fw_writer_char(w, '\n');
}

/* Of SurfaceFlinger a capture has what its stream gave. */
static void print_silent(struct fw_writer *w, const struct fw_input *in)
{
	struct fw_str sf = fw_input_recording(in)->sf;
	const struct fw_need *need;

	for (size_t i = 0; (need = fw_need_at(i)); i++) {
		if (!need->stream || count_need(in, need))
			continue;
		fw_writer_printf(w, "\nmissing: %s; empty without it: %s\n  recorded with --sf ",
				 need->what, need->columns);
		fw_terminal_text(w, sf.len ? sf : FW_STR("none"), 20);
		fw_writer_printf(w, "; --sf perfetto or --sf FILE bring it\n");
	}
}

static void print_missing(struct fw_writer *w, const struct fw_input *in)
{
	const struct fw_need *need;
	bool any = false;
	size_t i;

	fw_writer_printf(w, "\nmissing for a full frame row (absence proves nothing about the "
			    "device), and the\nlines of a Perfetto TraceConfig that record it\n");
	for (i = 0; (need = fw_need_at(i)); i++) {
		if (count_need(in, need))
			continue;
		any = true;
		fw_writer_printf(w, "  %s; empty without it: %s\n    %s\n", need->what,
				 need->columns, need->config);
	}
	if (!any)
		fw_writer_printf(w, "  nothing\n");
}

/* What comes too late for a reading of a capture as it grew is only known from such a reading. */
static int count_late(struct fw_input *in)
{
	const struct fw_recording *rec = fw_input_recording(in);
	struct fw_input_live live = { .settle_ns = rec->settle_ns };
	struct fw_input_opts opts = { .wants = UINT64_C(1) << FW_EV_LOST, .live = &live };
	const struct fw_event *ev;
	int n;

	if (!rec->streamed || !rec->settle_ns)
		return 0;
	n = fw_input_start(in, &opts);
	while (!n && (n = fw_input_next(in, &ev)) > 0)
		n = 0;
	return n;
}

static int refuse_side(const char *path, enum fw_side_kind kind)
{
	bool framestats = kind == FW_SIDE_FRAMESTATS;

	return fw_fail(
		EINVAL,
		"%s: is no recording: it is what dumpsys %s printed; framewait report prints "
		"its rows, and with --%s FILE puts them beside the frames of a recording",
		path, framestats ? "gfxinfo" : "SurfaceFlinger --latency",
		framestats ? "framestats" : "latency");
}

/* Closes @src on an error. */
static int open_input(const char *path, struct fw_health *h, struct fw_input **in)
{
	enum fw_side_kind side = FW_SIDE_NONE;
	struct fw_source *src;
	int err = fw_source_open(path, &src);

	if (err)
		return err;
	err = fw_side_probe(src, &side);
	if (!err && side == FW_SIDE_NONE)
		return fw_input_open_source(src, h, in);
	fw_source_close(src);
	return err ? err : refuse_side(path, side);
}

static int inspect(const char *path, int format, struct fw_writer *w)
{
	struct fw_health *h = fw_health_new();
	struct fw_input *in = NULL;
	struct fw_sink *s;
	int err;

	err = open_input(path, h, &in);
	if (!err)
		err = count_late(in);
	if (err)
		goto out;
	if (format >= 0) {
		s = fw_format_sink(format, w);
		err = emit_table(in, h, s);
		fw_format_sink_free(s);
		goto out;
	}
	print_about(w, path, fw_input_recording(in));
	print_counts(w, in, "packet", "packets");
	print_counts(w, in, "part", "parts");
	print_counts(w, in, "record", "records");
	print_counts(w, in, "object", "objects by type");
	print_counts(w, in, "event", "ftrace events");
	print_counts(w, in, "clock", "timestamps by clock (ftrace: one for each bundle)");
	print_health(w, h);
	if (fw_input_recording(in)->refused.len)
		print_refused(w, fw_input_recording(in)->refused);
	if (fw_input_recording(in)->scope) {
		fw_writer_printf(w, "\n%s\n", fw_input_recording(in)->scope);
	} else if (fw_input_recording(in)->rungs.p) {
		print_rungs(w, fw_input_recording(in)->rungs);
		print_silent(w, in);
	} else {
		print_missing(w, in);
	}
out:
	fw_input_close(in);
	fw_health_free(h);
	return err;
}

static int parse_option(void *ctx, int c)
{
	int *format = ctx;

	*format = fw_format_find(optarg);
	if (*format < 0)
		return fw_usage("inspect", "--format %s: no such format; one of %s", optarg,
				fw_format_names());
	return FW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	int format = -1, err, e, status;
	struct fw_writer w;

	if (!fw_options(&fw_command_inspect, argc, argv, parse_option, &format, &status))
		return status;
	if (argc - optind != 1)
		return fw_usage("inspect",
				argc == optind ? "name a recording" : "one recording at a time");
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	err = inspect(argv[optind], format, &w);
	e = fw_writer_close(&w);
	err = err ? err : e;
	return err ? fw_failed(err) : FW_EXIT_OK;
}

const struct fw_command fw_command_inspect = {
	.name = "inspect",
	.args = "INPUT",
	.what = "what a recording holds, and what it lacks",
	.usage = "INPUT [OPTION...]",
	.about = "Which format a recording has, which packets, events and clocks it holds, what "
		 "was lost, and what is missing for a full frame row, with the lines of a Perfetto "
		 "TraceConfig that would record it.",
	.options = options,
	.run = run,
	.examples = "  $ framewait inspect recording.pftrace\n"
		    "  $ framewait inspect recording.pftrace -f csv\n",
};
