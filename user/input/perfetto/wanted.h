/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_PERFETTO_WANTED_H
#define FW_INPUT_PERFETTO_WANTED_H

#include "input/perfetto/compact.h"

#define PF_WANTED_ENDS 32

/* Sixteen bytes at once: SSE2 and NEON have such registers, for others the compiler splits it. */
typedef uint8_t pf_lanes __attribute__((vector_size(16)));

/**
 * struct pf_wanted - finds wanted threads in packed thread ids without decoding the others
 *
 * Of a varint, the last byte and the one before say which 128 threads it can be. So each group of
 * 128 threads in which somebody is wanted is a pair of bytes to look for; what ends with one is
 * decoded and asked for.
 */
struct pf_wanted {
	const struct fw_interest *in;
	uint32_t generation; /* of the interest that ends were made of */
	size_t n;
	struct pf_wanted_end {
		pf_lanes mask, before, last;
	} ends[PF_WANTED_ENDS];
	uint32_t *hits; /* what was found: indices in ascending order */
	size_t n_hits, hits_cap;
};

/* Follow the interest as it is now. */
void pf_wanted_set(struct pf_wanted *w, const struct fw_interest *in);
/* Fill @w->hits with the indices of the stream whose thread is wanted. */
void pf_wanted_find(struct pf_wanted *w, struct pf_stream *s);
void pf_wanted_free(struct pf_wanted *w);

#endif
