/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_TESTS_HARNESS_H
#define FW_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/health.h"
#include "base/row.h"
#include "input/side/side.h"

/*
 * The whole way from bytes to rows, in one process: for the fuzz targets and for the test that cuts
 * and corrupts recordings.
 */

/* Bytes as a file that the readers can open by name; the same one each time, overwritten. */
const char *harness_file(const void *bytes, size_t len);

/* The same bytes, but that they begin with those of a format. */
const char *harness_file_as(const void *magic, size_t n, const void *bytes, size_t len);

/* Read every byte, so that the sanitizer sees a text that is gone or too long. */
void harness_touch(struct fw_str s);

struct harness_events {
	int err; /* of open, start or next */
	uint64_t n;
	bool ordered; /* times never fell */
};

/* Read all events of @path, touching every byte they borrow. @health may be NULL. */
struct harness_events harness_read(const char *path, bool tp_order, struct fw_health *health);

/* Called with each row of each table. */
typedef void (*harness_row)(void *ctx, const struct fw_table *t, const struct fw_cell *cells);

/* The frame report, all its tables. Return: as fw_report(). @row may be NULL. */
int harness_report(const char *path, struct fw_health *health, harness_row row, void *ctx);
/* How many other tables framewait report --table knows, twice: in both semantics. */
unsigned int harness_n_tables(void);
/* One of them, @which taken modulo their number. */
void harness_table(const char *path, uint64_t which);

/* The bytes as a dump of that kind, whatever they are: is it one by its first lines, and its table. */
void harness_side(const char *path, enum fw_side_kind kind);

#endif
