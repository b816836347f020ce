/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_HIST_BPF_H
#define FW_HIST_BPF_H

#include "framewait.bpf.h"

/* One more duration in a histogram of struct fw_totals. */
static __always_inline void count_us(u32 *hist, u64 ns)
{
	u64 us = ns / 1000;
	u32 slot = 0;

	if (us >> 16) {
		us >>= 16;
		slot += 16;
	}
	if (us >> 8) {
		us >>= 8;
		slot += 8;
	}
	if (us >> 4) {
		us >>= 4;
		slot += 4;
	}
	if (us >> 2) {
		us >>= 2;
		slot += 2;
	}
	slot += us >> 1 ? 2 : us;
	if (slot >= FW_HIST_SLOTS)
		slot = FW_HIST_SLOTS - 1;
	hist[slot]++;
}

#endif
