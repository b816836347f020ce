// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts that wait for their window's end: what is kept, in which order, and the bound. */
#include "frame/held.h"

#include "tap.h"

struct rows {
	int n;
	int64_t last;
	bool ordered;
	struct fw_str waker;
};

static void row(void *ctx, const struct fw_window *w, const struct fw_part *part)
{
	struct rows *r = ctx;

	r->ordered = (!r->n || r->ordered) && part->start >= r->last;
	r->last = part->start;
	r->waker = part->iv ? part->iv->waker : FW_STR_NONE;
	r->n++;
}

static void add(struct fw_held_parts *hs, struct fw_window *w, int64_t start, const char *waker)
{
	char text[16] = "";
	struct fw_interval iv = { .start = start, .end = start + 1, .state = FW_STATE_RUNNABLE };
	struct fw_part part = { .start = start, .end = start + 1, .iv = waker ? &iv : NULL };

	if (waker) {
		snprintf(text, sizeof(text), "%s", waker);
		iv.waker = fw_str(text);
	}
	fw_held_add(hs, w, &part);
}

int main(void)
{
	struct rows r = { 0 };
	struct fw_held_parts hs = { .names = fw_names_new(), .row = row, .ctx = &r };
	struct fw_window old = { .tid = 1 }, young = { .tid = 2 }, third = { .tid = 3 };

	for (int i = 0; i < 100; i++)
		add(&hs, &old, i, i == 99 ? "waker" : NULL);
	is_int(r.n, 0, "nothing is given before it is asked for");
	fw_held_release(&hs, &old);
	is_int(r.n, 100, "then every part");
	ok(r.ordered, "in order");
	ok(fw_str_eq(r.waker, FW_STR("waker")), "with a waker's name of its own");
	ok(!old.held && !hs.n && !hs.first, "and nothing is left");

	r = (struct rows){ 0 };
	for (uint32_t i = 0; i < FW_HELD_MAX / 2; i++)
		add(&hs, &old, i, NULL);
	add(&hs, &young, 0, NULL);
	for (uint32_t i = 0; i < FW_HELD_MAX / 2 - 1; i++)
		add(&hs, &young, i, NULL);
	ok(!old.parts_lost, "a full store");
	add(&hs, &third, 0, NULL);
	ok(old.parts_lost && !old.held, "past it the oldest window loses its parts");
	ok(!young.parts_lost && !third.parts_lost, "not the younger ones");
	add(&hs, &old, FW_HELD_MAX, NULL);
	ok(!old.held, "and gets no new ones");
	fw_held_release(&hs, &young);
	is_int(r.n, FW_HELD_MAX / 2, "a younger one is whole");
	for (uint32_t i = 0; i < 2 * FW_HELD_MAX; i++)
		add(&hs, &third, i, NULL);
	ok(third.parts_lost && !hs.n, "one window alone is bounded too");
	fw_held_drop(&hs, &third);
	ok(!hs.first && !hs.last, "dropped twice");
	fw_names_free(hs.names);
	return done_testing();
}
