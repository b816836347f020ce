// SPDX-License-Identifier: GPL-2.0
/* Names of kernel addresses, also where kptr_restrict hides /proc/kallsyms from root. */
#include "framewait.bpf.h"

#define SYMBOL_LEN 128

struct symbol_ctx {
	u64 addr;
	char name[SYMBOL_LEN];
};

/* Not a literal, which would become a map of its own. */
static const char format[] = "%ps";

/* BPF_PROG_TEST_RUN with the context as argument and answer. */
SEC("syscall")
int fw_symbol(struct symbol_ctx *ctx)
{
	char name[SYMBOL_LEN] = {};
	u64 addr = ctx->addr;

	bpf_snprintf(name, sizeof(name), format, &addr, sizeof(addr));
	__builtin_memcpy(ctx->name, name, sizeof(name));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
