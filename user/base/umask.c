// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/umask.h"

#include <sys/stat.h>

static mode_t before;

void fw_umask_set(mode_t mask)
{
	before = umask(mask);
}

void fw_umask_restore(void)
{
	umask(before);
}
