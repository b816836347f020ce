/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_CPU_H
#define FW_MODEL_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "input/event.h"

/*
 * What each CPU does besides running threads: time in interrupts, and its frequency.
 */
#define FW_CPUS_MAX 4096

/**
 * struct fw_irq_time - interrupt time of a CPU up to some moment, ns; only differences mean anything
 * @irq: in hard interrupts, nested ones once
 * @softirq: in soft interrupts and no hard one, so that the two add up to the union
 */
struct fw_irq_time {
	uint64_t irq, softirq;
};

struct fw_cpu {
	int64_t since; /* up to when the totals are summed */
	struct fw_irq_time total;
	uint8_t irq_depth, softirq_depth;
	int64_t khz; /* 0: not known */
};

/**
 * struct fw_cpus - all CPUs; zero-initialise, release with fw_cpus_free()
 * @irq_seen: the recording has interrupt events at all
 */
struct fw_cpus {
	struct fw_cpu *cpu;
	int32_t n;
	bool irq_seen;
};

void fw_cpus_free(struct fw_cpus *c);
/* One irq, softirq or cpu_frequency event; other types are ignored. */
void fw_cpus_feed(struct fw_cpus *c, const struct fw_event *ev);
/* Events of this CPU were lost: whatever it was in, it may have left. */
void fw_cpus_lost(struct fw_cpus *c, int32_t cpu, int64_t ts);

/* Totals of @cpu at @ts, which is not before its last event. */
static inline struct fw_irq_time fw_cpus_irq(const struct fw_cpus *c, int32_t cpu, int64_t ts)
{
	const struct fw_cpu *p;
	struct fw_irq_time t;

	if ((uint32_t)cpu >= (uint32_t)c->n)
		return (struct fw_irq_time){ 0, 0 };
	p = &c->cpu[cpu];
	t = p->total;
	if (p->irq_depth && ts > p->since)
		t.irq += (uint64_t)ts - (uint64_t)p->since;
	else if (p->softirq_depth && ts > p->since)
		t.softirq += (uint64_t)ts - (uint64_t)p->since;
	return t;
}

static inline int64_t fw_cpus_khz(const struct fw_cpus *c, int32_t cpu)
{
	return (uint32_t)cpu < (uint32_t)c->n ? c->cpu[cpu].khz : 0;
}

#endif
