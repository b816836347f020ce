// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a log: each event has an id, and its texts are whole. Lines as sections, too. */
#include <stdlib.h>

#include "harness.h"

#include "base/error.h"
#include "input/lines.h"
#include "input/side/logcat.h"
#include "model/animation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sections(const char *path)
{
	struct fw_animation_mark m;
	struct fw_animation a;
	struct fw_source *src;
	struct fw_lines lines;
	struct fw_str line;

	if (fw_source_open(path, &src))
		return;
	fw_lines_init(&lines, src);
	while (fw_lines_next(&lines, &line) > 0) {
		if (fw_animation_mark(line, &m) > 0 && m.name.p)
			line = m.name;
		if (fw_animation_parse(line, &a)) {
			harness_touch(a.target);
			harness_touch(a.properties);
			harness_touch(a.from);
			harness_touch(a.to);
			harness_touch(a.ease);
			harness_touch(a.factors);
		}
	}
	fw_lines_free(&lines);
	fw_source_close(src);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file(data, size);
	struct fw_health *health = fw_health_new();
	const struct fw_log_event *ev;
	struct fw_logcat *log;
	struct fw_source *src;

	sections(path);
	if (!fw_source_open(path, &src) && !fw_logcat_open(src, health, &log)) {
		while (fw_logcat_next(log, &ev) > 0) {
			if (!ev->id.len)
				abort();
			harness_touch(ev->when);
			harness_touch(ev->top);
			harness_touch(ev->stack);
		}
		fw_logcat_close(log);
	}
	fw_fail_clear();
	fw_health_free(health);
	return 0;
}
