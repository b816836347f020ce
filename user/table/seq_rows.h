/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TABLE_SEQ_ROWS_H
#define FW_TABLE_SEQ_ROWS_H

#include <stdint.h>

#include "base/row.h"

/*
 * Rows that carry, unseen, the number of what they are made of. Trackers hand things on when they
 * end; where a table's order leaves two rows equal, that number keeps them in the order in which
 * they began.
 */
struct fw_seq_rows;

struct fw_seq_rows *fw_seq_rows_new(const struct fw_table *t);
void fw_seq_rows_free(struct fw_seq_rows *r);
int fw_seq_rows_add(struct fw_seq_rows *r, const struct fw_cell *cells, uint64_t seq);
/* begin, all rows in order, end. */
int fw_seq_rows_emit(struct fw_seq_rows *r, struct fw_sink *sink);

#endif
