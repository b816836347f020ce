// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/planes.h"
#include "framewait/capture.h"
#include "live/capture.h"

#define BUF_SIZE (256u << 10)
#define PLANES_SIZE (BUF_SIZE + sizeof(struct fw_planes))

struct fw_capture {
	int fd;
	char *path;
	uint64_t bytes; /* whole chunks in the file */
	int err;
	size_t len;
	ZSTD_CCtx *zstd;
	_Alignas(8) uint8_t buf[BUF_SIZE];
	uint8_t planes[PLANES_SIZE];
	uint8_t packed[ZSTD_COMPRESSBOUND(PLANES_SIZE)];
};

static int write_all(int fd, const void *p, size_t len)
{
	const uint8_t *b = p;

	while (len) {
		ssize_t n = write(fd, b, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		b += n;
		len -= n;
	}
	return 0;
}

static int failed(struct fw_capture *c, int err)
{
	/* The file stays readable: nothing of the chunk that did not fit. */
	if (ftruncate(c->fd, c->bytes))
		err = err ? err : -errno;
	c->err = fw_fail(err, "%s: %s; what was written until now can be read", c->path,
			 strerror(-err));
	return c->err;
}

static int put_chunk(struct fw_capture *c, uint32_t type, const void *payload, size_t len,
		     size_t raw_len)
{
	struct fw_chunk h = {
		.type = type,
		.len = len,
		.crc = crc32(0, payload, len),
		.raw_len = raw_len,
	};
	int err;

	if (c->err)
		return c->err;
	err = write_all(c->fd, &h, sizeof(h));
	if (!err)
		err = write_all(c->fd, payload, len);
	if (err)
		return failed(c, err);
	c->bytes += sizeof(h) + len;
	return 0;
}

/* The recorder's for as long as it lives; EWOULDBLOCK: another one's. */
static int lock(int fd)
{
	int err;

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

/*
 * A new file, never one that somebody put there to read what is written; through no link, and not
 * in the place of one that is being written. Devices and pipes are what they are.
 */
static int create(const char *path)
{
	struct stat st;
	int old, err;

	if (!lstat(path, &st)) {
		if (!S_ISREG(st.st_mode))
			return open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		old = lock(open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
		if (old < 0)
			return -1;
		err = unlink(path);
		close(old);
		if (err)
			return -1;
	}
	return lock(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
}

static const char *why_not(int err)
{
	if (err == ELOOP)
		return "a symbolic link is not written through; - is standard output";
	if (err == EWOULDBLOCK || err == EEXIST)
		return "another recording is being written there; -o names a file";
	return strerror(err);
}

int fw_capture_open(const char *path, struct fw_capture **out)
{
	struct fw_capture *c = fw_zalloc(sizeof(*c));
	int err;

	c->path = fw_strdup(strcmp(path, "-") ? path : "standard output");
	c->fd = strcmp(path, "-") ? create(path) : dup(STDOUT_FILENO);
	if (c->fd < 0) {
		err = fw_fail(errno, "%s: %s", path, why_not(errno));
		goto fail;
	}
	c->zstd = ZSTD_createCCtx();
	if (!c->zstd) {
		err = fw_fail(ENOMEM, "zstd: no memory");
		goto fail_close;
	}
	err = write_all(c->fd, FW_CAPTURE_MAGIC, FW_CAPTURE_MAGIC_LEN);
	if (err) {
		fw_fail(err, "%s: %s", c->path, strerror(-err));
		goto fail_close;
	}
	c->bytes = FW_CAPTURE_MAGIC_LEN;
	*out = c;
	return 0;
fail_close:
	ZSTD_freeCCtx(c->zstd);
	close(c->fd);
fail:
	free(c->path);
	free(c);
	return err;
}

int fw_capture_text(struct fw_capture *c, uint32_t type, const char *lines)
{
	int err = fw_capture_flush(c);

	return err ? err : put_chunk(c, type, lines, strlen(lines), 0);
}

static int put_packed(struct fw_capture *c, uint32_t type, const void *payload, size_t len)
{
	size_t n = 0;

	if (len <= PLANES_SIZE)
		n = ZSTD_compressCCtx(c->zstd, c->packed, sizeof(c->packed), payload, len, 1);
	if (!n || ZSTD_isError(n))
		return put_chunk(c, type, payload, len, 0);
	return put_chunk(c, type, c->packed, n, len);
}

int fw_capture_flush(struct fw_capture *c)
{
	size_t len = c->len, n;

	if (c->err || !len)
		return c->err;
	c->len = 0;
	n = fw_planes_pack(c->buf, len, c->planes);
	return n ? put_packed(c, FW_CHUNK_PLANES, c->planes, n)
		 : put_packed(c, FW_CHUNK_RECS, c->buf, len);
}

int fw_capture_chunk(struct fw_capture *c, uint32_t type, const void *payload, size_t len)
{
	int err = fw_capture_flush(c);

	return err ? err : put_packed(c, type, payload, len);
}

/* Room for one more record of @size bytes, or NULL with c->err set. */
static uint8_t *room(struct fw_capture *c, size_t size)
{
	if (c->len + size > BUF_SIZE)
		fw_capture_flush(c);
	if (c->err || size > BUF_SIZE)
		return NULL;
	c->len += size;
	return c->buf + c->len - size;
}

int fw_capture_record(struct fw_capture *c, const struct fw_rec *r)
{
	uint8_t *p = room(c, r->size);

	if (!p)
		return c->err;
	memcpy(p, r, r->size);
	return 0;
}

int fw_capture_record_text(struct fw_capture *c, struct fw_rec *r, size_t fixed, const char *text,
			   size_t len)
{
	size_t size = (fixed + len + 7) & ~(size_t)7;
	uint8_t *p;

	if (size > UINT16_MAX)
		return fw_fail(E2BIG, "a text of %zu bytes does not fit in a record", len);
	r->size = size;
	p = room(c, size);
	if (!p)
		return c->err;
	memset(p + fixed, 0, size - fixed);
	memcpy(p, r, fixed);
	memcpy(p + fixed, text, len);
	return 0;
}

uint64_t fw_capture_bytes(const struct fw_capture *c)
{
	return c->bytes;
}

bool fw_capture_failed(const struct fw_capture *c)
{
	return c->err;
}

int fw_capture_close(struct fw_capture *c)
{
	int err = fw_capture_flush(c);

	if (close(c->fd) && !err)
		err = fw_fail(errno, "%s: %s", c->path, strerror(errno));
	ZSTD_freeCCtx(c->zstd);
	free(c->path);
	free(c);
	return err;
}
