// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a recording: all events, in both orders, in time order, not more than bytes. */
#include <stdlib.h>

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file(data, size);

	for (int tp_order = 0; tp_order < 2; tp_order++)
		if (!harness_read(path, tp_order, NULL).ordered)
			abort();
	return 0;
}
