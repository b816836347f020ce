/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_STR_H
#define FW_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * struct fw_str - a borrowed run of bytes; not terminated, may hold any byte
 * @p: first byte, NULL for "absent" (an empty string has a non-NULL @p)
 * @len: number of bytes
 */
struct fw_str {
	const char *p;
	size_t len;
};

#define FW_STR(lit) ((struct fw_str){ (lit), sizeof(lit) - 1 })
#define FW_STR_NONE ((struct fw_str){ NULL, 0 })
/* For printf("%.*s", FW_STR_ARG(s)); cut at 4096 bytes, enough for any message. */
#define FW_STR_ARG(s) (int)((s).len > 4096 ? 4096 : (s).len), (s).p ? (s).p : ""

static inline struct fw_str fw_str(const char *cstr)
{
	return (struct fw_str){ cstr, cstr ? strlen(cstr) : 0 };
}

static inline bool fw_str_eq(struct fw_str a, struct fw_str b)
{
	return a.len == b.len && !a.p == !b.p && (a.len == 0 || !memcmp(a.p, b.p, a.len));
}

static inline bool fw_str_starts(struct fw_str s, struct fw_str prefix)
{
	return s.len >= prefix.len && !memcmp(s.p, prefix.p, prefix.len);
}

/* Without the blanks and tabs at both ends. */
static inline struct fw_str fw_str_trim(struct fw_str s)
{
	while (s.len && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s.p++;
		s.len--;
	}
	while (s.len && (s.p[s.len - 1] == ' ' || s.p[s.len - 1] == '\t'))
		s.len--;
	return s;
}

/**
 * fw_str_cmp() - order by bytes (unsigned), a prefix first; absent before empty
 */
int fw_str_cmp(struct fw_str a, struct fw_str b);

/**
 * fw_str_glob() - shell-style match of a whole string (*, ?, [a-z]); case-sensitive
 */
bool fw_str_glob(struct fw_str s, const char *pattern);

/**
 * fw_str_int() - read a whole string as a decimal int64 (optional sign)
 * Return: true and *@out on success; false for empty, trailing bytes or overflow.
 */
bool fw_str_int(struct fw_str s, int64_t *out);
/* The same of an uint64, without a sign. */
bool fw_str_uint(struct fw_str s, uint64_t *out);

/**
 * fw_str_ms() - read a whole string as milliseconds with up to six decimals, exactly
 * Return: true and *@ns on success; false where fw_str_int() would, or for more decimals.
 */
bool fw_str_ms(struct fw_str s, int64_t *ns);

/**
 * fw_str_real() - read a whole string as a decimal number, with or without an exponent
 * Return: true and *@out on success; false for anything else, infinities and NaN too.
 */
bool fw_str_real(struct fw_str s, double *out);

/**
 * struct fw_names - interned strings: equal bytes give equal ids
 *
 * Id 0 is "absent". Strings live as long as the pool. Intern only what repeats (thread names,
 * layers, symbols), never the text of each event.
 */
struct fw_names;

struct fw_names *fw_names_new(void);
void fw_names_free(struct fw_names *n);
uint32_t fw_names_id(struct fw_names *n, struct fw_str s);
/* Only looks. Return: false: it was never interned. */
bool fw_names_find(const struct fw_names *n, struct fw_str s, uint32_t *id);
struct fw_str fw_names_str(const struct fw_names *n, uint32_t id);

#endif
