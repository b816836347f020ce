// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/sqlite.h"

/* A sum of one of the states over the rows of threads. */
#define SUM(column) "sum(" #column ") AS " #column ", "

/* One kind of wait for a fence, of the frames of one fence timeline. */
#define FENCE_WAITS(kind, wait, fence)                                                             \
	"SELECT '" kind "' AS wait, " fence "_driver AS driver, " fence "_timeline AS timeline, "  \
	"count(*) AS waits, sum(" wait ") AS sum_ms, max(" wait ") AS max_ms FROM frames "         \
	"WHERE " wait " > 0 AND " fence "_context IS NOT NULL GROUP BY 2, 3 "

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

	"CREATE VIEW time_in_state AS SELECT process, role, count(DISTINCT frame_id) AS "
	"frames, " SUM(window_ms) SUM(running_ms) SUM(runnable_ms) SUM(preempted_ms) SUM(
		sleeping_ms) SUM(blocked_io_ms) SUM(blocked_nonio_ms) SUM(blocked_unknown_ms)
		SUM(other_ms) SUM(
			unobserved_ms) "sum(fence_wait_ms) AS fence_wait_ms "
				       "FROM threads GROUP BY process, role ORDER BY process, role",

	"CREATE VIEW jank_by_tag AS SELECT process, layer, kind, jank_tag, count(*) AS frames, "
	"sum(late = 1) AS late, max(overrun_ms) AS max_overrun_ms, avg(actual_ms) AS mean_ms "
	"FROM frames GROUP BY process, layer, kind, jank_tag ORDER BY frames DESC",

	"CREATE VIEW waits_by_fence AS " FENCE_WAITS("producer_fence_wait", "producer_fence_wait_ms", "acquire_fence") "UNION ALL " FENCE_WAITS(
		"ui_poll", "ui_top_fence_ms",
		"ui_top_fence") "UNION ALL " FENCE_WAITS("render_poll", "render_top_fence_ms",
							 "render_top_fence") "UNION "
									     "ALL " FENCE_WAITS("sf"
												"_p"
												"ol"
												"l",
												"sf"
												"_t"
												"op"
												"_f"
												"en"
												"ce"
												"_m"
												"s",
												"sf"
												"_t"
												"op"
												"_f"
												"en"
												"c"
												"e") "ORDER BY sum_ms DESC",

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
