/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_TRACEDAT_EVENTS_H
#define FW_GEN_TRACEDAT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in the order of the machine that was traced. */
struct bytes {
	uint8_t *p;
	size_t n, cap;
	bool big;
};

void bytes_put(struct bytes *b, const void *p, size_t n);
void bytes_zeros(struct bytes *b, size_t n);
void bytes_u(struct bytes *b, uint64_t v, unsigned int size);
void bytes_text(struct bytes *b, const char *s); /* with its NUL */
void bytes_set(struct bytes *b, size_t at, uint64_t v, unsigned int size);

enum ev {
	EV_SWITCH,
	EV_WAKING,
	EV_BLOCKED,
	EV_NEWTASK,
	EV_IRQ_ENTRY,
	EV_IRQ_EXIT,
	EV_FREQUENCY,
	EV_FENCE_INIT,
	EV_FENCE_SIGNALED,
	EV_PRINT,
	EV_N
};

/* One field of an event: a number, a name of 16 bytes, or a text that stands behind the fields. */
struct field {
	const char *type, *name;
	int size; /* 0: text up to the end of the record; -1: the size of a long; -2: of __data_loc */
	bool is_signed;
};

struct format {
	const char *system, *name, *print;
	int id;
	struct field fields[8];
};

extern const struct format formats[EV_N];

/* A format file as the kernel has it. */
void put_format(struct bytes *b, const struct format *f, int long_size);

struct value {
	int64_t number;
	const char *text;
};

/* A record of an event: common fields, then those of its format. */
void put_record(struct bytes *b, enum ev e, int long_size, int flags, int pid,
		const struct value *v);

#endif
