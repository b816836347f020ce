// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace.h"
#include "text.h"

#include <string.h>

/*
 * traced_probes starts a new bundle when more names than this are in its table, and reads at most
 * 32 pages at once; both are checked at page boundaries (cpu_reader.cc).
 */
#define NAMES_THRESHOLD 64
#define EVENTS_IN_PAGE 64
#define EVENTS_IN_BATCH (32 * EVENTS_IN_PAGE)

/* FtraceEvent fields */
enum {
	EV_PRINT = 3,
	EV_CPU_FREQUENCY = 11,
	EV_BLOCKED_REASON = 18,
	EV_SOFTIRQ_ENTRY = 24,
	EV_SOFTIRQ_EXIT = 25,
	EV_IRQ_ENTRY = 36,
	EV_IRQ_EXIT = 37,
	EV_NEWTASK = 235,
	EV_RENAME = 236,
	EV_PROCESS_EXIT = 238,
	EV_PROCESS_FREE = 240,
	EV_GPU_FREQUENCY = 332,
	EV_FENCE_INIT = 414,
	EV_FENCE_SIGNALED = 416,
};

void ft_init(struct ft *ft, struct rec *rec, const char *const *names, const char *const *symbols)
{
	memset(ft, 0, sizeof(*ft));
	ft->rec = rec;
	ft->names = names;
	ft->symbols = symbols;
}

static struct pw *const *compact_arrays(struct ft_compact *c, struct pw *list[11])
{
	struct pw *all[] = { &c->switch_ts,   &c->switch_state, &c->switch_pid, &c->switch_prio,
			     &c->switch_comm, &c->wake_ts,	&c->wake_pid,	&c->wake_cpu,
			     &c->wake_prio,   &c->wake_comm,	&c->wake_flags };

	memcpy(list, all, sizeof(all));
	return list;
}

void ft_free(struct ft *ft)
{
	for (int i = 0; i < FT_MAX_CPUS; i++) {
		struct pw *list[11];

		compact_arrays(&ft->cpu[i].compact, list);
		for (int k = 0; k < 11; k++)
			pw_free(list[k]);
		pw_free(&ft->cpu[i].events);
	}
}

/* Fields of CompactSched, in the order in which traced_probes writes them. */
static void write_compact(struct ft *ft, struct ft_compact *c, struct pw *bundle)
{
	const struct {
		uint32_t field;
		const struct pw *array;
	} arrays[] = {
		{ 1, &c->switch_ts },	{ 3, &c->switch_pid },	{ 2, &c->switch_state },
		{ 4, &c->switch_prio }, { 6, &c->switch_comm }, { 7, &c->wake_ts },
		{ 8, &c->wake_pid },	{ 9, &c->wake_cpu },	{ 10, &c->wake_prio },
		{ 11, &c->wake_comm },	{ 12, &c->wake_flags },
	};
	size_t at = pw_begin(bundle, 4);

	for (int i = 0; i < c->n_interned; i++) {
		pw_str(bundle, 5, ft->names[c->order[i]]);
		c->interned[c->order[i]] = 0;
	}
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (arrays[i].array->len)
			pw_bytes(bundle, arrays[i].field, arrays[i].array->p, arrays[i].array->len);
	pw_end(bundle, at);
}

uint64_t ft_bytes(struct ft *ft)
{
	uint64_t n = 0;

	for (int cpu = 0; cpu < ft->rec->n_cpus; cpu++) {
		struct pw *list[11];

		compact_arrays(&ft->cpu[cpu].compact, list);
		for (int k = 0; k < 11; k++)
			n += list[k]->len;
		n += ft->cpu[cpu].events.len;
	}
	return n;
}

static void reset_compact(struct ft_compact *c)
{
	struct pw *list[11];

	compact_arrays(c, list);
	for (int k = 0; k < 11; k++)
		pw_reset(list[k]);
	c->last_switch_ts = c->last_wake_ts = 0;
	c->n = 0;
	c->n_interned = 0;
}

/* Names of the symbols first used since the last packet; the first packet of a tick starts anew. */
static void write_symbols(struct ft *ft, struct pw *w)
{
	size_t data;

	if (ft->n_symbols == ft->n_symbols_written)
		return;
	if (!ft->n_symbols_written)
		pw_int(w, PKT_SEQUENCE_FLAGS, SEQ_STATE_CLEARED);
	data = pw_begin(w, PKT_INTERNED_DATA);
	for (int i = ft->n_symbols_written; i < ft->n_symbols; i++) {
		size_t symbol = pw_begin(w, 26);

		pw_int(w, 1, i + 1);
		pw_str(w, 2, ft->symbols[ft->symbol_order[i]]);
		pw_end(w, symbol);
	}
	pw_end(w, data);
	ft->n_symbols_written = ft->n_symbols;
}

static void flush_cpu(struct ft *ft, int cpu)
{
	struct ft_cpu *c = &ft->cpu[cpu];
	struct pw *w;
	size_t bundle;

	if (!c->compact.n && !c->n_plain)
		return;
	w = rec_begin(ft->rec, SEQ_FTRACE);
	bundle = pw_begin(w, PKT_FTRACE_EVENTS);
	pw_int(w, 1, cpu);
	pw_int(w, 10, c->prev_bundle_end);
	pw_reserve(w, c->events.len);
	if (c->events.len)
		memcpy(w->p + w->len, c->events.p, c->events.len);
	w->len += c->events.len;
	if (c->compact.n)
		write_compact(ft, &c->compact, w);
	pw_end(w, bundle);
	write_symbols(ft, w);
	rec_end(ft->rec);
	reset_compact(&c->compact);
	pw_reset(&c->events);
	c->n_plain = 0;
	c->prev_bundle_end = c->last_ts;
}

void ft_tick(struct ft *ft)
{
	for (int cpu = 0; cpu < ft->rec->n_cpus; cpu++)
		flush_cpu(ft, cpu);
	memset(ft->symbol_index, 0, sizeof(ft->symbol_index));
	ft->n_symbols = ft->n_symbols_written = 0;
}

static struct ft_cpu *at_page_end(struct ft *ft, int cpu)
{
	struct ft_cpu *c = &ft->cpu[cpu];
	uint32_t n = c->compact.n + c->n_plain;

	if (n && n % EVENTS_IN_PAGE == 0 &&
	    (c->compact.n_interned > NAMES_THRESHOLD || n >= EVENTS_IN_BATCH))
		flush_cpu(ft, cpu);
	return c;
}

static uint64_t intern(struct ft_compact *c, int name)
{
	if (!c->interned[name]) {
		c->order[c->n_interned] = name;
		c->interned[name] = ++c->n_interned;
	}
	return (uint64_t)c->interned[name] - 1;
}

void ft_switch(struct ft *ft, int cpu, int64_t ts, int prev_state, int next_tid, int next_prio,
	       int next_name)
{
	struct ft_cpu *c = at_page_end(ft, cpu);
	struct ft_compact *k = &c->compact;

	ft_text_switch(ft, cpu, ts, prev_state, next_tid, next_prio, next_name);
	pw_varint(&k->switch_ts, (uint64_t)(ts - k->last_switch_ts));
	pw_varint(&k->switch_state, (uint64_t)prev_state);
	pw_varint(&k->switch_pid, (uint64_t)next_tid);
	pw_varint(&k->switch_prio, (uint64_t)next_prio);
	pw_varint(&k->switch_comm, intern(k, next_name));
	k->last_switch_ts = c->last_ts = ts;
	k->n++;
	c->n_events++;
}

void ft_waking(struct ft *ft, int cpu, int64_t ts, int tid, int target_cpu, int prio, int name,
	       int flags)
{
	struct ft_cpu *c = at_page_end(ft, cpu);
	struct ft_compact *k = &c->compact;

	ft_text_waking(ft, cpu, ts, tid, target_cpu, prio, name, flags);
	pw_varint(&k->wake_ts, (uint64_t)(ts - k->last_wake_ts));
	pw_varint(&k->wake_pid, (uint64_t)tid);
	pw_varint(&k->wake_cpu, (uint64_t)target_cpu);
	pw_varint(&k->wake_prio, (uint64_t)prio);
	pw_varint(&k->wake_comm, intern(k, name));
	pw_varint(&k->wake_flags, (uint64_t)flags);
	k->last_wake_ts = c->last_ts = ts;
	k->n++;
	c->n_events++;
}

struct event {
	struct pw *w;
	size_t event, payload;
};

static struct event begin(struct ft *ft, int cpu, int64_t ts, int by_tid, uint32_t field)
{
	struct ft_cpu *c = at_page_end(ft, cpu);
	struct event e = { .w = &c->events };

	c->last_ts = ts;
	c->n_plain++;
	c->n_events++;
	e.event = pw_begin(e.w, 2);
	pw_int(e.w, 1, ts);
	pw_int(e.w, 2, by_tid);
	e.payload = pw_begin(e.w, field);
	return e;
}

static void end(struct event e)
{
	pw_end(e.w, e.payload);
	pw_end(e.w, e.event);
}

void ft_blocked(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int symbol, bool io)
{
	/* The page check inside begin() may end a bundle, so the index is taken after it. */
	struct event e = begin(ft, cpu, ts, by_tid, EV_BLOCKED_REASON);

	ft_text_event(ft, cpu, ts, by_tid, 0,
		      "sched_blocked_reason: pid=%d iowait=%d caller=%s+0x1c/0x200", tid, io,
		      ft->symbols[symbol]);
	if (!ft->symbol_index[symbol]) {
		ft->symbol_order[ft->n_symbols] = symbol;
		ft->symbol_index[symbol] = ++ft->n_symbols;
	}
	pw_int(e.w, 1, tid);
	pw_int(e.w, 2, ft->symbol_index[symbol]);
	pw_int(e.w, 3, io);
	end(e);
}

void ft_print(struct ft *ft, int cpu, int64_t ts, int by_tid, const char *text)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_PRINT);

	ft_text_event(ft, cpu, ts, by_tid, 0, "tracing_mark_write: %.*s", (int)strcspn(text, "\n"),
		      text);
	pw_int(e.w, 1, (int64_t)0xffffffc008123456);
	pw_str(e.w, 2, text);
	end(e);
}

void ft_irq_entry(struct ft *ft, int cpu, int64_t ts, int by_tid, int irq, const char *name)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_IRQ_ENTRY);

	ft_text_event(ft, cpu, ts, by_tid, FLAG_HARDIRQ, "irq_handler_entry: irq=%d name=%s", irq,
		      name);
	pw_int(e.w, 1, irq);
	pw_str(e.w, 2, name);
	end(e);
}

void ft_irq_exit(struct ft *ft, int cpu, int64_t ts, int by_tid, int irq)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_IRQ_EXIT);

	ft_text_event(ft, cpu, ts, by_tid, FLAG_HARDIRQ, "irq_handler_exit: irq=%d ret=handled",
		      irq);
	pw_int(e.w, 1, irq);
	pw_int(e.w, 2, 1);
	end(e);
}

void ft_softirq(struct ft *ft, int cpu, int64_t ts, int by_tid, int vec, bool entry)
{
	struct event e = begin(ft, cpu, ts, by_tid, entry ? EV_SOFTIRQ_ENTRY : EV_SOFTIRQ_EXIT);

	ft_text_event(ft, cpu, ts, by_tid, FLAG_SOFTIRQ, "softirq_%s: vec=%d [action=SCHED]",
		      entry ? "entry" : "exit", vec);
	pw_int(e.w, 1, vec);
	end(e);
}

void ft_cpu_frequency(struct ft *ft, int cpu, int64_t ts, int by_tid, int of_cpu, int khz)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_CPU_FREQUENCY);

	ft_text_event(ft, cpu, ts, by_tid, 0, "cpu_frequency: state=%d cpu_id=%d", khz, of_cpu);
	pw_int(e.w, 1, khz);
	pw_int(e.w, 2, of_cpu);
	end(e);
}

void ft_gpu_frequency(struct ft *ft, int cpu, int64_t ts, int by_tid, int khz)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_GPU_FREQUENCY);

	ft_text_event(ft, cpu, ts, by_tid, 0, "gpu_frequency: gpu_id=0 frequency=%d", khz);
	pw_int(e.w, 1, 0);
	pw_int(e.w, 2, khz);
	end(e);
}

void ft_kgsl(struct ft *ft, int cpu, int64_t ts, int by_tid, enum ft_kgsl what, uint32_t context,
	     uint32_t timestamp)
{
	struct event e = begin(ft, cpu, ts, by_tid, what);

	pw_int(e.w, 1, context);
	pw_int(e.w, 2, timestamp);
	end(e);
}

void ft_mali(struct ft *ft, int cpu, int64_t ts, int by_tid, enum ft_mali what, int pid,
	     uint32_t context)
{
	struct event e = begin(ft, cpu, ts, by_tid, what);

	pw_int(e.w, 3, pid);
	pw_int(e.w, 4, context);
	pw_int(e.w, 5, 1); /* its first queue */
	end(e);
}

void ft_fence(struct ft *ft, int cpu, int64_t ts, int by_tid, bool signaled, uint32_t context,
	      uint32_t seqno, const char *driver, const char *timeline)
{
	struct event e = begin(ft, cpu, ts, by_tid, signaled ? EV_FENCE_SIGNALED : EV_FENCE_INIT);

	ft_text_event(ft, cpu, ts, by_tid, 0,
		      "dma_fence_%s: driver=%s timeline=%s context=%u seqno=%u",
		      signaled ? "signaled" : "init", driver, timeline, context, seqno);
	pw_int(e.w, 1, context);
	pw_str(e.w, 2, driver);
	pw_int(e.w, 3, seqno);
	pw_str(e.w, 4, timeline);
	end(e);
}

void ft_newtask(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int name)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_NEWTASK);

	ft_text_event(ft, cpu, ts, by_tid, 0,
		      "task_newtask: pid=%d comm=%s clone_flags=3d0f00 oom_score_adj=0", tid,
		      ft->names[name]);
	pw_int(e.w, 1, tid);
	pw_str(e.w, 2, ft->names[name]);
	pw_int(e.w, 3, 0x3d0f00); /* CLONE_VM ... CLONE_THREAD: a thread of the caller's process */
	pw_int(e.w, 4, 0);
	end(e);
}

void ft_rename(struct ft *ft, int cpu, int64_t ts, int tid, int from, int to)
{
	struct event e = begin(ft, cpu, ts, tid, EV_RENAME);

	ft_text_event(ft, cpu, ts, tid, 0,
		      "task_rename: pid=%d oldcomm=%s newcomm=%s oom_score_adj=0", tid,
		      ft->names[from], ft->names[to]);
	pw_int(e.w, 1, tid);
	pw_str(e.w, 2, ft->names[from]);
	pw_str(e.w, 3, ft->names[to]);
	end(e);
}

void ft_exit(struct ft *ft, int cpu, int64_t ts, int tid, int tgid, int name, int prio)
{
	struct event e = begin(ft, cpu, ts, tid, EV_PROCESS_EXIT);

	ft_text_event(ft, cpu, ts, tid, 0, "sched_process_exit: comm=%s pid=%d prio=%d",
		      ft->names[name], tid, prio);
	pw_str(e.w, 1, ft->names[name]);
	pw_int(e.w, 2, tid);
	pw_int(e.w, 3, tgid);
	pw_int(e.w, 4, prio);
	end(e);
}

void ft_freed(struct ft *ft, int cpu, int64_t ts, int by_tid, int tid, int name, int prio)
{
	struct event e = begin(ft, cpu, ts, by_tid, EV_PROCESS_FREE);

	ft_text_event(ft, cpu, ts, by_tid, 0, "sched_process_free: comm=%s pid=%d prio=%d",
		      ft->names[name], tid, prio);
	pw_str(e.w, 1, ft->names[name]);
	pw_int(e.w, 2, tid);
	pw_int(e.w, 3, prio);
	end(e);
}
