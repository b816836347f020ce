/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_MAP_H
#define FW_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fw_map - hash map from u64 to u64, open addressing; any key and value is legal
 * Zero-initialise; release with fw_map_free().
 */
struct fw_map {
	struct fw_map_slot *slots;
	size_t cap;
	size_t n;
	size_t used; /* n and the deleted ones */
};

void fw_map_free(struct fw_map *m);
/* Return: the address of the value, valid until the next set or delete, or NULL. */
uint64_t *fw_map_get(const struct fw_map *m, uint64_t key);
void fw_map_set(struct fw_map *m, uint64_t key, uint64_t val);
/* The slot of @key, made with value 0 when absent. */
uint64_t *fw_map_slot(struct fw_map *m, uint64_t key);
bool fw_map_del(struct fw_map *m, uint64_t key);
/* Iterate: start with *@pos = 0; Return: false at the end. Do not change the map meanwhile. */
bool fw_map_next(const struct fw_map *m, size_t *pos, uint64_t *key, uint64_t *val);

uint64_t fw_hash_bytes(const void *p, size_t len);
static inline uint64_t fw_hash_u64(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	return x ^ (x >> 32);
}

#endif
