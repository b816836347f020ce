// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a configuration file. */
#include "cmd/config.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool known(const char *key)
{
	return strlen(key) < 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fw_config c = { 0 };
	size_t len = 0;

	fw_config_parse(&c, FW_CONFIG_USER, "config", (struct fw_str){ (const char *)data, size },
			known);
	for (size_t i = 0; i < c.n; i++)
		len += strlen(c.settings[i].key) + strlen(c.settings[i].value);
	if (len > size)
		abort();
	fw_config_free(&c);
	fw_fail_clear();
	return 0;
}
