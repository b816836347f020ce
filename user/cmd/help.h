/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_HELP_H
#define FW_CMD_HELP_H

#include "cmd/cmd.h"

/* Print a command's --help from its table. Return: enum fw_exit. */
int fw_help(const struct fw_command *cmd);

/* Standard output is written. Return: FW_EXIT_OK, or FW_EXIT_INPUT when that failed, printed. */
int fw_stdout_done(void);

#endif
