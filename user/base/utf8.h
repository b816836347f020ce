/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_UTF8_H
#define FW_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/**
 * fw_utf8_len() - bytes of the character at the start of @s
 * Return: 1 to 4, or 0 when the bytes are not well-formed UTF-8 (RFC 3629: no surrogates, no
 *	overlong forms) or @s is empty.
 */
size_t fw_utf8_len(struct fw_str s);

/**
 * fw_utf8_prints() - may a terminal be given the character at the start of @s, which is not empty?
 * @n: gets its bytes; 1 where they are no UTF-8
 * Return: false for bytes that are no UTF-8, for controls, also those of two bytes (U+0080 to
 *	U+009F), and for what turns the text behind it around (U+202A to U+202E, U+2066 to U+2069).
 */
bool fw_utf8_prints(struct fw_str s, size_t *n);

/**
 * fw_utf8_clean() - @s as text: each byte that is no UTF-8, and each NUL, becomes U+FFFD
 * @buf: gets what is to be freed after use, NULL where @s is returned as it is
 */
struct fw_str fw_utf8_clean(struct fw_str s, char **buf);

#endif
