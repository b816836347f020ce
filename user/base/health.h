/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_HEALTH_H
#define FW_BASE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What was lost, refused or not understood, by name. Counters that trace_processor has too carry
 * its names (storage/stats.h, v57.2) and its meaning; ours start with fw_.
 */
enum fw_severity {
	FW_INFO, /* worth knowing, nothing is missing */
	FW_ERROR, /* something could not be used */
	FW_LOSS, /* data is missing from the recording */
};

#define FW_HEALTH_LIST(X)                                                                          \
	X(frame_timeline_event_parser_errors, INFO, "FrameTimeline events with missing fields")    \
	X(frame_timeline_unpaired_end_event, INFO, "FrameTimeline ends without a start")           \
	X(graphics_frame_event_parser_errors, INFO,                                                \
	  "FrameTracer events other than the phase ones")                                          \
	X(mismatched_sched_switch_tids, ERROR, "sched_switch whose prev is not the last next")     \
	X(task_state_invalid, ERROR, "prev_state with bits of no known kernel")                    \
	X(compact_sched_has_parse_errors, ERROR, "compact sched arrays of unequal length")         \
	X(compact_sched_switch_skipped, INFO, "first compact switch of a cpu, which only seeds")   \
	X(compact_sched_waking_skipped, INFO, "compact wakings before a cpu's first switch")       \
	X(systrace_parse_failure, ERROR, "trace marks that could not be read")                     \
	X(ftrace_cpu_has_data_loss, LOSS, "bundles that the recorder marked as lossy, by cpu")     \
	X(ftrace_setup_errors, INFO, "ftrace events that could not be enabled")                    \
	X(ftrace_bundle_tokenizer_errors, ERROR, "ftrace bundles or events without a key field")   \
	X(ftrace_missing_event_id, ERROR, "ftrace events without a payload")                       \
	X(ftrace_packet_before_tracing_start, INFO, "ftrace events from before tracing started")   \
	X(invalid_clock_snapshots, ERROR, "clock snapshots that contradict earlier ones")          \
	X(packet_skipped_seq_needs_incremental_state_invalid, LOSS,                                \
	  "packets whose incremental state was lost")                                              \
	X(interned_data_skipped_incremental_state_invalid, LOSS,                                   \
	  "interned data outside a valid incremental state")                                       \
	X(ftrace_cpu_overrun_delta, INFO,                                                          \
	  "events that the kernel overwrote before reading, by cpu")                               \
	X(ftrace_cpu_dropped_events_delta, ERROR, "events that the kernel dropped, by cpu")        \
	X(ftrace_cpu_commit_overrun_delta, ERROR, "events lost to nested writes, by cpu")          \
	X(clock_sync_failure_unknown_source_clock, ERROR, "timestamps on a clock never seen")      \
	X(clock_sync_failure_unknown_target_clock, ERROR, "no snapshot of the trace clock")        \
	X(clock_sync_failure_no_path, ERROR, "timestamps on a clock without a path to trace time") \
	X(clock_sync_failure_undeferrable_packet_loss, LOSS, "packets dropped for their clock")    \
	X(trace_sorter_negative_timestamp_dropped, ERROR, "events with a negative time")           \
	X(misplaced_end_event, ERROR, "slices cut at the end of the slice around them")            \
	X(slice_negative_duration, ERROR, "slices with a negative duration")                       \
	X(slice_drop_overlapping_complete_event, ERROR, "complete slices that overlap another")    \
	X(traced_buf_chunks_overwritten, INFO, "chunks that a ring buffer overwrote, by buffer")   \
	X(traced_buf_chunks_discarded, LOSS, "chunks that a full buffer refused, by buffer")       \
	X(traced_buf_patches_failed, LOSS, "chunk patches that failed, by buffer")                 \
	X(traced_buf_trace_writer_packet_loss, LOSS, "packets that writers lost, by buffer")       \
	X(traced_buf_abi_violations, LOSS, "chunks that broke the protocol, by buffer")            \
	X(traced_buf_sequence_packet_loss, LOSS, "packets that follow a loss, by buffer")          \
	X(traced_flushes_failed, LOSS, "flushes that the service could not finish")                \
	X(traced_final_flush_failed, LOSS, "the last flush failed")                                \
	X(process_tracker_parent_pid_changed, INFO, "processes whose parent changed")              \
	X(fw_truncated_bytes, LOSS, "bytes at the end of the file that make no whole packet")      \
	X(fw_bad_packets, ERROR, "packets that do not decode")                                     \
	X(fw_bad_compressed, LOSS, "compressed packets that do not inflate")                       \
	X(fw_other_machine_packets, INFO, "packets of another machine (machine_id)")               \
	X(fw_side_bad_rows, ERROR, "rows of side files that could not be read")                    \
	X(fw_side_no_clock, ERROR, "times of side files that the recording's clocks do not place") \
	X(fw_log_unread, INFO,                                                                     \
	  "lines of AnimatorTracer and FolmeTracer that neither begin nor end an animation")       \
	X(fw_animation_bad, ERROR, "sections of animations that could not be read")                \
	X(fw_animations_evicted, LOSS, "animations forgotten because too many were under way")     \
	X(fw_framestats_stale, INFO, "DisplayPresentTime values left over from an earlier frame")  \
	X(fw_framestats_empty, ERROR,                                                              \
	  "dumps of gfxinfo without a frame: their blocks are empty, or it was not asked for any") \
	X(fw_latency_empty_rows, INFO, "empty rows of --latency")                                  \
	X(fw_latency_empty_tables, ERROR,                                                          \
	  "tables of --latency without a frame: the layer drew nothing, or has another name")      \
	X(fw_wake_race, INFO, "wakes that stood before the switch-out they ended")                 \
	X(fw_wake_spurious, INFO, "wakes of threads that did not sleep")                           \
	X(fw_state_gap, ERROR, "threads switched in or out against their known state")             \
	X(fw_fence_evicted, INFO, "fences forgotten because too many were in flight")              \
	X(fw_blocked_agree, INFO,                                                                  \
	  "blocked sleeps whose function and io_wait an event of the kernel or module confirms")   \
	X(fw_blocked_differ, INFO, "blocked sleeps of which such an event says something else")    \
	X(fw_ring_lost, LOSS, "records that found the ring full, by cpu")                          \
	X(fw_marks_lost, LOSS, "trace marks that were overwritten before they were read")          \
	X(fw_storage_failed, LOSS, "threads that could not become targets for want of memory")     \
	X(fw_prog_missed, LOSS, "runs of a program that the kernel skipped")                       \
	X(fw_clock_back, ERROR, "intervals that would have ended before they began")               \
	X(fw_wchan_failed, INFO, "sleeps whose stack came back empty")                             \
	X(fw_switch_missed, INFO, "switches without an event, timed by the scheduler's account")   \
	X(fw_capture_unfinished, LOSS, "captures without an end: the recorder was killed")         \
	X(fw_text_refused, ERROR, "lines of a text recording that could not be read")              \
	X(fw_text_lost, LOSS, "events that a text recording says were lost, by cpu")               \
	X(fw_text_overwritten, INFO, "events that were overwritten before the text begins")        \
	X(fw_capture_late, LOSS,                                                                   \
	  "records that came when their time was settled, and were left out")                      \
	X(fw_sf_packets, INFO, "packets of SurfaceFlinger's streams in the capture")               \
	X(fw_sf_gaps, LOSS, "times that SurfaceFlinger's stream broke off, or began anew")         \
	X(fw_sf_late, LOSS, "SurfaceFlinger's events that came too late, and were left out")       \
	X(fw_sf_bytes_lost, LOSS, "bytes of SurfaceFlinger's stream that made no whole packet")    \
	X(fw_late_events, ERROR, "events earlier than one of their cpu that stands before them")   \
	X(fw_kd_metadata_bytes, INFO, "bytes between the thread map and the first kd_buf record")  \
	X(fw_kd_unknown, INFO, "kd_buf records of the display that are not known to be a frame")   \
	X(fw_kd_rejected, ERROR, "kd_buf records that are not plausible")                          \
	X(fw_kd_out_of_order, ERROR, "kd_buf records earlier than one that stands before them")    \
	X(fw_kd_missing, LOSS, "kd_buf records that say that others were lost")                    \
	X(fw_intervals_dropped, LOSS, "windows too long to keep their intervals until their end")  \
	X(fw_gpu_left_out, LOSS,                                                                   \
	  "samples of GPU counters, stages and contexts beyond the first 1024, and of GPU memory " \
	  "of "                                                                                    \
	  "processes beyond 65536")                                                                \
	X(fw_gpu_forgotten, INFO, "GPU submissions and waits forgotten: too many were in flight")  \
	X(fw_gpu_bad_values, ERROR, "samples of GPU counters that are no finite number")

enum fw_health_id {
#define X(name, sev, what) FW_H_##name,
	FW_HEALTH_LIST(X)
#undef X
		FW_H_COUNT
};

/* Stands for "no index": the counter has one value. */
#define FW_HEALTH_NO_IDX (-1)

struct fw_health;

struct fw_health *fw_health_new(void);
void fw_health_free(struct fw_health *h);
void fw_health_add(struct fw_health *h, enum fw_health_id id, int idx, int64_t n);
void fw_health_set(struct fw_health *h, enum fw_health_id id, int idx, int64_t value);
/* The value, summed over all indices. */
int64_t fw_health_sum(const struct fw_health *h, enum fw_health_id id);
bool fw_health_lost(const struct fw_health *h); /* any FW_LOSS counter not zero */

const char *fw_health_name(enum fw_health_id id);
const char *fw_health_what(enum fw_health_id id);
enum fw_severity fw_health_severity(enum fw_health_id id);

/* Iterate over values that are not zero, by name then index; start with *@pos = 0. */
bool fw_health_next(const struct fw_health *h, size_t *pos, enum fw_health_id *id, int *idx,
		    int64_t *value);

#endif
