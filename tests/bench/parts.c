// SPDX-License-Identifier: GPL-2.0-or-later
/* parts OBJECT [NAME...] - run its programs until SIGINT; then print the name and ns a run of each */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static void on_signal(int s)
{
}

static bool wanted(const char *name, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++) {
		if (!strcmp(*names, name))
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct bpf_object *o = argc > 1 ? bpf_object__open(argv[1]) : NULL;
	struct bpf_program *p;

	if (!o || bpf_object__load(o))
		return 1;
	bpf_object__for_each_program(p, o)
	{
		if (wanted(bpf_program__name(p), argv + 2) && !bpf_program__attach(p))
			return 1;
	}
	signal(SIGINT, on_signal);
	pause();
	bpf_object__for_each_program(p, o)
	{
		struct bpf_prog_info info = { 0 };
		__u32 len = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(p), &info, &len))
			return 1;
		if (!info.run_cnt)
			continue;
		printf("%s %.1f\n", bpf_program__name(p), (double)info.run_time_ns / info.run_cnt);
	}
	bpf_object__close(o);
	return 0;
}
