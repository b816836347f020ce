/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_GPU_H
#define FW_GEN_GPU_H

#include "out.h"

/**
 * gpu_generate() - two frames of an app, and what each kind of GPU source says beside them
 *
 * The times are round, so that the sums can be made by hand; tests/cli/gpu.t has them.
 */
void gpu_generate(const struct out_opts *opts);

#endif
