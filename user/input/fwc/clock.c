// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The capture's clock pairs. Each counts from its time on, as a ClockSnapshot does: between two of
 * them the difference is that of the first. It changes while the machine is suspended, and where
 * the recorder could not ask the kernel for it, by what two readings are apart.
 */
#include "base/mem.h"
#include "input/fwc/fwc.h"

void fwc_pair(struct fwc *f, uint64_t boot, uint64_t mono)
{
	const struct fwc_pair *last = f->n_pairs ? &f->pairs[f->n_pairs - 1] : NULL;

	/* What goes backwards is damage. */
	if (last && (boot - mono == last->boot - last->mono || mono < last->mono))
		return;
	fw_grow(f->pairs, f->n_pairs, f->pairs_cap);
	f->pairs[f->n_pairs++] = (struct fwc_pair){ boot, mono };
}

bool fwc_to_boot(const struct fwc *f, uint64_t mono, uint64_t *boot)
{
	size_t low = 0, high = f->n_pairs;

	if (!high)
		return false;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (f->pairs[mid].mono <= mono)
			low = mid;
		else
			high = mid;
	}
	*boot = mono + (f->pairs[low].boot - f->pairs[low].mono);
	return *boot <= INT64_MAX;
}

bool fwc_clock(void *state, enum fw_input_clock clock, int64_t ns, int64_t *out)
{
	const struct fwc *f = state;
	uint64_t boot = (uint64_t)ns + f->boot_less_real;
	bool known = f->n_pairs && ns >= 0 && boot <= INT64_MAX;

	if (clock == FW_INPUT_MONOTONIC)
		known = ns >= 0 && fwc_to_boot(f, (uint64_t)ns, &boot);
	*out = (int64_t)boot;
	return known;
}
