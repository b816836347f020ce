/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_SCHED_H
#define FW_GEN_SCHED_H

#include "rec.h"

/**
 * sched_generate() - a busy device's recording: compact sched and an app at 60 Hz
 * @bytes: write at least as many bytes of packets
 * Return: the number of ftrace events in it.
 */
uint64_t sched_generate(const struct out_opts *opts, uint64_t bytes, uint64_t seed);

#endif
