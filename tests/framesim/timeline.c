// SPDX-License-Identifier: GPL-2.0-or-later
/* FrameTimeline's classification (frameworks/native FrameTimeline.cpp of Android 14, without its experiments). */
#include "flinger.h"

#define PRESENT_THRESHOLD 2000000 /* a frame within it is on time */
#define EXPIRED_START 2000000 /* without a prediction a frame began so long before its end */

static float ms(int64_t ns)
{
	return (float)ns / 1e6f;
}

void classify_display(struct display *d, int64_t present_before)
{
	int64_t delay = d->present - d->expected_present;

	d->on_time = d->committed <= d->expected_present;
	d->jank = JANK_NONE;
	d->present_type = PRESENT_ON_TIME;
	if (delay <= PRESENT_THRESHOLD)
		return;
	d->present_type = PRESENT_LATE;
	d->late_ms = ms(delay);
	if (present_before >= d->expected_present)
		d->jank = JANK_SF_STUFFING;
	else if (d->on_time)
		d->jank = JANK_DISPLAY_HAL;
	else
		d->jank = d->client_composition ? JANK_SF_GPU : JANK_SF_CPU;
}

int64_t actual_end(const struct frame *f)
{
	if (f->dropped)
		return f->dropped;
	return f->acquired > f->queued ? f->acquired : f->queued;
}

int64_t actual_start(const struct frame *f)
{
	return f->expired ? actual_end(f) - EXPIRED_START : f->start;
}

void classify_frame(struct frame *f, const struct display *d, int64_t latched_before)
{
	int64_t delay = d->present - f->expected_present;
	int display_jank = d->jank == JANK_NONE ? 0 : d->jank;

	f->present = f->dropped ? 0 : d->present;
	f->expired = inject_at(INJECT_expired, f->index, NULL);
	f->on_time = !f->expired && actual_end(f) <= f->expected_end;
	if (f->dropped)
		return;
	if (f->expired) {
		f->jank = JANK_APP;
		f->present_type = PRESENT_UNKNOWN;
		return;
	}
	f->jank = JANK_NONE;
	f->present_type = PRESENT_ON_TIME;
	if (delay <= PRESENT_THRESHOLD)
		return;
	f->present_type = PRESENT_LATE;
	f->late_ms = ms(delay);
	if (f->expected_end <= latched_before)
		f->jank = JANK_STUFFING;
	else if (f->on_time)
		f->jank = display_jank ? display_jank : JANK_SF_SCHEDULING;
	else
		f->jank = JANK_APP | display_jank;
}
