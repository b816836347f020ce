// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <tracefs.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/top_buffer.h"

struct fw_top_buffer {
	int lock;
	char *clock;
	bool was_off;
};

static bool says(const char *file, const char *word)
{
	int size = 0;
	char *text = tracefs_instance_file_read(NULL, file, &size);
	bool same = text && !strncmp(text, word, strlen(word));

	free(text);
	return same;
}

int fw_top_buffer_possible(void)
{
	if (!says("events/enable", "0") || !says("current_tracer", "nop"))
		return fw_fail(
			EBUSY,
			"others trace into the trace buffer (events/enable, current_tracer), "
			"and this kernel has marks nowhere else (option "
			"copy_trace_marker, Linux 6.13)");
	return 0;
}

/* One recording at a time; the lock goes with its process. */
static int take_lock(void)
{
	int fd = tracefs_instance_file_open(NULL, "trace_clock", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fw_fail(errno, "tracefs: trace_clock: %s", strerror(errno));
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return fw_fail(EBUSY, "another recording has the marks, and this kernel has them only once "
			      "(option copy_trace_marker, Linux 6.13)");
}

/* The one in brackets, NULL if it is boot. */
static char *other_clock(void)
{
	int size = 0;
	char *text = tracefs_instance_file_read(NULL, "trace_clock", &size), *clock = NULL;
	char *from = text ? strchr(text, '[') : NULL;

	if (from && strncmp(from + 1, "boot]", 5)) {
		from[1 + strcspn(from + 1, "]")] = '\0';
		clock = fw_strdup(from + 1);
	}
	free(text);
	return clock;
}

int fw_top_buffer_take(struct fw_top_buffer **out)
{
	struct fw_top_buffer *b;
	int lock, err;

	err = fw_top_buffer_possible();
	if (err)
		return err;
	lock = take_lock();
	if (lock < 0)
		return lock;
	b = fw_zalloc(sizeof(*b));
	b->lock = lock;
	b->clock = other_clock();
	b->was_off = says("tracing_on", "0");
	*out = b;
	if ((b->clock && tracefs_instance_file_write(NULL, "trace_clock", "boot") < 0) ||
	    (b->was_off && tracefs_trace_on(NULL))) {
		fw_top_buffer_give_back(b);
		*out = NULL;
		return fw_fail(ENOTSUP,
			       "tracefs: the trace buffer cannot be switched to clock \"boot\"");
	}
	return 0;
}

void fw_top_buffer_give_back(struct fw_top_buffer *b)
{
	if (!b)
		return;
	if (b->was_off)
		tracefs_trace_off(NULL);
	if (b->clock)
		tracefs_instance_file_write(NULL, "trace_clock", b->clock);
	close(b->lock);
	free(b->clock);
	free(b);
}
