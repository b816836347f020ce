// SPDX-License-Identifier: GPL-2.0-or-later
/* framesim - frames of a device that is not there, with what goes wrong by choice; see framesim.h */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
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
	.io_file = "framesim.io",
};

/* Each goes to one place: a number above 0, a text, a flag, or a function. */
static const struct setting {
	const char *name, *arg, *what;
	int *number;
	const char **text;
	bool *flag;
	void (*parse)(const char *arg);
} settings[] = {
	{ "frames", "N", "the app draws N frames (120)", .number = &opt.frames },
	{ "seconds", "S", "instead: as many as the display shows in S seconds",
	  .number = &opt.seconds },
	{ "rate", "HZ", "of the display (60)", .number = &opt.rate },
	{ "work", "PERCENT", "of the usual work of each thread (100)", .number = &opt.work },
	{ "app", "NAME", "process name (com.example.app)", .text = &opt.app },
	{ "pftrace", "FILE", "the Perfetto file that grows", .text = &opt.pftrace },
	{ "flush", "MS", "how often it grows (100)", .number = &opt.flush_ms },
	{ "half-packets", NULL, "every other time it ends within a packet",
	  .flag = &opt.half_packets },
	{ "truth", "FILE", "CSV: what each frame must show", .text = &opt.truth },
	{ "animations", "FILE", "the app animates, and logs it to FILE as logcat prints it",
	  .text = &opt.logcat },
	{ "no-marks", NULL, "no trace marks", .flag = &opt.no_marks },
	{ "timers", NULL, "fences are timers even where framewait.ko is loaded",
	  .flag = &opt.timers },
	{ "fifo-ui", NULL, "the app's threads are realtime ones, as with sys.use_fifo_ui",
	  .flag = &opt.fifo_ui },
	{ "io-file", "FILE", "for io_wait; it is deleted (framesim.io)", .text = &opt.io_file },
	{ "inject", "KIND[=N]@FRAME", "may be given several times:", .parse = inject_parse },
};
#define SETTINGS ((int)(sizeof(settings) / sizeof(settings[0])))

static void usage(FILE *to)
{
	fputs("usage: framesim [OPTION...]\n", to);
	for (int i = 0; i < SETTINGS; i++) {
		int n = fprintf(to, "  --%s %s", settings[i].name,
				settings[i].arg ? settings[i].arg : "");

		fprintf(to, "%*s  %s\n", n < 19 ? 19 - n : 0, "", settings[i].what);
	}
	inject_usage(to);
}

static int positive(const char *s, const char *what)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (n > 0 && n <= INT_MAX && !*end)
		return (int)n;
	fprintf(stderr, "framesim: --%s %s: not a positive number\n", what, s);
	exit(2);
}

static void apply(const struct setting *s)
{
	if (s->number)
		*s->number = positive(optarg, s->name);
	else if (s->text)
		*s->text = strdup(optarg); /* name_process() writes over the arguments */
	else if (s->flag)
		*s->flag = true;
	else
		s->parse(optarg);
}

static void parse(int argc, char **argv)
{
	struct option options[SETTINGS + 2] = { [SETTINGS] = { "help", no_argument, NULL, 'h' } };
	int c;

	for (int i = 0; i < SETTINGS; i++) {
		options[i].name = settings[i].name;
		options[i].has_arg = settings[i].arg ? required_argument : no_argument;
		options[i].val = 256 + i;
	}
	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 256)
		apply(&settings[c - 256]);
	if (c == 'h') {
		usage(stdout);
		exit(0);
	}
	if (c != -1 || optind < argc || opt.rate > 1000 || opt.seconds > INT_MAX / opt.rate) {
		usage(stderr);
		exit(2);
	}
	if (opt.seconds)
		opt.frames = opt.seconds * opt.rate;
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
	if (opt.logcat)
		unlink(opt.logcat);
	name_init(argc, argv);
	open_shared();
	open_wires(&w);
	if (!opt.no_marks)
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
