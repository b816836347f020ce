/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TASK_STATE_H
#define FW_MODEL_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * What the bits of prev_state in sched_switch mean: they changed in Linux 4.8 and 4.14. Bits and
 * letters as trace_processor reads them (task_state.cc, v57.2).
 */
enum fw_task_state_layout {
	FW_TASK_STATE_4_4, /* before 4.8, and unknown kernels */
	FW_TASK_STATE_4_8,
	FW_TASK_STATE_4_14, /* 4.14 and later */
};

/* The layout of a kernel by sysname and release ("5.10.43-android12-..."); both may be absent. */
enum fw_task_state_layout fw_task_state_layout(struct fw_str sysname, struct fw_str release);

/**
 * struct fw_task_state - a prev_state, decoded
 * @valid: false for bits that no kernel of this layout sets
 * @preempted: left the CPU still runnable, the kernel's "R+"
 * @letters: state letters without '+', NUL-terminated; "R" when runnable
 */
struct fw_task_state {
	bool valid;
	bool preempted;
	char letters[14];
};

void fw_task_state_decode(enum fw_task_state_layout layout, int64_t prev_state,
			  struct fw_task_state *out);

/**
 * fw_task_state_text() - trace_processor's word for a prev_state: at most three letters, "R+" when
 *	preempted; absent when the bits are not valid
 * @buf: room for the answer
 */
struct fw_str fw_task_state_text(enum fw_task_state_layout layout, int64_t prev_state, char buf[4]);

#endif
