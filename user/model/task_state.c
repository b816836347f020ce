// SPDX-License-Identifier: GPL-2.0-or-later
/* task_state - what the bits of prev_state mean */
#include "model/task_state.h"

#include <string.h>

#include "base/mem.h"

struct bit {
	uint16_t mask;
	char letter;
};

/* In the order in which the letters are printed. */
static const struct bit bits_4_14[] = {
	{ 0x1, 'S' },  { 0x2, 'D' },  { 0x4, 'T' },  { 0x8, 't' },
	{ 0x10, 'X' }, { 0x20, 'Z' }, { 0x40, 'P' }, { 0x80, 'I' },
};

static const struct bit bits_4_4[] = {
	{ 0x1, 'S' },	{ 0x2, 'D' },  { 0x4, 'T' },  { 0x8, 't' },   { 0x10, 'X' },  { 0x20, 'Z' },
	{ 0x200, 'P' }, { 0x40, 'x' }, { 0x80, 'K' }, { 0x100, 'W' }, { 0x400, 'N' },
};

#define PREEMPTED_4_14 0x100
#define INVALID_4_14 0xfe00
#define PREEMPTED_4_8 0x1000
#define PREEMPTED_4_4 0x800
#define UNINTERRUPTIBLE_NOLOAD 0x402

/* "MAJOR.MINOR": digits up to the dot, digits after it. */
static bool parse_release(struct fw_str s, unsigned int *major, unsigned int *minor)
{
	unsigned int v[2] = { 0, 0 };
	size_t i, part = 0, digits[2] = { 0, 0 };

	for (i = 0; i < s.len && part < 2; i++) {
		if (s.p[i] >= '0' && s.p[i] <= '9' && v[part] < 100000) {
			v[part] = v[part] * 10 + (unsigned int)(s.p[i] - '0');
			digits[part]++;
		} else if (s.p[i] == '.' && part == 0) {
			part++;
		} else {
			break;
		}
	}
	*major = v[0];
	*minor = v[1];
	return digits[0] && digits[1];
}

enum fw_task_state_layout fw_task_state_layout(struct fw_str sysname, struct fw_str release)
{
	unsigned int major, minor;

	if (!fw_str_eq(sysname, FW_STR("Linux")) || !parse_release(release, &major, &minor))
		return FW_TASK_STATE_4_4;
	if (major > 4 || (major == 4 && minor >= 14))
		return FW_TASK_STATE_4_14;
	if (major == 4 && minor >= 8)
		return FW_TASK_STATE_4_8;
	return FW_TASK_STATE_4_4;
}

static void spell(struct fw_task_state *out, uint16_t raw, const struct bit *bits, size_t n_bits)
{
	size_t i, n = 0;

	for (i = 0; i < n_bits; i++) {
		if (raw & bits[i].mask)
			out->letters[n++] = bits[i].letter;
	}
	if (n == 0)
		out->letters[n++] = 'R';
	out->letters[n] = '\0';
}

void fw_task_state_decode(enum fw_task_state_layout layout, int64_t prev_state,
			  struct fw_task_state *out)
{
	uint16_t raw = (uint16_t)prev_state;

	memset(out, 0, sizeof(*out));
	if (layout == FW_TASK_STATE_4_14) {
		out->valid = !(raw & INVALID_4_14);
		out->preempted = raw & PREEMPTED_4_14;
		spell(out, raw, bits_4_14, ARRAY_SIZE(bits_4_14));
		return;
	}
	out->valid = true;
	out->preempted = raw & (layout == FW_TASK_STATE_4_8 ? PREEMPTED_4_8 : PREEMPTED_4_4);
	if (raw == UNINTERRUPTIBLE_NOLOAD)
		memcpy(out->letters, "I", 2);
	else
		spell(out, raw, bits_4_4, ARRAY_SIZE(bits_4_4));
}

struct fw_str fw_task_state_text(enum fw_task_state_layout layout, int64_t prev_state, char buf[4])
{
	struct fw_task_state st;
	size_t len;

	fw_task_state_decode(layout, prev_state, &st);
	if (!st.valid)
		return FW_STR_NONE;
	len = FW_MIN(strlen(st.letters), 3);
	memcpy(buf, st.letters, len);
	if (st.letters[0] == 'R' && st.preempted)
		buf[len++] = '+';
	return (struct fw_str){ buf, len };
}
