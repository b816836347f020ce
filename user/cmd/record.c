// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/child.h"
#include "cmd/follower.h"
#include "cmd/options.h"
#include "live/pins.h"
#include "live/privileges.h"
#include "live/recorder.h"
#include "live/sf_config.h"
#include "live/targets.h"
#include "output/html.h"

struct record {
	struct fw_targets targets;
	const char *path, *csv, *html;
	double seconds;
	uint64_t frames;
	uint64_t buffer;
	uint64_t wchan_min_ns;
	const char *frame_mark;
	struct fw_sf_opts sf;
	bool sf_given, sf_config;
	uint64_t settle_ns;
	bool follow;
	enum fw_format format;
	bool fences_all;
	bool pin, strict, no_marks;
	char **command;
};

enum {
	OPT_UID = 256,
	OPT_CGROUP,
	OPT_COMM,
	OPT_ALL,
	OPT_CSV,
	OPT_HTML,
	OPT_FOLLOW,
	OPT_BUFFER,
	OPT_WCHAN,
	OPT_FRAME_MARK,
	OPT_SF,
	OPT_SF_CONFIG,
	OPT_SETTLE,
	OPT_FENCES,
	OPT_NO_MARKS,
	OPT_PIN,
	OPT_STRICT
};

static const struct fw_option options[] = {
	{ "process", 'p', "P", .help = "process id, name or glob; several -p are allowed",
	  .group = "Whom (new threads and children follow):", .config = FW_CONFIG_TARGET },
	{ "uid", OPT_UID, "U", .help = "all processes of a user", .config = FW_CONFIG_TARGET },
	{ "cgroup", OPT_CGROUP, "DIR", .help = "all processes below a cgroup2 directory",
	  .values = FW_VALUES_DIR, .config = FW_CONFIG_TARGET },
	{ "comm", OPT_COMM, "GLOB", .help = "threads of that name", .config = FW_CONFIG_TARGET },
	{ "all", OPT_ALL, NULL, .help = "every thread", .config = FW_CONFIG_TARGET },
	{ "duration", 'd', "S", .help = "seconds, also with a fraction",
	  .group = "Until when (else Ctrl-C):", .config = FW_CONFIG_VALUE },
	{ "frames", 'n', "N",
	  .help = "so many frames have begun (Choreographer#doFrame, --frame-mark)" },
	{ .arg = "-- COMMAND", .help = "it ends; it and its children are recorded" },
	{ "output", 'o', "FILE", .help = "capture to write (run.fwc); - is standard output",
	  .group = "Output:", .values = FW_VALUES_FILE },
	{ "follow", OPT_FOLLOW, "[FORMAT]",
	  .help = "print frames when they are final, while recording: csv or jsonl",
	  .values = "csv jsonl" },
	{ "csv", OPT_CSV, "DIR", .help = "also write the report's files when done",
	  .values = FW_VALUES_DIR },
	{ "html", OPT_HTML, "FILE", .help = "also write the report's page when done",
	  .values = FW_VALUES_FILE },
	{ "pin", OPT_PIN, NULL, .help = "maps in " FW_PIN_DIR ", for bpftool" },
	{ "strict", OPT_STRICT, NULL, .help = "exit status 5 when data was lost" },
	{ "buffer", OPT_BUFFER, "MIB", .help = "rings of all CPUs together (32)",
	  .group = "What is recorded:", .config = FW_CONFIG_VALUE },
	{ "sleep-wchan", OPT_WCHAN, "US",
	  .help = "interruptible sleeps at least so long get their function (100)",
	  .config = FW_CONFIG_VALUE },
	{ "frame-mark", OPT_FRAME_MARK, "NAME", .help = "trace marks of that name are frames",
	  .config = FW_CONFIG_VALUE },
	{ "sf", OPT_SF, "SOURCE",
	  .help = "SurfaceFlinger's frames: perfetto (starts it), FILE (a Perfetto file that "
		  "grows), marks, none; default: perfetto where it answers",
	  .values = "perfetto marks none", .config = FW_CONFIG_VALUE },
	{ "sf-config", OPT_SF_CONFIG, NULL,
	  .help = "print the configuration for perfetto and end" },
	{ "settle", OPT_SETTLE, "S",
	  .help = "what comes later than so many seconds is left out (2)",
	  .config = FW_CONFIG_VALUE },
	{ "fences", OPT_FENCES, "WHICH",
	  .help = "targets: those that targets make, merge or wait for; all (targets)",
	  .values = "targets all", .config = FW_CONFIG_VALUE },
	{ "no-marks", OPT_NO_MARKS, NULL, .help = "do not read trace marks" },
	FW_OPTIONS_END,
};

/* A positive number with an optional fraction. */
static bool parse_number(const char *s, double *out)
{
	return fw_str_real(fw_str(s), out) && *out > 0 && *out <= 1e9;
}

static int parse_target(struct record *r, int c)
{
	int err;

	if (c == 'p')
		err = fw_targets_process(&r->targets, optarg);
	else if (c == OPT_UID)
		err = fw_targets_uid(&r->targets, optarg);
	else if (c == OPT_CGROUP)
		err = fw_targets_cgroup(&r->targets, optarg);
	else
		err = fw_targets_comm(&r->targets, optarg);
	return err ? fw_usage_failed(err) : FW_EXIT_OK;
}

static const char *name_of(int id)
{
	const struct fw_option *o = options;

	while (!o->name || o->id != id)
		o++;
	return o->name;
}

static int parse_amount(struct record *r, int c)
{
	double n;

	if (!parse_number(optarg, &n) || (c == 'n' && n < 1))
		return fw_usage("record", "--%s %s: expected a number above 0", name_of(c), optarg);
	if (c == 'd')
		r->seconds = n;
	else if (c == 'n')
		r->frames = n;
	else if (c == OPT_WCHAN)
		r->wchan_min_ns = n * 1000;
	else if (c == OPT_SETTLE)
		r->settle_ns = n * 1e9;
	else if (n > 1024)
		return fw_usage("record", "--buffer %s: at most 1024 MiB", optarg);
	else
		r->buffer = n * (1 << 20);
	return FW_EXIT_OK;
}

/* A word, or else the path of a file. */
static int parse_sf(struct record *r)
{
	static const enum fw_sf_mode words[] = { FW_SF_NONE, FW_SF_MARKS, FW_SF_PERFETTO };

	if (!*optarg)
		return fw_usage("record", "--sf: an empty name");
	r->sf_given = true;
	r->sf = (struct fw_sf_opts){ .mode = FW_SF_FILE, .path = optarg };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(optarg, fw_sf_mode_name(words[i])))
			r->sf = (struct fw_sf_opts){ .mode = words[i] };
	}
	return FW_EXIT_OK;
}

static int parse_follow(struct record *r)
{
	int format = optarg ? fw_format_find(optarg) : FW_FORMAT_CSV;

	if (format != FW_FORMAT_CSV && format != FW_FORMAT_JSONL)
		return fw_usage("record", "--follow=%s: csv or jsonl", optarg);
	r->follow = true;
	r->format = format;
	return FW_EXIT_OK;
}

static int parse_option(void *ctx, int c)
{
	struct record *r = ctx;

	switch (c) {
	case 'p':
	case OPT_UID:
	case OPT_CGROUP:
	case OPT_COMM:
		return parse_target(r, c);
	case 'd':
	case 'n':
	case OPT_BUFFER:
	case OPT_WCHAN:
	case OPT_SETTLE:
		return parse_amount(r, c);
	case OPT_ALL:
		r->targets.all = true;
		return FW_EXIT_OK;
	case 'o':
		r->path = optarg;
		return FW_EXIT_OK;
	case OPT_CSV:
		r->csv = optarg;
		return FW_EXIT_OK;
	case OPT_HTML:
		r->html = optarg;
		return FW_EXIT_OK;
	case OPT_FOLLOW:
		return parse_follow(r);
	case OPT_FRAME_MARK:
		r->frame_mark = optarg;
		return FW_EXIT_OK;
	case OPT_SF:
		return parse_sf(r);
	case OPT_SF_CONFIG:
		r->sf_config = true;
		return FW_EXIT_OK;
	case OPT_FENCES:
		if (strcmp(optarg, "all") && strcmp(optarg, "targets"))
			return fw_usage("record", "--fences %s: targets or all", optarg);
		r->fences_all = !strcmp(optarg, "all");
		return FW_EXIT_OK;
	case OPT_NO_MARKS:
		r->no_marks = true;
		return FW_EXIT_OK;
	case OPT_PIN:
		r->pin = true;
		return FW_EXIT_OK;
	case OPT_STRICT:
		r->strict = true;
		return FW_EXIT_OK;
	}
	return FW_EXIT_USAGE;
}

static int check_options(struct record *r, int argc, char **argv)
{
	if (optind < argc)
		r->command = argv + optind;
	if (fw_targets_none(&r->targets) && !r->command)
		return fw_usage("record", "whom to record? -p, --uid, --cgroup, --comm, --all or a "
					  "command");
	if (r->html && !strcmp(r->html, r->path))
		return fw_usage("record", "--html %s: is the capture too; name another file",
				r->html);
	if ((r->csv || r->html) && !strcmp(r->path, "-"))
		return fw_usage("record", "--%s needs a capture in a file",
				r->csv ? "csv" : "html");
	if (r->html && fw_html_check())
		return fw_usage("record", "--html: %s", fw_fail_text());
	if (r->follow && !strcmp(r->path, "-"))
		return fw_usage("record", "--follow needs standard output for its rows, and a "
					  "capture in a file");
	if (r->sf.mode == FW_SF_MARKS && r->no_marks)
		return fw_usage("record", "--sf marks and --no-marks contradict each other");
	return FW_EXIT_OK;
}

static void print_live(const struct fw_record_stats *st)
{
	fw_progress_line("%5.1f s  %u threads  %llu records  %llu frames  %.1f MiB  lost %llu",
			 (st->now - st->start) / 1e9, st->targets, (unsigned long long)st->consumed,
			 (unsigned long long)st->frames, st->bytes / 1048576.0,
			 (unsigned long long)(st->lost + st->marks_lost));
}

static void print_summary(const struct record *r, const struct fw_record_stats *st)
{
	double s = (st->now - st->start) / 1e9;

	fprintf(stderr,
		"%s: %.3f s, %u threads at the end, %llu frames begun\n"
		"records: %llu written by the kernel = %llu taken + %llu lost; marks: %llu, %llu "
		"lost\n",
		r->path, s, st->targets, (unsigned long long)st->frames,
		(unsigned long long)st->produced, (unsigned long long)st->consumed,
		(unsigned long long)st->lost, (unsigned long long)st->marks,
		(unsigned long long)st->marks_lost);
	if (st->sf == FW_SF_FILE || st->sf == FW_SF_PERFETTO)
		fprintf(stderr, "SurfaceFlinger: %llu packets, %llu gaps, %llu bytes lost\n",
			(unsigned long long)st->sf_packets, (unsigned long long)st->sf_gaps,
			(unsigned long long)st->sf_bytes_lost);
	if (st->storage_failed || st->clock_back || st->missed || st->switch_missed)
		fprintf(stderr,
			"threads without storage: %llu; clock steps: %llu; program runs "
			"skipped: %llu; switches without an event: %llu\n",
			(unsigned long long)st->storage_failed, (unsigned long long)st->clock_back,
			(unsigned long long)st->missed, (unsigned long long)st->switch_missed);
	fprintf(stderr, "own cost: collector %.2f %% of a CPU, %.1f KiB/s",
		s > 0 ? st->cpu_ns / 1e7 / s : 0, s > 0 ? st->bytes / 1024.0 / s : 0);
	if (st->prog_runs)
		fprintf(stderr, ", programs %.2f %% (%llu runs of %.0f ns)\n",
			s > 0 ? st->prog_ns / 1e7 / s : 0, (unsigned long long)st->prog_runs,
			(double)st->prog_ns / st->prog_runs);
	else
		fputs(", programs: see kernel.bpf_stats_enabled\n", stderr);
}

static bool enough(const struct record *r, const struct fw_record_stats *st)
{
	return (r->seconds > 0 && st->now - st->start >= r->seconds * 1e9) ||
	       (r->frames && st->frames >= r->frames);
}

/* Until something ends it. @signals: SIGINT, SIGTERM, SIGCHLD, ... */
static int run(struct record *r, struct fw_recorder *rec, struct fw_child *child,
	       struct fw_follower *follower, int signals)
{
	/* Rows on the same terminal would tear it. */
	bool show = !fw_quiet && !(r->follow && isatty(STDOUT_FILENO));
	uint64_t shown = 0, deadline = 0;
	struct fw_record_stats st;
	int err = 0;

	if (r->seconds > 0)
		deadline = fw_boot_ns() + r->seconds * 1e9;
	fw_child_go(child);
	for (;;) {
		struct pollfd pfd = { .fd = signals, .events = POLLIN };
		int wait = fw_recorder_interval_ms(rec);
		uint64_t now = fw_boot_ns();

		if (deadline && deadline < now + wait * 1000000ull)
			wait = deadline > now ? (deadline - now) / 1000000 + 1 : 0;
		if (poll(&pfd, 1, wait) > 0 && fw_child_signal(child, signals))
			break;
		err = fw_recorder_poll(rec);
		if (err)
			break;
		fw_follower_check(follower);
		fw_recorder_stats(rec, &st);
		if (show && st.now - shown >= 500000000) {
			shown = st.now;
			print_live(&st);
		}
		if ((deadline && fw_boot_ns() >= deadline) || enough(r, &st))
			break;
	}
	fw_progress_clear();
	return err;
}

/* The collector must not be the one that waits: what it does not take in time is lost. */
static void raise_priority(void)
{
	setpriority(PRIO_PROCESS, 0, -10);
}

static int record(struct record *r, struct fw_child *child, struct fw_follower *follower,
		  int signals)
{
	struct fw_recorder_opts opts = {
		.session = { .targets = &r->targets,
			     .buffer = r->buffer,
			     .wchan_min_ns = r->wchan_min_ns,
			     .fences_all = r->fences_all,
			     .pin = r->pin ? FW_PIN_DIR : NULL },
		.path = r->path,
		.marks = !r->no_marks,
		.sf = r->sf,
		.frame_mark = r->frame_mark,
	};
	struct fw_record_stats st;
	struct fw_recorder *rec;
	bool unwritable = false;
	char *note;
	int err, e;

	if (!r->sf_given)
		opts.sf = (struct fw_sf_opts){ .mode = fw_sf_choose(), .automatic = true };
	note = fw_asprintf("settle_ns=%llu\nwchan_min_ns=%llu\nframe_mark=%s\n",
			   (unsigned long long)r->settle_ns, (unsigned long long)r->wchan_min_ns,
			   r->frame_mark ? r->frame_mark : "");
	opts.note = note;
	err = fw_recorder_open(&opts, &rec, &unwritable);
	free(note);
	if (err) {
		fw_failed(err);
		return unwritable ? FW_EXIT_INPUT : FW_EXIT_RECORD;
	}
	raise_priority();
	fw_recorder_stats(rec, &st);
	fw_privileges_drop(r->csv || r->html || st.sf == FW_SF_PERFETTO, st.sf == FW_SF_PERFETTO);
	fw_follower_go(follower);
	err = run(r, rec, child, follower, signals);
	e = fw_recorder_stop(rec);
	err = err ? err : e;
	fw_recorder_stats(rec, &st);
	e = fw_recorder_close(rec);
	err = err ? err : e;
	if (err)
		return fw_failed(err);
	if (!fw_quiet)
		print_summary(r, &st);
	if (r->strict && (st.lost || st.marks_lost || st.storage_failed || st.missed ||
			  st.sf_gaps || st.sf_bytes_lost)) {
		fw_warn("%s: data was lost, and --strict was given", r->path);
		return FW_EXIT_LOSS;
	}
	return FW_EXIT_OK;
}

/* With the command, if there is one. */
static int record_command(struct record *r, struct fw_follower *follower, int signals)
{
	bool taken = r->follow || !strcmp(r->path, "-");
	struct fw_child child;
	int status = fw_child_start(&child, r->command, taken);

	if (!status && child.pid > 0)
		fw_targets_add_id(&r->targets, FW_WANT_KEY(FW_WANT_PID, child.pid));
	if (!status)
		status = record(r, &child, follower, signals);
	fw_child_end(&child);
	return status;
}

/* The rows of the recording and its page, by the report that everyone uses. */
static int write_reports(const struct record *r)
{
	char *rows[] = { "report", "-o", (char *)r->csv, "--", (char *)r->path, NULL };
	char *page[] = {
		"report", "-f", "html", "-o", (char *)r->html, "--", (char *)r->path, NULL
	};
	int status = FW_EXIT_OK;

	if (r->csv)
		status = fw_cmd_report(5, rows);
	if (r->html)
		status = fw_worse(status, fw_cmd_report(7, page));
	return status;
}

static int print_sf_config(void)
{
	char *text = fw_sf_config_text();
	bool failed = fputs(text, stdout) < 0 || fflush(stdout);

	free(text);
	if (!failed)
		return FW_EXIT_OK;
	fw_warn("standard output: %s", strerror(errno));
	return FW_EXIT_INPUT;
}

static int run_record(int argc, char **argv)
{
	struct record r = { .path = "run.fwc", .wchan_min_ns = 100000, .settle_ns = 2000000000 };
	struct fw_follower follower = { .writer = -1 };
	int status, rows, signals;

	if (!fw_options(&fw_command_record, argc, argv, parse_option, &r, &status))
		goto out;
	if (r.sf_config) {
		status = print_sf_config();
		goto out;
	}
	status = check_options(&r, argc, argv);
	if (status)
		goto out;
	if (!r.targets.all)
		fw_targets_add_system(&r.targets);
	signals = fw_child_signals();
	status =
		r.follow ? fw_follower_start(&follower, r.path, r.format, r.settle_ns) : FW_EXIT_OK;
	if (!status)
		status = record_command(&r, &follower, signals);
	rows = fw_follower_finish(&follower, signals);
	status = status ? status : rows;
	/* Lost data is in the reports too. */
	if (!status || status == FW_EXIT_LOSS)
		status = fw_worse(status, write_reports(&r));
out:
	fw_targets_free(&r.targets);
	return status;
}

const struct fw_command fw_command_record = {
	.name = "record",
	.args = "[-- COMMAND]",
	.what = "what threads run, wait and sleep for, into a capture",
	.usage = "[OPTION...] [-- COMMAND...]",
	.about = "Records what threads run, wait and sleep for, until the time is over, the "
		 "command ends, or Ctrl-C. The capture is read by framewait report.",
	.options = options,
	.stops = true,
	.run = run_record,
	.examples = "  # framewait record -p com.example.app -d 10 -o run.fwc\n"
		    "  # framewait record -p com.example.app --follow=jsonl | ./watch-frames\n"
		    "  # framewait record --strict -- ./benchmark\n",
};
