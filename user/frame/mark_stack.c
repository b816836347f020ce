// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/mark_stack.h"

#include <stdlib.h>

#include "base/mem.h"

/* How deep a thread is, and at which depths there are marks of frames. */
struct fw_mark_stack {
	struct fw_mark_stack *next;
	uint32_t depth, n;
	struct fw_open_mark open[FW_MARK_STACK_OPEN];
};

void fw_mark_stacks_free(struct fw_mark_stacks *s)
{
	while (s->all) {
		struct fw_mark_stack *next = s->all->next;

		free(s->all);
		s->all = next;
	}
	fw_tid_table_free(&s->by_tid);
}

void fw_mark_stacks_other(struct fw_mark_stacks *s, int32_t tid)
{
	struct fw_mark_stack *of = fw_tid_table_get(&s->by_tid, tid);

	/* A thread outside of frames needs no count. */
	if (of && of->n)
		of->depth++;
}

bool fw_mark_stacks_push(struct fw_mark_stacks *s, int32_t tid, uint64_t number, int64_t start)
{
	struct fw_mark_stack *of = fw_tid_table_get(&s->by_tid, tid);

	if (!of) {
		of = fw_zalloc(sizeof(*of));
		of->next = s->all;
		s->all = of;
		fw_tid_table_set(&s->by_tid, tid, of);
	}
	of->depth++;
	if (of->n == FW_MARK_STACK_OPEN)
		return false;
	of->open[of->n++] = (struct fw_open_mark){ of->depth, number, start };
	return true;
}

bool fw_mark_stacks_pop(struct fw_mark_stacks *s, int32_t tid, struct fw_open_mark *mark)
{
	struct fw_mark_stack *of = fw_tid_table_get(&s->by_tid, tid);
	bool found;

	if (!of || !of->n)
		return false;
	found = of->open[of->n - 1].depth == of->depth;
	if (found)
		*mark = of->open[--of->n];
	of->depth = of->n ? of->depth - 1 : 0;
	return found;
}
