/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_FOLLOW_H
#define FW_CMD_FOLLOW_H

#include <stdint.h>

#include "output/format.h"

/**
 * fw_follow_rows() - the frames of a capture that is being written, on standard output
 * @path: the capture
 * @format: FW_FORMAT_CSV or FW_FORMAT_JSONL
 * @settle_ns: how long to wait for late parts of a frame; at least 0
 * @writer: reading end of a pipe whose other end only the writer of the capture holds. A byte in it
 *	says that the file is there (and no older one of its name); its end, that nothing more
 *	will be written. -1: the file is there, and ends with its DONE chunk
 *
 * To be called in a process of its own, which it keeps busy until the capture ends. Rows come in
 * the order of frames.csv and are flushed whenever there is nothing more to read.
 * Return: enum fw_exit; what went wrong is printed.
 */
int fw_follow_rows(const char *path, enum fw_format format, int64_t settle_ns, int writer);

#endif
