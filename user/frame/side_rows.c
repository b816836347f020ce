// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame/side_rows.h"

int fw_side_joins_load(struct fw_side_joins *s, const struct fw_side_files *files,
		       struct fw_input *in, struct fw_health *health)
{
	int err = 0;

	if (files->framestats)
		err = fw_framestats_join_load(files->framestats, in, health, &s->framestats);
	if (!err && files->latency)
		err = fw_latency_join_load(files->latency, in, health, &s->latency);
	if (!err && files->plans)
		err = fw_plans_join_load(files->plans, in, health, &s->plans);
	return err;
}

void fw_side_joins_free(struct fw_side_joins *s)
{
	fw_framestats_join_free(s->framestats);
	fw_latency_join_free(s->latency);
	fw_plans_join_free(s->plans);
}

static struct fw_cell at(const struct fw_row_context *rc, int64_t ts)
{
	return fw_ms_if(ts != FW_SIDE_UNKNOWN, fw_side_minus(ts, rc->first_ts));
}

static struct fw_cell ms(int64_t ns)
{
	return fw_ms_if(ns != FW_SIDE_UNKNOWN, ns);
}

static int framestats_cells(struct fw_side_joins *s, const struct fw_row_context *rc,
			    const struct fw_frame *f, struct fw_cell *c)
{
	struct fw_framestats_match m;
	int err = fw_framestats_join_find(s->framestats, f, fw_names_str(rc->names, f->plain_layer),
					  &m);

	c[FW_C_FRAMES_framestats_match] = fw_text(fw_side_match_name(m.match));
	c[FW_C_FRAMES_framestats_count] = fw_int_if(m.match != FW_SIDE_NOT_ASKED, m.n);
	if (m.match != FW_SIDE_EXACT && m.match != FW_SIDE_NEAR)
		return err;
	c[FW_C_FRAMES_framestats_distance_ns] =
		fw_int_if(m.distance != FW_SIDE_UNKNOWN, m.distance);
	c[FW_C_FRAMES_framestats_flags] = fw_int_if(m.flags != FW_SIDE_UNKNOWN, m.flags);
	c[FW_C_FRAMES_framestats_total_ms] = ms(m.total);
	c[FW_C_FRAMES_framestats_deadline_delta_ms] = ms(m.deadline_delta);
	c[FW_C_FRAMES_framestats_dequeue_ms] = ms(m.dequeue);
	c[FW_C_FRAMES_framestats_queue_ms] = ms(m.queue);
	c[FW_C_FRAMES_framestats_present_ms] = at(rc, m.present);
	return err;
}

static int latency_cells(struct fw_side_joins *s, const struct fw_row_context *rc,
			 const struct fw_frame *f, const struct fw_join *j, struct fw_cell *c)
{
	struct fw_latency_match m;
	int err =
		fw_latency_join_find(s->latency, f, j, fw_names_str(rc->names, f->plain_layer), &m);

	c[FW_C_FRAMES_latency_match] = fw_text(fw_side_match_name(m.match));
	c[FW_C_FRAMES_latency_count] = fw_int_if(m.match != FW_SIDE_NOT_ASKED, m.n);
	if (m.match != FW_SIDE_EXACT && m.match != FW_SIDE_NEAR)
		return err;
	c[FW_C_FRAMES_latency_distance_ns] = fw_int_if(m.distance != FW_SIDE_UNKNOWN, m.distance);
	c[FW_C_FRAMES_latency_desired_present_ms] = at(rc, m.desired);
	c[FW_C_FRAMES_latency_present_ms] = at(rc, m.actual);
	c[FW_C_FRAMES_latency_ready_ms] = at(rc, m.ready);
	return err;
}

static int plan_cells(struct fw_side_joins *s, const struct fw_row_context *rc,
		      const struct fw_frames *fs, const struct fw_frame *f, const struct fw_join *j,
		      struct fw_cell *c)
{
	const struct fw_expected *x = j->expected, *shown = NULL;
	struct fw_plan_match m;
	int err;

	if (f->display)
		return 0;
	err = fw_plans_join_find(s->plans, f->ft.token, &m);
	c[FW_C_FRAMES_plan_count] = fw_int(m.n);
	if (m.n != 1)
		return err;
	if (f->ft.has & FW_FT_FROM_MARKS ||
	    fw_expectations_find(&fs->expected, true, 0, f->ft.display_token, &shown) != 1)
		shown = NULL;
	c[FW_C_FRAMES_plan_frame_time_ms] = at(rc, m.frame_time);
	c[FW_C_FRAMES_plan_deadline_ms] = at(rc, m.deadline);
	c[FW_C_FRAMES_plan_present_ms] = at(rc, m.present);
	if (x)
		c[FW_C_FRAMES_plan_start_delta_ms] = ms(fw_side_minus(m.frame_time, x->start));
	if (x && x->end != FW_EXPECTED_OPEN)
		c[FW_C_FRAMES_plan_deadline_delta_ms] = ms(fw_side_minus(m.deadline, x->end));
	if (shown && shown->end != FW_EXPECTED_OPEN)
		c[FW_C_FRAMES_plan_present_delta_ms] = ms(fw_side_minus(m.present, shown->end));
	return err;
}

int fw_side_cells(struct fw_side_joins *s, const struct fw_row_context *rc,
		  const struct fw_frames *fs, const struct fw_frame *f, const struct fw_join *j,
		  struct fw_cell *cells)
{
	int err = 0;

	if (s->framestats)
		err = framestats_cells(s, rc, f, cells);
	if (!err && s->latency)
		err = latency_cells(s, rc, f, j, cells);
	if (!err && s->plans)
		err = plan_cells(s, rc, fs, f, j, cells);
	return err;
}
