// SPDX-License-Identifier: GPL-2.0-or-later
/* prev_state of three generations of kernels. */
#include "model/task_state.h"

#include "tap.h"

static const char *text(enum fw_task_state_layout layout, int64_t raw)
{
	static char out[4];
	char buf[4];
	struct fw_str s = fw_task_state_text(layout, raw, buf);

	if (!s.p)
		return NULL;
	memcpy(out, s.p, s.len);
	out[s.len] = '\0';
	return out;
}

static void layouts(void)
{
	struct fw_str linux_name = FW_STR("Linux");

	is_int(fw_task_state_layout(linux_name, FW_STR("4.14.0-perf")), FW_TASK_STATE_4_14, "4.14");
	is_int(fw_task_state_layout(linux_name, FW_STR("6.18")), FW_TASK_STATE_4_14, "6.18");
	is_int(fw_task_state_layout(linux_name, FW_STR("4.9.270-g1")), FW_TASK_STATE_4_8, "4.9");
	is_int(fw_task_state_layout(linux_name, FW_STR("4.4.302")), FW_TASK_STATE_4_4, "4.4");
	is_int(fw_task_state_layout(linux_name, FW_STR("next")), FW_TASK_STATE_4_4, "no number");
	is_int(fw_task_state_layout(FW_STR_NONE, FW_STR("6.1")), FW_TASK_STATE_4_4, "no system");
}

static void new_kernels(void)
{
	static const struct {
		int64_t raw;
		const char *text;
	} cases[] = {
		{ 0, "R" },	 { 0x100, "R+" },  { 1, "S" },	     { 2, "D" },     { 3, "SD" },
		{ 0x40, "P" },	 { 0x80, "I" },	   { 0x10, "X" },    { 0x101, "S" }, { 0xf, "SDT" },
		{ 0x200, NULL }, { 0x8000, NULL }, { 0x10001, "S" }, /* only 16 bits count */
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(text(FW_TASK_STATE_4_14, cases[i].raw), cases[i].text, "4.14: %jx",
		       (intmax_t)cases[i].raw);
}

static void old_kernels(void)
{
	is_str(text(FW_TASK_STATE_4_4, 0x402), "I", "4.4: D without load is idle");
	is_str(text(FW_TASK_STATE_4_4, 0x80), "K", "4.4: wakekill");
	is_str(text(FW_TASK_STATE_4_4, 0x82), "DK", "4.4: D and wakekill");
	is_str(text(FW_TASK_STATE_4_4, 0x800), "R+", "4.4: preempted");
	is_str(text(FW_TASK_STATE_4_8, 0x1000), "R+", "4.8: preempted");
	is_str(text(FW_TASK_STATE_4_4, 0x200), "P", "4.4: parked");
}

int main(void)
{
	layouts();
	new_kernels();
	old_kernels();
	return done_testing();
}
