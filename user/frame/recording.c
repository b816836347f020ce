// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/recording.h"

#include <inttypes.h>
#include <stdio.h>

#include "frame/columns.h"

struct facts {
	struct fw_sink *sink;
	int err;
};

static void fact(struct facts *f, const char *name, struct fw_str value, const char *meaning)
{
	struct fw_cell cells[FW_C_RECORDING_COUNT] = {
		[FW_C_RECORDING_name] = fw_text(fw_str(name)),
		[FW_C_RECORDING_value] = fw_text(value),
		[FW_C_RECORDING_meaning] = fw_text(fw_str(meaning)),
	};

	if (value.p && value.len && !f->err)
		f->err = f->sink->row(f->sink, cells);
}

static void number(struct facts *f, const char *name, int64_t value, const char *meaning)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	fact(f, name, fw_str(text), meaning);
}

int fw_recording_emit(const struct fw_recording *rec, struct fw_sink *sink)
{
	struct facts f = { .sink = sink };

	f.err = sink->begin(sink, fw_frame_table(FW_RECORDING));
	number(&f, "schema", FW_SCHEMA_VERSION, "version of the columns of the frame tables");
	fact(&f, "format", fw_str(rec->format), "what was read");
	number(&f, "bytes", (int64_t)rec->bytes, "size of it");
	fact(&f, "device", rec->device, "build fingerprint");
	fact(&f, "sysname", rec->sysname, "operating system");
	fact(&f, "kernel", rec->kernel, "its release");
	fact(&f, "kernel_version", rec->kernel_version, "its build");
	fact(&f, "machine", rec->machine, "architecture");
	if (rec->sdk)
		number(&f, "sdk", rec->sdk, "Android's SDK level");
	if (rec->num_cpus)
		number(&f, "cpus", rec->num_cpus, "number of CPUs");
	fact(&f, "clock", fw_str(rec->trace_clock), "the clock of the _ns columns");
	fact(&f, "recorder", rec->service_version, "the program that recorded");
	if (rec->first_ts != INT64_MAX) {
		number(&f, "first_ns", rec->first_ts, "time 0 of the _ms columns, raw");
		if (rec->last_ts > rec->first_ts)
			number(&f, "span_ns", rec->last_ts - rec->first_ts,
			       "from the first event to the last");
	}
	return f.err ? f.err : sink->end(sink);
}
