/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_SPOOL_H
#define FW_BASE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct fw_spool - bytes kept in an unlinked file in $TMPDIR (else /tmp)
 *
 * Written at the end, read anywhere. All functions that can fail return 0 or a negative errno
 * with fw_fail() set.
 */
struct fw_spool;

int fw_spool_new(struct fw_spool **out);
void fw_spool_free(struct fw_spool *s);
int fw_spool_append(struct fw_spool *s, const void *p, size_t len);
/* Read exactly @len bytes at @pos. */
int fw_spool_read(struct fw_spool *s, uint64_t pos, void *p, size_t len);
uint64_t fw_spool_size(const struct fw_spool *s);
/* Bytes that nobody reads again: give the blocks back where the file system can. */
void fw_spool_drop(struct fw_spool *s, uint64_t start, uint64_t end);

#endif
