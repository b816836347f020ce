// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as an AGI/GAPID capture, always with its magic: opened, and counted. */
#include "base/error.h"
#include "harness.h"
#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = harness_file_as("ProtoPack\r\n2.0\n", 16, data, size);
	struct fw_health *health = fw_health_new();
	struct fw_input_count c;
	struct fw_input *in;
	size_t pos = 0;

	if (!fw_input_open(path, health, &in)) {
		harness_touch(fw_input_recording(in)->details);
		while (fw_input_counts(in, &pos, &c))
			harness_touch(fw_str(c.name));
		fw_input_close(in);
	}
	fw_fail_clear();
	fw_health_free(health);
	harness_report(path, NULL, NULL, NULL);
	return 0;
}
