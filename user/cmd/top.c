// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "frame/columns.h"
#include "live/privileges.h"
#include "live/recorder.h"
#include "live/tally.h"
#include "live/targets.h"

struct column {
	const char *key;
	char hot;
	size_t offset;
};

#define COL(k, h, f)                                                                               \
	{                                                                                          \
		k, h, offsetof(struct fw_tally_row, f)                                             \
	}
static const struct column sort_keys[] = {
	COL("run", 'u', running),	  COL("runnable", 'r', runnable),
	COL("preempted", 'p', preempted), COL("sleep", 's', sleeping),
	COL("blocked", 'b', blocked),	  COL("p99", '9', runnable_p99),
	COL("max", 'm', runnable_max),	  COL("irq", 'i', irq),
};

enum { OPT_UID = 256, OPT_CGROUP, OPT_COMM, OPT_ALL, OPT_ONCE, OPT_JSON };

static const struct fw_option options[] = {
	{ "process", 'p', "P", .help = "process id, name or glob; several -p are allowed",
	  .group = "Whom (else every thread):", .config = FW_CONFIG_TARGET },
	{ "uid", OPT_UID, "U", .help = "all processes of a user", .config = FW_CONFIG_TARGET },
	{ "cgroup", OPT_CGROUP, "DIR", .help = "all processes below a cgroup2 directory",
	  .values = FW_VALUES_DIR, .config = FW_CONFIG_TARGET },
	{ "comm", OPT_COMM, "GLOB", .help = "threads of that name", .config = FW_CONFIG_TARGET },
	{ "all", OPT_ALL, NULL, .help = "every thread, whatever is configured",
	  .config = FW_CONFIG_TARGET },
	{ "sort", 's', "KEY",
	  .help = "run, runnable, preempted, sleep, blocked, p99, max, irq, tid",
	  .group = "The screen:",
	  .values = "run runnable preempted sleep blocked p99 max irq tid" },
	{ "delay", 'd', "S", .help = "seconds between screens (1)" },
	{ "once", OPT_ONCE, NULL, .help = "one screen after one delay, then end" },
	{ "json", OPT_JSON, NULL, .help = "one JSON object a screen, on one line" },
	{ .arg = "keys",
	  .help = "r runnable, u run, p preempted, s sleep, b blocked, m max, q quit" },
	FW_OPTIONS_END,
};

struct top {
	struct fw_targets targets;
	const struct column *sort; /* NULL: by tid */
	double delay;
	bool once, json;
	struct fw_tally *tally;
	struct fw_recorder *rec;
};

static int set_sort(struct top *t, const char *key)
{
	if (!strcmp(key, "tid")) {
		t->sort = NULL;
		return FW_EXIT_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(sort_keys); i++) {
		if (!strcmp(key, sort_keys[i].key)) {
			t->sort = &sort_keys[i];
			return FW_EXIT_OK;
		}
	}
	return fw_usage("top",
			"--sort %s: run, runnable, preempted, sleep, blocked, p99, max, irq or "
			"tid",
			key);
}

static int parse_option(void *ctx, int c)
{
	struct top *t = ctx;
	char *end;
	int err;

	switch (c) {
	case 's':
		return set_sort(t, optarg);
	case 'd':
		t->delay = strtod(optarg, &end);
		if (*end || !(t->delay >= 0.1 && t->delay <= 3600))
			return fw_usage("top", "--delay %s: expected 0.1 to 3600 seconds", optarg);
		return FW_EXIT_OK;
	case OPT_ONCE:
		t->once = true;
		return FW_EXIT_OK;
	case OPT_JSON:
		t->json = true;
		return FW_EXIT_OK;
	case 'p':
		err = fw_targets_process(&t->targets, optarg);
		break;
	case OPT_UID:
		err = fw_targets_uid(&t->targets, optarg);
		break;
	case OPT_CGROUP:
		err = fw_targets_cgroup(&t->targets, optarg);
		break;
	case OPT_COMM:
		err = fw_targets_comm(&t->targets, optarg);
		break;
	default:
		t->targets.all = true;
		return FW_EXIT_OK;
	}
	return err ? fw_usage_failed(err) : FW_EXIT_OK;
}

static const struct column *order;

static uint64_t value_of(const struct fw_tally_row *r)
{
	return *(const uint64_t *)((const char *)r + order->offset);
}

static int by_order(const void *a, const void *b)
{
	const struct fw_tally_row *x = a, *y = b;

	if (order && value_of(x) != value_of(y))
		return value_of(x) < value_of(y) ? 1 : -1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Whatever a thread calls itself must not command the terminal. */
static void print_name(const char *comm)
{
	struct fw_str s = { comm, strnlen(comm, FW_COMM_LEN) };
	int left = FW_COMM_LEN - 1;

	for (size_t n; s.len; s.p += n, s.len -= n, left--) {
		if (fw_utf8_prints(s, &n))
			fwrite(s.p, 1, n, stdout);
		else
			putchar('?');
	}
	printf("%*s", FW_MAX(left, 0), "");
}

static void print_screen(struct top *t, const struct fw_tally_row *rows, size_t n, double span_ns)
{
	bool tty = isatty(STDOUT_FILENO);
	struct winsize ws;
	struct fw_record_stats st;
	size_t lines = n;

	if (tty) {
		/* A serial line says 0. */
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || !ws.ws_row)
			ws.ws_row = 24;
		lines = ws.ws_row > 4 ? ws.ws_row - 3u : 1;
		/* Home, and what is wider than the screen is cut: a row is one line. */
		fputs("\033[?7l\033[H", stdout);
	}
	fw_recorder_stats(t->rec, &st);
	printf("%zu threads, %.3f s, sorted by %s; lost %llu%s\n", n, span_ns / 1e9,
	       t->sort ? t->sort->key : "tid", (unsigned long long)st.lost, tty ? "\033[K" : "");
	printf("%7s %-15s %6s %6s %6s %6s %6s %6s %5s %9s %9s %9s %s%s\n", "tid", "name", "run%",
	       "rnbl%", "prmt%", "sleep%", "blkd%", "io%", "irq%", "p50 us", "p99 us", "max us",
	       "longest in", tty ? "\033[K" : "");
	for (size_t i = 0; i < n && i < lines; i++) {
		const struct fw_tally_row *r = &rows[i];
		double pc = 100 / span_ns;
		char wchan[64] = "";

		if (r->wchan)
			fw_session_symbol(fw_recorder_session(t->rec), r->wchan, wchan,
					  sizeof(wchan));
		printf("%7u ", r->tid);
		print_name(r->comm);
		printf(" %6.1f %6.1f %6.1f %6.1f %6.1f %6.1f %5.1f", r->running * pc,
		       r->runnable * pc, r->preempted * pc, r->sleeping * pc, r->blocked * pc,
		       r->blocked_io * pc, r->irq * pc);
		if (r->waits)
			printf(" %9.1f %9.1f %9.1f", r->runnable_p50 / 1e3, r->runnable_p99 / 1e3,
			       r->runnable_max / 1e3);
		else
			printf(" %9s %9s %9s", "", "", "");
		printf(" %.30s%s\n", wchan, tty ? "\033[K" : "");
	}
	if (tty)
		fputs("\033[J\033[?7h", stdout);
}

static json_t *row_json(struct top *t, const struct fw_tally_row *r)
{
	struct fw_str name = { r->comm, strnlen(r->comm, FW_COMM_LEN) };
	char wchan[128], *buf;
	json_t *o;

	name = fw_utf8_clean(name, &buf);
	o = json_pack("{s:i, s:i, s:s%, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "tid",
		      (int)r->tid, "pid", (int)r->tgid, "name", name.p, name.len, "running_ns",
		      (json_int_t)r->running, "runnable_ns", (json_int_t)r->runnable,
		      "preempted_ns", (json_int_t)r->preempted, "sleeping_ns",
		      (json_int_t)r->sleeping, "blocked_ns", (json_int_t)r->blocked,
		      "blocked_io_ns", (json_int_t)r->blocked_io, "other_ns", (json_int_t)r->other,
		      "irq_ns", (json_int_t)r->irq, "switches", (json_int_t)r->switches, "waits",
		      (json_int_t)r->waits);
	free(buf);
	if (r->waits) {
		json_object_set_new(o, "runnable_p50_ns",
				    json_integer((json_int_t)r->runnable_p50));
		json_object_set_new(o, "runnable_p99_ns",
				    json_integer((json_int_t)r->runnable_p99));
		json_object_set_new(o, "runnable_max_ns",
				    json_integer((json_int_t)r->runnable_max));
	}
	if (r->wchan &&
	    fw_session_symbol(fw_recorder_session(t->rec), r->wchan, wchan, sizeof(wchan))) {
		json_object_set_new(o, "wchan", json_string(wchan));
		json_object_set_new(o, "wchan_ns", json_integer((json_int_t)r->wchan_ns));
	}
	return o;
}

static void print_json(struct top *t, const struct fw_tally_row *rows, size_t n, uint64_t from,
		       uint64_t to)
{
	struct fw_record_stats st;
	json_t *list = json_array(), *top;

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, row_json(t, &rows[i]));
	fw_recorder_stats(t->rec, &st);
	top = json_pack("{s:i, s:I, s:I, s:I, s:o}", "schema", FW_SCHEMA_VERSION, "from_ns",
			(json_int_t)from, "to_ns", (json_int_t)to, "lost", (json_int_t)st.lost,
			"threads", list);
	/* Escaped, no name is a command to a terminal. */
	json_dumpf(top, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(top);
}

static int show(struct top *t, uint64_t from, uint64_t to)
{
	struct fw_tally_row *rows;
	size_t n = fw_tally_take(t->tally, &rows);

	order = t->sort;
	qsort(rows, n, sizeof(*rows), by_order);
	if (t->json)
		print_json(t, rows, n, from, to);
	else
		print_screen(t, rows, n, to - from);
	free(rows);
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

/* Return: false when the key ends the program. */
static bool on_key(struct top *t)
{
	char c;

	if (read(STDIN_FILENO, &c, 1) != 1 || c == 'q')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(sort_keys); i++) {
		if (c == sort_keys[i].hot)
			t->sort = &sort_keys[i];
	}
	return true;
}

static int run(struct top *t, int signals, bool keys)
{
	struct fw_child none = { .go = -1 };
	uint64_t from = fw_boot_ns(), next = from + t->delay * 1e9;
	int err = 0;

	fw_tally_begin(t->tally, from);
	for (;;) {
		struct pollfd pfd[] = { { .fd = signals, .events = POLLIN },
					{ .fd = keys ? STDIN_FILENO : -1, .events = POLLIN } };
		uint64_t now;

		poll(pfd, 2, fw_recorder_interval_ms(t->rec));
		if ((pfd[0].revents && fw_child_signal(&none, signals)) ||
		    (pfd[1].revents && !on_key(t)))
			return 0;
		now = fw_boot_ns();
		if (now >= next)
			fw_tally_end(t->tally, now);
		err = now < next ? fw_recorder_poll(t->rec) : fw_recorder_catch_up(t->rec);
		if (err)
			return err;
		if (now < next)
			continue;
		if (show(t, from, now))
			return fw_fail(EIO, "standard output: cannot write");
		if (t->once)
			return 0;
		from = now;
		next = now + t->delay * 1e9;
	}
}

static void on_record(void *ctx, const struct fw_rec *r)
{
	fw_tally_add(ctx, r);
}

static int top(struct top *t)
{
	struct fw_recorder_opts opts = {
		.session = { .targets = &t->targets, .wchan_min_ns = 100000 },
		.on_record = on_record,
	};
	bool keys = !t->json && !t->once && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct termios old, raw;
	int signals = fw_child_signals();
	int err;

	opts.ctx = t->tally = fw_tally_new();
	err = fw_recorder_open(&opts, &t->rec, NULL);
	if (err) {
		fw_failed(err);
		fw_tally_free(t->tally);
		return FW_EXIT_RECORD;
	}
	fw_privileges_drop(false, false);
	if (keys && !tcgetattr(STDIN_FILENO, &old)) {
		raw = old;
		raw.c_lflag &= ~(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
		fputs("\033[2J", stdout);
	}
	err = run(t, signals, keys);
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &old);
	fw_recorder_close(t->rec);
	fw_tally_free(t->tally);
	return err ? fw_failed(err) : FW_EXIT_OK;
}

static int run_top(int argc, char **argv)
{
	struct top t = { .sort = &sort_keys[0], .delay = 1 };
	int status;

	if (!fw_options(&fw_command_top, argc, argv, parse_option, &t, &status))
		goto out;
	if (optind < argc)
		status = fw_usage("top", "%s: no argument is expected", argv[optind]);
	if (!status) {
		if (fw_targets_none(&t.targets))
			t.targets.all = true;
		status = top(&t);
	}
out:
	fw_targets_free(&t.targets);
	return status;
}

const struct fw_command fw_command_top = {
	.name = "top",
	.args = "",
	.what = "where threads spent the last second",
	.usage = "[OPTION...]",
	.about = "Where threads spent the last second, on one screen.",
	.options = options,
	.words = "",
	.run = run_top,
	.examples = "  # framewait top -p com.example.app -s runnable\n"
		    "  # framewait top --once --json\n",
};
