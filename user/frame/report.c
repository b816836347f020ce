// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/report.h"

#include <errno.h>

#include "base/error.h"

int fw_report(struct fw_input *in, struct fw_health *health, const struct fw_report_opts *opts,
	      struct fw_sink *sinks[FW_FRAME_TABLES])
{
	return fw_fail(ENOTSUP, "the frame report is not built yet");
}
