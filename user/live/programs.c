// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/programs.h"

static const struct {
	const char *name;
	enum fw_rung rung;
} rungs[] = {
	{ "fw_irq_entry", FW_RUNG_IRQ },
	{ "fw_irq_exit", FW_RUNG_IRQ },
	{ "fw_softirq_in", FW_RUNG_IRQ },
	{ "fw_softirq_out", FW_RUNG_IRQ },
	{ "fw_timer_in", FW_RUNG_IRQ },
	{ "fw_timer_out", FW_RUNG_IRQ },
	{ "fw_call_in", FW_RUNG_IRQ },
	{ "fw_call_out", FW_RUNG_IRQ },
	{ "fw_cpu_freq", FW_RUNG_CPU_FREQUENCY },
	{ "fw_gpu_freq", FW_RUNG_GPU_FREQUENCY },
	{ "fw_gpu_mem", FW_RUNG_GPU_MEM },
	{ "fw_blocked1", FW_RUNG_BLOCKED_REASON },
	{ "fw_blocked2", FW_RUNG_BLOCKED_REASON },
	{ "fw_fence_init", FW_RUNG_FENCE },
	{ "fw_fence_emit", FW_RUNG_FENCE },
	{ "fw_fence_enable", FW_RUNG_FENCE },
	{ "fw_fence_signal", FW_RUNG_FENCE },
	{ "fw_fence_free", FW_RUNG_FENCE },
	{ "fw_fence_wait", FW_RUNG_FENCE },
	{ "fw_fence_done", FW_RUNG_FENCE },
	{ "fw_fence_names", FW_RUNG_FENCE_NAMES },
	{ "fw_snapshot", FW_RUNG_TASK_ITER },
	{ "fw_checkpoint", FW_RUNG_TASK_ITER },
	{ "fw_symbol", FW_RUNG_SYMBOLS },
	{ "fw_poll", FW_RUNG_MODULE },
	{ "fw_poll_raw", FW_RUNG_MODULE },
	{ "fw_create", FW_RUNG_MODULE },
	{ "fw_create_raw", FW_RUNG_MODULE },
	{ "fw_merge", FW_RUNG_MODULE },
	{ "fw_merge_raw", FW_RUNG_MODULE },
	{ "fw_name", FW_RUNG_MODULE },
	{ "fw_name_raw", FW_RUNG_MODULE },
	{ "fw_block", FW_RUNG_MODULE },
	{ "fw_block_raw", FW_RUNG_MODULE },
};

enum fw_rung fw_program_rung(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++) {
		if (!strcmp(rungs[i].name, name))
			return rungs[i].rung;
	}
	return FW_RUNG_SCHED;
}

/* Can programs be attached to this event of tracefs? @event: "sched/sched_switch" */
static bool in_tracefs(const char *event)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		snprintf(path, sizeof(path), "%s/events/%s/id", roots[i], event);
		if (!access(path, R_OK))
			return true;
	}
	return false;
}

/* The prototype of a tracepoint's probe, without its first argument (void *data). */
static const struct btf_type *probe_proto(const struct btf *btf, const char *event)
{
	const struct btf_type *t;
	char name[128];
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", event);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);
	t = id > 0 ? btf__type_by_id(btf, id) : NULL;
	t = t ? btf__type_by_id(btf, t->type) : NULL;
	t = t && btf_is_ptr(t) ? btf__type_by_id(btf, t->type) : NULL;
	return t && btf_is_func_proto(t) && btf_vlen(t) ? t : NULL;
}

static bool arg_is_pointer(const struct btf *btf, const struct btf_type *proto, int i)
{
	const struct btf_type *t = btf__type_by_id(btf, btf_params(proto)[i + 1].type);

	return t && btf_is_ptr(t);
}

int fw_shapes_read(const struct btf *btf, struct fw_shapes *out)
{
	const struct btf_type *sw = probe_proto(btf, "sched_switch");
	const struct btf_type *blocked = probe_proto(btf, "sched_blocked_reason");
	int n;

	*out = (struct fw_shapes){ 0 };
	if (blocked)
		out->blocked_args = btf_vlen(blocked) - 1;
	if (!sw)
		return fw_fail(ENOENT, "the kernel's BTF has no sched_switch; "
				       "CONFIG_TRACEPOINTS and CONFIG_DEBUG_INFO_BTF are needed");
	n = btf_vlen(sw) - 1;
	/* 5.18-rc1 to rc6 had prev_state as the second argument; 9c2136be0878 moved it. */
	if (n < 3 || n > 4 || !arg_is_pointer(btf, sw, 1) || !arg_is_pointer(btf, sw, 2))
		return fw_fail(ENOTSUP,
			       "sched_switch has %d arguments in an order of no released "
			       "kernel",
			       n);
	out->switch_args = n;
	return 0;
}

bool fw_module_has_btf(void)
{
	return !access("/sys/kernel/btf/framewait", R_OK);
}

/* framewait.ko's own events: by its BTF where it has any, else as raw tracepoints. */
static bool has_module_event(const char *section)
{
	if (!strncmp(section, "tp_btf/", 7))
		return fw_module_has_btf();
	return !fw_module_has_btf() && !access("/sys/module/framewait", F_OK);
}

static bool has_event(const struct btf *btf, const char *section, const struct fw_shapes *shapes,
		      const char *name)
{
	if (!strcmp(name, "fw_switch"))
		return shapes->switch_args == 4;
	if (!strcmp(name, "fw_switch3"))
		return shapes->switch_args == 3;
	if (!strcmp(name, "fw_blocked2"))
		return shapes->blocked_args == 2;
	if (!strcmp(name, "fw_blocked1"))
		return shapes->blocked_args == 1 && in_tracefs(strchr(section, '/') + 1);
	if (fw_program_rung(name) == FW_RUNG_MODULE)
		return has_module_event(section);
	if (!strncmp(section, "tp_btf/", 7))
		return probe_proto(btf, section + 7);
	if (!strncmp(section, "tracepoint/", 11))
		return in_tracefs(section + 11);
	return true;
}

uint32_t fw_programs_choose(struct framewait_bpf *skel, const struct btf *btf,
			    const struct fw_shapes *shapes, uint32_t want)
{
	struct bpf_program *p;
	uint32_t chosen = 1u << FW_RUNG_BTF;

	bpf_object__for_each_program(p, skel->obj)
	{
		const char *name = bpf_program__name(p);
		uint32_t bit = 1u << fw_program_rung(name);
		bool load =
			(want & bit) && has_event(btf, bpf_program__section_name(p), shapes, name);

		bpf_program__set_autoload(p, load);
		if (load)
			chosen |= bit;
	}
	return chosen;
}
