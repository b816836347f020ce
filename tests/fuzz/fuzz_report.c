// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a recording: the frame report, and one other table, chosen by the bytes. */
#include "harness.h"

#include "base/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file(data, size);

	harness_report(path, NULL, NULL, NULL);
	harness_table(path, fw_hash_bytes(data, size));
	return 0;
}
