// SPDX-License-Identifier: GPL-2.0-or-later
/* tp_model - a whole recording as trace_processor models it */
#include "model/tp_model.h"

#include <stdlib.h>

#include "base/mem.h"

struct fw_tp_model *fw_tp_model_new(const struct fw_tp_listeners *to, struct fw_health *health,
				    const struct fw_recording *rec, bool tp_compat)
{
	struct fw_tp_model *m = fw_zalloc(sizeof(*m));

	m->names = fw_names_new();
	m->tasks = fw_tasks_new(m->names);
	m->health = health;
	m->to = *to;
	fw_tp_sched_init(&m->sched, m->tasks, m->names, health, rec);
	m->sched.slice = to->sched_slice;
	m->sched.state = to->state;
	m->sched.ctx = to->ctx;
	fw_thread_slices_init(&m->thread_slices, m->tasks, m->names, health);
	m->thread_slices.done = to->thread_slice;
	m->thread_slices.ctx = to->ctx;
	fw_async_slices_init(&m->async_slices, health);
	m->async_slices.done = to->async_slice;
	m->async_slices.ctx = to->ctx;
	fw_irq_slices_init(&m->irq, health);
	m->irq.done = to->irq;
	m->irq.ctx = to->ctx;
	fw_frame_timeline_init(&m->timeline, m->tasks, m->names, health);
	m->timeline.done = to->frame;
	m->timeline.ctx = to->ctx;
	fw_frame_tracer_init(&m->tracer, m->names, health);
	m->tracer.done = to->buffer;
	m->tracer.ctx = to->ctx;
	m->tracer.tp_keys = tp_compat;
	return m;
}

void fw_tp_model_free(struct fw_tp_model *m)
{
	if (!m)
		return;
	/* Whoever listened is gone: what is still open goes nowhere. */
	m->sched.slice = NULL;
	m->sched.state = NULL;
	m->thread_slices.done = NULL;
	m->async_slices.done = NULL;
	m->irq.done = NULL;
	m->timeline.done = NULL;
	m->tracer.done = NULL;
	fw_tp_model_finish(m);
	fw_mark_reader_free(&m->marks);
	fw_tasks_free(m->tasks);
	fw_names_free(m->names);
	free(m);
}

static void feed_mark(struct fw_tp_model *m, const struct fw_event *ev)
{
	struct fw_mark_owner owner;
	struct fw_mark mark;
	enum fw_mark_result res;

	if (ev->tid != -1)
		fw_tasks_thread(m->tasks, ev->tid);
	if (ev->flags & FW_EVF_EARLY)
		return;
	res = fw_mark_read(&m->marks, ev, &mark);
	if (res == FW_MARK_FAILED)
		fw_health_add(m->health, FW_H_systrace_parse_failure, FW_HEALTH_NO_IDX, 1);
	if (res != FW_MARK_OK)
		return;
	owner = fw_tasks_mark(m->tasks, ev->tid, &mark);
	if (m->to.thread_slice || m->to.all)
		fw_thread_slices_mark(&m->thread_slices, ev->ts, owner.utid, &mark);
	if (m->to.async_slice || m->to.all)
		fw_async_slices_mark(&m->async_slices, ev->ts, owner.upid, &mark);
	if (m->to.counter && mark.phase == 'C' && owner.upid != FW_NO_TASK)
		m->to.counter(m->to.ctx, owner.upid, ev->ts, &mark);
}

void fw_tp_model_feed(struct fw_tp_model *m, const struct fw_event *ev)
{
	const struct fw_tp_listeners *to = &m->to;

	if (ev->flags & FW_EVF_LINE)
		fw_tasks_line(m->tasks, ev);
	switch (ev->type) {
	case FW_EV_MARK:
	case FW_EV_VENDOR_MARK:
		feed_mark(m, ev);
		break;
	case FW_EV_SCHED_SWITCH:
	case FW_EV_SCHED_WAKING:
	case FW_EV_GENERIC_TASK:
		/* The tracker names the threads: it knows which of these events count. */
		fw_tp_sched_feed(&m->sched, ev);
		break;
	default:
		fw_tasks_feed(m->tasks, ev);
		fw_tp_sched_feed(&m->sched, ev);
		break;
	}
	if (to->thread_slice || to->all)
		fw_thread_slices_feed(&m->thread_slices, ev);
	if (to->irq || to->all)
		fw_irq_slices_feed(&m->irq, ev);
	if (to->frame || to->all)
		fw_frame_timeline_feed(&m->timeline, ev);
	if (to->buffer || to->all)
		fw_frame_tracer_feed(&m->tracer, ev);
	if (to->event)
		to->event(to->ctx, ev);
}

void fw_tp_model_finish(struct fw_tp_model *m)
{
	fw_tp_sched_finish(&m->sched);
	fw_thread_slices_finish(&m->thread_slices);
	fw_async_slices_finish(&m->async_slices);
	fw_irq_slices_finish(&m->irq);
	fw_frame_timeline_finish(&m->timeline);
	fw_frame_tracer_finish(&m->tracer);
}
