// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a trace.dat, always with its magic: events in order, rows. */
#include <stdlib.h>

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file_as("\x17\x08\x44tracing", 10, data, size);

	if (!harness_read(path, false, NULL).ordered)
		abort();
	harness_report(path, NULL, NULL, NULL);
	return 0;
}
