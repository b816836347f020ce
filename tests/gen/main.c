// SPDX-License-Identifier: GPL-2.0-or-later
/* framewait-gen: recordings whose answers are known, for the tests, the demo and the bench. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "demo.h"
#include "gpu.h"
#include "sched.h"
#include "tracedat.h"

static void usage(FILE *to)
{
	fputs("usage: framewait-gen demo [-o FILE] [--truth FILE] [--text FILE] [--frames N] "
	      "[--clean]\n"
	      "       framewait-gen gpu [-o FILE]\n"
	      "       framewait-gen sched --size BYTES[k|M|G] [-o FILE] [--seed N]\n"
	      "all:   [--gzip] [--compress zlib|zstd]\n"
	      "       framewait-gen tracedat [-o FILE] [--frames N] [--version 6|7] [--long 4|8] "
	      "[--big]\n"
	      "                     [--compress zlib|zstd]\n"
	      "\n"
	      "demo   a small recording of two apps with injected troubles; what each thread of a\n"
	      "       frame really did goes to the truth file, as CSV; the kernel's events also "
	      "go\n"
	      "       to the text file, as its trace file prints them; --clean: without troubles\n"
	      "gpu    two frames, and each kind of GPU source beside them\n"
	      "sched  a big recording of a busy device: compact sched and an app at 60 Hz; --size "
	      "is\n"
	      "       before compression, and the least is some 4k\n"
	      "tracedat  what trace-cmd would write of an app that draws frames\n",
	      to);
}

static uint64_t parse_size(const char *s)
{
	char *end;
	uint64_t n = strtoull(s, &end, 10);
	int shift = *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (shift)
		end++;
	if (end == s || *end || n > UINT64_MAX >> shift) {
		fprintf(stderr, "framewait-gen: '%s' is not a size\n", s);
		exit(2);
	}
	return n << shift;
}

struct request {
	struct out_opts out;
	const char *what, *truth, *text;
	uint64_t size, seed;
	int frames, version, long_size;
	bool big, clean;
};

static enum out_compress parse_compress(const char *s)
{
	if (!strcmp(s, "zlib"))
		return OUT_ZLIB;
	if (!strcmp(s, "zstd"))
		return OUT_ZSTD;
	fprintf(stderr, "framewait-gen: --compress is zlib or zstd\n");
	exit(2);
}

static void parse_options(int argc, char **argv, struct request *r)
{
	static const struct option options[] = {
		{ "truth", required_argument, NULL, 't' },
		{ "text", required_argument, NULL, 'x' },
		{ "size", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ "gzip", no_argument, NULL, 'z' },
		{ "compress", required_argument, NULL, 'c' },
		{ "frames", required_argument, NULL, 'n' },
		{ "version", required_argument, NULL, 'v' },
		{ "long", required_argument, NULL, 'l' },
		{ "big", no_argument, NULL, 'b' },
		{ "clean", no_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		if (c == 'o') {
			r->out.path = optarg;
		} else if (c == 't') {
			r->truth = optarg;
		} else if (c == 'x') {
			r->text = optarg;
		} else if (c == 's') {
			r->size = parse_size(optarg);
		} else if (c == 'r') {
			r->seed = parse_size(optarg);
		} else if (c == 'n') {
			r->frames = (int)parse_size(optarg);
		} else if (c == 'v') {
			r->version = (int)parse_size(optarg);
		} else if (c == 'l') {
			r->long_size = (int)parse_size(optarg);
		} else if (c == 'b') {
			r->big = true;
		} else if (c == 'e') {
			r->clean = true;
		} else if (c == 'z') {
			r->out.gzip = true;
		} else if (c == 'c') {
			r->out.compress = parse_compress(optarg);
		} else {
			usage(c == 'h' ? stdout : stderr);
			exit(c == 'h' ? 0 : 2);
		}
	}
	r->what = optind == argc - 1 ? argv[optind] : "";
}

int main(int argc, char **argv)
{
	struct request r = { .out = { .path = "-" },
			     .seed = 1,
			     .frames = DEMO_FRAMES,
			     .version = 6,
			     .long_size = 8 };

	parse_options(argc, argv, &r);
	if (!strcmp(r.what, "demo")) {
		demo_generate(&r.out, r.truth, r.text, r.frames, r.clean);
	} else if (!strcmp(r.what, "gpu")) {
		gpu_generate(&r.out);
	} else if (!strcmp(r.what, "sched") && r.size) {
		uint64_t events = sched_generate(&r.out, r.size, r.seed);
		struct stat st;

		/* What the bench divides by: events, bytes of the file. */
		if (strcmp(r.out.path, "-") && !stat(r.out.path, &st))
			printf("%" PRIu64 " %" PRIu64 "\n", events, (uint64_t)st.st_size);
	} else if (!strcmp(r.what, "tracedat") && (r.version == 6 || r.version == 7) &&
		   (r.long_size == 4 || r.long_size == 8)) {
		tracedat_generate(&(struct tracedat_opts){ .path = r.out.path,
							   .version = r.version,
							   .long_size = r.long_size,
							   .big = r.big,
							   .compress = r.out.compress,
							   .frames = r.frames });
	} else {
		usage(stderr);
		return 2;
	}
	return 0;
}
