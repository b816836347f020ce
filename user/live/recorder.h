/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_RECORDER_H
#define FW_LIVE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "live/session.h"
#include "live/sf.h"

/**
 * struct fw_recorder_opts - one recording
 * @session: how the programs record
 * @path: capture file, "-" for standard output, NULL for none
 * @marks: read trace marks too
 * @sf: where SurfaceFlinger's events come from
 * @frame_mark: a mark that begins a frame besides Choreographer#doFrame, or NULL
 * @on_record: called for each record in the order of the capture, or NULL (top)
 * @note: lines key=value for the capture's head, or ""
 */
struct fw_recorder_opts {
	struct fw_session_opts session;
	const char *path;
	bool marks;
	struct fw_sf_opts sf;
	const char *frame_mark;
	void (*on_record)(void *ctx, const struct fw_rec *r);
	void *ctx;
	const char *note;
};

/**
 * struct fw_record_stats - what a recording did so far
 * @produced, @consumed, @lost: records of the programs; produced = consumed + lost at the end
 * @cpu_ns: CPU time of this process
 */
struct fw_record_stats {
	uint64_t start, now;
	uint64_t produced, consumed, lost;
	uint64_t marks, marks_lost;
	uint64_t bytes, cpu_ns;
	uint64_t prog_ns, prog_runs; /* 0 without kernel.bpf_stats_enabled */
	uint64_t storage_failed, clock_back, wchan_failed, switch_missed, missed;
	uint32_t targets; /* threads that live and are targets */
	uint64_t frames; /* marks that begin a frame */
	enum fw_sf_mode sf;
	uint64_t sf_packets, sf_gaps, sf_bytes_lost;
};

struct fw_recorder;

/**
 * fw_recorder_open() - load, attach, write the head
 * @unwritable: on failure: was it that the capture cannot be written? May be NULL
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_recorder_open(const struct fw_recorder_opts *o, struct fw_recorder **out, bool *unwritable);
/* Take what has come. Call it every fw_recorder_interval_ms(). */
int fw_recorder_poll(struct fw_recorder *r);
int fw_recorder_interval_ms(const struct fw_recorder *r);
/* Take all that was until now: also what the kernel keeps back, and states that go on. */
int fw_recorder_catch_up(struct fw_recorder *r);
/* Stop: last states, detach, drain. The statistics are final afterwards. */
int fw_recorder_stop(struct fw_recorder *r);
void fw_recorder_stats(struct fw_recorder *r, struct fw_record_stats *out);
struct fw_session *fw_recorder_session(struct fw_recorder *r);
/* Close the capture; its failure, if any. */
int fw_recorder_close(struct fw_recorder *r);

#endif
