// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SLICE_NS 3000000
#define EVENT_GAP_NS 150 /* between two events of one cpu */
#define SWITCH_GAP_NS 900 /* between a thread's last change and its next switch-in */
#define RACE_NS 4000 /* by which a racing wake stands before its switch-out */

enum { EVENT_RUN_DONE, EVENT_RESCHED, EVENT_SLICE, EVENT_CALL };

void sim_init(struct sim *s, struct ft *ft, int n_cpus, int64_t now)
{
	memset(s, 0, sizeof(*s));
	s->ft = ft;
	s->n_cpus = n_cpus;
	s->now = now;
	s->rng.s = 0x66726d;
}

void sim_free(struct sim *s)
{
	free(s->heap);
	free(s->irqs);
}

void sim_thread_free(struct thread *t)
{
	free(t->log);
}

static void *grow(void *p, int n, int *cap, size_t size)
{
	if (n < *cap)
		return p;
	*cap = *cap ? *cap * 2 : 64;
	p = realloc(p, (size_t)*cap * size);
	if (!p)
		exit(1);
	return p;
}

static bool before(const struct sim_event *a, const struct sim_event *b)
{
	return a->ts != b->ts ? a->ts < b->ts : a->seq < b->seq;
}

static void push(struct sim *s, struct sim_event e)
{
	int i = s->n_heap;

	s->heap = grow(s->heap, s->n_heap, &s->cap_heap, sizeof(*s->heap));
	s->n_heap++;
	e.seq = s->seq++;
	for (; i && before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = e;
}

static struct sim_event pop(struct sim *s)
{
	struct sim_event top = s->heap[0], last = s->heap[--s->n_heap];
	int i = 0;

	for (;;) {
		int child = 2 * i + 1;

		if (child >= s->n_heap)
			break;
		if (child + 1 < s->n_heap && before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return top;
}

void sim_at(struct sim *s, int64_t ts, void (*fn)(struct sim *s, void *arg), void *arg)
{
	push(s, (struct sim_event){ .ts = ts, .kind = EVENT_CALL, .fn = fn, .arg = arg });
}

int64_t sim_stamp(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpu[cpu];

	c->last_ts = s->now > c->last_ts + EVENT_GAP_NS ? s->now : c->last_ts + EVENT_GAP_NS;
	return c->last_ts;
}

int sim_tid_on(const struct sim *s, int cpu)
{
	return s->cpu[cpu].running ? s->cpu[cpu].running->tid : 0;
}

void sim_mark(struct sim *s, struct thread *t, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ft_print(s->ft, t->cpu, sim_stamp(s, t->cpu), t->tid, text);
}

static void log_change(struct thread *t, int64_t ts, enum sim_state state)
{
	t->log = grow(t->log, t->n_log, &t->cap_log, sizeof(*t->log));
	t->log[t->n_log++] = (struct sim_change){ ts, state, t->cpu, t->step.symbol };
	t->state = state;
}

static int64_t last_change(const struct thread *t)
{
	return t->n_log ? t->log[t->n_log - 1].ts : INT64_MIN;
}

static void enqueue(struct sim *s, struct thread *t, int cpu)
{
	struct thread **at = &s->cpu[cpu].queue;

	t->cpu = cpu;
	while (*at && (*at)->prio <= t->prio)
		at = &(*at)->next;
	t->next = *at;
	*at = t;
}

static void resched(struct sim *s, int cpu, int64_t ts)
{
	s->cpu[cpu].resched = true;
	push(s, (struct sim_event){ .ts = ts, .kind = EVENT_RESCHED, .cpu = cpu });
}

static bool is_idle(const struct sim *s, const struct thread *t, int cpu)
{
	const struct sim_cpu *c = &s->cpu[cpu];

	return t->allowed >> cpu & 1 && !c->running && !c->queue && !c->resched;
}

static int choose_cpu(const struct sim *s, const struct thread *t)
{
	if (is_idle(s, t, t->cpu))
		return t->cpu;
	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		if (is_idle(s, t, cpu))
			return cpu;
	return t->cpu;
}

static void make_runnable(struct sim *s, struct thread *t, int64_t ts, int cpu)
{
	const struct thread *running = s->cpu[cpu].running;

	enqueue(s, t, cpu);
	if (!running)
		resched(s, cpu, ts + rng_range(&s->rng, 15000, 60000));
	else if (t->prio < running->prio)
		resched(s, cpu, ts + rng_range(&s->rng, 3000, 8000));
}

static bool asleep(const struct thread *t)
{
	return t->state == SIM_UNSEEN || t->state == SIM_SLEEPING || t->state == SIM_IDLE ||
	       t->state == SIM_BLOCKED || t->state == SIM_BLOCKED_IO;
}

void sim_wake(struct sim *s, struct thread *t, int cpu, int flags)
{
	bool blocked = t->state == SIM_BLOCKED || t->state == SIM_BLOCKED_IO;
	bool io = t->state == SIM_BLOCKED_IO;
	int target;
	int64_t ts;

	if (!asleep(t))
		return;
	ts = sim_stamp(s, cpu);
	target = choose_cpu(s, t);
	ft_waking(s->ft, cpu, ts, t->tid, target, t->prio, t->name, flags);
	/* An interrupt can hold the switch-out back until after this wake: a race like any other. */
	log_change(t, ts > last_change(t) ? ts : last_change(t), SIM_RUNNABLE);
	if (blocked)
		ft_blocked(s->ft, cpu, sim_stamp(s, cpu), sim_tid_on(s, cpu), t->tid,
			   t->step.symbol, io);
	make_runnable(s, t, ts, target);
}

void sim_start(struct sim *s, struct thread *by, struct thread *t, int comm_before)
{
	int64_t ts = sim_stamp(s, by->cpu);

	ft_newtask(s->ft, by->cpu, ts, by->tid, t->tid, comm_before);
	log_change(t, ts, SIM_RUNNABLE);
	make_runnable(s, t, ts, choose_cpu(s, t));
}

void sim_irq_begin(struct sim *s, int cpu, int irq, const char *name)
{
	int64_t ts = sim_stamp(s, cpu);

	s->irqs = grow(s->irqs, s->n_irqs, &s->cap_irqs, sizeof(*s->irqs));
	s->irqs[s->n_irqs++] = (struct sim_irq){ cpu, ts, ts, false };
	ft_irq_entry(s->ft, cpu, ts, sim_tid_on(s, cpu), irq, name);
	s->cpu[cpu].last_ts += rng_range(&s->rng, 300, 900);
}

void sim_irq_end(struct sim *s, int cpu, int irq, int softirq_vec)
{
	int64_t start;

	s->cpu[cpu].last_ts += rng_range(&s->rng, 400, 2500);
	s->irqs[s->n_irqs - 1].end = sim_stamp(s, cpu);
	ft_irq_exit(s->ft, cpu, s->cpu[cpu].last_ts, sim_tid_on(s, cpu), irq);
	if (softirq_vec < 0)
		return;
	start = sim_stamp(s, cpu);
	ft_softirq(s->ft, cpu, start, sim_tid_on(s, cpu), softirq_vec, true);
	s->cpu[cpu].last_ts += rng_range(&s->rng, 1500, 4000);
	ft_softirq(s->ft, cpu, s->cpu[cpu].last_ts, sim_tid_on(s, cpu), softirq_vec, false);
	s->irqs = grow(s->irqs, s->n_irqs, &s->cap_irqs, sizeof(*s->irqs));
	s->irqs[s->n_irqs++] = (struct sim_irq){ cpu, start, s->cpu[cpu].last_ts, true };
}

static void start_run(struct sim *s, struct thread *t)
{
	struct sim_cpu *c = &s->cpu[t->cpu];

	t->since = s->now;
	push(s, (struct sim_event){ .ts = s->now + t->left,
				    .kind = EVENT_RUN_DONE,
				    .cpu = t->cpu,
				    .gen = c->gen });
}

/* Switch the cpu to the head of its queue; @state is what becomes of the thread that ran. */
static void switch_cpu(struct sim *s, int cpu, int state, enum sim_state becomes)
{
	struct sim_cpu *c = &s->cpu[cpu];
	struct thread *prev = c->running, *next = c->queue;
	int64_t ts;

	if (next) {
		c->queue = next->next;
		/* The switch-out elsewhere, or the wake, is already written with a later time. */
		if (c->last_ts < last_change(next) + SWITCH_GAP_NS)
			c->last_ts = last_change(next) + SWITCH_GAP_NS;
	}
	ts = sim_stamp(s, cpu);
	ft_switch(s->ft, cpu, ts, state, next ? next->tid : 0, next ? next->prio : 120,
		  next ? next->name : 0);
	if (prev)
		log_change(prev, ts, becomes);
	c->running = next;
	c->gen++;
	if (!next)
		return;
	next->cpu = cpu;
	log_change(next, ts, SIM_RUNNING);
	start_run(s, next);
	push(s, (struct sim_event){
			.ts = s->now + SLICE_NS, .kind = EVENT_SLICE, .cpu = cpu, .gen = c->gen });
}

static void preempt(struct sim *s, int cpu, int state)
{
	struct thread *t = s->cpu[cpu].running;

	t->left -= s->now - t->since;
	if (t->left < 1000)
		t->left = 1000;
	enqueue(s, t, cpu);
	switch_cpu(s, cpu, state, SIM_PREEMPTED);
}

static void do_resched(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpu[cpu];

	c->resched = false;
	if (!c->queue)
		return;
	if (!c->running)
		switch_cpu(s, cpu, 0, SIM_UNSEEN);
	else if (c->queue->prio < c->running->prio)
		preempt(s, cpu, TASK_PREEMPTED);
}

static void block_done(struct sim *s, void *arg)
{
	struct thread *t = arg;
	int cpu = (t->cpu + 1) % s->n_cpus;

	sim_irq_begin(s, cpu, 98, "ufshcd");
	sim_wake(s, t, cpu, FLAG_HARDIRQ | FLAG_IRQS_OFF);
	sim_irq_end(s, cpu, 98, 4 /* BLOCK */);
}

static void race_out(struct sim *s, struct thread *t)
{
	int cpu = t->cpu;

	switch_cpu(s, cpu, TASK_S, SIM_SLEEPING);
	log_change(t, last_change(t), SIM_RUNNABLE);
	make_runnable(s, t, s->now, cpu);
}

/* The run is over: ask the program, until it runs again or leaves the cpu. */
static void run_done(struct sim *s, int cpu)
{
	struct thread *t = s->cpu[cpu].running;

	if (t->step.kind == STEP_RACE) {
		t->step.kind = STEP_RUN;
		t->left = 2000;
		race_out(s, t);
		return;
	}
	t->step = t->program(s, t);
	t->left = t->step.ns;
	switch (t->step.kind) {
	case STEP_RUN:
		start_run(s, t);
		return;
	case STEP_RACE:
		/* Somebody on another cpu wakes it while it is on its way out. */
		ft_waking(s->ft, (cpu + 1) % s->n_cpus, sim_stamp(s, (cpu + 1) % s->n_cpus), t->tid,
			  cpu, t->prio, t->name, FLAG_IRQS_OFF);
		t->left = RACE_NS;
		start_run(s, t);
		return;
	case STEP_BLOCK:
		sim_at(s, s->now + t->step.ns, block_done, t);
		switch_cpu(s, cpu, TASK_D, t->step.io ? SIM_BLOCKED_IO : SIM_BLOCKED);
		break;
	case STEP_SLEEP:
		switch_cpu(s, cpu, TASK_S, SIM_SLEEPING);
		break;
	case STEP_IDLE:
		switch_cpu(s, cpu, TASK_I, SIM_IDLE);
		break;
	case STEP_EXIT:
		ft_exit(s->ft, cpu, sim_stamp(s, cpu), t->tid, t->tgid, t->name, t->prio);
		switch_cpu(s, cpu, TASK_X, SIM_DEAD);
		ft_freed(s->ft, cpu, sim_stamp(s, cpu), 0, t->tid, t->name, t->prio);
		break;
	}
	t->left = 0;
}

void sim_run(struct sim *s, int64_t until)
{
	while (s->n_heap && s->heap[0].ts < until) {
		struct sim_event e = pop(s);
		struct sim_cpu *c = &s->cpu[e.cpu];

		s->now = e.ts;
		switch (e.kind) {
		case EVENT_RUN_DONE:
			if (e.gen == c->gen && c->running)
				run_done(s, e.cpu);
			break;
		case EVENT_RESCHED:
			do_resched(s, e.cpu);
			break;
		case EVENT_SLICE:
			if (e.gen == c->gen && c->running && c->queue &&
			    c->queue->prio <= c->running->prio)
				preempt(s, e.cpu, 0);
			break;
		case EVENT_CALL:
			e.fn(s, e.arg);
			break;
		}
	}
	s->now = until;
}
