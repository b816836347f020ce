// SPDX-License-Identifier: GPL-2.0-or-later
/* growing - a file that another program writes, read as it grows */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/growing.h"

#define PUNCH_STEP (1u << 20)
#define READ_MAX (1u << 20)

void fw_growing_init(struct fw_growing *g, const char *path, bool punch)
{
	*g = (struct fw_growing){ .path = path, .punch = punch, .fd = -1 };
}

static int open_it(struct fw_growing *g)
{
	int flags = g->punch ? O_RDWR : O_RDONLY;
	struct stat st;

	g->fd = open(g->path, flags | O_CLOEXEC | O_NONBLOCK);
	if (g->fd < 0)
		return errno == ENOENT ? 0 : fw_fail(errno, "%s: %s", g->path, strerror(errno));
	if (fstat(g->fd, &st) || !S_ISREG(st.st_mode)) {
		close(g->fd);
		g->fd = -1;
		return fw_fail(EINVAL, "%s: not a file; --sf follows a file that grows", g->path);
	}
	g->dev = st.st_dev;
	g->ino = st.st_ino;
	g->pos = g->punched = 0;
	g->n_tail = 0;
	return 1;
}

/* Is another file of that name there now? */
static bool replaced(const struct fw_growing *g)
{
	struct stat st;

	return !stat(g->path, &st) && (st.st_dev != g->dev || st.st_ino != g->ino);
}

static void remember_tail(struct fw_growing *g, const uint8_t *bytes, size_t n)
{
	if (n >= FW_GROWING_TAIL) {
		memcpy(g->tail, bytes + n - FW_GROWING_TAIL, FW_GROWING_TAIL);
		g->n_tail = FW_GROWING_TAIL;
		return;
	}
	if (g->n_tail + n > FW_GROWING_TAIL) {
		size_t drop = g->n_tail + n - FW_GROWING_TAIL;

		memmove(g->tail, g->tail + drop, g->n_tail - drop);
		g->n_tail -= drop;
	}
	memcpy(g->tail + g->n_tail, bytes, n);
	g->n_tail += n;
}

/* Only the whole pages before the tail, which has to stay comparable. */
static void punch(struct fw_growing *g)
{
	uint64_t until = (g->pos - g->n_tail) & ~(uint64_t)(PUNCH_STEP - 1);

	if (!g->punch || until < g->punched + PUNCH_STEP)
		return;
	if (fallocate(g->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, g->punched,
		      until - g->punched))
		g->punch = false;
	g->punched = until;
}

/* The bytes after g->pos; *@same: those before it are what they were. */
static ssize_t read_on(struct fw_growing *g, uint8_t *buf, size_t size, bool *same)
{
	uint8_t before[FW_GROWING_TAIL];
	ssize_t n = pread(g->fd, before, g->n_tail, g->pos - g->n_tail);

	*same = n == (ssize_t)g->n_tail && !memcmp(before, g->tail, g->n_tail);
	if (n < 0)
		return fw_fail(errno, "%s: %s", g->path, strerror(errno));
	if (!*same)
		return 0;
	n = pread(g->fd, buf, FW_MIN(size, READ_MAX), g->pos);
	if (n < 0)
		return fw_fail(errno, "%s: %s", g->path, strerror(errno));
	g->pos += n;
	remember_tail(g, buf, n);
	return n;
}

ssize_t fw_growing_read(struct fw_growing *g, void *buf, size_t size, enum fw_growth *how)
{
	bool first = false, same, other;
	ssize_t n;

	for (;;) {
		if (g->fd < 0) {
			n = open_it(g);
			if (n <= 0)
				return n;
			first = true;
		}
		/* Asked before reading: what the old file got until then is read first. */
		other = replaced(g);
		first = first || !g->pos;
		n = read_on(g, buf, size, &same);
		if (n < 0)
			return n;
		if (!same) {
			g->pos = g->punched = 0;
			g->n_tail = 0;
			continue;
		}
		if (n || !other)
			break;
		fw_growing_close(g);
	}
	if (!n)
		return 0;
	*how = !first ? FW_GROWN : g->had_one ? FW_GROWN_ANEW : FW_GROWN_FIRST;
	g->had_one = true;
	punch(g);
	return n;
}

bool fw_growing_there(const struct fw_growing *g)
{
	return g->fd >= 0;
}

void fw_growing_close(struct fw_growing *g)
{
	if (g->fd >= 0)
		close(g->fd);
	g->fd = -1;
}
