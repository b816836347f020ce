/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_UMASK_H
#define FW_BASE_UMASK_H

#include <sys/types.h>

/*
 * What the program creates is the user's alone (0600, directories 0700): a recording tells what all
 * processes did. The command that is recorded gets the umask that the program was started with.
 */
#define FW_UMASK 077

/* Once, at the start of the program. */
void fw_umask_set(mode_t mask);
/* In a child, before it becomes the user's program. */
void fw_umask_restore(void);

#endif
