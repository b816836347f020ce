/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_FRAME_ROLES_H
#define FW_FRAME_ROLES_H

#include <stdbool.h>

#include "base/str.h"

/*
 * The threads that a frame can wait for, by what they do. ui and render are threads of the frame's
 * own process and are looked at in the app's actual interval; sf, re and hwc serve all processes
 * and are looked at in the display frame's.
 */
enum fw_role {
	FW_ROLE_UI, /* the process's main thread */
	FW_ROLE_RENDER, /* RenderThread */
	FW_ROLE_SF, /* SurfaceFlinger's main thread */
	FW_ROLE_RE, /* RenderEngine of SurfaceFlinger */
	FW_ROLE_HWC, /* the composer's threads */
	FW_ROLES
};

/**
 * struct fw_roles - the rule of each role
 * @pattern: glob of a thread name within the frame's process (ui, render, sf, re), or of a process
 *	name (hwc: all its threads); NULL is the default rule
 */
struct fw_roles {
	const char *pattern[FW_ROLES];
};

const char *fw_role_name(enum fw_role r);
/* Return: the role of that name, or -1. */
int fw_role_find(struct fw_str name);

/* Is this role's window the frame's own (true) or the display frame's (false)? */
static inline bool fw_role_of_app(enum fw_role r)
{
	return r <= FW_ROLE_RENDER;
}

/* Does a process of this name do the composer's work? */
bool fw_roles_composer(const struct fw_roles *r, struct fw_str process);

/**
 * fw_roles_thread() - does this thread of the right process play the role?
 * @r: any but FW_ROLE_HWC
 * @name: absent: not known
 * Return: 1 yes, 0 no, -1 its name will tell.
 */
int fw_roles_thread(const struct fw_roles *roles, enum fw_role r, bool is_main, struct fw_str name);

#endif
