// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/pins.h"
#include "live/programs.h"

#define BPF_FS_MAGIC 0xcafe4a11

static const char *const pinned[] = { "threads", "fences", "fence_names", "health" };

/*
 * bpffs holds no ordinary file in which an owner could stand. The owner is a map of one entry, its
 * process id.
 */
static int owner_of(const char *dir)
{
	char path[256];
	uint32_t zero = 0, pid = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/owner", dir);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return 0;
	bpf_map_lookup_elem(fd, &zero, &pid);
	close(fd);
	return pid;
}

static int pin_owner(const char *dir)
{
	uint32_t zero = 0, pid = getpid();
	char path[256];
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "owner", 4, 4, 1, NULL), err = 0;

	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "%s/owner", dir);
	if (bpf_map_update_elem(fd, &zero, &pid, BPF_ANY) || bpf_obj_pin(fd, path))
		err = -errno;
	close(fd);
	return err;
}

void fw_pins_remove(const char *dir)
{
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(pinned); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, pinned[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/owner", dir);
	unlink(path);
	rmdir(dir);
}

int fw_pins_make(struct framewait_bpf *skel, const char *dir)
{
	struct bpf_map *maps[] = { skel->maps.threads, skel->maps.fences, skel->maps.fence_names,
				   skel->maps.health };
	struct statfs fs;
	char path[256];
	int pid = owner_of(dir), err;

	if (pid > 0 && pid != getpid() && !kill(pid, 0))
		return fw_fail(EBUSY, "%s is of the recording with pid %d; record without --pin",
			       dir, pid);
	fw_pins_remove(dir);
	if (mkdir(dir, 0700) && errno != EEXIST)
		return fw_fail(errno, "%s: %s; mount bpffs: mount -t bpf bpf /sys/fs/bpf", dir,
			       strerror(errno));
	if (statfs(dir, &fs) || (unsigned long)fs.f_type != BPF_FS_MAGIC) {
		rmdir(dir);
		return fw_fail(ENOTSUP, "%s is not on bpffs: mount -t bpf bpf /sys/fs/bpf", dir);
	}
	err = pin_owner(dir);
	for (size_t i = 0; !err && i < ARRAY_SIZE(pinned); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, pinned[i]);
		err = bpf_obj_pin(bpf_map__fd(maps[i]), path) ? -errno : 0;
	}
	if (err) {
		fw_pins_remove(dir);
		return fw_fail(err, "pinning the maps in %s: %s", dir, strerror(-err));
	}
	return 0;
}
