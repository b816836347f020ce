// SPDX-License-Identifier: GPL-2.0-or-later
/* framesim - frames of a device that is not there, with what goes wrong by choice; see framesim.h */
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framesim.h"

struct sim *sim;
struct options opt = {
	.rate = 60,
	.work = 100,
	.frames = 120,
	.flush_ms = 100,
	.app = "com.example.app",
	.marks = true,
};

static void usage(FILE *to)
{
	fputs("usage: framesim [OPTION...]\n"
	      "  --frames N         the app draws N frames (120)\n"
	      "  --seconds S        instead: as many as the display shows in S seconds\n"
	      "  --rate HZ          of the display (60)\n"
	      "  --work PERCENT     of the usual work of each thread (100)\n"
	      "  --app NAME         process name (com.example.app)\n"
	      "  --pftrace FILE     the Perfetto file that grows\n"
	      "  --flush MS         how often it grows (100)\n"
	      "  --half-packets     every other time it ends within a packet\n"
	      "  --truth FILE       CSV: what each frame must show\n"
	      "  --animations FILE  the app animates, and logs it to FILE as logcat prints it\n"
	      "  --no-marks         no trace marks\n"
	      "  --timers           fences are timers even where framewait.ko is loaded\n"
	      "  --fifo-ui          the app's threads are realtime ones, as with sys.use_fifo_ui\n"
	      "  --io-file FILE     for io_wait; it is deleted (framesim.io)\n"
	      "  --inject KIND[=N]@FRAME   may be given several times:\n",
	      to);
	inject_usage(to);
}

static int64_t positive(const char *s, const char *what)
{
	char *end;
	long long n = strtoll(s, &end, 10);

	if (n > 0 && !*end)
		return n;
	fprintf(stderr, "framesim: %s %s: not a positive number\n", what, s);
	exit(2);
}

enum { NO_MARKS = 256, FIFO, HALF, TIMERS, IO_FILE, SECONDS, WORK, FLUSH };

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "frames", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, SECONDS },
		{ "rate", required_argument, NULL, 'r' },
		{ "work", required_argument, NULL, WORK },
		{ "app", required_argument, NULL, 'a' },
		{ "pftrace", required_argument, NULL, 'o' },
		{ "flush", required_argument, NULL, FLUSH },
		{ "half-packets", no_argument, NULL, HALF },
		{ "truth", required_argument, NULL, 't' },
		{ "animations", required_argument, NULL, 'l' },
		{ "no-marks", no_argument, NULL, NO_MARKS },
		{ "timers", no_argument, NULL, TIMERS },
		{ "fifo-ui", no_argument, NULL, FIFO },
		{ "io-file", required_argument, NULL, IO_FILE },
		{ "inject", required_argument, NULL, 'i' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int64_t seconds = 0;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'n':
			opt.frames = positive(optarg, "--frames");
			break;
		case SECONDS:
			seconds = positive(optarg, "--seconds");
			break;
		case 'r':
			opt.rate = (int)positive(optarg, "--rate");
			break;
		case WORK:
			opt.work = (int)positive(optarg, "--work");
			break;
		case 'a':
			opt.app = optarg;
			break;
		case 'o':
			opt.pftrace = optarg;
			break;
		case FLUSH:
			opt.flush_ms = (int)positive(optarg, "--flush");
			break;
		case HALF:
			opt.half_packets = true;
			break;
		case 't':
			opt.truth = optarg;
			break;
		case 'l':
			opt.logcat = optarg;
			break;
		case NO_MARKS:
			opt.marks = false;
			break;
		case TIMERS:
			opt.timers = true;
			break;
		case FIFO:
			opt.fifo_ui = true;
			break;
		case IO_FILE:
			opt.io_file = optarg;
			break;
		case 'i':
			inject_parse(optarg);
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			usage(stderr);
			exit(2);
		}
	}
	if (optind < argc || opt.rate > 1000) {
		usage(stderr);
		exit(2);
	}
	if (seconds)
		opt.frames = seconds * opt.rate;
}

/* All that names point to lives where name_process() does not write. */
static void keep(const char **s)
{
	*s = *s ? strdup(*s) : NULL;
}

static void open_shared(void)
{
	sim = mmap(NULL, sizeof(*sim), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sim == MAP_FAILED)
		die("mmap");
	memset(sim, 0, sizeof(*sim));
	sim->period = INT64_C(1000000000) / opt.rate;
}

static void open_wires(struct wires *w)
{
	int *pairs[] = { w->vsync, w->buffers, w->released, w->compose };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pairs[i]))
			die("socketpair");
}

static pid_t start(void (*run)(const struct wires *w), const struct wires *w)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	/* A page fault would be a wait of its own. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	run(w);
	exit(0);
}

static void on_signal(int sig)
{
	sim->stop = true;
}

static void start_trouble(void)
{
	pthread_t t;

	if (!inject_any(INJECT_preempt) && !inject_any(INJECT_sched_delay))
		return;
	if (pthread_create(&t, NULL, trouble_thread, NULL))
		die("pthread_create");
	while (!sim->order.tid)
		sleep_until(now_ns() + 1000000);
}

/* The app, as often as it dies on purpose. False: it or another process failed. */
static bool run_app(const struct wires *w)
{
	pid_t app, pid;
	int status;

	do {
		sim->generation++;
		app = start(app_main, w);
		do {
			pid = waitpid(-1, &status, 0);
		} while (pid < 0 && errno == EINTR);
		if (pid != app) {
			kill(app, SIGKILL);
			return false;
		}
	} while (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_RESTART);
	return !status;
}

int main(int argc, char **argv)
{
	struct wires w;
	pid_t sf, composer;
	int status = 0;
	bool ok;

	parse(argc, argv);
	keep(&opt.pftrace);
	keep(&opt.truth);
	keep(&opt.app);
	keep(&opt.logcat);
	if (opt.logcat)
		unlink(opt.logcat);
	opt.io_file = strdup(opt.io_file ? opt.io_file : "framesim.io");
	name_init(argc, argv);
	open_shared();
	open_wires(&w);
	if (opt.marks)
		marks_open();
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	composer = start(composer_main, &w);
	sf = start(flinger_main, &w);
	start_trouble();
	ok = run_app(&w);
	sim->stop = true;
	while (waitpid(sf, &status, 0) < 0 && errno == EINTR)
		;
	kill(composer, SIGKILL);
	waitpid(composer, NULL, 0);
	if (sim->marks_refused)
		fprintf(stderr, "framesim: the kernel refused %d marks\n", sim->marks_refused);
	if (inject_any(INJECT_io_wait))
		unlink(opt.io_file);
	return ok && !status ? 0 : 1;
}
