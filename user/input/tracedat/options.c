// SPDX-License-Identifier: GPL-2.0-or-later
/* options - clocks, offsets, the kernel, lost events; and where the cpus' pages are */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/tracedat/tracedat.h"

enum {
	OPTION_CPUSTAT = 2,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_CPUCOUNT = 8,
	OPTION_TSC2NSEC = 14,
};

#define TEXT_MAX 4096

/* The text of an option, without what follows its NUL; free it. */
static char *text_of(struct td *t, struct td_span s)
{
	struct td_cursor c = td_cursor(t, s);
	const uint8_t *p = td_bytes(&c, FW_MIN(s.len, (uint64_t)TEXT_MAX));
	char *text = fw_zalloc(TEXT_MAX + 1);

	if (p)
		memcpy(text, p, FW_MIN(s.len, (uint64_t)TEXT_MAX));
	return text;
}

/* The value of "key: value" at the start of a line; -1: none. */
static int64_t line_number(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (!strncasecmp(p, key, n) && p[n] == ':')
			return strtoll(p + n + 1, NULL, 10);
	}
	return -1;
}

/* What the kernel counted itself: per_cpu/cpuN/stats. */
static void cpu_stat(struct td *t, const char *text)
{
	int64_t cpu = line_number(text, "cpu");
	int64_t n;

	if (cpu < 0 || cpu >= TD_CPUS_MAX)
		return;
	n = line_number(text, "overrun");
	if (n > 0)
		fw_health_add(t->health, FW_H_ftrace_cpu_overrun_delta, (int)cpu, n);
	n = line_number(text, "commit overrun");
	if (n > 0)
		fw_health_add(t->health, FW_H_ftrace_cpu_commit_overrun_delta, (int)cpu, n);
	n = line_number(text, "dropped events");
	if (n > 0)
		fw_health_add(t->health, FW_H_ftrace_cpu_dropped_events_delta, (int)cpu, n);
}

/* "[boot] global ..." or one name. */
void td_clock(struct td *t, struct td_span s)
{
	char *text = text_of(t, s), *from = strchr(text, '['), *to;

	from = from ? from + 1 : text;
	to = from + strcspn(from, "] \n");
	*to = '\0';
	if (*from && strlen(from) < sizeof(t->clock) && !t->clock[0])
		strcpy(t->clock, from);
	free(text);
}

/* "Linux host 4.11.0-rc4+ x86_64" */
static void uname(struct td *t, const char *text)
{
	const char *host = strchr(text, ' '), *release = host ? strchr(host + 1, ' ') : NULL;
	const char *machine = release ? strchr(release + 1, ' ') : NULL;
	const char *end = machine ? machine : text + strlen(text);

	if (!release || t->rec.kernel.p)
		return;
	t->rec.sysname = fw_names_str(
		t->names, fw_names_id(t->names, (struct fw_str){ text, (size_t)(host - text) }));
	t->rec.kernel = fw_names_str(
		t->names,
		fw_names_id(t->names, (struct fw_str){ release + 1, (size_t)(end - release - 1) }));
	if (machine)
		t->rec.machine = fw_names_str(t->names, fw_names_id(t->names, fw_str(machine + 1)));
}

static void tsc(struct td *t, struct td_span s)
{
	struct td_cursor c = td_cursor(t, s);

	t->tsc_mult = (uint32_t)td_u(&c, 4);
	t->tsc_shift = (uint32_t)td_u(&c, 4);
	t->tsc_offset = td_u(&c, 8);
	t->has_tsc = !c.bad && t->tsc_mult && t->tsc_shift < 64;
}

void td_option(struct td *t, uint32_t id, struct td_span s)
{
	char *text = NULL;
	int64_t offset;

	switch (id) {
	case OPTION_TSC2NSEC:
		tsc(t, s);
		return;
	case OPTION_CPUCOUNT:
		/*
		 * Valve's trace-cmd of 2017 had this number first, for the threads' processes as
		 * saved_tgids has them. libtracecmd takes such a table for a count and gives up.
		 */
		if (s.len != 4)
			t->tgids = s;
		return;
	case OPTION_TRACECLOCK:
		if (t->version != 6)
			td_clock(t, s);
		return;
	case OPTION_CPUSTAT:
	case OPTION_UNAME:
	case OPTION_OFFSET:
		text = text_of(t, s);
		break;
	default:
		return;
	}
	if (id == OPTION_CPUSTAT)
		cpu_stat(t, text);
	else if (id == OPTION_UNAME)
		uname(t, text);
	offset = id == OPTION_OFFSET ? strtoll(text, NULL, 0) : 0;
	if (__builtin_add_overflow(t->offset, offset, &t->offset))
		t->offset = 0;
	free(text);
}

int td_add_stream(struct td *t, int32_t cpu, struct td_span s, uint32_t page_size)
{
	if (!s.len)
		return 0;
	if (page_size < 512 || page_size > 1u << 20 || page_size & (page_size - 1))
		return fw_fail(EPROTO, "%s: trace.dat: a page size of %" PRIu32 " bytes",
			       fw_source_path(t->src), page_size);
	if (cpu >= TD_CPUS_MAX || t->n_streams >= TD_CPUS_MAX)
		return fw_fail(EPROTO, "%s: trace.dat: more than %d cpus", fw_source_path(t->src),
			       TD_CPUS_MAX);
	fw_grow(t->streams, t->n_streams, t->streams_cap);
	t->streams[t->n_streams++] = (struct td_stream){
		.cpu = cpu, .pos = s.pos, .end = s.pos + s.len, .page_size = page_size
	};
	t->rec.num_cpus = FW_MAX(t->rec.num_cpus, cpu + 1);
	return 0;
}

/* Each stream within the bytes that there are, and no byte in two streams. */
static int check_extent(struct td *t)
{
	uint64_t size = fw_source_size(t->src), sum = 0, inflated;

	inflated = fw_source_inflated_end(t->src) - FW_SOURCE_INFLATED;
	for (uint32_t i = 0; i < t->n_streams; i++) {
		struct td_stream *s = &t->streams[i];
		uint64_t last =
			s->pos >= FW_SOURCE_INFLATED ? fw_source_inflated_end(t->src) : size;

		if (s->end < s->pos || s->pos > last)
			return fw_fail(EPROTO,
				       "%s: trace.dat: the data of cpu %d would begin at offset "
				       "%" PRIu64 ", but the file ends at %" PRIu64,
				       fw_source_path(t->src), s->cpu, s->pos, last);
		if (s->end > last) {
			fw_health_add(t->health, FW_H_fw_truncated_bytes, FW_HEALTH_NO_IDX,
				      (int64_t)FW_MIN(s->end - last, (uint64_t)INT64_MAX));
			s->end = last;
		}
		sum += s->end - s->pos;
	}
	if (sum > size + inflated)
		return fw_fail(EPROTO, "%s: trace.dat: the data of two cpus overlap",
			       fw_source_path(t->src));
	return 0;
}

int td_check_streams(struct td *t)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < t->n_streams; i++)
		pages += t->streams[i].page_size;
	if (pages > TD_PAGES_MAX)
		return fw_fail(EPROTO,
			       "%s: trace.dat: the pages of %" PRIu32 " cpus need %" PRIu64
			       " bytes at once",
			       fw_source_path(t->src), t->n_streams, pages);
	return check_extent(t);
}
