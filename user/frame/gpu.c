// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/gpu.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

void fw_gpu_free(struct fw_gpu *g)
{
	free(g->names);
	fw_map_free(&g->by_hash);
	fw_map_free(&g->queued);
	fw_map_free(&g->submitted);
	fw_map_free(&g->waits);
	fw_map_free(&g->mem);
}

const char *fw_gpu_source_name(enum fw_gpu_source s)
{
	static const char *const names[FW_GPU_SOURCES] = {
		[FW_GPU_COUNTER] = "counter", [FW_GPU_BUSY] = "gpu",
		[FW_GPU_QUEUE] = "queue",     [FW_GPU_STAGE] = "stage",
		[FW_GPU_CONTEXT] = "context", [FW_GPU_KGSL] = "kgsl",
		[FW_GPU_MALI] = "mali",	      [FW_GPU_VULKAN_MEMORY] = "vulkan_memory",
		[FW_GPU_LOG] = "log",
	};

	return names[s];
}

static bool same(const struct fw_gpu *g, const struct fw_gpu_name *a, const struct fw_gpu_name *b,
		 struct fw_str name)
{
	return a->source == b->source && a->gpu == b->gpu && a->pid == b->pid &&
	       a->has_id == b->has_id && a->id == b->id &&
	       fw_str_eq(fw_names_str(g->pool, a->name), name);
}

int fw_gpu_name(struct fw_gpu *g, const struct fw_gpu_name *like, struct fw_str name,
		struct fw_str unit)
{
	uint64_t hash = fw_hash_bytes(name.p ? name.p : "", name.len), *slot;

	hash ^= fw_hash_u64((uint64_t)like->source << 32 | (uint32_t)like->gpu);
	hash ^= fw_hash_u64(like->id + UINT64_C(0x9e3779b97f4a7c15) * (uint32_t)like->pid);
	for (;; hash++) {
		slot = fw_map_get(&g->by_hash, hash);
		if (!slot)
			break;
		if (same(g, &g->names[*slot], like, name))
			return (int)*slot;
	}
	if (g->n_names == FW_GPU_NAMES_MAX) {
		fw_health_add(g->health, FW_H_fw_gpu_left_out, FW_HEALTH_NO_IDX, 1);
		return -1;
	}
	fw_grow(g->names, g->n_names, g->names_cap);
	g->names[g->n_names] = *like;
	g->names[g->n_names].name = fw_names_id(g->pool, name);
	g->names[g->n_names].unit = fw_names_id(g->pool, unit);
	g->names[g->n_names].covered = INT64_MIN;
	fw_map_set(&g->by_hash, hash, g->n_names);
	return (int)g->n_names++;
}

/* The sum of a name in a frame; made with all others that are known by now. */
static struct fw_gpu_sum *sum_of(const struct fw_gpu *g, struct fw_frame *f, int name)
{
	if ((uint32_t)name >= f->n_gpu) {
		f->gpu = fw_realloc(f->gpu, g->n_names, sizeof(*f->gpu));
		memset(f->gpu + f->n_gpu, 0, (g->n_names - f->n_gpu) * sizeof(*f->gpu));
		f->n_gpu = g->n_names;
	}
	return &f->gpu[name];
}

static void add_value(struct fw_gpu_sum *s, double v)
{
	s->min = s->n_values ? fmin(s->min, v) : v;
	s->max = s->n_values ? fmax(s->max, v) : v;
	s->sum += v;
	s->last = v;
	s->n_values++;
}

static void sample(const struct fw_gpu *g, struct fw_frame *f, int name, int64_t ts,
		   const double *value)
{
	struct fw_gpu_sum *s;

	if (!f->wanted || f->start >= ts)
		return;
	s = sum_of(g, f, name);
	s->n++;
	if (value)
		add_value(s, *value);
}

static void message(const struct fw_gpu *g, struct fw_frame *f, int name, int64_t ts,
		    const char *text)
{
	struct fw_gpu_sum *s;

	if (!f->wanted || f->start >= ts)
		return;
	s = sum_of(g, f, name);
	free(s->text);
	s->text = fw_strdup(text);
}

void fw_gpu_sample(struct fw_gpu *g, int name, int64_t ts, const double *value)
{
	if (name < 0)
		return;
	for (struct fw_frame *f = g->frames->open.first; f; f = f->next)
		sample(g, f, name, ts, value);
	for (struct fw_frame *f = g->frames->waiting.last; f && !f->gpu_done; f = f->prev)
		sample(g, f, name, ts, value);
}

void fw_gpu_message(struct fw_gpu *g, int name, int64_t ts, const char *text)
{
	fw_gpu_sample(g, name, ts, NULL);
	if (name < 0)
		return;
	for (struct fw_frame *f = g->frames->open.first; f; f = f->next)
		message(g, f, name, ts, text);
	for (struct fw_frame *f = g->frames->waiting.last; f && !f->gpu_done; f = f->prev)
		message(g, f, name, ts, text);
}

/* Stages come in the order of their starts: all before @covered, and from the window's start, is summed. */
static void stage(const struct fw_gpu *g, struct fw_frame *f, int name, int64_t start, int64_t end)
{
	int64_t covered = g->names[name].covered;
	struct fw_gpu_sum *s;

	if (!f->wanted || f->start > start)
		return;
	s = sum_of(g, f, name);
	if (!s->running) {
		s->running = true;
		s->covered = FW_MAX(covered, f->start);
		s->busy = s->covered - f->start;
	}
	if (end > s->covered) {
		s->busy += end - FW_MAX(start, s->covered);
		s->covered = end;
	}
}

void fw_gpu_stage(struct fw_gpu *g, int name, int64_t start, int64_t end)
{
	double ms = (double)(end - start) / 1e6;

	if (name < 0)
		return;
	fw_gpu_sample(g, name, start, &ms);
	for (struct fw_frame *f = g->frames->open.first; f; f = f->next)
		stage(g, f, name, start, end);
	for (struct fw_frame *f = g->frames->waiting.last; f && !f->gpu_done; f = f->prev)
		stage(g, f, name, start, end);
	g->names[name].covered = FW_MAX(g->names[name].covered, end);
}

/* What ran over the window's end is contiguous there, since it began before it. */
static void cut_busy(const struct fw_gpu_name *name, const struct fw_frame *f, struct fw_gpu_sum *s)
{
	if (!s->running && name->covered > f->start) {
		s->running = true;
		s->covered = name->covered;
		s->busy = s->covered - f->start;
	}
	if (s->running && s->covered > f->end)
		s->busy -= s->covered - f->end;
}

static bool stages(enum fw_gpu_source s)
{
	return s >= FW_GPU_BUSY && s <= FW_GPU_CONTEXT;
}

static void make_rows(const struct fw_gpu *g, struct fw_frame *f)
{
	for (uint32_t i = 0; i < g->n_names; i++) {
		const struct fw_gpu_name *name = &g->names[i];
		struct fw_gpu_sum s = { 0 };
		bool level = name->source == FW_GPU_VULKAN_MEMORY && name->pid == f->ft.pid;

		if (i < f->n_gpu)
			s = f->gpu[i];
		if (stages(name->source))
			cut_busy(name, f, &s);
		if (s.n || s.busy || level)
			g->row(g->ctx, f, name, &s);
	}
}

static int64_t mem_of(const struct fw_gpu *g, int32_t pid)
{
	uint64_t *size = fw_map_get(&g->mem, (uint32_t)pid);

	return size ? (int64_t)FW_MIN(*size, (uint64_t)INT64_MAX) : -1;
}

void fw_gpu_drop(struct fw_frame *f)
{
	for (uint32_t i = 0; i < f->n_gpu; i++)
		free(f->gpu[i].text);
	free(f->gpu);
	f->gpu = NULL;
	f->n_gpu = 0;
}

void fw_gpu_close(struct fw_gpu *g, struct fw_frame *f)
{
	if (f->gpu_done)
		return;
	f->gpu_done = true;
	if (f->wanted && f->end != FW_FRAME_OPEN) {
		f->gpu_mem_total = mem_of(g, 0);
		f->gpu_mem_process = f->ft.pid > 0 ? mem_of(g, f->ft.pid) : -1;
		if (g->row)
			make_rows(g, f);
	}
	fw_gpu_drop(f);
}

void fw_gpu_advance(struct fw_gpu *g, int64_t ts)
{
	struct fw_frame *f = g->frames->waiting.last, *first = NULL;

	/* They wait in the order of their ends, and are closed in it. */
	for (; f && !f->gpu_done; f = f->prev)
		first = f;
	for (f = first; f && f->end < ts; f = f->next)
		fw_gpu_close(g, f);
}
