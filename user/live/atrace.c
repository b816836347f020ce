// SPDX-License-Identifier: GPL-2.0-or-later
/* atrace - the tags that make Android's programs write trace marks */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "live/atrace.h"
#include "live/helper.h"

#define TAGS "debug.atrace.tags.enableflags"
#define HELD "debug.framewait.atrace"
/* ATRACE_TAG_GRAPHICS (SurfaceFlinger) and ATRACE_TAG_VIEW (Choreographer, hwui): cutils/trace.h */
#define FRAME_TAGS ((uint64_t)(1 << 1 | 1 << 3))
#define VALUE_MAX 92 /* PROP_VALUE_MAX */
#define HELPER_MS 1000
#define MAX_HOLDERS 8
/* IBinder::SYSPROPS_TRANSACTION, '_SPR': ActivityManagerService hands it on to all apps. */
#define SYSPROPS "1599295570"

/**
 * struct held - what HELD says: "TAGS-BEFORE PID..."
 * @before: the tags before the first of us added any
 */
struct held {
	uint64_t before;
	pid_t pids[MAX_HOLDERS];
	int n;
	bool any; /* the property was set */
};

static int get(const char *name, char *value)
{
	char *argv[] = { "getprop", (char *)name, NULL };
	int status = fw_helper_run(argv, HELPER_MS, value, VALUE_MAX);

	if (status == -ENOENT)
		return 1;
	if (status)
		return fw_fail(EIO, "getprop %s: failed (%d)", name, status);
	value[strcspn(value, "\r\n")] = '\0';
	return 0;
}

static int set(const char *name, const char *value)
{
	char *argv[] = { "setprop", (char *)name, (char *)value, NULL };
	char out[256];
	int status = fw_helper_run(argv, HELPER_MS, out, sizeof(out));

	if (status == -ENOENT)
		return 1;
	if (status)
		return fw_fail(EIO, "setprop %s %s: failed (%d) %s", name, value, status, out);
	return 0;
}

/* Processes look at the property again when told; newer ones see the change by themselves. */
static void poke(void)
{
	static const char *const services[] = { "activity", "SurfaceFlinger" };
	char out[256];

	for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
		char *argv[] = { "service", "call", (char *)services[i], SYSPROPS, NULL };

		if (fw_helper_run(argv, HELPER_MS / 4, out, sizeof(out)) == -ENOENT)
			return;
	}
}

static int get_tags(uint64_t *tags)
{
	char value[VALUE_MAX];
	int ret = get(TAGS, value);

	if (!ret)
		*tags = strtoull(value, NULL, 0);
	return ret;
}

static int set_tags(uint64_t tags)
{
	char value[VALUE_MAX];
	int ret;

	snprintf(value, sizeof(value), tags ? "0x%" PRIx64 : "%" PRIu64, tags);
	ret = set(TAGS, value);
	if (!ret)
		poke();
	return ret;
}

/* The dead, and this process, hold nothing. */
static int get_held(struct held *h)
{
	char value[VALUE_MAX], *p, *end;
	int ret = get(HELD, value);

	*h = (struct held){ 0 };
	if (ret)
		return ret;
	h->before = strtoull(value, &p, 0);
	h->any = p != value;
	for (; *p && h->n < MAX_HOLDERS - 1; p = end) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		if (pid > 0 && pid != getpid() && (!kill(pid, 0) || errno != ESRCH))
			h->pids[h->n++] = pid;
	}
	return 0;
}

static int set_held(const struct held *h)
{
	char value[VALUE_MAX] = "";
	int n = 0;

	if (h->n)
		n = snprintf(value, sizeof(value), "0x%" PRIx64, h->before);
	for (int i = 0; i < h->n && n < (int)sizeof(value) - 12; i++)
		n += snprintf(value + n, sizeof(value) - n, " %d", h->pids[i]);
	return set(HELD, value);
}

/* Take away what was added to @before, and nothing that others set meanwhile. */
static int restore(uint64_t before)
{
	uint64_t tags;
	int ret = get_tags(&tags);

	if (ret || !(tags & FRAME_TAGS & ~before))
		return ret;
	return set_tags(tags & ~(FRAME_TAGS & ~before));
}

int fw_atrace_hold(void)
{
	struct held h;
	uint64_t tags;
	int ret = get_held(&h);

	if (ret)
		return ret;
	if (h.any && !h.n) /* a killed recording's */
		ret = restore(h.before);
	if (!ret)
		ret = get_tags(&tags);
	if (ret)
		return ret;
	if (!h.n)
		h.before = tags;
	h.pids[h.n++] = getpid();
	ret = set_held(&h);
	if (ret)
		return ret;
	return (tags & FRAME_TAGS) == FRAME_TAGS ? 0 : set_tags(tags | FRAME_TAGS);
}

int fw_atrace_release(void)
{
	struct held h;
	int ret = get_held(&h);

	if (!ret && !h.n)
		ret = restore(h.before);
	return ret ? ret : set_held(&h);
}

bool fw_atrace_possible(char *detail, size_t size)
{
	char value[VALUE_MAX];
	int ret = get(TAGS, value);

	if (!ret)
		snprintf(detail, size, "tags now: %s", value[0] ? value : "none");
	else
		snprintf(detail, size, "%s",
			 ret > 0 ? "no program getprop: not Android" : fw_fail_text());
	fw_fail_clear();
	return !ret;
}
