// SPDX-License-Identifier: GPL-2.0
/* CPU and GPU frequency, GPU memory. */
#include "framewait.bpf.h"

static __always_inline void emit_freq(u32 kind, u32 unit, u64 khz)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_freq r = {
		.rec.ts = bpf_ktime_get_boot_ns(),
		.kind = kind,
		.unit = unit,
		.khz = khz,
	};

	if (h)
		emit(h, FW_REC_FREQ, &r, sizeof(r));
}

SEC("tp_btf/cpu_frequency")
int BPF_PROG(fw_cpu_freq, unsigned int khz, unsigned int cpu)
{
	emit_freq(FW_FREQ_CPU, cpu, khz);
	return 0;
}

/*
 * GPU drivers define this one, in modules without BTF more often than not, with the fields under
 * two names; the collector reads their offsets from the format file.
 */
SEC("tracepoint/power/gpu_frequency")
int fw_gpu_freq(void *ctx)
{
	u32 khz = 0, id = 0;

	bpf_probe_read_kernel(&khz, sizeof(khz), ctx + conf.gpu_freq_off);
	bpf_probe_read_kernel(&id, sizeof(id), ctx + conf.gpu_freq_id_off);
	emit_freq(FW_FREQ_GPU, id, khz);
	return 0;
}

/* include/trace/events/gpu_mem.h: gpu_id, pid, size, the same since 5.10 */
struct gpu_mem_total_record {
	u64 common;
	u32 gpu_id, pid;
	u64 size;
};

SEC("tracepoint/gpu_mem/gpu_mem_total")
int fw_gpu_mem(struct gpu_mem_total_record *ctx)
{
	struct fw_cpu_health *h = this_cpu_health();
	struct fw_rec_gpu_mem r = {
		.rec.ts = bpf_ktime_get_boot_ns(),
		.gpu_id = ctx->gpu_id,
		.pid = ctx->pid,
		.size = ctx->size,
	};

	if (h)
		emit(h, FW_REC_GPU_MEM, &r, sizeof(r));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
