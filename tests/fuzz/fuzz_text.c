// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as ftrace text, in each of its wrappings: as it is, compressed behind "TRACE:", in a page
 * of either form, in UTF-16. The first byte says which.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/map.h"
#include "harness.h"

#define MAX_BYTES (64u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t put(uint8_t *to, const char *head, const uint8_t *data, size_t size)
{
	size_t n = strlen(head);

	memcpy(to, head, n);
	memcpy(to + n, data, size);
	return n + size;
}

static size_t wrap(uint8_t *to, size_t cap, unsigned int how, const uint8_t *data, size_t size)
{
	uLongf n = cap - 7;

	switch (how) {
	case 1:
		if (compress2(to + put(to, "TRACE:\n", data, 0), &n, data, size, 1) != Z_OK)
			abort();
		return n + 7;
	case 2:
		return put(to, "<html>\n <script class=\"trace-data\">\n", data, size);
	case 3:
		return put(to, "<html>\nvar linuxPerfData = \"\\\n", data, size);
	case 4:
		to[0] = 0xff;
		to[1] = 0xfe;
		for (size_t i = 0; i < size; i++) {
			to[2 + 2 * i] = data[i];
			to[3 + 2 * i] = 0;
		}
		return 2 + 2 * size;
	case 5:
		return put(to, "<html>\n <script class=\"trace-data\">\nPROCESS DUMP\n", data,
			   size);
	}
	return put(to, "", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[4 * MAX_BYTES];
	const char *path;

	if (size < 1 || size > MAX_BYTES)
		return 0;
	/* A text that is given as it is begins with a blank, a sign, a letter. */
	size = data[0] < 6 ? wrap(bytes, sizeof(bytes), data[0], data + 1, size - 1)
			   : put(bytes, "", data, size);
	path = harness_file(bytes, size);
	for (int tp = 0; tp < 2; tp++)
		if (!harness_read(path, tp, NULL).ordered)
			abort();
	harness_report(path, NULL, NULL, NULL);
	harness_table(path, fw_hash_bytes(bytes, size));
	return 0;
}
