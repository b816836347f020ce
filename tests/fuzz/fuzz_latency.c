// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a dump of SurfaceFlinger --latency. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	harness_side(harness_file(data, size), FW_SIDE_LATENCY);
	return 0;
}
