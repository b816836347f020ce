// SPDX-License-Identifier: GPL-2.0-or-later
/* fields - key=value arguments */
#include <string.h>

#include "base/mem.h"
#include "input/text/text.h"

#define FIELDS_MAX 16

static bool hex_number(struct fw_str s, uint64_t *out)
{
	uint64_t v = 0;
	unsigned int digit;

	if (s.len > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X'))
		s = (struct fw_str){ s.p + 2, s.len - 2 };
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (c >= '0' && c <= '9')
			digit = (unsigned int)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			digit = (unsigned int)((c | 0x20) - 'a') + 10;
		else
			return false;
		if (v >> 60)
			return false;
		v = v << 4 | digit;
	}
	*out = v;
	return s.len > 0;
}

static bool whole_number(struct fw_str s, uint64_t *out)
{
	return s.len > 2 && s.p[0] == '0' && s.p[1] == 'x' ? hex_number(s, out)
							   : fw_str_uint(s, out);
}

/* Its first word. */
static struct fw_str word(struct fw_str s)
{
	size_t n = 0;

	while (n < s.len && s.p[n] != ' ' && s.p[n] != ',')
		n++;
	return (struct fw_str){ s.p, n };
}

static bool store(const struct tx_field *f, struct fw_str value, char *at)
{
	struct fw_str w = word(value);
	uint64_t u;
	int64_t i;
	int32_t narrow;

	switch (f->kind) {
	case TX_STR:
		memcpy(at, &value, sizeof(value));
		return true;
	case TX_WORD:
		memcpy(at, &w, sizeof(w));
		return true;
	case TX_U64:
	case TX_HEX:
		if (!(f->kind == TX_HEX ? hex_number : whole_number)(w, &u))
			return false;
		memcpy(at, &u, sizeof(u));
		return true;
	case TX_I64:
		if (!fw_str_int(w, &i))
			return false;
		memcpy(at, &i, sizeof(i));
		return true;
	}
	/* The kernel prints numbers of 32 bits with and without a sign. */
	if (!fw_str_int(w, &i) || i < INT32_MIN || i > UINT32_MAX)
		return false;
	narrow = (int32_t)(uint32_t)i;
	memcpy(at, &narrow, sizeof(narrow));
	return true;
}

/* Does @key end before @eq, at the start of a word? */
static bool key_ends(struct fw_str args, size_t eq, const char *key, size_t *start)
{
	size_t n = strlen(key);

	if (eq < n || memcmp(args.p + eq - n, key, n))
		return false;
	*start = eq - n;
	return *start == 0 || args.p[*start - 1] == ' ' || args.p[*start - 1] == ',';
}

/* A text may end in a blank of its own: only one belongs to the next key. */
static struct fw_str without_separator(struct fw_str s)
{
	if (s.len && s.p[s.len - 1] == ' ')
		s.len--;
	if (s.len && s.p[s.len - 1] == ',')
		s.len--;
	return s;
}

bool tx_fields(struct fw_str args, const struct tx_field *fields, void *out)
{
	size_t end = args.len, start = 0, eq;
	int n = 0, left;
	bool found[FIELDS_MAX] = { false };

	while (fields[n].kind != TX_END && n < FIELDS_MAX)
		n++;
	left = n;
	for (eq = args.len; eq-- > 0 && left;) {
		struct fw_str value;
		int k;

		if (args.p[eq] != '=')
			continue;
		for (k = left - 1; k >= 0 && !key_ends(args, eq, fields[k].key, &start);)
			k--;
		if (k < 0)
			continue;
		value = (struct fw_str){ args.p + eq + 1, end - eq - 1 };
		if (end < args.len)
			value = without_separator(value);
		if (!store(&fields[k], value, (char *)out + fields[k].offset))
			return false;
		found[k] = true;
		left = k;
		end = start;
		eq = start + 1;
	}
	for (int k = 0; k < n; k++)
		if (fields[k].need && !found[k])
			return false;
	return true;
}
