/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_BOOT_OFFSET_H
#define FW_LIVE_BOOT_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

/**
 * fw_boot_offset_parse() - CLOCK_BOOTTIME less CLOCK_MONOTONIC, from /proc/timer_list
 * @text: its beginning, NUL-terminated
 *
 * Reading the two clocks one after the other is some 50 ns off, and a fence is known by its stamp to
 * the nanosecond. The kernel prints the difference as the offset of its clock 2
 * (kernel/time/timer_list.c, 2.6.39 to 7.2).
 */
bool fw_boot_offset_parse(const char *text, int64_t *offset);

/* The same of the running kernel. Return: false where it does not say. */
bool fw_boot_offset(int64_t *offset);

#endif
