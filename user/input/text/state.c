// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * state - prev_state as text
 *
 * The kernel prints letters (include/trace/events/sched.h), trace-cmd may print the number. Either
 * becomes the bits of Linux 4.4: that layout has room for every letter, and trace_processor takes the
 * same way (TaskState::FromSystrace(), task_state.cc, v57.2).
 */
#include <string.h>

#include "base/mem.h"
#include "input/text/text.h"

#define PREEMPTED 0x800
#define IDLE 0x402 /* TASK_UNINTERRUPTIBLE | TASK_NOLOAD */
#define PARKED 0x200
/* TASK_WAKING: no thread leaves a CPU in it, so that no state follows from it. */
#define UNKNOWN 0x100
/* What trace_processor makes of letters that it does not know. */
#define TP_UNKNOWN 0xffff

static const struct {
	char letter;
	uint16_t bits;
} letters[] = {
	{ 'S', 0x1 },  { 'D', 0x2 },   { 'T', 0x4 },	{ 't', 0x8 },
	{ 'X', 0x10 }, { 'Z', 0x20 },  { 'P', PARKED }, { 'x', 0x40 },
	{ 'K', 0x80 }, { 'W', 0x100 }, { 'N', 0x400 },	{ 'I', IDLE },
};

static bool spelled(struct fw_str s, uint16_t *bits)
{
	*bits = 0;
	for (size_t i = 0; i < s.len; i++) {
		size_t k = 0;

		if (s.p[i] == '|')
			continue;
		while (k < ARRAY_SIZE(letters) && letters[k].letter != s.p[i])
			k++;
		if (k == ARRAY_SIZE(letters))
			return false;
		*bits |= letters[k].bits;
	}
	return *bits != 0;
}

/* A number in the layout of its kernel. */
static int64_t of_number(uint64_t v, const struct tx_how *how)
{
	int64_t low = (int64_t)(v & 0x3f);

	switch (how->states) {
	case TX_STATES_4_4:
		return (int64_t)(v & 0xfff);
	case TX_STATES_4_8:
		return (int64_t)(v & 0x7ff) | (v & 0x1000 ? PREEMPTED : 0);
	case TX_STATES_4_14:
		break;
	}
	if (v & ~UINT64_C(0x1ff))
		return UNKNOWN;
	return low | (v & 0x40 ? PARKED : 0) | (v & 0x80 ? IDLE : 0) | (v & 0x100 ? PREEMPTED : 0);
}

int64_t tx_prev_state(struct fw_str s, struct tx_how *how)
{
	uint16_t bits;
	uint64_t v;

	if (s.len && s.p[0] == 'R')
		return s.len == 2 && s.p[1] == '+' ? PREEMPTED : 0;
	/* A plus says that it left still runnable, whatever it was about to do. */
	if (!how->tp && s.len > 1 && s.p[s.len - 1] == '+')
		return PREEMPTED;
	if (spelled(s, &bits))
		return bits;
	if (how->tp)
		return TP_UNKNOWN;
	if (!fw_str_uint(s, &v))
		return UNKNOWN;
	how->numbers |= v;
	how->idle_number |= v == 0x80;
	return of_number(v, how);
}

enum tx_states tx_states_guess(const struct tx_how *how)
{
	if (how->idle_number)
		return TX_STATES_4_14;
	if (how->numbers & 0x1000)
		return TX_STATES_4_8;
	return how->numbers & 0xe00 ? TX_STATES_4_4 : TX_STATES_4_14;
}
