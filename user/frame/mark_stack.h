/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_MARK_STACK_H
#define FW_FRAME_MARK_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tid_table.h"

/*
 * The marks that threads have open, as far as it takes to know which end is of a frame's mark: an
 * end says nothing but that the innermost mark of its thread is over.
 */
#define FW_MARK_STACK_OPEN 4 /* marks of frames within one another */

/**
 * struct fw_open_mark - a mark of a frame that is open
 * @depth: how many marks of its thread are open with it
 * @number: the caller's, of the frame
 */
struct fw_open_mark {
	uint32_t depth;
	uint64_t number;
	int64_t start;
};

/**
 * struct fw_mark_stacks - zero-initialise; release with fw_mark_stacks_free()
 */
struct fw_mark_stacks {
	struct fw_tid_table by_tid;
	struct fw_mark_stack *all;
};

void fw_mark_stacks_free(struct fw_mark_stacks *s);
/* A mark of no frame begins. */
void fw_mark_stacks_other(struct fw_mark_stacks *s, int32_t tid);
/* A mark of frame @number begins. Return: false: too many are open; its end will not be told. */
bool fw_mark_stacks_push(struct fw_mark_stacks *s, int32_t tid, uint64_t number, int64_t start);
/* A mark ends. Return: true and *@mark where it was of a frame. */
bool fw_mark_stacks_pop(struct fw_mark_stacks *s, int32_t tid, struct fw_open_mark *mark);

#endif
