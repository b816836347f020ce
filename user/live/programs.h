/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_PROGRAMS_H
#define FW_LIVE_PROGRAMS_H

#include "live/session.h"
#include "framewait.skel.h"

/*
 * Which programs of the skeleton to load on this kernel: the shapes are decided from BTF and from
 * tracefs, never from the version.
 */
struct fw_shapes {
	int switch_args; /* 3 or 4; 0: sched_switch is not in BTF, or in a shape of no known kernel */
	int blocked_args; /* 1 or 2; 0: no such event */
};

struct btf;

int fw_shapes_read(const struct btf *kernel, struct fw_shapes *out);

/**
 * fw_programs_choose() - switch off what this kernel has no event for
 * @want: bits of enum fw_rung
 * Return: bits of the rungs whose programs will be loaded.
 */
uint32_t fw_programs_choose(struct framewait_bpf *skel, const struct btf *kernel,
			    const struct fw_shapes *shapes, uint32_t want);

/* The rung of a program, by its name. */
enum fw_rung fw_program_rung(const char *name);

/* Is framewait.ko loaded, with BTF of its own? */
bool fw_module_has_btf(void);

#endif
