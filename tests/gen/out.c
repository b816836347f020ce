// SPDX-License-Identifier: GPL-2.0-or-later
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define WRITE_BYTES (1u << 20)
/* traced compresses what one read of its buffers returned, cut at about this size. */
#define BATCH_BYTES (64u << 10)

#define FIELD_PACKET 1
#define FIELD_COMPRESSED 50
#define FIELD_ZSTD_COMPRESSED 133

struct out {
	const char *path;
	int fd;
	gzFile gz;
	enum out_compress compress;
	struct pw file; /* bytes of the file not yet written */
	struct pw batch; /* packets not yet compressed */
	struct pw squeezed, packet;
	uint64_t bytes;
};

static void die(const struct out *o, const char *what)
{
	fprintf(stderr, "%s: %s: %s: %s\n", program_invocation_short_name, o->path, what,
		strerror(errno));
	exit(1);
}

static void drain(struct out *o, size_t keep)
{
	const uint8_t *p = o->file.p;
	size_t left = o->file.len > keep ? o->file.len - keep : 0, kept = o->file.len - left;

	while (left) {
		ssize_t n = o->gz ? gzwrite(o->gz, p, (unsigned int)left) : write(o->fd, p, left);

		if (n <= 0) {
			if (n < 0 && errno == EINTR)
				continue;
			die(o, "cannot write");
		}
		p += n;
		left -= (size_t)n;
	}
	if (kept)
		memmove(o->file.p, p, kept);
	o->file.len = kept;
}

struct out *out_open(const struct out_opts *opts)
{
	struct out *o = calloc(1, sizeof(*o));

	if (!o)
		exit(1);
	o->path = opts->path;
	o->compress = opts->compress;
	o->fd = strcmp(opts->path, "-")
			? open(opts->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
			: STDOUT_FILENO;
	if (o->fd < 0)
		die(o, "cannot create");
	if (opts->gzip) {
		o->gz = gzdopen(o->fd, "wb6");
		if (!o->gz)
			die(o, "cannot compress");
	}
	return o;
}

static void squeeze(struct out *o)
{
	uLongf n = compressBound(o->batch.len);
	size_t zn = ZSTD_compressBound(o->batch.len);

	if (!o->batch.len)
		return;
	pw_reset(&o->squeezed);
	pw_reserve(&o->squeezed, n > zn ? n : zn);
	if (o->compress == OUT_ZLIB) {
		if (compress2(o->squeezed.p, &n, o->batch.p, o->batch.len, 6) != Z_OK)
			die(o, "zlib");
		zn = n;
	} else {
		zn = ZSTD_compress(o->squeezed.p, o->squeezed.cap, o->batch.p, o->batch.len, 3);
		if (ZSTD_isError(zn))
			die(o, "zstd");
	}
	pw_reset(&o->packet);
	pw_bytes(&o->packet, o->compress == OUT_ZLIB ? FIELD_COMPRESSED : FIELD_ZSTD_COMPRESSED,
		 o->squeezed.p, zn);
	pw_bytes(&o->file, FIELD_PACKET, o->packet.p, o->packet.len);
	pw_reset(&o->batch);
}

void out_packet(struct out *o, const uint8_t *p, size_t len)
{
	size_t before = o->file.len;

	if (o->compress == OUT_PLAIN) {
		pw_bytes(&o->file, FIELD_PACKET, p, len);
		o->bytes += o->file.len - before;
	} else {
		before = o->batch.len;
		pw_bytes(&o->batch, FIELD_PACKET, p, len);
		o->bytes += o->batch.len - before;
		if (o->batch.len >= BATCH_BYTES)
			squeeze(o);
	}
	if (o->file.len >= WRITE_BYTES)
		drain(o, 0);
}

uint64_t out_bytes(const struct out *o)
{
	return o->bytes;
}

void out_flush(struct out *o, size_t keep)
{
	squeeze(o);
	drain(o, keep);
}

void out_close(struct out *o)
{
	squeeze(o);
	drain(o, 0);
	if (o->gz ? gzclose(o->gz) != Z_OK : close(o->fd) < 0)
		die(o, "cannot close");
	pw_free(&o->file);
	pw_free(&o->batch);
	pw_free(&o->squeezed);
	pw_free(&o->packet);
	free(o);
}
