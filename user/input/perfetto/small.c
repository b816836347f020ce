// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * small - events of packets that are not ftrace
 *
 * Field numbers: protos/perfetto/trace/{ps/process_tree,ps/process_stats,android/android_log,
 * profiling/profile_packet,gpu/...}.proto, v57.2.
 */
#include "input/perfetto/perfetto.h"

#include "base/mem.h"

#define AT(type, member) offsetof(struct type, member)

bool pf_small_field(uint32_t field)
{
	switch (field) {
	case TP_PROCESS_TREE:
	case TP_PROCESS_STATS:
	case TP_ANDROID_LOG:
	case TP_GPU_COUNTER:
	case TP_RENDER_STAGE:
	case TP_GRAPHICS_FRAME:
	case TP_VULKAN_MEMORY:
	case TP_GPU_LOG:
	case TP_VULKAN_API:
	case TP_PERF_SAMPLE:
	case TP_GPU_MEM_TOTAL:
	case TP_FRAME_TIMELINE:
	case TP_GENERIC_TASK:
	case TP_GPU_FREQUENCY:
	case TP_TRACK_EVENT:
	case TP_TRACK_DESCRIPTOR:
		return true;
	}
	return false;
}

void pf_small_begin(struct pf_small_iter *it, const struct pf_small *rec, struct pf_gpu *gpu)
{
	*it = (struct pf_small_iter){
		.payload = { rec->bytes, rec->len },
		.field = rec->field,
		.gen = rec->gen,
		.ts = rec->ts,
		.gpu = gpu,
	};
	it->pb = fw_pb_of(it->payload);
}

/* The next length-delimited field @id; false at the end or where the bytes are no message. */
static bool next_message(struct pf_small_iter *it, uint32_t id, struct fw_str *out)
{
	struct fw_pb_field f;

	while (fw_pb_next(&it->pb, &f) > 0) {
		if (f.id == id && f.wire == FW_WIRE_LEN) {
			*out = f.s;
			return true;
		}
	}
	return false;
}

static bool tree_process(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, proc.pid), 0 },
		{ 2, FW_FILL_I32, AT(fw_event, proc.ppid), 0 },
		{ 5, FW_FILL_I32, AT(fw_event, proc.uid), 0 },
		{ 7, FW_FILL_I64, AT(fw_event, proc.start_from_boot), 0 },
		{ 8, FW_FILL_BOOL, AT(fw_event, proc.is_kthread), 0 },
		{ 9, FW_FILL_BOOL, AT(fw_event, proc.cmdline_is_comm), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	ev->type = FW_EV_TREE_PROCESS;
	ev->proc = (struct fw_ev_tree_process){ .uid = -1, .start_from_boot = -1 };
	if (!fw_fill(msg, fields, ev, FW_FILL_NO_HAS))
		return false;
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id != 3 || f.wire != FW_WIRE_LEN)
			continue;
		if (!ev->proc.n_cmdline++)
			ev->proc.argv0 = f.s;
	}
	return true;
}

static bool tree_thread(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, thread.tid), 0 },
		{ 2, FW_FILL_STR, AT(fw_event, thread.name), 0 },
		{ 3, FW_FILL_I32, AT(fw_event, thread.tgid), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_TREE_THREAD;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

/* All processes of a tree first, then its threads; process_tree_module.cc. */
static bool next_tree(struct pf_small_iter *it, struct fw_event *ev)
{
	struct fw_str msg;

	while (it->stage == 0 && next_message(it, 1, &msg)) {
		if (tree_process(msg, ev))
			return true;
	}
	if (it->stage == 0) {
		it->stage = 1;
		it->pb = fw_pb_of(it->payload);
	}
	while (next_message(it, 2, &msg)) {
		if (tree_thread(msg, ev))
			return true;
	}
	return false;
}

static bool next_stats(struct pf_small_iter *it, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, proc.pid), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_str msg;

	if (!next_message(it, 1, &msg))
		return false;
	ev->type = FW_EV_PROCESS_STATS;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static bool log_line(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 2, FW_FILL_I32, AT(fw_event, thread.tgid), 0 },
		{ 3, FW_FILL_I32, AT(fw_event, thread.tid), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_THREAD_SEEN;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static bool perf_sample(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 2, FW_FILL_I32, AT(fw_event, thread.tgid), 0 },
		{ 3, FW_FILL_I32, AT(fw_event, thread.tid), 0 },
		{ 0, 0, 0, 0 },
	};

	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	/* Notes of lost or skipped samples are no samples; perf_sample_tracker.cc. */
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id >= 17 && f.id <= 19)
			return false;
	}
	ev->type = FW_EV_THREAD_SEEN;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static bool gpu_frequency(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, freq.unit), 0 },
		{ 2, FW_FILL_I64, AT(fw_event, freq.value), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_GPU_FREQUENCY;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static bool gpu_mem_total(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, gpu_mem.gpu_id), 0 },
		{ 2, FW_FILL_I32, AT(fw_event, gpu_mem.pid), 0 },
		{ 3, FW_FILL_U64, AT(fw_event, gpu_mem.size), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_GPU_MEM_TOTAL;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

/* Packets that are one event. */
static bool single(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	switch (it->field) {
	case TP_GRAPHICS_FRAME:
		return fw_decode_graphics_frame(it->payload, ev);
	case TP_FRAME_TIMELINE:
		return fw_decode_frame_timeline(it->payload, ev);
	case TP_GENERIC_TASK:
		return fw_decode_generic_task(it->payload, ev);
	case TP_VULKAN_MEMORY:
		return pf_vulkan_memory(it->payload, ev);
	case TP_VULKAN_API:
		return pf_vulkan_api(it->payload, ev);
	case TP_GPU_LOG:
		return pf_gpu_log(it->payload, ev);
	case TP_ANDROID_LOG:
		return log_line(it->payload, ev);
	case TP_PERF_SAMPLE:
		return perf_sample(it->payload, ev);
	case TP_GPU_FREQUENCY:
		return gpu_frequency(it->payload, ev);
	case TP_TRACK_DESCRIPTOR:
		return pf_thread_descriptor(it->payload, ev);
	case TP_GPU_MEM_TOTAL:
		return gpu_mem_total(it->payload, ev);
	}
	return false;
}

bool pf_small_next(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	bool ok;

	if (it->stage < 0)
		return false;
	memset(ev, 0, sizeof(*ev));
	ev->ts = it->ts;
	ev->cpu = -1;
	ev->tid = -1;
	switch (it->field) {
	case TP_PROCESS_TREE:
		return next_tree(it, ev);
	case TP_PROCESS_STATS:
		return next_stats(it, ev);
	case TP_GPU_COUNTER:
		return pf_gpu_counter_next(p, it, ev);
	case TP_RENDER_STAGE:
		it->stage = -1;
		return pf_render_stage(p, it, ev);
	}
	if (it->field == TP_TRACK_EVENT) {
		it->stage = -1;
		return pf_track_slice(p, it->payload, ev);
	}
	ok = single(p, it, ev);
	if (!ok && it->field != TP_TRACK_DESCRIPTOR && it->field != TP_PERF_SAMPLE)
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
	it->stage = -1;
	return ok;
}
