/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_CMD_CONFIG_H
#define FW_CMD_CONFIG_H

#include <stddef.h>

#include "base/str.h"

/*
 * Defaults of options: /etc/framewait.conf, then the user's file, then variables FRAMEWAIT_KEY of
 * the environment. A key is the long name of an option whose table allows it.
 */

#define FW_CONFIG_SYSTEM_FILE "/etc/framewait.conf"

/* Later ones prevail. */
enum fw_config_level {
	FW_CONFIG_SYSTEM,
	FW_CONFIG_USER,
	FW_CONFIG_ENVIRONMENT,
};

/**
 * struct fw_setting - one value
 * @origin: "FILE:LINE", or the name of the variable, for messages
 */
struct fw_setting {
	enum fw_config_level level;
	char *key, *value, *origin;
};

struct fw_config {
	struct fw_setting *settings;
	size_t n, cap;
};

/**
 * fw_config_parse() - the lines "key = value" of a file; "#" begins a comment line
 * @path: for messages
 * @known: is there such a key?
 * Return: 0, or -EINVAL with fw_fail() set: the file, the line and what is wrong with it.
 */
int fw_config_parse(struct fw_config *c, enum fw_config_level level, const char *path,
		    struct fw_str text, bool (*known)(const char *key));
void fw_config_free(struct fw_config *c);

/* Read the files and the environment, once. Return: FW_EXIT_OK, or FW_EXIT_USAGE, printed. */
int fw_config_load(void);
/* What was read. */
const struct fw_config *fw_config(void);

#endif
