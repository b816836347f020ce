/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_PERFETTO_RUN_H
#define FW_INPUT_PERFETTO_RUN_H

#include "input/perfetto/compact.h"
#include "input/perfetto/wanted.h"

/* One plain event of an open bundle. */
struct pf_plain {
	int64_t ts;
	uint32_t off, len; /* of the FtraceEvent in bytes */
};

/* What is left to deliver of one stream of a compact bundle. */
struct pf_todo {
	bool all; /* every index from pos on; list is not used */
	uint32_t *list;
	int32_t *before; /* by list position: who ran; filtered bundles only */
	int32_t *before_comm; /* and its comm index, -1 none */
	size_t n, pos;
	size_t list_cap, before_cap, comm_cap;
	uint32_t taken; /* indices below were delivered or passed */
};

/**
 * struct pf_open - a bundle that the merge has reached
 */
struct pf_open {
	struct pf_run rec;
	struct pf_open *next_free;
	int n_cursors;
	uint8_t *bytes;
	size_t bytes_cap;
	int64_t since; /* last event of this cpu before */

	struct pf_plain *plain;
	size_t n_plain, plain_cap, plain_pos;

	bool filtered, late;
	uint32_t generation; /* of the interest that select saw */
	int32_t cur0; /* who ran before the first switch, -1 unknown */
	int64_t end; /* last event */
	struct pf_compact c;
	struct pf_todo sw, wk;
};

enum { PF_CURSOR_SMALL = PF_KINDS, PF_CURSOR_LOST };

struct pf_cursor {
	int64_t ts;
	uint32_t rank;
	uint32_t kind; /* enum pf_kind or one of the above */
	uint64_t arrival;
	struct pf_open *run;
	int64_t since; /* lost */
	int32_t cpu; /* lost */
};

struct pf_cpu {
	int32_t cur; /* who runs after all compact switches seen; -1 unknown */
	int64_t last_ts;
	int64_t until; /* last event of the compact bundles opened so far */
};

struct pf_merge {
	uint64_t wants;
	bool marks_only; /* only bundles that have marks, and nothing else of them */
	struct fw_interest *interest;
	struct pf_wanted wanted;
	uint32_t generation;
	int64_t now;
	int64_t drop_before;

	struct pf_cursor *heap;
	size_t n_heap, heap_cap;
	bool tp_order;
	uint32_t last_rank; /* of the cursor that gave the last event */
	int64_t last_next; /* its next event; INT64_MIN: not known */
	struct pf_cpu *cpus;
	struct pf_open *free_runs;

	bool has_next_run;
	uint64_t n_runs; /* fetched so far */
	struct pf_run next_run;

	const struct pf_small *small_rec;
	struct pf_small_iter small_iter;
	bool in_small;
	struct pf_gpu gpu;

	uint8_t ftrace_types[PF_FTRACE_IDS];
	char hex[24]; /* the name of a function without one */
	struct fw_event ev;
};

/* Read and decode p->merge->next_run (copied to r->rec). */
int pf_run_open(struct pf *p, struct pf_open *r);
void pf_run_free(struct pf_open *r);
/* The time of a stream's next event; false when it has none. */
bool pf_run_peek(const struct pf_open *r, int kind, int64_t *ts);
/* Step over it; Return: whether m->ev holds an event to deliver. */
bool pf_run_take(struct pf *p, struct pf_open *r, int kind);
/* Merge a bundle whole from now on: another one of its cpu overlaps it. */
void pf_run_make_late(struct pf *p, struct pf_open *r);
/* All open bundles of @cpu become late. */
void pf_merge_overlap(struct pf *p, int cpu);
/* Choose what to deliver from @from on. */
void pf_run_select(struct pf *p, struct pf_open *r, int64_t from);

#endif
