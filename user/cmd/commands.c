// SPDX-License-Identifier: GPL-2.0-or-later
/* commands - all of them, in the order of --help */
#include "cmd/cmd.h"

#include "base/mem.h"

static const struct fw_command *const commands[] = {
	&fw_command_report,  &fw_command_stat,	  &fw_command_compare,
	&fw_command_record,  &fw_command_top,	  &fw_command_check,
	&fw_command_columns, &fw_command_inspect, &fw_command_completion,
};

const struct fw_command *fw_command_at(size_t i)
{
	return i < ARRAY_SIZE(commands) ? commands[i] : NULL;
}
