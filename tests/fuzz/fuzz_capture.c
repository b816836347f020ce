// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a capture whose checksums are right, so that what stands in its chunks is reached: as it
 * grows and at once, in time order, and its frame report.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "framewait/capture.h"
#include "harness.h"
#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mend(uint8_t *p, size_t size)
{
	struct fw_chunk h;

	for (size_t at = FW_CAPTURE_MAGIC_LEN; size >= at + sizeof(h);) {
		memcpy(&h, p + at, sizeof(h));
		if (h.len > size - at - sizeof(h))
			return;
		h.crc = (uint32_t)crc32(0, p + at + sizeof(h), h.len);
		memcpy(p + at, &h, sizeof(h));
		at += sizeof(h) + h.len;
	}
}

static int on_ahead(void *ctx, const struct fw_event *ev)
{
	int64_t *last = ctx;

	if (ev && ev->ts < *last)
		abort();
	if (ev)
		*last = ev->ts;
	return 0;
}

static void stream(const char *path, int64_t settle_ns)
{
	int64_t ahead = INT64_MIN, last = INT64_MIN;
	struct fw_input_live live = { .settle_ns = settle_ns, .ahead = on_ahead, .ctx = &ahead };
	struct fw_input_opts opts = { .live = &live };
	struct fw_health *h = fw_health_new();
	const struct fw_event *ev;
	struct fw_input *in;

	if (!fw_input_open(path, h, &in)) {
		if (!fw_input_start(in, &opts)) {
			while (fw_input_next(in, &ev) > 0) {
				if (ev->ts < last)
					abort();
				last = ev->ts;
			}
		}
		fw_input_close(in);
	}
	fw_fail_clear();
	fw_health_free(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	const char *path;

	memcpy(copy, data, size);
	if (size >= FW_CAPTURE_MAGIC_LEN)
		memcpy(copy, FW_CAPTURE_MAGIC, FW_CAPTURE_MAGIC_LEN);
	mend(copy, size);
	path = harness_file(copy, size);
	free(copy);
	stream(path, 0);
	stream(path, 2000000000);
	if (!harness_read(path, false, NULL).ordered)
		abort();
	harness_report(path, NULL, NULL, NULL);
	return 0;
}
