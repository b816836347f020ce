/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SOURCE_H
#define FW_INPUT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct fw_source - the bytes of an input, readable at any position
 *
 * A regular file is read in place. Standard input and pipes are copied to an unlinked temporary
 * file, a gzip file is inflated to one. Bytes that a reader inflates itself (compressed packets)
 * go to a second one and have positions from FW_SOURCE_INFLATED on.
 */
struct fw_source;

#define FW_SOURCE_INFLATED (1ULL << 62)

/**
 * fw_source_open() - open, spool and inflate as needed
 * Return: 0 and *@out, or a negative errno with fw_fail() set.
 */
int fw_source_open(const char *path, struct fw_source **out);
void fw_source_close(struct fw_source *s);

const char *fw_source_path(const struct fw_source *s);
uint64_t fw_source_size(const struct fw_source *s);
/* Bytes of the file as given, before inflating. */
uint64_t fw_source_file_size(const struct fw_source *s);
bool fw_source_gzip(const struct fw_source *s);
/* The gzip stream ended early or is damaged; what could be inflated is there. */
bool fw_source_cut(const struct fw_source *s);

/* Read up to @len bytes at @pos; Return: bytes read, fewer only at the end, or negative errno. */
ssize_t fw_source_read(struct fw_source *s, uint64_t pos, void *buf, size_t len);

/* Add inflated bytes; their position is fw_source_inflated_end() before the call. */
int fw_source_add(struct fw_source *s, const void *p, size_t len);
uint64_t fw_source_inflated_end(const struct fw_source *s);

/**
 * struct fw_reader - reads a source forward through one buffer
 */
struct fw_reader {
	struct fw_source *src;
	uint64_t base;
	size_t len, cap;
	uint8_t *buf;
};

/**
 * fw_reader_at() - bytes from @pos on
 * @want: at least so many, unless the source ends
 * @have: set to the number available
 * Return: the bytes, valid until the next call, or NULL with fw_fail() set.
 */
const uint8_t *fw_reader_at(struct fw_reader *w, uint64_t pos, size_t want, size_t *have);
void fw_reader_free(struct fw_reader *w);

#endif
