// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched - arguments of scheduler and task events
 *
 * Two forms: the kernel's key=value (include/trace/events/{sched,task}.h), and the words of kernels
 * before 3.0 and of trace-cmd's plugin: "[task ]foo:12 [120] S ==> bar:13 [120]".
 */
#include "base/mem.h"
#include "input/text/text.h"

#define AT(type, member) offsetof(struct type, member)

struct switch_args {
	struct fw_str prev_comm, state, next_comm;
	int32_t prev_tid, prev_prio, next_tid, next_prio;
};

struct wake_args {
	struct fw_str comm;
	int32_t tid, prio, success, cpu;
};

/* trace_processor splits arguments at blanks, and a name is what stands between the last '=' and one. */
static struct fw_str tp_word(struct fw_str s)
{
	size_t n = 0, start = 0;

	for (; n < s.len && s.p[n] != ' '; n++)
		if (s.p[n] == '=' && n + 1 < s.len && s.p[n + 1] != ' ')
			start = n + 1;
	return (struct fw_str){ s.p + start, n - start };
}

static struct fw_str name_of(struct fw_str comm, const struct tx_how *how)
{
	return how->tp ? tp_word(comm) : comm;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * "[task ]COMM:PID [PRIO]" at the start of @s, which goes on behind it. A name may hold colons and
 * brackets: the first ':' with digits and a priority behind it ends it.
 */
static bool worded_task(struct fw_str *s, struct fw_str *comm, int32_t *tid, int32_t *prio)
{
	struct fw_str rest = tx_trim(*s);

	if (fw_str_starts(rest, FW_STR("task ")))
		rest = (struct fw_str){ rest.p + 5, rest.len - 5 };
	for (size_t i = 0; i < rest.len; i++) {
		size_t end = i + 1, close;
		int64_t v, p;

		if (rest.p[i] != ':')
			continue;
		while (end < rest.len && is_digit(rest.p[end]))
			end++;
		if (end + 2 >= rest.len || rest.p[end] != ' ' || rest.p[end + 1] != '[')
			continue;
		close = end + 2;
		while (close < rest.len && (rest.p[close] == '-' || is_digit(rest.p[close])))
			close++;
		if (close == rest.len || rest.p[close] != ']' ||
		    !fw_str_int((struct fw_str){ rest.p + i + 1, end - i - 1 }, &v) ||
		    !fw_str_int((struct fw_str){ rest.p + end + 2, close - end - 2 }, &p) ||
		    v < 0 || v > INT32_MAX || p < INT32_MIN || p > INT32_MAX)
			continue;
		*comm = (struct fw_str){ rest.p, i };
		*tid = (int32_t)v;
		*prio = (int32_t)p;
		*s = (struct fw_str){ rest.p + close + 1, rest.len - close - 1 };
		return true;
	}
	return false;
}

static struct fw_str first_word(struct fw_str *s)
{
	struct fw_str w = tx_trim(*s);
	size_t n = 0;

	while (n < w.len && w.p[n] != ' ')
		n++;
	*s = (struct fw_str){ w.p + n, w.len - n };
	return (struct fw_str){ w.p, n };
}

static bool worded_switch(struct fw_str args, struct switch_args *a)
{
	struct fw_str s = args;

	if (!worded_task(&s, &a->prev_comm, &a->prev_tid, &a->prev_prio))
		return false;
	a->state = first_word(&s);
	if (a->state.len > 2 && a->state.p[0] == '(')
		a->state = (struct fw_str){ a->state.p + 1, a->state.len - 2 };
	return a->state.len && fw_str_eq(first_word(&s), FW_STR("==>")) &&
	       worded_task(&s, &a->next_comm, &a->next_tid, &a->next_prio);
}

TX_READER(tx_read_switch)
{
	static const struct tx_field fields[] = {
		{ "prev_comm", TX_STR, true, AT(switch_args, prev_comm) },
		{ "prev_pid", TX_I32, true, AT(switch_args, prev_tid) },
		{ "prev_prio", TX_I32, true, AT(switch_args, prev_prio) },
		{ "prev_state", TX_WORD, true, AT(switch_args, state) },
		{ "next_comm", TX_STR, true, AT(switch_args, next_comm) },
		{ "next_pid", TX_I32, true, AT(switch_args, next_tid) },
		{ "next_prio", TX_I32, true, AT(switch_args, next_prio) },
		{ NULL, TX_END, false, 0 },
	};
	struct switch_args a;

	if (!tx_fields(args, fields, &a) && (how->tp || !worded_switch(args, &a)))
		return false;
	ev->sw = (struct fw_ev_switch){
		.prev_tid = a.prev_tid,
		.next_tid = a.next_tid,
		.prev_prio = a.prev_prio,
		.next_prio = a.next_prio,
		.prev_state = tx_prev_state(a.state, how),
		.prev_comm = name_of(a.prev_comm, how),
		.next_comm = name_of(a.next_comm, how),
	};
	return true;
}

/* "success=1 CPU:003", or of old kernels "success=1 [003]". */
static bool worded_wake(struct fw_str args, struct wake_args *a)
{
	struct fw_str s = args, w;
	int64_t v;

	if (!worded_task(&s, &a->comm, &a->tid, &a->prio))
		return false;
	while ((w = first_word(&s)).len) {
		if (fw_str_starts(w, FW_STR("success="))) {
			a->success = w.p[w.len - 1] != '0';
		} else if (fw_str_starts(w, FW_STR("CPU:"))) {
			w = (struct fw_str){ w.p + 4, w.len - 4 };
			if (fw_str_int(w, &v) && v >= 0 && v < TX_CPUS)
				a->cpu = (int32_t)v;
		}
	}
	return true;
}

TX_READER(tx_read_wake)
{
	static const struct tx_field fields[] = {
		{ "comm", TX_STR, true, AT(wake_args, comm) },
		{ "pid", TX_I32, true, AT(wake_args, tid) },
		{ "prio", TX_I32, false, AT(wake_args, prio) },
		{ "success", TX_I32, false, AT(wake_args, success) },
		{ "target_cpu", TX_I32, false, AT(wake_args, cpu) },
		{ NULL, TX_END, false, 0 },
	};
	struct wake_args a = { .success = 1, .cpu = -1 };

	if (!tx_fields(args, fields, &a) && (how->tp || !worded_wake(args, &a)))
		return false;
	/* Before 4.3 an attempt on a thread that did not sleep was printed too. */
	if (!a.success)
		ev->type = FW_EV_OTHER_FTRACE;
	ev->waking = (struct fw_ev_waking){
		.tid = a.tid,
		.prio = a.prio,
		.target_cpu = a.cpu,
		.common_flags = -1,
		.comm = name_of(a.comm, how),
	};
	return true;
}

static bool is_hex(struct fw_str s)
{
	size_t i = s.len > 2 && s.p[0] == '0' && s.p[1] == 'x' ? 2 : 0, from = i;

	for (; i < s.len; i++) {
		char c = (char)(s.p[i] | 0x20);

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
			return false;
	}
	/* A name of hexadecimal letters is shorter than an address. */
	return i > from && (from || s.len >= 8);
}

/*
 * caller=symbol+0x10/0x20, also with " [module]" behind it; caller=0xffff... and caller=ffff...
 * where the kernel hides symbols; and both, caller=[<ffff...>] symbol+0x10/0x20, of older ones.
 */
static void caller_of(struct fw_str s, struct fw_ev_blocked *b)
{
	struct fw_str w = first_word(&s);
	size_t n = 0;

	if (w.len > 4 && w.p[0] == '[' && w.p[1] == '<')
		w = first_word(&s);
	else if (is_hex(w) && s.len)
		w = first_word(&s);
	if (!w.len || is_hex(w) || w.p[0] == '(' || w.p[0] == '[')
		return;
	while (n < w.len && w.p[n] != '+')
		n++;
	b->function = (struct fw_str){ w.p, n };
}

TX_READER(tx_read_blocked)
{
	struct blocked_args {
		struct fw_str caller;
		int32_t tid, io_wait;
	} a = { .caller = FW_STR_NONE };
	static const struct tx_field fields[] = {
		{ "pid", TX_I32, true, AT(blocked_args, tid) },
		{ "iowait", TX_I32, true, AT(blocked_args, io_wait) },
		{ "caller", TX_STR, false, AT(blocked_args, caller) },
		{ NULL, TX_END, false, 0 },
	};

	if (!tx_fields(args, fields, &a))
		return false;
	ev->blocked = (struct fw_ev_blocked){
		.tid = a.tid,
		.io_wait = a.io_wait != 0,
		.has_io_wait = true,
	};
	if (how->tp)
		ev->blocked.function = tp_word(a.caller.p ? a.caller : FW_STR(""));
	else if (a.caller.p)
		caller_of(a.caller, &ev->blocked);
	return true;
}

struct task_args {
	struct fw_str comm, old, rest;
	uint64_t flags;
	int32_t tid;
};

TX_READER(tx_read_newtask)
{
	static const struct tx_field fields[] = {
		{ "pid", TX_I32, true, AT(task_args, tid) },
		{ "comm", TX_STR, true, AT(task_args, comm) },
		{ "clone_flags", TX_HEX, true, AT(task_args, flags) },
		{ "oom_score_adj", TX_WORD, false, AT(task_args, rest) },
		{ NULL, TX_END, false, 0 },
	};
	struct task_args a;

	if (!tx_fields(args, fields, &a))
		return false;
	ev->task = (struct fw_ev_task){ .tid = a.tid, .comm = a.comm, .clone_flags = a.flags };
	return true;
}

TX_READER(tx_read_rename)
{
	static const struct tx_field fields[] = {
		{ "pid", TX_I32, true, AT(task_args, tid) },
		{ "oldcomm", TX_STR, true, AT(task_args, old) },
		{ "newcomm", TX_STR, true, AT(task_args, comm) },
		{ "oom_score_adj", TX_WORD, false, AT(task_args, rest) },
		{ NULL, TX_END, false, 0 },
	};
	struct task_args a;

	if (!tx_fields(args, fields, &a))
		return false;
	ev->task = (struct fw_ev_task){ .tid = a.tid, .comm = a.comm };
	return true;
}

/* sched_process_exit, sched_process_free */
TX_READER(tx_read_task)
{
	static const struct tx_field fields[] = {
		{ "comm", TX_STR, true, AT(task_args, comm) },
		{ "pid", TX_I32, true, AT(task_args, tid) },
		{ "prio", TX_WORD, false, AT(task_args, rest) },
		{ NULL, TX_END, false, 0 },
	};
	struct task_args a;

	if (!tx_fields(args, fields, &a))
		return false;
	ev->task = (struct fw_ev_task){ .tid = a.tid, .comm = a.comm };
	return true;
}
