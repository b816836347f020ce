// SPDX-License-Identifier: GPL-2.0-or-later
/* cursor - numbers and texts of a trace.dat's container, in the byte order of the file */
#include <string.h>

#include "base/mem.h"
#include "input/tracedat/tracedat.h"

uint64_t td_number(const struct td *t, const uint8_t *p, unsigned int size)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < size; i++)
		v |= (uint64_t)p[i] << 8 * (t->big ? size - 1 - i : i);
	return v;
}

const uint8_t *td_bytes(struct td_cursor *c, size_t len)
{
	const uint8_t *p;
	size_t have;

	if (c->bad || c->pos > c->end || len > c->end - c->pos) {
		c->bad = true;
		return NULL;
	}
	p = fw_reader_at(&c->t->reader, c->pos, len, &have);
	if (!p || have < len) {
		c->bad = true;
		return NULL;
	}
	c->pos += len;
	return p;
}

uint64_t td_u(struct td_cursor *c, unsigned int size)
{
	const uint8_t *p = td_bytes(c, size);

	return p ? td_number(c->t, p, size) : 0;
}

bool td_text(struct td_cursor *c, char *buf, size_t room)
{
	size_t n = 0;

	for (;;) {
		const uint8_t *p = td_bytes(c, 1);

		if (!p || !*p)
			break;
		if (n + 1 < room)
			buf[n++] = (char)*p;
	}
	buf[n] = '\0';
	return !c->bad;
}

struct td_span td_skip(struct td_cursor *c, uint64_t len)
{
	struct td_span s = { c->pos, len };

	if (c->bad || len > c->end - c->pos) {
		c->bad = true;
		return (struct td_span){ c->pos, 0 };
	}
	c->pos += len;
	return s;
}
