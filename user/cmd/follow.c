// SPDX-License-Identifier: GPL-2.0-or-later
/* follow - rows of a capture while it is being written */
#include "cmd/follow.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/health.h"
#include "cmd/cmd.h"
#include "frame/report.h"

/* The first byte says that the file is there. Return: 1, or 0 when there will be none. */
static int wait_for_file(int writer)
{
	ssize_t n;
	char c;

	if (writer < 0)
		return 1;
	do
		n = read(writer, &c, 1);
	while (n < 0 && errno == EINTR);
	return n < 0 ? fw_fail(errno, "the recorder cannot be heard: %s", strerror(errno)) : (int)n;
}

static int on_idle(void *ctx)
{
	return fw_writer_flush(ctx);
}

int fw_follow_rows(const char *path, enum fw_format format, int64_t settle_ns, int writer)
{
	struct fw_sink *sinks[FW_FRAME_TABLES] = { NULL };
	struct fw_roles roles = { { NULL } };
	struct fw_report_opts opts = { .from_ns = INT64_MIN,
				       .to_ns = INT64_MAX,
				       .roles = &roles,
				       .settle_ns = settle_ns,
				       .follow = true,
				       .idle = on_idle };
	struct fw_health *health = fw_health_new();
	struct fw_input *in = NULL;
	struct fw_writer w;
	int err, e;

	/* A reader that goes away is a failed write like any other; the end is the recorder's. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	fw_writer_init(&w, STDOUT_FILENO, "standard output");
	sinks[FW_FRAMES] = fw_format_sink(format, &w);
	opts.ctx = &w;
	err = wait_for_file(writer);
	if (err > 0)
		err = fw_input_follow(path, writer, health, &in);
	if (!err && in)
		err = fw_report(in, health, &opts, sinks);
	e = fw_writer_close(&w);
	err = err ? err : e;
	if (in)
		fw_input_close(in);
	fw_format_sink_free(sinks[FW_FRAMES]);
	fw_health_free(health);
	return err ? fw_failed(err) : FW_EXIT_OK;
}
