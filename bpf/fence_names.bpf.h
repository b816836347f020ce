/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FW_FENCE_NAMES_BPF_H
#define FW_FENCE_NAMES_BPF_H

#include "framewait.bpf.h"

/* The names of a context, once: whoever learns them first. */
static __always_inline void emit_fence_names(struct fw_cpu_health *h, u64 context,
					     const struct fw_fence_names *names)
{
	struct fw_rec_fence_name r = {};

	bpf_map_update_elem(&fence_names, &context, names, BPF_ANY);
	r.rec.ts = bpf_ktime_get_boot_ns();
	r.context = context;
	__builtin_memcpy(r.driver, names->driver, sizeof(r.driver));
	__builtin_memcpy(r.timeline, names->timeline, sizeof(r.timeline));
	emit(h, FW_REC_FENCE_NAME, &r, sizeof(r));
}

#endif
