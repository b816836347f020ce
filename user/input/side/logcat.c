// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * logcat - when animations begin and end, from the log
 *
 * A message of one of the two tags begins an animation when the first of the words below is one
 * of "begin", ends it when it is one of "end". The call stack is the lines of the same tag and
 * thread that follow. Blocks of several threads may mix: each is kept until the next message of its
 * own tag and thread that begins or ends.
 */
#include "input/side/logcat.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/lines.h"

#define BLOCKS 16 /* threads whose begin is still being read */
#define ID_MAX 128

/* A begin whose stack is being read. */
struct block {
	bool used, folme;
	int32_t pid, tid;
	uint64_t line;
	enum fw_log_clock clock;
	int64_t ns;
	char id[ID_MAX], when[40];
	size_t id_len, when_len, stack_len, top_at, top_len;
	char stack[FW_LOG_STACK_MAX];
};

struct fw_logcat {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_lines lines;
	struct block blocks[BLOCKS];
	struct block given; /* what the event at hand borrows from */
	struct fw_log_line head; /* format long: of the lines that follow */
	char head_tag[32], head_when[40];
	uint64_t n_parsed;
	bool pending; /* an end stands behind the begin that was given */
	struct fw_log_event ev, end;
	char end_id[ID_MAX], end_when[40];
};

enum word { WORD_NONE, WORD_BEGIN, WORD_END, WORD_COMPLETE, WORD_CANCEL, WORD_REPLACED };

static const struct {
	const char *text;
	enum word word;
} words[] = {
	{ "begin", WORD_BEGIN },       { "began", WORD_BEGIN },
	{ "start", WORD_BEGIN },       { "started", WORD_BEGIN },
	{ "end", WORD_END },	       { "ended", WORD_END },
	{ "stop", WORD_END },	       { "stopped", WORD_END },
	{ "complete", WORD_COMPLETE }, { "completed", WORD_COMPLETE },
	{ "finish", WORD_COMPLETE },   { "finished", WORD_COMPLETE },
	{ "cancel", WORD_CANCEL },     { "canceled", WORD_CANCEL },
	{ "cancelled", WORD_CANCEL },  { "replace", WORD_REPLACED },
	{ "replaced", WORD_REPLACED },
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_of_word(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

static enum word word_of(struct fw_str s)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].text) == s.len && !strncasecmp(words[i].text, s.p, s.len))
			return words[i].word;
	return WORD_NONE;
}

/* The next run of letters, digits and underscores; false where there is none. */
static bool next_word(struct fw_str *s, struct fw_str *word)
{
	while (s->len && !is_of_word(s->p[0]))
		s->p++, s->len--;
	*word = (struct fw_str){ s->p, 0 };
	while (word->len < s->len && is_of_word(s->p[word->len]))
		word->len++;
	s->p += word->len;
	s->len -= word->len;
	return word->len;
}

/* What stands up to a bar, a blank, a comma or a bracket. */
static struct fw_str id_at(struct fw_str s)
{
	size_t n = 0;

	while (s.len && memchr(" =:#\t[(", s.p[0], 7))
		s.p++, s.len--;
	while (n < s.len && !memchr("| ,;:)]\t", s.p[n], 8))
		n++;
	return (struct fw_str){ s.p, n };
}

/*
 * Which animation: the field behind "Anim|" or "Folme|", what stands behind "id" or '#', else
 * the first word behind the one that decided that is a number.
 */
static struct fw_str id_of(struct fw_str message, struct fw_str behind)
{
	struct fw_str s = message, word;

	while (next_word(&s, &word)) {
		bool section = fw_str_eq(word, FW_STR("Anim")) || fw_str_eq(word, FW_STR("Folme"));

		if (section && s.len && (s.p[0] == '|' || s.p[0] == ' '))
			return id_at((struct fw_str){ s.p + 1, s.len - 1 });
		if (word.len == 2 && !strncasecmp(word.p, "id", 2))
			return id_at(s);
	}
	s = message;
	if (s.len && (s.p = memchr(s.p, '#', s.len))) {
		s.len = message.len - (size_t)(s.p - message.p);
		return id_at(s);
	}
	while (next_word(&behind, &word))
		if (word.p[0] >= '0' && word.p[0] <= '9')
			return word;
	return FW_STR_NONE;
}

struct meaning {
	bool begin;
	struct fw_str id, reason;
};

/* Return: does the message begin or end an animation? */
static bool understand(struct fw_str message, struct meaning *m)
{
	static const struct fw_str reasons[] = { [WORD_COMPLETE] = { "complete", 8 },
						 [WORD_CANCEL] = { "cancel", 6 },
						 [WORD_REPLACED] = { "replaced", 8 } };
	struct fw_str s = message, word, behind = FW_STR_NONE;
	enum word first = WORD_NONE, w;

	m->reason = FW_STR_NONE;
	while (next_word(&s, &word)) {
		w = word_of(word);
		if (first == WORD_NONE && w != WORD_NONE) {
			first = w;
			behind = s;
		}
		if (w >= WORD_COMPLETE && !m->reason.p)
			m->reason = reasons[w];
	}
	m->begin = first == WORD_BEGIN;
	if (m->begin)
		m->reason = FW_STR_NONE;
	m->id = first == WORD_NONE ? FW_STR_NONE : id_of(message, behind);
	return m->id.len && m->id.len < ID_MAX;
}

/* "at a.b.C.d(C.java:1)", "#01 pc 0000 /lib", "a.b.C.d(C.java:1)"; without what leads it in. */
static bool is_stack(struct fw_str *s)
{
	const char *open;

	*s = fw_str_trim(*s);
	if (fw_str_starts(*s, FW_STR("at "))) {
		*s = fw_str_trim((struct fw_str){ s->p + 3, s->len - 3 });
		return s->len;
	}
	if (s->len > 2 && s->p[0] == '#' && s->p[1] >= '0' && s->p[1] <= '9')
		return true;
	open = s->len ? memchr(s->p, '(', s->len) : NULL;
	return open && s->p[s->len - 1] == ')' && !memchr(s->p, ' ', (size_t)(open - s->p)) &&
	       memchr(s->p, '.', (size_t)(open - s->p));
}

static bool is_tracer(struct fw_str s)
{
	return memmem(s.p, s.len, "AnimatorTracer", 14) || memmem(s.p, s.len, "FolmeTracer", 11);
}

static void add_stack(struct block *b, struct fw_str s)
{
	static const char joint[] = " < ";
	size_t room = sizeof(b->stack) - b->stack_len;
	size_t gap = b->stack_len ? sizeof(joint) - 1 : 0;

	/* A stack that is too long keeps its top. */
	if (s.len + gap > room)
		return;
	memcpy(b->stack + b->stack_len, joint, gap);
	b->stack_len += gap;
	memcpy(b->stack + b->stack_len, s.p, s.len);
	if (!b->top_len && !is_tracer(s)) {
		b->top_at = b->stack_len;
		b->top_len = s.len;
	}
	b->stack_len += s.len;
}

static size_t keep(char *to, size_t size, struct fw_str s)
{
	size_t n = FW_MIN(s.len, size);

	if (n)
		memcpy(to, s.p, n);
	return n;
}

static struct block *block_of(struct fw_logcat *l, bool folme, int32_t pid, int32_t tid)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct block *b = &l->blocks[i];

		if (b->used && b->folme == folme && b->pid == pid && b->tid == tid)
			return b;
	}
	return NULL;
}

static struct block *oldest(struct fw_logcat *l)
{
	struct block *b = NULL;

	for (int i = 0; i < BLOCKS; i++)
		if (l->blocks[i].used && (!b || l->blocks[i].line < b->line))
			b = &l->blocks[i];
	return b;
}

static struct block *unused(struct fw_logcat *l)
{
	for (int i = 0; i < BLOCKS; i++)
		if (!l->blocks[i].used)
			return &l->blocks[i];
	return NULL;
}

static struct fw_str text_if(const char *p, size_t len)
{
	return len ? (struct fw_str){ p, len } : FW_STR_NONE;
}

/* Give the begin of a block, and forget the block. */
static void give(struct fw_logcat *l, struct block *b)
{
	struct block *g = &l->given;

	*g = *b;
	b->used = false;
	l->ev = (struct fw_log_event){ .folme = g->folme,
				       .begin = true,
				       .pid = g->pid,
				       .id = { g->id, g->id_len },
				       .when = text_if(g->when, g->when_len),
				       .top = text_if(g->stack + g->top_at, g->top_len),
				       .stack = text_if(g->stack, g->stack_len),
				       .clock = g->clock,
				       .ns = g->ns,
				       .line = g->line };
}

static void start_block(struct fw_logcat *l, const struct fw_log_line *line, bool folme,
			struct fw_str id)
{
	struct block *b = unused(l);

	b->used = true;
	b->folme = folme;
	b->pid = line->pid;
	b->tid = line->tid;
	b->line = l->lines.number;
	b->clock = line->clock;
	b->ns = line->ns;
	b->id_len = keep(b->id, sizeof(b->id), id);
	b->when_len = keep(b->when, sizeof(b->when), line->when);
	b->stack_len = b->top_len = b->top_at = 0;
}

static void note_end(struct fw_logcat *l, const struct fw_log_line *line, bool folme,
		     const struct meaning *m)
{
	size_t id = keep(l->end_id, sizeof(l->end_id), m->id);
	size_t when = keep(l->end_when, sizeof(l->end_when), line->when);

	l->end = (struct fw_log_event){ .folme = folme,
					.pid = line->pid,
					.id = { l->end_id, id },
					.reason = m->reason,
					.when = text_if(l->end_when, when),
					.clock = line->clock,
					.ns = line->ns,
					.line = l->lines.number };
	l->pending = true;
}

/* Whose message is it? Where the format has no tag, the message must say so. */
static bool is_ours(const struct fw_log_line *line, bool *folme)
{
	if (line->tag.p) {
		*folme = fw_str_eq(line->tag, FW_STR("FolmeTracer"));
		return *folme || fw_str_eq(line->tag, FW_STR("AnimatorTracer"));
	}
	*folme = memmem(line->message.p, line->message.len, "Folme|", 6) ||
		 memmem(line->message.p, line->message.len, "FolmeTracer", 11);
	return *folme || memmem(line->message.p, line->message.len, "Anim|", 5) ||
	       memmem(line->message.p, line->message.len, "AnimatorTracer", 14);
}

/* Return: is there an event to give? */
static bool read_message(struct fw_logcat *l, const struct fw_log_line *line)
{
	bool folme, ours = is_ours(line, &folme);
	struct fw_str stack = line->message;
	struct meaning m;
	struct block *b;

	/* Without tags a stack is told by its thread alone. */
	b = block_of(l, ours ? folme : false, line->pid, line->tid);
	if (!b && !ours && !line->tag.p)
		b = block_of(l, true, line->pid, line->tid);
	if (!ours && (line->tag.p || !b))
		return false;
	if (is_stack(&stack)) {
		if (b)
			add_stack(b, stack);
		return false;
	}
	if (!ours)
		return false;
	if (!understand(line->message, &m)) {
		fw_health_add(l->health, FW_H_fw_log_unread, FW_HEALTH_NO_IDX, 1);
		return false;
	}
	if (!b && m.begin && !unused(l))
		b = oldest(l);
	if (b)
		give(l, b);
	if (m.begin)
		start_block(l, line, folme, m.id);
	else
		note_end(l, line, folme, &m);
	return b || l->pending;
}

static void keep_head(struct fw_logcat *l, const struct fw_log_line *line)
{
	l->head = *line;
	l->head.is_head = false;
	l->head.tag = text_if(l->head_tag, keep(l->head_tag, sizeof(l->head_tag), line->tag));
	l->head.when = text_if(l->head_when, keep(l->head_when, sizeof(l->head_when), line->when));
}

/* Return: is there an event to give? */
static bool read_line(struct fw_logcat *l, struct fw_str text)
{
	struct fw_log_line line;

	if (fw_str_starts(text, FW_STR("--------- ")))
		return false;
	if (fw_log_parse(text, &line)) {
		l->n_parsed++;
		l->head.tag = FW_STR_NONE;
		if (!line.is_head)
			return read_message(l, &line);
		keep_head(l, &line);
		return false;
	}
	if (l->head.tag.p && text.len) {
		line = l->head;
		line.message = text;
		return read_message(l, &line);
	}
	return false;
}

int fw_logcat_open(struct fw_source *src, struct fw_health *health, struct fw_logcat **out)
{
	struct fw_logcat *l = fw_zalloc(sizeof(*l));
	int err = fw_lines_init(&l->lines, src);

	l->src = src;
	l->health = health;
	if (err)
		fw_logcat_close(l);
	else
		*out = l;
	return err;
}

void fw_logcat_close(struct fw_logcat *l)
{
	if (!l)
		return;
	fw_lines_free(&l->lines);
	fw_source_close(l->src);
	free(l);
}

int fw_logcat_next(struct fw_logcat *l, const struct fw_log_event **ev)
{
	struct fw_str text;
	struct block *b;
	int ret;

	*ev = &l->ev;
	l->ev = (struct fw_log_event){ .pid = -1 };
	while (!l->pending && (ret = fw_lines_next(&l->lines, &text)) != 0) {
		if (ret < 0)
			return ret;
		if (read_line(l, text) && l->ev.id.p)
			return 1;
	}
	if (l->pending) {
		l->pending = false;
		l->ev = l->end;
		return 1;
	}
	b = oldest(l);
	if (b)
		give(l, b);
	else if (!l->n_parsed && l->lines.number)
		return fw_fail(EINVAL, "%s: is no log: not one line is of logcat's formats",
			       fw_source_path(l->src));
	return b != NULL;
}
