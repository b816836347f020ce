// SPDX-License-Identifier: GPL-2.0-or-later
/* perfetto - the program that records SurfaceFlinger's data sources */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/perfetto.h"
#include "live/session.h"
#include "live/sf_config.h"

#define SECOND 1000000000ull
#define LASTED (10 * SECOND) /* who lived so long did not die early */
#define WAIT_MAX_S 8
/* On Android the one place that both the service and this program may write (SELinux). */
#define ANDROID_DIR "/data/misc/perfetto-traces"

#define PREFIX "framewait-sf-"

/* The last line of @text that says something. */
static const char *last_line(char *text)
{
	char *nl;

	for (;;) {
		size_t n = strlen(text);

		while (n && text[n - 1] == '\n')
			text[--n] = '\0';
		nl = strrchr(text, '\n');
		if (!nl)
			return text;
		if (nl[1])
			return nl + 1;
	}
}

void fw_perfetto_ask(struct fw_perfetto_answer *a)
{
	char *argv[] = { "perfetto", "--query", NULL };
	static char out[256 << 10];
	int status = fw_helper_run(argv, 3000, out, sizeof(out));

	*a = (struct fw_perfetto_answer){ .works = !status };
	if (!status) {
		a->timeline = strstr(out, "android.surfaceflinger.frametimeline");
		a->tracer = strstr(out, "android.surfaceflinger.frame ");
		return;
	}
	if (status == -ENOENT)
		snprintf(a->why, sizeof(a->why), "there is no program perfetto in PATH");
	else if (status == -ETIMEDOUT)
		snprintf(a->why, sizeof(a->why),
			 "perfetto --query gives no answer: does its "
			 "service (traced) hang?");
	else if (status < 0)
		snprintf(a->why, sizeof(a->why), "perfetto --query: %s", strerror(-status));
	else
		snprintf(a->why, sizeof(a->why), "perfetto's service (traced) does not answer: %s",
			 last_line(out));
}

void fw_perfetto_init(struct fw_perfetto *p)
{
	*p = (struct fw_perfetto){ .program = { .out = -1 }, .wait_s = 1 };
}

static const char *directory(void)
{
	const char *tmp = getenv("TMPDIR");

	if (!access(ANDROID_DIR, W_OK))
		return ANDROID_DIR;
	return tmp && *tmp ? tmp : "/tmp";
}

/* A recording that was killed before its file had bytes leaves the name; it says whose it was. */
static void remove_dead(void)
{
	DIR *dir = opendir(directory());
	struct dirent *e;
	char *end;
	long pid;

	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			continue;
		pid = strtol(e->d_name + strlen(PREFIX), &end, 10);
		if (pid > 0 && *end == '-' && kill(pid, 0) && errno == ESRCH)
			unlinkat(dirfd(dir), e->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

static int make_file(struct fw_perfetto *p)
{
	int fd;

	remove_dead();

	snprintf(p->path, sizeof(p->path), "%s/" PREFIX "%d-XXXXXX", directory(), getpid());
	fd = mkstemp(p->path);
	if (fd < 0) {
		int err = fw_fail(errno, "%s: %s", p->path, strerror(errno));

		p->path[0] = '\0';
		return err;
	}
	close(fd);
	return 0;
}

/* The next try is later than the last one was. */
static void put_off(struct fw_perfetto *p)
{
	p->next_start = fw_boot_ns() + p->wait_s * SECOND;
	p->wait_s = FW_MIN(p->wait_s * 2, WAIT_MAX_S);
}

int fw_perfetto_start(struct fw_perfetto *p)
{
	char *argv[] = { "perfetto", "-c", "-", "-o", p->path, NULL };
	uint8_t *config;
	size_t len;
	int err;

	fw_helper_end(&p->program);
	fw_perfetto_unlink(p);
	p->started = fw_boot_ns();
	p->next_start = p->started + p->wait_s * SECOND;
	p->n_said = 0;
	p->said[0] = '\0';
	err = make_file(p);
	if (err)
		return err;
	config = fw_sf_config_binary(&len);
	err = fw_helper_start(&p->program, argv, config, len);
	free(config);
	if (err) {
		fw_perfetto_unlink(p);
		put_off(p);
		return fw_fail(err, "perfetto: %s", strerror(-err));
	}
	return 0;
}

/* Its complaints, so that it never waits for a reader; the last line is kept. */
static void listen_to(struct fw_perfetto *p)
{
	char buf[1024];
	ssize_t n;

	if (p->program.out < 0)
		return;
	while ((n = read(p->program.out, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (buf[i] == '\n') {
				p->line_over = true;
				continue;
			}
			if (p->line_over)
				p->n_said = 0;
			p->line_over = false;
			if (p->n_said < sizeof(p->said) - 1)
				p->said[p->n_said++] = buf[i] >= ' ' ? buf[i] : ' ';
			p->said[p->n_said] = '\0';
		}
	}
}

bool fw_perfetto_died(struct fw_perfetto *p, char *how, size_t size)
{
	const char *sep;
	int status;

	listen_to(p);
	if (p->program.pid <= 0 || !fw_helper_ended(&p->program, &status))
		return false;
	listen_to(p);
	sep = p->said[0] ? ": " : "";
	if (WIFSIGNALED(status))
		snprintf(how, size, "signal %d%s%s", WTERMSIG(status), sep, p->said);
	else
		snprintf(how, size, "exit status %d%s%s", WEXITSTATUS(status), sep, p->said);
	fw_helper_end(&p->program);
	if (fw_boot_ns() - p->started > LASTED)
		p->wait_s = 1;
	put_off(p);
	return true;
}

bool fw_perfetto_due(const struct fw_perfetto *p, uint64_t now)
{
	return p->program.pid <= 0 && now >= p->next_start;
}

void fw_perfetto_stop(struct fw_perfetto *p)
{
	if (p->program.pid > 0)
		kill(p->program.pid, SIGTERM);
}

void fw_perfetto_unlink(struct fw_perfetto *p)
{
	if (p->path[0])
		unlink(p->path);
	p->path[0] = '\0';
}

bool fw_perfetto_end(struct fw_perfetto *p)
{
	bool by_itself = p->program.pid <= 0;

	fw_helper_end(&p->program);
	fw_perfetto_unlink(p);
	return by_itself;
}
