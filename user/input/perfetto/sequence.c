// SPDX-License-Identifier: GPL-2.0-or-later
/* sequence - incremental state and interned data of packet sequences */
#include "input/perfetto/perfetto.h"

#include "base/mem.h"

struct pf_seq *pf_seq(struct pf *p, uint32_t id)
{
	uint64_t *at = fw_map_get(&p->seq_by_id, id);

	if (at)
		return &p->seqs[*at];
	fw_grow(p->seqs, p->n_seqs, p->seqs_cap);
	p->seqs[p->n_seqs] = (struct pf_seq){ .id = id };
	fw_map_set(&p->seq_by_id, id, p->n_seqs);
	return &p->seqs[p->n_seqs++];
}

void pf_seq_cleared(struct pf *p, struct pf_seq *s)
{
	s->valid = true;
	s->default_clock = 0;
	s->default_track = 0;
	/* Nobody asks for what was interned before when packets are handed on at once. */
	if (p->on_small && s->gen) {
		for (int k = 0; k < PF_INTERN_N; k++)
			fw_map_free(&p->gens[s->gen].ids[k]);
		return;
	}
	fw_grow(p->gens, p->n_gens, p->gens_cap);
	memset(&p->gens[p->n_gens], 0, sizeof(p->gens[0]));
	s->gen = p->n_gens++;
}

/* iid and string of { iid = 1, str = 2 }, or the whole message where it is no such pair. */
static bool intern_one(struct pf *p, struct pf_seq *s, enum pf_intern kind, struct fw_str msg)
{
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_str text = msg;
	struct fw_map *ids = &p->gens[s->gen].ids[kind];
	struct fw_pb_field f;
	uint64_t iid = 0;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		if (f.id == 1 && f.wire == FW_WIRE_VARINT)
			iid = f.v;
		else if (f.id == 2 && f.wire == FW_WIRE_LEN && kind != PF_CONTEXTS &&
			 kind != PF_COUNTER_DESCS)
			text = f.s;
	}
	/* The first definition within an interval wins; packet_sequence_state_generation.cc. */
	if (ret == 0 && !fw_map_get(ids, iid))
		fw_map_set(ids, iid, fw_names_id(p->names, text));
	return ret == 0;
}

bool pf_interned_data(struct pf *p, struct pf_seq *s, struct fw_str msg)
{
	static const struct {
		uint32_t field;
		enum pf_intern kind;
	} kinds[] = {
		{ ID_KERNEL_SYMBOLS, PF_SYMBOLS },  { ID_GRAPHICS_CONTEXTS, PF_CONTEXTS },
		{ ID_GPU_SPECS, PF_SPECS },	    { ID_GPU_COUNTER_DESCS, PF_COUNTER_DESCS },
		{ ID_EVENT_NAMES, PF_EVENT_NAMES }, { ID_CATEGORIES, PF_CATEGORIES },
	};
	struct fw_pb pb = fw_pb_of(msg);
	struct fw_pb_field f;
	size_t i;
	int ret;

	while ((ret = fw_pb_next(&pb, &f)) > 0) {
		for (i = 0; i < ARRAY_SIZE(kinds); i++) {
			if (f.id != kinds[i].field || f.wire != FW_WIRE_LEN)
				continue;
			if (!intern_one(p, s, kinds[i].kind, f.s))
				return false;
		}
	}
	return ret == 0;
}

struct fw_str pf_interned(const struct pf *p, uint32_t gen, enum pf_intern kind, uint64_t iid)
{
	uint64_t *id = fw_map_get(&p->gens[gen].ids[kind], iid);

	return id ? fw_names_str(p->names, (uint32_t)*id) : FW_STR_NONE;
}
