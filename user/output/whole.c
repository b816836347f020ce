// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/whole.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

struct fw_whole_file {
	char *path, *tmp;
};

static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ };

/* What a signal that ends the program removes; it changes only while these are blocked. */
static struct fw_whole *current;

/* Calls nothing that a signal handler may not. */
static void remove_all(void)
{
	if (!current)
		return;
	for (size_t i = 0; i < current->n; i++)
		unlink(current->files[i].tmp);
	for (size_t i = current->n_dirs; i > 0; i--)
		rmdir(current->dirs[i - 1]);
}

/* The signal comes again, and ends the program, when its handler is left. */
static void on_end(int sig)
{
	remove_all();
	raise(sig);
}

static void watch(void)
{
	struct sigaction was, sa = { .sa_handler = on_end, .sa_flags = (int)SA_RESETHAND };
	static bool watching;

	if (watching)
		return;
	watching = true;
	atexit(remove_all);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		/* Ignored before the program began: nohup, a shell's background. */
		if (!sigaction(ends[i], NULL, &was) && was.sa_handler == SIG_DFL)
			sigaction(ends[i], &sa, NULL);
}

static sigset_t block(void)
{
	sigset_t set, was;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, &was);
	return was;
}

static void unblock(sigset_t was)
{
	sigprocmask(SIG_SETMASK, &was, NULL);
}

void fw_whole_begin(struct fw_whole *w)
{
	sigset_t was = block();

	watch();
	*w = (struct fw_whole){ 0 };
	current = w;
	unblock(was);
}

int fw_whole_dir(struct fw_whole *w, const char *path)
{
	sigset_t was = block();
	struct stat st;
	int err = mkdir(path, 0777) ? errno : 0;

	if (!err) {
		fw_grow(w->dirs, w->n_dirs, w->cap_dirs);
		w->dirs[w->n_dirs++] = fw_strdup(path);
	} else if (err == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)) {
		err = 0;
	}
	unblock(was);
	return err ? fw_fail(err, "%s: cannot make the directory: %s", path, strerror(err)) : 0;
}

const char *fw_whole_add(struct fw_whole *w, const char *path)
{
	/* The pid keeps two runs apart; what has the name was left by one that was killed. */
	char *tmp = fw_asprintf("%s.%ld.tmp", path, (long)getpid());
	sigset_t was = block();

	unlink(tmp);
	fw_grow(w->files, w->n, w->cap);
	w->files[w->n++] = (struct fw_whole_file){ fw_strdup(path), tmp };
	unblock(was);
	return tmp;
}

void fw_whole_move(struct fw_whole *w, const char *dir)
{
	for (size_t i = 0; i < w->n; i++) {
		char *path = w->files[i].path, *slash = strrchr(path, '/');

		w->files[i].path = fw_asprintf("%s/%s", dir, slash ? slash + 1 : path);
		free(path);
	}
}

int fw_whole_end(struct fw_whole *w, int err)
{
	sigset_t was = block();

	for (size_t i = 0; i < w->n && !err; i++)
		if (rename(w->files[i].tmp, w->files[i].path))
			err = fw_fail(errno, "%s: cannot create: %s", w->files[i].path,
				      strerror(errno));
	if (err)
		remove_all();
	current = NULL;
	unblock(was);
	for (size_t i = 0; i < w->n; i++) {
		free(w->files[i].path);
		free(w->files[i].tmp);
	}
	for (size_t i = 0; i < w->n_dirs; i++)
		free(w->dirs[i]);
	free(w->files);
	free(w->dirs);
	*w = (struct fw_whole){ 0 };
	return err;
}
