// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * track - slices that a process writes on its threads' tracks (TrackEvent)
 *
 * Only slices of threads are kept: they stand among the thread's trace marks. Field numbers:
 * protos/perfetto/trace/track_event/{track_event,track_descriptor,thread_descriptor}.proto.
 */
#include "input/perfetto/perfetto.h"

#include <stdlib.h>

#include "base/mem.h"

enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3 };

static const struct fw_fill f_thread[] = {
	{ 1, FW_FILL_I32, offsetof(struct fw_event, thread.tgid), 0 },
	{ 2, FW_FILL_I32, offsetof(struct fw_event, thread.tid), 0 },
	{ 5, FW_FILL_STR, offsetof(struct fw_event, thread.name), 0 },
	{ 0, 0, 0, 0 },
};

/* uuid 1 and thread 4 of a TrackDescriptor; Return: false where the bytes are no message. */
static bool read_descriptor(struct fw_str msg, uint64_t *uuid, struct fw_str *thread)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	*uuid = 0;
	*thread = FW_STR_NONE;
	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			*uuid = f.v;
		else if (f.id == 4 && f.wire == FW_WIRE_LEN)
			*thread = f.s;
	}
	return ret == 0;
}

bool pf_thread_descriptor(struct fw_str msg, struct fw_event *ev)
{
	struct fw_str thread;
	uint64_t uuid;

	ev->type = FW_EV_THREAD_SEEN;
	return read_descriptor(msg, &uuid, &thread) && thread.p &&
	       fw_fill(thread, f_thread, ev, FW_FILL_NO_HAS);
}

bool pf_track_descriptor(struct pf *p, struct fw_str msg)
{
	struct fw_event ev = { 0 };
	struct fw_str thread;
	uint64_t uuid;

	if (!read_descriptor(msg, &uuid, &thread))
		return false;
	if (!thread.p)
		return true;
	if (!fw_fill(thread, f_thread, &ev, FW_FILL_NO_HAS))
		return false;
	fw_map_set(&p->tracks, uuid, (uint32_t)ev.thread.tid);
	return true;
}

struct parts {
	uint64_t type, name_iid, category, track;
	struct fw_str name;
};

static bool read_event(struct fw_str msg, struct parts *e)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == TE_NAME && f.wire == FW_WIRE_LEN)
			e->name = f.s;
		else if (f.wire != FW_WIRE_VARINT)
			continue;
		else if (f.id == TE_TYPE)
			e->type = f.v;
		else if (f.id == TE_NAME_IID)
			e->name_iid = f.v;
		else if (f.id == TE_TRACK_UUID)
			e->track = f.v;
		else if (f.id == TE_CATEGORY_IIDS && !e->category)
			e->category = f.v;
	}
	return ret == 0;
}

size_t pf_track_event(struct pf *p, const struct pf_seq *s, struct fw_str msg, char **out)
{
	struct parts e = { .track = s->default_track };
	struct pf_track_event *kept;
	struct fw_str category;

	if (!read_event(msg, &e)) {
		fw_health_add(p->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		return 0;
	}
	if (e.type < TYPE_SLICE_BEGIN || e.type > TYPE_INSTANT)
		return 0;
	if (!e.name.p && e.name_iid)
		e.name = pf_interned(p, s->gen, PF_EVENT_NAMES, e.name_iid);
	category = e.category ? pf_interned(p, s->gen, PF_CATEGORIES, e.category) : FW_STR_NONE;
	kept = fw_zalloc(sizeof(*kept) + e.name.len);
	kept->track = e.track;
	kept->op = (uint32_t) " BEI"[e.type];
	kept->category = fw_names_id(p->names, category);
	if (e.name.len)
		memcpy(kept->name, e.name.p, e.name.len);
	*out = (char *)kept;
	return sizeof(*kept) + e.name.len;
}

bool pf_track_slice(const struct pf *p, struct fw_str kept, struct fw_event *ev)
{
	struct pf_track_event e;
	uint64_t *tid;

	memcpy(&e, kept.p, sizeof(e));
	tid = fw_map_get(&p->tracks, e.track);
	if (!tid)
		return false;
	ev->type = FW_EV_KERNEL_SLICE;
	ev->tid = (int32_t)*tid;
	ev->kslice.tid = -1;
	ev->kslice.op = (char)e.op;
	ev->kslice.category = fw_names_str(p->names, e.category);
	if (kept.len > sizeof(e) || e.op != 'E')
		ev->kslice.name = (struct fw_str){ kept.p + sizeof(e), kept.len - sizeof(e) };
	return true;
}
