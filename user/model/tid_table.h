/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_TID_TABLE_H
#define FW_MODEL_TID_TABLE_H

#include <stdint.h>

#include "base/map.h"

/*
 * tid to pointer in two loads: every sched event asks for two threads, most of which nobody
 * follows. Linux has at most 4 Mi tids (PID_MAX_LIMIT); whatever else a recording claims goes to
 * a map.
 */
#define FW_TID_PAGE 4096u
#define FW_TID_PAGES 1024u

/**
 * struct fw_tid_table - zero-initialise; release with fw_tid_table_free()
 */
struct fw_tid_table {
	void **pages[FW_TID_PAGES];
	struct fw_map large;
};

void fw_tid_table_free(struct fw_tid_table *t);
/* NULL takes the tid out. */
void fw_tid_table_set(struct fw_tid_table *t, int32_t tid, void *p);
void *fw_tid_table_get_large(const struct fw_tid_table *t, int32_t tid);

static inline void *fw_tid_table_get(const struct fw_tid_table *t, int32_t tid)
{
	uint32_t u = (uint32_t)tid;
	void **page;

	if (u >= FW_TID_PAGE * FW_TID_PAGES)
		return t->large.n ? fw_tid_table_get_large(t, tid) : NULL;
	page = t->pages[u / FW_TID_PAGE];
	return page ? page[u % FW_TID_PAGE] : NULL;
}

#endif
