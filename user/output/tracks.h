/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_TRACKS_H
#define FW_OUTPUT_TRACKS_H

#include <stdint.h>

#include "base/map.h"
#include "output/pb.h"
#include "output/writer.h"

/*
 * Packets of a Perfetto trace with track events. Field numbers are those of
 * protos/perfetto/trace/trace_packet.proto, track_event/track_event.proto, track_descriptor.proto,
 * process_descriptor.proto, thread_descriptor.proto and debug_annotation.proto (v57.2).
 */
enum {
	FW_PB_PACKET = 1, /* of Trace */
	FW_PB_TIMESTAMP = 8,
	FW_PB_SEQUENCE = 10,
	FW_PB_TRACK_EVENT = 11,
	FW_PB_SEQUENCE_FLAGS = 13,
	FW_PB_TRACK_DESCRIPTOR = 60,
	FW_PB_FRAME_TIMELINE = 76,
};

/* Slices of one track that overlap beyond this many are left out, and counted. */
#define FW_LANES_MAX 256

struct fw_tracks {
	struct fw_writer w;
	struct fw_pb pb;
	size_t packet; /* where the open packet began, and its event */
	size_t event;
	struct fw_map known; /* uuids of the tracks that have a descriptor */
	struct fw_map groups; /* uuid of a track with lanes: index + 1 */
	struct fw_lane_group *lanes;
	size_t n_lanes, cap_lanes;
	uint64_t dropped; /* slices that found no lane or no time */
};

/* Return: 0, or a negative errno with fw_fail() set. */
int fw_tracks_open(struct fw_tracks *t, const char *path);
int fw_tracks_close(struct fw_tracks *t);

/* A packet of the one sequence: its bytes go between the two. @ts: below 0: without a time. */
struct fw_pb *fw_tracks_packet(struct fw_tracks *t, int64_t ts);
void fw_tracks_packet_end(struct fw_tracks *t);

/* The name of a track, made of what it is of; never 0. */
uint64_t fw_tracks_uuid(const char *kind, uint64_t a, uint64_t b);

/* Descriptors, written once for each uuid. */
void fw_tracks_process(struct fw_tracks *t, uint64_t uuid, int64_t pid, struct fw_str name);
void fw_tracks_thread(struct fw_tracks *t, uint64_t uuid, int64_t pid, int64_t tid,
		      struct fw_str name);
/* @parent: 0: none */
void fw_tracks_track(struct fw_tracks *t, uint64_t uuid, uint64_t parent, struct fw_str name);

/**
 * fw_tracks_lane() - the track for a slice among those of @uuid, so that none overlap
 * @end: INT64_MAX: it does not end
 * Return: the track's uuid with its descriptor written, or 0 where there are too many.
 */
uint64_t fw_tracks_lane(struct fw_tracks *t, uint64_t uuid, uint64_t parent, struct fw_str name,
			int64_t start, int64_t end);

/* An event: begin, annotations and flows, end. */
void fw_tracks_begin(struct fw_tracks *t, uint64_t track, int64_t ts, struct fw_str name);
void fw_tracks_instant(struct fw_tracks *t, uint64_t track, int64_t ts, struct fw_str name);
void fw_tracks_note_int(struct fw_tracks *t, const char *name, int64_t v);
void fw_tracks_note_uint(struct fw_tracks *t, const char *name, uint64_t v);
void fw_tracks_note_real(struct fw_tracks *t, const char *name, double v);
void fw_tracks_note_text(struct fw_tracks *t, const char *name, struct fw_str s);
void fw_tracks_flow(struct fw_tracks *t, uint64_t id);
void fw_tracks_event_end(struct fw_tracks *t);
/* The end of the slice that was begun last on the track. */
void fw_tracks_slice_end(struct fw_tracks *t, uint64_t track, int64_t ts);

#endif
