// SPDX-License-Identifier: GPL-2.0-or-later
#include "input/side/side.h"

#include <errno.h>

#include "base/error.h"
#include "input/lines.h"
#include "input/side/framestats.h"
#include "input/side/latency.h"

/* A dump says what it is at once; blank lines and what adb prints may stand above. */
#define PROBE_LINES 32

/* Control characters but blanks, tabs and the escapes of colours: no text. */
static bool is_text(struct fw_str line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.p[i];

		if (c < ' ' && c != '\t' && c != '\r' && c != '\f' && c != 0x1b)
			return false;
	}
	return true;
}

int fw_side_probe(struct fw_source *src, enum fw_side_kind *kind)
{
	struct fw_lines lines;
	struct fw_str line;
	int latency = 0, state = 0, n = 0;
	int ret = fw_lines_init(&lines, src);

	*kind = FW_SIDE_NONE;
	while (!ret && n++ < PROBE_LINES && (ret = fw_lines_next(&lines, &line)) > 0) {
		ret = 0;
		if (lines.cut || !is_text(line))
			break;
		if (fw_framestats_probe(line)) {
			*kind = FW_SIDE_FRAMESTATS;
			break;
		}
		if (latency >= 0)
			latency = fw_latency_probe(line, &state);
		if (latency > 0) {
			*kind = FW_SIDE_LATENCY;
			break;
		}
	}
	fw_lines_free(&lines);
	return ret < 0 ? ret : 0;
}

int fw_side_open(const char *path, enum fw_side_kind kind, struct fw_source **src)
{
	enum fw_side_kind found = FW_SIDE_NONE;
	int err = fw_source_open(path, src);

	if (err)
		return err;
	err = fw_side_probe(*src, &found);
	if (!err && found != kind)
		err = fw_fail(EINVAL, "%s: is not what dumpsys %s prints", path,
			      kind == FW_SIDE_FRAMESTATS ? "gfxinfo PACKAGE framestats"
							 : "SurfaceFlinger --latency LAYER");
	if (err)
		fw_source_close(*src);
	return err;
}
