// SPDX-License-Identifier: GPL-2.0-or-later
/* slice_tables - thread-marks, async-marks, counters, irq, frequency */
#include <stdlib.h>

#include "base/mem.h"
#include "table/run.h"

#define MARKS "trace marks"

/*
 * thread-marks
 */
static const struct fw_column thread_mark_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when it began, trace time", MARKS, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", MARKS, NULL },
	{ "tid", "id", FW_INT, "the thread", MARKS, NULL },
	{ "depth", "count", FW_INT, "in how many others it stands", MARKS, NULL },
	{ "name", "text", FW_TEXT, "as the program or the kernel calls it",
	  MARKS ", binder, dma_fence_wait, drm_sched", "it has none" },
};

static const struct fw_table thread_mark_table = {
	.name = "thread-marks",
	.what = "what a thread said that it did, from begin to end",
	FW_COLUMNS(thread_mark_columns),
	.order = (const int[]){ 0, 2, 3, 4, 1, -1 },
};

static void add_thread_mark(void *ctx, uint32_t utid, const struct fw_slice *s)
{
	struct fw_table_run *r = ctx;

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_int(s->dur),
			     fw_tid_cell(r, utid),
			     fw_int(s->depth),
			     fw_text(s->name),
		     },
		     s->seq);
}

const struct fw_table_def fw_def_thread_marks = { &thread_mark_table,
						  .to = { .thread_slice = add_thread_mark },
						  .also = FW_WANT_THREAD_SLICES };

/*
 * async-marks
 */
static const struct fw_column async_mark_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when it began, trace time", MARKS, NULL },
	{ "dur_ns", "ns", FW_INT, "how long it took; -1: no end was seen", MARKS, NULL },
	{ "pid", "id", FW_INT, "the process that it is of", MARKS, NULL },
	{ "name", "text", FW_TEXT, "as the program calls it", MARKS, NULL },
};

static const struct fw_table async_mark_table = {
	.name = "async-marks",
	.what = "what a process said that it did, begun and ended on any of its threads",
	FW_COLUMNS(async_mark_columns),
	.order = (const int[]){ 0, 2, 3, 1, -1 },
};

static void add_async_mark(void *ctx, uint32_t upid, const struct fw_slice *s)
{
	struct fw_table_run *r = ctx;

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(s->ts),
			     fw_int(s->dur),
			     fw_pid_cell(r, upid),
			     fw_text(s->name),
		     },
		     s->seq);
}

const struct fw_table_def fw_def_async_marks = { &async_mark_table,
						 .to = { .async_slice = add_async_mark } };

/*
 * counters
 */
static const struct fw_column counter_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when it took the value, trace time", MARKS, NULL },
	{ "pid", "id", FW_INT, "the process that it is of", MARKS, NULL },
	{ "counter", "text", FW_TEXT, "as the program calls it", MARKS, NULL },
	{ "value", "count", FW_INT, "its value", MARKS, NULL },
};

static const struct fw_table counter_table = {
	.name = "counters",
	.what = "a value of a counter that a process writes",
	FW_COLUMNS(counter_columns),
	.order = (const int[]){ 0, 1, 2, 3, -1 },
};

/* A counter is a double in trace_processor: of large numbers only so much is left. */
static struct fw_cell counter_cell(int64_t v)
{
	double d = (double)v;

	return d < 0x1p63 ? fw_int((int64_t)d) : fw_real(d);
}

static void add_counter(void *ctx, uint32_t upid, int64_t ts, const struct fw_mark *m)
{
	struct fw_table_run *r = ctx;

	fw_table_add(r,
		     (struct fw_cell[]){
			     fw_int(ts),
			     fw_pid_cell(r, upid),
			     fw_text(m->name),
			     r->tp_compat ? counter_cell(m->value) : fw_int(m->value),
		     },
		     0);
}

const struct fw_table_def fw_def_counters = { &counter_table, .to = { .counter = add_counter } };

/*
 * frequency
 */
static const struct fw_column frequency_columns[] = {
	{ "ts_ns", "ns", FW_INT, "when it changed, trace time", "cpu_frequency, gpu_frequency",
	  NULL },
	{ "type", "text", FW_TEXT, "cpu_frequency or gpu_frequency", "cpu_frequency, gpu_frequency",
	  NULL },
	{ "unit", "id", FW_INT, "number of the CPU or GPU", "cpu_frequency, gpu_frequency", NULL },
	{ "value", "kHz", FW_INT, "the new frequency; of a GPU in the driver's unit",
	  "cpu_frequency, gpu_frequency, kgsl_gpu_frequency", NULL },
};

static const struct fw_table frequency_table = {
	.name = "frequency",
	.what = "a change of the frequency of a CPU or GPU",
	FW_COLUMNS(frequency_columns),
	.order = (const int[]){ 0, 1, 2, 3, -1 },
};

static void add_frequency(void *ctx, const struct fw_event *ev)
{
	bool gpu = ev->type == FW_EV_GPU_FREQUENCY;

	if ((!gpu && ev->type != FW_EV_CPU_FREQUENCY) || ev->flags & FW_EVF_EARLY)
		return;
	fw_table_add(ctx,
		     (struct fw_cell[]){
			     fw_int(ev->ts),
			     fw_text(gpu ? FW_STR("gpu_frequency") : FW_STR("cpu_frequency")),
			     fw_id_cell(ev->freq.unit),
			     counter_cell(ev->freq.value),
		     },
		     0);
}

const struct fw_table_def fw_def_frequency = {
	&frequency_table,
	.to = { .event = add_frequency },
	.also = FW_WANT(FW_EV_CPU_FREQUENCY) | FW_WANT(FW_EV_GPU_FREQUENCY),
};

/*
 * irq
 */
static const struct fw_column irq_columns[] = {
	{ "type", "text", FW_TEXT, "cpu_irq or cpu_softirq", "irq_handler_*, softirq_*", NULL },
	{ "name", "text", FW_TEXT, "\"IRQ (DEVICE)\", or the softirq", "irq_handler_*, softirq_*",
	  NULL },
	{ "events", "count", FW_INT, "how often it ran, where it took time",
	  "irq_handler_*, softirq_*", NULL },
	{ "total_ns", "ns", FW_INT, "how long in all", "irq_handler_*, softirq_*", NULL },
	{ "max_ns", "ns", FW_INT, "the longest", "irq_handler_*, softirq_*", NULL },
};

static const struct fw_table irq_table = {
	.name = "irq",
	.what = "an interrupt handler or softirq, over all CPUs",
	FW_COLUMNS(irq_columns),
	.order = (const int[]){ 0, 1, -1 },
};

struct irq_sum {
	bool softirq;
	uint32_t name; /* in the sums' names */
	int64_t events, total, max;
};

struct irq_sums {
	struct fw_names *names;
	struct fw_map by_name; /* name << 1 | softirq -> index */
	struct irq_sum *sums;
	size_t n, cap;
};

static void add_irq(void *ctx, int32_t cpu, bool softirq, const struct fw_slice *s)
{
	struct fw_table_run *r = ctx;
	struct irq_sums *all = r->own;
	uint32_t name = fw_names_id(all->names, s->name);
	uint64_t key = (uint64_t)name << 1 | softirq, *at;
	struct irq_sum *sum;

	if (s->dur <= 0)
		return;
	at = fw_map_get(&all->by_name, key);
	if (!at) {
		fw_grow(all->sums, all->n, all->cap);
		all->sums[all->n] = (struct irq_sum){ .softirq = softirq, .name = name };
		fw_map_set(&all->by_name, key, all->n++);
		at = fw_map_get(&all->by_name, key);
	}
	sum = &all->sums[*at];
	sum->events++;
	if (__builtin_add_overflow(sum->total, s->dur, &sum->total))
		sum->total = INT64_MAX;
	sum->max = FW_MAX(sum->max, s->dur);
}

static void add_irq_rows(struct fw_table_run *r, const struct irq_sums *all)
{
	size_t i;

	for (i = 0; i < all->n; i++) {
		const struct irq_sum *s = &all->sums[i];

		fw_table_add(
			r,
			(struct fw_cell[]){
				fw_text(s->softirq ? FW_STR("cpu_softirq") : FW_STR("cpu_irq")),
				fw_text(fw_names_str(all->names, s->name)),
				fw_int(s->events),
				fw_int(s->total),
				fw_int(s->max),
			},
			i);
	}
}

static int run_irq(struct fw_table_run *r)
{
	struct fw_tp_listeners to = { .ctx = r, .irq = add_irq };
	struct irq_sums all = { .names = fw_names_new() };
	int err;

	r->own = &all;
	err = fw_table_read(r, &to);
	if (!err)
		add_irq_rows(r, &all);
	free(all.sums);
	fw_map_free(&all.by_name);
	fw_names_free(all.names);
	return err ? err : fw_table_emit(r);
}

const struct fw_table_def fw_def_irq = { &irq_table, .run = run_irq,
					 .also = FW_WANT(FW_EV_IRQ_ENTRY) |
						 FW_WANT(FW_EV_IRQ_EXIT) |
						 FW_WANT(FW_EV_SOFTIRQ_ENTRY) |
						 FW_WANT(FW_EV_SOFTIRQ_EXIT) };
