// SPDX-License-Identifier: GPL-2.0-or-later
/* gpu_events - which of the GPU's events is a sample of what */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "frame/gpu.h"

static void counter(struct fw_gpu *g, const struct fw_event *ev)
{
	const struct fw_ev_gpu_counter *c = &ev->gpu_counter;
	struct fw_gpu_name like = { .source = FW_GPU_COUNTER,
				    .gpu = c->gpu_id,
				    .pid = -1,
				    .has_id = true,
				    .id = c->counter_id };

	if (!isfinite(c->value)) {
		fw_health_add(g->health, FW_H_fw_gpu_bad_values, FW_HEALTH_NO_IDX, 1);
		return;
	}
	fw_gpu_sample(g, fw_gpu_name(g, &like, c->name, c->unit), ev->ts, &c->value);
}

/* In low_overhead mode all work of a submission is one stage: the sums are the same. */
static void render_stage(struct fw_gpu *g, const struct fw_event *ev)
{
	const struct fw_ev_render_stage *s = &ev->stage;
	uint64_t room = (uint64_t)(INT64_MAX - FW_MAX(ev->ts, 0));
	int64_t end = ev->ts + (int64_t)FW_MIN(s->duration_ns, room);
	struct fw_gpu_name like = { .source = FW_GPU_BUSY, .gpu = s->gpu_id, .pid = -1 };
	struct fw_str ms = FW_STR("ms");

	fw_gpu_stage(g, fw_gpu_name(g, &like, FW_STR_NONE, ms), ev->ts, end);
	like.has_id = true;
	like.source = FW_GPU_QUEUE;
	like.id = s->hw_queue_id;
	fw_gpu_stage(g, fw_gpu_name(g, &like, s->queue, ms), ev->ts, end);
	like.source = FW_GPU_STAGE;
	like.id = s->stage_id;
	fw_gpu_stage(g, fw_gpu_name(g, &like, s->stage, ms), ev->ts, end);
	like.source = FW_GPU_CONTEXT;
	like.id = s->context;
	like.pid = s->pid;
	fw_gpu_stage(g, fw_gpu_name(g, &like, FW_STR_NONE, ms), ev->ts, end);
}

/* Something is in flight from now on. */
static void begin(struct fw_gpu *g, struct fw_map *m, uint64_t key, int64_t ts)
{
	if (m->n >= FW_GPU_FLIGHT_MAX) {
		fw_health_add(g->health, FW_H_fw_gpu_forgotten, FW_HEALTH_NO_IDX, (int64_t)m->n);
		fw_map_free(m);
		*m = (struct fw_map){ 0 };
	}
	fw_map_set(m, key, (uint64_t)ts);
}

/* It has arrived: a sample of how long it took, without a value where its start was not seen. */
static void end(struct fw_gpu *g, struct fw_map *m, uint64_t key, int name, int64_t ts)
{
	uint64_t *since = fw_map_get(m, key);
	double ms;

	if (!since) {
		fw_gpu_sample(g, name, ts, NULL);
		return;
	}
	ms = (double)(ts - (int64_t)*since) / 1e6;
	fw_map_del(m, key);
	fw_gpu_sample(g, name, ts, &ms);
}

static void kgsl(struct fw_gpu *g, const struct fw_event *ev)
{
	uint64_t key = (uint64_t)ev->kgsl.id << 32 | ev->kgsl.timestamp;
	struct fw_gpu_name like = {
		.source = FW_GPU_KGSL, .gpu = -1, .pid = -1, .has_id = true, .id = ev->kgsl.id
	};
	struct fw_str ms = FW_STR("ms");

	switch (ev->kgsl.kind) {
	case FW_KGSL_QUEUED:
		begin(g, &g->queued, key, ev->ts);
		break;
	case FW_KGSL_SUBMITTED:
		end(g, &g->queued, key, fw_gpu_name(g, &like, FW_STR("queue to submit"), ms),
		    ev->ts);
		begin(g, &g->submitted, key, ev->ts);
		break;
	case FW_KGSL_RETIRED:
		end(g, &g->submitted, key, fw_gpu_name(g, &like, FW_STR("submit to retire"), ms),
		    ev->ts);
		break;
	case FW_KGSL_SYNC:
		break;
	}
}

/* Commands of one KCPU queue run one after the other: it waits for one thing at a time. */
static void mali(struct fw_gpu *g, const struct fw_event *ev)
{
	const struct fw_ev_mali_kcpu *m = &ev->mali;
	bool fence = m->kind >= FW_MALI_FENCE_SIGNAL;
	uint64_t key = fw_hash_u64((uint64_t)m->kctx_tgid << 32 | m->kctx_id) ^
		       fw_hash_u64((uint64_t)fence << 32 | m->id);
	struct fw_gpu_name like = { .source = FW_GPU_MALI,
				    .gpu = -1,
				    .pid = (int32_t)m->kctx_tgid,
				    .has_id = true,
				    .id = m->kctx_id };

	switch (m->kind) {
	case FW_MALI_CQS_SET:
	case FW_MALI_FENCE_SIGNAL:
		fw_gpu_sample(g,
			      fw_gpu_name(g, &like,
					  fence ? FW_STR("fence signal") : FW_STR("CQS set"),
					  FW_STR_NONE),
			      ev->ts, NULL);
		break;
	case FW_MALI_CQS_WAIT_START:
	case FW_MALI_FENCE_WAIT_START:
		begin(g, &g->waits, key, ev->ts);
		break;
	case FW_MALI_CQS_WAIT_END:
	case FW_MALI_FENCE_WAIT_END:
		end(g, &g->waits, key,
		    fw_gpu_name(g, &like, fence ? FW_STR("fence wait") : FW_STR("CQS wait"),
				FW_STR("ms")),
		    ev->ts);
		break;
	}
}

/* VulkanMemoryEvent.Source and .Operation */
enum { SOURCE_DRIVER = 1, SOURCE_DEVICE_MEMORY = 3, SOURCE_BUFFER = 4, SOURCE_IMAGE = 5 };
enum { OP_CREATE = 1, OP_DESTROY = 2, OP_BIND = 3, OP_DESTROY_BOUND = 4 };

/* The counter of trace_processor that the event changes; false: none. */
static bool vulkan_counter(const struct fw_ev_vulkan *v, char *buf, size_t size, bool *adds)
{
	static const char *const scopes[] = { NULL,    "COMMAND", "OBJECT",
					      "CACHE", "DEVICE",  "INSTANCE" };
	bool bound = v->source == SOURCE_BUFFER || v->source == SOURCE_IMAGE;

	*adds = v->operation == (bound ? OP_BIND : OP_CREATE);
	if (!*adds && v->operation != (bound ? OP_DESTROY_BOUND : OP_DESTROY))
		return false;
	if (v->source == SOURCE_DRIVER && v->scope > 0 && v->scope < (int)ARRAY_SIZE(scopes))
		snprintf(buf, size, "vulkan.mem.driver.scope.%s", scopes[v->scope]);
	else if (bound || v->source == SOURCE_DEVICE_MEMORY)
		snprintf(buf, size, "vulkan.mem.device.memory.type.%" PRIu32 ".%s", v->memory_type,
			 bound ? "bind" : "allocation");
	else
		return false;
	return true;
}

static void vulkan_memory(struct fw_gpu *g, const struct fw_event *ev)
{
	struct fw_gpu_name like = { .source = FW_GPU_VULKAN_MEMORY,
				    .gpu = -1,
				    .pid = ev->vulkan.pid };
	double size = (double)ev->vulkan.size;
	char buf[64];
	bool adds;
	int name;

	if (!vulkan_counter(&ev->vulkan, buf, sizeof(buf), &adds))
		return;
	name = fw_gpu_name(g, &like, fw_str(buf), FW_STR("B"));
	if (name < 0)
		return;
	g->names[name].level += adds ? size : -size;
	fw_gpu_sample(g, name, ev->ts, &g->names[name].level);
}

static void gpu_log(struct fw_gpu *g, const struct fw_event *ev)
{
	static const char *const severities[] = { "VERBOSE", "DEBUG", "INFO", "WARNING", "ERROR" };
	struct fw_gpu_name like = { .source = FW_GPU_LOG, .gpu = -1, .pid = -1 };
	uint32_t severity = (uint32_t)ev->gpu_log.severity;
	struct fw_str word = fw_str(severity < ARRAY_SIZE(severities) ? severities[severity]
								      : "UNKNOWN_SEVERITY");

	char text[FW_GPU_TEXT_MAX];

	snprintf(text, sizeof(text), "%.*s%s%.*s", FW_STR_ARG(ev->gpu_log.tag),
		 ev->gpu_log.tag.len ? ": " : "", FW_STR_ARG(ev->gpu_log.message));
	fw_gpu_message(g, fw_gpu_name(g, &like, word, FW_STR_NONE), ev->ts, text);
}

static void mem_total(struct fw_gpu *g, const struct fw_event *ev)
{
	uint64_t pid = (uint32_t)ev->gpu_mem.pid;

	/* The first GPU; others would mix with it. */
	if (ev->gpu_mem.gpu_id)
		return;
	if (g->mem.n >= FW_GPU_PROCESSES_MAX && !fw_map_get(&g->mem, pid)) {
		fw_health_add(g->health, FW_H_fw_gpu_left_out, FW_HEALTH_NO_IDX, 1);
		return;
	}
	fw_map_set(&g->mem, pid, ev->gpu_mem.size);
}

void fw_gpu_feed(struct fw_gpu *g, const struct fw_event *ev)
{
	fw_gpu_advance(g, ev->ts);
	if (ev->type == FW_EV_GPU_MEM_TOTAL)
		mem_total(g, ev);
	if (!g->row)
		return;
	switch (ev->type) {
	case FW_EV_GPU_COUNTER:
		counter(g, ev);
		break;
	case FW_EV_GPU_RENDER_STAGE:
		render_stage(g, ev);
		break;
	case FW_EV_KGSL:
		kgsl(g, ev);
		break;
	case FW_EV_MALI_KCPU:
		mali(g, ev);
		break;
	case FW_EV_VULKAN_MEMORY:
		vulkan_memory(g, ev);
		break;
	case FW_EV_GPU_LOG:
		gpu_log(g, ev);
		break;
	default:
		break;
	}
}
