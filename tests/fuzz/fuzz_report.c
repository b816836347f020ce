// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a recording: the frame report and every other table. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file(data, size);

	harness_report(path, NULL, NULL, NULL);
	harness_tables(path);
	return 0;
}
