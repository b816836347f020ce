// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

#include <stdio.h>
#include <string.h>

#include "ftrace.h"
#include "rng.h"
#include "sf.h"

/*
 * About 120,000 sched events each second on eight cpus, as a phone under load has them, in bundles
 * of 4 to 20 kB. Each event is consistent with those before it: a thread runs on one cpu at a time,
 * is woken when it sleeps, and is switched in where it was queued.
 */
#define N_CPUS 8
#define N_THREADS 300
#define QUEUE 512 /* a power of two over N_THREADS */
#define MEAN_STEP_NS 65000
#define RECENT 14 /* sleepers that most wakes are for */
#define DRAIN_NS 250000000
#define READ_NS 1000000000
#define VSYNC_NS 16666667
#define COUNT_STEPS 64 /* events between two looks at how much there is */
#define START_NS 7201000000000LL

enum { SYM_FOLIO, SYM_RWSEM, SYM_F2FS, SYM_FENCE, SYM_COUNT };
static const char *const symbols[SYM_COUNT] = { "folio_wait_bit_common", "rwsem_down_read_slowpath",
						"f2fs_wait_on_page", "dma_fence_default_wait" };

struct thread {
	int tid, tgid, prio;
	char name[16];
	int name_id; /* threads of equal names share one */
	int cpu; /* where it ran last */
	bool blocked; /* D: a blocked reason comes with the wake */
	int asleep_at; /* place in the list of sleepers; -1 */
};

struct cpu {
	int running; /* thread; -1: idle */
	bool must_switch;
	int64_t next; /* time of its next event */
	uint16_t queue[QUEUE];
	uint32_t head, tail;
};

struct world {
	struct rec rec;
	struct ft ft;
	struct rng rng;
	struct thread thread[N_THREADS];
	const char *names[N_THREADS + 1];
	struct cpu cpu[N_CPUS];
	uint16_t asleep[N_THREADS];
	int n_asleep;
	int64_t next_vsync, next_drain, next_read;
	int64_t token, cookie;
	uint32_t frame;
};

/* The threads of a frame have fixed ids, so that the report finds its roles. */
static const struct {
	int tid, tgid, prio;
	const char *name;
} fixed[] = {
	{ 4200, 4200, 110, "m.example.scroll" },
	{ 4215, 4200, 110, "RenderThread" },
	{ 4210, 4200, 120, "binder:4200_1" },
	{ 4216, 4200, 110, "hwuiTask0" },
	{ 700, 700, 97, "surfaceflinger" },
	{ 712, 700, 97, "RenderEngine" },
	{ 710, 700, 97, "app" },
	{ 713, 700, 120, "binder:700_1" },
	{ 650, 650, 97, "composer-servic" },
	{ 651, 650, 97, "binder:650_1" },
};
#define N_FIXED (int)(sizeof(fixed) / sizeof(fixed[0]))

static const struct rec_process processes[] = {
	{ 1, 0, 0, "/system/bin/init", false },
	{ 650, 1, 1000, "/vendor/bin/hw/android.hardware.composer.hwc3-service", false },
	{ 700, 1, 1000, "/system/bin/surfaceflinger", false },
	{ 1400, 300, 1000, "system_server", false },
	{ 4200, 300, 10123, "com.example.scroll", false },
};

static void make_threads(struct world *w)
{
	static const char *const kinds[] = {
		"kworker/u16:%d",   "binder:1400_%d",  "Thread-%d",
		"pool-2-thread-%d", "HwBinder:512_%d", "irq/%d-touch"
	};
	char long_name[32] = "";

	for (int i = 0; i < N_THREADS; i++) {
		struct thread *t = &w->thread[i];

		if (i < N_FIXED) {
			t->tid = fixed[i].tid;
			t->tgid = fixed[i].tgid;
			t->prio = fixed[i].prio;
			strcpy(t->name, fixed[i].name);
		} else {
			t->tid = 1401 + i * 7;
			t->tgid = 1400;
			t->prio = i % 5 ? 120 : 110;
			/* A longer name is cut at 15 bytes, as the kernel does. */
			snprintf(long_name, sizeof(long_name), kinds[i % 6], i);
			memcpy(t->name, long_name, sizeof(t->name) - 1);
		}
		t->asleep_at = i;
		w->asleep[i] = (uint16_t)i;
		w->names[i + 1] = t->name;
		t->name_id = i + 1;
		for (int k = 0; k < i; k++)
			if (!strcmp(w->thread[k].name, t->name))
				t->name_id = w->thread[k].name_id;
	}
	w->n_asleep = N_THREADS;
	w->names[0] = "swapper";
}

static void process_tree(struct world *w)
{
	struct pw *p = rec_begin_at(&w->rec, SEQ_TREE, w->next_vsync, 0);
	size_t tree = pw_begin(p, PKT_PROCESS_TREE);

	for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++)
		rec_tree_process(p, &processes[i]);
	for (int i = 0; i < N_THREADS; i++)
		if (w->thread[i].tid != w->thread[i].tgid)
			rec_tree_thread(p, w->thread[i].tid, w->thread[i].tgid, NULL);
	pw_end(p, tree);
	rec_end(&w->rec);
}

static void sleeps(struct world *w, int i)
{
	w->thread[i].asleep_at = w->n_asleep;
	w->asleep[w->n_asleep++] = (uint16_t)i;
}

static void wakes(struct world *w, int i)
{
	int at = w->thread[i].asleep_at, last = w->asleep[--w->n_asleep];

	w->asleep[at] = (uint16_t)last;
	w->thread[last].asleep_at = at;
	w->thread[i].asleep_at = -1;
}

/* Somebody on @cpu wakes a sleeper; a few threads are woken far more often than the rest. */
static void wake(struct world *w, int cpu, int64_t ts, bool from_irq)
{
	uint64_t r = rng_next(&w->rng);
	struct cpu *self = &w->cpu[cpu], *target;
	int by = self->running < 0 ? 0 : w->thread[self->running].tid;
	int to;
	struct thread *t;
	int i;

	if (!w->n_asleep)
		return;
	if ((r >> 8 & 127) == 0)
		i = (int)((r >> 16 & 0xffff) * (unsigned int)w->n_asleep >> 16);
	else
		i = w->n_asleep - 1 -
		    (int)(r >> 16 & 0xffff) % (w->n_asleep < RECENT ? w->n_asleep : RECENT);
	i = w->asleep[i];
	t = &w->thread[i];
	/* Where it ran last, mostly. */
	to = from_irq ? cpu : r & 7 ? t->cpu : (int)(r >> 3 & (N_CPUS - 1));
	ft_waking(&w->ft, cpu, ts, t->tid, to, t->prio, t->name_id,
		  from_irq ? FLAG_HARDIRQ | FLAG_IRQS_OFF : FLAG_IRQS_OFF);
	if (t->blocked)
		ft_blocked(&w->ft, cpu, ts + 400, by, t->tid, (int)(r >> 40) & 3, r >> 42 & 1);
	t->blocked = false;
	wakes(w, i);
	target = &w->cpu[to];
	target->queue[target->tail++ & (QUEUE - 1)] = (uint16_t)i;
	if (target->running < 0 && !target->must_switch) {
		target->must_switch = true;
		target->next = ts + 4000 + (int64_t)(r >> 48 & 0x3fff);
	}
}

static void do_switch(struct world *w, int cpu, int64_t ts)
{
	struct cpu *c = &w->cpu[cpu];
	bool waiting = c->head != c->tail;
	int prev = c->running, state = 0, next = -1;

	if (prev >= 0) {
		uint32_t dice = rng_below(&w->rng, 256);

		if (dice < 40 && waiting) {
			state = dice < 4 ? TASK_PREEMPTED : 0;
			c->queue[c->tail++ & (QUEUE - 1)] = (uint16_t)prev;
		} else {
			w->thread[prev].blocked = dice > 252;
			state = dice > 252 ? TASK_D : TASK_S;
			sleeps(w, prev);
		}
	}
	if (waiting)
		next = c->queue[c->head++ & (QUEUE - 1)];
	c->running = next;
	if (next >= 0)
		w->thread[next].cpu = cpu;
	ft_switch(&w->ft, cpu, ts, state, next < 0 ? 0 : w->thread[next].tid,
		  next < 0 ? 120 : w->thread[next].prio, next < 0 ? 0 : w->thread[next].name_id);
}

static void step(struct world *w, int cpu)
{
	struct cpu *c = &w->cpu[cpu];
	int64_t ts = c->next;
	uint64_t r = rng_next(&w->rng);

	c->next = ts + 1500 + (int64_t)(r >> 32) % (2 * MEAN_STEP_NS);
	if (c->must_switch) {
		c->must_switch = false;
		do_switch(w, cpu, ts);
	} else if (c->running < 0) {
		wake(w, cpu, ts, true);
	} else if ((r & 0xff) < 100) {
		wake(w, cpu, ts, (r & 0xff) < 20);
	} else {
		do_switch(w, cpu, ts);
	}
}

static void frame(struct world *w)
{
	static const struct sf_layer layer = { "com.example.scroll/com.example.scroll.Main#101",
					       4200, 5100 };
	int64_t t = w->next_vsync, jitter = rng_range(&w->rng, 0, 2000000);
	bool late = rng_below(&w->rng, 50) == 0;
	int64_t present = t + 2 * VSYNC_NS + (late ? VSYNC_NS : 0);
	uint32_t n = ++w->frame, buffer = layer.buffer_id + n % 3;
	struct sf_frame f = {
		.layer = &layer,
		.token = w->token + 1,
		.display_token = w->token + 2,
		.expected_start = t,
		.expected_end = t + VSYNC_NS,
		.start = t + jitter / 8,
		.end = t + 9000000 + jitter + (late ? 9000000 : 0),
		.present_type = late ? PRESENT_LATE : PRESENT_ON_TIME,
		.jank = late ? JANK_APP : JANK_NONE,
		.on_time = !late,
		.late_ms = late ? 16.666667f : 0,
	};
	struct sf_display d = {
		.token = w->token + 2,
		.expected_start = t + VSYNC_NS,
		.expected_end = t + 2 * VSYNC_NS,
		.start = present - VSYNC_NS + 60000,
		.end = present + 30000,
		.present_type = PRESENT_ON_TIME,
		.jank = JANK_NONE,
		.on_time = true,
	};

	w->token += 2;
	sf_buffer(&w->rec, f.start + 3000000, SF_DEQUEUE, &layer, buffer, n);
	sf_buffer(&w->rec, f.end - 2000000, SF_QUEUE, &layer, buffer, n);
	sf_buffer(&w->rec, f.end, SF_ACQUIRE_FENCE, &layer, buffer, n);
	sf_buffer(&w->rec, d.start + 500000, SF_LATCH, &layer, buffer, n);
	sf_buffer(&w->rec, d.end, SF_PRESENT_FENCE, &layer, buffer, n);
	sf_trace_display(&w->rec, &d, &w->cookie);
	sf_trace_frame(&w->rec, &f, &w->cookie);
	w->next_vsync += VSYNC_NS;
}

static void start(struct world *w, const struct out_opts *opts, uint64_t seed)
{
	int64_t t0 = START_NS;

	w->rng.s = seed * 2 + 1;
	w->token = 1000;
	rec_open(&w->rec, opts, N_CPUS);
	rec_header(&w->rec, t0, 0, DRAIN_NS / 1000000);
	make_threads(w);
	ft_init(&w->ft, &w->rec, w->names, symbols);
	for (int i = 0; i < N_CPUS; i++) {
		w->cpu[i].running = -1;
		w->cpu[i].next = t0 + 1000000 + i * 7919;
	}
	w->next_vsync = t0 + VSYNC_NS;
	w->next_drain = t0 + DRAIN_NS;
	w->next_read = t0 + READ_NS;
	rec_ftrace_stats(&w->rec, false, NULL, t0);
	process_tree(w);
}

static int next_cpu(const struct world *w)
{
	int best = 0;

	for (int i = 1; i < N_CPUS; i++)
		if (w->cpu[i].next < w->cpu[best].next)
			best = i;
	return best;
}

/* The service reads once in a second, which is more than a megabyte: what waits counts too. */
static bool enough(struct world *w, uint64_t bytes, uint64_t steps)
{
	return steps % COUNT_STEPS == 0 && rec_bytes(&w->rec) + ft_bytes(&w->ft) >= bytes;
}

uint64_t sched_generate(const struct out_opts *opts, uint64_t bytes, uint64_t seed)
{
	struct world *w = calloc(1, sizeof(*w));
	uint64_t events[N_CPUS], total = 0;
	int64_t now = 0;

	if (!w)
		exit(1);
	start(w, opts, seed);
	for (uint64_t steps = 0; !enough(w, bytes, steps); steps++) {
		int cpu = next_cpu(w);

		now = w->cpu[cpu].next;
		if (now >= w->next_vsync)
			frame(w);
		if (now >= w->next_drain) {
			ft_tick(&w->ft);
			w->next_drain += DRAIN_NS;
		}
		if (now >= w->next_read) {
			rec_clock_snapshot(&w->rec, now);
			rec_read_buffers(&w->rec);
			w->next_read += READ_NS;
		}
		step(w, cpu);
	}
	ft_tick(&w->ft);
	for (int i = 0; i < N_CPUS; i++)
		total += events[i] = w->ft.cpu[i].n_events;
	rec_ftrace_stats(&w->rec, true, events, now);
	rec_close(&w->rec, now);
	ft_free(&w->ft);
	free(w);
	return total;
}
