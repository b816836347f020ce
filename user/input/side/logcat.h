/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SIDE_LOGCAT_H
#define FW_INPUT_SIDE_LOGCAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/str.h"
#include "input/source.h"

/*
 * What AnimatorTracer and FolmeTracer say in the log: a block when an animation begins, with the
 * call stack, and a line when it ends. All formats of logcat -v are read: brief, process, tag,
 * thread, time, threadtime, long, with the modifiers color, epoch, monotonic, uid, usec, nsec,
 * UTC, year and zone, and what Android Studio copies.
 */

/* When a line was written, as far as it says. */
enum fw_log_clock {
	FW_LOG_NO_TIME,
	FW_LOG_LOCAL, /* wall clock without year or zone: it cannot be placed */
	FW_LOG_REALTIME,
	FW_LOG_MONOTONIC,
};

/**
 * struct fw_log_line - the head of a line and what it says; texts borrow from the line
 * @pid, @tid: -1: the format does not say
 * @tag: absent: the format does not say
 * @when: the time as printed; absent: none
 * @ns: of @clock, where it can be placed
 * @is_head: format long: the message is on the lines that follow
 */
struct fw_log_line {
	int32_t pid, tid;
	struct fw_str tag, message, when;
	enum fw_log_clock clock;
	int64_t ns;
	bool is_head;
};

/* Return: is it a line of logcat? */
bool fw_log_parse(struct fw_str line, struct fw_log_line *l);

/**
 * struct fw_log_event - an animation begins or ends; texts live until the next call
 * @folme: of FolmeTracer, else of AnimatorTracer
 * @begin: else it ends
 * @reason: complete, cancel, replaced; absent: not said, or it begins
 * @top: first line of its call stack that is not of the tracers themselves
 * @stack: all of the lines joined by " < ", cut at FW_LOG_STACK_MAX
 * @line: of the file
 */
struct fw_log_event {
	bool folme, begin;
	int32_t pid;
	struct fw_str id, reason, when, top, stack;
	enum fw_log_clock clock;
	int64_t ns;
	uint64_t line;
};

#define FW_LOG_STACK_MAX 4096u

struct fw_logcat;

/* Takes @src over, also where it fails. Return: 0, or a negative errno with fw_fail() set. */
int fw_logcat_open(struct fw_source *src, struct fw_health *health, struct fw_logcat **out);
void fw_logcat_close(struct fw_logcat *l);
/* Return: 1 and *@ev, 0 at the end, or a negative errno with fw_fail() set. */
int fw_logcat_next(struct fw_logcat *l, const struct fw_log_event **ev);

#endif
