// SPDX-License-Identifier: GPL-2.0-or-later
/* sf_config - the TraceConfig for SurfaceFlinger's data sources, as text and in the wire format */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "live/sf_config.h"

/**
 * struct field - one field of a message, with its value
 * Numbers: protos/perfetto/config/trace_config.proto and data_source_config.proto, v53; write_flush_mode: v56.
 */
struct field {
	const char *name;
	uint32_t id;
	uint32_t number;
	const char *word; /* how the text form spells @number */
	const char *string;
	const struct field *message;
};

#define NUMBER(n, i, v)                                                                            \
	{                                                                                          \
		.name = (n), .id = (i), .number = (v)                                              \
	}
#define WORD(n, i, v, w)                                                                           \
	{                                                                                          \
		.name = (n), .id = (i), .number = (v), .word = (w)                                 \
	}
#define STRING(n, i, s)                                                                            \
	{                                                                                          \
		.name = (n), .id = (i), .string = (s)                                              \
	}
#define MESSAGE(n, i, m)                                                                           \
	{                                                                                          \
		.name = (n), .id = (i), .message = (m)                                             \
	}

/* What arrives within a second is settled within two: flushed, written and read on the way. */
static const struct field builtin[] = {
	NUMBER("snapshot_interval_ms", 6, 1000), /* clocks; else each ten seconds */
	WORD("prefer_suspend_clock_for_snapshot", 7, 1, "true"),
	{ 0 },
};

static const struct field buffer[] = {
	NUMBER("size_kb", 1, 8192),
	WORD("fill_policy", 4, 1, "RING_BUFFER"),
	{ 0 },
};

static const struct field frame_timeline[] = {
	STRING("name", 1, "android.surfaceflinger.frametimeline"),
	{ 0 },
};

static const struct field frame_tracer[] = {
	STRING("name", 1, "android.surfaceflinger.frame"),
	{ 0 },
};

static const struct field process_stats[] = {
	WORD("scan_all_processes_on_start", 2, 1, "true"),
	WORD("record_thread_names", 3, 1, "true"),
	{ 0 },
};

static const struct field processes[] = {
	STRING("name", 1, "linux.process_stats"),
	MESSAGE("process_stats_config", 103, process_stats),
	{ 0 },
};

static const struct field frame_timeline_source[] = {
	MESSAGE("config", 1, frame_timeline),
	{ 0 },
};

static const struct field frame_tracer_source[] = {
	MESSAGE("config", 1, frame_tracer),
	{ 0 },
};

static const struct field process_source[] = {
	MESSAGE("config", 1, processes),
	{ 0 },
};

static const struct field config[] = {
	MESSAGE("buffers", 1, buffer),
	MESSAGE("data_sources", 2, frame_timeline_source),
	MESSAGE("data_sources", 2, frame_tracer_source),
	MESSAGE("data_sources", 2, process_source),
	WORD("write_into_file", 8, 1, "true"),
	NUMBER("file_write_period_ms", 9, 250),
	NUMBER("flush_period_ms", 13, 500),
	/* Since v54; without it they flush each five seconds, whatever the period. */
	WORD("write_flush_mode", 44, 2, "WRITE_FLUSH_DISABLED"),
	/* The end must not take longer than the recording's own. */
	NUMBER("flush_timeout_ms", 14, 500),
	NUMBER("data_source_stop_timeout_ms", 23, 300),
	MESSAGE("builtin_data_sources", 20, builtin),
	{ 0 },
};

static void print_message(FILE *out, const struct field *f, int depth)
{
	for (; f->name; f++) {
		fprintf(out, "%*s%s", depth * 2, "", f->name);
		if (f->message) {
			fputs(" {\n", out);
			print_message(out, f->message, depth + 1);
			fprintf(out, "%*s}\n", depth * 2, "");
		} else if (f->string) {
			fprintf(out, ": \"%s\"\n", f->string);
		} else if (f->word) {
			fprintf(out, ": %s\n", f->word);
		} else {
			fprintf(out, ": %u\n", f->number);
		}
	}
}

char *fw_sf_config_text(void)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	print_message(out, config, 0);
	fclose(out);
	return text;
}

static void put_varint(FILE *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		fputc((int)(v & 0x7f) | 0x80, out);
	fputc((int)v, out);
}

static uint8_t *encode(const struct field *f, size_t *len)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, len);

	for (; f->name; f++) {
		uint8_t *inner = NULL;
		size_t n = f->string ? strlen(f->string) : 0;

		if (f->message)
			inner = encode(f->message, &n);
		put_varint(out, f->id << 3 | (f->message || f->string ? 2 : 0));
		put_varint(out, f->message || f->string ? n : f->number);
		if (n)
			fwrite(inner ? (char *)inner : f->string, 1, n, out);
		free(inner);
	}
	fclose(out);
	return (uint8_t *)bytes;
}

uint8_t *fw_sf_config_binary(size_t *len)
{
	return encode(config, len);
}
