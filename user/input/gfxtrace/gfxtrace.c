// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gfxtrace - captures of AGI and GAPID (.gfxtrace): what was captured where, and how much of what
 *
 * Fields of capture.Header and what stands in it: gapis/capture/capture.proto,
 * core/os/device/device.proto. The commands are there to be replayed, and bear no times.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/wire.h"
#include "input/format.h"
#include "input/gfxtrace/pack.h"

struct gfxtrace {
	struct gx_pack pack;
	struct fw_health *health;
	struct fw_names *names;
	struct fw_recording rec;
	FILE *details;
	char *text;
	size_t text_len;
	struct gx_chunk header; /* the last one; len 0: none */
	uint64_t presents, submits, draws;
};

/* The message or text in a field; absent: it has none. */
static struct fw_str field(struct fw_str msg, uint32_t id)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_str found = FW_STR_NONE;
	struct fw_pb_field f;

	while (msg.p && fw_pb_next(&pb, &f) > 0)
		if (f.id == id && f.wire == FW_WIRE_LEN)
			found = f.s;
	return found;
}

static bool number(struct fw_str msg, uint32_t id, uint64_t *out)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	bool found = false;

	while (msg.p && fw_pb_next(&pb, &f) > 0) {
		if (f.id != id || f.wire != FW_WIRE_VARINT)
			continue;
		*out = f.v;
		found = true;
	}
	return found;
}

/* A line of what the capture says of itself; names come from the file. */
static void line(struct gfxtrace *g, const char *what, struct fw_str a, struct fw_str b)
{
	struct fw_str parts[] = { a, b };

	if (!a.len && !b.len)
		return;
	fprintf(g->details, "%-8s", what);
	for (int i = 0; i < 2; i++) {
		if (parts[i].len)
			fputc(' ', g->details);
		for (size_t k = 0; k < parts[i].len && k < 200; k++)
			fputc((uint8_t)parts[i].p[k] < ' ' ? '?' : parts[i].p[k], g->details);
	}
	fputc('\n', g->details);
}

static const char *word(const char *const *words, size_t n, struct fw_str msg, uint32_t id)
{
	uint64_t v = 0;

	number(msg, id, &v);
	return v < n ? words[v] : "unknown";
}

static void describe_abi(struct gfxtrace *g, struct fw_str abi)
{
	static const char *const machines[] = { "unknown", "armv7-a", "armv8-a", "x86",
						"x86_64",  "mips",    "mips64" };
	static const char *const systems[] = { "unknown", "Windows", "macOS", "Linux", "Android" };

	if (!abi.p)
		return;
	fprintf(g->details, "ABI      %.*s (%s, %s)\n", FW_STR_ARG(field(abi, 1)),
		word(machines, ARRAY_SIZE(machines), abi, 3),
		word(systems, ARRAY_SIZE(systems), abi, 2));
}

/* Major, minor and patch of a Vulkan version. */
static void describe_vulkan(struct gfxtrace *g, struct fw_str driver)
{
	struct fw_str device = field(driver, 3);
	uint64_t api = 0, version = 0;

	if (!device.p)
		return;
	number(device, 1, &api);
	number(device, 2, &version);
	fprintf(g->details,
		"Vulkan   %.*s, API %" PRIu64 ".%" PRIu64 ".%" PRIu64 ", driver version 0x%" PRIx64
		"\n",
		FW_STR_ARG(field(device, 5)), api >> 22, api >> 12 & 0x3ff, api & 0xfff, version);
}

static void describe_header(struct gfxtrace *g, struct fw_str h)
{
	struct fw_str device = field(h, 1), config = field(device, 4), os = field(config, 1);
	struct fw_str hardware = field(config, 2), gpu = field(hardware, 3);
	struct fw_str cpu = field(hardware, 2);
	uint64_t v;

	line(g, "device", field(device, 3), field(device, 2));
	line(g, "hardware", field(hardware, 1), FW_STR_NONE);
	line(g, "OS", field(os, 2), field(os, 3));
	line(g, "CPU", field(cpu, 1), field(cpu, 2));
	line(g, "GPU", field(gpu, 1), field(gpu, 2));
	describe_vulkan(g, field(field(config, 4), 2));
	describe_abi(g, field(h, 2));
	if (number(h, 3, &v))
		fprintf(g->details, "version  capture format %" PRId64 "\n",
			(int64_t)(v >> 1 ^ (0 - (v & 1))));
	if (number(h, 4, &v))
		fprintf(g->details, "start    %" PRIu64 ", in the device's own units\n", v);
}

/* The last header knows most: the drivers are asked only when the traced program loads them. */
static int read_header(struct gfxtrace *g)
{
	const uint8_t *b;
	size_t have;

	if (!g->header.len || g->header.len > GX_HEADER_MAX)
		return 0;
	b = fw_reader_at(&g->pack.reader, g->header.pos, (size_t)g->header.len, &have);
	if (!b)
		return -EIO;
	if (have >= g->header.len)
		describe_header(g, (struct fw_str){ (const char *)b, (size_t)g->header.len });
	return 0;
}

static bool ends_with(struct fw_str s, const char *end)
{
	size_t n = strlen(end);

	return s.len >= n && !memcmp(s.p + s.len - n, end, n);
}

static void count_object(struct gfxtrace *g, const struct gx_chunk *c)
{
	struct fw_str name = g->pack.types[c->type].name;

	if (fw_str_eq(name, FW_STR("capture.Header")))
		g->header = *c;
	else if (ends_with(name, ".vkQueuePresentKHR") || ends_with(name, ".eglSwapBuffers") ||
		 ends_with(name, ".eglSwapBuffersWithDamageKHR"))
		g->presents++;
	else if (ends_with(name, ".vkQueueSubmit") || ends_with(name, ".vkQueueSubmit2"))
		g->submits++;
	else if (memmem(name.p, name.len, ".vkCmdDraw", 10) ||
		 memmem(name.p, name.len, ".glDraw", 7))
		g->draws += !ends_with(name, "Call");
}

static void describe_pack(struct gfxtrace *g)
{
	const struct gx_pack *p = &g->pack;
	uint64_t fields = 0;

	for (uint32_t i = 1; i < p->n_types; i++)
		fields += p->types[i].fields;
	fprintf(g->details, "types    %" PRIu32 " described, with %" PRIu64 " fields\n",
		p->n_types - 1, fields);
	fprintf(g->details,
		"objects  %" PRIu64 ": %" PRIu64 " roots, %" PRIu64 " below them, %" PRIu32
		" deep; %zu are not ended\n",
		p->n_objects, p->n_roots, p->n_objects - p->n_roots, p->max_depth, p->open.n);
	fprintf(g->details,
		"frames   %" PRIu64 " presents, with %" PRIu64 " queue submits and %" PRIu64
		" draws\n",
		g->presents, g->submits, g->draws);
	if (p->stopped)
		fprintf(g->details,
			"cut      at offset %" PRIu64 " of %" PRIu64 ", chunk %" PRIu64 ": %s\n",
			p->pos, p->end, p->n_chunks, p->stopped);
	else
		fprintf(g->details, "whole    to its last object, %" PRIu64 " chunks\n",
			p->n_chunks);
}

static int read_all(struct gfxtrace *g)
{
	struct gx_chunk c;
	int ret;

	while ((ret = gx_pack_next(&g->pack, &c)) > 0) {
		if (c.kind == GX_OBJECT)
			count_object(g, &c);
		fw_progress("reading", g->pack.pos, g->pack.end);
	}
	if (ret < 0)
		return ret;
	if (g->pack.stopped)
		fw_health_add(g->health, FW_H_fw_truncated_bytes, FW_HEALTH_NO_IDX,
			      (int64_t)(g->pack.end - g->pack.pos));
	if (!g->pack.n_chunks)
		return fw_fail(EPROTO, "%s: .gfxtrace: at offset %" PRIu64 " %s",
			       fw_source_path(g->pack.src), g->pack.pos,
			       g->pack.stopped ? g->pack.stopped : "a chunk was expected");
	ret = read_header(g);
	describe_pack(g);
	return ret;
}

static int probe(const uint8_t *p, size_t len)
{
	return len >= 11 && !memcmp(p, "ProtoPack\r\n", 11) ? 100 : 0;
}

static void close_capture(void *state)
{
	struct gfxtrace *g = state;

	fw_progress_clear();
	if (g->details)
		fclose(g->details);
	free(g->text);
	if (g->pack.src)
		fw_source_close(g->pack.src);
	gx_pack_free(&g->pack);
	fw_names_free(g->names);
	free(g);
}

static int check_version(struct fw_source *src)
{
	char magic[GX_MAGIC_LEN] = "";
	ssize_t n = fw_source_read(src, 0, magic, sizeof(magic));

	if (n < 0)
		return (int)n;
	if (n == GX_MAGIC_LEN && !memcmp(magic, GX_MAGIC, GX_MAGIC_LEN))
		return 0;
	return fw_fail(ENOTSUP, "%s: .gfxtrace: at offset 11 expected version 2.0 of ProtoPack",
		       fw_source_path(src));
}

static int open_capture(struct fw_source *src, struct fw_health *health, void **state)
{
	struct gfxtrace *g = fw_zalloc(sizeof(*g));
	int err = check_version(src);

	g->health = health;
	g->names = fw_names_new();
	gx_pack_init(&g->pack, src, g->names);
	g->details = open_memstream(&g->text, &g->text_len);
	if (!err && !g->details)
		err = fw_fail(errno, "%s: %s", fw_source_path(src), strerror(errno));
	if (!err)
		err = read_all(g);
	if (err) {
		g->pack.src = NULL; /* stays the caller's */
		close_capture(g);
		return err;
	}
	fflush(g->details);
	g->rec = (struct fw_recording){
		.format = "AGI/GAPID capture (ProtoPack 2.0)",
		.bytes = fw_source_file_size(src),
		.first_ts = INT64_MAX,
		.details = { g->text, g->text_len },
		.scope = "beside a frame record of the same run one can put: the device and its "
			 "driver,\n"
			 "the number and order of presents, submits and draws, and when the "
			 "capture began.\n"
			 "It cannot say when a command ran, what a thread or a fence waited for, "
			 "or which\n"
			 "frame of SurfaceFlinger a present became: its commands have no times.",
	};
	*state = g;
	return 0;
}

static const struct fw_recording *recording(const void *state)
{
	return &((const struct gfxtrace *)state)->rec;
}

static int refuse(const struct gfxtrace *g)
{
	return fw_fail(EINVAL,
		       "%s: is a capture of AGI or GAPID (.gfxtrace): commands to replay, without "
		       "times; framewait inspect says what it holds",
		       fw_source_path(g->pack.src));
}

static int peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
		      void *ctx)
{
	return refuse(state);
}

static int start(void *state, const struct fw_input_opts *opts)
{
	return refuse(state);
}

static int next(void *state, const struct fw_event **ev)
{
	return 0;
}

static bool counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	const struct gx_pack *p = &((const struct gfxtrace *)state)->pack;

	for (*pos = FW_MAX(*pos, (size_t)1); *pos < p->n_types; (*pos)++) {
		const struct gx_type *t = &p->types[*pos];

		if (!t->n)
			continue;
		*out = (struct fw_input_count){ "object", t->name.p, t->n, t->bytes };
		(*pos)++;
		return true;
	}
	return false;
}

const struct fw_format fw_format_gfxtrace = {
	.name = "gfxtrace",
	.probe = probe,
	.open = open_capture,
	.close = close_capture,
	.recording = recording,
	.peek_small = peek_small,
	.start = start,
	.next = next,
	.counts = counts,
};
