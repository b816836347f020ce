// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/source.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/mem.h"
#include "metrics/frames_csv.h"

struct fw_run_opts fw_run_opts_of(const struct fw_report_opts *frames)
{
	return (struct fw_run_opts){ .layer = frames->layer,
				     .only_framed = frames->process != NULL,
				     .no_presents = frames->late_only,
				     .from_ns = frames->from_ns,
				     .to_ns = frames->to_ns,
				     .draws = 1 };
}

static char *text(struct fw_str s)
{
	char *t;

	if (!s.p || !s.len)
		return NULL;
	t = fw_zalloc(s.len + 1);
	memcpy(t, s.p, s.len);
	return t;
}

/* The file of that name beside @path, or NULL. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char *file =
		slash ? fw_asprintf("%.*s/%s", (int)(slash - path), path, name) : fw_strdup(name);

	if (!access(file, R_OK))
		return file;
	free(file);
	return NULL;
}

static void take_fact(struct fw_run_facts *f, struct fw_str name, struct fw_str value)
{
	int64_t n;

	if (fw_str_eq(name, FW_STR("schema")) && fw_str_int(value, &n) && n > 0 && n < 1000000)
		f->schema = (int)n;
	else if (fw_str_eq(name, FW_STR("device")) && !f->device)
		f->device = text(value);
	else if (fw_str_eq(name, FW_STR("kernel")) && !f->kernel)
		f->kernel = text(value);
}

static void take_counter(struct fw_run_facts *f, struct fw_str severity, struct fw_str value)
{
	if (fw_str_eq(severity, FW_STR("loss")) && !fw_str_eq(value, FW_STR("0")))
		f->lost = 1;
}

/* Two columns of a small CSV file beside @path. */
static int read_beside(const char *path, const char *name, const char *key, struct fw_run_facts *f,
		       void (*take)(struct fw_run_facts *, struct fw_str, struct fw_str))
{
	char *file = beside(path, name);
	const struct fw_str *cells;
	struct fw_csv *csv = NULL;
	int k, v, more = 0, err;

	if (!file)
		return 0;
	err = fw_csv_open(file, &csv);
	free(file);
	if (err)
		return err;
	k = fw_csv_find(csv, key);
	v = fw_csv_find(csv, "value");
	if (take == take_counter)
		f->lost = 0;
	while (k >= 0 && v >= 0 && (more = fw_csv_next(csv, &cells)) > 0)
		take(f, cells[k], cells[v]);
	fw_csv_close(csv);
	return more;
}

static int read_csv(struct fw_run *run, const char *path, const struct fw_report_opts *frames,
		    struct fw_run_facts *facts)
{
	int err = read_beside(path, "recording.csv", "name", facts, take_fact);

	if (!err)
		err = read_beside(path, "health.csv", "severity", facts, take_counter);
	return err ? err : fw_frames_csv(path, frames, fw_run_frames(run), &facts->cut);
}

/* Events of presented frames are all that there is. */
static int read_presented(struct fw_run *run, struct fw_input *in,
			  const struct fw_report_opts *frames)
{
	struct fw_input_opts opts = { .wants = UINT64_C(1) << FW_EV_PRESENTED,
				      .mach_numer = frames->mach_numer,
				      .mach_denom = frames->mach_denom };
	const struct fw_recording *rec = fw_input_recording(in);
	const struct fw_event *ev;
	int more, err = fw_input_start(in, &opts);

	while (!err && (more = fw_input_next(in, &ev)) > 0) {
		int64_t ns;

		if (ev->type != FW_EV_PRESENTED ||
		    __builtin_sub_overflow(ev->ts, rec->first_ts, &ns))
			continue;
		if (!frames->process && !frames->layer && ns >= frames->from_ns &&
		    ns < frames->to_ns)
			err = fw_run_present(run, ns);
	}
	return err ? err : more;
}

static int read_recording(struct fw_run *run, const char *path, const struct fw_report_opts *frames,
			  struct fw_run_facts *facts)
{
	struct fw_sink *sinks[FW_FRAME_TABLES] = {
		[FW_FRAMES] = fw_run_frames(run), [FW_FENCES] = fw_run_fences(run)
	};
	struct fw_health *health = fw_health_new();
	const struct fw_recording *rec;
	struct fw_input *in = NULL;
	int err = fw_input_open(path, health, &in);

	if (err)
		goto out;
	rec = fw_input_recording(in);
	err = rec->scope ? read_presented(run, in, frames) : fw_report(in, health, frames, sinks);
	facts->no_mach = frames->mach_denom && !rec->scope;
	facts->schema = FW_SCHEMA_VERSION;
	facts->device = text(rec->device);
	facts->kernel = text(rec->kernel);
	facts->lost = fw_health_lost(health);
	fw_input_close(in);
out:
	fw_health_free(health);
	return err;
}

int fw_run_read(struct fw_run *run, const char *path, const struct fw_report_opts *frames,
		struct fw_run_facts *facts)
{
	bool csv = fw_is_frames_csv(path);

	*facts = (struct fw_run_facts){ .lost = -1, .no_mach = csv && frames->mach_denom };
	return csv ? read_csv(run, path, frames, facts) : read_recording(run, path, frames, facts);
}
