// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording cut at every byte, and thousands of damaged copies: no crash, no row too many. */
#include <stdlib.h>

#include "frame/columns.h"
#include "tap.h"
#include "../fuzz/harness.h"

#define RECORDING "tests/data/two-frames.pftrace"
#define DAMAGED_COPIES 2000
#define REPORT_EVERY 24 /* cuts; and around each end of a packet */
#define MAX_KEYS 64
#define KEY_LEN 256

static uint8_t *whole;
static size_t whole_len;

/* Which frame a row is: nothing that a missing tail may change. */
struct keys {
	char key[MAX_KEYS][KEY_LEN];
	int n;
};

static const char *const identity[] = { "kind", "layer", "surface_token", "display_token",
					"actual_start_ns" };

static void cell_text(const struct fw_cell *c, char *out, size_t len)
{
	if (c->type == FW_TEXT)
		snprintf(out, len, "%.*s", FW_STR_ARG(c->s));
	else if (c->type != FW_NULL)
		snprintf(out, len, "%" PRId64, c->i);
	else
		snprintf(out, len, "-");
}

static void keep_key(void *ctx, const struct fw_table *t, const struct fw_cell *cells)
{
	struct keys *k = ctx;
	char *key = k->key[k->n < MAX_KEYS ? k->n : MAX_KEYS - 1];
	size_t at = 0;

	if (strcmp(t->name, "frames"))
		return;
	/* A cut before SurfaceFlinger's first frame has those of the marks instead. */
	if (fw_str_eq(cells[FW_C_FRAMES_kind].s, FW_STR("mark")))
		return;
	for (size_t i = 0; i < sizeof(identity) / sizeof(identity[0]); i++) {
		for (int c = 0; c < t->n_columns; c++) {
			char text[96];

			if (strcmp(t->columns[c].name, identity[i]))
				continue;
			cell_text(&cells[c], text, sizeof(text));
			at += (size_t)snprintf(key + at, KEY_LEN - at, "%s|", text);
		}
	}
	k->n++;
}

static bool has_key(const struct keys *k, const char *key)
{
	for (int i = 0; i < k->n; i++)
		if (!strcmp(k->key[i], key))
			return true;
	return false;
}

/* Where the last whole packet within @len bytes ends. */
static size_t last_boundary(size_t len)
{
	size_t at = 0;

	for (;;) {
		size_t p = at + 1, size = 0;

		for (int shift = 0; p < len; shift += 7) {
			size |= (size_t)(whole[p] & 0x7f) << shift;
			if (!(whole[p++] & 0x80))
				break;
			if (p == len)
				return at;
		}
		if (at + 1 >= len || size > len - p)
			return at;
		at = p + size;
	}
}

struct seen {
	int unordered, too_many, failed, foreign, fewer, wrong_loss;
	uint64_t events;
	int rows;
};

static void look_at_cut(size_t len, struct seen *seen)
{
	const char *path = harness_file(whole, len);
	struct fw_health *health = fw_health_new();
	struct harness_events r = harness_read(path, false, health);
	int64_t lost = fw_health_sum(health, FW_H_fw_truncated_bytes);

	seen->unordered += !r.ordered;
	seen->too_many += r.n > len || r.n < seen->events;
	seen->failed += (r.err < 0) != !last_boundary(len);
	if (!r.err && lost != (int64_t)(len - last_boundary(len))) {
		if (!seen->wrong_loss++)
			diag("cut at %zu: %" PRId64 " bytes said to be lost, not %zu", len, lost,
			     len - last_boundary(len));
	}
	seen->events = r.n;
	fw_health_free(health);
}

static void look_at_report(size_t len, const struct keys *full, struct seen *seen)
{
	struct keys *keys = calloc(1, sizeof(*keys));

	harness_report(harness_file(whole, len), NULL, keep_key, keys);
	for (int i = 0; i < keys->n; i++)
		seen->foreign += !has_key(full, keys->key[i]);
	seen->fewer += keys->n < seen->rows;
	seen->rows = keys->n;
	free(keys);
}

static void cut_everywhere(void)
{
	static struct keys full;
	struct seen seen = { 0 };

	harness_report(harness_file(whole, whole_len), NULL, keep_key, &full);
	ok(full.n >= 4 && full.n < MAX_KEYS, "the whole recording has %d frame rows", full.n);
	for (size_t len = 2; len <= whole_len; len++) {
		look_at_cut(len, &seen);
		if (len % REPORT_EVERY == 0 || len - last_boundary(len) < 2)
			look_at_report(len, &full, &seen);
	}
	is_int(seen.failed, 0, "every cut with a whole packet opens, and no other");
	is_int(seen.unordered, 0, "the events of every cut are in time order");
	is_int(seen.too_many, 0, "a longer cut has no fewer events, none has more than bytes");
	is_int(seen.foreign, 0, "every frame row of a cut is one of the whole recording");
	is_int(seen.fewer, 0, "a longer cut has no fewer frame rows");
	is_int(seen.rows, full.n, "the last cut has all of them");
	is_int(seen.wrong_loss, 0, "the bytes after the last whole packet are said to be lost");
}

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void damage_copies(void)
{
	uint8_t *copy = malloc(whole_len);
	uint64_t seed = 20260101;
	int unordered = 0, too_many = 0;

	for (int i = 0; copy && i < DAMAGED_COPIES; i++) {
		struct harness_events r;
		const char *path;

		memcpy(copy, whole, whole_len);
		for (uint64_t n = next_random(&seed) % 6 + 1; n; n--)
			copy[next_random(&seed) % whole_len] ^=
				(uint8_t)(1u << next_random(&seed) % 8);
		path = harness_file(copy, whole_len);
		r = harness_read(path, i & 1, NULL);
		unordered += !r.ordered;
		too_many += r.n > whole_len;
		if (i & 1)
			harness_report(path, NULL, NULL, NULL);
		else
			harness_table(path, (uint64_t)i / 2);
	}
	free(copy);
	is_int(unordered, 0, "%d damaged copies: events in time order", DAMAGED_COPIES);
	is_int(too_many, 0, "%d damaged copies: no more events than bytes", DAMAGED_COPIES);
}

static void nothing_at_all(void)
{
	ok(harness_read(harness_file("", 0), false, NULL).err < 0, "an empty file is refused");
	ok(harness_read(harness_file("hello, world\n", 13), false, NULL).err < 0,
	   "a text file is refused");
	ok(harness_read("/nowhere/at/all", false, NULL).err < 0, "a file that is not there");
}

int main(void)
{
	FILE *f = fopen(RECORDING, "rb");

	whole = malloc(1 << 20);
	if (f) {
		whole_len = fread(whole, 1, 1 << 20, f);
		fclose(f);
	}
	if (ok(whole_len > 4096, "%s: %zu bytes", RECORDING, whole_len)) {
		nothing_at_all();
		cut_everywhere();
		damage_copies();
	}
	free(whole);
	return done_testing();
}
