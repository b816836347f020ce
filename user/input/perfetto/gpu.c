// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gpu - GPU counters, render stages, Vulkan memory, the GPU producer's log
 *
 * Field numbers: protos/perfetto/trace/gpu/{gpu_counter_event,gpu_render_stage_event,gpu_log,
 * vulkan_memory_event,vulkan_api_event}.proto and common/gpu_counter_descriptor.proto; what they
 * mean: src/trace_processor/importers/proto/gpu_event_parser.cc.
 */
#include "input/perfetto/perfetto.h"

#include "base/mem.h"

#define AT(type, member) offsetof(struct type, member)

/* A descriptor of more is not believed. */
#define SPECS_MAX 65536u
#define COUNTERS_MAX 65536u
#define CONTEXTS_MAX 65536u

/* Inline specifications: hardware queues and stages are numbered by their order. */
enum spec_kind { SPEC_QUEUE, SPEC_STAGE };

void pf_gpu_free(struct pf_gpu *g)
{
	fw_map_free(&g->counters);
	fw_map_free(&g->interned);
	fw_map_free(&g->specs);
	fw_map_free(&g->contexts);
}

static uint64_t counter_key(int32_t gpu, uint32_t counter)
{
	return (uint64_t)(uint32_t)gpu << 32 | counter;
}

/* GpuCounterDescriptor.MeasureUnit, written as trace_processor writes it. */
static const char *unit_name(uint64_t unit)
{
	static const char *const names[] = {
		"",    "bit", "Kb",  "Mb",	  "Gb",	      "Tb",	     "Pb",
		"B",   "KB",  "MB",  "GB",	  "TB",	      "PB",	     "Hz",
		"KHz", "MHz", "GHz", "THz",	  "PHz",      "ns",	     "us",
		"ms",  "s",   "min", "h",	  "Vertex",   "Pixel",	     "Triangle",
		"mW",  "W",   "kW",  "J",	  "V",	      "A",	     "C",
		"F",   "K",   "%",   "Primitive", "Fragment", "Instruction",
	};

	return unit < ARRAY_SIZE(names) ? names[unit] : "Unknown";
}

struct unit_text {
	char p[64];
	size_t len;
};

static void add_unit(struct unit_text *t, char sep, uint64_t unit)
{
	const char *name = unit_name(unit);
	size_t n = strlen(name);

	if (t->len + 1 + n > sizeof(t->p))
		return;
	if (sep)
		t->p[t->len++] = sep;
	memcpy(t->p + t->len, name, n);
	t->len += n;
}

static struct fw_str put_unit(struct unit_text *t, struct fw_str spec)
{
	struct fw_pb pb = fw_pb_of(spec);
	struct fw_pb_field f;
	bool any = false;
	char sep = '/';

	t->len = 0;
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id != 7 || f.wire != FW_WIRE_VARINT)
			continue;
		add_unit(t, t->len ? ':' : 0, f.v);
		any = true;
	}
	for (pb = fw_pb_of(spec); fw_pb_next(&pb, &f) > 0;) {
		if (f.id != 8 || f.wire != FW_WIRE_VARINT || !*unit_name(f.v))
			continue;
		add_unit(t, sep, f.v);
		sep = ':';
		any = true;
	}
	return any ? (struct fw_str){ t->p, t->len } : FW_STR_NONE;
}

/* GpuCounterSpec { counter_id 1, name 2, numerator_units 7, denominator_units 8 }. */
static void learn_counter(struct pf *p, struct fw_map *to, int32_t gpu, struct fw_str spec)
{
	struct fw_pb pb = fw_pb_of(spec);
	struct fw_str name = FW_STR_NONE;
	struct unit_text unit;
	struct fw_pb_field f;
	bool has_id = false;
	uint32_t id = 0;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT) {
			id = (uint32_t)f.v;
			has_id = true;
		} else if (f.id == 2 && f.wire == FW_WIRE_LEN) {
			name = f.s;
		}
	}
	if (!has_id || !name.p || to->n >= COUNTERS_MAX)
		return;
	fw_map_set(to, counter_key(gpu, id),
		   (uint64_t)fw_names_id(p->names, name) << 32 |
			   fw_names_id(p->names, put_unit(&unit, spec)));
}

static void learn_descriptor(struct pf *p, struct fw_map *to, int32_t gpu, struct fw_str desc)
{
	struct fw_pb pb = fw_pb_of(desc);
	struct fw_pb_field f;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			learn_counter(p, to, gpu, f.s);
	}
}

/*
 * InternedGpuCounterDescriptor { iid 1, counter_descriptor 2, gpu_id 3 }. A producer names the
 * same one again and again: it is read when another is named.
 */
static void use_interned(struct pf *p, struct pf_small_iter *it, uint64_t iid)
{
	struct pf_gpu *g = it->gpu;
	struct fw_str msg = pf_interned(p, it->gen, PF_COUNTER_DESCS, iid), desc = FW_STR_NONE;
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	it->counters = &g->interned;
	if (!g->has_interned || g->interned_gen != it->gen || g->interned_iid != iid) {
		fw_map_free(&g->interned);
		g->interned = (struct fw_map){ 0 };
		g->has_interned = true;
		g->interned_gen = it->gen;
		g->interned_iid = iid;
		g->interned_gpu = it->gpu_id;
		while (msg.p && fw_pb_next(&pb, &f) > 0) {
			if (f.id == 2 && f.wire == FW_WIRE_LEN)
				desc = f.s;
			else if (f.id == 3 && f.wire == FW_WIRE_VARINT)
				g->interned_gpu = (int32_t)f.v;
		}
		learn_descriptor(p, &g->interned, g->interned_gpu, desc);
	}
	it->gpu_id = g->interned_gpu;
}

/* GpuCounterEvent { counter_descriptor 1, counters 2, gpu_id 3, counter_descriptor_iid 4 }. */
static void begin_counters(struct pf *p, struct pf_small_iter *it)
{
	struct fw_pb pb;
	struct fw_pb_field f;

	it->stage = 1;
	it->counters = &it->gpu->counters;
	for (pb = it->pb; fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 3 && f.wire == FW_WIRE_VARINT)
			it->gpu_id = (int32_t)f.v;
	}
	for (pb = it->pb; fw_pb_next(&pb, &f) > 0;) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			learn_descriptor(p, &it->gpu->counters, it->gpu_id, f.s);
		else if (f.id == 4 && f.wire == FW_WIRE_VARINT)
			use_interned(p, it, f.v);
	}
}

/* GpuCounter { counter_id 1, int_value 2 or double_value 3 }. */
static bool counter(struct fw_str msg, struct fw_ev_gpu_counter *c)
{
	struct fw_pb pb = fw_pb_of(msg);
	bool has_id = false, has_value = false;
	struct fw_pb_field f;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT) {
			c->counter_id = (uint32_t)f.v;
			has_id = true;
		} else if (f.id == 2 && f.wire == FW_WIRE_VARINT) {
			c->value = (double)(int64_t)f.v;
			has_value = true;
		} else if (f.id == 3 && f.wire == FW_WIRE_FIXED64) {
			memcpy(&c->value, &f.v, sizeof(c->value));
			has_value = true;
		}
	}
	return has_id && has_value;
}

bool pf_gpu_counter_next(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	struct fw_ev_gpu_counter *c = &ev->gpu_counter;
	struct fw_pb_field f;
	uint64_t *known;

	if (!it->stage)
		begin_counters(p, it);
	ev->type = FW_EV_GPU_COUNTER;
	while (fw_pb_next(&it->pb, &f) > 0) {
		if (f.id != 2 || f.wire != FW_WIRE_LEN || !counter(f.s, c))
			continue;
		c->gpu_id = it->gpu_id;
		known = fw_map_get(it->counters, counter_key(c->gpu_id, c->counter_id));
		c->name = known ? fw_names_str(p->names, (uint32_t)(*known >> 32)) : FW_STR_NONE;
		c->unit = known ? fw_names_str(p->names, (uint32_t)*known) : FW_STR_NONE;
		return true;
	}
	return false;
}

static uint64_t spec_key(enum spec_kind kind, uint32_t number)
{
	return (uint64_t)kind << 32 | number;
}

static struct fw_str spec_name(const struct pf *p, const struct pf_gpu *g, enum spec_kind kind,
			       uint64_t number)
{
	uint64_t *id =
		number < SPECS_MAX ? fw_map_get(&g->specs, spec_key(kind, (uint32_t)number)) : NULL;

	return id ? fw_names_str(p->names, (uint32_t)*id) : FW_STR_NONE;
}

/* Description { name 1 }. */
static void learn_spec(struct pf *p, struct pf_gpu *g, enum spec_kind kind, uint32_t number,
		       struct fw_str desc)
{
	struct fw_pb pb = fw_pb_of(desc);
	struct fw_pb_field f;

	while (number < SPECS_MAX && fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			fw_map_set(&g->specs, spec_key(kind, number), fw_names_id(p->names, f.s));
	}
}

/* ContextSpec { context 1, pid 2 }, InternedGraphicsContext { iid 1, pid 2 }; -1: not said. */
static int32_t context_pid(struct fw_str msg, uint64_t *context)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int32_t pid = -1;

	while (msg.p && fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			*context = f.v;
		else if (f.id == 2 && f.wire == FW_WIRE_VARINT)
			pid = (int32_t)f.v;
	}
	return pid;
}

/* Specifications { context_spec 1, hw_queue 2, stage 3 }. */
static void learn_specs(struct pf *p, struct pf_gpu *g, struct fw_str specs)
{
	struct fw_pb pb = fw_pb_of(specs);
	uint32_t n[2] = { 0, 0 };
	uint64_t context = 0;
	struct fw_pb_field f;
	int32_t pid;

	while (fw_pb_next(&pb, &f) > 0) {
		if (f.wire != FW_WIRE_LEN)
			continue;
		if (f.id == 2 || f.id == 3)
			learn_spec(p, g, f.id == 2 ? SPEC_QUEUE : SPEC_STAGE, n[f.id - 2]++, f.s);
		if (f.id != 1)
			continue;
		pid = context_pid(f.s, &context);
		if (pid >= 0 && g->contexts.n < CONTEXTS_MAX)
			fw_map_set(&g->contexts, context, (uint64_t)pid);
	}
}

static int32_t pid_of(struct pf *p, const struct pf_small_iter *it, uint64_t context)
{
	uint64_t same, *known = fw_map_get(&it->gpu->contexts, context);
	int32_t pid = context_pid(pf_interned(p, it->gen, PF_CONTEXTS, context), &same);

	return pid < 0 && known ? (int32_t)*known : pid;
}

/* What names a stage and its queue: numbers of the interned ones go before inline ones. */
struct stage_ids {
	bool has_event, queue_interned, stage_interned, has_name_iid;
	uint64_t name_iid;
	struct fw_str name;
};

static void read_stage_ids(struct pf *p, struct pf_small_iter *it, struct fw_ev_render_stage *s,
			   struct stage_ids *ids)
{
	struct fw_pb pb = fw_pb_of(it->payload);
	struct fw_pb_field f;

	while (fw_pb_next(&pb, &f) > 0) {
		bool number = f.wire == FW_WIRE_VARINT;

		if (f.id == 1 && number) {
			ids->has_event = true;
		} else if (f.id == 3 && number && !ids->queue_interned) {
			s->hw_queue_id = f.v;
		} else if (f.id == 4 && number && !ids->stage_interned) {
			s->stage_id = f.v;
		} else if (f.id == 7 && f.wire == FW_WIRE_LEN) {
			learn_specs(p, it->gpu, f.s);
		} else if (f.id == 13 && number) {
			ids->queue_interned = true;
			s->hw_queue_id = f.v;
		} else if (f.id == 14 && number) {
			ids->stage_interned = true;
			s->stage_id = f.v;
		} else if (f.id == 17 && f.wire == FW_WIRE_LEN) {
			ids->name = f.s;
		} else if (f.id == 20 && number) {
			ids->has_name_iid = true;
			ids->name_iid = f.v;
		}
	}
}

bool pf_render_stage(struct pf *p, struct pf_small_iter *it, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_U64, AT(fw_event, stage.event_id), 0 },
		{ 2, FW_FILL_U64, AT(fw_event, stage.duration_ns), 0 },
		{ 5, FW_FILL_U64, AT(fw_event, stage.context), 0 },
		{ 8, FW_FILL_U64, AT(fw_event, stage.render_target), 0 },
		{ 9, FW_FILL_U64, AT(fw_event, stage.render_pass), 0 },
		{ 10, FW_FILL_U64, AT(fw_event, stage.submission_id), 0 },
		{ 11, FW_FILL_I32, AT(fw_event, stage.gpu_id), 0 },
		{ 12, FW_FILL_U64, AT(fw_event, stage.command_buffer), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_ev_render_stage *s = &ev->stage;
	struct stage_ids ids = { 0 };

	ev->type = FW_EV_GPU_RENDER_STAGE;
	if (!fw_fill(it->payload, fields, ev, FW_FILL_NO_HAS)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	read_stage_ids(p, it, s, &ids);
	if (!ids.has_event)
		return false;
	s->queue = ids.queue_interned ? pf_interned(p, it->gen, PF_SPECS, s->hw_queue_id)
				      : spec_name(p, it->gpu, SPEC_QUEUE, s->hw_queue_id);
	if (ids.has_name_iid)
		s->stage = pf_interned(p, it->gen, PF_EVENT_NAMES, ids.name_iid);
	else if (ids.name.p)
		s->stage = ids.name;
	else if (ids.stage_interned)
		s->stage = pf_interned(p, it->gen, PF_SPECS, s->stage_id);
	else
		s->stage = spec_name(p, it->gpu, SPEC_STAGE, s->stage_id);
	s->pid = pid_of(p, it, s->context);
	return true;
}

bool pf_gpu_log(struct fw_str msg, struct fw_event *ev)
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

bool pf_vulkan_memory(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, vulkan.source), 0 },
		{ 2, FW_FILL_I32, AT(fw_event, vulkan.operation), 0 },
		{ 4, FW_FILL_I32, AT(fw_event, vulkan.pid), 0 },
		{ 5, FW_FILL_U64, AT(fw_event, vulkan.address), 0 },
		{ 6, FW_FILL_U64, AT(fw_event, vulkan.size), 0 },
		{ 8, FW_FILL_I32, AT(fw_event, vulkan.scope), 0 },
		{ 17, FW_FILL_U64, AT(fw_event, vulkan.memory), 0 },
		{ 18, FW_FILL_U32, AT(fw_event, vulkan.memory_type), 0 },
		{ 19, FW_FILL_U64, AT(fw_event, vulkan.heap), 0 },
		{ 0, 0, 0, 0 },
	};

	ev->type = FW_EV_VULKAN_MEMORY;
	return fw_fill(msg, fields, ev, FW_FILL_NO_HAS);
}

/* VkDebugUtilsObjectName { pid 1, vk_device 2, object 3, object_name 4 }. */
bool pf_vulkan_api(struct fw_str msg, struct fw_event *ev)
{
	static const struct fw_fill fields[] = {
		{ 1, FW_FILL_I32, AT(fw_event, vulkan.pid), 0 },
		{ 3, FW_FILL_U64, AT(fw_event, vulkan.memory), 0 },
		{ 4, FW_FILL_STR, AT(fw_event, vulkan.what), 0 },
		{ 0, 0, 0, 0 },
	};
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;

	ev->type = FW_EV_VULKAN_API;
	while (fw_pb_next(&pb, &f) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_LEN)
			return fw_fill(f.s, fields, ev, FW_FILL_NO_HAS);
	}
	return false;
}
