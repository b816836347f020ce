// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows: the time of one thread, from the machine's intervals, adds up. */
#include "frame/window.h"

#include <stdlib.h>

#include "base/error.h"
#include "tap.h"

struct fixture {
	struct fw_names *names;
	struct fw_health *health;
	struct fw_cpus cpus;
	struct fw_thread_states m;
	struct fw_windows ws;
	struct fw_track t;
	int parts;
	int64_t parts_ns;
};

static void emit(void *ctx, struct fw_thread_state *t, const struct fw_interval *iv)
{
	struct fixture *f = ctx;

	fw_windows_account(&f->ws, (struct fw_track *)t, iv);
}

static void part(void *ctx, struct fw_window *w, const struct fw_part *p)
{
	struct fixture *f = ctx;

	f->parts++;
	f->parts_ns += p->end - p->start;
}

static struct fixture *make(void)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->names = fw_names_new();
	f->health = fw_health_new();
	fw_thread_states_init(&f->m, &f->cpus, f->names, f->health);
	f->m.emit = emit;
	f->m.ctx = f;
	f->ws = (struct fw_windows){
		.machine = &f->m, .cpus = &f->cpus, .names = f->names, .interval = part, .ctx = f
	};
	fw_thread_states_follow(&f->m, &f->t.state, 10);
	return f;
}

static void unmake(struct fixture *f)
{
	fw_thread_states_free(&f->m);
	fw_cpus_free(&f->cpus);
	fw_health_free(f->health);
	fw_names_free(f->names);
	free(f);
}

static void sw(struct fixture *f, int64_t ts, int32_t prev, int64_t state, int32_t next)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_SCHED_SWITCH, .cpu = 0, .tid = prev };

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_state = state;
	fw_thread_states_feed(&f->m, &ev);
}

static void waking(struct fixture *f, int64_t ts, int32_t waker, const char *comm, int32_t flags)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_SCHED_WAKING, .cpu = 0, .tid = waker };

	ev.waking.tid = 10;
	ev.waking.common_flags = flags;
	ev.waking.waker_comm = fw_str(comm);
	fw_thread_states_feed(&f->m, &ev);
}

static void blocked(struct fixture *f, int64_t ts, bool io_wait, const char *function)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_BLOCKED_REASON, .cpu = 0, .tid = 1 };

	ev.blocked.tid = 10;
	ev.blocked.has_io_wait = true;
	ev.blocked.io_wait = io_wait;
	ev.blocked.function = fw_str(function);
	fw_thread_states_feed(&f->m, &ev);
}

static void irq(struct fixture *f, bool enter, int64_t ts)
{
	struct fw_event ev = { .ts = ts, .type = enter ? FW_EV_IRQ_ENTRY : FW_EV_IRQ_EXIT };

	fw_cpus_feed(&f->cpus, &ev);
}

static void frequency(struct fixture *f, int64_t ts, int64_t khz)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_CPU_FREQUENCY };

	ev.freq.value = khz;
	if (f->m.n_cpus && f->m.on_cpu[0])
		fw_windows_frequency(&f->t, fw_cpus_khz(&f->cpus, 0), ts);
	fw_cpus_feed(&f->cpus, &ev);
}

static int64_t sum(const struct fw_window *w)
{
	int64_t s = 0;

	for (int i = 0; i < FW_WINDOW_TIMES; i++)
		s += w->ns[i];
	return s;
}

static void clipped(void)
{
	struct fixture *f = make();
	struct fw_window *w;

	sw(f, 100, 0, 0, 10);
	w = fw_window_open(&f->ws, &f->t, NULL, 150, 150);
	sw(f, 200, 10, 1, 0);
	waking(f, 260, 5, "five", 0);
	sw(f, 300, 0, 0, 10);
	sw(f, 350, 10, 2, 0);
	waking(f, 380, 6, "six", 0);
	blocked(f, 381, true, "io_schedule");
	sw(f, 400, 0, 0, 10);
	fw_window_end(&f->ws, w, 420);
	sw(f, 500, 10, 0, 0);
	is_int(fw_window_settle(&f->ws, w, 1000), 0, "it adds up");
	is_int(sum(w), 270, "to the window");
	is_int(w->ns[FW_FIG_RUNNING], 50 + 50 + 20, "running, cut at both ends");
	is_int(w->ns[FW_FIG_SLEEPING], 60, "sleeping");
	is_int(w->ns[FW_FIG_RUNNABLE], 40 + 20, "runnable");
	is_int(w->ns[FW_FIG_BLOCKED_IO], 30, "blocked with io_wait");
	is_int(w->longest_wait, 40, "the longest wait for a CPU");
	is_int(w->switches, 2, "switched in twice within");
	is_int(w->wakes, 2, "woken twice");
	is_int(fw_tally_top(&w->wakers)->key, 5, "the top waker ended the longer sleep");
	ok(fw_str_eq(fw_names_str(f->names, fw_tally_top(&w->wakers)->name), FW_STR("five")),
	   "with its name");
	is_int(fw_tally_top(&w->functions)->ns, 30, "time in the function");
	is_int(f->parts_ns, 270, "the parts add up too");
	ok(!f->t.windows, "a complete window leaves its thread");
	fw_window_drop(&f->ws, w);
	unmake(f);
}

static void unobserved(void)
{
	struct fixture *f = make();
	struct fw_window *w = fw_window_open(&f->ws, &f->t, NULL, 100, 100);

	waking(f, 150, 5, NULL, 0);
	sw(f, 170, 0, 0, 10);
	sw(f, 180, 10, 1, 0);
	fw_window_end(&f->ws, w, 500);
	is_int(fw_window_settle(&f->ws, w, 300), 0, "it adds up");
	is_int(w->ns[FW_FIG_UNOBSERVED], 50 + 200,
	       "before its first event and after the recording");
	is_int(w->ns[FW_FIG_SLEEPING], 120, "its last state holds to the end of the recording");
	is_int(sum(w), 400, "to the window");
	fw_window_drop(&f->ws, w);

	w = fw_window_open(&f->ws, &f->t, NULL, 200, 200);
	fw_window_end(&f->ws, w, 200);
	ok(w->done && !f->t.windows, "a window of no length is complete");
	is_int(fw_window_settle(&f->ws, w, 300), 0, "and adds up");
	fw_window_drop(&f->ws, w);

	w = fw_window_open(&f->ws, &f->t, NULL, 200, 200);
	fw_windows_gone(&f->ws, &f->t, 250, true);
	fw_window_end(&f->ws, w, 300);
	is_int(fw_window_settle(&f->ws, w, 400), 0, "a thread that was replaced adds up");
	is_int(w->ns[FW_FIG_OTHER], 50, "and is dead then");
	fw_window_drop(&f->ws, w);
	unmake(f);
}

static void settled(void)
{
	struct fixture *f = make();
	struct fw_window *w;

	sw(f, 100, 0, 0, 10);
	w = fw_window_open(&f->ws, &f->t, NULL, 150, 150);
	sw(f, 200, 10, 2, 0);
	fw_window_end(&f->ws, w, 300);
	is_int(fw_window_settle(&f->ws, w, 5000), 0, "settled while it is still blocked");
	is_int(w->ns[FW_FIG_BLOCKED_UNKNOWN], 100, "blocked, io_wait not known yet");
	ok(w->settled, "and says so");
	waking(f, 6000, 5, NULL, 0);
	sw(f, 6001, 0, 0, 10);
	is_int(sum(w), 150, "what closes later does not change it");
	fw_window_drop(&f->ws, w);
	unmake(f);
}

static void interrupts(void)
{
	struct fixture *f = make();
	struct fw_window *w, *before;

	sw(f, 100, 0, 0, 10);
	irq(f, true, 110);
	irq(f, false, 130);
	irq(f, true, 140);
	w = fw_window_open(&f->ws, &f->t, NULL, 150, 150);
	irq(f, false, 155);
	irq(f, true, 190);
	fw_window_end(&f->ws, w, 200);
	irq(f, false, 220);
	sw(f, 300, 10, 1, 0);
	is_int(fw_window_settle(&f->ws, w, 400), 0, "it adds up");
	is_int((int64_t)w->irq.irq, 5 + 10, "interrupts are cut at both ends of the window");
	ok(!w->irq_share, "exactly");
	ok(!fw_tally_top(&w->wakers), "nobody woke it in the window");
	fw_window_drop(&f->ws, w);

	before = fw_window_open(&f->ws, &f->t, NULL, 305, 305);
	fw_window_end(&f->ws, before, 340);
	waking(f, 350, 5, "victim", 0x08);
	w = fw_window_open(&f->ws, &f->t, NULL, 310, 310);
	sw(f, 400, 0, 0, 10);
	is_int(fw_window_settle(&f->ws, before, 700), 0, "a sleep that goes on adds up");
	ok(!fw_tally_top(&before->wakers), "a wake after the window ended nothing in it");
	fw_window_drop(&f->ws, before);
	fw_window_end(&f->ws, w, 450);
	irq(f, true, 500);
	irq(f, false, 600);
	is_int(fw_window_settle(&f->ws, w, 700), 0, "cut while it still runs");
	is_int((int64_t)w->irq.irq, 0, "without the interrupts since");
	is_int(fw_tally_top(&w->wakers)->key, FW_WAKER_INTERRUPT, "an interrupt woke it");
	fw_window_drop(&f->ws, w);
	unmake(f);
}

static void frequencies(void)
{
	struct fixture *f = make();
	struct fw_window *w;

	frequency(f, 50, 1000);
	sw(f, 100, 0, 0, 10);
	frequency(f, 120, 500);
	w = fw_window_open(&f->ws, &f->t, NULL, 150, 150);
	frequency(f, 200, 2000);
	sw(f, 250, 10, 1, 0);
	frequency(f, 260, 9000);
	fw_window_end(&f->ws, w, 300);
	is_int(fw_window_settle(&f->ws, w, 400), 0, "it adds up");
	is_int((int64_t)w->frequency.ns, 100, "while it ran in the window");
	is_int((int64_t)(w->frequency.khz_ns / w->frequency.ns), 1250, "mean by time");
	is_int(w->frequency.min, 500, "lowest");
	is_int(w->frequency.max, 2000, "highest, not what came while it slept");
	fw_window_drop(&f->ws, w);
	unmake(f);
}

static void broken(void)
{
	struct fixture *f = make();
	struct fw_window *w = fw_window_open(&f->ws, &f->t, NULL, 100, 100);
	struct fw_interval a = { .start = 50, .end = 200, .state = FW_STATE_SLEEPING };
	struct fw_interval b = { .start = 150, .end = 300, .state = FW_STATE_SLEEPING };

	fw_windows_account(&f->ws, &f->t, &a);
	fw_windows_account(&f->ws, &f->t, &b);
	fw_window_end(&f->ws, w, 250);
	is_int(fw_window_settle(&f->ws, w, 300) < 0, true, "intervals that overlap are found");
	fw_fail_clear();
	fw_window_drop(&f->ws, w);
	unmake(f);
}

int main(void)
{
	clipped();
	unobserved();
	settled();
	interrupts();
	frequencies();
	broken();
	return done_testing();
}
