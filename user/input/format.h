/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_FORMAT_H
#define FW_INPUT_FORMAT_H

#include "input/input.h"
#include "input/source.h"

/**
 * struct fw_format - a reader of one recorded format
 * @probe: how sure the reader is that the first bytes are its format: 0 not at all, 100 certain
 * @open: take over @src on success; everything else as in fw_input_open()
 *
 * The other functions are those of input.h with the reader's own state.
 */
struct fw_format {
	const char *name;
	int (*probe)(const uint8_t *p, size_t len);
	int (*open)(struct fw_source *src, struct fw_health *health, void **state);
	void (*close)(void *state);
	const struct fw_recording *(*recording)(const void *state);
	int (*peek_small)(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
			  void *ctx);
	int (*start)(void *state, const struct fw_input_opts *opts);
	int (*next)(void *state, const struct fw_event **ev);
	bool (*counts)(const void *state, size_t *pos, struct fw_input_count *out);
	/* NULL: the format has no pairs of clocks. */
	bool (*clock)(void *state, enum fw_input_clock clock, int64_t ns, int64_t *out);
};

extern const struct fw_format fw_format_perfetto;
extern const struct fw_format fw_format_fwc;
extern const struct fw_format fw_format_text;
extern const struct fw_format fw_format_kdebug;
extern const struct fw_format fw_format_tracedat;
extern const struct fw_format fw_format_gfxtrace;

/**
 * fw_fwc_open() - fw_format.open of a capture whose SurfaceFlinger packets stand in a trace
 * @sf: the trace, the input's from now on; NULL: they are those of the capture
 */
int fw_fwc_open(struct fw_source *src, struct fw_source *sf, struct fw_health *health,
		void **state);
/* As fw_format.open, of a capture that is being written. */
int fw_fwc_follow(struct fw_source *src, int writer, struct fw_health *health, void **state);

#endif
