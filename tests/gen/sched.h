/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_SCHED_H
#define FW_GEN_SCHED_H

#include "rec.h"

/* A busy device's recording of at least @bytes of packets: compact sched and an app at 60 Hz. */
void sched_generate(const struct out_opts *opts, uint64_t bytes, uint64_t seed);

#endif
