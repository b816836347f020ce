// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * small - events of packets that are not ftrace
 *
 * Field numbers: protos/perfetto/trace/{ps/process_tree,ps/process_stats,android/android_log,
 * profiling/profile_packet,gpu/...}.proto, v57.2.
 */
#include "input/perfetto/perfetto.h"

#include <stdio.h>

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

void pf_small_begin(struct pf_small_iter *it, const struct pf_small *rec, struct fw_map *gpu_names)
{
	*it = (struct pf_small_iter){
		.payload = { rec->bytes, rec->len },
		.field = rec->field,
		.gen = rec->gen,
		.ts = rec->ts,
		.gpu_names = gpu_names,
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

static bool gpu_log(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, gpu_log.severity), 0 },
		{ 2, FW_FILL_STR, AT(fw_event, gpu_log.tag), 0 },
		{ 3, FW_FILL_STR, AT(fw_event, gpu_log.message), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_GPU_LOG;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static bool vulkan_memory(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, vulkan.source), 0 },
		{ 2, FW_FILL_I32, AT(fw_event, vulkan.operation), 0 },
		{ 4, FW_FILL_I32, AT(fw_event, vulkan.pid), 0 },
		{ 5, FW_FILL_U64, AT(fw_event, vulkan.address), 0 },
		{ 6, FW_FILL_U64, AT(fw_event, vulkan.size), 0 },
		{ 17, FW_FILL_U64, AT(fw_event, vulkan.memory), 0 },
		{ 19, FW_FILL_U64, AT(fw_event, vulkan.heap), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_VULKAN_MEMORY;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

/* VkDebugUtilsObjectName { pid 1, vk_device 2, object 3, object_name 4 }. */
static bool vulkan_api(struct pf_small_iter *it, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, vulkan.pid), 0 },
		{ 3, FW_FILL_U64, AT(fw_event, vulkan.memory), 0 },
		{ 4, FW_FILL_STR, AT(fw_event, vulkan.what), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_str msg;

	ev->type = FW_EV_VULKAN_API;
	return next_message(it, 1, &msg) && fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

static uint64_t counter_key(int32_t gpu, uint32_t counter)
{
	return (uint64_t)(uint32_t)gpu << 32 | counter;
}

/* GpuCounterSpec { counter_id 1, name 2, numerator_units 7, denominator_units 8 }. */
static void learn_counter(struct pf *p, struct pf_small_iter *it, struct fw_str spec)
{
	struct fw_pb pb = fw_pb_of(spec);
	struct fw_str name = FW_STR_NONE;
	struct fw_pb_field f;
	uint32_t id = 0;
	char unit[64];
	int n = 0;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			id = (uint32_t)f.v;
		else if (f.id == 2 && f.wire == FW_WIRE_LEN)
			name = f.s;
		else if ((f.id == 7 || f.id == 8) && f.wire == FW_WIRE_VARINT && n < 40)
			n += snprintf(unit + n, sizeof(unit) - n, "%s%u",
				      f.id == 8 ? "/"
				      : n	? "*"
						: "",
				      (unsigned int)f.v);
	}
	fw_map_set(it->gpu_names, counter_key(it->gpu_id, id),
		   (uint64_t)fw_names_id(p->names, name) << 32 |
			   (n ? fw_names_id(p->names, (struct fw_str){ unit, n }) : 0));
}

static void learn_descriptor(struct pf *p, struct pf_small_iter *it, struct fw_str desc)
{
	struct fw_pb pb = fw_pb_of(desc);
	struct fw_pb_field f;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			learn_counter(p, it, f.s);
	}
}

/* { iid = 1, descriptor = 2, gpu_id = 3 } as it was interned. */
static void learn_interned(struct pf *p, struct pf_small_iter *it, uint64_t iid)
{
	struct fw_str msg = pf_interned(p, it->gen, PF_COUNTER_DESCS, iid);
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	while (msg.p && fw_pb_next(&pb, &f) > 0) {
		if (f.id == 2 && f.wire == FW_WIRE_LEN)
			learn_descriptor(p, it, f.s);
	}
}

/* Stage 0 reads the gpu and what the counters are called, stage 1 hands on the values. */
static void gpu_counter_names(struct pf *p, struct pf_small_iter *it)
{
	struct fw_pb pb = it->pb;
	struct fw_pb_field f;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 3 && f.wire == FW_WIRE_VARINT)
			it->gpu_id = (int32_t)f.v;
	}
	for (pb = it->pb; fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			learn_descriptor(p, it, f.s);
		else if (f.id == 4 && f.wire == FW_WIRE_VARINT)
			learn_interned(p, it, f.v);
	}
	it->stage = 1;
}

static bool next_gpu_counter(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	struct fw_ev_gpu_counter *c = &ev->gpu_counter;
	struct fw_str msg;
	struct fw_pb_field f;
	struct fw_pb pb;
	uint64_t *known;

	if (!it->stage)
		gpu_counter_names(p, it);
	if (!next_message(it, 2, &msg))
		return false;
	ev->type = FW_EV_GPU_COUNTER;
	c->gpu_id = it->gpu_id;
	for (pb = fw_pb_of(msg); fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT) {
			c->counter_id = (uint32_t)f.v;
		} else if (f.id == 2 && f.wire == FW_WIRE_VARINT) {
			c->int_value = (int64_t)f.v;
			c->value = (double)c->int_value;
		} else if (f.id == 3 && f.wire == FW_WIRE_FIXED64) {
			memcpy(&c->value, &f.v, sizeof(c->value));
			c->is_double = true;
		}
	}
	known = fw_map_get(it->gpu_names, counter_key(c->gpu_id, c->counter_id));
	if (known) {
		c->name = fw_names_str(p->names, (uint32_t)(*known >> 32));
		c->unit = fw_names_str(p->names, (uint32_t)*known);
	}
	return true;
}

static bool render_stage(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_U64, AT(fw_event, stage.event_id), 0 },
		{ 2, FW_FILL_U64, AT(fw_event, stage.duration_ns), 0 },
		{ 3, FW_FILL_U64, AT(fw_event, stage.hw_queue_id), 0 },
		{ 4, FW_FILL_U64, AT(fw_event, stage.stage_id), 0 },
		{ 5, FW_FILL_U64, AT(fw_event, stage.context), 0 },
		{ 8, FW_FILL_U64, AT(fw_event, stage.render_target), 0 },
		{ 9, FW_FILL_U64, AT(fw_event, stage.render_pass), 0 },
		{ 10, FW_FILL_U64, AT(fw_event, stage.submission_id), 0 },
		{ 11, FW_FILL_I32, AT(fw_event, stage.gpu_id), 0 },
		{ 12, FW_FILL_U64, AT(fw_event, stage.command_buffer), 0 },
		{ 13, FW_FILL_U64, AT(fw_event, stage.hw_queue_id), 0 },
		{ 14, FW_FILL_U64, AT(fw_event, stage.stage_id), 0 },
		{ 17, FW_FILL_STR, AT(fw_event, stage.stage), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_str ctx;
	struct fw_pb_field f;
	struct fw_pb pb;

	ev->type = FW_EV_GPU_RENDER_STAGE;
	if (!fw_fill(it->payload, fields, ev, FW_FILL_NO_HAS))
		return false;
	ev->stage.queue = pf_interned(p, it->gen, PF_SPECS, ev->stage.hw_queue_id);
	if (!ev->stage.stage.p)
		ev->stage.stage = pf_interned(p, it->gen, PF_SPECS, ev->stage.stage_id);
	ctx = pf_interned(p, it->gen, PF_CONTEXTS, ev->stage.context);
	ev->stage.pid = -1;
	for (pb = fw_pb_of(ctx); ctx.p && fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 2 && f.wire == FW_WIRE_VARINT)
			ev->stage.pid = (int32_t)f.v;
	}
	return true;
}

/* Packets that are one event. */
static bool single(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	switch (it->field) {
	case TP_RENDER_STAGE:
		return render_stage(p, it, ev);
	case TP_GRAPHICS_FRAME:
		return fw_decode_graphics_frame(it->payload, ev);
	case TP_FRAME_TIMELINE:
		return fw_decode_frame_timeline(it->payload, ev);
	case TP_GENERIC_TASK:
		return fw_decode_generic_task(it->payload, ev);
	case TP_VULKAN_MEMORY:
		return vulkan_memory(it->payload, ev);
	case TP_VULKAN_API:
		return vulkan_api(it, ev);
	case TP_GPU_LOG:
		return gpu_log(it->payload, ev);
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
		return next_gpu_counter(p, it, ev);
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
