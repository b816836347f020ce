/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_IRQ_SLICES_H
#define FW_MODEL_IRQ_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "input/event.h"
#include "model/slices.h"

/*
 * Interrupt handlers and softirqs of each CPU as slices (ftrace_parser.cc, v57.2).
 */

/**
 * struct fw_irq_slices - the tracker
 * @done: gets each slice once, when its end is known
 */
struct fw_irq_slices {
	void (*done)(void *ctx, int32_t cpu, bool softirq, const struct fw_slice *s);
	void *ctx;

	uint64_t seq;
	struct fw_slices slices;
	struct fw_track *tracks; /* two for each cpu: hard, soft */
	uint32_t n_tracks;
};

void fw_irq_slices_init(struct fw_irq_slices *irq, struct fw_health *health);
void fw_irq_slices_feed(struct fw_irq_slices *irq, const struct fw_event *ev);
void fw_irq_slices_finish(struct fw_irq_slices *irq);

#endif
