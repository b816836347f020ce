// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/sqlite.h"

/* One kind of wait for a fence, of the frames of one fence timeline. */
#define FENCE_WAITS(kind, wait, fence)                                                             \
	"SELECT '" kind "' AS wait, " fence "_driver AS driver, " fence "_timeline AS timeline, "  \
	"count(*) AS waits, sum(" wait ") AS sum_ms, max(" wait ") AS max_ms FROM frames "         \
	"WHERE " wait " > 0 AND " fence "_context IS NOT NULL GROUP BY 2, 3 "
#define POLLS(role) "UNION ALL " FENCE_WAITS(role "_poll", role "_top_fence_ms", role "_top_fence")
#define ALL_FENCE_WAITS                                                                            \
	FENCE_WAITS("producer_fence_wait", "producer_fence_wait_ms", "acquire_fence")              \
	POLLS("ui") POLLS("render") POLLS("sf") POLLS("re") POLLS("hwc")

const char *const fw_sqlite_views[] = {
	"CREATE INDEX frames_process ON frames(process, layer)",
	"CREATE INDEX frames_surface_token ON frames(surface_token)",
	"CREATE INDEX frames_display_token ON frames(display_token)",
	"CREATE INDEX threads_frame ON threads(frame_id)",
	"CREATE INDEX threads_tid ON threads(tid)",
	"CREATE INDEX intervals_frame ON intervals(frame_id)",
	"CREATE INDEX intervals_tid ON intervals(tid, start_ns)",
	"CREATE INDEX fences_fence ON fences(context, seqno)",
	"CREATE INDEX fences_buffer ON fences(layer, frame_number)",
	"CREATE INDEX animations_pid ON animations(pid, start_ns)",

	"CREATE VIEW worst_frames AS SELECT frame_id, process, layer, kind, surface_token, "
	"display_token, actual_start_ms, actual_ms, overrun_ms, jank_tag, jank_type, candidate, "
	"candidate_ms, candidate_evidence FROM frames WHERE late = 1 "
	"ORDER BY coalesce(overrun_ms, 0) DESC, actual_start_ns",

	"CREATE VIEW time_in_state AS SELECT process, role, count(DISTINCT frame_id) AS frames, "
	"sum(window_ms) AS window_ms, sum(running_ms) AS running_ms, "
	"sum(runnable_ms) AS runnable_ms, sum(preempted_ms) AS preempted_ms, "
	"sum(sleeping_ms) AS sleeping_ms, sum(blocked_io_ms) AS blocked_io_ms, "
	"sum(blocked_nonio_ms) AS blocked_nonio_ms, "
	"sum(blocked_unknown_ms) AS blocked_unknown_ms, sum(other_ms) AS other_ms, "
	"sum(unobserved_ms) AS unobserved_ms, sum(fence_wait_ms) AS fence_wait_ms "
	"FROM threads GROUP BY process, role ORDER BY process, role",

	"CREATE VIEW jank_by_tag AS SELECT process, layer, kind, jank_tag, count(*) AS frames, "
	"sum(late = 1) AS late, max(overrun_ms) AS max_overrun_ms, avg(actual_ms) AS mean_ms "
	"FROM frames GROUP BY process, layer, kind, jank_tag ORDER BY frames DESC",

	"CREATE VIEW waits_by_fence AS " ALL_FENCE_WAITS "ORDER BY sum_ms DESC",

	"CREATE VIEW waits_by_wchan AS SELECT process, role, state, function, io_wait, "
	"count(*) AS waits, sum(duration_ms) AS sum_ms, max(duration_ms) AS max_ms "
	"FROM intervals WHERE state IN ('sleeping', 'blocked') "
	"GROUP BY process, role, state, function, io_wait ORDER BY sum_ms DESC",

	"CREATE VIEW candidate_counts AS SELECT process, layer, candidate, count(*) AS frames, "
	"sum(candidate_ms) AS explained_ms, sum(overrun_ms) AS overrun_ms FROM frames "
	"WHERE candidate IS NOT NULL GROUP BY process, layer, candidate ORDER BY frames DESC",

	"CREATE VIEW lost AS SELECT name, sum(value) AS value, meaning FROM health "
	"WHERE severity = 'loss' GROUP BY name ORDER BY name",
	NULL,
};
