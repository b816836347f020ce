// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel fences to frames' fence events, by time; and the life of fences. */
#include "frame/match.h"

#include <stdlib.h>

#include "tap.h"

#define MAX 32

struct fixture {
	struct fw_names *names;
	struct fw_health *health;
	struct fw_fences fences;
	struct fw_matcher m;
	struct fw_fence_event resolved[MAX];
	int n_resolved;
	struct {
		bool fence, event;
		uint64_t context, seqno;
		int64_t destroyed;
	} row[MAX];
	int n_rows;
};

static void on_resolved(void *ctx, const struct fw_fence_event *e)
{
	struct fixture *f = ctx;

	f->resolved[f->n_resolved++] = *e;
}

static void on_row(void *ctx, const struct fw_fence *fence, const struct fw_fence_event *e)
{
	struct fixture *f = ctx;

	f->row[f->n_rows].fence = fence;
	f->row[f->n_rows].event = e;
	f->row[f->n_rows].context = fence ? fence->context : 0;
	f->row[f->n_rows].seqno = fence ? fence->seqno : 0;
	f->row[f->n_rows].destroyed = fence ? fence->destroyed : 0;
	f->n_rows++;
}

static void on_signaled(void *ctx, struct fw_fence *fence)
{
	fw_matcher_signaled(&((struct fixture *)ctx)->m, fence);
}

static void on_retired(void *ctx, struct fw_fence *fence)
{
	fw_matcher_retired(&((struct fixture *)ctx)->m, fence);
}

static struct fixture *make(void)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->names = fw_names_new();
	f->health = fw_health_new();
	fw_fences_init(&f->fences, f->names, f->health);
	f->fences.signaled = on_signaled;
	f->fences.retired = on_retired;
	f->fences.ctx = f;
	f->m = (struct fw_matcher){ .resolved = on_resolved, .row = on_row, .ctx = f };
	return f;
}

static void finish(struct fixture *f)
{
	fw_matcher_advance(&f->m, INT64_MAX);
	fw_fences_finish(&f->fences);
}

static void unmake(struct fixture *f)
{
	fw_matcher_free(&f->m);
	fw_health_free(f->health);
	fw_names_free(f->names);
	free(f);
}

static void fence_named(struct fixture *f, enum fw_dma_fence_kind kind, int64_t ts,
			uint64_t context, uint64_t seqno, int64_t stamp, const char *driver,
			const char *timeline)
{
	struct fw_event ev = { .ts = ts, .type = FW_EV_DMA_FENCE };

	ev.fence = (struct fw_ev_dma_fence){ .kind = kind,
					     .context = context,
					     .seqno = seqno,
					     .driver = fw_str(driver),
					     .timeline = fw_str(timeline),
					     .signal_ts = stamp };
	fw_matcher_advance(&f->m, ts);
	fw_fences_feed(&f->fences, &ev);
}

static void fence(struct fixture *f, enum fw_dma_fence_kind kind, int64_t ts, uint64_t context,
		  uint64_t seqno)
{
	fence_named(f, kind, ts, context, seqno, -1, "mali", "mali.timeline");
}

static void expect(struct fixture *f, int64_t ts, uint32_t layer)
{
	struct fw_fence_event e = { .ts = ts, .use = FW_FENCE_ACQUIRE, .layer = layer };

	fw_matcher_expect(&f->m, &e);
}

#define SEC INT64_C(1000000000)

static void near(void)
{
	struct fixture *f = make();

	fence(f, FW_DMA_FENCE_INIT, SEC, 7, 1);
	fence(f, FW_DMA_FENCE_INIT, SEC, UINT64_C(0x100000007), 1);
	expect(f, 2 * SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, 2 * SEC + 2231, 7, 1);
	is_int(f->n_resolved, 0, "undecided while another fence may still come");
	finish(f);
	is_int(f->n_resolved, 1, "decided once");
	is_int(f->resolved[0].match.quality, FW_MATCH_NEAR, "one fence shortly after: near");
	is_int(f->resolved[0].match.distance, 2231, "the distance is kept");
	is_int((int64_t)f->resolved[0].match.context, 7, "its context, in 64 bits");
	is_int(f->resolved[0].match.init_to_signal, SEC + 2231, "from init to signal");
	ok(fw_str_eq(fw_names_str(f->names, f->resolved[0].match.driver), FW_STR("mali")),
	   "its driver");
	is_int(f->n_rows, 2, "a row for each fence");
	is_int(f->row[0].event + f->row[1].event, 1, "one of them with the event");
	unmake(f);

	f = make();
	expect(f, SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 20001, 7, 1);
	finish(f);
	is_int(f->resolved[0].match.quality, FW_MATCH_NONE, "20 us is the bound");
	is_int(f->resolved[0].match.candidates, 0, "no candidate");
	is_int(f->n_rows, 2, "the event and the fence have a row each");
	unmake(f);

	f = make();
	expect(f, SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 20000, 7, 1);
	finish(f);
	is_int(f->resolved[0].match.quality, FW_MATCH_NEAR, "and belongs to it");
	is_int(f->resolved[0].match.init_to_signal, -1, "an init that was not seen is unknown");
	unmake(f);
}

static void exact(void)
{
	struct fixture *f = make();

	expect(f, SEC, 1);
	fence_named(f, FW_DMA_FENCE_SIGNALED, SEC + 3000, 7, 1, SEC - 5, "a", "a");
	fence_named(f, FW_DMA_FENCE_SIGNALED, SEC + 150000, 8, 4, SEC, "b", "b");
	expect(f, 2 * SEC, 1);
	fence_named(f, FW_DMA_FENCE_SIGNALED, 2 * SEC + 19000000, 8, 5, 2 * SEC, "b", "b");
	finish(f);
	is_int(f->resolved[0].match.quality, FW_MATCH_EXACT, "the stamp decides, not the nearness");
	is_int((int64_t)f->resolved[0].match.context, 8, "the fence with the stamp");
	is_int(f->resolved[1].match.quality, FW_MATCH_EXACT, "however late its event");
	unmake(f);
}

static void ambiguous(void)
{
	struct fixture *f = make();

	expect(f, SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 1000, 7, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 1500, 8, 1);
	expect(f, 2 * SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, 2 * SEC + 1000, 8, 2);
	expect(f, 3 * SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, 3 * SEC + 1000, 7, 3);
	fence(f, FW_DMA_FENCE_SIGNALED, 3 * SEC + 1500, 8, 3);
	expect(f, 4 * SEC, 2);
	fence(f, FW_DMA_FENCE_SIGNALED, 4 * SEC + 1000, 7, 4);
	fence(f, FW_DMA_FENCE_SIGNALED, 4 * SEC + 1500, 8, 4);
	finish(f);
	is_int(f->resolved[0].match.quality, FW_MATCH_AMBIGUOUS, "two fences: ambiguous");
	ok(!f->resolved[0].match.found, "and none is named");
	is_int(f->resolved[0].match.candidates, 2, "but counted");
	is_int(f->resolved[1].match.quality, FW_MATCH_NEAR, "one fence: near");
	is_int(f->resolved[2].match.quality, FW_MATCH_CONTEXT, "two: the layer's context decides");
	is_int((int64_t)f->resolved[2].match.context, 8, "for that fence");
	is_int(f->resolved[3].match.quality, FW_MATCH_AMBIGUOUS, "not for another layer");
	unmake(f);
}

static void stub(void)
{
	struct fixture *f = make();

	expect(f, SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 1000, 0, 0);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 2000, 9, 5);
	finish(f);
	is_int(f->resolved[0].match.quality, FW_MATCH_NEAR, "context 0 is never a candidate");
	is_int((int64_t)f->resolved[0].match.context, 9, "the real one is");
	unmake(f);
}

static void lives(void)
{
	struct fixture *f = make();

	fence_named(f, FW_DMA_FENCE_INIT, 100, 3, 1, -1, "vgem", "unbound");
	fence_named(f, FW_DMA_FENCE_SIGNALED, 200, 3, 1, -1, "vgem", "vgem.ring");
	fence_named(f, FW_DMA_FENCE_DESTROY, 300, 3, 1, -1, "detached-driver", "signaled-timeline");
	is_int(f->n_rows, 1, "a destroyed fence is done");
	is_int(f->row[0].destroyed, 300, "with its end");
	fence(f, FW_DMA_FENCE_SIGNALED, 400, 3, 2);
	fence(f, FW_DMA_FENCE_INIT, 500, 3, 2);
	is_int(f->n_rows, 2, "the same numbers again are another fence");
	expect(f, SEC, 1);
	fence(f, FW_DMA_FENCE_SIGNALED, SEC + 1000, 4, 1);
	fence(f, FW_DMA_FENCE_DESTROY, SEC + 1500, 4, 1);
	is_int(f->n_rows, 2, "a fence that may be the one keeps its row back");
	finish(f);
	is_int(f->n_rows, 4, "each fence has one row");
	ok(f->row[2].event && f->row[2].destroyed == SEC + 1500, "also one destroyed meanwhile");
	unmake(f);

	f = make();
	for (uint32_t i = 0; i < FW_FENCES_MAX + 2; i++)
		fence(f, FW_DMA_FENCE_INIT, i, 5, i), f->n_rows = 0;
	is_int(fw_health_sum(f->health, FW_H_fw_fence_evicted), 2,
	       "the oldest go, and are counted");
	f->m.row = on_row;
	fw_matcher_free(&f->m);
	f->m = (struct fw_matcher){ .resolved = on_resolved, .row = on_row, .ctx = f };
	f->fences.retired = NULL;
	finish(f);
	unmake(f);
}

int main(void)
{
	near();
	exact();
	ambiguous();
	stub();
	lives();
	return done_testing();
}
