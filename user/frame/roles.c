// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/roles.h"

#include "base/mem.h"

static const char *const names[FW_ROLES] = { "ui", "render", "sf", "re", "hwc" };

/* HIDL and AIDL services of AOSP and of vendors, and the emulator's. */
static const char *const composers[] = {
	"*graphics.composer*", "*display.composer*", "*hardware.composer*",
	"*composer-service*",  "*hwc3-service*",     "*hwcomposer*",
};

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

bool fw_roles_composer(const struct fw_roles *r, struct fw_str process)
{
	if (r->pattern[FW_ROLE_HWC])
		return fw_str_glob(process, r->pattern[FW_ROLE_HWC]);
	for (size_t i = 0; i < ARRAY_SIZE(composers); i++)
		if (fw_str_glob(process, composers[i]))
			return true;
	return false;
}

int fw_roles_thread(const struct fw_roles *roles, enum fw_role r, bool is_main, struct fw_str name)
{
	const char *pattern = roles->pattern[r];

	if (!pattern && (r == FW_ROLE_UI || r == FW_ROLE_SF))
		return is_main;
	if (!pattern)
		pattern = r == FW_ROLE_RENDER ? "RenderThread*" : "RenderEngine*";
	if (!name.p)
		return -1;
	return fw_str_glob(name, pattern);
}
