// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzz target without libFuzzer: runs each file named, or, with --cut or --flip, the prefixes of
 * one file or copies of it with some bits changed, all in one process.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	uint8_t *p;
	size_t len;
};

static struct bytes read_file(const char *path)
{
	struct bytes b = { 0 };
	FILE *f = fopen(path, "rb");

	if (f && !fseek(f, 0, SEEK_END)) {
		long n = ftell(f);

		rewind(f);
		b.p = malloc(n > 0 ? (size_t)n : 1);
		if (b.p && n >= 0)
			b.len = fread(b.p, 1, (size_t)n, f);
	}
	if (!b.p) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
	fclose(f);
	return b;
}

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* One to eight changes: a bit, a byte, or a run of bytes put elsewhere. */
static void damage(struct bytes b, uint64_t *seed)
{
	for (uint64_t n = next_random(seed) % 8 + 1; n; n--) {
		size_t at = next_random(seed) % b.len;
		uint64_t r = next_random(seed);

		if (r % 4 < 2) {
			b.p[at] ^= (uint8_t)(1u << (r >> 8) % 8);
		} else if (r % 4 == 2) {
			b.p[at] = (uint8_t)(r >> 8);
		} else {
			size_t from = (r >> 8) % b.len, len = (r >> 40) % 32;

			if (at + len <= b.len && from + len <= b.len)
				memmove(b.p + at, b.p + from, len);
		}
	}
}

static int run_damaged(const char *path, uint64_t n, uint64_t seed)
{
	struct bytes whole = read_file(path), copy = { malloc(whole.len), whole.len };

	if (!copy.p || !whole.len)
		return 2;
	seed = seed * 2 + 1;
	for (uint64_t i = 0; i < n; i++) {
		memcpy(copy.p, whole.p, whole.len);
		damage(copy, &seed);
		LLVMFuzzerTestOneInput(copy.p, copy.len);
	}
	printf("%" PRIu64 " damaged copies of %s\n", n, path);
	free(whole.p);
	free(copy.p);
	return 0;
}

static int run_cut(const char *path, size_t step)
{
	struct bytes whole = read_file(path);

	for (size_t len = 0; len <= whole.len; len += step)
		LLVMFuzzerTestOneInput(whole.p, len);
	printf("%zu cuts of %s\n", whole.len / step + 1, path);
	free(whole.p);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--cut") && atol(argv[3]) > 0)
		return run_cut(argv[2], (size_t)atol(argv[3]));
	if (argc == 5 && !strcmp(argv[1], "--damage"))
		return run_damaged(argv[2], strtoull(argv[3], NULL, 10),
				   strtoull(argv[4], NULL, 10));
	if (argc < 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: %s FILE... | --cut FILE STEP | --damage FILE N SEED\n",
			argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		struct bytes b = read_file(argv[i]);

		LLVMFuzzerTestOneInput(b.p, b.len);
		free(b.p);
	}
	printf("%d files\n", argc - 1);
	return 0;
}
