// SPDX-License-Identifier: GPL-2.0-or-later
/* source - the bytes of an input, readable at any position */
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/spool.h"

#define CHUNK (256u << 10)

struct fw_source {
	char *path;
	int fd;
	uint64_t file_size;
	struct fw_spool *bytes; /* instead of fd: spooled or inflated */
	struct fw_spool *inflated; /* what readers added */
	bool gzip, cut;
};

static int spool_fd(struct fw_source *s)
{
	char *buf = fw_zalloc(CHUNK);
	ssize_t n;
	int err;

	err = fw_spool_new(&s->bytes);
	while (!err) {
		n = read(s->fd, buf, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = fw_fail(errno, "%s: cannot read: %s", s->path, strerror(errno));
		if (n <= 0)
			break;
		err = fw_spool_append(s->bytes, buf, n);
	}
	free(buf);
	s->file_size = err ? 0 : fw_spool_size(s->bytes);
	return err;
}

/* Inflate all members of a gzip file; a damaged or cut one leaves what came before. */
static int inflate_all(struct fw_source *s, struct fw_spool *to)
{
	uint8_t *in = fw_zalloc(CHUNK), *out = fw_zalloc(CHUNK);
	uint64_t pos = 0;
	z_stream z = { 0 };
	int ret = Z_OK, err = 0;
	ssize_t n;

	if (inflateInit2(&z, 15 + 32) != Z_OK)
		err = fw_fail(ENOMEM, "%s: zlib cannot start", s->path);
	while (!err) {
		if (!z.avail_in) {
			n = fw_source_read(s, pos, in, CHUNK);
			if (n <= 0) {
				err = n < 0 ? (int)n : 0;
				s->cut = ret != Z_STREAM_END;
				break;
			}
			pos += n;
			z.next_in = in;
			z.avail_in = n;
		}
		if (ret == Z_STREAM_END) {
			/* Another member may follow; anything else after the last one is padding. */
			if (z.next_in[0] != 0x1f || inflateReset(&z) != Z_OK)
				break;
		}
		z.next_out = out;
		z.avail_out = CHUNK;
		ret = inflate(&z, Z_NO_FLUSH);
		err = fw_spool_append(to, out, CHUNK - z.avail_out);
		if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR) {
			s->cut = true;
			break;
		}
	}
	inflateEnd(&z);
	free(in);
	free(out);
	return err;
}

static int open_gzip(struct fw_source *s)
{
	struct fw_spool *to;
	int err;

	err = fw_spool_new(&to);
	if (err)
		return err;
	err = inflate_all(s, to);
	fw_spool_free(s->bytes);
	s->bytes = to;
	s->gzip = true;
	return err;
}

/* What begins like gzip is inflated. */
static int unpack(struct fw_source *s)
{
	uint8_t magic[2];
	ssize_t n = fw_source_read(s, 0, magic, sizeof(magic));

	if (n < 0)
		return (int)n;
	return n == 2 && magic[0] == 0x1f && magic[1] == 0x8b ? open_gzip(s) : 0;
}

int fw_source_open(const char *path, struct fw_source **out)
{
	struct fw_source *s = fw_zalloc(sizeof(*s));
	struct stat st;
	int err = 0;

	s->path = fw_strdup(path);
	s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (s->fd < 0 || fstat(s->fd, &st)) {
		err = fw_fail(errno, "%s: cannot open: %s", path, strerror(errno));
		goto out;
	}
	if (S_ISDIR(st.st_mode)) {
		err = fw_fail(EISDIR, "%s: is a directory; name a recording", path);
		goto out;
	}
	s->file_size = st.st_size;
	if (!S_ISREG(st.st_mode))
		err = spool_fd(s);
	err = err ? err : unpack(s);
out:
	if (err)
		fw_source_close(s);
	else
		*out = s;
	return err;
}

void fw_source_close(struct fw_source *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	fw_spool_free(s->bytes);
	fw_spool_free(s->inflated);
	free(s->path);
	free(s);
}

const char *fw_source_path(const struct fw_source *s)
{
	return s->path;
}

uint64_t fw_source_size(const struct fw_source *s)
{
	return s->bytes ? fw_spool_size(s->bytes) : s->file_size;
}

uint64_t fw_source_file_size(const struct fw_source *s)
{
	return s->file_size;
}

bool fw_source_gzip(const struct fw_source *s)
{
	return s->gzip;
}

bool fw_source_cut(const struct fw_source *s)
{
	return s->cut;
}

static ssize_t read_spool(struct fw_spool *sp, uint64_t pos, void *buf, size_t len)
{
	uint64_t size = sp ? fw_spool_size(sp) : 0;
	int err;

	if (pos >= size)
		return 0;
	len = FW_MIN((uint64_t)len, size - pos);
	err = fw_spool_read(sp, pos, buf, len);
	return err ? err : (ssize_t)len;
}

ssize_t fw_source_read(struct fw_source *s, uint64_t pos, void *buf, size_t len)
{
	size_t done = 0;
	ssize_t n;

	if (pos >= FW_SOURCE_INFLATED)
		return read_spool(s->inflated, pos - FW_SOURCE_INFLATED, buf, len);
	if (s->bytes)
		return read_spool(s->bytes, pos, buf, len);
	while (done < len) {
		n = pread(s->fd, (char *)buf + done, len - done, pos + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fw_fail(errno, "%s: cannot read at offset %llu: %s", s->path,
				       (unsigned long long)(pos + done), strerror(errno));
		if (!n)
			break;
		done += n;
	}
	return done;
}

int fw_source_add(struct fw_source *s, const void *p, size_t len)
{
	int err = 0;

	if (!s->inflated)
		err = fw_spool_new(&s->inflated);
	return err ? err : fw_spool_append(s->inflated, p, len);
}

uint64_t fw_source_inflated_end(const struct fw_source *s)
{
	return FW_SOURCE_INFLATED + (s->inflated ? fw_spool_size(s->inflated) : 0);
}

const uint8_t *fw_reader_at(struct fw_reader *w, uint64_t pos, size_t want, size_t *have)
{
	size_t keep = 0;
	ssize_t n;

	if (pos >= w->base && pos - w->base <= w->len) {
		keep = w->len - (size_t)(pos - w->base);
		if (keep >= want) {
			*have = keep;
			return w->buf + (pos - w->base);
		}
		if (keep)
			memmove(w->buf, w->buf + (pos - w->base), keep);
	}
	if (want > w->cap || !w->cap) {
		w->cap = FW_MAX(want, (size_t)CHUNK);
		w->buf = fw_realloc(w->buf, w->cap, 1);
	}
	n = fw_source_read(w->src, pos + keep, w->buf + keep, w->cap - keep);
	if (n < 0)
		return NULL;
	w->base = pos;
	w->len = keep + n;
	*have = w->len;
	return w->buf;
}

void fw_reader_free(struct fw_reader *w)
{
	free(w->buf);
	memset(w, 0, sizeof(*w));
}
