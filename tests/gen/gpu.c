// SPDX-License-Identifier: GPL-2.0-or-later
#include "gpu.h"

#include "ftrace.h"
#include "sf.h"

#define APP 2000
#define OTHER 3000
#define START INT64_C(100000000000)
#define AT(ms) (START + (int64_t)((ms)*1000000))

/* GpuCounterDescriptor.MeasureUnit */
enum { UNIT_BYTE = 7, UNIT_HERTZ = 13, UNIT_SECOND = 22, UNIT_PERCENT = 37 };

#define CONTEXT_APP 0xabcdef0123456789
#define CONTEXT_OTHER 0xdef

static void frames(struct rec *r)
{
	static const struct sf_layer layer = { "com.example.game#1", APP, 1 };
	struct sf_display display = { .token = 101,
				      .expected_start = AT(22),
				      .expected_end = AT(28),
				      .start = AT(22),
				      .end = AT(28),
				      .present_type = PRESENT_ON_TIME,
				      .jank = JANK_NONE,
				      .on_time = true };
	struct sf_frame f = { .layer = &layer,
			      .token = 1,
			      .display_token = 101,
			      .expected_start = AT(10),
			      .expected_end = AT(21),
			      .start = AT(10),
			      .end = AT(20),
			      .present_type = PRESENT_ON_TIME,
			      .jank = JANK_NONE,
			      .on_time = true };
	int64_t cookie = 0;

	sf_trace_frame(r, &f, &cookie);
	sf_trace_display(r, &display, &cookie);
	f.token = 2;
	f.display_token = 102;
	f.expected_start = f.start = AT(20);
	f.expected_end = AT(31);
	f.end = AT(30);
	sf_trace_frame(r, &f, &cookie);
}

static void counter_spec(struct pw *w, int id, const char *name, int unit, int per)
{
	size_t spec = pw_begin(w, 1);

	pw_int(w, 1, id);
	pw_str(w, 2, name);
	pw_int(w, 7, unit);
	if (per)
		pw_int(w, 8, per);
	pw_end(w, spec);
}

static void counter_value(struct pw *w, int id, double value, bool whole)
{
	size_t counter = pw_begin(w, 2);

	pw_int(w, 1, id);
	if (whole)
		pw_int(w, 2, (int64_t)value);
	else
		pw_double(w, 3, value);
	pw_end(w, counter);
}

/* A producer that describes its counters in the first event. */
static void inline_counters(struct rec *r)
{
	static const struct {
		double ms, percent;
		int64_t bytes;
	} samples[] = { { 9, 10, 1000 },
			{ 11, 20, 2000 },
			{ 13, 40.5, 1000 },
			{ 20, 60, 6000 },
			{ 21, 90, 500 } };
	struct pw *w = rec_begin_at(r, SEQ_GPU_COUNTERS, 0, CLOCK_ID_BOOTTIME);
	size_t event = pw_begin(w, PKT_GPU_COUNTER), descriptor = pw_begin(w, 1);

	counter_spec(w, 1, "GPU % Utilization", UNIT_PERCENT, 0);
	counter_spec(w, 3, "Read Total", UNIT_BYTE, UNIT_SECOND);
	pw_end(w, descriptor);
	pw_end(w, event);
	rec_end(r);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		w = rec_begin_at(r, SEQ_GPU_COUNTERS, AT(samples[i].ms), CLOCK_ID_BOOTTIME);
		event = pw_begin(w, PKT_GPU_COUNTER);
		counter_value(w, 1, samples[i].percent, false);
		counter_value(w, 3, (double)samples[i].bytes, true);
		counter_value(w, 77, 1, true); /* nobody describes it */
		pw_end(w, event);
		rec_end(r);
	}
}

/* Another one, of another GPU, whose numbers mean something else, and whose descriptor is interned. */
static void interned_counters(struct rec *r)
{
	static const int ms[] = { 12, 14, 24 }, mhz[] = { 500, 701, 300 };
	size_t event, data, interned, descriptor;
	struct pw *w;

	for (int i = 0; i < 3; i++) {
		w = rec_begin_at(r, SEQ_GPU_INTERNED, AT(ms[i]), CLOCK_ID_BOOTTIME);
		pw_int(w, PKT_SEQUENCE_FLAGS, i ? SEQ_NEEDS_STATE : SEQ_STATE_CLEARED);
		if (!i) {
			data = pw_begin(w, PKT_INTERNED_DATA);
			interned = pw_begin(w, 47);
			pw_int(w, 1, 5);
			descriptor = pw_begin(w, 2);
			counter_spec(w, 1, "Clock", UNIT_HERTZ, 0);
			pw_end(w, descriptor);
			pw_int(w, 3, 1);
			pw_end(w, interned);
			pw_end(w, data);
		}
		event = pw_begin(w, PKT_GPU_COUNTER);
		counter_value(w, 1, mhz[i] * 1e6, true);
		pw_int(w, 4, 5);
		pw_end(w, event);
		rec_end(r);
	}
}

struct stage {
	double from, to;
	int stage;
	uint64_t context;
};

static void interned_spec(struct pw *w, uint32_t field, int64_t iid, const char *name, int pid)
{
	size_t spec = pw_begin(w, field);

	pw_int(w, 1, iid);
	if (name)
		pw_str(w, 2, name);
	else
		pw_int(w, 2, pid);
	pw_end(w, spec);
}

static void interned_stages(struct rec *r)
{
	static const struct stage stages[] = {
		{ 8, 12, 10, CONTEXT_APP },
		{ 11, 13, 10, CONTEXT_APP },
		{ 12, 14, 11, CONTEXT_OTHER },
		{ 18, 22, 10, CONTEXT_APP },
	};

	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		struct pw *w =
			rec_begin_at(r, SEQ_GPU_STAGES, AT(stages[i].from), CLOCK_ID_BOOTTIME);
		size_t event, data;

		pw_int(w, PKT_SEQUENCE_FLAGS, i ? SEQ_NEEDS_STATE : SEQ_STATE_CLEARED);
		if (!i) {
			data = pw_begin(w, PKT_INTERNED_DATA);
			interned_spec(w, 23, (int64_t)CONTEXT_APP, NULL, APP);
			interned_spec(w, 23, CONTEXT_OTHER, NULL, OTHER);
			interned_spec(w, 24, 1, "Fragment queue", 0);
			interned_spec(w, 24, 10, "Render", 0);
			interned_spec(w, 24, 11, "Compute", 0);
			pw_end(w, data);
		}
		event = pw_begin(w, PKT_RENDER_STAGE);
		pw_int(w, 1, (int64_t)i + 1);
		pw_int(w, 2, AT(stages[i].to) - AT(stages[i].from));
		pw_int(w, 5, (int64_t)stages[i].context);
		pw_int(w, 13, 1);
		pw_int(w, 14, stages[i].stage);
		pw_end(w, event);
		rec_end(r);
	}
}

static void description(struct pw *w, uint32_t field, const char *name)
{
	size_t d = pw_begin(w, field);

	pw_str(w, 1, name);
	pw_end(w, d);
}

/* An older producer in low_overhead mode: one stage for all work, described inline. */
static void inline_stages(struct rec *r)
{
	struct pw *w = rec_begin_at(r, SEQ_GPU_COUNTERS, 0, CLOCK_ID_BOOTTIME);
	size_t event = pw_begin(w, PKT_RENDER_STAGE), specs = pw_begin(w, 7), context;

	context = pw_begin(w, 1);
	pw_int(w, 1, 7);
	pw_int(w, 2, APP);
	pw_end(w, context);
	description(w, 2, "Q0");
	description(w, 2, "Q1");
	description(w, 3, "Binning");
	description(w, 3, "Workload");
	pw_end(w, specs);
	pw_end(w, event);
	rec_end(r);

	w = rec_begin_at(r, SEQ_GPU_COUNTERS, AT(13), CLOCK_ID_BOOTTIME);
	event = pw_begin(w, PKT_RENDER_STAGE);
	pw_int(w, 1, 1);
	pw_int(w, 2, AT(17) - AT(13));
	pw_int(w, 3, 1);
	pw_int(w, 4, 1);
	pw_int(w, 5, 7);
	pw_int(w, 11, 1);
	pw_end(w, event);
	rec_end(r);
}

static void memory(struct rec *r, double ms, int pid, int64_t bytes)
{
	struct pw *w = rec_begin_at(r, SEQ_GPU_MEM, AT(ms), CLOCK_ID_BOOTTIME);
	size_t mem = pw_begin(w, PKT_GPU_MEM_TOTAL);

	pw_int(w, 1, 0);
	pw_int(w, 2, pid);
	pw_int(w, 3, bytes);
	pw_end(w, mem);
	rec_end(r);
}

/* Device memory of type 1; @operation: 1 create, 2 destroy. */
static void vulkan(struct rec *r, double ms, int operation, int64_t bytes)
{
	struct pw *w = rec_begin_at(r, SEQ_GPU_MEM, AT(ms), CLOCK_ID_BOOTTIME);
	size_t event = pw_begin(w, PKT_VULKAN_MEMORY);

	pw_int(w, 1, 3);
	pw_int(w, 2, operation);
	pw_int(w, 4, APP);
	pw_int(w, 6, bytes);
	pw_int(w, 18, 1);
	pw_end(w, event);
	rec_end(r);
}

static void log_error(struct rec *r, double ms, const char *message)
{
	struct pw *w = rec_begin_at(r, SEQ_GPU_MEM, AT(ms), CLOCK_ID_BOOTTIME);
	size_t event = pw_begin(w, PKT_GPU_LOG);

	pw_int(w, 1, 4);
	pw_str(w, 2, "producer");
	pw_str(w, 3, message);
	pw_end(w, event);
	rec_end(r);
}

static void kernel_events(struct ft *ft)
{
	ft_gpu_frequency(ft, 0, AT(8), 1, 400000);
	ft_kgsl(ft, 0, AT(10.5), 1, FT_KGSL_QUEUED, 5, 1);
	ft_kgsl(ft, 0, AT(11), 1, FT_KGSL_SUBMITTED, 5, 1);
	ft_mali(ft, 0, AT(11.5), 1, FT_MALI_FENCE_WAIT_START, APP, 9);
	ft_kgsl(ft, 0, AT(12), 1, FT_KGSL_SUBMITTED, 5, 2);
	ft_mali(ft, 0, AT(14.5), 1, FT_MALI_FENCE_WAIT_END, APP, 9);
	ft_kgsl(ft, 0, AT(15), 1, FT_KGSL_RETIRED, 5, 1);
	ft_gpu_frequency(ft, 0, AT(15), 1, 800000);
	ft_mali(ft, 0, AT(16), 1, FT_MALI_FENCE_SIGNAL, APP, 9);
	ft_kgsl(ft, 0, AT(18), 1, FT_KGSL_RETIRED, 5, 2);
	ft_tick(ft);
}

void gpu_generate(const struct out_opts *opts)
{
	static const char *const none[] = { "" };
	uint64_t events[1] = { 10 };
	struct rec r;
	struct ft ft;

	rec_open(&r, opts, 1);
	rec_header(&r, START, 100, 250);
	ft_init(&ft, &r, none, none);
	frames(&r);
	inline_counters(&r);
	interned_counters(&r);
	interned_stages(&r);
	inline_stages(&r);
	memory(&r, 1, 0, 10000000);
	memory(&r, 1, APP, 4000000);
	memory(&r, 19, APP, 5000000);
	memory(&r, 25, 0, 12000000);
	vulkan(&r, 5, 1, 1000);
	vulkan(&r, 12, 1, 500);
	vulkan(&r, 25, 2, 1000);
	log_error(&r, 15, "a counter is missing");
	log_error(&r, 16, "it is still missing");
	kernel_events(&ft);
	rec_ftrace_stats(&r, true, events, AT(40));
	rec_close(&r, AT(40));
	ft_free(&ft);
}
