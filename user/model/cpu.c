// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void fw_cpus_free(struct fw_cpus *c)
{
	free(c->cpu);
	*c = (struct fw_cpus){ 0 };
}

static struct fw_cpu *get(struct fw_cpus *c, int32_t cpu)
{
	if (cpu < 0 || cpu >= FW_CPUS_MAX)
		return NULL;
	if (cpu >= c->n) {
		c->cpu = fw_realloc(c->cpu, (size_t)cpu + 1, sizeof(*c->cpu));
		memset(c->cpu + c->n, 0, (size_t)(cpu + 1 - c->n) * sizeof(*c->cpu));
		c->n = cpu + 1;
	}
	return &c->cpu[cpu];
}

static void settle(struct fw_cpus *c, struct fw_cpu *p, int32_t cpu, int64_t ts)
{
	p->total = fw_cpus_irq(c, cpu, ts);
	if (ts > p->since)
		p->since = ts;
}

static void step(uint8_t *depth, bool enter)
{
	if (enter && *depth < UINT8_MAX)
		++*depth;
	else if (!enter && *depth)
		--*depth; /* an exit whose entry was before the recording ends nothing */
}

void fw_cpus_feed(struct fw_cpus *c, const struct fw_event *ev)
{
	struct fw_cpu *p;

	switch (ev->type) {
	case FW_EV_IRQ_ENTRY:
	case FW_EV_IRQ_EXIT:
	case FW_EV_SOFTIRQ_ENTRY:
	case FW_EV_SOFTIRQ_EXIT:
		break;
	case FW_EV_CPU_FREQUENCY:
		p = get(c, ev->freq.unit);
		if (p)
			p->khz = ev->freq.value > 0 ? ev->freq.value : 0;
		return;
	default:
		return;
	}
	p = get(c, ev->cpu);
	if (!p)
		return;
	c->irq_seen = true;
	settle(c, p, ev->cpu, ev->ts);
	if (ev->type == FW_EV_IRQ_ENTRY || ev->type == FW_EV_IRQ_EXIT)
		step(&p->irq_depth, ev->type == FW_EV_IRQ_ENTRY);
	else
		step(&p->softirq_depth, ev->type == FW_EV_SOFTIRQ_ENTRY);
}

void fw_cpus_lost(struct fw_cpus *c, int32_t cpu, int64_t ts)
{
	if ((uint32_t)cpu >= (uint32_t)c->n)
		return;
	settle(c, &c->cpu[cpu], cpu, ts);
	c->cpu[cpu].irq_depth = 0;
	c->cpu[cpu].softirq_depth = 0;
}
