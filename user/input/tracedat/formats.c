// SPDX-License-Identifier: GPL-2.0-or-later
/* formats - where the values of each event stand, from the kernel's format files by libtraceevent */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/tracedat/tracedat.h"

static struct tep_handle *handle(struct td *t)
{
	if (!t->tep) {
		tep_set_loglevel(TEP_LOG_NONE);
		t->tep = tep_alloc();
	}
	return t->tep;
}

void td_formats_done(struct td *t)
{
	if (t->tep)
		tep_free(t->tep);
	t->tep = NULL;
}

/* The bytes of a span, with a NUL behind them; free it. NULL: too long, or not there. */
static char *copy(struct td *t, struct td_span s)
{
	struct td_cursor c = td_cursor(t, s);
	const uint8_t *p = s.len <= TD_FORMAT_MAX ? td_bytes(&c, s.len) : NULL;
	char *text = p ? fw_zalloc(s.len + 1) : NULL;

	if (text)
		memcpy(text, p, s.len);
	return text;
}

void td_header_page(struct td *t, struct td_span s)
{
	char *text = copy(t, s);
	int size = 8;

	/* Kernels that have no such file have the long of their machine. */
	if (text && s.len && handle(t)) {
		tep_parse_header_page(t->tep, text, s.len, 8);
		size = tep_get_header_page_size(t->tep);
	}
	free(text);
	t->commit_size = size == 4 ? 4 : 8;
	t->data_offset = 8 + t->commit_size;
}

/* "name: sched_switch" at a line's start. */
static bool find_line(const char *text, const char *key, const char **value, size_t *len)
{
	size_t n = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (strncmp(p, key, n))
			continue;
		*value = p + n;
		*len = strcspn(p + n, "\r\n");
		return true;
	}
	return false;
}

static void take_field(struct td_field *out, const struct tep_format_field *f)
{
	/* A record is no longer than 64 KiB. */
	if (!f || f->offset < 0 || f->offset > UINT16_MAX || f->size < 0 || f->size > UINT16_MAX)
		return;
	out->has = true;
	out->offset = (uint16_t)f->offset;
	out->size = (uint16_t)f->size;
	out->is_signed = f->flags & TEP_FIELD_IS_SIGNED;
	if (f->flags & TEP_FIELD_IS_DYNAMIC)
		out->loc = f->flags & TEP_FIELD_IS_RELATIVE ? 2 : 1;
}

/* "state|frequency": whichever there is. Return: whether one is, or "?" says that none needs be. */
static bool take_any(struct td_field *out, struct tep_event *event, const char *names)
{
	char name[64], *next;

	snprintf(name, sizeof(name), "%s", names + (*names == '?'));
	for (char *n = name; n && !out->has; n = next) {
		next = strchr(n, '|');
		if (next)
			*next++ = '\0';
		take_field(out, tep_find_any_field(event, n));
	}
	return out->has || *names == '?';
}

static bool take_fields(struct td *t, struct td_event *e, struct tep_event *event)
{
	const char *const *names = td_kind_fields(e->kind);
	bool all = true;

	for (int i = 0; i < TD_FIELDS && names[i]; i++)
		all &= take_any(&e->fields[i], event, names[i]);
	if (!t->pid.has) {
		take_field(&t->type, tep_find_common_field(event, "common_type"));
		take_field(&t->flags, tep_find_common_field(event, "common_flags"));
		take_field(&t->pid, tep_find_common_field(event, "common_pid"));
	}
	return all;
}

/*
 * Only the fields are libtraceevent's to read: how a record is printed does not matter, and its
 * expressions may nest without end. Return: false for a format that does not say what it must.
 */
static bool parse_fields(struct td *t, struct td_event *e, const char *system, const char *text)
{
	static const char no_print[] = "\nprint fmt: \"\"\n";
	const char *print = strstr(text, "\nprint fmt:");
	size_t len = print ? (size_t)(print - text) : strlen(text);
	struct tep_event *event = NULL;
	char *cut = fw_zalloc(len + sizeof(no_print));
	bool ok;

	memcpy(cut, text, len);
	memcpy(cut + len, no_print, sizeof(no_print));
	ok = handle(t) &&
	     !tep_parse_format(t->tep, &event, cut, len + sizeof(no_print) - 1, system) && event &&
	     take_fields(t, e, event);
	free(cut);
	return ok;
}

/* The bit that a state letter has on kernels before 4.8, whose layout has room for every letter. */
static int64_t plain_bit(char letter)
{
	static const char letters[] = "SDTtXZxKWP";
	const char *p = letter ? strchr(letters, letter) : NULL;

	if (letter == 'I')
		return 0x402;
	return p ? INT64_C(1) << (p - letters) : 0;
}

/*
 * Which letters the bits of prev_state have, as the event prints them, for where nothing says which
 * kernel it was: "{ 1, \"S\" }, ..." and "& 1024 ? \"+\"".
 */
static void read_states(struct td *t, const char *text)
{
	const char *p = strstr(text, "print fmt:"), *plus = p ? strstr(p, "? \"+\"") : NULL;
	char *end;

	t->n_states = 0;
	for (; p && (p = strchr(p, '{')) && t->n_states < ARRAY_SIZE(t->states); p++) {
		uint64_t bit = strtoull(p + 1, &end, 0);

		if (end == p + 1 || strncmp(end, ", \"", 3) || !end[3] || end[4] != '"')
			continue;
		t->states[t->n_states++] = (struct td_state){ bit, plain_bit(end[3]) };
	}
	/* Since 4.14 the bit above all letters, as an expression. */
	t->preempted = 0x100;
	while (plus && plus > text && *plus != '&')
		plus--;
	if (plus && plus[1] == ' ' && plus[2] >= '1' && plus[2] <= '9')
		t->preempted = strtoull(plus + 1, NULL, 0);
}

void td_format(struct td *t, const char *system, struct td_span s)
{
	char *text = copy(t, s);
	const char *name, *id_text;
	char with_nul[128] = "";
	struct td_event e = { .kind = -1 };
	size_t name_len, len;
	uint64_t *known;
	long id;

	if (!text || !find_line(text, "name: ", &name, &name_len) ||
	    !find_line(text, "ID: ", &id_text, &len))
		goto out;
	id = strtol(id_text, NULL, 10);
	if (id < 0 || id >= TD_EVENTS_MAX || t->n_events >= TD_EVENTS_MAX)
		goto out;
	known = fw_map_slot(&t->by_id, (uint64_t)id);
	if (*known)
		goto out;
	name_len = FW_MIN(name_len, sizeof(with_nul) - 1);
	memcpy(with_nul, name, name_len);
	e.name = fw_names_id(t->names, (struct fw_str){ with_nul, name_len + 1 });
	e.kind = (int16_t)td_kind_find((struct fw_str){ name, name_len });
	if (e.kind >= 0 && !parse_fields(t, &e, system, text)) {
		fw_health_add(t->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		e.kind = -1;
	}
	if (e.kind >= 0 && td_kind_type(e.kind) == FW_EV_SCHED_SWITCH)
		read_states(t, text);
	if (e.kind >= 0 && td_kind_type(e.kind) == FW_EV_BLOCKED_REASON)
		t->has_blocked = true;
	fw_grow(t->events, t->n_events, t->events_cap);
	t->events[t->n_events++] = e;
	*known = t->n_events;
out:
	free(text);
}
