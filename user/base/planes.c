// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records as a compressor likes them: times as differences, and bytes that mean the same next to
 * each other. Documentation/capture.rst has the layout. Both directions walk over the same records in
 * the same order and share what they know at each, so that one undoes the other whatever is in them.
 */
#include <string.h>

#include "base/mem.h"
#include "base/planes.h"
#include "framewait/record.h"

/* Part of the format. */
#define WORDS 16
#define THREADS 1024

/**
 * struct column - where the words that mean the same stand
 * @n: how many; they are that far apart
 * @at: of the next one its first byte
 */
struct column {
	uint32_t n, at;
};

/* Of one type of record: its words but for the first, and what is longer. */
struct kind {
	struct column word[WORDS], rest;
};

/**
 * struct planes - at work on one chunk
 * @last: time of the record before
 * @thread: by tid, when a thread last came to a CPU or left it; 0: not known
 */
struct planes {
	struct kind kind[256];
	uint64_t last, thread[THREADS];
};

/* Text is best left together. */
static size_t words_of(const struct fw_rec *r)
{
	bool text = r->type >= FW_REC_MARK && r->type <= FW_REC_SYMBOL;

	return FW_MIN(r->size / 8u, text ? sizeof(*r) / 8 : WORDS);
}

static bool count(struct planes *p, const struct fw_rec *r, size_t room)
{
	struct kind *k;
	size_t words;

	if (room < sizeof(*r) || r->size < sizeof(*r) || r->size % 8 || r->size > room)
		return false;
	k = &p->kind[r->type];
	words = words_of(r);
	for (size_t i = 1; i < words; i++)
		k->word[i].n++;
	k->rest.n += r->size - 8 * words;
	return true;
}

/* Each of the counted words has its place now. */
static void place(struct planes *p, size_t n)
{
	size_t at = sizeof(struct fw_planes) + 8 * n;

	for (size_t t = 0; t < ARRAY_SIZE(p->kind); t++) {
		struct kind *k = &p->kind[t];

		for (size_t i = 1; i < WORDS; i++) {
			k->word[i].at = at;
			at += 8 * k->word[i].n;
		}
		k->rest.at = at;
		at += k->rest.n;
	}
}

static void scatter(uint8_t *out, size_t n, const uint8_t *word)
{
	for (size_t i = 0; i < 8; i++)
		out[i * n] = word[i];
}

static void gather(const uint8_t *in, size_t n, uint8_t *word)
{
	for (size_t i = 0; i < 8; i++)
		word[i] = in[i * n];
}

/* A thread's interval begins, as a rule, where the one before it ended. This undoes itself. */
static void differ_start(struct planes *p, uint32_t tid, __u64 *start, uint64_t ts)
{
	uint64_t *known = &p->thread[tid % THREADS];

	*start = (*known ? *known : ts) - *start;
	*known = ts;
}

/* So does this: 0 stays 0, and what would become 0 stays too. */
static void differ_waited(struct planes *p, struct fw_waited *w, uint64_t ts)
{
	differ_start(p, w->tid, &w->start, ts);
	if (w->wake && w->wake != ts)
		w->wake = ts - w->wake;
}

/* All times of a record but its own; @ts is that. */
static void differ(struct planes *p, struct fw_rec *r, uint64_t ts)
{
	union {
		struct fw_rec rec;
		struct fw_rec_ran ran;
		struct fw_rec_waited waited;
		struct fw_rec_switch both;
		struct fw_rec_irq irq;
	} *u = (void *)r;

	if (r->type == FW_REC_RAN && r->size >= sizeof(u->ran)) {
		differ_start(p, u->ran.ran.tid, &u->ran.ran.start, ts);
	} else if (r->type == FW_REC_WAITED && r->size >= sizeof(u->waited)) {
		differ_waited(p, &u->waited.waited, ts);
	} else if (r->type == FW_REC_SWITCH && r->size >= sizeof(u->both)) {
		differ_waited(p, &u->both.waited, ts);
		differ_start(p, u->both.ran.tid, &u->both.ran.start, ts);
	} else if (r->type == FW_REC_IRQ && r->size >= sizeof(u->irq)) {
		u->irq.start = ts - u->irq.start;
	}
}

/* What of a record stands behind the words of all records: after the first one. */
static void put(struct planes *p, const uint8_t *record, uint8_t *out)
{
	const struct fw_rec *r = (const struct fw_rec *)record;
	struct kind *k = &p->kind[r->type];
	size_t words = words_of(r);

	for (size_t i = 1; i < words; i++)
		scatter(out + k->word[i].at++, k->word[i].n, record + 8 * i);
	memcpy(out + k->rest.at, record + 8 * words, r->size - 8 * words);
	k->rest.at += r->size - 8 * words;
}

static void get(struct planes *p, const uint8_t *in, uint8_t *record)
{
	const struct fw_rec *r = (const struct fw_rec *)record;
	struct kind *k = &p->kind[r->type];
	size_t words = words_of(r);

	for (size_t i = 1; i < words; i++)
		gather(in + k->word[i].at++, k->word[i].n, record + 8 * i);
	memcpy(record + 8 * words, in + k->rest.at, r->size - 8 * words);
	k->rest.at += r->size - 8 * words;
}

size_t fw_planes_pack(uint8_t *records, size_t len, uint8_t *out)
{
	struct fw_planes head = { 0 };
	struct planes p = { 0 };
	size_t size;

	for (size_t at = 0; at < len; at += size, head.n++) {
		const struct fw_rec *r = (const struct fw_rec *)(records + at);

		if (!count(&p, r, len - at))
			return 0;
		size = r->size;
	}
	place(&p, head.n);
	memcpy(out, &head, sizeof(head));
	for (size_t at = 0, i = 0; at < len; at += size, i++) {
		struct fw_rec *r = (struct fw_rec *)(records + at);
		uint64_t ts = r->ts;

		size = r->size;
		r->ts = ts - p.last;
		p.last = ts;
		differ(&p, r, ts);
		scatter(out + sizeof(head) + i, head.n, records + at);
		put(&p, records + at, out);
	}
	return sizeof(head) + len;
}

bool fw_planes_unpack(const uint8_t *in, size_t len, uint8_t *out)
{
	struct fw_planes head;
	struct planes p = { 0 };
	size_t at = 0;

	if (len < sizeof(head))
		return false;
	memcpy(&head, in, sizeof(head));
	len -= sizeof(head);
	if (head.n > len / sizeof(struct fw_rec))
		return false;
	for (size_t i = 0; i < head.n; i++) {
		const struct fw_rec *r = (const struct fw_rec *)(out + at);

		/* Where nothing is left, the room of the head is. */
		gather(in + sizeof(head) + i, head.n, out + at);
		if (!count(&p, r, len - at))
			return false;
		at += r->size;
	}
	/* Each byte of them has its one place. */
	if (at != len)
		return false;
	place(&p, head.n);
	for (at = 0; at < len;) {
		struct fw_rec *r = (struct fw_rec *)(out + at);

		get(&p, in, out + at);
		r->ts += p.last;
		p.last = r->ts;
		differ(&p, r, r->ts);
		at += r->size;
	}
	return true;
}
