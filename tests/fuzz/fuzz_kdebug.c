// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as an iOS CoreProfile recording, always with its magic: frames in order, rows. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t magic[4] = { 0x00, 0x02, 0xaa, 0x55 };
	uint8_t *bytes = malloc(size + sizeof(magic));
	const char *path;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	memcpy(bytes, magic, sizeof(magic));
	path = harness_file(bytes, size > sizeof(magic) ? size : sizeof(magic));
	free(bytes);
	if (!harness_read(path, false, NULL).ordered)
		abort();
	harness_report(path, NULL, NULL, NULL);
	return 0;
}
