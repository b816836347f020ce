/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_LINES_H
#define FW_INPUT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "input/source.h"

/*
 * The lines of a text file as UTF-8: without their LF or CR LF, without a byte order mark, from
 * UTF-16 of either order where the file begins with its mark (PowerShell writes that). A NUL or a
 * byte that is no UTF-8 stays in the line.
 */
#define FW_LINE_MAX (64u << 10)

/**
 * struct fw_lines - reads a source line by line; use fw_lines_init()
 * @number: of the line that was read last, from 1
 * @cut: that line was longer than FW_LINE_MAX and is not whole
 * @ended: it had its line end; without, the file may have been cut within it
 */
struct fw_lines {
	uint64_t number;
	bool cut, ended;

	struct fw_reader reader;
	uint64_t pos;
	enum fw_text_code { FW_TEXT_BYTES, FW_TEXT_UTF16LE, FW_TEXT_UTF16BE } code;
	char *text; /* converted lines */
};

/* Borrows @src. Return: 0, or a negative errno with fw_fail() set. */
int fw_lines_init(struct fw_lines *l, struct fw_source *src);
void fw_lines_free(struct fw_lines *l);

/**
 * fw_lines_next() - the next line
 * @line: valid until the next call
 * Return: 1, 0 at the end, or a negative errno with fw_fail() set.
 */
int fw_lines_next(struct fw_lines *l, struct fw_str *line);

/**
 * fw_lines_first() - the first bytes of a file as UTF-8, to see what it is
 * @len: at most FW_LINE_MAX
 * @n: set to the number of bytes that they become
 * Return: those; free() it.
 */
char *fw_lines_first(const uint8_t *p, size_t len, size_t *n);

#endif
