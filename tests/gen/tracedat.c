// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trace.dat as trace-cmd writes it, of two CPUs: an app that draws frames, sleeps in the kernel and
 * waits for a fence, in every shape that the format has.
 */
#include "tracedat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "tracedat_events.h"

#define PAGE 4096
#define CPUS 2
#define START UINT64_C(1000000000000)
#define MS UINT64_C(1000000)
#define US UINT64_C(1000)
#define APP 1200
#define RENDER 1201
#define WORKER 77
#define IRQ 0x08 /* TRACE_FLAG_HARDIRQ */
#define MISSED (UINT64_C(1) << 31)
#define TIME_EXTEND 30
#define PADDING 29

/* The pages of one CPU. */
struct cpu {
	struct bytes pages;
	size_t page; /* where the last one begins */
	uint64_t last;
	bool open, missed;
};

struct gen {
	const struct tracedat_opts *o;
	struct cpu cpus[CPUS];
	struct bytes file;
};

static uint32_t word(const struct gen *g, uint32_t type, uint32_t delta)
{
	return g->o->big ? type << 27 | delta : delta << 5 | type;
}

static unsigned int head(const struct gen *g)
{
	return 8 + (unsigned int)g->o->long_size;
}

static void close_page(struct gen *g, struct cpu *c)
{
	uint64_t commit = c->pages.n - c->page - head(g);

	if (!c->open)
		return;
	bytes_set(&c->pages, c->page + 8, commit | (c->missed ? MISSED : 0),
		  (unsigned int)g->o->long_size);
	bytes_zeros(&c->pages, PAGE - (c->pages.n - c->page));
	c->open = c->missed = false;
}

static void put_event(struct gen *g, int cpu, uint64_t ts, const struct bytes *record)
{
	struct cpu *c = &g->cpus[cpu];
	uint32_t words = (uint32_t)(record->n + 3) / 4;
	uint64_t delta;

	c->pages.big = g->o->big;
	if (c->open && c->pages.n - c->page + record->n + 24 > PAGE)
		close_page(g, c);
	if (!c->open) {
		c->page = c->pages.n;
		bytes_u(&c->pages, ts, 8);
		bytes_u(&c->pages, 0, (unsigned int)g->o->long_size);
		c->open = true;
		c->last = ts;
	}
	delta = ts - c->last;
	if (delta >= 1u << 27) {
		bytes_u(&c->pages, word(g, TIME_EXTEND, (uint32_t)delta & ((1u << 27) - 1)), 4);
		bytes_u(&c->pages, delta >> 27, 4);
		delta = 0;
	}
	if (words <= 28) {
		bytes_u(&c->pages, word(g, words, (uint32_t)delta), 4);
	} else {
		bytes_u(&c->pages, word(g, 0, (uint32_t)delta), 4);
		bytes_u(&c->pages, words * 4 + 4, 4);
	}
	bytes_put(&c->pages, record->p, record->n);
	bytes_zeros(&c->pages, words * 4 - record->n);
	c->last = ts;
}

static void event(struct gen *g, int cpu, uint64_t ts, enum ev e, int flags, int pid,
		  const struct value *v)
{
	struct bytes record = { .big = g->o->big };

	put_record(&record, e, g->o->long_size, flags, pid, v);
	put_event(g, cpu, ts, &record);
	free(record.p);
}

/* An event that was taken back: its time counts, its bytes do not. */
static void taken_back(struct gen *g, int cpu, uint64_t ts)
{
	struct cpu *c = &g->cpus[cpu];

	if (!c->open || c->pages.n - c->page + 32 > PAGE)
		return;
	bytes_u(&c->pages, word(g, PADDING, (uint32_t)(ts - c->last)), 4);
	bytes_u(&c->pages, 12, 4);
	bytes_zeros(&c->pages, 8);
	c->last = ts;
}

static void switch_to(struct gen *g, int cpu, uint64_t ts, const char *prev, int prev_pid,
		      int state, const char *next, int next_pid)
{
	const struct value v[] = { { 0, prev }, { prev_pid, NULL }, { 120, NULL }, { state, NULL },
				   { 0, next }, { next_pid, NULL }, { 120, NULL } };

	event(g, cpu, ts, EV_SWITCH, 0, prev_pid, v);
}

static void waking(struct gen *g, int cpu, uint64_t ts, int flags, int by, const char *comm,
		   int pid)
{
	const struct value v[] = { { 0, comm }, { pid, NULL }, { 120, NULL }, { 0, NULL } };

	event(g, cpu, ts, EV_WAKING, flags, by, v);
}

static void fence(struct gen *g, int cpu, uint64_t ts, enum ev e, int flags, int pid, int seqno)
{
	const struct value v[] = {
		{ 0, "gpu-driver" }, { 0, "ring0" }, { 42, NULL }, { seqno, NULL }
	};

	event(g, cpu, ts, e, flags, pid, v);
}

static void mark(struct gen *g, int cpu, uint64_t ts, int pid, const char *text)
{
	const struct value v[] = { { 0x1000, NULL }, { 0, text } };

	event(g, cpu, ts, EV_PRINT, 0, pid, v);
}

static void irq(struct gen *g, int cpu, uint64_t ts, int pid)
{
	const struct value entry[] = { { 11, NULL }, { 0, "gpu" } },
			   leave[] = { { 11, NULL }, { 1, NULL } };

	event(g, cpu, ts, EV_IRQ_ENTRY, IRQ, pid, entry);
	event(g, cpu, ts + 15 * US, EV_IRQ_EXIT, IRQ, pid, leave);
}

/*
 * One frame of the app: woken by an interrupt, blocked for 200 us on a page, then it draws, and its
 * fence signals after it sleeps.
 */
static void one_frame(struct gen *g, int n)
{
	uint64_t t = START + (uint64_t)n * 16 * MS;
	int64_t caller = g->o->long_size == 8 ? (int64_t)0xffffffff81002010 : 0x81002010;
	const struct value blocked[] = { { APP, NULL }, { caller, NULL }, { 1, NULL } };
	char text[200];

	waking(g, 0, t, IRQ, 0, "app.main", APP);
	switch_to(g, 0, t + 20 * US, "swapper/0", 0, 0, "app.main", APP);
	snprintf(text, sizeof(text), "B|%d|Choreographer#doFrame %d%s\n", APP, 1000 + n,
		 n % 3 ? ""
		       : ": a text that is longer than what fits into twenty-eight words of four "
			 "bytes each, behind the common fields");
	mark(g, 0, t + 30 * US, APP, text);
	switch_to(g, 0, t + 300 * US, "app.main", APP, 2, "swapper/0", 0);
	if (n % 5 == 1)
		g->cpus[1].missed |= !g->cpus[1].open;
	waking(g, 1, t + 490 * US, 0, WORKER, "app.main", APP);
	event(g, 1, t + 495 * US, EV_BLOCKED, 0, WORKER, blocked);
	switch_to(g, 0, t + 520 * US, "swapper/0", 0, 0, "app.main", APP);
	taken_back(g, 0, t + 525 * US);
	waking(g, 0, t + 600 * US, 0, APP, "RenderThread", RENDER);
	switch_to(g, 1, t + 640 * US, "kworker/1:2", WORKER, 1, "RenderThread", RENDER);
	irq(g, 0, t + 700 * US, APP);
	fence(g, 1, t + 900 * US, EV_FENCE_INIT, 0, RENDER, 500 + n);
	mark(g, 0, t + 1000 * US, APP, "E|1200\n");
	switch_to(g, 0, t + 1010 * US, "app.main", APP, 1, "swapper/0", 0);
	switch_to(g, 1, t + 1500 * US, "RenderThread", RENDER, n % 2 ? 0x100 : 1, "kworker/1:2",
		  WORKER);
	fence(g, 0, t + 4 * MS, EV_FENCE_SIGNALED, IRQ, 0, 500 + n);
	/* From here on CPU 1 loses what it writes. */
	if (n % 5 == 0)
		close_page(g, &g->cpus[1]);
}

static void events(struct gen *g)
{
	const struct value born[] = {
		{ RENDER, NULL }, { 0, "app.main" }, { 0x10000, NULL }, { 0, NULL }
	};
	const struct value freq[] = { { 1800000, NULL }, { 1, NULL } };

	event(g, 1, START - 2 * MS, EV_FREQUENCY, 0, WORKER, freq);
	event(g, 0, START - MS, EV_NEWTASK, 0, APP, born);
	for (int n = 0; n < g->o->frames; n++)
		one_frame(g, n);
	for (int cpu = 0; cpu < CPUS; cpu++)
		close_page(g, &g->cpus[cpu]);
}

/*
 * The parts of the file that both versions have
 */
static void header_info(struct bytes *b, int long_size)
{
	static const char event[] = "# compressed entry header\n\ttype_len    :    5 bits\n";
	char page[300];
	int n = snprintf(page, sizeof(page),
			 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			 "\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
			 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			 "\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n",
			 long_size, 8 + long_size, PAGE - 8 - long_size);

	bytes_text(b, "header_page");
	bytes_u(b, (uint64_t)n, 8);
	bytes_put(b, page, (size_t)n);
	bytes_text(b, "header_event");
	bytes_u(b, sizeof(event) - 1, 8);
	bytes_put(b, event, sizeof(event) - 1);
}

static void ftrace_formats(struct bytes *b, int long_size)
{
	bytes_u(b, 1, 4);
	put_format(b, &formats[EV_PRINT], long_size);
}

static void event_formats(struct bytes *b, int long_size)
{
	static const char *const systems[] = { "sched", "task", "irq", "power", "dma_fence" };

	bytes_u(b, 5, 4);
	for (int s = 0; s < 5; s++) {
		uint32_t n = 0;

		for (int e = 0; e < EV_N; e++)
			n += !strcmp(formats[e].system, systems[s]);
		bytes_text(b, systems[s]);
		bytes_u(b, n, 4);
		for (int e = 0; e < EV_N; e++)
			if (!strcmp(formats[e].system, systems[s]))
				put_format(b, &formats[e], long_size);
	}
}

static void sized_text(struct bytes *b, const char *text, unsigned int size)
{
	bytes_u(b, strlen(text), size);
	bytes_put(b, text, strlen(text));
}

static const char *kallsyms(int long_size)
{
	return long_size == 8
		       ? "ffffffff81000000 T _stext\nffffffff81002000 t folio_wait_bit_common\n"
			 "ffffffff81003000 T schedule\nffffffffa0000000 t gpu_irq\t[gpu]\n"
		       : "81000000 T _stext\n81002000 t folio_wait_bit_common\n"
			 "81003000 T schedule\nbf000000 t gpu_irq\t[gpu]\n";
}

static const char cmdlines[] = "1200 app.main\n1201 RenderThread\n77 kworker/1:2\n";
static const char clock_text[] = "local global counter uptime perf [mono] mono_raw boot\n";

static void option(struct bytes *b, int id, const void *p, size_t n)
{
	bytes_u(b, (uint64_t)id, 2);
	bytes_u(b, n, 4);
	bytes_put(b, p, n);
}

static void common_options(struct bytes *b, bool with_clock)
{
	static const char stat[] = "CPU: 1\nentries: 0\noverrun: 9\ncommit overrun: 0\n";
	static const char uname[] = "Linux generated 6.18.0-gen x86_64";

	option(b, 2, stat, sizeof(stat));
	option(b, 4, clock_text, with_clock ? sizeof(clock_text) : 0);
	option(b, 5, uname, sizeof(uname));
	/* One of a newer trace-cmd. */
	option(b, 4711, uname, 7);
}

static void pad_to_page(struct bytes *b)
{
	bytes_zeros(b, (PAGE - b->n % PAGE) % PAGE);
}

static void magic(struct gen *g)
{
	struct bytes *b = &g->file;

	bytes_put(b, "\x17\x08\x44tracing", 10);
	bytes_text(b, g->o->version == 6 ? "6" : "7");
	bytes_u(b, g->o->big, 1);
	bytes_u(b, (uint64_t)g->o->long_size, 1);
	bytes_u(b, PAGE, 4);
}

static void version_6(struct gen *g)
{
	struct bytes *b = &g->file;
	size_t table;

	magic(g);
	header_info(b, g->o->long_size);
	ftrace_formats(b, g->o->long_size);
	event_formats(b, g->o->long_size);
	sized_text(b, kallsyms(g->o->long_size), 4);
	bytes_u(b, 0, 4);
	sized_text(b, cmdlines, 8);
	bytes_u(b, CPUS, 4);
	bytes_put(b, "options  ", 10);
	common_options(b, false);
	bytes_u(b, 0, 2);
	bytes_put(b, "flyrecord", 10);
	table = b->n;
	bytes_zeros(b, CPUS * 16);
	sized_text(b, clock_text, 8);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		pad_to_page(b);
		bytes_set(b, table + (size_t)cpu * 16, b->n, 8);
		bytes_set(b, table + (size_t)cpu * 16 + 8, g->cpus[cpu].pages.n, 8);
		bytes_put(b, g->cpus[cpu].pages.p, g->cpus[cpu].pages.n);
	}
}

static void put_compressed(struct gen *g, const uint8_t *p, size_t n)
{
	size_t room = ZSTD_compressBound(n) + compressBound(n);
	uint8_t *out = malloc(room);
	uLongf packed = room;

	if (!out)
		exit(1);
	if (g->o->compress == OUT_ZSTD)
		packed = ZSTD_compress(out, room, p, n, 3);
	else
		compress(out, &packed, p, n);
	bytes_u(&g->file, packed, 4);
	bytes_u(&g->file, n, 4);
	bytes_put(&g->file, out, packed);
	free(out);
}

/* Return: where the section begins. */
static size_t section(struct gen *g, int id, const struct bytes *content)
{
	struct bytes *b = &g->file;
	bool packed = g->o->compress != OUT_PLAIN;
	size_t at = b->n, body;

	bytes_u(b, (uint64_t)id, 2);
	bytes_u(b, packed, 2);
	bytes_u(b, 0, 4);
	bytes_zeros(b, 8);
	body = b->n;
	if (packed)
		put_compressed(g, content->p, content->n);
	else
		bytes_put(b, content->p, content->n);
	bytes_set(b, body - 8, b->n - body, 8);
	return at;
}

/* The pages of a CPU, two a chunk where they are compressed. Return: the length to tell. */
static size_t cpu_data(struct gen *g, const struct bytes *pages)
{
	struct bytes *b = &g->file;
	size_t at = b->n, step = 2 * PAGE;

	if (g->o->compress == OUT_PLAIN) {
		bytes_put(b, pages->p, pages->n);
		return pages->n;
	}
	bytes_u(b, (pages->n + step - 1) / step, 4);
	for (size_t i = 0; i < pages->n; i += step)
		put_compressed(g, pages->p + i, pages->n - i < step ? pages->n - i : step);
	return b->n - at - 4;
}

static void buffer(struct gen *g, struct bytes *opt)
{
	struct bytes *b = &g->file;
	size_t at = b->n;

	bytes_u(b, 3, 2);
	bytes_u(b, g->o->compress != OUT_PLAIN, 2);
	bytes_u(b, 0, 4);
	bytes_zeros(b, 8);
	bytes_u(opt, at, 8);
	bytes_text(opt, "");
	bytes_text(opt, "mono");
	bytes_u(opt, PAGE, 4);
	bytes_u(opt, CPUS, 4);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		size_t from;

		pad_to_page(b);
		from = b->n;
		bytes_u(opt, (uint64_t)cpu, 4);
		bytes_u(opt, from, 8);
		bytes_u(opt, cpu_data(g, &g->cpus[cpu].pages), 8);
	}
	bytes_set(b, at + 8, b->n - at - 16, 8);
}

static void version_7(struct gen *g)
{
	static const char *const names[] = { "none", "zlib", "zstd" };
	struct bytes *b = &g->file, s = { .big = g->o->big }, opts = s, buf = s;
	size_t options_at, at;
	int long_size = g->o->long_size;

	magic(g);
	bytes_text(b, names[g->o->compress]);
	bytes_text(b, "");
	options_at = b->n;
	bytes_zeros(b, 8);
	for (int id = 16; id <= 21; id++) {
		s.n = 0;
		if (id == 16)
			header_info(&s, long_size);
		else if (id == 17)
			ftrace_formats(&s, long_size);
		else if (id == 18)
			event_formats(&s, long_size);
		else if (id == 19)
			sized_text(&s, kallsyms(long_size), 4);
		else if (id == 20)
			bytes_u(&s, 0, 4);
		else
			sized_text(&s, cmdlines, 8);
		at = section(g, id, &s);
		bytes_u(&opts, (uint64_t)id, 2);
		bytes_u(&opts, 8, 4);
		bytes_u(&opts, at, 8);
	}
	common_options(&opts, true);
	buffer(g, &buf);
	option(&opts, 3, buf.p, buf.n);
	bytes_u(&opts, 0, 2);
	bytes_u(&opts, 8, 4);
	bytes_u(&opts, 0, 8);
	at = section(g, 0, &opts);
	bytes_set(b, options_at, at, 8);
	free(s.p);
	free(opts.p);
	free(buf.p);
}

void tracedat_generate(const struct tracedat_opts *o)
{
	struct gen g = { .o = o, .file.big = o->big };
	FILE *f = strcmp(o->path, "-") ? fopen(o->path, "wb") : stdout;

	events(&g);
	if (o->version == 6)
		version_6(&g);
	else
		version_7(&g);
	if (!f || fwrite(g.file.p, 1, g.file.n, f) != g.file.n || fclose(f)) {
		perror(o->path);
		exit(1);
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		free(g.cpus[cpu].pages.p);
	free(g.file.p);
}
