// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace - sched_switch and sched_waking of a tracefs instance on the boot clock, as text, one
 * event a line: a second witness for the tests of live recording. Records until its standard
 * input ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <event-parse.h>
#include <tracefs.h>

static unsigned long long field(struct tep_event *event, struct tep_record *record,
				const char *name)
{
	struct tep_format_field *f = tep_find_any_field(event, name);
	unsigned long long v = 0;

	if (!f || tep_read_number_field(f, record->data, &v)) {
		fprintf(stderr, "no field %s in %s\n", name, event->name);
		exit(1);
	}
	return v;
}

static int print_event(struct tep_event *event, struct tep_record *record, int cpu, void *ctx)
{
	if (event->name[6] == 's')
		printf("switch %llu %d %d %lld %d\n", record->ts, cpu,
		       (int)field(event, record, "prev_pid"),
		       (long long)field(event, record, "prev_state"),
		       (int)field(event, record, "next_pid"));
	else
		printf("waking %llu %d %d %d\n", record->ts, cpu, (int)field(event, record, "pid"),
		       (int)field(event, record, "common_pid"));
	return 0;
}

int main(void)
{
	const char *systems[] = { "sched", NULL };
	struct tracefs_instance *in;
	struct tep_handle *tep;
	char name[64], c;

	snprintf(name, sizeof(name), "framewait-test-%d", getpid());
	in = tracefs_instance_create(name);
	if (!in) {
		perror(name);
		return 1;
	}
	tracefs_instance_file_write(in, "trace_clock", "boot");
	tracefs_instance_set_buffer_size(in, 32768, -1);
	tracefs_event_enable(in, "sched", "sched_switch");
	tracefs_event_enable(in, "sched", "sched_waking");
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	tracefs_trace_off(in);
	tep = tracefs_local_events_system(NULL, systems);
	if (!tep || tracefs_iterate_raw_events(tep, in, NULL, 0, print_event, NULL) < 0)
		perror("reading the trace");
	tep_free(tep);
	tracefs_instance_destroy(in);
	tracefs_instance_free(in);
	return 0;
}
