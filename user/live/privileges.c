// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

/* Linux 5.8; the headers may be older. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif

#define BIT(cap) (1ull << (cap))
#define RECORDING (BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_READ_SEARCH))

void fw_privileges_drop(bool writes, bool executes)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint64_t keep = RECORDING | (writes ? BIT(CAP_DAC_OVERRIDE) : 0);

	if (syscall(SYS_capget, &head, data)) {
		fw_warn("the capabilities cannot be read: %s", strerror(errno));
		return;
	}
	/* Else a program that this one is made to start would have them all again. */
	for (int cap = 0; !executes && prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (cap > 63 || !(keep >> cap & 1))
			prctl(PR_CAPBSET_DROP, cap);
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted &= (uint32_t)(keep >> 32 * i);
		data[i].effective &= data[i].permitted;
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &head, data))
		fw_warn("the capabilities that are not needed cannot be given up: %s",
			strerror(errno));
}
