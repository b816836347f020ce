// SPDX-License-Identifier: GPL-2.0-or-later
/* empty - run an empty program on sched_switch until SIGINT; then print its ns a run */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static void on_signal(int s)
{
}

int main(int argc, char **argv)
{
	struct bpf_prog_info info = { 0 };
	struct bpf_program *p;
	struct bpf_object *o;
	struct bpf_link *link;
	__u32 len = sizeof(info);

	o = argc > 1 ? bpf_object__open(argv[1]) : NULL;
	if (!o || bpf_object__load(o))
		return 1;
	p = bpf_object__next_program(o, NULL);
	link = p ? bpf_program__attach(p) : NULL;
	if (!link)
		return 1;
	signal(SIGINT, on_signal);
	pause();
	if (bpf_obj_get_info_by_fd(bpf_program__fd(p), &info, &len) || !info.run_cnt)
		return 1;
	printf("%.1f\n", (double)info.run_time_ns / info.run_cnt);
	bpf_link__destroy(link);
	bpf_object__close(o);
	return 0;
}
