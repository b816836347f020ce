// SPDX-License-Identifier: GPL-2.0
/* Start and end of the module: what it could get of this kernel, and its trace events. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/tracepoint.h>

#include "framewait.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static u32 features;

void fw_has(u32 feature)
{
	features |= feature;
}

u32 fw_features(void)
{
	return features;
}

struct search {
	const char *name;
	struct tracepoint *found;
};

static void match(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (!strcmp(tp->name, s->name))
		s->found = tp;
}

/**
 * fw_find_tracepoint() - a tracepoint of the kernel itself, exported or not
 * @name: name without prefix
 * Return: NULL if this kernel has none of that name.
 */
struct tracepoint *fw_find_tracepoint(const char *name)
{
	struct search s = { .name = name };

	for_each_kernel_tracepoint(match, &s);
	return s.found;
}

/*
 * A probe may still run on another CPU. tracepoint_synchronize_unregister() would also wait for kinds
 * of tracepoints that are none of ours, and since 6.13 by a function that GKI does not export;
 * sched_switch fires with preemption off.
 */
static void wait_for_probes(void)
{
	synchronize_rcu();
}

static int __init framewait_init(void)
{
	int err;

	fw_sync_file_init();
	err = fw_blocked_init();
	if (err)
		goto out_sync_file;
	err = fw_device_init();
	if (err)
		goto out_blocked;
	return 0;

out_blocked:
	fw_blocked_exit();
out_sync_file:
	fw_sync_file_exit();
	wait_for_probes();
	return err;
}

static void __exit framewait_exit(void)
{
	fw_device_exit();
	fw_blocked_exit();
	fw_sync_file_exit();
	wait_for_probes();
	fw_sw_exit();
}

module_init(framewait_init);
module_exit(framewait_exit);

MODULE_DESCRIPTION("Which fence a thread waits for: events and tests of framewait");
MODULE_AUTHOR("framewait maintainers");
MODULE_VERSION("1");
MODULE_LICENSE("GPL");
