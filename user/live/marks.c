// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <kbuffer.h>
#include <tracefs.h>

#include "base/error.h"
#include "base/mem.h"
#include "live/marks.h"

#define INSTANCE "framewait-"
#define COPY "options/copy_trace_marker"
#define BUFFER_KB 1024 /* for each CPU: 10,000 marks */

struct fw_marks {
	struct tracefs_instance *instance; /* NULL: the buffer of all */
	char *clock_before, *size_before; /* of the buffer of all, once it is taken */
	struct tep_handle *tep;
	struct kbuffer *kbuf;
	int print_id;
	unsigned int text_offset;
	int num_cpus;
	struct tracefs_cpu **cpus;
	void *page;
	uint64_t lost;
};

/* A killed recording leaves its instance; its name says whose it was. */
static int remove_dead(const char *name, void *ctx)
{
	struct tracefs_instance *dead;
	long pid;

	if (strncmp(name, INSTANCE, strlen(INSTANCE)))
		return 0;
	pid = strtol(name + strlen(INSTANCE), NULL, 10);
	if (pid <= 0 || pid == getpid() || !kill(pid, 0) || errno != ESRCH)
		return 0;
	dead = tracefs_instance_alloc(NULL, name);
	if (dead) {
		tracefs_instance_destroy(dead);
		tracefs_instance_free(dead);
	}
	return 0;
}

static void remove_instance(struct fw_marks *m)
{
	if (!m->instance)
		return;
	tracefs_instance_file_write(m->instance, COPY, "0");
	tracefs_instance_destroy(m->instance);
	tracefs_instance_free(m->instance);
	m->instance = NULL;
}

static int read_format(struct fw_marks *m)
{
	int size = 0;
	char *format = tracefs_event_file_read(NULL, "ftrace", "print", "format", &size);
	struct tep_format_field *text;
	struct tep_event *event;

	if (!format)
		return fw_fail(ENOENT, "tracefs has no event ftrace/print");
	m->tep = tep_alloc();
	if (m->tep)
		tep_parse_event(m->tep, format, size, "ftrace");
	free(format);
	event = m->tep ? tep_find_event_by_name(m->tep, "ftrace", "print") : NULL;
	text = event ? tep_find_any_field(event, "buf") : NULL;
	if (!text)
		return fw_fail(EPROTO, "the format of ftrace/print is not understood");
	m->print_id = event->id;
	m->text_offset = text->offset;
	return 0;
}

/* A file of the buffer of all, without its last newline; free(). */
static char *shared_file(const char *name)
{
	char *text = tracefs_instance_file_read(NULL, name, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

static bool shared_says(const char *name, const char *want)
{
	char *text = shared_file(name);
	bool same = text && !strcmp(text, want);

	free(text);
	return same;
}

/* The word in brackets of a file that lists all it could be. */
static char *chosen(char *list)
{
	char *from = list ? strchr(list, '[') : NULL, *to = from ? strchr(from, ']') : NULL, *word;

	word = to ? fw_memdup(from + 1, to - from) : NULL;
	if (word)
		word[to - from - 1] = '\0';
	free(list);
	return word;
}

/* "7 (expanded: 1408)": never used, of 1408 KiB once it is, which cannot be undone. */
static char *expanded(char *size)
{
	char *p = size ? strstr(size, "(expanded: ") : NULL;

	if (p)
		memmove(size, p + strlen("(expanded: "), strlen(p + strlen("(expanded: ")) + 1);
	if (p)
		size[strcspn(size, ")")] = '\0';
	return size;
}

static int take_shared(struct fw_marks *m)
{
	static const char why[] = "this kernel's tracefs instances take no copy of trace_marker "
				  "(option copy_trace_marker, Linux 6.13)";

	if (!shared_says("current_tracer", "nop") || !shared_says("events/enable", "0") ||
	    !shared_says("tracing_on", "1"))
		return fw_fail(EBUSY, "%s, and the trace buffer of all is in use", why);
	m->clock_before = chosen(shared_file("trace_clock"));
	m->size_before = expanded(shared_file("buffer_size_kb"));
	if (!m->clock_before || !m->size_before ||
	    tracefs_instance_file_write(NULL, "trace_clock", "boot") < 0)
		return fw_fail(ENOTSUP, "%s, and the trace buffer of all cannot be taken", why);
	tracefs_instance_set_buffer_size(NULL, BUFFER_KB, -1);
	return 0;
}

static void give_back(struct fw_marks *m)
{
	if (m->clock_before && m->size_before) {
		/* A change of the clock empties it too. */
		tracefs_instance_file_write(NULL, "trace_clock", m->clock_before);
		tracefs_instance_file_write(NULL, "buffer_size_kb", m->size_before);
	}
	free(m->clock_before);
	free(m->size_before);
}

static int make_instance(struct fw_marks *m, bool shared)
{
	char name[64];

	if (!tracefs_tracing_dir())
		return fw_fail(ENOENT, "tracefs is not mounted: mount -t tracefs tracefs "
				       "/sys/kernel/tracing");
	tracefs_instances_walk(remove_dead, NULL);
	snprintf(name, sizeof(name), INSTANCE "%d", getpid());
	m->instance = tracefs_instance_create(name);
	if (!m->instance)
		return fw_fail(errno, "tracefs instance %s: %s", name, strerror(errno));
	if (!tracefs_file_exists(m->instance, COPY)) {
		if (!shared)
			return fw_fail(ENOTSUP,
				       "this kernel's tracefs instances take no copy of "
				       "trace_marker (option copy_trace_marker, Linux 6.13)");
		remove_instance(m);
		return take_shared(m);
	}
	if (tracefs_instance_file_write(m->instance, "trace_clock", "boot") < 0)
		return fw_fail(ENOTSUP, "tracefs has no clock \"boot\"");
	tracefs_instance_set_buffer_size(m->instance, BUFFER_KB, -1);
	/* Last: whoever writes a mark while a buffer that takes a copy is made gets an error. */
	if (tracefs_instance_file_write(m->instance, COPY, "1") < 0)
		return fw_fail(errno, "tracefs instance %s: %s: %s", name, COPY, strerror(errno));
	return 0;
}

static int open_cpus(struct fw_marks *m)
{
	int size = 0;

	m->num_cpus = sysconf(_SC_NPROCESSORS_CONF);
	m->cpus = fw_calloc(m->num_cpus, sizeof(*m->cpus));
	for (int cpu = 0; cpu < m->num_cpus; cpu++) {
		m->cpus[cpu] = tracefs_cpu_open(m->instance, cpu, true);
		if (m->cpus[cpu])
			size = tracefs_cpu_read_size(m->cpus[cpu]);
	}
	if (size <= 0)
		return fw_fail(EIO, "no CPU's trace buffer can be read");
	m->page = fw_zalloc(size);
	m->kbuf = kbuffer_alloc(sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				KBUFFER_ENDIAN_LITTLE);
	return m->kbuf ? 0 : fw_fail(ENOMEM, "kbuffer: no memory");
}

int fw_marks_open(bool shared, struct fw_marks **out)
{
	struct fw_marks *m = fw_zalloc(sizeof(*m));
	int err = make_instance(m, shared);

	if (!err)
		err = read_format(m);
	if (!err)
		err = open_cpus(m);
	if (err) {
		fw_marks_close(m);
		return err;
	}
	*out = m;
	return 0;
}

static int each_event(struct fw_marks *m, int cpu, int (*fn)(void *, const struct fw_mark *),
		      void *ctx)
{
	unsigned long long ts;
	int missed, err = 0;
	void *data;

	if (kbuffer_load_subbuffer(m->kbuf, m->page))
		return 0;
	missed = kbuffer_missed_events(m->kbuf);
	if (missed)
		m->lost += missed > 0 ? missed : 1;
	for (data = kbuffer_read_event(m->kbuf, &ts); data && !err;
	     data = kbuffer_next_event(m->kbuf, &ts)) {
		int size = kbuffer_event_size(m->kbuf);
		struct tep_record rec = { .data = data, .size = size };
		struct fw_mark mark = { .ts = ts, .cpu = cpu };

		if (size <= (int)m->text_offset || tep_data_type(m->tep, &rec) != m->print_id)
			continue;
		mark.tid = tep_data_pid(m->tep, &rec);
		mark.text = (char *)data + m->text_offset;
		mark.len = strnlen(mark.text, size - m->text_offset);
		if (mark.len && mark.text[mark.len - 1] == '\n')
			mark.len--;
		err = fn(ctx, &mark);
	}
	return err;
}

int fw_marks_read(struct fw_marks *m, int (*fn)(void *, const struct fw_mark *), void *ctx)
{
	int err = 0;

	for (int cpu = 0; cpu < m->num_cpus && !err; cpu++) {
		while (m->cpus[cpu] && !err && tracefs_cpu_read(m->cpus[cpu], m->page, true) > 0)
			err = each_event(m, cpu, fn, ctx);
	}
	return err;
}

uint64_t fw_marks_lost(const struct fw_marks *m)
{
	return m->lost;
}

void fw_marks_close(struct fw_marks *m)
{
	if (!m)
		return;
	for (int cpu = 0; m->cpus && cpu < m->num_cpus; cpu++) {
		if (m->cpus[cpu])
			tracefs_cpu_close(m->cpus[cpu]);
	}
	free(m->cpus);
	free(m->page);
	if (m->kbuf)
		kbuffer_free(m->kbuf);
	tep_free(m->tep);
	remove_instance(m);
	give_back(m);
	free(m);
}

bool fw_marks_possible(void)
{
	struct fw_marks *m;
	bool ok = !fw_marks_open(false, &m);

	if (ok)
		fw_marks_close(m);
	return ok;
}
