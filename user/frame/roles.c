// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/roles.h"

static const char *const names[FW_ROLES] = { "ui", "render", "sf", "re", "hwc" };

const char *fw_role_name(enum fw_role r)
{
	return names[r];
}

int fw_role_find(struct fw_str name)
{
	for (int r = 0; r < FW_ROLES; r++)
		if (fw_str_eq(name, fw_str(names[r])))
			return r;
	return -1;
}
