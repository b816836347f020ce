// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tid_table.h"

#include <stdlib.h>

#include "base/mem.h"

void fw_tid_table_free(struct fw_tid_table *t)
{
	for (uint32_t i = 0; i < FW_TID_PAGES; i++) {
		free(t->pages[i]);
		t->pages[i] = NULL;
	}
	fw_map_free(&t->large);
}

void fw_tid_table_set(struct fw_tid_table *t, int32_t tid, void *p)
{
	uint32_t u = (uint32_t)tid, page = u / FW_TID_PAGE;

	if (page >= FW_TID_PAGES) {
		if (p)
			fw_map_set(&t->large, u, (uint64_t)(uintptr_t)p);
		else
			fw_map_del(&t->large, u);
		return;
	}
	if (!t->pages[page]) {
		if (!p)
			return;
		t->pages[page] = fw_calloc(FW_TID_PAGE, sizeof(void *));
	}
	t->pages[page][u % FW_TID_PAGE] = p;
}

void *fw_tid_table_get_large(const struct fw_tid_table *t, int32_t tid)
{
	uint64_t *v = fw_map_get(&t->large, (uint32_t)tid);

	return v ? (void *)(uintptr_t)*v : NULL;
}
