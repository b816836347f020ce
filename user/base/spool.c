// SPDX-License-Identifier: GPL-2.0-or-later
/* spool - bytes in an unlinked temporary file */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

#define WRITE_BUF (256u << 10)

struct fw_spool {
	int fd;
	int failed; /* to write: what was to come is not there, and so nothing is read any more */
	uint64_t flushed; /* bytes in the file; the rest is in buf */
	size_t n;
	char buf[WRITE_BUF];
};

static const char *tmp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int fw_spool_new(struct fw_spool **out)
{
	struct fw_spool *s;
	char *path;
	int fd;

	fd = open(tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		path = fw_asprintf("%s/framewait-XXXXXX", tmp_dir());
		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
		free(path);
	}
	if (fd < 0)
		return fw_fail(errno,
			       "%s: cannot make a temporary file: %s; set TMPDIR to a "
			       "directory with room",
			       tmp_dir(), strerror(errno));
	s = fw_zalloc(sizeof(*s));
	s->fd = fd;
	*out = s;
	return 0;
}

void fw_spool_free(struct fw_spool *s)
{
	if (!s)
		return;
	close(s->fd);
	free(s);
}

static int write_all(struct fw_spool *s, const char *p, size_t len)
{
	while (len) {
		ssize_t n = pwrite(s->fd, p, len, s->flushed);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return s->failed = fw_fail(n < 0 ? errno : ENOSPC,
						   "%s: cannot write a temporary file: "
						   "%s; set TMPDIR to a directory with room",
						   tmp_dir(), strerror(n < 0 ? errno : ENOSPC));
		p += n;
		len -= n;
		s->flushed += n;
	}
	return 0;
}

static int flush(struct fw_spool *s)
{
	int err = s->failed ? s->failed : write_all(s, s->buf, s->n);

	s->n = 0;
	return err;
}

int fw_spool_append(struct fw_spool *s, const void *p, size_t len)
{
	int err;

	if (s->n + len > sizeof(s->buf)) {
		err = flush(s);
		if (err)
			return err;
		if (len > sizeof(s->buf))
			return write_all(s, p, len);
	}
	if (len)
		memcpy(s->buf + s->n, p, len);
	s->n += len;
	return 0;
}

int fw_spool_read(struct fw_spool *s, uint64_t pos, void *p, size_t len)
{
	char *out = p;
	int err;

	if (s->failed || (pos + len > s->flushed && s->n)) {
		err = flush(s);
		if (err)
			return err;
	}
	while (len) {
		ssize_t n = pread(s->fd, out, len, pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fw_fail(n < 0 ? errno : EIO, "cannot read back a temporary file: %s",
				       n < 0 ? strerror(errno) : "it is shorter than written");
		out += n;
		pos += n;
		len -= n;
	}
	return 0;
}

uint64_t fw_spool_size(const struct fw_spool *s)
{
	return s->flushed + s->n;
}

void fw_spool_drop(struct fw_spool *s, uint64_t start, uint64_t end)
{
	/* Only saves room: a file system that cannot is no failure. */
	if (end > start && end <= s->flushed)
		(void)!fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start,
				 end - start);
}
