// SPDX-License-Identifier: GPL-2.0-or-later
/* perfetto - the reader of Perfetto traces behind the input interface */
#include "input/perfetto/perfetto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"

#define RUNS_BUDGET (4u << 20)
#define SMALL_BUDGET (8u << 20)

/* A trace begins with a packet whose first field is one of TracePacket's. */
static int probe(const uint8_t *p, size_t len)
{
	const uint8_t *q, *end = p + len;
	uint64_t v;

	if (!len || p[0] != (TRACE_PACKET << 3 | FW_WIRE_LEN))
		return 0;
	q = fw_varint(p + 1, end, &v);
	return q ? 80 : 0;
}

static int cmp_runs(const void *a, const void *b, const void *ctx)
{
	const struct pf_run *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->arrival > y->arrival) - (x->arrival < y->arrival);
}

static int cmp_small(const void *a, const void *b, const void *ctx)
{
	const struct pf_small *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

static int cmp_none(const void *a, const void *b, const void *ctx)
{
	return 0;
}

static void free_sequences(struct pf *p)
{
	for (uint32_t i = 0; i < p->n_gens; i++) {
		for (int k = 0; k < PF_INTERN_N; k++)
			fw_map_free(&p->gens[i].ids[k]);
	}
	free(p->gens);
	free(p->seqs);
	fw_map_free(&p->seq_by_id);
	fw_clock_free(p->clock);
}

static void begin_sequences(struct pf *p)
{
	p->seqs = NULL;
	p->gens = NULL;
	p->n_seqs = p->seqs_cap = p->n_gens = p->gens_cap = 0;
	p->default_clock = 0;
	p->clock = fw_clock_new();
	fw_grow(p->gens, p->n_gens, p->gens_cap);
	memset(&p->gens[p->n_gens++], 0, sizeof(p->gens[0]));
}

void pf_restart(struct pf *p)
{
	free_sequences(p);
	begin_sequences(p);
}

void pf_free(struct pf *p)
{
	if (!p)
		return;
	pf_merge_free(p);
	fw_sort_free(p->runs);
	fw_sort_free(p->small);
	fw_sort_free(p->deferred);
	free_sequences(p);
	fw_map_free(&p->overrun_begin);
	fw_map_free(&p->dropped_begin);
	fw_map_free(&p->commit_begin);
	fw_map_free(&p->tracks);
	fw_map_free(&p->machines);
	fw_map_free(&p->writer_buffer);
	free(p->scratch);
	fw_map_free(&p->counts.clocks);
	fw_names_free(p->names);
	free(p);
}

struct pf *pf_new(struct fw_source *src, struct fw_health *health)
{
	struct pf *p = fw_zalloc(sizeof(*p));

	p->src = src;
	p->health = health;
	p->names = fw_names_new();
	begin_sequences(p);
	p->runs = fw_sort_new(RUNS_BUDGET, cmp_runs, NULL);
	p->small = fw_sort_new(SMALL_BUDGET, cmp_small, NULL);
	p->deferred = fw_sort_new(RUNS_BUDGET, cmp_none, NULL);
	p->early_until = INT64_MIN;
	p->tracing_started = INT64_MIN;
	p->rec.first_ts = INT64_MAX;
	return p;
}

static void close_trace(void *state)
{
	struct pf *p = state;

	fw_progress_clear();
	fw_source_close(p->src);
	pf_free(p);
}

static const char *clock_name(uint64_t key)
{
	static const char *const names[] = {
		[1] = "REALTIME",      [2] = "REALTIME_COARSE",
		[3] = "MONOTONIC",     [4] = "MONOTONIC_COARSE",
		[5] = "MONOTONIC_RAW", [6] = "BOOTTIME",
		[9] = "TSC",	       [10] = "PERF",
		[11] = "TRACE_FILE",
	};

	return key < ARRAY_SIZE(names) && names[key] ? names[key] : "other";
}

static int open_trace(struct fw_source *src, struct fw_health *health, void **state)
{
	struct pf *p = pf_new(src, health);
	int err;

	err = pf_index(p);
	if (err) {
		fw_progress_clear();
		pf_free(p);
		return err;
	}
	p->rec.format = fw_source_gzip(src) ? "Perfetto trace (gzip)" : "Perfetto trace";
	p->rec.bytes = fw_source_file_size(src);
	p->rec.trace_clock = clock_name(fw_clock_trace(p->clock));
	*state = p;
	return 0;
}

static const struct fw_recording *recording(const void *state)
{
	return &((const struct pf *)state)->rec;
}

static bool is_frame(const struct fw_event *ev)
{
	return ev->type == FW_EV_ACTUAL_SURFACE || ev->type == FW_EV_ACTUAL_DISPLAY;
}

static int peek_small(void *state, bool marks, int (*fn)(void *, const struct fw_event *),
		      void *ctx)
{
	struct pf_gpu gpu = { 0 };
	struct pf_small_iter it;
	struct pf *p = state;
	bool frames = false;
	struct fw_event ev;
	const void *rec;
	size_t len;
	int ret;

	fw_sort_rewind(p->small);
	while ((ret = fw_sort_next(p->small, &rec, &len)) > 0) {
		pf_small_begin(&it, rec, &gpu);
		for (ret = 0; !ret && pf_small_next(p, &it, &ev);) {
			frames |= is_frame(&ev);
			ret = fn(ctx, &ev);
		}
		if (ret)
			break;
	}
	pf_gpu_free(&gpu);
	fw_sort_rewind(p->small);
	return ret || (frames && !marks) ? ret : pf_marks(p, fn, ctx);
}

static int start(void *state, const struct fw_input_opts *opts)
{
	return pf_merge_start(state, opts);
}

static int next(void *state, const struct fw_event **ev)
{
	return pf_merge_next(state, ev);
}

/* Names of the packets that framewait reads or whose absence it explains. */
static const char *packet_name(uint32_t field)
{
	static const char *const names[TP_MAX_PAYLOAD] = {
		[1] = "ftrace_events",
		[2] = "process_tree",
		[6] = "clock_snapshot",
		[7] = "sys_stats",
		[9] = "process_stats",
		[11] = "track_event",
		[12] = "interned_data",
		[33] = "trace_config",
		[34] = "ftrace_stats",
		[35] = "trace_stats",
		[36] = "synchronization_marker",
		[39] = "android_log",
		[45] = "system_info",
		[46] = "trigger",
		[47] = "packages_list",
		[50] = "compressed_packets (zlib)",
		[52] = "gpu_counter_event",
		[53] = "gpu_render_stage_event",
		[57] = "graphics_frame_event",
		[59] = "trace_packet_defaults",
		[60] = "track_descriptor",
		[62] = "vulkan_memory_event",
		[63] = "gpu_log",
		[65] = "vulkan_api_event",
		[66] = "perf_sample",
		[67] = "cpu_info",
		[69] = "service_event",
		[70] = "initial_display_state",
		[71] = "gpu_mem_total_event",
		[76] = "frame_timeline_event",
		[89] = "trace_uuid",
		[93] = "surfaceflinger_layers_snapshot",
		[94] = "surfaceflinger_transactions",
		[129] = "gpu_frequency_event",
		[117] = "generic_kernel_task_state_event",
		[133] = "compressed_packets (zstd)",
	};

	return names[field];
}

bool pf_count_packets(const struct pf *p, size_t *pos, struct fw_input_count *out)
{
	static char number[TP_MAX_PAYLOAD][16];

	for (; *pos < TP_MAX_PAYLOAD; (*pos)++) {
		size_t f = *pos;

		if (!p->counts.packets[f])
			continue;
		snprintf(number[f], sizeof(number[f]), "field %zu", f);
		*out = (struct fw_input_count){
			.kind = "packet",
			.name = packet_name((uint32_t)f) ? packet_name((uint32_t)f) : number[f],
			.n = p->counts.packets[f],
			.bytes = p->counts.packet_bytes[f],
		};
		(*pos)++;
		return true;
	}
	return false;
}

#define FTRACE_FROM TP_MAX_PAYLOAD
#define CLOCKS_FROM (FTRACE_FROM + PF_FTRACE_IDS)

static bool count_ftrace(const struct pf *p, size_t *pos, struct fw_input_count *out)
{
	static char number[32];

	for (; *pos < CLOCKS_FROM; (*pos)++) {
		uint32_t id = (uint32_t)(*pos - FTRACE_FROM);
		const char *name = fw_ftrace_name(id);
		uint64_t count;

		count = p->counts.ftrace[id];
		count += id == 4    ? p->counts.compact_switch
			 : id == 20 ? p->counts.compact_waking
				    : 0;
		if (!count)
			continue;
		snprintf(number, sizeof(number), "ftrace field %u", id);
		*out = (struct fw_input_count){
			.kind = "event",
			.name = name ? name : number,
			.n = count,
		};
		(*pos)++;
		return true;
	}
	return false;
}

static bool counts(const void *state, size_t *pos, struct fw_input_count *out)
{
	const struct pf *p = state;
	static char number[32];
	uint64_t *n;

	if (*pos < FTRACE_FROM && pf_count_packets(p, pos, out))
		return true;
	if (*pos < CLOCKS_FROM && count_ftrace(p, pos, out))
		return true;
	for (; *pos < CLOCKS_FROM + 256; (*pos)++) {
		uint32_t id = (uint32_t)(*pos - CLOCKS_FROM);

		n = fw_map_get(&p->counts.clocks, id);
		if (!n)
			continue;
		snprintf(number, sizeof(number), "clock %u", id);
		*out = (struct fw_input_count){
			.kind = "clock",
			.name = strcmp(clock_name(id), "other") ? clock_name(id) : number,
			.n = *n,
		};
		(*pos)++;
		return true;
	}
	return false;
}

static bool convert(void *state, enum fw_input_clock clock, int64_t ns, int64_t *out)
{
	struct pf *p = state;

	return fw_clock_to_trace(p->clock, clock, ns, FW_CLOCK_ALL, out) == FW_CLOCK_OK;
}

const struct fw_format fw_format_perfetto = {
	.name = "perfetto",
	.probe = probe,
	.open = open_trace,
	.close = close_trace,
	.recording = recording,
	.peek_small = peek_small,
	.start = start,
	.next = next,
	.counts = counts,
	.clock = convert,
};
