// SPDX-License-Identifier: GPL-2.0-or-later
#include "truth.h"

#include <inttypes.h>

static const char *const state_names[SIM_STATES] = {
	[SIM_UNSEEN] = "unobserved_ns",
	[SIM_RUNNING] = "running_ns",
	[SIM_RUNNABLE] = "runnable_ns",
	[SIM_PREEMPTED] = "preempted_ns",
	[SIM_SLEEPING] = "sleeping_ns",
	[SIM_IDLE] = "idle_ns",
	[SIM_BLOCKED_IO] = "blocked_io_ns",
	[SIM_BLOCKED] = "blocked_noio_ns",
	[SIM_DEAD] = "dead_ns",
};

struct sums {
	int64_t state[SIM_STATES];
	int64_t irq, softirq, longest_wait;
	int64_t blocked_in[FT_MAX_SYMBOLS];
};

void truth_header(FILE *f)
{
	fputs("surface_token,display_token,role,tid,start_ns,end_ns", f);
	for (int i = 0; i < SIM_STATES; i++)
		fprintf(f, ",%s", state_names[i]);
	fputs(",irq_ns,softirq_ns,longest_cpu_wait_ns,blocked_function,trouble\n", f);
}

static int64_t overlap(int64_t a0, int64_t a1, int64_t b0, int64_t b1)
{
	int64_t from = a0 > b0 ? a0 : b0, to = a1 < b1 ? a1 : b1;

	return to > from ? to - from : 0;
}

static void add_interrupts(const struct sim *s, int cpu, int64_t from, int64_t to,
			   struct sums *sums)
{
	for (int i = 0; i < s->n_irqs; i++) {
		const struct sim_irq *irq = &s->irqs[i];

		if (irq->cpu == cpu)
			*(irq->soft ? &sums->softirq : &sums->irq) +=
				overlap(irq->start, irq->end, from, to);
	}
}

/* One state of the thread, [from, to) already cut to the window. */
static void add_state(const struct sim *s, const struct sim_change *c, int64_t from, int64_t to,
		      struct sums *sums)
{
	if (to <= from)
		return;
	sums->state[c->state] += to - from;
	if (c->state == SIM_RUNNING)
		add_interrupts(s, c->cpu, from, to, sums);
	if ((c->state == SIM_RUNNABLE || c->state == SIM_PREEMPTED) &&
	    to - from > sums->longest_wait)
		sums->longest_wait = to - from;
	if (c->state == SIM_BLOCKED || c->state == SIM_BLOCKED_IO)
		sums->blocked_in[c->symbol] += to - from;
}

static void add_thread(const struct sim *s, const struct truth_window *w, struct sums *sums)
{
	const struct thread *t = w->thread;
	int64_t first = t->n_log ? t->log[0].ts : INT64_MAX;

	sums->state[SIM_UNSEEN] = overlap(w->start, w->end, INT64_MIN, first);
	for (int i = 0; i < t->n_log; i++) {
		int64_t from = t->log[i].ts;
		int64_t to = i + 1 < t->n_log ? t->log[i + 1].ts : INT64_MAX;

		add_state(s, &t->log[i], from > w->start ? from : w->start,
			  to < w->end ? to : w->end, sums);
	}
}

void truth_row(FILE *f, const struct sim *s, const char *const *symbols,
	       const struct truth_window *w)
{
	struct sums sums = { 0 };
	int top = -1;

	add_thread(s, w, &sums);
	for (int i = 0; i < FT_MAX_SYMBOLS; i++)
		if (sums.blocked_in[i] && (top < 0 || sums.blocked_in[i] > sums.blocked_in[top]))
			top = i;
	if (w->surface_token >= 0)
		fprintf(f, "%" PRId64, w->surface_token);
	fprintf(f, ",%" PRId64 ",%s,%d,%" PRId64 ",%" PRId64, w->display_token, w->role,
		w->thread->tid, w->start, w->end);
	for (int i = 0; i < SIM_STATES; i++)
		fprintf(f, ",%" PRId64, sums.state[i]);
	fprintf(f, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%s\n", sums.irq, sums.softirq,
		sums.longest_wait, top < 0 ? "" : symbols[top], w->trouble);
}
