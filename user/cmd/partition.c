// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/partition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/mem.h"
#include "frame/columns.h"

#define UNKNOWN "__HIVE_DEFAULT_PARTITION__"

enum { KEY_DEVICE, KEY_DATE, KEY_KERNEL, KEY_SDK, KEY_FORMAT, KEYS };

static const char *const names[KEYS] = { "device", "date", "kernel", "sdk", "format" };

static int find_key(struct fw_str name)
{
	for (int k = 0; k < KEYS; k++)
		if (fw_str_eq(name, fw_str(names[k])))
			return k;
	return -1;
}

/* The next word of a list with commas; p is NULL at its end. */
static struct fw_str next_word(const char **list)
{
	struct fw_str word = { *list, *list ? strcspn(*list, ",") : 0 };

	*list = word.p && word.p[word.len] ? word.p + word.len + 1 : NULL;
	return word;
}

int fw_partition_check(const char *keys)
{
	unsigned int seen = 0;

	for (const char *rest = keys; rest;) {
		struct fw_str word = next_word(&rest);
		int k = find_key(word);

		if (k < 0)
			return fw_fail(
				EINVAL,
				"--partition %.*s: no such key; device, date, kernel, sdk, format",
				FW_STR_ARG(word));
		if (seen & 1U << k)
			return fw_fail(EINVAL, "--partition %s: twice", names[k]);
		seen |= 1U << k;
	}
	return 0;
}

/* The wall clock at the recording's start: pairs of clocks lead the other way only. */
static bool start_of(struct fw_input *in, int64_t *realtime)
{
	int64_t start = fw_input_recording(in)->first_ts, wall = start, axis, off;

	for (int i = 0; i < 8 && start != INT64_MAX; i++) {
		if (!fw_input_clock(in, FW_INPUT_REALTIME, wall, &axis) ||
		    __builtin_sub_overflow(start, axis, &off) ||
		    __builtin_add_overflow(wall, off, &wall))
			return false;
		*realtime = wall;
		if (!off)
			return true;
	}
	return false;
}

/* The value of a key in @buf; absent where the recording does not say. */
static struct fw_str value_of(int key, struct fw_input *in, char buf[64])
{
	const struct fw_recording *rec = fw_input_recording(in);
	struct fw_str none = FW_STR_NONE;
	int64_t ns;
	time_t s;
	struct tm tm;

	switch (key) {
	case KEY_DEVICE:
		return rec->device;
	case KEY_KERNEL:
		return rec->kernel;
	case KEY_FORMAT:
		return fw_str(rec->format);
	case KEY_SDK:
		if (!rec->sdk)
			return none;
		snprintf(buf, 64, "%d", rec->sdk);
		return fw_str(buf);
	}
	if (!start_of(in, &ns) || ns <= 0)
		return none;
	s = (time_t)(ns / 1000000000);
	if (!gmtime_r(&s, &tm) || !strftime(buf, 64, "%Y-%m-%d", &tm))
		return none;
	return fw_str(buf);
}

/* As Hive writes it: letters, digits, and a few that no file system and no engine minds. */
static void escape(struct fw_str s, char *out)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    c == '-' || c == '_' || (c == '.' && i))
			*out++ = (char)c;
		else
			out += sprintf(out, "%%%02X", c);
	}
	*out = 0;
}

/* @path with /key=value behind it, made as a directory. A name has 255 bytes at most. */
static int add_dir(struct fw_whole *w, char **path, const char *key, struct fw_str value)
{
	struct fw_str cut = { value.p, FW_MIN(value.len, 75) };
	char text[3 * 75 + 1];
	char *longer;

	escape(cut, text);
	longer = fw_asprintf("%s/%s=%s", *path, key, value.len ? text : UNKNOWN);
	free(*path);
	*path = longer;
	return fw_whole_dir(w, longer);
}

int fw_partition_dir(struct fw_whole *w, const char *root, const char *keys, const char *run,
		     struct fw_input *in, char **out)
{
	char *path = fw_strdup(root), buf[64];
	int err = 0;

	while (keys && !err) {
		int k = find_key(next_word(&keys));

		err = add_dir(w, &path, names[k], value_of(k, in, buf));
	}
	if (!err)
		err = add_dir(w, &path, "run", fw_str(run));
	*out = path;
	return err;
}

static const struct fw_column run_columns[] = {
	{ "run", "text", FW_TEXT, "file name of the recording", "the program", NULL },
	{ "device", "text", FW_TEXT, "build fingerprint", "the recording", "not recorded" },
	{ "date", "text", FW_TEXT, "day of its start, UTC", "the recording", "not recorded" },
	{ "kernel", "text", FW_TEXT, "release of the kernel", "the recording", "not recorded" },
	{ "sdk", "id", FW_INT, "Android's SDK level", "the recording", "not recorded" },
	{ "format", "text", FW_TEXT, "what was read", "the program", NULL },
	{ "bytes", "bytes", FW_INT, "size of it", "the program", NULL },
	{ "start_realtime_ns", "ns", FW_INT, "wall clock at its start", "the recording",
	  "not recorded" },
	{ "span_ms", "ms", FW_MS, "from the first event to the last", "the recording",
	  "no events" },
	{ "lost", "bool", FW_INT, "1: the recording lost data", "health", NULL },
	{ "schema", "count", FW_INT, "version of the frame tables' columns", "the program", NULL },
};

const struct fw_table fw_run_table = { "runs", "one recording", run_columns,
				       ARRAY_SIZE(run_columns), NULL };

int fw_partition_run(const char *run, struct fw_input *in, const struct fw_health *health,
		     struct fw_sink *sink)
{
	const struct fw_recording *rec = fw_input_recording(in);
	bool known = rec->first_ts != INT64_MAX && rec->last_ts >= rec->first_ts;
	char date[64], buf[64];
	int64_t wall = 0;
	struct fw_cell cells[ARRAY_SIZE(run_columns)] = {
		fw_text(fw_str(run)),
		fw_text(rec->device),
		fw_text(value_of(KEY_DATE, in, date)),
		fw_text(rec->kernel),
		fw_int_if(value_of(KEY_SDK, in, buf).p, rec->sdk),
		fw_text(fw_str(rec->format)),
		fw_int((int64_t)rec->bytes),
		fw_null(),
		fw_ms_if(known, known ? rec->last_ts - rec->first_ts : 0),
		fw_int(fw_health_lost(health)),
		fw_int(FW_SCHEMA_VERSION),
	};
	int err;

	if (start_of(in, &wall))
		cells[7] = fw_int(wall);
	err = sink->begin(sink, &fw_run_table);
	err = err ? err : sink->row(sink, cells);
	return err ? err : sink->end(sink);
}
