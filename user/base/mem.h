/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_MEM_H
#define FW_BASE_MEM_H

#include <stddef.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define FW_MIN(a, b) ((a) < (b) ? (a) : (b))
#define FW_MAX(a, b) ((a) > (b) ? (a) : (b))

/*
 * Allocation that cannot fail: a collector that is out of memory can do nothing useful but say so.
 * These end the process with exit status 3 and a message. All but fw_realloc() memory comes zeroed.
 */
void *fw_zalloc(size_t size);
void *fw_calloc(size_t n, size_t size);
void *fw_realloc(void *p, size_t n, size_t size);
void *fw_memdup(const void *p, size_t len);
char *fw_strdup(const char *s);
char *fw_asprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * fw_grow() - make room for one more element in a growing array
 * @arr: lvalue pointer to the elements; @n: elements in use; @cap: lvalue, elements allocated
 */
#define fw_grow(arr, n, cap)                                                                       \
	do {                                                                                       \
		if ((n) >= (cap)) {                                                                \
			(cap) = (cap) ? (cap)*2 : 16;                                              \
			(arr) = fw_realloc((arr), (cap), sizeof(*(arr)));                          \
		}                                                                                  \
	} while (0)

#endif
