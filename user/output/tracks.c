// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/tracks.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };

#define SEQUENCE_CLEARED 1

struct fw_lane_group {
	int64_t *ends; /* of the last slice of each lane */
	size_t n, cap;
};

int fw_tracks_open(struct fw_tracks *t, const char *path)
{
	*t = (struct fw_tracks){ 0 };
	return fw_writer_open(&t->w, path);
}

int fw_tracks_close(struct fw_tracks *t)
{
	for (size_t i = 0; i < t->n_lanes; i++)
		free(t->lanes[i].ends);
	free(t->lanes);
	free(t->pb.p);
	fw_map_free(&t->known);
	fw_map_free(&t->groups);
	return fw_writer_close(&t->w);
}

struct fw_pb *fw_tracks_packet(struct fw_tracks *t, int64_t ts)
{
	bool first = !t->pb.cap;

	t->pb.len = 0;
	t->packet = fw_pb_open(&t->pb, FW_PB_PACKET);
	if (ts >= 0)
		fw_pb_int(&t->pb, FW_PB_TIMESTAMP, ts);
	fw_pb_uint(&t->pb, FW_PB_SEQUENCE, 1);
	if (first)
		fw_pb_uint(&t->pb, FW_PB_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	return &t->pb;
}

void fw_tracks_packet_end(struct fw_tracks *t)
{
	fw_pb_close(&t->pb, t->packet);
	fw_writer_put(&t->w, t->pb.p, t->pb.len);
}

uint64_t fw_tracks_uuid(const char *kind, uint64_t a, uint64_t b)
{
	uint64_t h = fw_hash_u64(fw_hash_bytes(kind, strlen(kind)) + a);

	h = fw_hash_u64(h + 0x9e3779b97f4a7c15ULL + b);
	return h ? h : 1;
}

/* Return: whether the descriptor of @uuid is to be written: its packet is open then. */
static bool describe(struct fw_tracks *t, uint64_t uuid, size_t *opened)
{
	if (fw_map_get(&t->known, uuid))
		return false;
	fw_map_set(&t->known, uuid, 1);
	fw_tracks_packet(t, -1);
	*opened = fw_pb_open(&t->pb, FW_PB_TRACK_DESCRIPTOR);
	fw_pb_uint(&t->pb, 1, uuid);
	return true;
}

static void described(struct fw_tracks *t, size_t opened)
{
	fw_pb_close(&t->pb, opened);
	fw_tracks_packet_end(t);
}

void fw_tracks_process(struct fw_tracks *t, uint64_t uuid, int64_t pid, struct fw_str name)
{
	size_t opened, process;

	if (!describe(t, uuid, &opened))
		return;
	process = fw_pb_open(&t->pb, 3);
	fw_pb_int(&t->pb, 1, pid);
	fw_pb_text(&t->pb, 6, name);
	fw_pb_close(&t->pb, process);
	described(t, opened);
}

void fw_tracks_thread(struct fw_tracks *t, uint64_t uuid, int64_t pid, int64_t tid,
		      struct fw_str name)
{
	size_t opened, thread;

	if (!describe(t, uuid, &opened))
		return;
	thread = fw_pb_open(&t->pb, 4);
	fw_pb_int(&t->pb, 1, pid);
	fw_pb_int(&t->pb, 2, tid);
	fw_pb_text(&t->pb, 5, name);
	fw_pb_close(&t->pb, thread);
	described(t, opened);
}

void fw_tracks_track(struct fw_tracks *t, uint64_t uuid, uint64_t parent, struct fw_str name)
{
	size_t opened;

	if (!describe(t, uuid, &opened))
		return;
	if (parent)
		fw_pb_uint(&t->pb, 5, parent);
	fw_pb_text(&t->pb, 2, name);
	described(t, opened);
}

uint64_t fw_tracks_lane(struct fw_tracks *t, uint64_t uuid, uint64_t parent, struct fw_str name,
			int64_t start, int64_t end)
{
	uint64_t *slot = fw_map_slot(&t->groups, uuid);
	struct fw_lane_group *g;
	size_t i;

	if (!*slot) {
		fw_grow(t->lanes, t->n_lanes, t->cap_lanes);
		t->lanes[t->n_lanes++] = (struct fw_lane_group){ 0 };
		*slot = t->n_lanes;
	}
	g = &t->lanes[*slot - 1];
	for (i = 0; i < g->n && g->ends[i] > start; i++)
		;
	if (i == FW_LANES_MAX || start < 0 || end < start) {
		t->dropped++;
		return 0;
	}
	if (i == g->n) {
		fw_grow(g->ends, g->n, g->cap);
		g->n++;
	}
	g->ends[i] = end;
	uuid = fw_tracks_uuid("lane", uuid, i);
	fw_tracks_track(t, uuid, parent, name);
	return uuid;
}

static void event(struct fw_tracks *t, int type, uint64_t track, int64_t ts, struct fw_str name)
{
	fw_tracks_packet(t, ts);
	t->event = fw_pb_open(&t->pb, FW_PB_TRACK_EVENT);
	fw_pb_int(&t->pb, 9, type);
	fw_pb_uint(&t->pb, 11, track);
	fw_pb_text(&t->pb, 23, name);
}

void fw_tracks_begin(struct fw_tracks *t, uint64_t track, int64_t ts, struct fw_str name)
{
	event(t, SLICE_BEGIN, track, ts, name);
}

void fw_tracks_instant(struct fw_tracks *t, uint64_t track, int64_t ts, struct fw_str name)
{
	event(t, INSTANT, track, ts, name);
}

static size_t note(struct fw_tracks *t, const char *name)
{
	size_t opened = fw_pb_open(&t->pb, 4);

	fw_pb_text(&t->pb, 10, fw_str(name));
	return opened;
}

void fw_tracks_note_int(struct fw_tracks *t, const char *name, int64_t v)
{
	size_t opened = note(t, name);

	fw_pb_int(&t->pb, 4, v);
	fw_pb_close(&t->pb, opened);
}

void fw_tracks_note_uint(struct fw_tracks *t, const char *name, uint64_t v)
{
	size_t opened = note(t, name);

	fw_pb_uint(&t->pb, 3, v);
	fw_pb_close(&t->pb, opened);
}

void fw_tracks_note_real(struct fw_tracks *t, const char *name, double v)
{
	size_t opened = note(t, name);

	fw_pb_double(&t->pb, 5, v);
	fw_pb_close(&t->pb, opened);
}

void fw_tracks_note_text(struct fw_tracks *t, const char *name, struct fw_str s)
{
	size_t opened = note(t, name);

	fw_pb_text(&t->pb, 6, s);
	fw_pb_close(&t->pb, opened);
}

void fw_tracks_flow(struct fw_tracks *t, uint64_t id)
{
	fw_pb_fixed64(&t->pb, 47, id);
}

void fw_tracks_event_end(struct fw_tracks *t)
{
	fw_pb_close(&t->pb, t->event);
	fw_tracks_packet_end(t);
}

void fw_tracks_slice_end(struct fw_tracks *t, uint64_t track, int64_t ts)
{
	event(t, SLICE_END, track, ts, FW_STR_NONE);
	fw_tracks_event_end(t);
}
