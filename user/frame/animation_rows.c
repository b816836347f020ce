// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/animation_rows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "frame/animation_logs.h"

#define SORT_BUDGET (1u << 20)
/* Sections, and lines of the log, of one ID; of more no match is looked for. */
#define GROUP_MAX 1024

/*
 * A record is its length, its key, then the cells of a section's row, or of one event of the log. The key:
 * source and ID make the group, then sections by time come before the log in its order.
 */
enum { K_SOURCE, K_ID, K_IS_LOG, K_ORDER, K_CELLS };

struct fw_animation_rows {
	struct fw_sort *sort;
	struct fw_rowbuf buf;
	char *rec;
	size_t rec_cap;
	bool with_log;
};

static void decode(const void *rec, struct fw_cell *cells, int n)
{
	uint64_t len;

	memcpy(&len, rec, sizeof(len));
	fw_row_decode((const char *)rec + sizeof(len), len, cells, n);
}

static int cmp_keys(const void *a, const void *b, const void *ctx)
{
	struct fw_cell ka[K_CELLS], kb[K_CELLS];
	int c = 0;

	decode(a, ka, K_CELLS);
	decode(b, kb, K_CELLS);
	for (int i = 0; i < K_CELLS && !c; i++)
		c = fw_cell_cmp(&ka[i], &kb[i]);
	return c;
}

struct fw_animation_rows *fw_animation_rows_new(void)
{
	struct fw_animation_rows *r = fw_zalloc(sizeof(*r));

	r->sort = fw_sort_new(SORT_BUDGET, cmp_keys, NULL);
	return r;
}

void fw_animation_rows_free(struct fw_animation_rows *r)
{
	if (!r)
		return;
	fw_sort_free(r->sort);
	free(r->buf.p);
	free(r->rec);
	free(r);
}

static struct fw_cell at(const struct fw_row_context *rc, int64_t ts)
{
	return fw_ms_if(ts != FW_ANIMATION_UNKNOWN,
			(int64_t)((uint64_t)ts - (uint64_t)rc->first_ts));
}

static void said_cells(const struct fw_animation *s, struct fw_cell *c)
{
	c[FW_C_ANIMATIONS_source] = fw_text(fw_str(fw_animation_source_name(s->source)));
	c[FW_C_ANIMATIONS_id] = fw_text(s->id);
	c[FW_C_ANIMATIONS_type] = fw_text(s->type);
	c[FW_C_ANIMATIONS_target] = fw_text(s->target);
	c[FW_C_ANIMATIONS_properties] = fw_text(s->properties);
	c[FW_C_ANIMATIONS_property_count] = fw_int_if(s->n_properties, s->n_properties);
	c[FW_C_ANIMATIONS_property] = fw_text(s->property);
	c[FW_C_ANIMATIONS_property_from] = fw_text(s->from);
	c[FW_C_ANIMATIONS_property_to] = fw_text(s->to);
	c[FW_C_ANIMATIONS_ease] = fw_text(s->ease);
	c[FW_C_ANIMATIONS_ease_factors] = fw_text(s->factors);
	c[FW_C_ANIMATIONS_planned_ms] =
		fw_ms_if(s->planned_ns != FW_ANIMATION_UNKNOWN, s->planned_ns);
	c[FW_C_ANIMATIONS_cut] = fw_int(s->cut);
}

static void frame_cells(const struct fw_row_context *rc, const struct fw_animation_run *a,
			struct fw_cell *c)
{
	bool longest = a->longest != FW_ANIMATION_UNKNOWN;

	if (a->uncounted)
		return;
	c[FW_C_ANIMATIONS_frames] = fw_int(a->frames);
	c[FW_C_ANIMATIONS_janky_frames] = fw_int_if(a->judged || !a->frames, a->janky);
	c[FW_C_ANIMATIONS_longest_frame_ms] = fw_ms_if(longest, a->longest);
	c[FW_C_ANIMATIONS_longest_frame_token] = fw_int_if(longest, a->longest_token);
	if (longest)
		c[FW_C_ANIMATIONS_longest_frame_start_ms] = at(rc, a->longest_start);
}

static int add(struct fw_animation_rows *r, const struct fw_cell *cells, int n)
{
	uint64_t len;

	fw_row_encode(&r->buf, cells, n);
	len = r->buf.len;
	if (sizeof(len) + len > r->rec_cap) {
		r->rec_cap = 2 * (sizeof(len) + len);
		r->rec = fw_realloc(r->rec, r->rec_cap, 1);
	}
	memcpy(r->rec, &len, sizeof(len));
	memcpy(r->rec + sizeof(len), r->buf.p, len);
	return fw_sort_add(r->sort, r->rec, sizeof(len) + len);
}

int fw_animation_rows_section(struct fw_animation_rows *r, const struct fw_row_context *rc,
			      const struct fw_animation_run *a)
{
	struct fw_cell cells[K_CELLS + FW_C_ANIMATIONS_COUNT] = { 0 }, *c = cells + K_CELLS;
	bool closed = a->status == FW_ANIMATION_CLOSED;
	bool begun = a->start != FW_ANIMATION_UNKNOWN, ended = a->end != FW_ANIMATION_UNKNOWN;

	said_cells(&a->said, c);
	c[FW_C_ANIMATIONS_process] =
		fw_text(fw_names_str(rc->names, fw_directory_process_name(rc->directory, a->pid)));
	c[FW_C_ANIMATIONS_pid] = fw_int(a->pid);
	c[FW_C_ANIMATIONS_status] = fw_text(fw_str(fw_animation_status_name(a->status)));
	c[FW_C_ANIMATIONS_start_ms] = at(rc, a->start);
	c[FW_C_ANIMATIONS_end_ms] = at(rc, a->end);
	c[FW_C_ANIMATIONS_duration_ms] = fw_ms_if(closed, closed ? a->end - a->start : 0);
	c[FW_C_ANIMATIONS_start_ns] = fw_int_if(begun, a->start);
	c[FW_C_ANIMATIONS_end_ns] = fw_int_if(ended, a->end);
	frame_cells(rc, a, c);
	cells[K_SOURCE] = fw_int(a->said.source);
	cells[K_ID] = fw_text(a->said.id);
	cells[K_IS_LOG] = fw_int(0);
	cells[K_ORDER] = fw_int(begun ? a->start : a->end);
	return add(r, cells, ARRAY_SIZE(cells));
}

int fw_animation_rows_log(struct fw_animation_rows *r, const char *path, struct fw_input *in,
			  struct fw_health *health)
{
	struct fw_cell cells[K_CELLS + FW_LOG_CELLS];
	const struct fw_log_event *ev;
	struct fw_logcat *l;
	struct fw_source *src;
	int ret = fw_source_open(path, &src);

	if (!ret)
		ret = fw_logcat_open(src, health, &l);
	if (ret)
		return ret;
	r->with_log = true;
	while ((ret = fw_logcat_next(l, &ev)) > 0) {
		cells[K_SOURCE] = fw_int(ev->folme ? FW_FOLME : FW_ANIM);
		cells[K_ID] = fw_text(ev->id);
		cells[K_IS_LOG] = fw_int(1);
		cells[K_ORDER] = fw_int((int64_t)ev->line);
		fw_log_cells(ev, in, cells + K_CELLS);
		ret = add(r, cells, ARRAY_SIZE(cells));
		if (ret)
			break;
	}
	fw_logcat_close(l);
	return ret;
}

/* All records of one source and ID, as far as there is room. */
struct group {
	void *rec[2 * GROUP_MAX];
	fw_section_cells *section;
	struct fw_log *log;
	int n_recs, n_sections, n_logs;
	bool too_many;
};

/* Forget the records but the first @keep. */
static void clear(struct group *g, int keep)
{
	for (int i = keep; i < g->n_recs; i++)
		free(g->rec[i]);
	g->n_recs = FW_MIN(g->n_recs, keep);
	g->n_sections = g->n_logs = 0;
	g->too_many = keep;
}

static int emit_section(struct fw_animation_rows *r, struct group *g, int i, struct fw_rows *rows)
{
	struct fw_cell *c = g->section[i];
	const struct fw_log *log = NULL;
	struct fw_str match = FW_STR("no-log");

	c[FW_C_ANIMATIONS_sections_of_id] = fw_int_if(!g->too_many, g->n_sections);
	if (!r->with_log)
		return fw_rows_add(rows, c);
	for (int k = 0; k < g->n_logs; k++) {
		if (g->log[k].section == i)
			log = &g->log[k];
		/* One of several that may be its own. */
		if (g->log[k].ambiguous && fw_log_may_be(&g->log[k], c))
			match = FW_STR("ambiguous");
	}
	c[FW_C_ANIMATIONS_logs_of_id] = fw_int_if(!g->too_many, g->n_logs);
	c[FW_C_ANIMATIONS_log_match] = fw_text(log ? fw_str(log->match) : match);
	if (log)
		fw_log_fill(log, c);
	return fw_rows_add(rows, c);
}

/* A log that no section has is a row too. */
static int emit_log(struct group *g, const struct fw_log *log, const struct fw_cell *key,
		    struct fw_rows *rows)
{
	struct fw_cell c[FW_C_ANIMATIONS_COUNT] = { 0 };

	c[FW_C_ANIMATIONS_source] = fw_text(fw_str(fw_animation_source_name((int)key[K_SOURCE].i)));
	c[FW_C_ANIMATIONS_id] = key[K_ID];
	c[FW_C_ANIMATIONS_pid] = fw_int_if(log->pid >= 0, log->pid);
	c[FW_C_ANIMATIONS_status] = fw_text(FW_STR("log-only"));
	c[FW_C_ANIMATIONS_sections_of_id] = fw_int_if(!g->too_many, g->n_sections);
	c[FW_C_ANIMATIONS_logs_of_id] = fw_int_if(!g->too_many, g->n_logs);
	c[FW_C_ANIMATIONS_log_match] =
		fw_text(log->ambiguous ? FW_STR("ambiguous") : FW_STR("no-section"));
	fw_log_fill(log, c);
	return fw_rows_add(rows, c);
}

static int emit_group(struct fw_animation_rows *r, struct group *g, const struct fw_cell *key,
		      struct fw_rows *rows)
{
	int err = 0;

	fw_logs_match(g->log, g->n_logs, g->section, g->n_sections, g->too_many);
	for (int i = 0; i < g->n_sections && !err; i++)
		err = emit_section(r, g, i, rows);
	for (int i = 0; i < g->n_logs && !err; i++)
		if (g->log[i].section < 0)
			err = emit_log(g, &g->log[i], key, rows);
	return err;
}

/*
 * Put a record into its group. Of one that is full all go out, joined to nothing; the first record
 * stays to say which group it is.
 */
static int take(struct fw_animation_rows *r, struct group *g, const void *rec, size_t len,
		struct fw_rows *rows)
{
	struct fw_cell cells[K_CELLS + FW_C_ANIMATIONS_COUNT];
	void *own = fw_memdup(rec, len);
	int err;

	g->rec[g->n_recs++] = own;
	decode(own, cells, K_CELLS);
	if (cells[K_IS_LOG].i) {
		decode(own, cells, K_CELLS + FW_LOG_CELLS);
		fw_log_add(g->log, &g->n_logs, cells + K_CELLS);
	} else {
		decode(own, cells, ARRAY_SIZE(cells));
		memcpy(g->section[g->n_sections++], cells + K_CELLS, sizeof(g->section[0]));
	}
	if (g->n_recs < 2 * GROUP_MAX && g->n_sections < GROUP_MAX && g->n_logs < GROUP_MAX)
		return 0;
	g->too_many = true;
	err = emit_group(r, g, cells, rows);
	clear(g, 1);
	return err;
}

static bool same_group(const struct group *g, const void *rec)
{
	struct fw_cell a[K_CELLS], b[K_CELLS];

	decode(g->rec[0], a, K_CELLS);
	decode(rec, b, K_CELLS);
	return !fw_cell_cmp(&a[K_SOURCE], &b[K_SOURCE]) && !fw_cell_cmp(&a[K_ID], &b[K_ID]);
}

static int end_group(struct fw_animation_rows *r, struct group *g, struct fw_rows *rows)
{
	struct fw_cell key[K_CELLS];
	int err;

	if (!g->n_recs)
		return 0;
	decode(g->rec[0], key, K_CELLS);
	err = emit_group(r, g, key, rows);
	clear(g, 0);
	return err;
}

int fw_animation_rows_emit(struct fw_animation_rows *r, struct fw_rows *rows)
{
	struct group *g = fw_zalloc(sizeof(*g));
	const void *rec;
	size_t len;
	int ret = 0;

	g->section = fw_calloc(GROUP_MAX, sizeof(*g->section));
	g->log = fw_calloc(GROUP_MAX, sizeof(*g->log));
	while (!ret && (ret = fw_sort_next(r->sort, &rec, &len)) > 0) {
		ret = g->n_recs && !same_group(g, rec) ? end_group(r, g, rows) : 0;
		if (!ret)
			ret = take(r, g, rec, len, rows);
	}
	if (!ret)
		ret = end_group(r, g, rows);
	clear(g, 0);
	free(g->section);
	free(g->log);
	free(g);
	return ret;
}
