// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/targets.h"

#define COMM_MAX (FW_COMM_LEN - 1)
#define CGROUP2_MAGIC 0x63677270

int fw_targets_add_id(struct fw_targets *t, uint64_t key)
{
	fw_grow(t->ids, t->n_ids, t->ids_cap);
	t->ids[t->n_ids++] = key;
	return 0;
}

void fw_targets_free(struct fw_targets *t)
{
	free(t->ids);
	*t = (struct fw_targets){ 0 };
}

bool fw_targets_none(const struct fw_targets *t)
{
	return !t->all && !t->n_ids && !t->n_globs;
}

/* One [...] at @p: the bytes it stands for into @set. Return: past its end, or NULL. */
static const char *read_class(const char *p, bool set[256])
{
	bool negate = *p == '!' || *p == '^';

	if (negate)
		p++;
	memset(set, negate, 256);
	for (const char *start = p; *p && (*p != ']' || p == start); p++) {
		unsigned char from = *p, to = from;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			to = p[2];
			p += 2;
		}
		for (unsigned int c = from; c <= to; c++)
			set[c] = !negate;
	}
	return *p == ']' ? p + 1 : NULL;
}

int fw_glob_compile(const char *pattern, enum fw_glob_kind kind, struct fw_glob *out)
{
	int n = 0;

	memset(out, 0, sizeof(*out));
	out->kind = kind;
	for (const char *p = pattern; *p;) {
		bool set[256] = { false };

		if (*p == '*') {
			out->stay |= 1u << n;
			p++;
			continue;
		}
		if (n >= COMM_MAX)
			return -EINVAL;
		if (*p == '?') {
			memset(set, 1, sizeof(set));
			p++;
		} else if (*p == '[') {
			p = read_class(p + 1, set);
			if (!p)
				return -EINVAL;
		} else {
			if (*p == '\\' && p[1])
				p++;
			set[(unsigned char)*p++] = true;
		}
		for (int c = 0; c < 256; c++)
			out->step[c] |= (uint32_t)set[c] << n;
		n++;
	}
	out->accept = 1u << n;
	return 0;
}

bool fw_glob_match(const struct fw_glob *g, const char *comm)
{
	uint32_t states = 1;

	for (int i = 0; i < COMM_MAX && comm[i]; i++) {
		uint8_t c = comm[i];

		states = (states & g->step[c]) << 1 | (states & g->stay);
	}
	return states & g->accept;
}

static int add_glob(struct fw_targets *t, const char *pattern, enum fw_glob_kind kind)
{
	if (t->n_globs == FW_MAX_GLOBS)
		return fw_fail(E2BIG, "%s: more than %d names; use --uid, --cgroup or --all",
			       pattern, FW_MAX_GLOBS);
	if (fw_glob_compile(pattern, kind, &t->globs[t->n_globs]))
		return fw_fail(EINVAL,
			       "%s: not a glob of at most 15 characters, which is all that "
			       "the kernel keeps of a thread's name",
			       pattern);
	t->n_globs++;
	return 0;
}

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[");
}

/* The name that the kernel has of a process with this program or package name. */
static int add_process_name(struct fw_targets *t, const char *name)
{
	size_t len = strlen(name);
	char cut[COMM_MAX + 1];
	int err;

	if (is_glob(name))
		return add_glob(t, name, FW_GLOB_PROCESS);
	snprintf(cut, sizeof(cut), "%.15s", name);
	err = add_glob(t, cut, FW_GLOB_PROCESS);
	if (!err && len > COMM_MAX)
		err = add_glob(t, name + len - COMM_MAX, FW_GLOB_PROCESS);
	return err;
}

static size_t read_line(int dir, const char *pid, const char *file, char *buf, size_t size)
{
	char path[300];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", pid, file);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return strlen(buf);
}

static bool process_named(int proc, const char *pid, const char *pattern)
{
	char name[1024];
	const char *base;

	if (read_line(proc, pid, "cmdline", name, sizeof(name))) {
		base = strrchr(name, '/');
		if (fw_str_glob(fw_str(name), pattern) ||
		    (base && fw_str_glob(fw_str(base + 1), pattern)))
			return true;
	}
	return read_line(proc, pid, "comm", name, sizeof(name)) &&
	       fw_str_glob(fw_str(name), pattern);
}

/* Has a thread of it that name? */
static bool thread_named(int proc, const char *pid, const char *pattern)
{
	char path[300], name[64];
	bool found = false;
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	tasks = opendir(path);
	while (tasks && !found && (e = readdir(tasks))) {
		snprintf(path, sizeof(path), "%.20s/task/%.20s", pid, e->d_name);
		found = read_line(proc, path, "comm", name, sizeof(name)) &&
			fw_str_glob(fw_str(name), pattern);
	}
	if (tasks)
		closedir(tasks);
	return found;
}

/* All processes that are @named so now, into @t unless it is NULL. Return: how many. */
static int find_processes(struct fw_targets *t, bool (*named)(int, const char *, const char *),
			  const char *pattern)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	int n = 0;

	if (!proc)
		return 0;
	while ((e = readdir(proc))) {
		if (!isdigit((unsigned char)e->d_name[0]) ||
		    !named(dirfd(proc), e->d_name, pattern))
			continue;
		if ((uint32_t)atoi(e->d_name) == (uint32_t)getpid())
			continue;
		if (t)
			fw_targets_add_id(t, FW_WANT_KEY(FW_WANT_PID, atoi(e->d_name)));
		n++;
	}
	closedir(proc);
	return n;
}

bool fw_process_runs(const char *pattern)
{
	return find_processes(NULL, process_named, pattern) > 0;
}

int fw_targets_process(struct fw_targets *t, const char *arg)
{
	int64_t pid;
	char path[64];
	int err;

	if (fw_str_int(fw_str(arg), &pid)) {
		snprintf(path, sizeof(path), "/proc/%lld", (long long)pid);
		if (pid <= 0 || pid > INT32_MAX || access(path, F_OK))
			return fw_fail(ESRCH, "-p %s: no such process; a name may come later", arg);
		return fw_targets_add_id(t, FW_WANT_KEY(FW_WANT_PID, pid));
	}
	if (!*arg)
		return fw_fail(EINVAL, "-p: an empty name");
	err = add_process_name(t, arg);
	if (!err && !find_processes(t, process_named, arg))
		fw_warn("no process matches %s yet", arg);
	return err;
}

int fw_targets_uid(struct fw_targets *t, const char *arg)
{
	int64_t uid;

	if (!fw_str_int(fw_str(arg), &uid) || uid < 0 || uid > UINT32_MAX)
		return fw_fail(EINVAL, "--uid %s: expected a number; id -u %s prints it", arg, arg);
	return fw_targets_add_id(t, FW_WANT_KEY(FW_WANT_UID, uid));
}

int fw_targets_cgroup(struct fw_targets *t, const char *arg)
{
	struct statfs fs;
	struct stat st;

	if (statfs(arg, &fs) || stat(arg, &st))
		return fw_fail(errno, "--cgroup %s: %s", arg, strerror(errno));
	if ((unsigned long)fs.f_type != CGROUP2_MAGIC)
		return fw_fail(EINVAL, "--cgroup %s: not a directory of cgroup2", arg);
	/* The id of a cgroup2 directory is its inode number (kernfs, 5.5 and later). */
	return fw_targets_add_id(t, FW_WANT_KEY(FW_WANT_CGROUP, st.st_ino));
}

int fw_targets_comm(struct fw_targets *t, const char *arg)
{
	int err;

	if (!*arg)
		return fw_fail(EINVAL, "--comm: an empty name");
	err = add_glob(t, arg, FW_GLOB_THREAD);
	if (!err && !find_processes(NULL, thread_named, arg))
		fw_warn("no thread matches %s yet", arg);
	return err;
}

void fw_targets_add_system(struct fw_targets *t)
{
	find_processes(t, process_named, "surfaceflinger");
	find_processes(t, process_named, "*graphics.composer*");
}

bool fw_ids_are_the_kernels(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) || st.st_ino == 0xEFFFFFFC;
}
