/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_PRIVILEGES_H
#define FW_LIVE_PRIVILEGES_H

#include <stdbool.h>

/**
 * fw_privileges_drop() - keep only the capabilities that a recording under way needs
 * @writes: files may still have to be made in directories of other users
 * @executes: programs are started that need their own
 *
 * Kept: CAP_BPF and CAP_PERFMON (maps, iterators, symbols), CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH
 * (/proc where it hides processes; a file that grows and is another user's). Where the kernel
 * refuses, it says so and the recording goes on.
 */
void fw_privileges_drop(bool writes, bool executes);

#endif
