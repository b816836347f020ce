// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel's own accounting of a program costs when the program does nothing. */
#include "kernel_types.h"
#include <bpf/bpf_helpers.h>

SEC("tp_btf/sched_switch")
int fw_empty(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
